"""The characters that the network knows, and the kinds of those it does not.

A character outside the vocabulary is not lost: it keeps its kind (a digit, an ideograph, a capital letter), and the
network knows where it stands.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

PAD, UNKNOWN, BREAK = 0, 1, 2
SPECIAL = 3
"""Numbers below this are no characters: padding, any character not known, and the end of a line."""

KINDS = ("pad", "space", "digit", "upper", "lower", "ideograph", "money", "punctuation", "break", "other")
"""What a character is, whatever it is exactly. The position in this tuple is the number given to the network."""

_MONEY = frozenset("$¥£€₩₹")


class Vocabulary:
    """Numbers for characters.

    Args:
        characters: all characters known, each a single code point, without repeats; the first gets number 3.

    Raises:
        ValueError: a character is there twice, or is not a single code point.
    """

    def __init__(self, characters: Iterable[str]) -> None:
        self.characters = tuple(characters)
        if any(len(char) != 1 for char in self.characters):
            raise ValueError("a vocabulary holds single characters")
        self._numbers = {char: number for number, char in enumerate(self.characters, SPECIAL)}
        if len(self._numbers) != len(self.characters):
            raise ValueError("a vocabulary holds each character once")

    def __len__(self) -> int:
        return SPECIAL + len(self.characters)

    def number(self, char: str) -> int:
        """The number of a character, of its normalised form, or ``UNKNOWN``."""
        found = self._numbers.get(char)
        return self._numbers.get(simplified(char), UNKNOWN) if found is None else found


@lru_cache(maxsize=1 << 16)
def simplified(char: str) -> str:
    """A full-width or compatibility form as the usual character, where that is a single one (NFKC)."""
    normal = unicodedata.normalize("NFKC", char)
    return normal if len(normal) == 1 else char


@lru_cache(maxsize=1 << 16)
def kind_of(char: str) -> int:
    """The number of a character's kind in :data:`KINDS`."""
    char = simplified(char)
    category = unicodedata.category(char)
    if char.isspace():
        name = "space"
    elif category == "Nd":
        name = "digit"
    elif char in _MONEY:
        name = "money"
    elif category == "Lu":
        name = "upper"
    elif category == "Ll":
        name = "lower"
    elif category == "Lo":
        name = "ideograph"
    elif category[0] in "PS":
        name = "punctuation"
    else:
        name = "other"
    return KINDS.index(name)


def standard_vocabulary() -> Vocabulary:
    """Printable ASCII, the accented Latin letters of Latin-1, common symbols, and the ideographs of GB 2312."""
    latin = [chr(code) for code in range(0x20, 0x7F)] + [chr(code) for code in range(0xA1, 0x100) if code != 0xAD]
    symbols = list("—–…‘’“”•€₩₹№℃①②③④⑤⑥⑦⑧⑨⑩○●□■△▲☆★※√×")
    common = []
    for high in (0xA1, 0xA3, *range(0xB0, 0xF8)):
        for low in range(0xA1, 0xFF):
            try:
                common.append(bytes((high, low)).decode("gb2312"))
            except UnicodeDecodeError:
                continue
    kept = (char for char in (*latin, *symbols, *common) if simplified(char) == char)
    return Vocabulary(dict.fromkeys(kept))
