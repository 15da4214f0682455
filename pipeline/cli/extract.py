"""``inklane extract``: documents and folders in, JSON, pictures and a table out."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, BinaryIO, get_args

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from pipeline.cli.inputs import Input, Inputs, find_inputs
from pipeline.cli.outputs import make_folder, output_names, write_atomically
from pipeline.cli.page_range import parse_pages
from pipeline.cli.reading import read_in_order
from pipeline.cli.summary import Summary, counted, notices, printable, skipped_files
from pipeline.outputs.kinds import KINDS, Kind
from schemas.document import Document
from schemas.errors import DocumentError, InklaneError, InvalidRequest
from schemas.requests import Reader, ReadOptions
from schemas.serialise import failure_to_json, to_json
from schemas.settings import BackendName, Precision, Settings, load_settings

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

BackendChoice = Enum("BackendChoice", {name: name for name in get_args(BackendName)}, type=str)  # type: ignore[misc]
OutputChoice = Enum("OutputChoice", {name: name for name in KINDS}, type=str)  # type: ignore[misc]
PrecisionChoice = Enum("PrecisionChoice", {name: name for name in get_args(Precision)}, type=str)  # type: ignore[misc]

INTERRUPTED = 130
NON_TERMINAL_WIDTH = 120


@dataclass(slots=True)
class Outputs:
    """Where results go, and what they are called there."""

    names: dict[Path, Path]
    stdout: BinaryIO | None = None
    folder: Path | None = None
    picture_folder: Path | None = None
    kind: Kind = KINDS["json"]
    printed: Kind = KINDS["json"]

    used: list[Path] = field(default_factory=list)
    _written: bool = False

    def write(self, file: Input, document: Document, options: ReadOptions, settings: Settings) -> InklaneError | None:
        """Write one document's results.

        Returns:
            What was wrong with this document, if a form of it could not be made.

        Raises:
            InklaneError: they cannot be written, nor will the next one's be.
        """
        name = self.names[file.path]
        try:
            if self.stdout is not None:
                self._print(self._text_of(file, document, settings))
            if self.folder is not None:
                target = self.folder / name
                content = _rendered(file, document, self.kind, settings, indent=True)
                write_atomically(target.with_name(target.name + self.kind.suffix), content)
                self._use(self.folder)
        except DocumentError as error:
            return error
        if self.picture_folder is not None and draw(document, file.path, self.picture_folder / name, options, settings):
            self._use(self.picture_folder)
        return None

    def write_failure(self, file: Input, error: InklaneError) -> None:
        """Tell among the JSON documents, where they are printed, which one is missing there and why."""
        if self.stdout is not None and self.printed.name == "json":
            self._print(failure_to_json(file.name, error) + b"\n")

    def _text_of(self, file: Input, document: Document, settings: Settings) -> bytes:
        """What is printed for a document: JSON on one line; documents of text are parted as pages are."""
        text = _rendered(file, document, self.printed, settings)
        if self._written and self.printed.name in _PARTED:
            text = _PARTED[self.printed.name] + text
        self._written = True
        return text

    def _print(self, text: bytes) -> None:
        assert self.stdout is not None
        try:
            self.stdout.write(text)
            self.stdout.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise InklaneError(f"cannot write to standard output: {error.strerror}") from error

    def _use(self, folder: Path) -> None:
        if folder not in self.used:
            self.used.append(folder)


_PARTED = {"text": b"\f", "markdown": b"\n---\n\n"}
"""Forms of which several documents can follow one another, and what is put between them."""


def _rendered(file: Input, document: Document, kind: Kind, settings: Settings, *, indent: bool = False) -> bytes:
    if kind.name == "json":
        return to_json(document, indent=indent) + b"\n"
    from pipeline.outputs import render  # only now: the PDF brings PDFium

    return render(document, kind.name, file.path, limits=settings.limits)[0]


@contextmanager
def open_reader(settings: Settings) -> Iterator[Reader]:
    """What reads the documents: worker processes, or this process where the settings say so."""
    from pipeline.api import Inklane  # only now: it takes a while, and --help need not wait for it

    with Inklane(settings) as inklane:
        yield inklane.reader


def draw(document: Document, source: Path, target: Path, options: ReadOptions, settings: Settings) -> bool:
    """Write pictures of the pages that were read, with their polygons: ``target.jpg``, or one a page.

    Returns:
        Whether there was a page to draw.

    Raises:
        InklaneError: they cannot be written.
    """
    from pipeline.visualise import write_pictures  # only now: they bring all of OpenCV, and --help need not wait
    from stages.decode.document import open_document

    readable = tuple(page.page for page in document.pages if page.error is None)
    if not readable:
        return False
    dpi = options.dpi or settings.dpi
    try:
        with open_document(source, limits=settings.limits, dpi=dpi, pages=readable) as opened:
            write_pictures(document, map(opened.decode, readable), target.parent, name=target.name)
    except OSError as error:
        raise InklaneError(f"cannot write pictures to {target.parent}: {error.strerror}") from error
    return True


def _pages(text: str) -> tuple[tuple[int, ...], int | None]:
    try:
        return parse_pages(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


@app.command()
def extract(
    paths: list[str] = typer.Argument(..., metavar="PATH", help="Documents (images, PDFs) and folders of them."),
    json: bool = typer.Option(False, "--json", help="Print one JSON document a line, in the order of the input."),
    output: OutputChoice | None = typer.Option(
        None, "--output", help="The form of what --out writes; without --out it is printed. [default: json]"
    ),
    out: Path | None = typer.Option(None, "--out", metavar="DIR", help="Write one file a document here, NAME.json."),
    visualize: Path | None = typer.Option(
        None, "--visualize", metavar="DIR", help="Write pictures with polygons here."
    ),
    pages: Any = typer.Option(None, "--pages", metavar="LIST", parser=_pages, help="Pages to read: 2, 1-3,7 or 5-."),
    dpi: int | None = typer.Option(None, "--dpi", min=36, max=1200, help="Resolution at which PDF pages are read."),
    doc_type: str | None = typer.Option(
        None, "--type", metavar="NAME", help="Document type: receipt, id_card …; auto recognises it, none: no fields."
    ),
    doctypes: Path | None = typer.Option(None, "--doctypes", metavar="DIR", help="Document types of your own (YAML)."),
    words: bool = typer.Option(False, "--words", help="Give every word its own box, too."),
    backend: BackendChoice | None = typer.Option(None, "--backend", help="The runtime that computes the networks."),
    precision: PrecisionChoice | None = typer.Option(None, "--precision", help="How exactly it computes."),
    charset: str | None = typer.Option(None, "--charset", help="full, latin, digits, or chars:CHARACTERS."),
    verbose: bool = typer.Option(False, "--verbose", "-v", help="Name every file that was skipped."),
    config: Path | None = typer.Option(
        None, "--config", exists=True, dir_okay=False, help="Settings file. [default: inklane.toml, if there]"
    ),
) -> None:
    """Read documents.

    A document that cannot be read is reported on standard error, the others go on, and the exit status is 1.
    """
    if sys.stdout is None and (json or (output is not None and out is None)):
        what = "JSON" if json or output is None else output.value
        raise InklaneError(f"cannot write {what}: standard output is closed; open it, or use --out")
    settings = _settings(config, backend=backend, precision=precision, charset=charset, doctypes=doctypes)
    numbers, onward = pages if pages is not None else (None, None)
    kind = KINDS["json" if output is None else output.value]
    options = ReadOptions(pages=numbers, pages_from=onward, dpi=dpi, words=words or kind.words, doc_type=doc_type)
    if doc_type is not None or doctypes is not None:
        _check_type(doc_type, settings)
    folders = [folder for folder in (out, visualize) if folder is not None]
    inputs = find_inputs(paths, leave_out=folders)
    printed = KINDS["json"] if json else kind if output is not None and out is None else None
    _check_printed(printed, kind, inputs, has_folder=out is not None)
    names = dict(zip((file.path for file in inputs.files), output_names(inputs.files), strict=True))
    if out is not None:
        _check_targets(out, names, kind)
    for folder in folders:
        if inputs.files or os.path.exists(folder):
            make_folder(folder)
    stdout = None if printed is None else sys.stdout.buffer
    outputs = Outputs(names, stdout, out, visualize, kind, printed or KINDS["json"])
    console = Console(stderr=True)
    summary = Summary()
    for name, error in inputs.problems:
        _tell(console, name, error.code, error.message)
    started = time.perf_counter()
    interrupted = False
    try:
        if inputs.files:
            with open_reader(settings) as reader:
                started = time.perf_counter()
                _read(reader, inputs, outputs, options, settings, console, summary)
        else:
            for entry in inputs.entries:
                if entry.error is not None:
                    outputs.write_failure(entry, entry.error)
                    summary.add_failure(entry.name, entry.error)
    except KeyboardInterrupt:
        interrupted = True
    seconds = time.perf_counter() - started
    if inputs.skipped:
        _say(console, skipped_files(inputs.skipped, verbose=verbose))
    if inputs.files:
        if printed is not None:
            _say(console, summary.totals(seconds))
        else:
            _print_table(summary, seconds, outputs.used)
    if interrupted:
        left = len(inputs.entries) - summary.documents
        _say(console, f"inklane: interrupted; {counted(left, 'document')} {'was' if left == 1 else 'were'} not read")
        raise typer.Exit(INTERRUPTED)
    if summary.failed:
        raise typer.Exit(1)


def _check_printed(printed: Kind | None, kind: Kind, inputs: Inputs, *, has_folder: bool) -> None:
    """Refuse to print what cannot be told apart, or read, on standard output.

    Raises:
        BadParameter: so it is; what to do instead.
    """
    if printed is None:
        return
    if kind != printed and not has_folder:
        raise typer.BadParameter(f"--json prints JSON; give --out DIR for {kind.name}", param_hint="--output")
    alone = len(inputs.entries) == 1 and not (printed.pages and sys.stdout.isatty())
    if not alone and printed.name != "json" and printed.name not in _PARTED:
        raise typer.BadParameter(
            f"{printed.name} goes into files, one a document: give --out DIR", param_hint="--output"
        )


def _check_targets(folder: Path, names: dict[Path, Path], kind: Kind) -> None:
    """Refuse to write over the documents themselves (``--out`` names their own folder, say).

    Raises:
        BadParameter: a document is in the way.
    """
    sources = {os.path.realpath(path): path for path in names}
    for name in names.values():
        target = folder / name
        source = sources.get(os.path.realpath(target.with_name(target.name + kind.suffix)))
        if source is not None:
            raise typer.BadParameter(
                f"{printable(str(source))} would be written over; give another folder", param_hint="--out"
            )


def _check_type(doc_type: str | None, settings: Settings) -> None:
    """Refuse types that cannot be read before anything is loaded.

    Raises:
        BadParameter: there is no such type.
        SettingsError: a file of the user's own has a fault.
    """
    from pipeline.doc_types import asked_type, load_types  # only now: --help need not wait for it

    try:
        asked_type(doc_type, settings, load_types(settings))
    except InvalidRequest as error:
        raise typer.BadParameter(error.message, param_hint="--type") from error


def _settings(config: Path | None, **given: Any) -> Settings:
    values: dict[str, Any] = {name: given[name].value for name in ("backend", "precision") if given[name] is not None}
    if given["charset"] is not None:
        values["recognition"] = {"charset": given["charset"]}
    if given["doctypes"] is not None:
        values["fields"] = {"doctypes_dir": given["doctypes"]}
    if config is None:
        return load_settings(**values)
    before = os.environ.get("INKLANE_CONFIG")
    os.environ["INKLANE_CONFIG"] = str(config)
    try:
        return load_settings(**values)
    finally:
        if before is None:
            del os.environ["INKLANE_CONFIG"]
        else:
            os.environ["INKLANE_CONFIG"] = before


def _read(
    reader: Reader,
    inputs: Inputs,
    outputs: Outputs,
    options: ReadOptions,
    settings: Settings,
    console: Console,
    summary: Summary,
) -> None:
    # Enough documents to fill the batches whatever their page count, few enough to hold their results in memory.
    in_flight = 16 + 2 * settings.max_pages_in_flight
    with _progress(console, shown=console.is_terminal and outputs.stdout is None) as progress:
        task = progress.add_task("reading", total=len(inputs.entries))
        outcomes = read_in_order(
            reader, inputs.entries, options, in_flight=in_flight, on_done=lambda: progress.advance(task)
        )
        for file, outcome in outcomes:
            if isinstance(outcome, InklaneError):
                summary.add_failure(file.name, outcome)
                outputs.write_failure(file, outcome)
                if file.error is None:  # else it was told before
                    _tell(console, file.name, outcome.code, outcome.message)
                continue
            for notice in notices(outcome):
                where = file.name if notice.page is None else f"{file.name}, page {notice.page}"
                _tell(console, where, notice.code, notice.message)
            failed = outputs.write(file, outcome, options, settings)
            if failed is not None:
                _tell(console, file.name, failed.code, failed.message)
                summary.add_failure(file.name, failed)
            else:
                summary.add_document(outcome)


def _progress(console: Console, *, shown: bool) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not shown,
        transient=True,
        redirect_stdout=False,  # standard output belongs to the results
        redirect_stderr=False,
    )


def _tell(console: Console, name: str, code: str, message: str) -> None:
    _say(console, printable(f"{name}: {message} [{code}]"))


def _say(console: Console, text: str) -> None:
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def _print_table(summary: Summary, seconds: float, folders: list[Path]) -> None:
    console = Console()
    if not console.is_terminal:
        console = Console(width=NON_TERMINAL_WIDTH)
    summary.print(console, seconds)
    for folder in folders:
        _say(console, f"results in {folder}")
