"""The samples of the repository, where the service runs out of one: documents to try, with their types."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

import orjson

FOLDER = Path(__file__).parents[2] / "samples"

CONTENT_TYPES = {
    ".jpg": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
    ".tiff": "image/tiff",
    ".pdf": "application/pdf",
}
_PICTURES = (".jpg", ".png", ".webp")


@dataclass(slots=True, frozen=True)
class Sample:
    """One document. ``doc_type`` is None where it is of no known type; ``picture``: browsers can show it."""

    name: str
    path: Path
    doc_type: str | None
    pages: int

    @property
    def picture(self) -> bool:
        """Whether it is a picture that browsers can show."""
        return self.path.suffix in _PICTURES


class SampleFiles:
    """The samples, looked for when they are first asked for.

    Args:
        folder: with ``images/`` and ``labels.jsonl``; there need not be one.
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        self._found: dict[str, Sample] | None = None

    async def all(self) -> dict[str, Sample]:
        """All samples by name, in the order of their labels; none where there is no folder."""
        if self._found is None:
            self._found = await asyncio.to_thread(self._find)
        return self._found

    def _find(self) -> dict[str, Sample]:
        found: dict[str, Sample] = {}
        try:
            lines = (self._folder / "labels.jsonl").read_bytes().splitlines()
        except OSError:
            return found
        for line in lines:
            label = orjson.loads(line)
            path = self._folder / label["image"]
            if path.suffix not in CONTENT_TYPES or (path.name not in found and not path.is_file()):
                continue
            known = label.get("doc_type")
            doc_type = None if known in (None, "other", "none") else known
            found[path.name] = Sample(path.name, path, doc_type, label.get("page", 1))
        return found
