"""The way of a page through the stages: what each result leads to next.

open -> decode -> detection -> orientation -> recognition -> assembly -> layout_ner, and fields once all pages are
read. A document holds two kinds of credit: one of the
open stage from its opening until its last page is decoded (its bytes are in memory), and one of the decode stage for
each page from decoding until the page is finished (its pixels are in memory). That bounds memory however many
documents wait.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from pipeline.hot.versions import Versions
from pipeline.job import DocumentJob, LineJob, PageJob
from schemas.document import Notice, Page, StageTiming
from schemas.errors import DocumentError, InklaneError, StageFailed
from schemas.settings import Settings
from stages.assembly.readings import certainty, ways_to_read
from stages.assembly.stage import AssemblyItem, RecognisedLine
from stages.batcher import Item
from stages.decode.opened import OpenDocument
from stages.decode.opening import OpenItem
from stages.decode.stage import DecodeItem
from stages.detection.box import Box
from stages.detection.stage import DetectionItem
from stages.devices.base import Event
from stages.devices.cpu import DONE
from stages.dispatcher import Dispatcher
from stages.fields.readers import FieldsPage, text_lines
from stages.fields.stage import AUTO, FAILED, FieldsItem, FieldsResult
from stages.lane import BatchReport, Payload
from stages.layout_ner.stage import LayoutNerItem, PageTags
from stages.orientation.stage import OrientationItem
from stages.orientation.turn import turn
from stages.page_image import PageImage
from stages.recognition.stage import Recognised, RecognitionItem


class Flow:
    """Passes results on. Its methods run in the lanes' threads and must be quick.

    Args:
        settings: options for all documents.
        dispatcher: where items wait.
        versions: what runs each stage.
        finish: called when a document has ended, with the error if it has one.
    """

    def __init__(
        self,
        settings: Settings,
        dispatcher: Dispatcher,
        versions: Versions,
        finish: Callable[[DocumentJob, InklaneError | None], None],
    ) -> None:
        self._settings = settings
        self._dispatcher = dispatcher
        self._versions = versions
        self._finish = finish
        self._next: dict[str, Callable[[DocumentJob, Any, Any, Event], None]] = {
            "decode": self._decoded,
            "detection": self._detected,
            "orientation": self._oriented,
            "recognition": self._recognised,
            "assembly": self._assembled,
            "layout_ner": self._named,
        }

    def begin(self, job: DocumentJob) -> None:
        """Let a document wait to be opened."""
        options = job.request.options
        source = OpenItem(job.request.source, options.dpi or self._settings.dpi, options.pages, options.pages_from)
        self._offer(job, "open", [(source, None)], DONE)

    def advance(self, job: DocumentJob, item: Item[Payload], result: Any, report: BatchReport) -> None:
        """An item of a document went through a stage."""
        self._account(job, item, report)
        stage = item.payload.stage
        if stage == "open":
            self._opened(job, result)
            return
        if stage == "fields":
            self._fields_read(job, result)
            return
        if stage == "decode" and not self._hold_page(job):
            return
        if not job.wanted:
            return
        page = item.payload.context.page if stage == "recognition" else item.payload.context
        if isinstance(result, Exception):
            if stage == "decode":
                self._decode_next(job)
            self._failed(job, page, stage, result)
            return
        self._next[stage](job, item.payload.context, result, report.event)

    def forget(self, job: DocumentJob) -> None:
        """A document has ended: give back its credits and its memory."""
        with job.lock:
            opened, job.holds_document = job.holds_document, False
            pages, job.holds_pages = job.holds_pages, 0
            document, job.opened = job.opened, None
        self._versions.let_go(job)
        if document is not None:
            document.close()
        if opened:
            self._dispatcher.credit("open")
        for _ in range(pages):
            self._dispatcher.credit("decode")

    # --- credits ------------------------------------------------------------------------------------------------

    def _hold_page(self, job: DocumentJob) -> bool:
        """Note that a page was decoded and holds a credit; false (and given back) if the document has ended."""
        with job.lock:
            held = job.wanted
            job.holds_pages += held
        if not held:
            self._dispatcher.credit("decode")
        return held

    def _release_page(self, job: DocumentJob) -> None:
        with job.lock:
            held = job.holds_pages > 0
            job.holds_pages -= held
        if held:
            self._dispatcher.credit("decode")

    def _release_document(self, job: DocumentJob) -> None:
        with job.lock:
            held, job.holds_document = job.holds_document, False
            document, job.opened = job.opened, None
        if document is not None:
            document.close()
        if held:
            self._dispatcher.credit("open")

    # --- after each stage ---------------------------------------------------------------------------------------

    def _opened(self, job: DocumentJob, result: OpenDocument | Exception) -> None:
        with job.lock:
            held = job.holds_document = job.wanted
            if held and isinstance(result, OpenDocument):
                job.opened = result
                job.to_decode.extend(result.page_numbers)
                job.unfinished = len(result.page_numbers)
                job.warnings.extend(result.warnings)
                self._choose_pages(job, result.page_numbers)
        if not held:
            if isinstance(result, OpenDocument):
                result.close()
            self._dispatcher.credit("open")
        elif isinstance(result, Exception):
            self._finish(job, _as_document_error(result, "open"))
        elif not job.unfinished:
            self._finish(job, None)
        else:
            job.tell("opened", pages=job.unfinished)
            self._decode_next(job)

    def _decode_next(self, job: DocumentJob) -> None:
        """Let the next page wait; after the last one the document's bytes are not needed any more."""
        with job.lock:
            document = job.opened
            number = job.to_decode.popleft() if job.to_decode else None
        if number is None or document is None:
            self._release_document(job)
        else:
            self._offer(job, "decode", [(DecodeItem(document, number), PageJob(number))], DONE)

    def _decoded(self, job: DocumentJob, page: PageJob, image: PageImage, event: Event) -> None:
        page.image = image
        self._decode_next(job)  # first, so that it is known whether the page will have the machine to itself
        self._offer(job, "detection", [(DetectionItem(image), page)], event)

    def _detected(self, job: DocumentJob, page: PageJob, boxes: list[Box], event: Event) -> None:
        page.boxes = boxes
        assert page.image is not None
        if not page.turned:
            job.tell("detected", page.number)
        if not boxes:
            self._assemble(job, page, event)
        elif "orientation" in self._versions and not page.turned:
            self._offer(job, "orientation", [(OrientationItem(page.image, boxes), page)], event)
        else:
            self._read_lines(job, page, event)

    def _oriented(self, job: DocumentJob, page: PageJob, degrees: int, event: Event) -> None:
        assert page.image is not None
        if not degrees:
            self._read_lines(job, page, event)
            return
        page.turned = True
        page.image, page.boxes = turn(page.image, page.boxes, degrees)
        if degrees == 180:
            # The detector does not care which way up a line is, so its boxes only turn along.
            self._read_lines(job, page, event)
        else:
            self._offer(job, "detection", [(DetectionItem(page.image), page)], event)

    def _read_lines(self, job: DocumentJob, page: PageJob, event: Event) -> None:
        """Let every line wait to be read, in each way it may run."""
        assert page.image is not None
        alternatives = job.request.options.alternatives or page.number in job.with_fields  # to correct values with
        entries: list[tuple[RecognitionItem, LineJob]] = []
        for index, box in enumerate(page.boxes):
            for quad, vertical in ways_to_read(box):
                item = RecognitionItem(page.image, quad, vertical, alternatives)
                entries.append((item, LineJob(page, index, item)))
        page.pending = len(entries)
        self._offer(job, "recognition", entries, event)

    def _recognised(self, job: DocumentJob, line: LineJob, result: Recognised, event: Event) -> None:
        page, box = line.page, line.page.boxes[line.index]
        reading = RecognisedLine(line.item.quad, box.score, result.decoded, line.item.vertical, result.alternatives)
        with job.lock:
            page.readings.setdefault(line.index, []).append(reading)
        self._line_done(job, page, event)

    def _line_done(self, job: DocumentJob, page: PageJob, event: Event) -> None:
        with job.lock:
            page.pending -= 1
            complete = page.pending == 0
        if complete:
            self._assemble(job, page, event)

    def _assemble(self, job: DocumentJob, page: PageJob, event: Event) -> None:
        assert page.image is not None
        job.tell("recognised", page.number)
        options = job.request.options
        item = AssemblyItem(
            number=page.number,
            width=page.image.width,
            height=page.image.height,
            angle=page.image.angle,
            lines=[
                max(page.readings[index], key=lambda reading: certainty(reading, page.boxes[index]))
                for index in sorted(page.readings)
            ],
            words=options.words,
            alternatives=options.alternatives or page.number in job.with_fields,
            min_confidence=self._settings.recognition.min_confidence,
        )
        self._offer(job, "assembly", [(item, page)], event)

    def _assembled(self, job: DocumentJob, page: PageJob, result: Page, event: Event) -> None:
        with job.lock:
            job.pages[page.number] = result
        page.image = None  # nothing from here on looks at pixels
        page.readings.clear()
        if result.lines and page.number in job.with_fields and self._network_reads(job):
            asked = None if job.doc_type == AUTO else job.doc_type
            self._offer(job, "layout_ner", [(LayoutNerItem(text_lines(result), asked), page)], event)
        else:
            self._page_done(job, page)

    def _named(self, job: DocumentJob, page: PageJob, result: PageTags, event: Event) -> None:
        with job.lock:
            job.tags[page.number] = result
        self._page_done(job, page)

    def _fields_read(self, job: DocumentJob, result: FieldsResult | Exception) -> None:
        if isinstance(result, Exception):
            with job.lock:
                job.warnings.append(_without_fields(_as_document_error(result, "fields")))
        else:
            job.found = result
        self._finish(job, None)

    def _failed(self, job: DocumentJob, page: PageJob, stage: str, error: Exception) -> None:
        """An item failed on its own: a line or fields are left out with a warning, a page fails, the rest goes on."""
        failure = _as_document_error(error, stage)
        with job.lock:
            if stage == "recognition":
                job.warnings.append(Notice("line_unread", f"a line could not be read: {failure.message}", page.number))
            elif stage == "layout_ner":
                job.warnings.append(_without_fields(failure, page.number))
            else:
                job.errors[page.number] = failure
        if stage == "recognition":
            self._line_done(job, page, DONE)
        else:
            self._page_done(job, page)

    def _page_done(self, job: DocumentJob, page: PageJob) -> None:
        page.image = None
        job.tell("failed" if page.number in job.errors else "done", page.number)
        with job.lock:
            job.unfinished -= 1
            last = job.unfinished == 0
        self._release_page(job)
        if last:
            self._pages_done(job)

    def _pages_done(self, job: DocumentJob) -> None:
        """All pages are read, or have failed. Fields may stand on any of them, so they come last."""
        with job.lock:
            pages = [
                FieldsPage(job.pages[number], job.tags.pop(number, None))
                for number in sorted(job.with_fields & job.pages.keys())
            ]
        if not pages or job.doc_type is None:
            self._finish(job, None)
        else:
            self._offer(job, "fields", [(FieldsItem(job.doc_type, pages), None)], DONE)

    # --- fields -------------------------------------------------------------------------------------------------

    def _choose_pages(self, job: DocumentJob, numbers: Sequence[int]) -> None:
        """Fields are looked for on the first pages only: what is kept for them takes memory until the last is read."""
        most = self._settings.fields.max_pages
        if job.doc_type is None or "fields" not in self._versions:
            return
        job.with_fields = frozenset(sorted(numbers)[:most])
        if len(numbers) > most:
            job.warnings.append(
                Notice("fields_partial", f"fields were looked for on the first {most} pages only (fields.max_pages)")
            )

    def _network_reads(self, job: DocumentJob) -> bool:
        """Whether the network has a say: it knows the type asked for, or is to recognise it."""
        if "layout_ner" not in self._versions:
            return False
        return job.doc_type == AUTO or job.doc_type in self._versions.of(job, "layout_ner").networks_types

    # --- helpers ------------------------------------------------------------------------------------------------

    def _offer(self, job: DocumentJob, stage: str, entries: list[tuple[Any, Any]], event: Event) -> None:
        request, version, now = job.request, self._versions.of(job, stage), time.monotonic()
        runs = version.stage
        self._dispatcher.offer(
            stage,
            [
                Item(
                    Payload(value, event, stage, context, version),
                    bucket=(version.number, runs.bucket(value)),
                    cost=runs.cost(value),
                    arrived=now,
                    priority=request.priority,
                    deadline=request.deadline,
                    wanted=lambda: job.wanted,
                    owner=job,
                )
                for value, context in entries
            ],
        )

    @staticmethod
    def _account(job: DocumentJob, item: Item[Payload], report: BatchReport) -> None:
        share = item.cost / report.cost if report.cost else 1 / report.size
        with job.lock:
            timing = job.timings.setdefault(report.stage, StageTiming())
            timing.queue_ms += max(0.0, report.started - item.arrived) * 1000
            timing.busy_ms += report.busy * share * 1000
            timing.network_ms += report.network * share * 1000
            timing.items += 1
            ended = report.started + report.busy
            timing.began = report.started if timing.began is None else min(timing.began, report.started)
            timing.ended = ended if timing.ended is None else max(timing.ended, ended)


def _without_fields(error: InklaneError, page: int | None = None) -> Notice:
    return Notice(FAILED, f"the fields could not be read: {error.message}", page)


def _as_document_error(error: Exception, stage: str) -> InklaneError:
    if isinstance(error, DocumentError):
        return error
    if isinstance(error, MemoryError):
        return StageFailed(f"{stage}: too little memory for this page; lower limits.max_pixels or the dpi")
    if isinstance(error, InklaneError):
        return StageFailed(f"{stage}: {error.message}")
    return StageFailed(f"{stage}: unexpected {type(error).__name__}: {error}")
