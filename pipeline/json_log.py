"""Log lines as JSON, one object a line: of the service, and of its worker processes.

What an exception says may quote a document ("invalid literal: '4,50 EUR'"), so of an exception only its type and the
places it came through are written, unless it is one of ours, whose sentences are made for users. Line breaks and
control characters are escaped by JSON itself: nobody can forge a line.
"""

from __future__ import annotations

import logging
import os
import sys
import traceback
from datetime import UTC, datetime
from typing import Any, TextIO

import orjson

from schemas.errors import InklaneError
from schemas.plain import text_of

EXTRA = "fields"
"""``log.info("request", extra={EXTRA: {...}})`` adds entries to a line."""

_LONGEST = 4000  # characters of a text
_MOST_FRAMES = 30
_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


class JsonFormatter(logging.Formatter):
    """Writes ``time``, ``level``, ``logger``, ``message``, and what the record has besides.

    Args:
        process: what the process is called: ``server`` or ``worker``.
    """

    def __init__(self, process: str) -> None:
        super().__init__()
        self._process = process

    def format(self, record: logging.LogRecord) -> str:
        """One line, without its end."""
        entry: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "process": self._process,
            "pid": record.process,
            "logger": record.name,
            "message": _text(self.message_of(record)),
        }
        fields = getattr(record, EXTRA, None)
        if isinstance(fields, dict):
            entry |= {str(name): _plain(value) for name, value in fields.items() if value is not None}
        if record.exc_info and record.exc_info[1] is not None:
            entry |= describe(record.exc_info[1])
        return orjson.dumps(entry).decode()

    def message_of(self, record: logging.LogRecord) -> str:
        """The message with its values."""
        return record.getMessage()


def describe(error: BaseException) -> dict[str, Any]:
    """What may be written of an exception: its type, where it came from, its sentence if it is one of ours."""
    frames = traceback.extract_tb(error.__traceback__)[-_MOST_FRAMES:]
    entry: dict[str, Any] = {
        "error": type(error).__name__,
        "frames": [f"{frame.filename.removeprefix(_FOLDER)}:{frame.lineno} {frame.name}" for frame in frames],
    }
    if isinstance(error, InklaneError):
        entry |= {"code": error.code, "reason": _text(error.message)}
    if error.__cause__ is not None:
        entry["cause"] = type(error.__cause__).__name__
    return entry


def configure(
    process: str,
    level: int = logging.INFO,
    stream: TextIO | None = None,
    formatter: logging.Formatter | None = None,
) -> None:
    """Let all loggers of this process write JSON lines to standard error, and nothing else."""
    handler = logging.StreamHandler(stream if stream is not None else sys.stderr)
    handler.setFormatter(formatter or JsonFormatter(process))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    logging.captureWarnings(True)
    logging.getLogger("aiohttp.access").setLevel(logging.CRITICAL)  # it writes addresses as they were sent


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool | float):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**63 else str(value)  # JSON writers stop at 64 bits
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        return {str(name): _plain(part) for name, part in value.items()}
    return type(value).__name__


def _text(text: str) -> str:
    return text_of(text if len(text) <= _LONGEST else text[:_LONGEST] + "…")
