"""The fonts of this machine: one that has the character, found for each character by itself."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from pathlib import Path

from PIL import ImageFont

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

UNKNOWN = "?"
"""Stands for a character that no font has."""

_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
    "C:/Windows/Fonts",
)
_NAMES = (  # Latin first, as the Latin letters of East Asian fonts are wide; then those; then what has most else
    "liberationsans-regular",
    "arial.",
    "dejavusans.",
    "notosans-regular",
    "notosanscjk",
    "notosanssc",
    "sourcehansans",
    "wqy-zenhei",
    "wqy-microhei",
    "droidsansfallback",
    "pingfang",
    "msyh",
    "simhei",
    "arialunicode",
    "unifont",
)
_NOT_A_CHARACTER = "\U0010ffff"  # no font has it, so it looks like any other that a font lacks
_TRIAL_SIZE = 24


@lru_cache(maxsize=1)
def font_files() -> tuple[Path, ...]:
    """Fonts of this machine that suit texts, the first choice first; may be empty."""
    found: dict[str, Path] = {}
    for folder in _FOLDERS:
        for parent, _, names in os.walk(Path(folder).expanduser()):
            for file in names:
                if file.lower().endswith((".ttf", ".ttc", ".otf")):
                    found.setdefault(file.lower(), Path(parent) / file)
    return tuple(
        found[next(file for file in sorted(found) if file.startswith(wanted))]
        for wanted in _NAMES
        if any(file.startswith(wanted) for file in found)
    )


@lru_cache(maxsize=256)
def load(path: Path | None, size: int) -> Font | None:
    """A font at a size in pixels, None if it is damaged; ``path`` None is Pillow's own, Latin only."""
    if path is None:
        return ImageFont.load_default(size)
    try:
        return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)
    except OSError:  # a damaged font must not cost the picture
        return None


def usual(size: int) -> Font:
    """The first choice, for digits and Latin letters."""
    for path in (*font_files(), None):
        font = load(path, size)
        if font is not None:
            return font
    raise AssertionError("Pillow brings a font")


def runs(text: str, size: int) -> Iterator[tuple[str, Font]]:
    """Pieces of a text, each with a font that has all of its characters; ``?`` for what no font has."""
    chosen = map(_choice, text)
    for path, group in groupby(chosen, key=lambda choice: choice[0]):
        font = load(path, size)
        yield "".join(char for _, char in group), font if font is not None else usual(size)


@lru_cache(maxsize=4096)
def _choice(char: str) -> tuple[Path | None, str]:
    """The font for a character, and what to draw."""
    for path in (*font_files(), None):
        if _has(path, char):
            return path, char
    return next((path for path in (*font_files(), None) if load(path, _TRIAL_SIZE) is not None), None), UNKNOWN


def _has(path: Path | None, char: str) -> bool:
    font = load(path, _TRIAL_SIZE)
    if font is None:
        return False
    if char.isspace():
        return True
    return _look(font, char) != _look(font, _NOT_A_CHARACTER)


def _look(font: Font, char: str) -> tuple[object, ...]:
    mask = font.getmask(char)
    return mask.size, bytes(mask), font.getbbox(char)


def forget() -> None:
    """Look for fonts anew (tests)."""
    for cached in (font_files, load, _choice):
        clear = getattr(cached, "cache_clear", None)  # a test may have put something else there
        if clear is not None:
            clear()
