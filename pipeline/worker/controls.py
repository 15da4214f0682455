"""Commands on their way to the worker and back. Used by the client's one thread only."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from typing import Any

from pipeline.worker import protocol
from schemas.errors import InklaneError, WorkerFailed, from_code

Answer = Future[dict[str, Any]]


class Controls:
    """Keeps each command until it is answered. Each future is resolved once, whatever becomes of the worker.

    A command that has been sent is not sent to another worker: it may be what ended the first one. ``state`` is what
    a new worker must be told to be like the last one.
    """

    def __init__(self) -> None:
        self.state = b""
        self._unsent: deque[tuple[int, protocol.Frames, Answer]] = deque()
        self._sent: dict[int, Answer] = {}

    def add(self, number: int, frames: protocol.Frames, answer: Answer) -> None:
        """Take a command over."""
        self._unsent.append((number, frames, answer))

    def send(self, send: Callable[[protocol.Frames], bool]) -> None:
        """Send what waits, as far as it goes."""
        while self._unsent:
            number, frames, answer = self._unsent[0]
            if not answer.cancelled():
                if not send(frames):
                    return
                self._sent[number] = answer
            self._unsent.popleft()

    def on_answer(self, frames: protocol.Frames) -> None:
        """The worker has answered a command."""
        answer = self._sent.pop(int(frames[1]), None)
        if frames[0] == protocol.CONTROL_FAILED:
            if answer is not None:
                _fail(answer, protocol.unpack_error(frames))
            return
        told, state = protocol.unpack_answer(frames)
        self.state = self.state if state is None else state
        if answer is not None:
            with contextlib.suppress(InvalidStateError):
                answer.set_result(told)

    def worker_ended(self, how: str) -> None:
        """What the worker was asked and has not answered has failed; what waits goes to the next one."""
        sent, self._sent = self._sent, {}
        for answer in sent.values():
            _fail(
                answer, WorkerFailed(f"the worker {how} before it had done this; look at its messages, then try again")
            )

    def close(self, error: InklaneError) -> None:
        """Nothing is answered any more."""
        answers = [*self._sent.values(), *(answer for _, _, answer in self._unsent)]
        self._sent.clear()
        self._unsent.clear()
        for answer in answers:
            _fail(answer, error)


def _fail(answer: Answer, error: InklaneError) -> None:
    with contextlib.suppress(InvalidStateError):  # cancelled by whoever asked
        answer.set_exception(from_code(error.code, error.message))
