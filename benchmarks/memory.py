"""Memory of both processes, as in production: in steady state, then over pages of five hundred different sizes.

The pages are real or drawn ones, scaled and cut to sizes that never repeat. Every shape that a runtime prepares for
costs memory; what is kept must be bounded.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import orjson

if sys.path[0] == str(Path(__file__).resolve().parent):  # run by its path: http.py is not Python's own http
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from benchmarks.documents import gather
from benchmarks.figures import growth, rounded
from benchmarks.machine import memory
from pipeline.api import Inklane
from pipeline.cli.outputs import write_atomically
from pipeline.worker.client import WorkerClient
from schemas.document import Document
from schemas.errors import DatasetError, InklaneError
from schemas.settings import load_settings

SIDES = (400, 2000)
"""Shortest and longest side of a page, in pixels."""

_JPEG_QUALITY = 90


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; the exit status."""
    options = _parser().parse_args(arguments)
    try:
        paths = [sample.path for sample in gather(options.images, limit=options.limit)]
        result = run(paths, options.pages, options.every, options.passes)
        if options.json is not None:
            write_atomically(options.json, orjson.dumps(rounded(result), option=orjson.OPT_INDENT_2) + b"\n")
    except (InklaneError, ValueError) as error:
        print(f"memory: {error}", file=sys.stderr)
        return 1
    return 0


def run(paths: Sequence[Path], pages: int, every: int, passes: int) -> dict[str, Any]:
    """Read, and note the resident memory of both processes; what the JSON holds."""
    if pages < 1 or every < 1 or passes < 0:
        raise ValueError("pages and every must be at least 1, passes at least 0")
    with Inklane(load_settings(in_process=False)) as inklane:
        assert isinstance(inklane.reader, WorkerClient)
        worker = inklane.reader
        result: dict[str, Any] = {"start": _note(worker, "ready")}
        result["steady"] = []
        for number in range(passes):
            failed = sum(not isinstance(outcome, Document) for outcome in inklane.stream(paths))
            label = f"{len(paths)} documents, pass {number + 1}" + (f", {failed} failed" if failed else "")
            result["steady"].append(_note(worker, label))
        result["sizes"] = []
        failed = 0
        for count, outcome in enumerate(inklane.stream(resized_pages(paths, pages)), 1):
            failed += not isinstance(outcome, Document)
            if count % every == 0 or count == pages:
                result["sizes"].append({"pages": count} | _note(worker, f"{count} page sizes"))
        result["failed"] = failed
        second_half = [note["both"] for note in result["sizes"] if note["pages"] > pages / 2]
        result["growth_mib_per_100_pages"] = growth(second_half) * 100 / every
        if passes:
            list(inklane.stream(paths))
            result["end"] = _note(worker, f"{len(paths)} documents again")
    print(
        f"growth over the second half: {result['growth_mib_per_100_pages']:.1f} MiB per 100 pages; "
        f"{failed} pages failed"
    )
    return result


def resized_pages(paths: Sequence[Path], count: int, seed: int = 1) -> Iterator[bytes]:
    """JPEG files of ``count`` pages, no two of one size, made from the pictures at ``paths``.

    Raises:
        DatasetError: none of the paths is a picture.
    """
    pictures = [path for path in paths if path.suffix.lower() != ".pdf" and _load(path) is not None]
    if not pictures:
        raise DatasetError("memory: pages can only be made from pictures, and there are none")
    for index, (width, height) in enumerate(sizes(count, seed)):
        page = _load(pictures[index % len(pictures)])
        assert page is not None
        yield cv2.imencode(".jpg", fit(page, width, height), [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])[1].tobytes()


def sizes(count: int, seed: int = 1) -> list[tuple[int, int]]:
    """``count`` different sizes (width, height), from tall slips to wide sheets, the same ones for a seed."""
    rng = random.Random(seed)
    found: dict[tuple[int, int], None] = {}
    while len(found) < count:
        found[rng.randint(*SIDES), rng.randint(*SIDES)] = None
    return list(found)


def fit(page: Any, width: int, height: int) -> Any:
    """A page of exactly this size: the picture scaled by half at least and double at most, then cut or padded."""
    scale = min(2.0, max(0.5, min(width / page.shape[1], height / page.shape[0])))
    scaled = cv2.resize(page, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    result = np.full((height, width, 3), 255, np.uint8)
    part = scaled[:height, :width]
    result[: part.shape[0], : part.shape[1]] = part
    return result


def _load(path: Path) -> Any:
    return cv2.imdecode(np.fromfile(path, np.uint8), cv2.IMREAD_COLOR)


def _note(worker: WorkerClient, label: str) -> dict[str, float]:
    """Resident memory in MiB of this process (the front), of the worker, and of both."""
    front, pid = memory(), worker.worker_pid
    behind = memory(pid) if pid is not None else {"rss": 0.0, "peak": 0.0}
    both = front["rss"] + behind["rss"]
    print(
        f"{label}: front {front['rss']:.0f} MiB, worker {behind['rss']:.0f} (peak {behind['peak']:.0f}), "
        f"both {both:.0f} [worker {pid}, front {os.getpid()}]",
        flush=True,
    )
    return {
        "front": front["rss"],
        "worker": behind["rss"],
        "both": both,
        "front_peak": front["peak"],
        "worker_peak": behind["peak"],
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory", description=__doc__)
    parser.add_argument("--images", type=Path, nargs="+", default=[], metavar="LIST", help="as for benchmarks.peers")
    parser.add_argument("--limit", type=int, help="only the first documents of each entry of --images")
    parser.add_argument("--pages", type=int, default=500, help="pages of different sizes [default: 500]")
    parser.add_argument("--every", type=int, default=50, help="note memory after so many pages [default: 50]")
    parser.add_argument("--passes", type=int, default=2, help="passes over the documents before that [default: 2]")
    parser.add_argument("--json", type=Path, help="write all figures here")
    return parser


if __name__ == "__main__":
    sys.exit(main())
