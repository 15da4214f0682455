"""SHA-256 of model files, computed once per process for each state of a file."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from schemas.errors import ModelError


@lru_cache(maxsize=256)
def _sha256(path: str, size: int, mtime_ns: int) -> str:
    # size and mtime_ns are part of the key, so that a file that was replaced is read again
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sha256(path: Path) -> str:
    """Hex digest of a file (about 2 ms per MB).

    Raises:
        ModelError: the file cannot be read.
    """
    try:
        stat = path.stat()
        return _sha256(str(path), stat.st_size, stat.st_mtime_ns)
    except OSError as error:
        raise ModelError(
            f"model file {path} cannot be read: {error.strerror}; check that it exists and its permissions"
        ) from error


def verify(path: Path, expected: str, remedy: str) -> None:
    """Compare a file with its known checksum.

    Raises:
        ModelError: they differ; the message names the file, both checksums and ``remedy``.
    """
    actual = sha256(path)
    if actual != expected:
        raise ModelError(
            f"model file {path} is damaged or of another version: expected SHA-256 {expected}, found {actual}; {remedy}"
        )


def combine(digests: list[str]) -> str:
    """One fingerprint (32 hex digits) of several files' digests, in the order given."""
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()[:32]
