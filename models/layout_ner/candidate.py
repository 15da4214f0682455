"""What a reader of fields found: text that is probably the value of a field, not yet typed or checked."""

from __future__ import annotations

from dataclasses import dataclass

from models.layout_ner.example import Span


@dataclass(slots=True)
class Candidate:
    """Characters on one page that are probably a field's value.

    ``name`` is the field's name (``total``, ``items.amount``), ``content`` the characters as read, ``spans`` where
    they stand: lines are numbers into the page's lines. ``page`` counts from 1. ``confidence`` is a probability, 0
    to 1. ``group`` is the row for parts of a repeated group, or the pair for question and answer; None otherwise.
    """

    name: str
    content: str
    spans: tuple[Span, ...]
    page: int
    confidence: float
    group: int | None = None
