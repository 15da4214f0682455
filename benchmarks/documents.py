"""The documents that are measured on, with their truth where it is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.cli.inputs import find_inputs, natural_key
from schemas.errors import DatasetError
from schemas.truth import LABELS, TruthDocument, load_truth

ROOT = Path(__file__).resolve().parents[1]
REAL = ROOT.parent / "shared" / "data"
DEFAULT_DATASETS = ("funsd_dev", "sroie_val")
DEFAULT_EACH = 20
UNLABELLED = "unlabelled"

_IMAGES = frozenset([".bmp", ".jpeg", ".jpg", ".png", ".webp"])


@dataclass(slots=True, frozen=True)
class Sample:
    """One document to read. ``dataset`` names the folder of its labels, or says that there are none."""

    path: Path
    dataset: str = UNLABELLED
    truth: TruthDocument | None = None


def gather(images: Sequence[Path], *, limit: int | None = None) -> list[Sample]:
    """The documents to measure on.

    Args:
        images: folders, text files that list paths, and documents. Nothing: the first twenty documents each of the
            real datasets beside the checkout; where those are absent, the pictures in ``samples/``.
        limit: at most so many of each entry of ``images`` (or of each default dataset).

    Raises:
        DatasetError: nothing to read there, or a path that does not exist.
    """
    groups = [_expand(path) for path in images] or [group[:DEFAULT_EACH] for group in _default_groups()]
    labels = _Labels()
    samples = [labels.sample(path) for group in groups for path in group[:limit]]
    if not samples:
        raise DatasetError(f"nothing to read in {', '.join(map(str, images)) or REAL}")
    return samples


def parse_list(text: str, folder: Path) -> list[Path]:
    """The paths of a list: one a line, relative to the list's folder; empty lines and ``#`` comments are left out."""
    lines = (line.strip() for line in text.splitlines())
    return [folder / line for line in lines if line and not line.startswith("#")]


def _default_groups() -> list[list[Path]]:
    real = [REAL / name for name in DEFAULT_DATASETS]
    if all((folder / LABELS).is_file() for folder in real):
        return [_expand(folder) for folder in real]
    labelled = load_truth(ROOT / "samples")
    # What RapidOCR can open, too: pictures of one page.
    return [[t.path for t in labelled if len(t.pages) == 1 and t.path.suffix.lower() in _IMAGES]]


def _expand(path: Path) -> list[Path]:
    if path.is_dir():
        if (path / LABELS).is_file():
            return [truth.path for truth in load_truth(path)]
        files = [file.path for file in find_inputs([path]).files]
        return sorted(files, key=lambda file: natural_key(str(file)))
    if not path.is_file():
        raise DatasetError(f"{path}: no such file or folder")
    if path.name == LABELS:
        return [truth.path for truth in load_truth(path)]
    if path.suffix.lower() in (".txt", ".list", ".lst"):
        try:
            paths = parse_list(path.read_text(encoding="utf-8-sig"), path.parent)
        except UnicodeDecodeError as error:
            raise DatasetError(f"{path}: a list of paths must be UTF-8 text") from error
        for missing in (p for p in paths if not p.is_file()):
            raise DatasetError(f"{path}: it names {missing}, which is not there")
        return paths
    return [path]


class _Labels:
    """Finds the truth of documents in a ``labels.jsonl`` beside them or one folder up."""

    def __init__(self) -> None:
        self._known: dict[Path, dict[Path, TruthDocument]] = {}

    def sample(self, path: Path) -> Sample:
        place = path.resolve()
        for folder in (place.parent, place.parent.parent):
            truth = self._of(folder).get(place)
            if truth is not None:
                return Sample(path, folder.name, truth)
        return Sample(path)

    def _of(self, folder: Path) -> dict[Path, TruthDocument]:
        if folder not in self._known:
            found = load_truth(folder) if (folder / LABELS).is_file() else []
            self._known[folder] = {truth.path.resolve(): truth for truth in found}
        return self._known[folder]
