"""Which characters of a line belong to which field: the best division of the line into pieces.

The network judges each character. A name of eight characters of which it is unsure about one is still one name: so the
division is sought whose characters' probabilities, less a price for every change from one field (or none) to another,
are best together (Viterbi's algorithm over a Potts model). A change costs little where words end and much inside them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from models.layout_ner.vocabulary import KINDS, kind_of

INSIDE_WORD = 5.0
"""Price, in natural logarithms, of a change inside a word or number of Latin letters and digits."""

BETWEEN_IDEOGRAPHS = 2.5
"""Inside a run of ideographs, where words are not set apart."""

AT_EDGE = 0.7
"""Where a space or a punctuation mark stands, or one kind of characters follows on another."""

LEAST = 0.05
"""A line no character of which belongs to a field with more than this probability belongs to none."""

_LONGEST_GAP = 4
_SPACE, _PUNCTUATION, _IDEOGRAPH, _DIGIT = (KINDS.index(n) for n in ("space", "punctuation", "ideograph", "digit"))
_LETTERS = (KINDS.index("upper"), KINDS.index("lower"))
_TINY = 3e-2  # no single character overrules the rest of its word


def segment(claims: npt.NDArray[np.float32], text: str) -> npt.NDArray[np.int64]:
    """Divide one line.

    Args:
        claims: (C, F) probability that a character belongs to each field; what is left over to 1 is for none.
        text: the C characters.

    Returns:
        (C,) field numbers, -1 for none.
    """
    if not claims.size or claims.max() < LEAST:
        return np.full(len(claims), -1, np.int64)
    used = np.flatnonzero(claims.max(axis=0) >= LEAST)
    kept = claims[:, used].astype(np.float64)
    nothing = np.clip(1 - claims.sum(axis=1, dtype=np.float64), 0, 1)
    logs = np.log(np.maximum(np.column_stack([nothing, kept]), _TINY))
    prices = change_prices(text)
    score = logs[0]
    came_from = np.zeros(logs.shape, np.int64)
    labels = np.arange(logs.shape[1])
    for at in range(1, len(logs)):
        best = int(score.argmax())
        changed = score[best] - prices[at]
        came_from[at] = np.where(score >= changed, labels, best)
        score = np.maximum(score, changed) + logs[at]
    path = np.empty(len(logs), np.int64)
    path[-1] = int(score.argmax())
    for at in range(len(logs) - 1, 0, -1):
        path[at - 1] = came_from[at, path[at]]
    return _without_gaps(np.where(path == 0, -1, used[np.maximum(path - 1, 0)]).astype(np.int64), text)


def _without_gaps(fields: npt.NDArray[np.int64], text: str) -> npt.NDArray[np.int64]:
    """Give the spaces and marks inside a field to it; in place."""
    last = -1  # the last letter or digit
    for at, char in enumerate(text):
        if char.isalnum():
            if last >= 0 and at - last > 1 and fields[last] == fields[at] >= 0 and at - last <= _LONGEST_GAP:
                fields[last + 1 : at] = fields[at]
            last = at
    return fields


def change_prices(text: str) -> Sequence[float]:
    """The price of a change between each character and the one before it; the first is never asked for."""
    kinds = [kind_of(char) for char in text]
    prices = [0.0] * len(text)
    for at in range(1, len(text)):
        before, here = kinds[at - 1], kinds[at]
        if before == here == _IDEOGRAPH:
            prices[at] = BETWEEN_IDEOGRAPHS
        elif (before in _LETTERS and here in _LETTERS) or before == here == _DIGIT:
            prices[at] = INSIDE_WORD
        elif _SPACE in (before, here) or _PUNCTUATION in (before, here):
            inside = here == _PUNCTUATION and at + 1 < len(text) and before == kinds[at + 1] == _DIGIT
            behind = before == _PUNCTUATION and at > 1 and here == kinds[at - 2] == _DIGIT
            # 12.50, 12/03/2018: a mark between digits is part of the number
            prices[at] = BETWEEN_IDEOGRAPHS if inside or behind else AT_EDGE
        else:
            prices[at] = 2 * AT_EDGE
    return prices
