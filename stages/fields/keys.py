"""Finding the words that announce a field ("Invoice No.", "发票号码") in a line of text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import extractOne

from stages.fields.folded import Folded, Token, letters_of, tokens
from stages.fields.normalise import has_ideograph

LONGEST_KEY = 60
"""Letters of a key that are looked for; a line is no key beyond that."""

_SEPARATORS = (":", "=")

_LOOK_ALIKES = str.maketrans("01l|58", "oiiisb")
"""What readers confuse is compared as if it were the same."""


@dataclass(slots=True, frozen=True)
class KeyHit:
    """A key in a line, at ``start`` to ``end`` (exclusive) of the folded text.

    ``key`` is the key's letters, ``distance`` how many of them were read otherwise. ``marked``: a colon follows.
    ``clear``: it ends where a word ends; not so where Chinese goes on right behind it.
    """

    key: str
    start: int
    end: int
    distance: int
    marked: bool
    clear: bool


@dataclass(slots=True)
class KeyIndex:
    """All keys to look for, by their letters: which names they announce, in the order in which they were given."""

    names: dict[str, list[str]] = field(default_factory=dict)
    _by_length: dict[int, list[str]] = field(default_factory=dict)
    _alike: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, keys: Mapping[str, Iterable[str]]) -> KeyIndex:
        """Build it from each name's keys."""
        index = cls()
        for name, words in keys.items():
            for word in words:
                letters = letters_of(word)[:LONGEST_KEY]
                if letters:
                    names = index.names.setdefault(letters, [])
                    if name not in names:
                        names.append(name)
        for letters in index.names:
            index._by_length.setdefault(len(letters), []).append(letters)
            index._alike.setdefault(letters.translate(_LOOK_ALIKES), letters)
        return index

    def find(self, line: Folded) -> list[KeyHit]:
        """The keys in a line, from left to right, none within another: the longest key wins, then the best read."""
        found = sorted(self._all(line), key=lambda hit: (hit.distance > 0, hit.start - hit.end, hit.start))
        chosen: list[KeyHit] = []
        for hit in found:
            if all(hit.end <= other.start or hit.start >= other.end for other in chosen):
                chosen.append(hit)
        chosen.sort(key=lambda hit: hit.start)
        return [hit for place, hit in enumerate(chosen) if _begins(line, hit, chosen[:place])]

    def _all(self, line: Folded) -> Iterable[KeyHit]:
        words = tokens(line.text)
        for first in range(len(words)):
            if not _may_begin(words, first):
                continue
            letters = ""
            for last in range(first, len(words)):
                letters += words[last].text
                if len(letters) > LONGEST_KEY:
                    break
                clear = _ends(words, last)
                if not clear and words[last].kind != "ideograph":
                    continue
                key, distance = self._nearest(letters, fuzzy=clear and not _within(words, first))
                if key is not None:
                    end = words[last].end
                    marked = line.text[end:].lstrip(" .)]#").startswith(_SEPARATORS)
                    yield KeyHit(key, words[first].start, end, distance, marked, clear)

    def _nearest(self, letters: str, *, fuzzy: bool) -> tuple[str | None, int]:
        """The key with these letters, or nearly these, and how far it is off."""
        if letters in self.names:
            return letters, 0
        if not fuzzy:
            return None, 0
        if (alike := self._alike.get(letters.translate(_LOOK_ALIKES))) is not None and len(letters) > 2:
            return alike, 1
        most = tolerance(letters)
        if not most:
            return None, 0
        lengths = range(len(letters) - most, len(letters) + most + 1)
        choices = [key for size in lengths for key in self._by_length.get(size, ())]
        nearest = extractOne(letters, choices, scorer=Levenshtein.distance, score_cutoff=most)
        return (nearest[0], int(nearest[1])) if nearest else (None, 0)


def tolerance(letters: str) -> int:
    """How many letters of a key may be read wrongly. One ideograph tells more than one letter."""
    return min(2, len(letters) // 4) if has_ideograph(letters) else min(3, len(letters) // 5)


def _may_begin(words: tuple[Token, ...], place: int) -> bool:
    """A key begins where a word does; within Chinese, which has no spaces, anywhere, to be looked at again."""
    word = words[place]
    return not word.joined or word.kind == "ideograph" or words[place - 1].kind == "ideograph"


def _within(words: tuple[Token, ...], place: int) -> bool:
    """Whether Chinese runs on from before this ideograph."""
    return words[place].joined and words[place].kind == words[place - 1].kind == "ideograph"


def _ends(words: tuple[Token, ...], place: int) -> bool:
    """Whether a word ends here: digits may follow letters at once ("No123", "Total12.50"), letters may not."""
    if place + 1 == len(words) or not words[place + 1].joined:
        return True
    this, following = words[place].kind, words[place + 1].kind
    return (this == "letters" and following == "digits") or "ideograph" in (this, following) and this != following


def _begins(line: Folded, hit: KeyHit, before: list[KeyHit]) -> bool:
    """Whether a key within Chinese is one: a colon follows, and what runs on from before is another key's value."""
    words = tokens(line.text)
    place = next(index for index, word in enumerate(words) if word.start == hit.start)
    if not _within(words, place):
        return True
    return hit.marked and bool(before) and before[-1].end < hit.start
