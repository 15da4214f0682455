"""What the labels say about a document's fields: values as printed, typed values, and rows of repeated groups.

In ``labels.jsonl`` a value is a string (as printed) or an object with ``content`` (as printed), ``value`` (typed, as a
result gives it) and ``regions``; a repeated field is a list of values, a repeated group a list of rows, each an object
of values by name. An empty string says that the value is not known, null or an empty list that there is none.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from schemas.document import Polygon
from schemas.fields import Region

_KEYS = frozenset({"content", "value", "regions"})
_CORNERS = 4


@dataclass(slots=True, frozen=True)
class TruthValue:
    """One value: ``texts`` are what it may be given as (printed, typed); none of them where it is not known."""

    texts: tuple[str, ...]
    regions: tuple[Region, ...] = ()

    @property
    def known(self) -> bool:
        """Whether the labels say what it is."""
        return bool(self.texts)


TruthRow = Mapping[str, TruthValue]
"""One row of a repeated group: its values by name."""

TruthField = tuple[TruthValue | TruthRow, ...]
"""All occurrences of one field; empty where the document has none."""


def parse_field(name: str, given: Any) -> TruthField:
    """The values of one field.

    Args:
        name: the field's name; parts of a row may be written ``name.part`` or ``part``.
        given: what the labels hold, as parsed from JSON.

    Raises:
        ValueError: it is none of the forms above; the message says where and what to write.
    """
    if "." in name:
        raise ValueError(f"{name}: parts of a repeated group stand in rows; write a list of objects under its name")
    if given is None:
        return ()
    if not isinstance(given, list):
        return (_value(name, given),)
    return tuple(
        _row(name, f"{name}.{number}", entry) if _is_row(entry) else _value(f"{name}.{number}", entry)
        for number, entry in enumerate(given)
        if entry is not None
    )


def _is_row(given: Any) -> bool:
    return isinstance(given, dict) and not (given and _KEYS.issuperset(given))


def _row(name: str, where: str, given: Mapping[str, Any]) -> TruthRow:
    if not given:
        raise ValueError(f"{where}: a row without values; leave it out")
    return {
        part.removeprefix(f"{name}."): _value(f"{where}.{part}", value)
        for part, value in given.items()
        if value is not None
    }


def _value(where: str, given: Any) -> TruthValue:
    if isinstance(given, str):
        return TruthValue(_texts(given))
    if not isinstance(given, dict):
        raise ValueError(f"{where}: write the value as it is printed, in quotes, or an object with content and value")
    unknown = sorted(set(given) - _KEYS)
    if unknown:
        raise ValueError(
            f"{where}: {unknown[0]!r} is not known here; a value has content, value and regions, "
            "and rows of a group stand in a list"
        )
    content, value = given.get("content"), given.get("value")
    if content is None and value is None:
        raise ValueError(f"{where}: give content (as printed), value (typed), or both")
    if content is not None and not isinstance(content, str):
        raise ValueError(f"{where}.content: it must be a string, as printed")
    finite = not isinstance(value, float) or math.isfinite(value)
    if isinstance(value, bool) or not isinstance(value, str | int | float | None) or not finite:
        raise ValueError(f"{where}.value: it must be a string or a number")
    return TruthValue(_texts(content, None if value is None else str(value)), _regions(where, given.get("regions")))


def _texts(*texts: str | None) -> tuple[str, ...]:
    """Each once, without empty ones."""
    stripped = (" ".join(text.split()) for text in texts if text is not None)
    return tuple(dict.fromkeys(text for text in stripped if text))


def _regions(where: str, given: Any) -> tuple[Region, ...]:
    if given is None:
        return ()
    try:
        return tuple(Region(_page(entry.get("page", 1)), _polygon(entry["polygon"])) for entry in given)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{where}.regions: write a list of objects with page (from 1) and polygon (four points [x, y])"
        ) from error


def _page(given: Any) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        raise ValueError("no page number")
    return given


def _polygon(given: Any) -> Polygon:
    points = [(float(x), float(y)) for x, y in given]
    if len(points) != _CORNERS or not all(math.isfinite(x) and math.isfinite(y) for x, y in points):
        raise ValueError("no four points")
    a, b, c, d = points
    return a, b, c, d
