"""What a request asks for: in its query, in fields of its form, or beside the files in its JSON."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pipeline.cli.page_range import parse_pages
from pipeline.outputs.kinds import Kind, kind_named
from schemas.errors import InvalidRequest
from schemas.requests import ReadOptions

NAMES = ("type", "pages", "dpi", "words", "output", "priority", "deadline_ms")
"""The options there are."""

PRIORITIES = {"high": 0, "normal": 1, "low": 2}

_MIN_DPI, _MAX_DPI = 36, 1200
_LONGEST_DEADLINE_MS = 7 * 86_400_000
_TRUE, _FALSE = ("true", "1", "yes"), ("false", "0", "no")
_WHOLE = re.compile("[0-9]{1,10}")
_NUMBER = re.compile(r"[0-9]{1,10}(\.[0-9]{1,6})?")


@dataclass(slots=True, frozen=True)
class Asked:
    """What a request asks for. ``deadline_ms`` counts from the request's arrival; None: the default."""

    read: ReadOptions = field(default_factory=ReadOptions)
    output: Kind = field(default_factory=lambda: kind_named("json"))
    priority: int = 1
    deadline_ms: float | None = None


def collect(*places: Iterable[tuple[str, str]]) -> dict[str, str]:
    """All options of a request, each given once.

    Raises:
        InvalidRequest: one is given twice, or does not exist.
    """
    options: dict[str, str] = {}
    for name, value in (pair for place in places for pair in place):
        if name not in NAMES:
            near = difflib.get_close_matches(name.lower(), NAMES, n=1)
            meant = f"did you mean {near[0]}? " if near else ""
            raise InvalidRequest(f"there is no option {name[:80]!r}; {meant}there are {', '.join(NAMES)}")
        if name in options:
            raise InvalidRequest(f"{name} is given twice; give it once, in the query or in the body")
        options[name] = value
    return options


def parse(options: Mapping[str, str]) -> Asked:
    """Understand the options of :func:`collect`.

    Raises:
        InvalidRequest: one has a value that cannot be; the message says what can.
    """
    output = kind_named(options.get("output", "json"))
    pages, pages_from = _pages(options["pages"]) if "pages" in options else (None, None)
    words = _truth("words", options["words"]) if "words" in options else output.words
    read = ReadOptions(
        pages=pages,
        pages_from=pages_from,
        dpi=_whole("dpi", options["dpi"], _MIN_DPI, _MAX_DPI) if "dpi" in options else None,
        words=words,
        doc_type=options.get("type"),
    )
    return Asked(
        read,
        output,
        _priority(options["priority"]) if "priority" in options else 1,
        _deadline(options["deadline_ms"]) if "deadline_ms" in options else None,
    )


def _pages(text: str) -> tuple[tuple[int, ...], int | None]:
    try:
        return parse_pages(text)
    except ValueError as error:
        raise InvalidRequest(f"pages: {error}") from None


def _truth(name: str, text: str) -> bool:
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    raise InvalidRequest(f"{name} must be true or false, not {text[:80]!r}")


def _whole(name: str, text: str, least: int, most: int) -> int:
    if not _WHOLE.fullmatch(text) or not least <= int(text) <= most:
        raise InvalidRequest(f"{name} must be a whole number from {least} to {most}, not {text[:80]!r}")
    return int(text)


def _priority(text: str) -> int:
    known = {**PRIORITIES, **{str(number): number for number in PRIORITIES.values()}}
    if text.lower() not in known:
        raise InvalidRequest(f"priority must be high, normal or low (0, 1 or 2), not {text[:80]!r}")
    return known[text.lower()]


def _deadline(text: str) -> float:
    if not _NUMBER.fullmatch(text) or not 0 < float(text) <= _LONGEST_DEADLINE_MS:
        raise InvalidRequest(
            f"deadline_ms must be a number of milliseconds above 0 and at most {_LONGEST_DEADLINE_MS}, "
            f"not {text[:80]!r}"
        )
    return float(text)
