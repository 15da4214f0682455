"""Who is compared: each reads a list of documents and tells how long that took.

These classes are made in child processes, and import what they measure only there.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from schemas.document import Document, Line, Page

IN_FLIGHT = 8

Outcome = Document | str  # a string: why the document could not be read


@dataclass(slots=True)
class Round:
    """One pass over the documents. Times are seconds; ``latencies`` and ``outcomes`` in the documents' order.

    ``processor`` is the processor time of the whole process: on a busy machine it says more than the clock.
    """

    seconds: float
    processor: float
    latencies: list[float] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Documents per second."""
        return len(self.latencies) / self.seconds


class Contender(Protocol):
    """Something that reads documents."""

    @property
    def precision(self) -> str:
        """What it computes in; known once something was read."""
        ...

    def read(self, paths: Sequence[Path]) -> tuple[list[float], list[Outcome]]:
        """Read all; how long each took, and what it says."""
        ...

    def close(self) -> None:
        """Free everything."""
        ...


class RapidOcr:
    """RapidOCR, one document after the other, which is how it is used.

    Args:
        openvino: run the networks with OpenVINO rather than with ONNX Runtime, and leave the classifier out.
        precision: compute in this precision instead of the one that OpenVINO chooses.
    """

    def __init__(self, *, openvino: bool = False, precision: str | None = None) -> None:
        from rapidocr import EngineType, RapidOCR

        if precision is not None:
            _fix_precision(precision)
        params: dict[str, Any] = {"Global.log_level": "error"}
        if openvino:
            engines = {f"{part}.engine_type": EngineType.OPENVINO for part in ("Det", "Cls", "Rec")}
            params |= {**engines, "Global.use_cls": False}
        self._ocr, self._openvino = RapidOCR(params=params), openvino

    @property
    def precision(self) -> str:
        """What the networks compute in. RapidOCR loads them when they are first needed."""
        return _openvino_precision(self._ocr) if self._openvino else "f32"

    def read(self, paths: Sequence[Path]) -> tuple[list[float], list[Outcome]]:
        """Read all; see :class:`Contender`."""
        latencies: list[float] = []
        outcomes: list[Outcome] = []
        for path in paths:
            started = time.perf_counter()
            try:
                result = self._ocr(str(path))
                latencies.append(time.perf_counter() - started)
                outcomes.append(_document(path.name, result))
            except Exception as error:  # whatever it raises counts as a document not read, and is shown
                latencies.append(time.perf_counter() - started)
                outcomes.append(f"{type(error).__name__}: {error}")
        return latencies, outcomes

    def close(self) -> None:
        """Nothing to do: the process ends."""


class InProcess:
    """Inklane's engine in this process, with the settings in force (``inklane.toml``, ``INKLANE_*``).

    Args:
        in_flight: documents handed to it at once.
    """

    def __init__(self, *, in_flight: int) -> None:
        from pipeline.engine import Engine
        from schemas.settings import load_settings

        self._in_flight = in_flight
        self._engine = Engine(load_settings(in_process=True))

    @property
    def precision(self) -> str:
        """What the networks compute in."""
        return self._engine.models.get("backend", "").rpartition(" ")[2]

    def read(self, paths: Sequence[Path]) -> tuple[list[float], list[Outcome]]:
        """Read all; the latency of a document is the time from its submission to its result."""
        return read_in_flight(self._engine.submit, paths, self._in_flight)

    def close(self) -> None:
        """Close the engine."""
        self._engine.close()


def read_in_flight(
    submit: Callable[[Any], Future[Document]], paths: Sequence[Path], in_flight: int
) -> tuple[list[float], list[Outcome]]:
    """Hand documents to a reader, ``in_flight`` at once; each one that ends makes room for the next."""
    from schemas.requests import ReadRequest

    room = threading.Semaphore(in_flight)
    latencies = [0.0] * len(paths)
    futures: list[Future[Document]] = []

    def done(index: int, started: float) -> Callable[[Future[Document]], None]:
        def note(_: Future[Document]) -> None:
            latencies[index] = time.perf_counter() - started
            room.release()

        return note

    for index, path in enumerate(paths):
        room.acquire()
        started = time.perf_counter()
        future = submit(ReadRequest(path, path.name))
        future.add_done_callback(done(index, started))
        futures.append(future)
    for _ in range(in_flight):  # until every callback has run: a result may be there before its latency is
        room.acquire()
    return latencies, [_outcome(future) for future in futures]


def _outcome(future: Future[Document]) -> Outcome:
    try:
        return future.result()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _document(name: str, result: Any) -> Document:
    height, width = result.img.shape[:2] if result.img is not None else (0, 0)
    page = Page(page=1, width=width, height=height)
    if result.txts is not None and result.boxes is not None:
        for text, score, box in zip(result.txts, result.scores, result.boxes, strict=True):
            a, b, c, d = ((float(x), float(y)) for x, y in box)
            page.lines.append(Line(str(text), float(score), (a, b, c, d)))
    return Document(file=name, pages=[page])


def _fix_precision(precision: str) -> None:
    """Let RapidOCR's OpenVINO compute in a precision: there is no option for it, so its core is given the property."""
    import openvino
    from rapidocr.inference_engine.openvino import main

    class Core(openvino.Core):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.set_property("CPU", {"INFERENCE_PRECISION_HINT": precision})

    main.Core = Core


def _openvino_precision(ocr: Any) -> str:
    compiled = ocr.text_rec.session.session.get_compiled_model()
    name = compiled.get_property("INFERENCE_PRECISION_HINT").get_type_name()
    return str(name)


@dataclass(slots=True, frozen=True)
class Entry:
    """A contender by name. ``make`` is called in the child process; ``informational``: not one of the main four."""

    name: str
    title: str
    kind: type[RapidOcr] | type[InProcess]
    options: dict[str, Any]
    informational: bool = False

    def make(self) -> Contender:
        """Build it."""
        return self.kind(**self.options)


ENTRIES = (
    Entry("rapidocr_default", "RapidOCR as installed", RapidOcr, {}),
    Entry("rapidocr_openvino", "RapidOCR, OpenVINO, no classifier", RapidOcr, {"openvino": True}),
    Entry("inklane_single", "Inklane, one document at a time", InProcess, {"in_flight": 1}),
    Entry("inklane_concurrent", "Inklane, eight in flight", InProcess, {"in_flight": IN_FLIGHT}),
    Entry(
        "rapidocr_openvino_f32",
        "RapidOCR, OpenVINO f32, no classifier",
        RapidOcr,
        {"openvino": True, "precision": "f32"},
        informational=True,
    ),
)
