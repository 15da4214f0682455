"""A shadow: items of a stage run once more, in another version or alone, and the results are compared and forgotten."""

from __future__ import annotations

import itertools
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any

from pipeline.hot.compare import same
from pipeline.hot.versions import ModelVersion, share_of
from pipeline.job import DocumentJob, LineJob
from schemas.statistics import ShadowFigures
from stages.batcher import Item
from stages.lane import BatchReport, Payload
from stages.version import Version

log = logging.getLogger(__name__)

UNBATCHED = "unbatched"
"""The name of the shadow in which every item runs alone, in the version that answers."""

MOST_ITEMS = 256
MOST_PAGES = 2
"""What waits for its comparison keeps the pixels of its page, also when the page is long finished."""

_PRIORITY = 9  # within its stage everything else goes first

_alone = itertools.count()


@dataclass(slots=True)
class _Twin:
    """What the shadow's item is compared with: the result that was returned, and what it took of the network."""

    result: Any
    seconds: float
    page: Hashable


class Shadow:
    """Owns the items that it runs.

    Args:
        stage: the stage's name.
        share: of the documents whose items are run again, more than 0 up to 1.
        version: what runs them; None: the version that answered, each item alone.
        offer: lets items wait for the stage.
    """

    def __init__(
        self,
        stage: str,
        share: float,
        version: ModelVersion | None,
        offer: Callable[[str, list[Item[Payload]]], None],
    ) -> None:
        self.stage, self.share, self.version = stage, share, version
        self._offer = offer
        self._lock = threading.Lock()
        self._figures = ShadowFigures(UNBATCHED if version is None else version.name)
        self._pages: Counter[Hashable] = Counter()
        self._stopped = False
        if version is not None:
            version.acquire()

    @property
    def figures(self) -> ShadowFigures:
        """What was compared so far; a copy."""
        with self._lock:
            return replace(self._figures)

    def consider(self, job: DocumentJob, item: Item[Payload], result: Any, report: BatchReport) -> None:
        """An item of a document has run and is about to be passed on: run it once more, perhaps."""
        answered = item.payload.version
        if answered is None or answered is self.version or isinstance(result, Exception) or share_of(job) >= self.share:
            return
        if self.version is None and report.size == 1:
            return  # it has run alone
        try:
            self._run_again(job, item, result, report, self.version or answered)
        except Exception:
            # Nobody's document may suffer from what nobody gets.
            log.exception("stage %s: an item could not be given to the shadow", self.stage)

    def _run_again(
        self, job: DocumentJob, item: Item[Payload], result: Any, report: BatchReport, version: Version
    ) -> None:
        value, page = item.payload.value, _page(job, item)
        cost = version.stage.cost(value)
        bucket: Hashable = ("shadow", version.number, version.stage.bucket(value))
        if self.version is None:
            bucket = (UNBATCHED, next(_alone), version.stage.bucket(value))
        if not self._take(page):
            return
        version.acquire()
        twin = _Twin(result, _seconds(item, report), page)
        payload = replace(item.payload, event=report.event, context=twin, version=version)
        again = Item(
            payload,
            bucket=bucket,
            cost=cost,
            arrived=time.monotonic(),
            priority=_PRIORITY,
            wanted=lambda: not self._stopped,
            owner=self,
        )
        self._offer(self.stage, [again])

    def compare(self, item: Item[Payload], result: Any, report: BatchReport) -> None:
        """An item of the shadow has run."""
        twin = item.payload.context
        seconds = _seconds(item, report)
        failed, equal = isinstance(result, Exception), False
        try:
            equal = not failed and same(self.stage, twin.result, result)
        except Exception:
            failed = True
            log.exception("stage %s: the shadow's result could not be compared", self.stage)
        with self._lock:
            figures = self._figures
            figures.failed += failed
            if not failed:
                figures.equal += equal
                figures.different += not equal
                figures.faster += seconds < twin.seconds
                figures.slower += seconds > twin.seconds
                figures.own_s += twin.seconds
                figures.shadow_s += seconds
        self.let_go(item)

    def let_go(self, item: Item[Payload]) -> None:
        """An item of the shadow has run or was dropped."""
        twin = item.payload.context
        with self._lock:
            self._pages[twin.page] -= 1
            if not self._pages[twin.page]:
                del self._pages[twin.page]
        if item.payload.version is not None:
            item.payload.version.release()

    def stop(self) -> None:
        """Run nothing more; what waits is dropped while batches form. Once."""
        self._stopped = True
        if self.version is not None:
            self.version.release()

    def _take(self, page: Hashable) -> bool:
        """Whether there is room for one more item."""
        with self._lock:
            if self._stopped:
                return False
            full = self._pages.total() >= MOST_ITEMS or (page not in self._pages and len(self._pages) >= MOST_PAGES)
            if full:
                self._figures.skipped += 1
            else:
                self._pages[page] += 1
            return not full


def _page(job: DocumentJob, item: Item[Payload]) -> Hashable:
    context = item.payload.context
    return job.request.id, (context.page if isinstance(context, LineJob) else context).number


def _seconds(item: Item[Payload], report: BatchReport) -> float:
    """The item's share of what its batch took of the network, in seconds of one core."""
    share = item.cost / report.cost if report.cost else 1 / report.size
    return report.network * report.cores * share
