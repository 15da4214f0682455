"""Where results are written: one file a document, never half a file, never one over another."""

from __future__ import annotations

import hashlib
import itertools
import os
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

from pipeline.cli.inputs import Input
from schemas.errors import InklaneError

MAX_NAME_BYTES = 200
"""File systems take 255 bytes a name; the rest is room for suffixes."""


def output_names(files: Sequence[Input]) -> list[Path]:
    """One path below the output folder for each input, without a suffix, no two alike.

    ``scans/a.jpg`` of a folder becomes ``scans/a``. Where that is taken, also by a name that differs only in case,
    the next one keeps its suffix (``scans/a.png``), and where that is taken too it is numbered (``scans/a-2``).
    """
    taken: set[str] = set()
    names: list[Path] = []
    for file in files:
        name = next(name for name in _candidates(file.relative) if _key(name) not in taken)
        taken.add(_key(name))
        names.append(name)
    return names


def make_folder(path: Path) -> None:
    """Make a folder for results.

    Raises:
        InklaneError: it cannot be made or written to.
    """
    if os.path.exists(path) and not os.path.isdir(path):
        raise InklaneError(f"cannot make the folder {path}: there is a file of that name; give a folder")
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InklaneError(f"cannot make the folder {path}: {error.strerror}") from error
    if not os.access(path, os.W_OK | os.X_OK):
        raise InklaneError(f"cannot write into the folder {path}: permission denied")


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that at any moment there is either the old one, or none, or the new one.

    Raises:
        InklaneError: it cannot be written (no space, no permission).
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            temporary.write_bytes(data)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise InklaneError(f"cannot write {path}: {error.strerror}") from error


def _candidates(relative: Path) -> Iterator[Path]:
    stem = _short(relative.stem)
    yield relative.with_name(stem)
    yield relative.with_name(_short(relative.name))
    for number in itertools.count(2):
        yield relative.with_name(f"{stem}-{number}")


def _key(name: Path) -> str:
    """Equal for names that some file system takes for the same."""
    return unicodedata.normalize("NFC", str(name)).casefold()


def _short(name: str) -> str:
    encoded = os.fsencode(name)
    if len(encoded) <= MAX_NAME_BYTES:
        return name
    digest = hashlib.sha256(encoded).hexdigest()[:12]
    return encoded[: MAX_NAME_BYTES - 13].decode("utf-8", "ignore") + "-" + digest
