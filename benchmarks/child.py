"""A contender in a process of its own, told over a pipe what to do, so that peak memory is its own."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from benchmarks.contenders import Entry, Round
from benchmarks.machine import memory


class ChildFailed(Exception):
    """A contender could not be made, or its process died."""


class Child:
    """A contender's process: started and warm when constructed.

    Args:
        entry: the contender.
        paths: the documents of a round.

    Raises:
        ChildFailed: it could not be made; the message is the contender's own.
    """

    def __init__(self, entry: Entry, paths: Sequence[Path]) -> None:
        self.entry = entry
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        started = time.perf_counter()
        self._process = context.Process(target=_serve, args=(theirs, entry, list(paths)), name=entry.name, daemon=True)
        self._process.start()
        theirs.close()
        self._answer()
        self.ready_seconds = time.perf_counter() - started
        self.warm_up = self.round()
        self._pipe.send("precision")
        self.precision = str(self._answer())

    def round(self) -> Round:
        """Read all documents once."""
        self._pipe.send("round")
        answer = self._answer()
        assert isinstance(answer, Round)
        return answer

    def memory(self) -> dict[str, float]:
        """Resident memory of the process in MiB, now and at its peak."""
        assert self._process.pid is not None
        return memory(self._process.pid)

    def close(self) -> None:
        """End the process."""
        with contextlib.suppress(OSError):  # it may be gone already
            self._pipe.send("stop")
        self._process.join(30)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._pipe.close()

    def __enter__(self) -> Self:
        """The child itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process."""
        self.close()

    def _answer(self) -> Any:
        try:
            answer = self._pipe.recv()
        except EOFError:
            self._process.join(10)
            raise ChildFailed(f"{self.entry.name}: its process ended (exit code {self._process.exitcode})") from None
        if isinstance(answer, Exception):
            raise ChildFailed(f"{self.entry.name}: {answer}")
        return answer


def _serve(pipe: Connection, entry: Entry, paths: list[Path]) -> None:
    """The child's side: make the contender, then a round whenever asked."""
    contender = None
    try:
        contender = entry.make()
        pipe.send("ready")
        while (asked := pipe.recv()) != "stop":
            if asked == "precision":
                pipe.send(contender.precision)
                continue
            before, started = os.times(), time.perf_counter()
            latencies, outcomes = contender.read(paths)
            seconds, after = time.perf_counter() - started, os.times()
            processor = after.user + after.system - before.user - before.system
            pipe.send(Round(seconds, processor, latencies, outcomes))
    except (EOFError, BrokenPipeError):
        pass  # the parent has gone
    except Exception as error:
        pipe.send(ChildFailed(f"{type(error).__name__}: {error}"))
    finally:
        if contender is not None:
            contender.close()
