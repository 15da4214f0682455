"""The flow: bounded memory, turned pages, lines read both ways."""

from __future__ import annotations

import gc
from concurrent.futures import wait

import numpy as np
import pytest

from models.ctc import DecodedText
from schemas.errors import DamagedFile
from stages.assembly.readings import certainty, ways_to_read
from stages.assembly.stage import RecognisedLine
from stages.detection.box import Box
from tests.factories.engines import Bench, MakeBench
from tests.factories.lanes import PATIENCE
from tests.factories.plant import items_of


@pytest.mark.parametrize(("max_pages", "max_open"), [(1, 1), (3, 2), (8, 8)])
def test_memory_is_bounded_however_many_documents_wait(benches: MakeBench, max_pages: int, max_open: int) -> None:
    bench = benches(slots=2, lanes=2, max_pages=max_pages, max_open=max_open, max_waiting=1000)
    gate = bench.probe.hold("open", "doc0")  # let them all wait first
    count = 500 if max_pages == 3 else 150
    futures = [bench.submit(f"doc{i}", *[[f"{i}-{page}-x"] for page in range(1 + i % 3)]) for i in range(count)]
    gate.set()
    for i, future in enumerate(futures):
        assert items_of(future.result(PATIENCE)) == [[f"{i}-{page}-x"] for page in range(1 + i % 3)]
    assert bench.probe.most["open_documents"] <= max_open
    assert bench.probe.most["pages_in_flight"] <= max_pages
    # A lane may hold the page that it is about to let go of.
    assert bench.probe.most["live_pages"] <= max_pages + 2 * 4


def test_an_ended_document_is_freed_although_its_future_is_kept(bench: Bench) -> None:
    bench.probe.fail("decode", "bad", lambda: DamagedFile("broken"))
    gc.collect()
    gc.disable()  # it must not take a collection
    try:
        kept = [bench.submit("good", ["abc"]), bench.submit("bad", ["abc"])]
        wait(kept, PATIENCE)
        cancelled = bench.submit("gone", ["abc"])
        cancelled.cancel()
        bench.engine.close()
        assert len(bench.jobs) == 3
        assert [job() for job in bench.jobs] == [None, None, None]
    finally:
        gc.enable()


# --- turned pages ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_a_turned_page_is_turned_back_and_read(bench: Bench, angle: int) -> None:
    bench.probe.angles["turned"] = angle
    bench.probe.stored_turned["turned"] = angle
    document = bench.read("turned", ["abc", "defgh"], ["ij-"])
    assert items_of(document) == [["abc", "defgh"], ["ij-"]]
    assert [page.angle for page in document.pages] == [angle, angle]
    assert [(page.width, page.height) for page in document.pages] == [(80, 128), (48, 64)]
    stages = [stage for stage, _ in bench.probe.log]
    assert stages.count("orientation") == 2, "a page that has been turned is not asked again"
    assert stages.count("detection") == (2 if angle == 180 else 4)


def test_an_upright_page_keeps_its_angle(bench: Bench) -> None:
    assert [page.angle for page in bench.read("doc", ["abc"]).pages] == [0]


# --- tall boxes, read in every way -------------------------------------------------------------------------------


TALL_BOX = Box(np.array([[10, 10], [20, 10], [20, 90], [10, 90]], np.float32), 0.9)


def reading(text: str, confidence: float, way: int) -> RecognisedLine:
    decoded = DecodedText(text, confidence, tuple(range(len(text))), (confidence,) * len(text), len(text))
    quad, vertical = ways_to_read(TALL_BOX)[way]
    return RecognisedLine(quad if way == 2 else TALL_BOX.quad, 0.9, decoded, vertical)


def test_only_a_tall_box_is_read_in_more_than_one_way() -> None:
    wide = Box(np.array([[10, 10], [90, 10], [90, 20], [10, 20]], np.float32), 0.9)
    assert [vertical for _, vertical in ways_to_read(wide)] == [False]
    (_, _), (_, downward), (upward, _) = ways_to_read(TALL_BOX)
    assert downward
    assert upward[0].tolist() == [10, 90]  # the lower left corner, where upward text begins
    assert upward[1].tolist() == [10, 10]


@pytest.mark.parametrize(
    ("upright", "turned", "chosen"),
    [
        (("1", 0.9), ("1", 0.5), "upright"),
        (("1", 0.2), ("_", 0.9), "upright"),  # one character says nothing about a vertical line
        (("", 0.0), ("_", 0.9), "upright"),
        ((" ", 0.9), ("garden", 0.6), "turned"),
        (("", 0.0), ("garden", 0.3), "turned"),
        (("n", 0.4), ("garden", 0.9), "turned"),
        (("", 0.0), ("", 0.0), "upright"),
    ],
)
@pytest.mark.parametrize("way", [1, 2], ids=["downward", "upward"])
def test_of_two_readings_of_a_tall_box_the_surer_counts(
    upright: tuple[str, float], turned: tuple[str, float], chosen: str, way: int
) -> None:
    readings = {"upright": reading(*upright, 0), "turned": reading(*turned, way)}
    for order in (("upright", "turned"), ("turned", "upright")):  # whichever lane is done first
        best = max((readings[name] for name in order), key=lambda line: certainty(line, TALL_BOX))
        assert best is readings[chosen]
