"""``inklane evaluate``: how well a labelled dataset is read."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from pipeline.cli.extract import NON_TERMINAL_WIDTH, BackendChoice, PrecisionChoice, open_reader
from pipeline.cli.outputs import write_atomically
from pipeline.evaluation import report, runner
from pipeline.evaluation.field_reader import open_field_reader
from pipeline.evaluation.field_report import field_tables
from pipeline.evaluation.html import to_html
from pipeline.evaluation.judge import AUTO, BY_TRUTH, NO_FIELDS, default_type
from pipeline.evaluation.lines import evaluate_lines
from pipeline.evaluation.pictures import page_loader
from pipeline.evaluation.scoring import DocumentScore
from schemas.doctypes import load_doctypes
from schemas.errors import InklaneError, InvalidRequest
from schemas.settings import Settings, load_settings
from schemas.truth import TruthDocument, load_truth

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="markdown")

DEFAULTS = {name: f"{Settings.model_fields[name].default}, or as set" for name in ("backend", "precision")}
"""Shown in the help: what is used where neither a file nor a variable says otherwise."""

BELOW_THE_BAR = 1
BAD_USAGE = 2

_STDOUT = Path("-")


class LinesChoice(StrEnum):
    """Whose lines the fields are read from."""

    read = "read"
    true = "true"


@app.command()
def evaluate(
    dataset: Annotated[Path, typer.Argument(help="A folder with labels.jsonl and its images, or such a file.")],
    fail_under: Annotated[
        list[str] | None,
        typer.Option(metavar="METRIC=BAR", help="Exit with status 1 if the metric is lower. Repeatable."),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N documents.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the scores here (- for the output).")] = None,
    html_file: Annotated[Path | None, typer.Option("--html", help="Write a report with the worst documents.")] = None,
    worst: Annotated[int, typer.Option(min=0, help="How many of the worst documents to show.")] = 10,
    doc_type: Annotated[
        str | None,
        typer.Option(
            "--type",
            metavar="TYPE",
            help="What to read documents as: a document type, auto, truth (what each is labelled as), or none. "
            "By default auto, if types or fields are labelled.",
        ),
    ] = None,
    lines: Annotated[
        LinesChoice, typer.Option(help="Fields from the lines as read, or from the labelled ones alone.")
    ] = LinesChoice.read,
    in_flight: Annotated[int, typer.Option(min=1, help="Documents in flight at once.")] = 16,
    backend: Annotated[
        BackendChoice | None,
        typer.Option(show_default=DEFAULTS["backend"], help="The runtime that computes the networks."),
    ] = None,
    precision: Annotated[
        PrecisionChoice | None, typer.Option(show_default=DEFAULTS["precision"], help="How exactly it computes.")
    ] = None,
) -> None:
    """Read a labelled dataset and measure how well: lines found, words and characters right, fields right.

    Exit status: 0; 1 if a bar of --fail-under was missed or no document could be read at all; 2 if the evaluation
    could not be made.
    """
    errors = Console(stderr=True)
    output = errors if json_file == _STDOUT else Console()
    if not output.is_terminal:
        output.width = NON_TERMINAL_WIDTH
    try:
        bars = report.parse_bars(fail_under or [])
        chosen = {"backend": backend, "precision": precision}
        settings = load_settings(**{name: choice.value for name, choice in chosen.items() if choice is not None})
        for file in (json_file, html_file):
            _check_writable(file)
        truths = load_truth(dataset, limit=limit)
        read_as = _doc_type(doc_type, truths, settings, lines)
        result = _run(truths, dataset, read_as, lines, in_flight, settings, errors)
        _write(result, json_file, html_file, worst, settings)
    except InklaneError as error:
        errors.print(f"inklane: {error.message}", style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(BAD_USAGE) from error
    if result.text:
        output.print(report.summary_table(result))
    if result.has_fields:
        for table in field_tables(result.fields):
            output.print(table)
    if worst:
        output.print(report.worst_table(result, min(worst, 5)))
    missed = report.below(result, bars)
    if len(result.failed) == len(result.documents):
        missed.append("no document could be read")
    for sentence in missed:
        errors.print(sentence, style="red", markup=False, highlight=False, soft_wrap=True)
    if missed:
        raise typer.Exit(BELOW_THE_BAR)


def _doc_type(asked: str | None, truths: list[TruthDocument], settings: Settings, lines: LinesChoice) -> str:
    """What documents are read as.

    Raises:
        InvalidRequest: there is no such type, or nothing that could be measured.
    """
    if asked is None:
        asked = default_type(truths) if settings.fields.enabled else NO_FIELDS
    types = load_doctypes(settings.fields.doctypes_dir)
    if asked not in {AUTO, BY_TRUTH, NO_FIELDS, *types}:
        raise InvalidRequest(
            f"--type {asked}: there is no such document type; there are {', '.join(types)}, and {AUTO}, {BY_TRUTH} "
            f"and {NO_FIELDS}"
        )
    if lines is LinesChoice.true and asked == NO_FIELDS:
        raise InvalidRequest("--lines true measures fields alone, but none are labelled or none are to be read")
    return asked


def _run(
    truths: list[TruthDocument],
    dataset: Path,
    doc_type: str,
    lines: LinesChoice,
    in_flight: int,
    settings: Settings,
    console: Console,
) -> runner.Evaluation:
    name = dataset.resolve().name if dataset.is_dir() else dataset.resolve().parent.name
    if doc_type == NO_FIELDS:
        settings = settings.model_copy(update={"fields": settings.fields.model_copy(update={"enabled": False})})
    columns: list[Any] = [TextColumn("reading"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()]
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("reading", total=len(truths))

        def on_done(_: DocumentScore) -> None:
            progress.advance(task)

        if lines is LinesChoice.true:
            with open_field_reader(settings) as read_fields:
                return evaluate_lines(read_fields, truths, dataset=name, doc_type=doc_type, on_done=on_done)
        with open_reader(settings) as reader:
            return runner.evaluate(
                reader, truths, dataset=name, doc_type=doc_type, in_flight=in_flight, on_done=on_done
            )


def _check_writable(file: Path | None) -> None:
    """Before the work rather than after it.

    Raises:
        InklaneError: the file's folder does not exist, or it cannot be written there.
    """
    if file is None or file == _STDOUT:
        return
    if file.is_dir() or not os.access(file if file.exists() else file.parent, os.W_OK):
        raise InklaneError(f"{file} cannot be written; give a file in a folder that exists")


def _write(
    result: runner.Evaluation, json_file: Path | None, html_file: Path | None, worst: int, settings: Settings
) -> None:
    if json_file == _STDOUT:
        typer.echo(report.to_json(result).decode(), nl=False)
    elif json_file is not None:
        write_atomically(json_file, report.to_json(result))
    if html_file is not None:
        html = to_html(result, page_loader(settings), worst=worst)
        write_atomically(html_file, html.encode(errors="replace"))
