"""The command ``inklane``: finds the command's module, and turns errors into a sentence and an exit status."""

from __future__ import annotations

import io
import os
import sys
from importlib import import_module, metadata
from importlib.util import find_spec
from typing import Any

import typer
from typer.core import TyperGroup

from schemas.errors import InklaneError, SettingsError

COMMANDS = {
    "extract": "pipeline.cli.extract",
    "evaluate": "pipeline.cli.evaluate",
    "keys": "pipeline.cli.keys",
    "models": "pipeline.cli.models",
    "serve": "pipeline.cli.serve",
    "trace": "pipeline.cli.trace",
    "train": "pipeline.cli.train",
    "tune": "pipeline.cli.tune",
}
"""Commands by name. Each module holds a ``typer.Typer`` called ``app`` and is imported only when it is used."""


class LazyGroup(TyperGroup):
    """Imports a command's module when the command is called, so that ``inklane --version`` need not load them all."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The commands that this installation has."""
        return [name for name, module in COMMANDS.items() if find_spec(module) is not None]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import one command."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command: Any = typer.main.get_command(import_module(COMMANDS[cmd_name]).app)
        command.name = cmd_name
        return command

    def invoke(self, ctx: Any) -> Any:
        """Run a command; an error raised on purpose ends as its sentence: 2 for settings, 1 for everything else."""
        try:
            return super().invoke(ctx)
        except InklaneError as error:
            print(f"inklane: {error.message}", file=sys.stderr)
            raise typer.Exit(2 if isinstance(error, SettingsError) else 1) from error


app = typer.Typer(
    name="inklane",
    cls=LazyGroup,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        try:
            version = metadata.version("inklane")
        except metadata.PackageNotFoundError:  # run from its folder without having been installed
            version = "(not installed)"
        print(f"inklane {version}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(False, "--version", callback=_print_version, is_eager=True, help="Show the version."),
) -> None:
    """Read document images and PDFs into structured JSON."""


def use_utf8() -> None:
    """Let standard output and error be UTF-8 under any locale; what it cannot hold is written as an escape."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def main() -> None:
    """Run ``inklane`` with the arguments of this process."""
    if sys.stderr is None:  # closed: messages go nowhere, rather than among the results
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (for as long as the process lives)
    use_utf8()
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # whoever read our output has gone; nor can the interpreter's last flush reach them
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(1)


if __name__ == "__main__":
    main()
