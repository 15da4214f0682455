"""When a value that was read is the value of the truth: exactly, or after normalisation."""

from __future__ import annotations

from collections.abc import Iterable

from schemas.fields import Field
from stages.fields.normalise import comparable


def normalise(text: str) -> str:
    """NFKC, upper case, without white space and punctuation: the form that normalised comparisons use."""
    return comparable(text)


def forms(field: Field) -> tuple[str, ...]:
    """What a field says, as strings: its content and its typed value, where it has one that is not made of parts."""
    if field.value is None or isinstance(field.value, dict):
        return (_one_spaced(field.content),)
    return _one_spaced(field.content), _one_spaced(str(field.value))


def equal(truth: Iterable[str], read: Iterable[str]) -> bool:
    """Whether one of the texts of truth is one of those read, character by character. Empty ones do not count."""
    return not {text for text in truth if text}.isdisjoint(read)


def equal_normalised(truth: Iterable[str], read: Iterable[str]) -> bool:
    """The same after normalisation; texts of which nothing is left are compared as they are."""
    return equal(map(_normalised_or_itself, truth), map(_normalised_or_itself, read))


def _normalised_or_itself(text: str) -> str:
    return normalise(text) or text


def _one_spaced(text: str) -> str:
    return " ".join(text.split())
