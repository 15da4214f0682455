"""From what is said about sub-words to what the own network says: about characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.layout_ner.encode import GEOMETRY, PLACES, Encoded
from models.layout_ner.example import TextLine
from models.layout_ner.external.tokens import Token

Floats = npt.NDArray[np.float32]


@dataclass(slots=True)
class CharacterTags:
    """What a model says about one page, in the form in which the own network says it.

    ``tags`` (T, K) float32 are probabilities over the tags of the model for each of the page's T
    characters and breaks, in the order of ``encoded``.
    """

    encoded: Encoded
    tags: Floats


def on_characters(lines: Sequence[TextLine], tokens: Sequence[Token], votes: Floats) -> CharacterTags:
    """From tags of sub-words (N, K) to those of characters: a field begins with a sub-word's first character only.

    Characters of no sub-word (spaces) are in a field as far as those on both sides are.
    """
    lengths = np.array([len(line.text) + 1 for line in lines])
    starts = np.cumsum(lengths) - lengths
    tags = np.zeros((int(lengths.sum()), votes.shape[1]), np.float32)
    tags[:, 0] = 1
    inside = votes.copy()
    inside[:, 2::2] += inside[:, 1::2]
    inside[:, 1::2] = 0
    for number, token in enumerate(tokens):
        if token.start == token.end:
            continue
        begin = starts[token.line] + token.start
        tags[begin + 1 : starts[token.line] + token.end] = inside[number]
        tags[begin] = votes[number]
    _bridge(tags, tokens, inside, starts)
    line_of = np.repeat(np.arange(len(lines)), lengths)
    offsets = np.arange(len(line_of)) - starts[line_of]
    offsets[offsets == lengths[line_of] - 1] = -1
    nothing = np.zeros(len(line_of), np.int64)
    places = np.zeros((len(line_of), PLACES), np.float32)
    geometry = np.zeros((len(lines), GEOMETRY), np.float32)
    return CharacterTags(Encoded(nothing, nothing, line_of, offsets, places, geometry), tags)


def _bridge(tags: Floats, tokens: Sequence[Token], inside: Floats, starts: npt.NDArray[np.int64]) -> None:
    """Fill the gaps between sub-words of one line, in place."""
    seen = [number for number, token in enumerate(tokens) if token.start < token.end]
    for left, right in zip(seen, seen[1:], strict=False):
        line, end, start = tokens[left].line, tokens[left].end, tokens[right].start
        if tokens[right].line == line and end < start:
            both = np.minimum(inside[left], inside[right])
            both[0] = 1 - both[1:].sum()
            tags[starts[line] + end : starts[line] + start] = both
