"""``inklane models``: which models there are; ``inklane models check``: whether they work."""

from __future__ import annotations

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from models.check import check_models
from models.listing import list_models
from schemas.settings import load_settings

app = typer.Typer(help="List the models, or check that they work.", add_completion=False)


@app.callback(invoke_without_command=True)
def list_command(
    context: typer.Context,
    everything: bool = typer.Option(False, "--all", help="Also the models that PaddleOCR's hub would deliver."),
) -> None:
    """List the models: task, format, where they were found or what to do, backends, licence."""
    if context.invoked_subcommand is not None:
        return
    table = _table("name", "task", "format", "found in, or what to do", "backends", "licence")
    for status in list_models(load_settings(), with_hub=everything):
        place = Text("\n".join(status.where))
        if status.note:
            place.append("\n" if status.where else "").append(status.note, style="yellow")
        able = Text(", ".join(status.backends))
        if status.missing_backends:
            able.append(", " if status.backends else "")
            able.append(f"({', '.join(status.missing_backends)}: not installed)", style="dim")
        table.add_row(status.name, status.task or "?", ", ".join(status.formats) or "-", place, able, status.licence)
    Console().print(table)


@app.command("check")
def check_command() -> None:
    """Load each model found with each backend that can run it, and let it read a line. Exit status 1: one failed."""
    console = Console()
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
        # a name or a remedy that is cut short is of no use; names stay in one piece where there is room
        table.add_column(column, overflow="fold", min_width=len(column) if column != "name" else 18)
    return table
