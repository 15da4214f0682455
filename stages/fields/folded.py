"""A line of text in one spelling, of which every character knows where it stood in the line."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from stages.fields.normalise import has_ideograph, plain


@dataclass(slots=True, frozen=True)
class Token:
    """A word of Latin letters, a run of digits, or one ideograph: what a key may begin and end with.

    ``text`` is in the case-folded spelling; ``start`` and ``end`` (exclusive) are places in the folded text. ``kind``
    is ``letters``, ``digits`` or ``ideograph``. ``joined``: nothing stands between it and the token before it.
    """

    text: str
    start: int
    end: int
    kind: str
    joined: bool


@dataclass(slots=True, frozen=True)
class Folded:
    """A line as :func:`stages.fields.normalise.plain` spells it.

    ``origin`` has for each character of ``text`` its place in the line as it was read.
    """

    text: str
    origin: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where characters ``start`` to ``end`` (exclusive, not empty) of the text stand in the line."""
        return self.origin[start], self.origin[end - 1] + 1

    def trimmed(self, start: int, end: int) -> tuple[int, int]:
        """The same range without the spaces at its ends."""
        while start < end and self.text[start] == " ":
            start += 1
        while end > start and self.text[end - 1] == " ":
            end -= 1
        return start, end


@lru_cache(1024)
def fold(line: str) -> Folded:
    """Spell a line uniformly. Works character by character, so that places can be kept."""
    text: list[str] = []
    origin: list[int] = []
    for place, char in enumerate(line):
        for one in plain(f"x{char}x")[1:-1] or "":
            if one == " " and (not text or text[-1] == " "):
                continue
            if text and text[-1] == " " and has_ideograph(one) and len(text) > 1 and has_ideograph(text[-2]):
                text.pop()
                origin.pop()
            text.append(one)
            origin.append(place)
    if text and text[-1] == " ":
        text.pop()
        origin.pop()
    return Folded("".join(text), tuple(origin))


@lru_cache(1024)
def tokens(text: str) -> tuple[Token, ...]:
    """The tokens of a folded text, in order. Punctuation and spaces are between them."""
    found: list[Token] = []
    for place, char in enumerate(text):
        kind = _kind(char)
        if not kind:
            continue
        folded = char.casefold()
        last = found[-1] if found else None
        if last is not None and last.end == place and last.kind == kind != "ideograph":
            found[-1] = Token(last.text + folded, last.start, place + 1, kind, last.joined)
        else:
            found.append(Token(folded, place, place + 1, kind, last is not None and last.end == place))
    return tuple(found)


def letters_of(text: str) -> str:
    """Letters and digits alone, case-folded: how keys are compared."""
    return "".join(token.text for token in tokens(plain(text)))


def _kind(char: str) -> str:
    if has_ideograph(char):
        return "ideograph"
    category = unicodedata.category(char)
    if category[0] in "LM":
        return "letters"
    return "digits" if category[0] == "N" else ""
