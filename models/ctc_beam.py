"""CTC prefix beam search over a line's kept candidates, optionally bound to a pattern or a final check.

The search follows prefix beam search (Graves, 2012; Hannun et al., 2014), in log space and without a language model:
every text's score is the log of the summed probability of all column paths that spell it. With a beam wide enough it
is exact. The pattern keeps out, as early as possible, every prefix that no longer can become a match, so that of the
readings of a smudged number the best *well-formed* one is found, not the best one that then fails.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import regex

from models.ctc import BLANK, Alternatives
from schemas.errors import InvalidRequest

_NEVER = -math.inf
_TIMEOUT_S = 5.0


class Hypothesis(NamedTuple):
    """A reading of a line and the natural logarithm of its probability (finite, 0 at most)."""

    text: str
    score: float


class Pattern:
    r"""A regular expression that a whole text must match, and that can tell whether a beginning still may.

    The syntax is that of the ``regex`` package (a superset of Python's ``re``): classes, repeats, alternatives,
    ``\d{17}[\dX]``.

    Args:
        expression: the regular expression.

    Raises:
        InvalidRequest: the expression is not valid.
    """

    def __init__(self, expression: str) -> None:
        try:
            self._compiled = regex.compile(expression)
        except (regex.error, OverflowError, RecursionError) as error:
            raise InvalidRequest(f"the pattern {expression!r} is not a valid regular expression: {error}") from error
        self.expression = expression

    def may_match(self, prefix: str, timeout_s: float = _TIMEOUT_S) -> bool:
        """Whether some text that starts with ``prefix`` matches.

        Raises:
            InvalidRequest: the answer takes longer than ``timeout_s`` (some expressions take exponential time).
        """
        return self._match(prefix, True, timeout_s)

    def matches(self, text: str, timeout_s: float = _TIMEOUT_S) -> bool:
        """Whether the whole text matches. Errors as for :meth:`may_match`."""
        return self._match(text, False, timeout_s)

    def _match(self, text: str, partial: bool, timeout_s: float) -> bool:
        try:
            if timeout_s <= 0:
                raise TimeoutError
            return self._compiled.fullmatch(text, partial=partial, timeout=timeout_s) is not None
        except TimeoutError as error:
            raise InvalidRequest(
                f"the pattern {self.expression!r} takes too long to match; avoid nested repeats such as (a+)+"
            ) from error


class _Prefix:
    """A node of the tree of prefixes, with the log probabilities of ending in a blank and in its last class."""

    __slots__ = ("blank", "children", "last", "next_blank", "next_symbol", "symbol", "text")

    def __init__(self, text: str, last: int) -> None:
        self.text = text
        self.last = last
        self.children: dict[int, _Prefix | None] = {}  # None: the pattern rules it out
        self.blank = self.symbol = _NEVER
        self.next_blank = self.next_symbol = _NEVER

    def total(self) -> float:
        return _add(self.blank, self.symbol)


def beam_search(
    alternatives: Alternatives,
    *,
    beam_width: int = 32,
    n_best: int = 5,
    pattern: str | Pattern | None = None,
    accept: Callable[[str], bool] | None = None,
    timeout_s: float = _TIMEOUT_S,
) -> list[Hypothesis]:
    """Find the most probable readings of a line.

    Args:
        alternatives: the line's candidates per column.
        beam_width: how many prefixes survive each column.
        n_best: how many readings are returned at most.
        pattern: what the whole text must match.
        accept: a last check of a finished text, a check digit for example.
        timeout_s: limit for the whole search with a pattern; patterns come from users.

    Returns:
        Readings of positive probability, the best first; texts are distinct. Empty when nothing fits.

    Raises:
        InvalidRequest: the pattern is not valid or takes too long.
        ValueError: ``beam_width`` or ``n_best`` below 1.
    """
    if beam_width < 1 or n_best < 1:
        raise ValueError(f"beam_width and n_best must be at least 1, not {beam_width} and {n_best}")
    rule = Pattern(pattern) if isinstance(pattern, str) else pattern
    deadline = time.monotonic() + timeout_s

    def viable(prefix: str) -> bool:
        return rule is None or rule.may_match(prefix, deadline - time.monotonic())

    symbols = ("", *alternatives.characters)
    with np.errstate(divide="ignore"):
        logs = np.log(alternatives.probabilities.astype(np.float64)).tolist()

    root = _Prefix("", BLANK)
    root.blank = 0.0
    beam = [root]
    for classes, scores in zip(alternatives.indices.tolist(), logs, strict=True):
        candidates = [(c, s) for c, s in zip(classes, scores, strict=True) if s > _NEVER]
        beam = _advance(beam, candidates, symbols, viable, beam_width)

    best: dict[str, float] = {}  # two classes may stand for one character
    for prefix in beam:
        best[prefix.text] = _add(best.get(prefix.text, _NEVER), prefix.total())
    ranked = sorted(best.items(), key=lambda item: (-item[1], item[0]))
    found: list[Hypothesis] = []
    for text, score in ranked:
        if (rule is None or rule.matches(text)) and (accept is None or accept(text)):
            found.append(Hypothesis(text, min(score, 0.0)))
            if len(found) == n_best:
                break
    return found


def _advance(
    beam: list[_Prefix],
    candidates: list[tuple[int, float]],
    symbols: tuple[str, ...],
    viable: Callable[[str], bool],
    beam_width: int,
) -> list[_Prefix]:
    """Extend every prefix by one column and keep the ``beam_width`` most probable."""
    touched: dict[int, _Prefix] = {}
    for prefix in beam:
        total = prefix.total()
        for symbol, score in candidates:
            if symbol == BLANK:
                touched[id(prefix)] = prefix
                prefix.next_blank = _add(prefix.next_blank, total + score)
                continue
            if symbol == prefix.last:
                touched[id(prefix)] = prefix  # the same character goes on ...
                prefix.next_symbol = _add(prefix.next_symbol, prefix.symbol + score)
                reach = prefix.blank  # ... and only behind a blank a second one begins
            else:
                reach = total
            if reach == _NEVER:
                continue
            if symbol not in prefix.children:
                text = prefix.text + symbols[symbol]
                prefix.children[symbol] = _Prefix(text, symbol) if viable(text) else None
            child = prefix.children[symbol]
            if child is not None:
                touched[id(child)] = child
                child.next_symbol = _add(child.next_symbol, reach + score)
    for prefix in beam:
        prefix.blank = prefix.symbol = _NEVER
    for prefix in touched.values():
        prefix.blank, prefix.symbol = prefix.next_blank, prefix.next_symbol
        prefix.next_blank = prefix.next_symbol = _NEVER
    alive = [prefix for prefix in touched.values() if prefix.total() > _NEVER]
    alive.sort(key=lambda prefix: (-prefix.total(), prefix.text))
    for prefix in alive[beam_width:]:
        prefix.blank = prefix.symbol = _NEVER  # it may be reached again later, from nothing
    return alive[:beam_width]


def _add(a: float, b: float) -> float:
    """log(exp(a) + exp(b))."""
    if a < b:
        a, b = b, a
    return a if b == _NEVER else a + math.log1p(math.exp(b - a))
