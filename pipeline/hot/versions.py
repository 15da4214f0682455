"""Which version of a stage reads which document.

A document is read by one version of a stage from beginning to end: the one in use when it first comes there, or the
candidate, if one is given a share of the documents and the document falls into it. So its lines agree with each
other, and what its result says of the models is true. A version that has been replaced is freed when the last
document that it reads has ended, and its last batch has run.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from models.backends.base import LoadedModel
from pipeline.build import Plant
from pipeline.job import DocumentJob
from stages.stage import Stage
from stages.version import Version


class ModelVersion(Version):
    """A version as the flow knows it.

    Args:
        stage: the code.
        model: the network; None for a stage that has none.
        name: the model's, with the start of its checksum.
        number: tells versions of one stage apart.
        wanted: the name by which the model was asked for; None: whichever the settings choose.
        task: what the model is for, as results name it.
        networks_types: of layout-NER: the document types whose fields the network reads.
        fields: of layout-NER: the stage that understands its tags.
    """

    def __init__(
        self,
        stage: Stage[Any, Any],
        model: LoadedModel | None = None,
        name: str = "",
        number: int = 0,
        *,
        wanted: str | None = None,
        networks_types: Iterable[str] = (),
        fields: Stage[Any, Any] | None = None,
    ) -> None:
        super().__init__(stage, model, name, number)
        self.wanted = wanted
        self.networks_types = frozenset(networks_types)
        self.fields = None if fields is None else ModelVersion(fields, number=number)
        if self.fields is not None:
            self.fields.acquire()  # for good: it has no model to be freed


@dataclass(slots=True)
class _Used:
    """The versions of one stage: the one in use, one that is tried on a share, and the name of the one before."""

    current: ModelVersion
    candidate: ModelVersion | None = None
    share: float = 0.0


class Versions:
    """All stages' versions. Every method may be called from any thread.

    Args:
        versions: the first version of each stage, in the order of the flow.
    """

    def __init__(self, versions: Iterable[ModelVersion]) -> None:
        self._lock = threading.Lock()
        self._closed = False
        self._used = {version.stage.name: _Used(version) for version in versions}
        for used in self._used.values():
            used.current.acquire()

    def __contains__(self, stage: str) -> bool:
        return stage in self._used

    def __iter__(self) -> Iterator[str]:
        return iter(self._used)

    def of(self, job: DocumentJob, stage: str) -> ModelVersion:
        """The version that reads this document; it stays until the document lets go of it.

        Whatever is asked for a document that has ended never runs, and keeps nothing.
        """
        if stage == "fields" and "layout_ner" in self._used:
            fields = self.of(job, "layout_ner").fields
            if fields is not None:
                return fields
        with self._lock:
            if job.versions is None:
                return self._used[stage].current
            kept = job.versions.get(stage)
            if kept is None:
                kept = job.versions[stage] = self._choose(job, self._used[stage])
                kept.acquire()
        return kept

    @staticmethod
    def _choose(job: DocumentJob, used: _Used) -> ModelVersion:
        if used.candidate is not None and share_of(job) < used.share:
            return used.candidate
        return used.current

    def let_go(self, job: DocumentJob) -> None:
        """The document has ended."""
        with self._lock:
            kept, job.versions = list((job.versions or {}).values()), None
        _release(*kept)

    def names(self, job: DocumentJob | None = None) -> dict[str, str]:
        """The models in use by task; for a document, those that have read it."""
        with self._lock:
            names = {stage: used.current.name for stage, used in self._used.items() if used.current.name}
            names.update({stage: kept.name for stage, kept in ((job and job.versions) or {}).items() if kept.name})
        return names

    def current(self, stage: str) -> ModelVersion:
        """The version in use."""
        with self._lock:
            return self._used[stage].current

    def candidate(self, stage: str) -> tuple[ModelVersion, float] | None:
        """The version that is tried, and its share of the documents."""
        with self._lock:
            used = self._used[stage]
            return None if used.candidate is None else (used.candidate, used.share)

    def use(self, version: ModelVersion) -> None:
        """Read new documents with this version. A candidate is given up; if it is this one, it is promoted."""
        version.acquire()
        with self._lock:
            used = self._used[version.stage.name]
            old = used.current, used.candidate
            used.current, used.candidate, used.share = version, None, 0.0
        _release(*old)

    def try_on(self, version: ModelVersion, share: float) -> None:
        """Read a share of the new documents with this version, which takes an earlier candidate's place."""
        version.acquire()
        with self._lock:
            used = self._used[version.stage.name]
            old, used.candidate, used.share = used.candidate, version, share
        _release(old)

    def give_up(self, stage: str) -> ModelVersion | None:
        """Try the candidate no longer; which it was."""
        with self._lock:
            used = self._used[stage]
            old, used.candidate, used.share = used.candidate, None, 0.0
        _release(old)
        return old

    def close(self) -> None:
        """Let go of everything, once no lane runs any more. Idempotent."""
        with self._lock:
            first, self._closed = not self._closed, True
            every = [v for used in self._used.values() for v in (used.current, used.candidate)] if first else []
        _release(*every)


def _release(*versions: ModelVersion | None) -> None:
    for version in versions:
        if version is not None:
            version.release()


def first_versions(plant: Plant) -> list[ModelVersion]:
    """The versions of all stages that a plant was built with. They keep its models, and the plant does no more."""
    versions = []
    for plan in plant.plans:
        stage = plan.stage
        version = ModelVersion(stage, plan.model, plant.models.get(stage.name, "") if plan.model is not None else "")
        versions.append(version)
        plan.model = None  # else it would stay in memory after its version is freed
        if stage.name == "layout_ner":
            version.networks_types = frozenset(plant.networks_types)
    return versions


def share_of(job: DocumentJob) -> float:
    """Where a document stands among all, 0 to 1: by its number, so that a second try has it read the same way."""
    return zlib.crc32(b"%d" % job.request.id) / 2**32
