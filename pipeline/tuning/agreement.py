"""How far two readings of the same documents agree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import regex

from pipeline.evaluation.metrics import Counts, multiset

# A word is a run of letters, marks and digits; scripts that put no spaces between words count by the character.
_UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
_TOKEN = regex.compile(rf"{_UNSPACED}|[[\p{{L}}\p{{M}}\p{{N}}]--{_UNSPACED}]+", regex.V1)


def tokens(text: str) -> list[str]:
    """What is counted: words, and the single characters of scripts without spaces. Case matters."""
    return _TOKEN.findall(text)


def agreement(ours: Sequence[str], theirs: Sequence[str]) -> float:
    """The share of words that two readings have in common (F1 of multisets, document by document), 0 to 1.

    Raises:
        ValueError: not the same number of documents.
    """
    counts: Iterable[Counts] = (multiset(tokens(a), tokens(b)) for a, b in zip(ours, theirs, strict=True))
    f1 = sum(counts, Counts()).f1
    return 1.0 if f1 is None else f1  # nothing to read on either side
