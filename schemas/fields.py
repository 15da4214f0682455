"""The values read from a document: what each is, where it stands, and what was checked about it.

The shape follows Azure Document Intelligence, with keys in snake_case. The field order here is the key order of the
JSON.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from schemas.geometry import Polygon


@dataclass(slots=True)
class Check:
    """One thing that was checked: its stable name, whether it passed, and a sentence why (also where it passed)."""

    name: str
    passed: bool
    reason: str


@dataclass(slots=True)
class Region:
    """A place on a page (counted from 1) where a value stands: one polygon for each line it runs over, in pixels."""

    page: int
    polygon: Polygon


@dataclass(slots=True)
class Field:
    """One value.

    ``type`` is one of :data:`schemas.doctypes.TYPES`. ``value`` is typed by it: text as it is, dates in ISO 8601,
    money and other decimal numbers as a decimal string (no float loses a cent), a number printed without decimals as
    an integer; for a row of a repeated group (``object``, ``pair``) the row's parts by name. None: it could not be
    understood, and ``content`` is all there is. ``content`` is the text as read. ``confidence`` is the probability, 0
    to 1, that the value is right. ``regions`` are in reading order. ``needs_review`` is set where a check failed or
    the value could not be understood; the value stays. ``currency`` (ISO 4217) is for money alone, None where none is
    known.
    """

    type: str
    value: str | int | float | dict[str, Field] | None
    content: str
    confidence: float
    regions: list[Region] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    needs_review: bool = False
    currency: str | None = None
