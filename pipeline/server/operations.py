"""Changes of the models that read, one after the other, whoever asks for them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from pipeline.server.models_json import ModelsJson, models_json
from pipeline.server.service import Service
from schemas.errors import Conflict, InklaneError, InvalidRequest, NotFound, QueueFull, ShuttingDown, WorkerFailed

log = logging.getLogger("inklane.server")

_MOST_WAITING = 16
_LONGEST_SHOWN = 80

Work = Callable[[], Awaitable[None]]


async def command(service: Service, command: str, /, **arguments: Any) -> dict[str, Any]:
    """Have the reader do something while it reads; see :class:`pipeline.worker.interface.ServiceReader`.

    Raises:
        InklaneError: its own; or it is being started, or takes no commands.
    """
    control = getattr(service.reader, "control", None)
    if control is None:
        raise NotFound("this reader takes no commands")
    try:
        answer: dict[str, Any] = await asyncio.wrap_future(control(command, **arguments))
    except asyncio.CancelledError:
        task: asyncio.Task[Any] | None = asyncio.current_task()
        if task is not None and not task.cancelling():  # it is the reader that gave it up: it is being closed
            raise WorkerFailed("the reader was closed before it had done this") from None
        raise
    return answer


class Operations:
    """Changes models, on one event loop. What has begun ends, whether or not whoever asked is still there.

    Args:
        service: whose reader is changed.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._running: asyncio.Task[ModelsJson] | None = None
        self._reloading: asyncio.Task[None] | None = None
        self._once_more = False

    async def models(self) -> ModelsJson:
        """Each stage's models.

        Raises:
            InklaneError: nobody can tell now.
        """
        stages = await self._stages()
        with contextlib.suppress(InklaneError):  # a reader in this process has nothing to send: its figures are new
            await command(self._service, "statistics")
        reader: Any = self._service.reader  # one that takes commands counts, too
        return models_json(stages, reader.statistics())

    async def load(self, stage: str, name: str | None = None, share: float = 1.0) -> ModelsJson:
        """Read documents that begin from now on, or a share of them, with a model.

        Args:
            stage: the stage.
            name: the model's name; None: the one that the settings choose, whose files may have changed.
            share: of the documents.

        Raises:
            NotFound: no such stage.
            ModelError: the model is missing, unsuited, or failed its self-test; the one in use stays.
            InklaneError: it cannot be done, or not now.
        """

        async def work() -> None:
            await self._find(stage)
            await command(self._service, "load_model", stage=stage, name=name, share=share)

        return await self._in_turn(work)

    async def rollback(self, stage: str) -> ModelsJson:
        """Give the candidate up, or go back to the model before.

        Raises:
            NotFound: no such stage.
            Conflict: there is nothing to go back to.
            InklaneError: as for :meth:`load`.
        """

        async def work() -> None:
            await self._find(stage)
            try:
                await command(self._service, "rollback", stage=stage)
            except InvalidRequest as error:
                raise Conflict(error.message) from None

        return await self._in_turn(work)

    async def shadow(self, stage: str, name: str, share: float) -> ModelsJson:
        """Run a share of the documents once more with another model or ``unbatched``, and compare.

        Raises:
            InklaneError: as for :meth:`load`.
        """

        async def work() -> None:
            await self._find(stage)
            await command(self._service, "shadow", stage=stage, name=name, share=share)

        return await self._in_turn(work)

    async def end_shadow(self, stage: str) -> ModelsJson:
        """End the shadow.

        Raises:
            NotFound: no such stage, or it has none.
            InklaneError: as for :meth:`load`.
        """

        async def work() -> None:
            if (await self._find(stage))["shadow"] is None:
                raise NotFound(f"{stage} has no shadow")
            await command(self._service, "shadow", stage=stage, name=None)

        return await self._in_turn(work)

    def reload(self, wanted: Callable[[], Mapping[str, str | None]]) -> None:
        """Load every stage's model anew, in the background. Wishes that come meanwhile are granted together, once.

        Args:
            wanted: tells the models' names by stage (none, or None: whichever the settings chose at the start); called
                in a thread, may raise ``InklaneError``.
        """
        self._once_more = True
        if self._reloading is None or self._reloading.done():
            self._reloading = asyncio.create_task(self._reload(wanted), name="reload-models")

    async def reloaded(self) -> None:
        """Wait until what :meth:`reload` began is done."""
        if self._reloading is not None:
            await asyncio.wait([self._reloading])

    async def close(self) -> None:
        """Give up what has not ended."""
        tasks = [task for task in (self._reloading, self._running) if task is not None and not task.done()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    # --- helpers ------------------------------------------------------------------------------------------------

    async def _in_turn(self, work: Work) -> ModelsJson:
        if self._service.stopping:
            raise ShuttingDown("the service is being stopped")
        if self._waiting >= _MOST_WAITING:
            raise QueueFull(f"{self._waiting} changes of models are waiting for their turn; try again later")
        self._waiting += 1
        try:
            await self._turn.acquire()  # whoever goes away before has changed nothing
        finally:
            self._waiting -= 1
        task = self._running = asyncio.create_task(self._do(work), name="change-models")
        task.add_done_callback(self._on_done)
        return await asyncio.shield(task)

    async def _do(self, work: Work) -> ModelsJson:
        await work()
        return await self.models()

    def _on_done(self, task: asyncio.Task[ModelsJson]) -> None:
        self._turn.release()
        if task.cancelled() or (error := task.exception()) is None:
            return
        if isinstance(error, InklaneError):
            log.warning("models could not be changed: %s", error.message)
        else:
            log.error("models could not be changed", exc_info=error)

    async def _stages(self) -> dict[str, Any]:
        told = await command(self._service, "models")
        return {stage: known for stage, known in told.items() if stage != "workers"}  # of a pool, the first one's

    async def _find(self, stage: str) -> dict[str, Any]:
        stages = await self._stages()
        if stage not in stages:
            raise NotFound(f"no stage {stage[:_LONGEST_SHOWN]!r} runs a network; there are {', '.join(stages)}")
        found: dict[str, Any] = stages[stage]
        return found

    async def _reload(self, wanted: Callable[[], Mapping[str, str | None]]) -> None:
        while self._once_more:
            self._once_more = False
            try:
                names = await asyncio.to_thread(wanted)
                stages = await self._stages()
            except InklaneError as error:
                log.error("models cannot be loaded anew: %s", error.message)
                continue
            except Exception:
                log.exception("models cannot be loaded anew")
                continue
            for stage in stages:
                await self._reload_stage(stage, names.get(stage))

    async def _reload_stage(self, stage: str, name: str | None) -> None:
        try:
            told = await self.load(stage, name)
        except InklaneError:
            log.error("%s: the model in use stays", stage)  # why was logged when it ended
        except Exception:
            log.exception("%s: the model in use stays", stage)
        else:
            log.info("%s: %s reads", stage, told["models"][stage]["model"])
