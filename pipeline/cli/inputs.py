"""Which files to read: paths as given, folders walked, what is no document left out."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from schemas.errors import FileMissing, InklaneError
from stages.decode.sniff import HEAD_BYTES, sniff

EXTENSIONS = frozenset(
    [".bmp", ".dib", ".gif", ".jfif", ".jpe", ".jpeg", ".jpg", ".pdf", ".png", ".tif", ".tiff", ".webp"],
)
"""In a folder, a file called like a document is read, so that a damaged one is reported rather than passed over."""


_URL = re.compile(r"[a-z][a-z0-9+.-]+:/", re.IGNORECASE)


@dataclass(slots=True, frozen=True)
class Input:
    """One file to read, or what was named and cannot be read.

    ``name`` is what the result calls it: the path as it was given; of a folder's file, the folder as it was given and
    the path below it. ``relative`` is the path below the folder, or the file name where the file itself was given.
    ``error`` says why it cannot be read.
    """

    path: Path
    name: str
    relative: Path
    error: InklaneError | None = None


@dataclass(slots=True)
class Inputs:
    """What was found, in order: files to read among what cannot be read; and files that are no documents."""

    entries: list[Input] = field(default_factory=list)
    skipped: list[Path] = field(default_factory=list)

    @property
    def files(self) -> list[Input]:
        """What can be read, as far as is known."""
        return [entry for entry in self.entries if entry.error is None]

    @property
    def problems(self) -> list[tuple[str, InklaneError]]:
        """What cannot be read: its name and the reason."""
        return [(entry.name, entry.error) for entry in self.entries if entry.error is not None]


def find_inputs(paths: Sequence[Path | str], leave_out: Iterable[Path] = ()) -> Inputs:
    """List what to read, in the order of the arguments; within a folder in natural order (``p2`` before ``p10``).

    A path that is a file is always read. In a folder, hidden files and folders are passed over, and so are files that
    neither begin like a document nor are called like one (they are listed in ``skipped``). Links to folders are not
    followed. A file named twice is read once.

    Args:
        paths: files and folders, as they were given.
        leave_out: folders not to enter, because results are written there.
    """
    found = Inputs()
    left_out = {os.path.abspath(path) for path in leave_out}
    seen: set[str] = set()

    def add(file: str, relative: Path) -> None:
        if (key := os.path.abspath(file)) not in seen:
            seen.add(key)
            found.entries.append(Input(Path(file), readable(file), relative))

    for path in [os.fspath(path) for path in paths]:
        if os.path.isdir(path):  # unlike Path.is_dir, this raises nothing
            before, documents = len(found.problems), 0
            for file in _walk(path, left_out, found):
                if _is_document(Path(file)):
                    documents += 1
                    add(file, Path(file).relative_to(path))
                else:
                    found.skipped.append(Path(file))
            if not documents and len(found.problems) == before:
                found.entries.append(_problem(path, "no documents in this folder"))
        elif os.path.isfile(path):
            add(path, Path(Path(path).name))
        else:
            found.entries.append(_problem(path, _why_not(path)))
    return found


def _problem(path: str, message: str) -> Input:
    return Input(Path(path), readable(path), Path(Path(path).name), FileMissing(message))


def readable(path: Path | str) -> str:
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


def _why_not(path: str) -> str:
    if path == "-" or _URL.match(path):
        return "URLs and standard input are not read; save the document as a file and give its path"
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return "does not exist; check the path"
    except OSError as error:
        return f"cannot be read: {error.strerror or error}"
    except ValueError as error:
        return f"does not exist; check the path ({error})"
    return "is neither a file nor a folder"


def _walk(folder: str, left_out: set[str], found: Inputs) -> Iterator[str]:
    def report(error: OSError) -> None:
        found.entries.append(_problem(error.filename, f"cannot be listed: {error.strerror}"))

    for root, folders, files in os.walk(folder, onerror=report):
        folders[:] = sorted(
            (name for name in folders if name[0] != "." and os.path.abspath(os.path.join(root, name)) not in left_out),
            key=natural_key,
        )
        for name in sorted(files, key=natural_key):
            path = os.path.join(root, name)
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
