"""What a family of English receipts may look like: the ranges its members are drawn from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True, frozen=True)
class TillStyle:
    """Choices of a receipt family; every tuple is drawn from at random, every number is a chance.

    ``fonts`` are roles of the palette. ``order`` is the order of the blocks. ``items`` are names of item layouts,
    ``totals`` how a label and its figure stand (see :meth:`parts.Roll.pair`), ``meta`` how number, date and the like
    do: ``rows`` (a pair a row), ``two`` (two pairs a row), ``tab`` (values from one column on), ``strip`` (bare
    values in one row), ``grid`` (labels in one row, values below).
    """

    fonts: tuple[str, ...] = ("mono",)
    countries: tuple[str, ...] = ("MY", "MY", "MY", "UK", "US")
    head_align: tuple[str, ...] = ("m", "m", "m", "l")
    big_name: float = 0.4
    brand: float = 0.15
    title_place: tuple[str, ...] = ("after", "after", "top", "none")
    meta: tuple[str, ...] = ("rows", "two", "tab", "strip")
    meta_last: float = 0.2
    items: tuple[str, ...] = ("two-row", "columns", "name-amount")
    headings: float = 0.7
    totals: tuple[str, ...] = ("ends", "stop", "inline-r")
    separators: tuple[str, ...] = ("dashes", "rule", "blank", "-", "=")
    tax_table: float = 0.5
    customer: float = 0.05
    service: float = 0.1
    upper: float = 0.6
    count: tuple[int, int] = (1, 8)
    price: tuple[float, float] = (0.5, 60.0)
    width: tuple[int, int] = (480, 760)
    size: tuple[int, int] = (17, 27)
    leading: tuple[float, float] = (1.2, 1.6)
    wide_page: float = 0.2
    footers: tuple[int, int] = (0, 4)
    card: float = 0.3
