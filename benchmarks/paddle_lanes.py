"""Recognition with one lane and with two, on one list of lines: what a second lane is worth.

The lines are those that detection finds on the documents. Both sides run the recognition stage alone, as the engine
does: its lanes, its batcher, as many compute slots as cores. Rounds alternate, and the ratio is the median over pairs
of rounds. On Paddle it tells whether a network runs without holding Python's lock: with the lock held, a second lane is
worth nothing.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

if sys.path[0] == str(Path(__file__).resolve().parent):  # run by its path: http.py is not Python's own http
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from benchmarks import machine
from benchmarks.documents import gather
from benchmarks.figures import pairwise_ratio, rounded, spread
from pipeline.build import Plant, StagePlan, build
from pipeline.cli.outputs import write_atomically
from schemas.errors import InklaneError
from schemas.settings import BackendName, Settings, load_settings
from stages.batcher import DropReason, Item
from stages.decode.document import open_document
from stages.detection.box import TALL
from stages.detection.stage import DetectionItem
from stages.devices.base import Device
from stages.devices.cpu import DONE
from stages.dispatcher import Dispatcher, StageEntry
from stages.lane import BatchReport, Lane, Payload
from stages.recognition.stage import RecognitionItem
from stages.stage import LaneContext

LANES = (1, 2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; the exit status."""
    options = _parser().parse_args(arguments)
    try:
        paths = [sample.path for sample in gather(options.images, limit=options.limit)]
        result = run(paths, options.backend, options.rounds)
        if options.json is not None:
            write_atomically(options.json, orjson.dumps(rounded(result), option=orjson.OPT_INDENT_2) + b"\n")
    except (InklaneError, ValueError) as error:
        print(f"paddle_lanes: {error}", file=sys.stderr)
        return 1
    for lanes in LANES:
        rate = result["lines_per_second"][str(lanes)]
        print(f"{lanes} recognition lanes: {rate['median']:.1f} lines/s ({rate['min']:.1f} to {rate['max']:.1f})")
    print(f"{result['models']['backend']}, {result['lines']} lines: ratio {result['ratio']:.2f}")
    return int(result["ratio"] < options.fail_under)


def run(paths: Sequence[Path], backend: BackendName, rounds: int) -> dict[str, Any]:
    """Find the lines, read them once on each side to get warm, then ``rounds`` times; what the JSON holds.

    Raises:
        ValueError: no rounds, no lines, or the two sides read different texts.
    """
    if rounds < 1:
        raise ValueError("at least one round is needed")
    plants: list[Plant] = []
    sides: dict[int, Lanes] = {}
    try:
        for lanes in LANES:  # all models before any of them runs: Paddle's clones must not be made while others run
            plants.append(build(_settings(backend, lanes)))
        lines = find_lines(paths, plants[0], _settings(backend, 1))
        if not lines:
            raise ValueError("no lines on these documents")
        for lanes, plant in zip(LANES, plants, strict=True):
            sides[lanes] = Lanes(_plan(plant, "recognition"), plant.device)
        texts = [[line.decoded.text for line in sides[lanes].read(lines)[1]] for lanes in LANES]
        if texts[0] != texts[1]:
            raise ValueError("two lanes read other texts than one")
        rates: dict[int, list[float]] = {lanes: [] for lanes in LANES}
        for _ in range(rounds):
            for lanes in LANES:
                rates[lanes].append(len(lines) / sides[lanes].read(lines)[0])
    finally:
        for side in sides.values():
            side.close()
        for plant in plants:
            plant.close()
    return {
        "machine": machine.describe(),
        "models": plants[0].models,
        "documents": len(paths),
        "lines": len(lines),
        "rounds": rounds,
        "lines_per_second": {str(lanes): spread(rates[lanes]) for lanes in LANES},
        "ratio": pairwise_ratio(rates[LANES[1]], rates[LANES[0]]),
    }


def find_lines(paths: Sequence[Path], plant: Plant, settings: Settings) -> list[RecognitionItem]:
    """The horizontal lines that detection finds on the documents' pages."""
    plan = _plan(plant, "detection")
    assert plan.model is not None
    lane = LaneContext(plant.device, plant.device.stream(), plan.model.predictor(0))
    lines: list[RecognitionItem] = []
    for path in paths:
        with open_document(path, limits=settings.limits, dpi=settings.dpi) as document:
            for number in document.page_numbers:
                item = DetectionItem(document.decode(number))
                batch = plan.stage.collate([plan.stage.prepare(item, lane)], lane)
                (boxes,) = plan.stage.split(plan.stage.predict(batch, lane), [item], lane)
                lines += [RecognitionItem(item.page, box.quad) for box in boxes if box.height < TALL * box.width]
    return lines


class Lanes:
    """One stage alone with its lanes.

    Args:
        plan: the stage, its model and how many lanes it gets.
        device: where it runs, and how many batches at once.
    """

    def __init__(self, plan: StagePlan, device: Device) -> None:
        assert plan.model is not None
        self._stage = plan.stage
        self._left = threading.Semaphore(0)
        self._results: list[Any] = []
        self._dispatcher = Dispatcher(device.compute_slots, self._on_result, self._on_drop, None, self._on_death)
        lanes = [
            Lane(
                plan.stage,
                number,
                device,
                plan.model.predictor(number),
                self._dispatcher.done,
                self._dispatcher.out_of_memory,
                self._on_death,
            )
            for number in range(plan.lanes)
        ]
        self._dispatcher.add(StageEntry(plan.stage.name, plan.policy, room=1), lanes)
        self._dispatcher.start()

    def read(self, values: Sequence[Any]) -> tuple[float, list[Any]]:
        """Seconds for all items, and their results in order.

        Raises:
            Exception: what the first item that failed raised.
        """
        self._results = [None] * len(values)
        started = time.monotonic()
        items = [
            Item(
                Payload(value, DONE, self._stage.name, index),
                self._stage.bucket(value),
                self._stage.cost(value),
                started,
            )
            for index, value in enumerate(values)
        ]
        self._dispatcher.offer(self._stage.name, items)
        for _ in items:
            self._left.acquire()
        seconds = time.monotonic() - started
        for result in self._results:
            if isinstance(result, BaseException):
                raise result
        return seconds, self._results

    def close(self) -> None:
        """End the lanes."""
        self._dispatcher.close()

    def _on_result(self, item: Item[Payload], result: Any, report: BatchReport) -> None:
        self._results[item.payload.context] = result
        self._left.release()

    def _on_drop(self, item: Item[Payload], reason: DropReason) -> None:
        self._results[item.payload.context] = RuntimeError(f"an item was dropped: {reason}")
        self._left.release()

    def _on_death(self, error: BaseException) -> None:
        for index, result in enumerate(self._results):
            if result is None:
                self._results[index] = error
                self._left.release()


def _settings(backend: BackendName, lanes: int) -> Settings:
    settings = load_settings(in_process=True, backend=backend, precision="f32", cores=max(LANES))
    settings.stages.recognition.instances = lanes
    return settings


def _plan(plant: Plant, stage: str) -> StagePlan:
    return next(plan for plan in plant.plans if plan.stage.name == stage)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.paddle_lanes", description=__doc__)
    parser.add_argument("--images", type=Path, nargs="+", default=[], metavar="LIST", help="as for benchmarks.peers")
    parser.add_argument("--limit", type=int, default=4, help="documents of each entry of --images [default: 4]")
    parser.add_argument("--rounds", type=int, default=5, help="times the lines are read by each side [default: 5]")
    parser.add_argument("--backend", choices=("openvino", "onnxruntime", "paddle"), default="paddle")
    parser.add_argument("--fail-under", type=float, default=0.0, help="exit status 1 if the ratio is smaller")
    parser.add_argument("--json", type=Path, help="write all figures here")
    return parser


if __name__ == "__main__":
    sys.exit(main())
