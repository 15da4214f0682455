"""A reader that takes commands and does nothing: the test settles each, in the order they came."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from schemas.document import Document
from schemas.progress import OnProgress
from schemas.requests import ReadRequest
from schemas.statistics import WorkerStatistics
from tests.factories.held_reader import PATIENCE

STAGES = ("detection", "recognition")


@dataclass(eq=False)
class Command:
    """One that has come, and not been answered."""

    name: str
    arguments: dict[str, Any]
    answer: Future[dict[str, Any]] = field(default_factory=Future)


class CommandedReader:
    """``models`` and ``statistics`` are answered at once; ``given`` are all the others.

    Args:
        at_once: commands that are answered at once, too, with this.
    """

    def __init__(self, **at_once: dict[str, Any]) -> None:
        self.at_once = at_once
        self.given: list[Command] = []
        self.models: dict[str, Any] = {
            stage: {"model": f"{stage}@0", "previous": None, "candidate": None, "shadow": None} for stage in STAGES
        }
        self.figures = WorkerStatistics()
        self._changed = asyncio.Condition()

    def submit(self, request: ReadRequest, *, on_progress: OnProgress | None = None) -> Future[Document]:
        future: Future[Document] = Future()
        future.set_result(Document(request.name))
        return future

    def statistics(self) -> WorkerStatistics:
        return self.figures

    def control(self, command: str, **arguments: Any) -> Future[dict[str, Any]]:
        given = Command(command, arguments)
        if command in ("models", "statistics"):
            given.answer.set_result(dict(self.models) if command == "models" else {})
            return given.answer
        self.given.append(given)
        if command in self.at_once:
            given.answer.set_result(self.at_once[command])
        asyncio.get_running_loop().create_task(self._tell())  # noqa: RUF006 (the test waits for what it does)
        return given.answer

    async def wait_for(self, count: int) -> Command:
        """The command of this number, from 1."""
        async with asyncio.timeout(PATIENCE), self._changed:
            await self._changed.wait_for(lambda: len(self.given) >= count)
        return self.given[count - 1]

    def close(self) -> None:
        return

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()
