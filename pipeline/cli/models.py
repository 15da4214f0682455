"""``inklane models``: which models there are; ``inklane models check``: whether they work."""

from __future__ import annotations

import os
from collections.abc import Sequence

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from models.check import check_models
from models.listing import ModelStatus, list_models
from schemas.settings import load_settings

app = typer.Typer(help="List the models, or check that they work.", add_completion=False)

NON_TERMINAL_WIDTH = 100
LONGEST_NAME = 30
"""Names up to this length stay in one piece."""


@app.callback(invoke_without_command=True)
def list_command(
    context: typer.Context,
    everything: bool = typer.Option(False, "--all", help="Also the models that PaddleOCR's hub would deliver."),
    licences: bool = typer.Option(False, "--licences", help="Show each model's licence instead of where it is."),
) -> None:
    """List the models: task, format, where they were found, backends; below, how to get those that are not here."""
    if context.invoked_subcommand is not None:
        return
    models = list_models(load_settings(), with_hub=everything)
    console = _console()
    if licences:
        table = _table("name", "task", "licence")
        for model in models:
            table.add_row(model.name, model.task or "?", model.licence or "?")
        _keep_whole(table, [model.name for model in models])
        console.print(table)
        return
    hints = list(dict.fromkeys(model.note for model in models if model.note))
    table = _table("name", "task", "format", "backends", "found in")
    for model in models:
        place = Text(f"[{hints.index(model.note) + 1}] " if model.note else "", style="yellow")
        place.append("\n".join(model.where) or "not here", style="default")
        table.add_row(model.name, model.task or "?", ", ".join(model.formats) or "-", _backends(model), place)
    _keep_whole(table, [model.name for model in models])
    console.print(table)
    for number, hint in enumerate(hints, 1):
        console.print(Text.assemble((f"[{number}] ", "yellow"), hint), soft_wrap=True)
    if any(model.missing_backends for model in models):
        console.print("* this backend is not installed", style="dim")
    known = sorted({model.licence for model in models if model.licence})
    console.print(f"Licences: {', '.join(known)} (--licences: model by model)", style="dim", highlight=False)


def _backends(model: ModelStatus) -> str:
    return ", ".join([*model.backends, *(f"{name}*" for name in model.missing_backends)]) or "-"


def _console() -> Console:
    console = Console()
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = NON_TERMINAL_WIDTH
    return console


@app.command("check")
def check_command() -> None:
    """Load each model found with each backend that can run it, and let it read a line. Exit status 1: one failed."""
    console = _console()
    table = _table("name", "task", "backend", "result", "seconds", "detail")
    failed = 0
    for result in check_models(load_settings()):
        failed += not result.ok
        verdict = Text("ok", style="green") if result.ok else Text("FAILED", style="bold red")
        table.add_row(result.name, result.task, result.backend, verdict, f"{result.seconds:.1f}", Text(result.detail))
    console.print(table)
    if failed:
        raise typer.Exit(1)


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold", min_width=len(column))  # a name that is cut short is of no use
    return table


def _keep_whole(table: Table, names: Sequence[str]) -> None:
    """Let names be one piece, unless one is so long that it would take the others' room."""
    table.columns[0].min_width = min(LONGEST_NAME, max(map(len, names), default=0))
