"""Which classes a recogniser keeps when it is to read some characters only."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Callable, Sequence

from schemas.errors import SettingsError

LITERAL = "chars:"
"""What a list of characters begins with, so that a misspelt name is not taken for one."""

_WIDE = ("W", "F", "H")  # East Asian width: wide, full-width, half-width forms


def select(charset: str, characters: Sequence[str]) -> tuple[int, ...] | None:
    """The class numbers to keep.

    Args:
        charset: names of sets, separated by commas: ``full``; ``latin`` (letters of the Latin script, digits,
            punctuation and symbols that are not East Asian); ``digits`` (ASCII digits and what stands in and around
            numbers: separators, signs, currencies). Or ``chars:`` and the characters themselves.
        characters: the model's characters, class 1 on.

    Returns:
        Class numbers in ascending order, with 0 (the blank) and the space; None keeps all.

    Raises:
        SettingsError: there is no such set, a character asked for is not among the model's, or nothing would be left
            to read.
    """
    if charset.startswith(LITERAL):
        keep = _literal(charset.removeprefix(LITERAL), characters)
    else:
        names = _set_names(charset)
        if "full" in names:
            return None
        tests = [_SETS[name] for name in names]
        keep = [i for i, c in enumerate(characters, 1) if c and c != " " and any(all(map(t, c)) for t in tests)]
    if not keep:
        raise SettingsError(
            f"recognition.charset: the model reads none of the characters of {charset!r}; use full, or another model"
        )
    spaces = [i for i, c in enumerate(characters, 1) if c == " "]
    return tuple(sorted({0, *keep, *spaces}))


def _set_names(charset: str) -> list[str]:
    """The names in a list separated by commas, each known."""
    names = [name.strip() for name in charset.split(",")]
    known = ("full", *_SETS)
    for name in names:
        if name in known:
            continue
        ways = f"give {', '.join(known)} (several with commas between them), or {LITERAL} and the characters to read"
        if not name:
            raise SettingsError(f"recognition.charset: {charset!r} lacks the name of a set; {ways}")
        close = difflib.get_close_matches(name.casefold(), known, n=1)
        meant = f"did you mean {close[0]}? Otherwise {ways}" if close else ways
        raise SettingsError(f"recognition.charset: there is no set {name!r}; {meant}, such as {LITERAL}0123456789X")
    return names


def _literal(charset: str, characters: Sequence[str]) -> list[int]:
    wanted = set(unicodedata.normalize("NFC", charset)) - {" "}
    if not wanted:
        raise SettingsError(f"recognition.charset: no characters after {LITERAL}, such as {LITERAL}0123456789X")
    # some models have classes of several code points (a letter with its vowel sign, say)
    keep = [i for i, c in enumerate(characters, 1) if c and set(c) <= wanted]
    unknown = wanted - {c for i in keep for c in characters[i - 1]}
    if unknown:
        shown = ", ".join(f"{c} (U+{ord(c):04X})" if c.isprintable() else f"U+{ord(c):04X}" for c in sorted(unknown))
        raise SettingsError(
            f"recognition.charset: the model does not know {shown}; leave them out or use another model"
        )
    return keep


def is_latin(char: str) -> bool:
    """Whether a text in a Latin script may hold this character: by Unicode's names, categories and widths."""
    category, width = unicodedata.category(char), unicodedata.east_asian_width(char)
    if category[0] == "L":
        return unicodedata.name(char, "").startswith("LATIN ") or char in "ªº"
    if category[0] == "M":
        return unicodedata.name(char, "").startswith("COMBINING ") and ord(char) < 0x370
    if category[0] not in "NPS" or width in _WIDE:
        return False
    # Numbers, punctuation and symbols carry no script in their names. Those of Latin-1 and of General Punctuation to
    # Number Forms are common to all; beyond, up to the pictographs, the width "ambiguous" marks what older character
    # sets had already (arrows, boxes, bullets), and the bidirectional classes what stands in numbers (the minus sign).
    code = ord(char)
    return code < 0x250 or 0x2000 <= code < 0x2190 or (width == "A" and code < 0x2600) or _in_numbers(char)


def is_numeric(char: str) -> bool:
    """Whether it is an ASCII digit, or stands in or around numbers by Unicode's bidirectional classes."""
    return char in "0123456789" or (
        _in_numbers(char) and unicodedata.east_asian_width(char) not in _WIDE and not char.isnumeric()
    )


def _in_numbers(char: str) -> bool:
    # European separators (+ -), common separators (. , / :), European terminators (% # degrees, currencies)
    return unicodedata.bidirectional(char) in ("ES", "CS", "ET") and unicodedata.category(char)[0] in "PS"


_SETS: dict[str, Callable[[str], bool]] = {"latin": is_latin, "digits": is_numeric}
