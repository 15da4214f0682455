"""A reader without models that knows the samples: it answers with their labels, page by page, at once.

A document whose name begins with ``hold`` waits until :meth:`LabelledReader.release`, with its first page half read.
"""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import orjson

from schemas.document import Document, Line, Page, Polygon, StageTiming
from schemas.errors import DamagedFile
from schemas.fields import Check, Field, Region
from schemas.progress import OnProgress, Progress
from schemas.requests import ReadRequest
from schemas.statistics import StageFigures, WorkerStatistics

SAMPLES = Path(__file__).parents[2] / "samples"
TOTAL: Polygon = ((438.0, 609.0), (543.0, 609.0), (543.0, 643.0), (438.0, 643.0))


class LabelledReader:
    """Reads whatever begins like a picture or a PDF; what it says of it depends on the file's name alone."""

    def __init__(self) -> None:
        self.labels: dict[str, list[dict[str, Any]]] = {}
        for line in (SAMPLES / "labels.jsonl").read_bytes().splitlines():
            label = orjson.loads(line)
            self.labels.setdefault(Path(label["image"]).name, []).append(label)
        self.read: Counter[str] = Counter()
        self.cancelled = threading.Event()
        self.holds = threading.Event()
        self._held: list[tuple[Future[Document], Document, OnProgress | None]] = []

    def submit(self, request: ReadRequest, *, on_progress: OnProgress | None = None) -> Future[Document]:
        """The document, at once unless it is held."""
        self.read[request.name] += 1
        future: Future[Document] = Future()
        source = request.source if isinstance(request.source, bytes) else request.source.read_bytes()
        if source.startswith(b"%PDF-broken") or not source.startswith(
            (b"\xff\xd8", b"\x89PNG", b"RIFF", b"II", b"%PDF")
        ):
            future.set_exception(DamagedFile("the file is truncated; send it again"))
            return future
        document = self._document(request)
        if request.name.startswith("hold"):
            if on_progress is not None:
                on_progress(Progress(None, len(document.pages), "opened", 0))
                on_progress(Progress(1, len(document.pages), "detected", 0))
            future.add_done_callback(lambda done: self.cancelled.set() if done.cancelled() else None)
            self._held.append((future, document, on_progress))
            self.holds.set()
        else:
            _finish(future, document, on_progress)
        return future

    def release(self) -> None:
        """Answer all that are held."""
        for future, document, on_progress in self._held:
            _finish(future, document, on_progress)
        self._held.clear()

    def statistics(self) -> WorkerStatistics:
        """Some that look like a busy worker's."""
        stages = {"decode": (2, 1), "detection": (2, 2), "recognition": (2, 1), "assembly": (1, 0)}
        figures = WorkerStatistics(documents=Counter({"ok": 40}), pages=Counter({"ok": 52}), documents_in_flight=3)
        for name, (lanes, busy) in stages.items():
            stage = StageFigures(
                Counter({1: 3, 4: 9, 8: 22, 16: 14}), 471, lanes=lanes, busy_lanes=busy, waiting=busy * 5
            )
            for seconds in (0.004, 0.02, 0.03):
                stage.queue_s.observe(seconds)
                stage.network_s.observe(seconds)
            stage.padded_pixels, stage.content_pixels = 1000, 930
            figures.stages[name] = stage
        return figures

    def close(self) -> None:
        """Nothing is held any more."""
        self.release()

    def _document(self, request: ReadRequest) -> Document:
        labels = self.labels.get(request.name.removeprefix("hold-"), [])
        document = Document(request.name, elapsed_ms=231.5, models={"backend": "none"})
        if labels and request.options.doc_type != "none":
            known = labels[0]["doc_type"]
            document.doc_type = None if known == "other" else known
            document.doc_type_confidence = 0.9931
        for number, label in enumerate(labels or [{"width": 576, "height": 1010, "lines": []}], 1):
            lines = [
                Line(line["text"], 0.99 if index % 7 else 0.68, line["polygon"])
                for index, line in enumerate(label["lines"])
            ]
            document.pages.append(Page(number, label["width"], label["height"], lines=lines))
            if document.doc_type is not None:
                document.fields |= _fields(label.get("fields") or {}, document.pages[-1])
        if document.doc_type == "receipt":
            document.fields |= {"total": _checked("21.07", TOTAL, True), "tax": _checked("9.99", TOTAL, False)}
        document.timings = {name: StageTiming(3.0, 20.0, 15.0, 2) for name in ("decode", "detection", "recognition")}
        return document


def _finish(future: Future[Document], document: Document, on_progress: OnProgress | None) -> None:
    if on_progress is not None:
        count = len(document.pages)
        on_progress(Progress(None, count, "opened", 0))
        for number in range(1, count + 1):
            on_progress(Progress(number, count, "detected", number - 1))
            on_progress(Progress(number, count, "recognised", number - 1))
            on_progress(Progress(number, count, "done", number))
    if future.set_running_or_notify_cancel():
        future.set_result(document)


def _fields(labels: dict[str, Any], page: Page) -> dict[str, Field | list[Field]]:
    return {
        name: [_field(one, page) for one in label] if isinstance(label, list) else _field(label, page)
        for name, label in labels.items()
    }


def _field(label: str | dict[str, Any], page: Page) -> Field:
    """Labels say what a value is, and not where: it is put where the text stands."""
    if isinstance(label, dict) and "content" not in label:
        parts = {name: _field(part, page) for name, part in label.items()}
        kind = "pair" if set(parts) == {"question", "answer"} else "object"
        regions = [region for part in parts.values() for region in part.regions]
        return Field(kind, parts, " ".join(part.content for part in parts.values()), 0.9, regions)
    content, value = (label, label) if isinstance(label, str) else (label["content"], label["value"])
    start = content.replace(" ", "")[:8]
    lines = [line for line in page.lines if start in line.text.replace(" ", "")]
    return Field("text", value, content, 0.95, [Region(page.page, line.polygon) for line in lines[:1]])


def _checked(value: str, polygon: Polygon, passed: bool) -> Field:
    reason = f"{value} is {'' if passed else 'not '}an amount that the others add up to"
    checks = [Check("amount", passed, reason)]
    confidence = 0.97 if passed else 0.41
    return Field("money", value, f"EUR {value}", confidence, [Region(1, polygon)], checks, not passed, "EUR")
