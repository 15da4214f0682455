"""``inklane train layout-ner``: trains the network that reads fields, on labelled documents and synthetic ones."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from pipeline.training.job import RENDERED, Places, check_free, execute, load_job, make_job, require_packages
from pipeline.training.recipe import TrainingRecipe
from schemas.errors import SettingsError
from schemas.settings import load_settings
from schemas.settings_fields import variable

if TYPE_CHECKING:
    from pipeline.training.measure import Score

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="markdown")

INTERRUPTED = 130
_TELL_EVERY_S = 10.0


@app.callback()
def _group() -> None:
    """Train a network."""


@app.command("layout-ner")
def layout_ner(
    data: Annotated[
        list[Path] | None,
        typer.Option(exists=True, file_okay=False, help="A folder of labelled documents. Repeatable."),
    ] = None,
    out: Annotated[
        Path, typer.Option(file_okay=False, help="The folder of the run; the model is in its model/.")
    ] = Path("out/layout_ner"),
    doc_type: Annotated[
        str | None,
        typer.Option("--type", help="The document type where labels do not tell it (PPOCRLabel's never do)."),
    ] = None,
    doctypes: Annotated[
        Path | None,
        typer.Option(exists=True, file_okay=False, help="Document types of your own; reader: network makes them tags."),
    ] = None,
    synthetic: Annotated[
        bool | None, typer.Option("--synthetic/--no-synthetic", help="Train on synthetic documents too (yes).")
    ] = None,
    rendered: Annotated[
        int | None, typer.Option(min=0, help=f"Synthetic documents that are drawn and read, too ({RENDERED}).")
    ] = None,
    read: Annotated[
        bool | None,
        typer.Option("--read/--no-read", help="Read the images, to train on what the engine makes of them (yes)."),
    ] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="How long to train, in steps (8000).")] = None,
    minutes: Annotated[float | None, typer.Option(min=0.1, help="How long to train, in minutes, instead.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Another seed gives another network (1).")] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, max=256, help="Batches of a step, each on a core of its own (all cores).")
    ] = None,
    evaluation: Annotated[
        list[Path] | None,
        typer.Option(
            "--eval", exists=True, file_okay=False, help="A folder to measure on when all is done. Repeatable."
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(help="The model's name in results (layout-ner).")] = None,
    recipe: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="Repeat a run; what other options say goes before it."),
    ] = None,
    export_only: Annotated[
        bool, typer.Option("--export-only", help="Make a model of the best weights of a run that was stopped.")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace what is in --out.")] = False,
) -> None:
    """Train the network that reads fields; it takes an hour or two on two cores.

    Images are read first, then training runs, then the model is measured, exported and described. Exit status: 0; 1 if
    it could not be done; 2 for wrong options; 130 after Ctrl-C, which keeps the best weights so far.
    """
    console = Console(stderr=True)

    def say(text: str) -> None:
        console.print(text, markup=False, highlight=False, soft_wrap=True)

    require_packages()
    settings = load_settings()
    places = Places(out)
    check_free(places, overwrite=overwrite, export_only=export_only)
    if export_only:
        given = (
            data,
            doc_type,
            doctypes,
            synthetic,
            rendered,
            read,
            steps,
            minutes,
            seed,
            processes,
            evaluation,
            recipe,
        )
        if any(value is not None for value in given) or name is not None:
            raise SettingsError("--export-only takes everything from --out; only --overwrite goes with it")
        job = load_job(places)
    else:
        if steps is not None and minutes is not None:
            raise SettingsError("--steps and --minutes exclude each other")
        if processes is None and recipe is None:
            processes = settings.core_count
        changes = {"name": name, "seed": seed, "synthetic": synthetic, "read": read, "processes": processes}
        job, told = make_job(
            data=data or [],
            evaluation=evaluation or [],
            doctypes=doctypes,
            doc_type=doc_type,
            recipe=recipe,
            changes=changes,
            rendered=rendered,
            steps=steps,
            minutes=minutes,
        )
        for sentence in told:
            say(sentence)
    try:
        measured = execute(job, places, settings, say, _Progress(console), export_only=export_only)
    except KeyboardInterrupt as error:
        say(_stopped(places))
        raise typer.Exit(INTERRUPTED) from error
    _tell(job.recipe, places, job.doctypes, measured.scores)


class _Progress:
    """Says now and then how far something is."""

    def __init__(self, console: Console) -> None:
        self._console, self._what, self._told = console, "", 0.0

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if what != self._what:
            self._what, self._told = what, now
        if done == total or now - self._told >= _TELL_EVERY_S:
            self._told = now
            self._console.print(f"{what}: {done} of {total}", markup=False, highlight=False, soft_wrap=True)


def _stopped(places: Places) -> str:
    again = "what was drawn and read is kept: the same command goes on from there"
    if not places.weights.is_file():
        return f"stopped; {again}"
    return (
        f"stopped; the best weights so far are kept: inklane train layout-ner --out {places.out} --export-only makes a "
        f"model of them. To train from the start, repeat the command with --overwrite; {again}"
    )


def _tell(recipe: TrainingRecipe, places: Places, doctypes: Path | None, scores: list[Score]) -> None:
    console = Console()

    def line(text: str) -> None:
        console.print(text, markup=False, highlight=False, soft_wrap=True)

    for score in scores:
        f1 = "-" if score.f1 is None else f"{score.f1:.3f}"
        line(f"{score.name}, {score.pages} pages, {score.lines} lines: field F1 {f1}")
    line(
        f"{recipe.name} is in {places.model}; its README.md tells what it learnt from and what it is worth. "
        "Use it with:"
    )
    line(f"export {variable('models.layout_ner')}={places.model.resolve()}")
    if doctypes is not None:
        line(f"export {variable('fields.doctypes_dir')}={doctypes}")
