"""A recogniser's characters: class 1 on, the blank (class 0) left out.

PaddleOCR counts the classes as blank, then the characters of its dictionary, then the space, which its dictionary
does not hold (``use_space_char``).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from models.onnx_metadata import read_metadata
from schemas.errors import ModelError

METADATA_KEY = "character"


def with_space(dictionary: Sequence[str]) -> tuple[str, ...]:
    """The dictionary's characters with the space as the last class."""
    return (*dictionary, " ")


def _lines(text: str) -> list[str]:
    # Not splitlines(): a dictionary may hold characters that Python takes for line ends (U+0085, U+2028).
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return lines[:-1] if lines and lines[-1] == "" else lines


def from_onnx(path: Path) -> tuple[str, ...] | None:
    """The characters kept in an ONNX file's metadata, one a line; None where it has none."""
    text = read_metadata(path).get(METADATA_KEY)
    return None if text is None else with_space(_lines(text))


def from_keys_file(path: Path) -> tuple[str, ...]:
    """The characters of a text file, one a line, UTF-8.

    Raises:
        ModelError: it cannot be read, is not UTF-8, or is empty.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(
            f"character file {path} cannot be read ({error}); it must be UTF-8, one character a line"
        ) from error
    if not text:
        raise ModelError(f"character file {path} is empty; it must hold one character a line")
    return with_space(_lines(text))
