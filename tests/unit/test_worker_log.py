"""A worker's messages: JSON lines, without what documents say or are called."""

from __future__ import annotations

import io
import logging
import sys
import traceback
from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from pipeline.worker_log import HIDDEN, configure_worker
from schemas.errors import DamagedFile

SECRET = "JANE DOE 47.11"


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """A stream to configure the worker with, and all as it was in the end."""
    root, stderr = logging.getLogger(), sys.stderr
    handlers, level = root.handlers[:], root.level
    yield io.StringIO()
    sys.stderr = stderr
    logging.raiseExceptions = True
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.captureWarnings(False)
    logging.getLogger("aiohttp.access").setLevel(logging.NOTSET)


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in stream.getvalue().splitlines()]


def raised(error: Exception) -> Exception:
    try:
        raise error
    except Exception as caught:
        return caught


def test_numbers_and_stages_are_kept_and_names_are_not(stream: io.StringIO) -> None:
    configure_worker(stream)
    log = logging.getLogger("stages.lane")
    log.warning("stage %s: a batch of %d took %.2f s", "recognition", 4, 1.5)
    log.warning("document %s failed", SECRET)
    log.warning("document %s failed", raised(ValueError(SECRET)))
    log.warning("a batch of %d", SECRET)
    log.warning("%(name)s failed", {"name": SECRET})
    messages = [line["message"] for line in lines(stream)]
    assert messages == [
        "stage recognition: a batch of 4 took 1.50 s",
        f"document {HIDDEN} failed",
        f"document {HIDDEN} failed",
        "a batch of %d",
        "%(name)s failed",
    ]
    assert {line["process"] for line in lines(stream)} == {"worker"}
    assert SECRET not in stream.getvalue()


def test_a_traceback_in_a_message_is_cut_down_to_places(stream: io.StringIO) -> None:
    configure_worker(stream)
    text = "".join(traceback.format_exception(raised(ValueError(SECRET))))
    logging.getLogger("stages.lane").warning("stage %s failed:\n%s", "detection", text)
    (line,) = lines(stream)
    assert line["message"].startswith("stage detection failed:\n")
    assert "test_worker_log.py" in line["message"]
    assert line["message"].endswith("ValueError")
    assert SECRET not in stream.getvalue()


def test_what_is_printed_is_logged_line_by_line(stream: io.StringIO) -> None:
    configure_worker(stream)
    traceback.print_exception(raised(DamagedFile(SECRET)))
    print(SECRET, file=sys.stderr)
    print("inklane: stuck for 130 s", file=sys.stderr)
    messages = [line["message"] for line in lines(stream)]
    assert messages[-1] == "inklane: stuck for 130 s"
    assert messages[-2] == "schemas.errors.DamagedFile"
    assert any("test_worker_log.py" in message for message in messages)
    assert SECRET not in stream.getvalue()


def test_exceptions_of_ours_are_told_by_code_and_others_by_type(stream: io.StringIO) -> None:
    configure_worker(stream)
    logging.getLogger("pipeline.engine").error("it failed", exc_info=raised(KeyError(SECRET)))
    (line,) = lines(stream)
    assert line["error"] == "KeyError"
    assert SECRET not in stream.getvalue()
