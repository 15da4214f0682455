"""The benchmarks' own arithmetic and lists."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from benchmarks import documents, figures, machine, memory, peers
from benchmarks import stages as stages_benchmark
from benchmarks.contenders import ENTRIES, read_in_flight
from benchmarks.documents import UNLABELLED, Sample, gather, parse_list
from models.ctc import CtcDecoder
from pipeline.evaluation.metrics import words
from schemas.document import Document, Line, Page
from schemas.errors import DamagedFile, DatasetError
from schemas.truth import load_truth
from stages.batcher import Item
from stages.devices.cpu import DONE, CpuDevice
from stages.lane import Grant, Lane, Payload
from stages.page_image import PageImage
from stages.recognition.stage import RecognitionItem, RecognitionStage
from stages.stage import LaneContext, Stage
from stages.statistics import StageCounts, StageStatistics

# --- figures ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [
        ([5.0], 0.95, 5.0),
        ([1.0, 2.0], 0.5, 1.0),
        ([3.0, 1.0, 2.0], 0.5, 2.0),
        ([float(n) for n in range(1, 101)], 0.95, 95.0),
        ([float(n) for n in range(1, 21)], 0.95, 19.0),
        ([float(n) for n in range(1, 22)], 0.95, 20.0),
        ([1.0, 2.0, 3.0], 0, 1.0),
        ([1.0, 2.0, 3.0], 1, 3.0),
    ],
)
def test_percentile(values: list[float], share: float, expected: float) -> None:
    assert figures.percentile(values, share) == expected


@pytest.mark.parametrize(("values", "share"), [([], 0.5), ([1.0], 1.1), ([1.0], -0.1)])
def test_percentile_of_nonsense(values: list[float], share: float) -> None:
    with pytest.raises(ValueError, match="percentile|share"):
        figures.percentile(values, share)


def test_a_slow_spell_that_hits_both_sides_does_not_change_the_ratio() -> None:
    quiet = figures.pairwise_ratio([4.0, 4.0, 4.0, 4.0, 4.0], [2.0, 2.0, 2.0, 2.0, 2.0])
    noisy = figures.pairwise_ratio([4.0, 1.0, 2.0, 4.0, 0.4], [2.0, 0.5, 1.0, 2.0, 0.2])
    assert quiet == noisy == 2.0


def test_one_spoilt_pair_does_not_change_the_ratio() -> None:
    assert figures.pairwise_ratio([3.0, 3.0, 0.1], [2.0, 2.0, 2.0]) == 1.5


@pytest.mark.parametrize(("ours", "theirs"), [([], []), ([1.0], [1.0, 2.0]), ([1.0], [0.0])])
def test_ratio_without_pairs(ours: list[float], theirs: list[float]) -> None:
    with pytest.raises(ValueError, match="ratio"):
        figures.pairwise_ratio(ours, theirs)


@pytest.mark.parametrize(
    ("values", "slope"), [([], 0.0), ([7.0], 0.0), ([7.0, 7.0, 7.0], 0.0), ([1.0, 3.0, 5.0], 2.0), ([5.0, 4.0], -1.0)]
)
def test_growth(values: list[float], slope: float) -> None:
    assert figures.growth(values) == pytest.approx(slope)


def test_rounding_reaches_every_float_and_nothing_else() -> None:
    value = {"a": [1.23456789, 2], "b": {"c": 0.00004, "d": "1.23456789", "e": None, "f": True}}
    assert figures.rounded(value) == {"a": [1.2346, 2], "b": {"c": 0.0, "d": "1.23456789", "e": None, "f": True}}


# --- documents --------------------------------------------------------------------------------------------------


def dataset(folder: Path, texts: dict[str, str]) -> Path:
    """A dataset: each image's name and the one line on it."""
    (folder / "images").mkdir(parents=True)
    corners = [[0, 0], [9, 0], [9, 9], [0, 9]]
    with (folder / "labels.jsonl").open("w", encoding="utf-8") as file:
        for name, text in texts.items():
            (folder / "images" / name).write_bytes(b"not opened here")
            line = {"text": text, "polygon": corners}
            file.write(json.dumps({"image": f"images/{name}", "width": 10, "height": 10, "lines": [line]}) + "\n")
    return folder


def test_a_list_is_relative_to_its_folder() -> None:
    text = "a.jpg\n\n# not this\n  sub/b c.png  \n/abs/d.jpg\n"
    assert parse_list(text, Path("/lists")) == [
        Path("/lists/a.jpg"),
        Path("/lists/sub/b c.png"),
        Path("/abs/d.jpg"),
    ]


def test_truth_is_found_beside_listed_images(tmp_path: Path) -> None:
    forms = dataset(tmp_path / "forms", {"2.jpg": "two", "10.jpg": "ten"})
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "x.jpg").write_bytes(b"")
    (tmp_path / "list.txt").write_text("forms/images/10.jpg\nplain/x.jpg\n")
    labelled, plain = gather([tmp_path / "list.txt"])
    assert labelled.dataset == "forms"
    assert labelled.truth is not None
    assert labelled.truth.pages[0].lines[0].text == "ten"
    assert plain == Sample(tmp_path / "plain" / "x.jpg", UNLABELLED, None)
    assert [sample.path.name for sample in gather([forms])] == ["2.jpg", "10.jpg"]


def test_a_folder_without_labels_is_walked_and_the_limit_counts_for_each_entry(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        for name in ("10.jpg", "9.jpg", "note.md"):
            (tmp_path / folder / name).write_bytes(b"?")
    assert [s.path.relative_to(tmp_path).as_posix() for s in gather([tmp_path])] == [
        "a/9.jpg",
        "a/10.jpg",
        "b/9.jpg",
        "b/10.jpg",
    ]
    assert [s.path.parent.name for s in gather([tmp_path / "b", tmp_path / "a"], limit=1)] == ["b", "a"]


def test_without_the_real_datasets_the_samples_are_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(documents, "REAL", tmp_path)
    samples = gather([])
    assert samples
    assert all(sample.truth is not None and len(sample.truth.pages) == 1 for sample in samples)
    assert not {sample.path.suffix for sample in samples} & {".pdf", ".tiff"}


def test_the_default_is_twenty_of_each_real_dataset(shared_data: Path) -> None:
    names = [sample.dataset for sample in gather([])]
    assert names == ["funsd_dev"] * 20 + ["sroie_val"] * 20


@pytest.mark.parametrize("content", [None, "gone.jpg\n", "", b"\xff\xfe\x00"])
def test_lists_that_cannot_be_read(tmp_path: Path, content: str | bytes | None) -> None:
    path = tmp_path / "list.txt"
    if content is not None:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(DatasetError, match="list.txt"):
        gather([path])


# --- peers ------------------------------------------------------------------------------------------------------


def test_ratios_are_named_after_their_contenders() -> None:
    series = {"rapidocr_default": [1.0, 1.0], "rapidocr_openvino": [2.0, 2.5], "inklane_concurrent": [4.0, 5.0]}
    assert peers.ratios({**series, "inklane_single": [2.0, 2.0]}) == {
        "inklane_concurrent_over_rapidocr_openvino": 2.0,
        "inklane_concurrent_over_rapidocr_default": 4.5,
        "inklane_single_over_rapidocr_openvino": 0.9,
    }
    assert peers.ratios({"inklane_single": [1.0]}) == {}


def test_every_ratio_is_of_contenders_that_exist() -> None:
    names = {entry.name for entry in ENTRIES}
    assert {name for pair in peers.RATIOS for name in pair} <= names


def test_contenders_by_name_keep_their_order() -> None:
    assert [e.name for e in peers.choose(["inklane_concurrent", "rapidocr_openvino"])] == [
        "rapidocr_openvino",
        "inklane_concurrent",
    ]
    with pytest.raises(ValueError, match="rapidocr_default, rapidocr_openvino, inklane_single"):
        peers.choose(["rapid"])


def test_accuracy_counts_a_failed_document_as_unread(tmp_path: Path) -> None:
    truths = load_truth(dataset(tmp_path / "forms", {"a.jpg": "Total 12", "b.jpg": "Name Ann"}))
    samples = [Sample(t.path, "forms", t) for t in truths] + [Sample(tmp_path / "c.jpg")]
    box = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    read = Document("a.jpg", pages=[Page(1, 10, 10, lines=[Line("total 12", 1.0, box)])])
    scores = peers.accuracy(samples, [read, "DamagedFile: truncated", read])
    assert words("Total 12 Name Ann") == ["total", "12", "name", "ann"]
    # two of two words read are right, of four in truth
    assert scores == {"forms": {"documents": 2, "word_f1": 2 * 2 / (2 + 4)} | _others(scores)}
    assert scores["forms"]["detection_hmean"] == pytest.approx(2 / 3)


def _others(scores: dict[str, Any]) -> dict[str, Any]:
    return {name: scores["forms"][name] for name in peers.METRICS if name != "word_f1"}


@pytest.mark.parametrize("in_flight", [1, 3, 50])
def test_documents_in_flight_are_bounded_and_stay_in_order(in_flight: int) -> None:
    lock, running, most = threading.Lock(), 0, 0
    barrier = threading.Event()

    def read(name: str) -> Document:
        nonlocal running
        barrier.wait(5)
        with lock:
            running -= 1
        if name == "3":
            raise DamagedFile("truncated")
        return Document(name)

    with ThreadPoolExecutor(10) as pool:

        def submit(request: Any) -> Future[Document]:
            nonlocal running, most
            with lock:
                running += 1
                most = max(most, running)
            if running == min(in_flight, 10):
                barrier.set()
            return pool.submit(read, request.name)

        latencies, outcomes = read_in_flight(submit, [Path(str(n)) for n in range(10)], in_flight)
    assert most == min(in_flight, 10)
    assert [o.file if isinstance(o, Document) else o for o in outcomes] == [
        *(str(n) for n in range(3)),
        "DamagedFile: truncated",
        *(str(n) for n in range(4, 10)),
    ]
    assert all(latency > 0 for latency in latencies)


def test_a_process_knows_its_memory() -> None:
    own = machine.memory()
    assert 1 < own["rss"] <= own["peak"]
    assert machine.memory(os.getpid())["peak"] >= own["rss"]


def test_the_machine_is_described() -> None:
    about = machine.describe()
    assert about["processor"]
    assert about["cores"] >= 1
    json.dumps(about)


# --- stages -----------------------------------------------------------------------------------------------------


def test_efficiency_counts_each_granted_core() -> None:
    counts = {
        # 6 s in lanes, of which 5 in the network; 1 of these on two cores
        "recognition": StageCounts(batches=3, items=6, busy=6.0, network=5.0, computed=6.0),
        "decode": StageCounts(batches=6, items=6, busy=1.0),
    }
    result = stages_benchmark.efficiency(counts, wall=5.0, cores=2, processor=7.0)
    assert result == {
        "efficiency": pytest.approx(0.6),
        "lanes_busy": pytest.approx(0.8),
        "processor": pytest.approx(0.7),
        "network_of_busy": pytest.approx(0.75),
    }


class Doubling(Stage[int, int]):
    """Its items are numbers: as many pixels, padded to the next ten."""

    name = "doubling"

    def bucket(self, item: int) -> int:
        return -(-item // 10) * 10

    def cost(self, item: int) -> int:
        return self.bucket(item)

    def content(self, item: int) -> int:
        return item

    def split(self, outputs: Any, items: Sequence[int], lane: LaneContext) -> list[int]:
        lane.network_s += 0.5
        return [2 * item for item in items]


def test_lanes_report_waiting_content_and_cores_and_statistics_add_them_up() -> None:
    device = CpuDevice(2)
    statistics = StageStatistics(["doubling"])

    def fail(*arguments: Any) -> None:
        pytest.fail(f"unexpected: {arguments}")

    lane = Lane(Doubling(), 0, device, None, fail, fail, fail)
    now = time.monotonic()
    for cores, values in ((1, [6, 9]), (2, [7])):
        batch = [
            Item(Payload(value, DONE, "doubling"), bucket=10, cost=10, arrived=now - 10 * number)
            for number, value in enumerate(values, 1)
        ]
        results, report = lane.execute(Grant(batch, cores))
        assert results == [2 * value for value in values]
        statistics.add(report)
    counts = statistics.snapshot()["doubling"]
    assert (counts.items, counts.batches, counts.pixels, counts.content) == (3, 2, 30, 22)
    assert counts.padding == pytest.approx(8 / 30)
    assert counts.computed == pytest.approx(0.5 + 2 * 0.5)
    assert 40 <= counts.waited < 100, "10 and 20 seconds, and 10 of the other batch"
    statistics.snapshot()["doubling"].sizes[99] = 1
    assert 99 not in statistics.snapshot()["doubling"].sizes, "a snapshot is a copy"
    statistics.reset()
    assert statistics.snapshot()["doubling"] == StageCounts()


def test_padding_of_lines_is_counted_from_their_own_width() -> None:
    stage = RecognitionStage(CtcDecoder(("a",), None), 0.5)
    page = PageImage(np.zeros((100, 400, 3), np.uint8))
    quad = np.array([[0, 0], [200, 0], [200, 48], [0, 48]], np.float32)
    item = RecognitionItem(page, quad)
    assert stage.content(item) == 48 * 200
    assert stage.cost(item) > stage.content(item)


def test_figures_of_a_stage() -> None:
    counts = StageCounts(batches=2, items=6, pixels=1000, content=900, busy=3.0, network=2.4, waited=0.3)
    counts.sizes.update({4: 1, 2: 1})
    result = stages_benchmark.stage_figures(counts, documents=3)
    assert result["mean_batch"] == 3
    assert list(result["batch_sizes"].items()) == [("2", 1), ("4", 1)]
    assert result["waiting_ms_per_item"] == pytest.approx(50)
    assert result["network_ms_per_document"] == pytest.approx(800)
    assert result["padding"] == pytest.approx(0.1)


# --- memory -----------------------------------------------------------------------------------------------------


def test_page_sizes_never_repeat() -> None:
    found = memory.sizes(500)
    assert len(set(found)) == 500
    assert all(memory.SIDES[0] <= side <= memory.SIDES[1] for size in found for side in size)
    assert found == memory.sizes(500)


@pytest.mark.parametrize(("width", "height"), [(40, 300), (300, 40), (120, 90), (500, 400)])
def test_a_page_gets_exactly_its_size(width: int, height: int) -> None:
    page = np.zeros((90, 120, 3), np.uint8)
    fitted = memory.fit(page, width, height)
    assert fitted.shape == (height, width, 3)
    assert not fitted[: min(height, 45), : min(width, 60)].any(), "the picture is at the top left"


def test_pages_are_made_of_pictures_only(tmp_path: Path) -> None:
    picture = tmp_path / "a.png"
    cv2.imwrite(str(picture), np.zeros((50, 50, 3), np.uint8))
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.7")
    pages = list(memory.resized_pages([tmp_path / "b.pdf", picture], 3))
    decoded = [cv2.imdecode(np.frombuffer(page, np.uint8), cv2.IMREAD_COLOR) for page in pages]
    assert [page.shape for page in decoded if page is not None] == [(h, w, 3) for w, h in memory.sizes(3)]
    with pytest.raises(DatasetError, match="pictures"):
        list(memory.resized_pages([tmp_path / "b.pdf"], 1))
