"""Inklane beside RapidOCR: one run, one list of documents, both sides warm.

Every contender lives in a process of its own from start to end. Each reads the list once to get warm; then the rounds
alternate between them (A B C D A B C D ...), so that whatever else happens on the machine happens to all of them.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import orjson
from rich.console import Console
from rich.table import Table

if sys.path[0] == str(Path(__file__).resolve().parent):  # run by its path: http.py is not Python's own http
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from benchmarks import machine
from benchmarks.child import Child, ChildFailed
from benchmarks.contenders import ENTRIES, IN_FLIGHT, Entry, Outcome, Round
from benchmarks.documents import Sample, gather
from benchmarks.figures import pairwise_ratio, percentile, rounded, spread
from pipeline.cli.outputs import write_atomically
from pipeline.evaluation.scoring import score, total
from schemas.document import Document, Notice
from schemas.errors import InklaneError

RATIOS = (
    ("inklane_concurrent", "rapidocr_openvino"),
    ("inklane_concurrent", "rapidocr_default"),
    ("inklane_single", "rapidocr_openvino"),
    ("inklane_concurrent", "rapidocr_openvino_f32"),
    ("inklane_single", "rapidocr_openvino_f32"),
)
METRICS = ("word_f1", "char_f1", "detection_hmean")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; the exit status."""
    options = _parser().parse_args(arguments)
    console = Console(stderr=True)
    try:
        entries = choose(options.only)
        samples = gather(options.images, limit=options.limit)
        result = run(entries, samples, options.rounds, console)
        if options.json is not None:
            write_atomically(options.json, orjson.dumps(rounded(result), option=orjson.OPT_INDENT_2) + b"\n")
    except (InklaneError, ChildFailed, ValueError) as error:
        print(f"peers: {error}", file=sys.stderr)
        return 1
    _show(result, Console(width=None if sys.stdout.isatty() else 140))
    return 0


def choose(only: Sequence[str]) -> list[Entry]:
    """The contenders by name; none named: all that make sense on this processor.

    Raises:
        ValueError: there is no contender of that name.
    """
    known = {entry.name: entry for entry in ENTRIES}
    for name in only:
        if name not in known:
            raise ValueError(f"there is no contender {name!r}; choose from {', '.join(known)}")
    if only:
        return [entry for entry in ENTRIES if entry.name in only]
    # RapidOCR in f32 is another contender only where OpenVINO would not choose f32 anyway.
    return [entry for entry in ENTRIES if not entry.informational or _has_bf16()]


def run(entries: Sequence[Entry], samples: Sequence[Sample], rounds: int, console: Console) -> dict[str, Any]:
    """Measure.

    Returns:
        What the JSON holds.

    Raises:
        ChildFailed: a contender cannot run.
    """
    if rounds < 1:
        raise ValueError(f"at least one round is needed, not {rounds}")
    loads = [machine.load()]
    about = machine.describe()
    paths = [sample.path.resolve() for sample in samples]
    measured: dict[str, list[Round]] = defaultdict(list)
    with ExitStack() as stack:
        children: list[Child] = []
        for entry in entries:
            child = stack.enter_context(Child(entry, paths))
            children.append(child)
            rate = child.warm_up.rate
            console.print(
                f"{entry.name}: started in {child.ready_seconds:.1f} s, first pass at {rate:.2f} documents/s",
                soft_wrap=True,
            )
        for number in range(rounds):
            for child in children:
                measured[child.entry.name].append(child.round())
            loads.append(machine.load())
            rates = ", ".join(f"{name} {series[-1].rate:.2f}" for name, series in measured.items())
            console.print(f"round {number + 1} of {rounds}: {rates}", soft_wrap=True)
        contenders = {child.entry.name: _summary(child, measured[child.entry.name], samples) for child in children}
    series = {name: [each.rate for each in rounds_] for name, rounds_ in measured.items()}
    return {
        "machine": about | {"load_after_each_round": loads[1:]},
        "documents": _counted(samples),
        "rounds": rounds,
        "in_flight": IN_FLIGHT,
        "contenders": contenders,
        "ratios": ratios(series),
        "ratios_of_rounds": {
            f"{a}_over_{b}": [x / y for x, y in zip(series[a], series[b], strict=True)]
            for a, b in RATIOS
            if a in series and b in series
        },
    }


def ratios(series: dict[str, list[float]]) -> dict[str, float]:
    """How many times as fast one contender is as another: the median over rounds that ran side by side."""
    return {f"{a}_over_{b}": pairwise_ratio(series[a], series[b]) for a, b in RATIOS if a in series and b in series}


def accuracy(samples: Sequence[Sample], outcomes: Sequence[Outcome]) -> dict[str, dict[str, Any]]:
    """Scores by dataset, each 0 to 1, as ``inklane evaluate`` defines them; a document not read counts as empty."""
    scores = defaultdict(list)
    for sample, outcome in zip(samples, outcomes, strict=True):
        if sample.truth is not None:
            read = outcome if isinstance(outcome, Document) else None
            error = None if read is not None else Notice("failed", str(outcome))
            scores[sample.dataset].append(score(sample.truth, read, error))
    return {
        dataset: {"documents": len(each)} | {name: total(each).metrics()[name] for name in METRICS}
        for dataset, each in scores.items()
    }


def _summary(child: Child, rounds: Sequence[Round], samples: Sequence[Sample]) -> dict[str, Any]:
    latencies = [1000 * latency for each in rounds for latency in each.latencies]
    outcomes = rounds[-1].outcomes
    return {
        "title": child.entry.title,
        "precision": child.precision,
        "documents_per_second": spread([each.rate for each in rounds]) | {"rounds": [each.rate for each in rounds]},
        "latency_ms": {"p50": percentile(latencies, 0.5), "p95": percentile(latencies, 0.95)},
        "processor_seconds_per_document": spread([each.processor / len(samples) for each in rounds])["median"],
        "accuracy": accuracy(samples, outcomes),
        "memory_mib": child.memory(),
        "ready_seconds": child.ready_seconds,
        "failed": {
            sample.path.name: outcome
            for sample, outcome in zip(samples, outcomes, strict=True)
            if isinstance(outcome, str)
        },
    }


def _counted(samples: Sequence[Sample]) -> dict[str, int]:
    names = [sample.dataset for sample in samples]
    return {"all": len(names)} | {name: names.count(name) for name in dict.fromkeys(names)}


def _has_bf16() -> bool:
    import openvino

    capabilities = openvino.Core().get_property("CPU", "OPTIMIZATION_CAPABILITIES")
    return "BF16" in {str(capability).upper() for capability in capabilities}


def _show(result: dict[str, Any], console: Console) -> None:
    about = result["machine"]
    datasets = [name for name in result["documents"] if name not in ("all", "unlabelled")]
    console.print(
        f"{about['processor']}, {about['cores']} cores ({', '.join(about['features'])}), load {about['load']} before "
        f"and {about['load_after_each_round'][-1]} after; {result['documents']['all']} documents, "
        f"{result['rounds']} rounds",
        highlight=False,
        soft_wrap=True,
    )
    table = Table()
    table.add_column("")
    for heading in ("precision", "documents/s", "min", "p50 ms", "p95 ms", *(f"F1 {name}" for name in datasets)):
        table.add_column(heading, justify="right")
    table.add_column("peak MiB", justify="right")
    for entry in result["contenders"].values():
        speed, latency = entry["documents_per_second"], entry["latency_ms"]
        f1 = (entry["accuracy"][name]["word_f1"] for name in datasets)
        table.add_row(
            entry["title"] + (f" ({len(entry['failed'])} failed)" if entry["failed"] else ""),
            entry["precision"],
            f"{speed['median']:.2f}",
            f"{speed['min']:.2f}",
            f"{latency['p50']:.0f}",
            f"{latency['p95']:.0f}",
            *("" if value is None else f"{value:.3f}" for value in f1),
            f"{entry['memory_mib']['peak']:.0f}",
        )
    console.print(table)
    for name, value in result["ratios"].items():
        console.print(f"{name}: {value:.2f}", highlight=False)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument(
        "--images",
        type=Path,
        nargs="+",
        default=[],
        metavar="LIST",
        help="folders (with labels.jsonl or without), text files that list paths, or documents "
        "[default: twenty documents each of two real datasets, if they are there, else samples/]",
    )
    parser.add_argument("--limit", type=int, help="only the first documents of each entry of --images")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each contender [default: 5]")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="only these contenders")
    parser.add_argument("--json", type=Path, help="write all figures here")
    return parser


if __name__ == "__main__":
    sys.exit(main())
