"""A plant without weights for tests of the flow and the engine.

A document is JSON: its name and the tokens on each page. Its pages are drawn so that each character is a column of
grey, 16 pixels apart in lines 48 pixels high; the fake detector finds the lines in the pixels, and a fake network
behind the real recognition stage reads the characters out of them. So whatever is mixed up on the way shows.
"""

from __future__ import annotations

import json
import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from models.backends.base import Array, Inputs
from models.ctc import CtcDecoder
from pipeline.build import Plant, StagePlan
from schemas.doctypes import load_doctypes
from schemas.errors import Cancelled, DamagedFile
from schemas.requests import ReadRequest
from schemas.settings import Limits
from stages.assembly.stage import AssemblyItem, AssemblyStage
from stages.batcher import BatchPolicy
from stages.decode.opened import OpenDocument, select_pages
from stages.decode.opening import OpenItem
from stages.decode.sniff import Format
from stages.decode.stage import DecodeItem, DecodeStage
from stages.detection.box import Box
from stages.detection.stage import DetectionItem
from stages.devices.base import Device
from stages.devices.cpu import CpuDevice
from stages.fields.readers import keys_reader, network_reader
from stages.fields.stage import FieldsItem, FieldsStage
from stages.layout_ner.stage import LayoutNerItem, LayoutNerStage
from stages.orientation.stage import OrientationItem
from stages.orientation.turn import turn
from stages.page_image import PageImage
from stages.recognition.stage import HEIGHT, RecognitionItem, RecognitionStage
from stages.stage import LaneContext, Stage
from tests.factories.lanes import PATIENCE, Meter
from tests.factories.tagging import CHARACTERS, TAGS, VOCABULARY, TagModel, build_fields

STAGES = ("open", "decode", "detection", "orientation", "recognition", "assembly", "layout_ner", "fields")
PITCH = 16  # a character and the gap behind it, so that equal neighbours stay apart
BAND = 64  # a line and the gap below it
BACKGROUND = 255

Tokens = Sequence[str]


def request(name: str, *pages: Tokens | None, **options: Any) -> ReadRequest:
    """A document to read; a page that is None is damaged. Tokens have three characters or more."""
    return ReadRequest(json.dumps({"name": name, "pages": pages}).encode(), name, **options)


def content_of(item: OpenItem) -> dict[str, Any]:
    """The document as it was asked for."""
    content: dict[str, Any] = json.loads(item.source if isinstance(item.source, bytes) else item.source.read_bytes())
    return content


@dataclass
class FakePage(PageImage):
    """A page that knows whose it is, for the probe alone: the stages read pixels."""

    document: Any = None


class FakeDocument(OpenDocument):
    """Pages drawn on demand."""

    def __init__(self, probe: Probe, name: str, pages: list[list[str] | None], wanted: tuple[int, ...] | None) -> None:
        super().__init__(Format.PNG, select_pages(wanted, len(pages), Limits()), [])
        self.name = name
        self._probe = probe
        self._pages: list[list[str] | None] | None = pages

    def decode(self, number: int) -> PageImage:
        if self._pages is None:
            raise Cancelled("the document was closed before this page was decoded")
        tokens = self._pages[number - 1]
        if tokens is None:
            raise DamagedFile(f"page {number} is broken; make it again")
        quarters = self._probe.stored_turned.get(self.name, 0) // 90
        page = FakePage(np.ascontiguousarray(np.rot90(draw(tokens), quarters)), number, document=self)
        self._probe.page_made(page)
        return page

    def close(self) -> None:
        if self._pages is not None:
            self._pages = None
            self._probe.count(open_documents=-1)


def draw(tokens: Tokens) -> npt.NDArray[np.uint8]:
    """A page (H, W, 3) with one token a line."""
    width = PITCH * max((len(token) for token in tokens), default=1)
    pixels = np.full((BAND * max(1, len(tokens)), width, 3), BACKGROUND, np.uint8)
    for row, token in enumerate(tokens):
        for column, character in enumerate(token):
            left, top = PITCH * column, BAND * row
            pixels[top : top + HEIGHT, left : left + PITCH // 2] = CHARACTERS.index(character) + 1
    return pixels


class Probe:
    """Sees each item of each stage, may hold it up or make it fail, and counts what is in memory.

    By document: ``angles`` are the degrees that the fake orientation finds, ``stored_turned`` those by which the
    drawn pages are turned counter-clockwise.
    """

    def __init__(self) -> None:
        self.log: list[tuple[str, str]] = []
        self.cores: list[tuple[str, int]] = []
        self.angles: dict[str, int] = {}
        self.stored_turned: dict[str, int] = {}
        self.meter = Meter()
        self.counts = dict.fromkeys(("open_documents", "live_pages", "pages_in_flight"), 0)
        self.most = dict(self.counts)
        self._rules: dict[tuple[str, str], Callable[[], None]] = {}
        self._names: dict[str, str] = {}
        self._changed = threading.Condition()

    # --- what a test asks for -----------------------------------------------------------------------------------

    def fail(self, stage: str, name: str, error: Callable[[], BaseException]) -> None:
        """Let a document's items fail in a stage."""

        def rule() -> None:
            raise error()

        self._rules[stage, name] = rule

    def hold(self, stage: str, name: str) -> threading.Event:
        """Hold up a document's items in a stage until the event is set."""
        release = threading.Event()

        def rule() -> None:
            assert release.wait(PATIENCE), f"{name} was never released from {stage}"

        self._rules[stage, name] = rule
        return release

    def wait_for(self, stage: str, name: str) -> None:
        """Wait until an item of the document is in the stage."""
        with self._changed:
            assert self._changed.wait_for(lambda: (stage, name) in self.log, PATIENCE), (stage, name, self.log)

    def stages_of(self, name: str) -> list[str]:
        """The stages that have worked on the document, in order."""
        return [stage for stage, its_name in self.log if its_name == name]

    # --- what the stages tell -----------------------------------------------------------------------------------

    def enter(self, stage: str, value: Any) -> None:
        name = self.name_of(value)
        if stage == "decode":
            self.count(pages_in_flight=1)
        with self._changed:
            self.log.append((stage, name))
            self._changed.notify_all()
        rule = self._rules.get((stage, name))
        if rule is not None:
            rule()

    def name_of(self, value: Any) -> str:
        """Whose item this is."""
        if isinstance(value, OpenItem):
            return str(content_of(value)["name"])
        if isinstance(value, AssemblyItem):
            return self._names.get(value.lines[0].decoded.text, "?") if value.lines else "blank"
        if isinstance(value, LayoutNerItem):
            return self._names.get(value.lines[0].text, "?")
        if isinstance(value, FieldsItem):
            texts = [line.text for entry in value.pages for line in entry.page.lines]
            return self._names.get(texts[0], "?") if texts else "blank"
        owner = value.document if isinstance(value, DecodeItem) else getattr(value.page, "document", None)
        return owner.name if isinstance(owner, FakeDocument) else "turned"

    def opened(self, name: str, pages: list[list[str] | None]) -> None:
        self._names |= {token: name for tokens in pages for token in tokens or ()}
        self.count(open_documents=1)

    def page_made(self, page: FakePage) -> None:
        self.count(live_pages=1)
        weakref.finalize(page, self.count, live_pages=-1)

    def count(self, **changes: int) -> None:
        # Reentrant: a page can be freed, and so counted, wherever the interpreter likes.
        with self._changed:
            for what, change in changes.items():
                self.counts[what] += change
                self.most[what] = max(self.most[what], self.counts[what])


class Probed(Stage[Any, Any]):
    """A stage that tells the probe."""

    def __init__(self, inner: Stage[Any, Any], probe: Probe) -> None:
        self.name = inner.name
        self.inner, self._probe = inner, probe

    def bucket(self, item: Any) -> Any:
        return self.inner.bucket(item)

    def cost(self, item: Any) -> int:
        return self.inner.cost(item)

    def content(self, item: Any) -> int:
        return self.inner.content(item)

    def prepare(self, item: Any, lane: LaneContext) -> Any:
        self._probe.enter(self.name, item)
        return self.inner.prepare(item, lane)

    def collate(self, prepared: Sequence[Any], lane: LaneContext) -> Any:
        return self.inner.collate(prepared, lane)

    def predict(self, batch: Any, lane: LaneContext) -> Any:
        self._probe.meter.enter(self.name)
        self._probe.cores.append((self.name, lane.cores))
        try:
            return self.inner.predict(batch, lane)
        finally:
            self._probe.meter.leave(self.name)

    def split(self, outputs: Any, items: Sequence[Any], lane: LaneContext) -> list[Any]:
        results = self.inner.split(outputs, items, lane)
        if self.name == "assembly":
            self._probe.count(pages_in_flight=-len(items))
        return results


@dataclass
class FakeOpen(Stage[OpenItem, OpenDocument]):
    """Opens JSON documents."""

    probe: Probe
    name: str = "open"

    def split(self, outputs: Any, items: Sequence[OpenItem], lane: LaneContext) -> list[OpenDocument]:
        documents: list[OpenDocument] = []
        for item in items:
            content = content_of(item)
            documents.append(FakeDocument(self.probe, content["name"], content["pages"], item.pages))
            self.probe.opened(content["name"], content["pages"])
        return documents


@dataclass
class FakeDetection(Stage[DetectionItem, list[Box]]):
    """Finds the lines in the pixels, however the page lies."""

    probe: Probe
    name: str = "detection"

    def split(self, outputs: Any, items: Sequence[DetectionItem], lane: LaneContext) -> list[list[Box]]:
        return [self._find(item.page) for item in items]

    def _find(self, page: PageImage) -> list[Box]:
        degrees = self.probe.stored_turned.get(page.document.name, 0) if isinstance(page, FakePage) else 0
        upright, _ = turn(page, [], degrees)
        return turn(upright, find_lines(upright.pixels), (360 - degrees) % 360)[1]


def find_lines(pixels: npt.NDArray[np.uint8]) -> list[Box]:
    """Level boxes around what is not background, on an upright page."""
    boxes = []
    for top in range(0, pixels.shape[0], BAND):
        inked = np.flatnonzero(pixels[top + HEIGHT // 2, :, 0] != BACKGROUND)
        if inked.size:
            right, bottom = (int(inked[-1]) // PITCH + 1) * PITCH, top + HEIGHT
            quad = np.array([[0, top], [right, top], [right, bottom], [0, bottom]], np.float32)
            boxes.append(Box(quad, 0.9))
    return boxes


@dataclass
class FakeOrientation(Stage[OrientationItem, int]):
    """Every page is upright, unless the probe knows better."""

    probe: Probe
    name: str = "orientation"

    def split(self, outputs: Any, items: Sequence[OrientationItem], lane: LaneContext) -> list[int]:
        return [self.probe.angles.get(self.probe.name_of(item), 0) for item in items]


@dataclass
class TokenPredictor:
    """A network that reads one class per eight pixels: the grey of the column's middle, and ``shift`` further."""

    shift: int = 0

    def run(self, inputs: Inputs, *, cores: int = 1) -> list[Array]:
        assert isinstance(inputs, np.ndarray)
        assert inputs.ndim == 4
        assert inputs.shape[1] == HEIGHT
        greys = inputs[:, HEIGHT // 2, PITCH // 4 :: PITCH // 2, 0].astype(np.int32)
        classes = np.where(greys <= len(CHARACTERS), (greys - 1 + self.shift) % len(CHARACTERS) + 1, 0)
        return [classes[..., None], np.full((*classes.shape, 1), 0.9, np.float32)]


@dataclass
class TokenModel:
    """Any number of such networks. ``freed`` is set when it is closed."""

    precision: str = "f32"
    closed: int = 0
    predictors: dict[int, TokenPredictor] = field(default_factory=dict)
    shift: int = 0
    freed: threading.Event = field(default_factory=threading.Event)

    def predictor(self, lane: int, stream: Any = None) -> TokenPredictor:
        assert not self.closed
        return self.predictors.setdefault(lane, TokenPredictor(self.shift))

    def close(self) -> None:
        self.closed += 1
        self.freed.set()


def fake_plant(
    probe: Probe,
    *,
    slots: int = 2,
    lanes: int = 2,
    max_pages: int = 8,
    max_open: int = 8,
    orientation: bool = True,
    boost: bool = True,
    fields: bool = False,
    device: Device | None = None,
) -> Plant:
    """All stages, in the shape that :func:`pipeline.build.build` gives them."""
    plant = Plant(device or CpuDevice(slots), models={"recognition": "tokens@0"})
    decoder = CtcDecoder(CHARACTERS)
    lines = BatchPolicy(max_size=8, max_delay=0.002, max_cost=HEIGHT * 2560)

    def add(stage: Stage[Any, Any], feeds: str | None, policy: BatchPolicy | None = None, **rest: Any) -> None:
        room = rest.pop("room", 8)
        plan = StagePlan(Probed(stage, probe), policy or BatchPolicy(), lanes, feeds, room, **rest)
        plant.plans.append(plan)

    add(FakeOpen(probe), "decode", credits=max_open)
    add(DecodeStage(), "detection", credits=max_pages)
    add(FakeDetection(probe), "orientation" if orientation else "recognition", boost=boost, room=4)
    if orientation:
        add(FakeOrientation(probe), "recognition")
    add(RecognitionStage(decoder), "assembly", lines, room=64, model=TokenModel())
    add(AssemblyStage(), "layout_ner" if fields else None, room=64)
    if fields:
        plant.doctypes = load_doctypes()
        plant.networks_types = ("receipt",)
        pages = BatchPolicy(max_size=4, max_delay=0.002, max_cost=4096)
        add(LayoutNerStage(VOCABULARY, TAGS), "fields", pages, room=64, model=TagModel())
        readers = {"network": network_reader(TAGS), "keys": keys_reader}
        add(FieldsStage(plant.doctypes, readers, build_fields, TAGS.types), None, room=64)
    return plant


def items_of(document: Any) -> list[list[str]]:
    """The texts of a read document, page by page."""
    return [[line.text for line in page.lines] for page in document.pages]


__all__ = ["STAGES", "Probe", "RecognitionItem", "fake_plant", "items_of", "request"]
