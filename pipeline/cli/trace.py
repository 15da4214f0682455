"""``inklane trace``: documents in, a picture of what the lanes did and when out."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import typer

from pipeline.cli.inputs import Input, find_inputs
from pipeline.cli.outputs import write_atomically
from pipeline.cli.reading import read_in_order
from pipeline.cli.summary import counted, printable
from pipeline.worker.interface import ServiceReader
from schemas.document import Document
from schemas.errors import InklaneError
from schemas.requests import ReadOptions
from schemas.settings import load_settings
from schemas.trace import TraceEvent, events_of, summarise, to_chrome

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

VIEWER = "open it at https://ui.perfetto.dev or chrome://tracing"


@app.command()
def trace(
    paths: list[str] = typer.Argument(..., metavar="PATH", help="Documents (images, PDFs) and folders of them."),
    out: Path = typer.Option(Path("trace.json"), "--out", metavar="FILE", help="Where the trace is written."),
    repeat: int = typer.Option(1, "--repeat", min=1, max=1000, help="Read everything so many times."),
    doc_type: str | None = typer.Option(None, "--type", metavar="NAME", help="As for inklane extract."),
) -> None:
    """Record what every lane does while documents are read, in the format of Chrome's trace viewer.

    There is a row for each lane, a bar for each batch, and arrows that follow each page.
    """
    inputs = find_inputs(paths, leave_out=[])
    for name, error in inputs.problems:
        print(printable(f"{name}: {error.message} [{error.code}]"), file=sys.stderr)
    if not inputs.files:
        raise InklaneError("there is no document to read; name an image, a PDF or a folder of them")
    from pipeline.worker.open import open_reader  # only now: it takes a while, and --help need not wait for it

    settings = load_settings()
    reader = open_reader(settings)
    try:
        in_flight = 16 + 2 * settings.max_pages_in_flight
        events, failed = record(reader, inputs.files * repeat, ReadOptions(doc_type=doc_type), in_flight=in_flight)
    finally:
        reader.close()
    write_atomically(out, json.dumps(to_chrome(events), ensure_ascii=False).encode("utf-8", "replace"))
    print(describe(events, out))
    if failed or inputs.problems:
        raise typer.Exit(1)


def record(
    reader: ServiceReader, files: list[Input], options: ReadOptions, *, in_flight: int
) -> tuple[list[TraceEvent], int]:
    """Read files while recording: the batches, and how many files could not be read."""
    failed = 0
    reader.control("trace", action="start").result()
    for file, outcome in read_in_order(reader, files, options, in_flight=in_flight):
        if not isinstance(outcome, Document):
            print(printable(f"{file.name}: {outcome.message} [{outcome.code}]"), file=sys.stderr)
            failed += 1
    return events_of(reader.control("trace", action="stop").result()), failed


def describe(events: list[TraceEvent], out: Path) -> str:
    """What was recorded, in a few lines."""
    summary = summarise(events)
    pages = {page for event in events for page in event.pages if page[1]}
    lines = [f"{out}: {len(events)} batches of {counted(len(pages), 'page')} in {summary.seconds:.2f} s; {VIEWER}"]
    for stage, seconds in summary.busy.items():
        batches = [event for event in events if event.stage == stage]
        items = sum(event.size for event in batches)
        lines.append(f"  {stage:<12} {seconds:7.2f} s in {len(batches)} batches of {items / len(batches):.1f} items")
    lines.append(f"batches of two stages or more ran at once in {summary.overlap:.0%} of the time")
    return "\n".join(lines)
