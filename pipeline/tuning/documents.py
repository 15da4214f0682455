"""Which documents are measured on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pipeline.cli.inputs import find_inputs
from schemas.errors import InklaneError

_CHECKOUT = Path(__file__).resolve().parents[2]


def find_documents(folder: Path | None, count: int) -> list[Path]:
    """Up to ``count`` documents of a folder; None: of the samples that come with the source.

    Raises:
        InklaneError: there are none.
    """
    if folder is None:
        folder = next((f for f in (Path("samples/images"), _CHECKOUT / "samples" / "images") if f.is_dir()), None)
        if folder is None:
            raise InklaneError("the samples are not installed; name a folder of your documents with --images")
    inputs = find_inputs([folder])
    if not inputs.files:
        raise InklaneError(f"{folder}: {inputs.problems[0][1].message if inputs.problems else 'no documents there'}")
    return spaced([file.path for file in inputs.files], count)


def spaced(paths: Sequence[Path], count: int) -> list[Path]:
    """``count`` of the paths (all, if there are no more), evenly spaced, the first among them.

    Neighbours in a folder are often alike (one day, one sender), so the first ones alone would say little.
    """
    if count < 1:
        raise ValueError(f"at least one document is needed, not {count}")
    if len(paths) <= count:
        return list(paths)
    return [paths[index * len(paths) // count] for index in range(count)]
