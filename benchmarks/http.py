"""The service beside the engine: throughput, latency, what happens beyond its capacity, and memory.

The engine reads in a process of its own, with as many documents in flight as the service has clients; rounds of both
alternate. Then documents come at a multiple of the capacity that was measured, whether or not others were answered.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

if sys.path[0] == str(Path(__file__).resolve().parent):  # run by its path: this file is not Python's own http
    sys.path[0] = str(Path(__file__).resolve().parents[1])

import aiohttp
import orjson
from rich.console import Console
from rich.table import Table

from benchmarks import machine
from benchmarks.child import Child, ChildFailed
from benchmarks.contenders import IN_FLIGHT, Entry, InProcess
from benchmarks.documents import gather
from benchmarks.figures import pairwise_ratio, rounded, spread
from benchmarks.http_figures import allowed_latency_ms, memory_figures, milliseconds, phase_figures, stage_figures
from benchmarks.http_load import Answer, arrivals, closed_loop, open_loop, probe
from benchmarks.http_server import Server, ServerFailed
from pipeline.cli.outputs import write_atomically
from schemas.errors import InklaneError

PROBE_S = 0.1
"""Seconds between health checks while documents come in the open loop."""

SAMPLE_S = 1.0
"""Seconds between looks at the memory meanwhile."""

_LOOKS = 10  # at the workers' figures, until they are those of the end


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; the exit status."""
    options = _parser().parse_args(arguments)
    console = Console(stderr=True)
    try:
        paths = [sample.path.resolve() for sample in gather(options.images, limit=options.limit)]
        result = run(paths, options, console)
        if options.json is not None:
            write_atomically(options.json, orjson.dumps(rounded(result), option=orjson.OPT_INDENT_2) + b"\n")
    except (InklaneError, ChildFailed, ServerFailed, ValueError) as error:
        print(f"http: {error}", file=sys.stderr)
        return 1
    _show(result, Console(width=None if sys.stdout.isatty() else 140))
    return 0 if result["http_over_in_process"] >= options.fail_under else 1


def run(paths: Sequence[Path], options: argparse.Namespace, console: Console) -> dict[str, Any]:
    """Measure; what the JSON holds.

    Raises:
        ChildFailed, ServerFailed: a side cannot run.
    """
    if options.rounds < 1 or options.clients < 1 or options.room < 2 * options.clients:
        raise ValueError("at least one round, one client, and room for two pages of each client are needed")
    about = machine.describe()
    entry = Entry("in_process", "engine", InProcess, {"in_flight": options.clients})
    with ExitStack() as stack:
        child = stack.enter_context(Child(entry, paths))
        server = stack.enter_context(Server(options.room))
        console.print(f"ready: engine at {child.warm_up.rate:.2f} documents/s, {server.url}", soft_wrap=True)
        contents = [path.read_bytes() for path in paths]
        measured = asyncio.run(_Measurement(server, contents, options, console).run(child))
        return {
            "machine": about | {"load_after": machine.load()},
            "precision": child.precision,
            "documents": len(paths),
            "rounds": options.rounds,
            "clients": options.clients,
            "room_pages": options.room,
            "ready_seconds": {"in_process": child.ready_seconds, "http": server.ready_seconds},
        } | measured


class _Measurement:
    """All phases, one after the other."""

    def __init__(
        self, server: Server, contents: Sequence[bytes], options: argparse.Namespace, console: Console
    ) -> None:
        self._server, self._contents, self._options, self._console = server, contents, options, console

    async def run(self, child: Child) -> dict[str, Any]:
        options, count = self._options, len(self._contents)
        await self._phase(lambda post: closed_loop(post, count, options.clients))  # to get warm
        unloaded = await self._phase(lambda post: closed_loop(post, count, 1))
        rounds, in_process, answers = [], [], []
        first = await self._statistics()
        memory = [self._server.memory()]
        for number in range(options.rounds):
            in_process.append(child.round().rate)
            phase = await self._phase(lambda post: closed_loop(post, count, options.clients))
            rounds.append(phase_figures(phase)["documents_per_second"])
            answers += phase
            memory.append(self._server.memory())
            self._console.print(
                f"round {number + 1} of {options.rounds}: in-process {in_process[-1]:.2f}, http {rounds[-1]:.2f}"
            )
        last = await self._statistics()
        closed = phase_figures(answers) | {"documents_per_second": spread(rounds) | {"rounds": rounds}}
        del closed["seconds"]  # every round begins at 0
        result: dict[str, Any] = {
            "in_process": {"documents_per_second": spread(in_process) | {"rounds": in_process}},
            "unloaded": phase_figures(unloaded),
            "closed": closed | {"stages": stage_figures(first, last), "memory_mib": memory},
            "http_over_in_process": _ratio(rounds, in_process),
            "open": {},
        }
        pages = _pages(last) - _pages(first)
        capacity = closed["documents_per_second"]["median"]
        if pages and capacity:
            pages_per_second = capacity * pages / max(1, closed["read"])
            for multiple in options.rate:
                result["open"][f"{multiple:g}"] = await self._open(multiple, capacity, pages_per_second, unloaded)
        return result

    async def _open(
        self, multiple: float, capacity: float, pages_per_second: float, unloaded: Sequence[Answer]
    ) -> dict[str, Any]:
        """Documents at a multiple of the capacity, while health and memory are looked at."""
        due = arrivals(multiple * capacity, self._options.seconds)
        self._console.print(f"{multiple:g} times the capacity: {len(due)} documents in {self._options.seconds:g} s")
        first = await self._statistics()
        done = asyncio.Event()
        watching = asyncio.create_task(self._watch(done))
        try:
            answers = await self._phase(lambda post: open_loop(post, due, len(self._contents)))
        finally:
            done.set()
        health, memory = await watching
        last = await self._statistics()
        alone = phase_figures(unloaded)["latency_ms"]
        return phase_figures(answers) | {
            "rate": multiple * capacity,
            "allowed_p99_ms": allowed_latency_ms(alone["p99"], self._options.room, pages_per_second) if alone else None,
            "stages": stage_figures(first, last),
            "health_ms": milliseconds(health),
            "memory_mib": memory_figures(memory, SAMPLE_S),
        }

    async def _phase(self, load: Callable[[Any], Awaitable[list[Answer]]]) -> list[Answer]:
        """One phase, with connections of its own."""
        self._server.check()
        connector = aiohttp.TCPConnector(limit=0)
        timeout = aiohttp.ClientTimeout(total=None)
        async with aiohttp.ClientSession(self._server.url, connector=connector, timeout=timeout) as session:

            async def post(document: int) -> tuple[int, str]:
                try:
                    async with session.post("/v1/documents", data=self._contents[document]) as response:
                        body = await response.read()
                except aiohttp.ClientError as error:
                    return 0, type(error).__name__
                return response.status, "" if response.status == 200 else str(orjson.loads(body).get("code"))

            return await load(post)

    async def _watch(self, done: asyncio.Event) -> tuple[list[float], list[dict[str, float]]]:
        samples = [self._server.memory()]

        async def look() -> None:
            samples.append(self._server.memory())

        async with aiohttp.ClientSession(self._server.url) as session:

            async def check() -> None:
                async with session.get("/v2/health/live") as response:
                    response.raise_for_status()

            taken, _ = await asyncio.gather(probe(check, PROBE_S, done), probe(look, SAMPLE_S, done))
        return taken, samples

    async def _statistics(self) -> dict[str, Any]:
        """The workers' figures once nothing is going on any more; they come about once a second."""
        told: dict[str, Any] = {}
        async with aiohttp.ClientSession(self._server.url) as session:
            for _ in range(_LOOKS):
                before = told
                async with session.get("/v1/statistics") as response:
                    told = await response.json()
                if told == before:
                    break
                await asyncio.sleep(2 * SAMPLE_S)
        return told


def _pages(statistics: dict[str, Any]) -> int:
    return sum(statistics["pages"].values())


def _ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    return pairwise_ratio(ours, theirs) if min(theirs) > 0 else 0.0


def _show(result: dict[str, Any], console: Console) -> None:
    about = result["machine"]
    console.print(
        f"{about['processor']}, {about['cores']} cores, load {about['load']} before and {about['load_after']} after; "
        f"{result['documents']} documents, {result['precision']}, {result['clients']} clients",
        soft_wrap=True,
        highlight=False,
    )
    table = Table()
    table.add_column("")
    for heading in ("documents/s", "p50 ms", "p95 ms", "p99 ms", "read", "shed", "429 p99 ms", "failed", "mean batch"):
        table.add_column(heading, justify="right")
    inside = result["in_process"]["documents_per_second"]["median"]
    table.add_row("in-process", f"{inside:.2f}")
    table.add_row("one client", *_cells(result["unloaded"]))
    closed = result["closed"]
    table.add_row(f"{result['clients']} clients", *_cells(closed | {"documents_per_second": _median(closed)}))
    for multiple, phase in result["open"].items():
        table.add_row(f"{multiple} x capacity", *_cells(phase))
    console.print(table)
    console.print(f"http_over_in_process: {result['http_over_in_process']:.3f}", highlight=False)
    for multiple, phase in result["open"].items():
        memory, health, allowed = phase["memory_mib"], phase["health_ms"] or {"p99": 0.0}, phase["allowed_p99_ms"] or 0
        console.print(
            f"{multiple} x capacity: p99 may be {allowed:.0f} ms; health p99 {health['p99']:.1f} ms; "
            f"memory {memory['first']['front']:.0f} + {memory['first']['workers']:.0f} MiB at first, "
            f"{memory['last']['front']:.0f} + {memory['last']['workers']:.0f} at last (front end + workers), "
            f"{memory['growth_mib_per_minute']:+.1f} a minute in the second half",
            soft_wrap=True,
            highlight=False,
        )


def _median(phase: dict[str, Any]) -> float:
    return phase["documents_per_second"]["median"]  # type: ignore[no-any-return]  # plain JSON


def _cells(phase: dict[str, Any]) -> list[str]:
    latency, shed = phase["latency_ms"], phase["shed_ms"]
    batches = " ".join(f"{name[:4]} {stage['mean_batch']:.1f}" for name, stage in phase.get("stages", {}).items())
    return [
        f"{phase['documents_per_second']:.2f}",
        *(f"{latency[name]:.0f}" if latency else "" for name in ("p50", "p95", "p99")),
        str(phase["read"]),
        str(phase["shed"]),
        f"{shed['p99']:.0f}" if shed else "",
        " ".join(f"{count}x {what}" for what, count in phase["failed"].items()),
        batches,
    ]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.http", description=__doc__)
    add = parser.add_argument
    add("--images", type=Path, nargs="+", default=[], metavar="LIST", help="as for benchmarks.peers")
    add("--limit", type=int, help="only the first documents of each entry of --images")
    add("--rounds", type=int, default=5, help="rounds of each side [default: 5]")
    add("--clients", type=int, default=IN_FLIGHT, help=f"clients in the closed loop [default: {IN_FLIGHT}]")
    add(
        "--rate", type=float, nargs="*", default=[2.0], help="multiples of the capacity, for the open loop [default: 2]"
    )
    add("--seconds", type=float, default=120.0, help="seconds of each open loop [default: 120]")
    add("--room", type=int, default=32, help="pages that may wait and be read at once [default: 32]")
    add("--fail-under", type=float, default=0.0, metavar="RATIO", help="exit status 1 if the service is slower")
    add("--json", type=Path, help="write all figures here")
    return parser


if __name__ == "__main__":
    sys.exit(main())
