"""An engine on a fake plant, and what must be true of every engine when it has been closed."""

from __future__ import annotations

import threading
import weakref
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest

from pipeline.engine import Engine
from pipeline.job import DocumentJob
from schemas.document import Document
from schemas.requests import ReadRequest
from schemas.settings import FieldSettings, Settings
from stages.batcher import Item
from stages.lane import Payload
from tests.factories.lanes import PATIENCE
from tests.factories.plant import Probe, TokenModel, Tokens, fake_plant, request
from tests.factories.tagging import TagModel

MakeBench = Callable[..., "Bench"]


class Bench:
    """One engine under test."""

    def __init__(
        self,
        patch: pytest.MonkeyPatch,
        *,
        max_waiting: int = 256,
        settings: Any = None,
        loading: Any = None,
        **plant: Any,
    ) -> None:
        self.probe = Probe()
        self.plant = fake_plant(self.probe, **plant)
        self.models = [plan.model for plan in self.plant.plans]  # which the engine takes over
        self.resolved: Counter[int] = Counter()
        self.jobs: list[weakref.ref[DocumentJob]] = []
        self.futures: list[Future[Document]] = []
        self.broken = False
        self._offered: set[tuple[str, str]] = set()
        self._changed = threading.Condition()
        self._count_resolutions(patch)
        fields = FieldSettings(enabled=plant.get("fields", False), **(settings or {}))
        self.engine = Engine(
            Settings(in_process=True, max_waiting_documents=max_waiting, fields=fields), self.plant, loading
        )
        self._watch_offers()

    def submit(self, name: str, *pages: Tokens | None, **options: Any) -> Future[Document]:
        return self.send(request(name, *pages, **options))

    def send(self, asked: ReadRequest) -> Future[Document]:
        future = self.engine.submit(asked)
        self.futures.append(future)
        return future

    def read(self, name: str, *pages: Tokens | None, **options: Any) -> Document:
        return self.submit(name, *pages, **options).result(PATIENCE)

    def wait_until_offered(self, stage: str, name: str) -> None:
        """Wait until the document waits for (or is already in) a stage."""
        with self._changed:
            assert self._changed.wait_for(lambda: (stage, name) in self._offered, PATIENCE), (stage, name)

    def credits(self) -> dict[str, int | None]:
        return {name: entry.credits for name, entry in self.engine._dispatcher._entries.items()}

    def check(self) -> None:
        """Close, and check that nothing is left over."""
        self.engine.close()
        assert all(future.done() for future in self.futures)
        assert all(count == 1 for count in self.resolved.values()), "a future was resolved more than once"
        assert len(self.resolved) == len(self.futures)
        for model in self.models:
            if isinstance(model, TokenModel | TagModel):
                assert model.closed == 1
        if self.broken:
            return
        assert self.credits() == {plan.stage.name: plan.credits for plan in self.plant.plans}
        assert self.engine._dispatcher.busy() == 0
        assert set(self.engine.waiting().values()) == {0}
        assert self.probe.counts["open_documents"] == 0
        assert self.probe.counts["live_pages"] == 0

    def _count_resolutions(self, patch: pytest.MonkeyPatch) -> None:
        resolve, create = DocumentJob.resolve, DocumentJob.__init__

        def counted(job: DocumentJob, outcome: Any) -> None:
            self.resolved[job.request.id] += 1
            resolve(job, outcome)

        def known(job: DocumentJob, asked: ReadRequest, *rest: Any) -> None:
            create(job, asked, *rest)
            self.jobs.append(weakref.ref(job))

        patch.setattr(DocumentJob, "resolve", counted)
        patch.setattr(DocumentJob, "__init__", known)

    def _watch_offers(self) -> None:
        offer = self.engine._dispatcher.offer

        def watched(stage: str, items: list[Item[Payload]]) -> None:
            offer(stage, items)
            with self._changed:
                self._offered |= {(stage, self.probe.name_of(item.payload.value)) for item in items}
                self._changed.notify_all()

        self.engine._dispatcher.offer = watched  # type: ignore[method-assign]
