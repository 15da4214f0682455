"""Seconds from starting a Python process to a reader that is ready (models loaded, warmed up), and to a first result.

With the models' files in the system's cache, as after the first start.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

if sys.path[0] == str(Path(__file__).resolve().parent):  # run by its path: http.py is not Python's own http
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from benchmarks.documents import ROOT, gather
from benchmarks.figures import rounded, spread
from pipeline.cli.outputs import write_atomically
from schemas.errors import InklaneError

_PROGRAM = """
import sys
from pipeline.api import Inklane
if __name__ == "__main__":
    with Inklane(in_process=sys.argv[1] == "in_process") as inklane:
        print("ready", flush=True)
        inklane.read_one(sys.argv[2])
        print("read", flush=True)
        sys.stdin.read()  # the closing is not measured
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; the exit status."""
    options = _parser().parse_args(arguments)
    try:
        if options.rounds < 1:
            raise ValueError("at least one round is needed")
        document = gather([options.image] if options.image else [])[0].path.resolve()
        result: dict[str, Any] = {}
        for mode in ("worker", "in_process"):
            times = [start(mode, document) for _ in range(options.rounds)]
            result[mode] = {"ready": spread([t[0] for t in times]), "first_document": spread([t[1] for t in times])}
            print(
                f"{mode}: ready after {result[mode]['ready']['median']:.2f} s (at most "
                f"{result[mode]['ready']['max']:.2f}), first document after "
                f"{result[mode]['first_document']['median']:.2f} s",
                flush=True,
            )
        if options.json is not None:
            write_atomically(options.json, orjson.dumps(rounded(result), option=orjson.OPT_INDENT_2) + b"\n")
    except (InklaneError, ValueError, RuntimeError) as error:
        print(f"startup: {error}", file=sys.stderr)
        return 1
    return 0


def start(mode: str, document: Path) -> tuple[float, float]:
    """Start a process; seconds until it is ready, and until it has read one document.

    Raises:
        RuntimeError: it did not get there.
    """
    command = [sys.executable, "-c", _PROGRAM, mode, str(document)]
    started = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, text=True) as process:
        assert process.stdout is not None
        times = []
        for expected in ("ready\n", "read\n"):
            if process.stdout.readline() != expected:
                raise RuntimeError(f"the process ended before it was {expected.strip()}")
            times.append(time.perf_counter() - started)
        process.communicate()
    return times[0], times[1]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.startup", description=__doc__)
    parser.add_argument("--image", type=Path, help="the document to read")
    parser.add_argument("--rounds", type=int, default=3, help="starts of each kind [default: 3]")
    parser.add_argument("--json", type=Path, help="write all figures here")
    return parser


if __name__ == "__main__":
    sys.exit(main())
