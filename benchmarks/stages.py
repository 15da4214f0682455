"""What each stage does while documents flow: batches, waiting, network time, padding, and the efficiency of the whole.

Efficiency is time in the networks over all the time that the cores had: 1 would be a machine that does nothing but
compute networks, on every core, all the time.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
from rich.console import Console
from rich.table import Table

if sys.path[0] == str(Path(__file__).resolve().parent):  # run by its path: http.py is not Python's own http
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from benchmarks import machine
from benchmarks.contenders import IN_FLIGHT, read_in_flight
from benchmarks.documents import gather
from benchmarks.figures import percentile, rounded
from pipeline.cli.outputs import write_atomically
from schemas.document import Document
from schemas.errors import InklaneError
from schemas.settings import load_settings
from stages.statistics import StageCounts


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; the exit status."""
    options = _parser().parse_args(arguments)
    try:
        paths = [sample.path for sample in gather(options.images, limit=options.limit)]
        result = run(paths, options.rounds, options.in_flight)
        if options.json is not None:
            write_atomically(options.json, orjson.dumps(rounded(result), option=orjson.OPT_INDENT_2) + b"\n")
    except (InklaneError, ValueError) as error:
        print(f"stages: {error}", file=sys.stderr)
        return 1
    _show(result, Console(width=None if sys.stdout.isatty() else 140))
    return 0


def run(paths: Sequence[Path], rounds: int, in_flight: int) -> dict[str, Any]:
    """Read the documents once to get warm, then ``rounds`` times; what the JSON holds."""
    from pipeline.engine import Engine  # only now: it brings OpenCV and all the rest, and --help need not wait

    if rounds < 1 or in_flight < 1:
        raise ValueError("at least one round and one document in flight are needed")
    settings = load_settings(in_process=True)
    engine = Engine(settings)
    try:
        read_in_flight(engine.submit, paths, in_flight)
        engine.counts.reset()
        latencies: list[float] = []
        failed: dict[str, str] = {}
        before, started = os.times(), time.perf_counter()
        for _ in range(rounds):
            took, outcomes = read_in_flight(engine.submit, paths, in_flight)
            latencies += took
            failed |= {p.name: o for p, o in zip(paths, outcomes, strict=True) if not isinstance(o, Document)}
        wall, after = time.perf_counter() - started, os.times()
        counts = engine.counts.snapshot()
        models = engine.models
    finally:
        engine.close()
    processor = after.user + after.system - before.user - before.system
    documents = rounds * len(paths)
    return {
        "machine": machine.describe(),
        "models": models,
        "documents": len(paths),
        "rounds": rounds,
        "in_flight": in_flight,
        "documents_per_second": documents / wall,
        "latency_ms": {"p50": 1000 * percentile(latencies, 0.5), "p95": 1000 * percentile(latencies, 0.95)},
        "failed": failed,
        "stages": {name: stage_figures(c, documents) for name, c in counts.items() if c.batches},
        **efficiency(counts, wall, settings.core_count, processor),
    }


def stage_figures(counts: StageCounts, documents: int) -> dict[str, Any]:
    """The figures of one stage. Times are milliseconds; of the lanes', each counts on its own."""
    return {
        "items": counts.items,
        "batches": counts.batches,
        "mean_batch": counts.mean_batch,
        "batch_sizes": {str(size): counts.sizes[size] for size in sorted(counts.sizes)},
        "waiting_ms_per_item": 1000 * counts.waited / counts.items,
        "busy_ms_per_document": 1000 * counts.busy / documents,
        "network_ms_per_document": 1000 * counts.network / documents,
        "padding": counts.padding,
        "dropped": dict(counts.dropped),
    }


def efficiency(counts: dict[str, StageCounts], wall: float, cores: int, processor: float) -> dict[str, float]:
    """Where the cores' time went, as shares of ``wall`` seconds on ``cores``.

    ``efficiency``: in networks (a batch that was granted several cores counts for each). ``lanes_busy``: in stages.
    ``processor``: processor time of the process; where it is well below ``lanes_busy``, something else was running
    on the machine. ``network_of_busy``: the networks' share of the stages' own time, which such noise changes little.
    """
    available = wall * cores
    computed = sum(c.computed for c in counts.values())
    busy = sum(c.busy - c.network + c.computed for c in counts.values())
    return {
        "efficiency": computed / available,
        "lanes_busy": busy / available,
        "processor": processor / available,
        "network_of_busy": computed / busy if busy else 0.0,
    }


def _show(result: dict[str, Any], console: Console) -> None:
    table = Table()
    table.add_column("stage")
    for heading in ("items", "mean batch", "waiting ms/item", "busy ms/doc", "network ms/doc", "padding"):
        table.add_column(heading, justify="right")
    table.add_column("batches by size")
    for name, stage in result["stages"].items():
        table.add_row(
            name,
            str(stage["items"]),
            f"{stage['mean_batch']:.2f}",
            f"{stage['waiting_ms_per_item']:.1f}",
            f"{stage['busy_ms_per_document']:.1f}",
            f"{stage['network_ms_per_document']:.1f}",
            f"{stage['padding']:.1%}" if stage["padding"] else "",
            " ".join(f"{size}:{count}" for size, count in stage["batch_sizes"].items()),
        )
    console.print(table)
    latency = result["latency_ms"]
    console.print(
        f"{result['models'].get('backend', '')}: {result['documents_per_second']:.2f} documents/s, "
        f"latency p50 {latency['p50']:.0f} ms, p95 {latency['p95']:.0f} ms; {len(result['failed'])} failed\n"
        f"efficiency {result['efficiency']:.3f} (network time over wall time and cores); stages busy "
        f"{result['lanes_busy']:.3f}, of which network {result['network_of_busy']:.3f}; processor time of this process "
        f"{result['processor']:.3f}",
        highlight=False,
        soft_wrap=True,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stages", description=__doc__)
    parser.add_argument("--images", type=Path, nargs="+", default=[], metavar="LIST", help="as for benchmarks.peers")
    parser.add_argument("--limit", type=int, help="only the first documents of each entry of --images")
    parser.add_argument("--rounds", type=int, default=3, help="times the list is read [default: 3]")
    parser.add_argument("--in-flight", type=int, default=IN_FLIGHT, help=f"documents at once [default: {IN_FLIGHT}]")
    parser.add_argument("--json", type=Path, help="write all figures here")
    return parser


if __name__ == "__main__":
    sys.exit(main())
