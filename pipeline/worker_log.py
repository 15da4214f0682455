"""What a worker of the service writes down: JSON lines, and nothing that documents say or are called.

Here documents are opened, so whatever is put into a message may come from one: a file's name, or what an exception
quotes. Of texts in a message only the stages' names are kept; a traceback is cut down to its types and places. What
native libraries and crash dumps write stays as it is: they write past Python, and know no text.
"""

from __future__ import annotations

import io
import logging
import re
import sys
from numbers import Number
from typing import Any, TextIO

from pipeline.json_log import JsonFormatter, configure
from schemas.settings import StagesSettings

HIDDEN = "…"

_KNOWN = frozenset(StagesSettings.model_fields)
_FRAME = re.compile(r'\s*File "([^"]*)", line (\d+), in (\S+)')
_TYPE = re.compile(r"(schemas\.errors\.\w+|[A-Za-z_][\w.]*(?:Error|Exception|Warning|Interrupt|Exit))(?::.*)?")
_OWN = "inklane:"
"""Messages for the operator, which are ours."""


class WorkerFormatter(JsonFormatter):
    """Writes messages without the texts that were put into them."""

    def __init__(self) -> None:
        super().__init__("worker")

    def message_of(self, record: logging.LogRecord) -> str:
        """The message with its numbers and the names of stages."""
        if not record.args:
            return str(record.msg)
        try:
            return str(record.msg) % tuple(map(_safe, _arguments(record.args)))
        except (TypeError, ValueError):  # a number was asked for, or named values
            return str(record.msg)


def configure_worker(stream: TextIO | None = None) -> None:
    """Let all that Python writes to standard error in this process be such lines."""
    target = stream if stream is not None else sys.stderr
    if target is None:  # closed: there is nowhere to write to
        return
    configure("worker", stream=target, formatter=WorkerFormatter())
    logging.raiseExceptions = False  # what says that a message cannot be written would come here, too
    sys.stderr = SafeStream(logging.getLogger("stderr"), target)


class SafeStream(io.TextIOBase):
    """Takes what is printed, line by line, and logs what of it is safe.

    Args:
        log: where to.
        beneath: whose file descriptor this stream says it has.
    """

    def __init__(self, log: logging.Logger, beneath: TextIO) -> None:
        super().__init__()
        self._log = log
        self._beneath = beneath
        self._rest = ""

    def write(self, text: str) -> int:
        """Log each line that is complete."""
        *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            safe = safe_line(line)
            if safe is not None:
                self._log.error(safe)
        return len(text)

    def writable(self) -> bool:
        """It is."""
        return True

    def fileno(self) -> int:
        """For crash dumps, which are written past Python."""
        return self._beneath.fileno()

    def flush(self) -> None:
        """Lines are logged when they are complete."""
        self._beneath.flush()


def safe_line(line: str) -> str | None:
    """What of a printed line may be written down; None: nothing."""
    if line.startswith(_OWN):
        return line
    if frame := _FRAME.match(line):
        return f"{frame[1]}:{frame[2]} {frame[3]}"
    if kind := _TYPE.fullmatch(line):
        return kind[1]
    return None


def _arguments(args: Any) -> tuple[Any, ...]:
    return args if isinstance(args, tuple) else (args,)


def _safe(value: Any) -> Any:
    if isinstance(value, Number):
        return value
    text = str(value)
    if text in _KNOWN:
        return text
    lines = [safe for line in text.splitlines() if (safe := safe_line(line)) is not None]
    return "; ".join(lines) if lines and "Traceback" in text else HIDDEN
