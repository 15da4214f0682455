"""Which files to read: paths as given, folders walked, what is no document left out."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from schemas.errors import FileMissing, InklaneError
from stages.decode.sniff import HEAD_BYTES, sniff

EXTENSIONS = frozenset(
    [".bmp", ".dib", ".gif", ".jfif", ".jpe", ".jpeg", ".jpg", ".pdf", ".png", ".tif", ".tiff", ".webp"],
)
"""In a folder, a file called like a document is read, so that a damaged one is reported rather than passed over."""


@dataclass(slots=True, frozen=True)
class Input:
    """One file to read.

    ``relative`` is its path below the folder that was given, or its file name where it was given itself. ``name`` is
    what the result calls it: the same, or the path as it was given where another input is called alike.
    """

    path: Path
    name: str
    relative: Path


@dataclass(slots=True)
class Inputs:
    """What was found: files to read, paths that cannot be read with the reason, files that are no documents."""

    files: list[Input] = field(default_factory=list)
    problems: list[tuple[str, InklaneError]] = field(default_factory=list)
    skipped: list[Path] = field(default_factory=list)


def find_inputs(paths: Sequence[Path], leave_out: Iterable[Path] = ()) -> Inputs:
    """List what to read, in the order of the arguments; within a folder in natural order (``p2`` before ``p10``).

    A path that is a file is always read. In a folder, hidden files and folders are passed over, and so are files that
    neither begin like a document nor are called like one (they are listed in ``skipped``). Links to folders are not
    followed. A file named twice is read once.

    Args:
        paths: files and folders.
        leave_out: folders not to enter, because results are written there.
    """
    found = Inputs()
    pairs: list[tuple[Path, Path]] = []  # path, relative
    left_out = {os.path.abspath(path) for path in leave_out}
    for path in paths:
        if os.path.isdir(path):  # unlike Path.is_dir, this raises nothing
            before = len(pairs) + len(found.problems)
            for file in _walk(path, left_out, found):
                if _is_document(file):
                    pairs.append((file, file.relative_to(path)))
                else:
                    found.skipped.append(file)
            if len(pairs) + len(found.problems) == before:
                found.problems.append((readable(path), FileMissing("No documents in this folder")))
        elif os.path.isfile(path):
            pairs.append((path, Path(path.name)))
        else:
            found.problems.append((readable(path), FileMissing(_why_not(path))))
    found.files = _named(pairs)
    return found


def readable(path: Path) -> str:
    """A path as text: its bytes are UTF-8 whatever the locale says, and U+FFFD where they are not."""
    return os.fsencode(path).decode("utf-8", "replace")


def natural_key(text: str) -> list[tuple[int, int, str]]:
    """Sorts text as people do: runs of digits by their value, letters regardless of case."""
    key = []
    for part in re.split(r"([0-9]+)", text):
        if part.isascii() and part.isdigit():
            digits = part.lstrip("0")
            key.append((0, len(digits), digits))  # a number's value, without the limits of int()
        elif part:
            key.append((1, 0, part.casefold()))
    return key


def _why_not(path: Path) -> str:
    try:
        path.stat()
    except OSError as error:
        return error.strerror or str(error)
    except ValueError as error:
        return str(error)
    return "Neither a file nor a folder"


def _walk(folder: Path, left_out: set[str], found: Inputs) -> Iterator[Path]:
    def report(error: OSError) -> None:
        found.problems.append((readable(Path(error.filename)), FileMissing(f"Cannot be listed: {error.strerror}")))

    for root, folders, files in os.walk(folder, onerror=report):
        folders[:] = sorted(
            (name for name in folders if name[0] != "." and os.path.abspath(os.path.join(root, name)) not in left_out),
            key=natural_key,
        )
        for name in sorted(files, key=natural_key):
            path = Path(root, name)
            if name[0] != "." and os.path.isfile(path):
                yield path


def _is_document(path: Path) -> bool:
    if path.suffix.lower() in EXTENSIONS:
        return True
    try:
        with path.open("rb") as file:
            return sniff(file.read(HEAD_BYTES)) is not None
    except OSError:
        return True  # reading it will say what is wrong


def _named(pairs: list[tuple[Path, Path]]) -> list[Input]:
    once: dict[str, tuple[Path, Path]] = {}
    for path, relative in pairs:
        once.setdefault(os.path.abspath(path), (path, relative))
    count = Counter(readable(relative) for _, relative in once.values())
    # Two files called alike are told apart by the paths they were given with.
    return [
        Input(path, readable(relative) if count[readable(relative)] == 1 else readable(path), relative)
        for path, relative in once.values()
    ]
