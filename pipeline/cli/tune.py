"""``inklane tune``: finds the settings that are fastest on this machine, and writes them down."""

from __future__ import annotations

import datetime
from importlib import metadata
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from pipeline.cli.extract import NON_TERMINAL_WIDTH, BackendChoice
from pipeline.tuning.documents import find_documents
from pipeline.tuning.knobs import Changes, Knob, changed, knobs, spelled
from pipeline.tuning.machine import processor
from pipeline.tuning.search import Found, search
from pipeline.tuning.settings_file import refuse_existing, to_toml, write_settings
from pipeline.tuning.subject import LiveSubject
from pipeline.tuning.trial import Rules, Trial
from schemas.settings import Settings, load_settings

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="markdown")

DEFAULTS = {name: f"{Settings.model_fields[name].default}, or as set" for name in ("backend", "precision")}
"""Shown in the help: what is used where neither a file nor a variable says otherwise."""

THOROUGH = Rules(rounds=6)
QUICK = Rules(rounds=3)
DOCUMENTS = {True: 8, False: 24}
"""Documents of a round, for quick runs and for thorough ones."""


@app.command()
def tune(
    images: Annotated[
        Path | None, typer.Option(exists=True, file_okay=False, help="A folder with documents like yours.")
    ] = None,
    out: Annotated[Path, typer.Option(dir_okay=False, help="The settings file to write.")] = Path("inklane.toml"),
    quick: Annotated[bool, typer.Option("--quick", help="Fewer documents, choices and rounds.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the settings file if it exists.")] = False,
    backend: Annotated[
        BackendChoice | None,
        typer.Option(show_default=DEFAULTS["backend"], help="The runtime that computes the networks."),
    ] = None,
) -> None:
    """Measure which settings read documents fastest on this machine, and write those that beat the ones in force.

    Takes minutes, of all cores; close other programs. A setting is changed only if it wins by more than 3 %. Where
    nothing wins, nothing is written. Exit status: 0; 1 if nothing could be measured; 2 for wrong options or settings.
    """
    if not force:
        refuse_existing(out)
    settings = load_settings(**({} if backend is None else {"backend": backend.value}))
    paths = find_documents(images, DOCUMENTS[quick])
    console = Console(stderr=True)
    rules = QUICK if quick else THOROUGH
    run = _Run(settings, paths, DOCUMENTS[quick], quick, console)
    found = search(run.knobs_for, run.open, rules, sweeps=1 if quick else 2, on_trial=run.tell)
    output = Console()
    if not output.is_terminal:
        output = Console(width=NON_TERMINAL_WIDTH)
    output.print(_table(found))
    if not found.changes:
        output.print("The settings in force are best here; nothing was written.", highlight=False)
        return
    header = run.header(rules)
    write_settings(out, to_toml(changed(settings, found.changes), header, comments(found)), replace=force)
    output.print(f"{spelled(found.changes)}: written to {out}", markup=False, highlight=False, soft_wrap=True)


def comments(found: Found) -> dict[str, str]:
    """What was measured for each setting that is to be changed, by its dotted name."""
    result: dict[str, str] = {}
    for trial in found.trials:
        if trial.verdict == "taken":
            text = f"{_ratio(trial)} as fast as before; {_agreement(trial)} of the words read alike"
            for name in trial.changes:
                result.pop(name, None)
            result[next(iter(trial.changes))] = text
    return {name: text for name, text in result.items() if name in found.changes}


class _Run:
    """What the search asks for: readers, knobs, and somebody to tell."""

    def __init__(self, settings: Settings, paths: list[Path], least: int, quick: bool, console: Console) -> None:
        self._settings, self._paths, self._least, self._quick = settings, paths, least, quick
        self._console = console
        self._precision = ""
        self._backend = ""

    def open(self, changes: Changes) -> LiveSubject:
        """A reader with changes to the settings in force."""
        subject = LiveSubject(changed(self._settings, changes), self._paths, self._least)
        if not changes:
            self._precision, self._backend = subject.precision, subject.models.get("backend", "")
            self._say(f"{processor().name}, {self._settings.core_count} cores, {self._backend}")
            for path, reason in subject.failed.items():
                self._say(f"{path}: {reason}")
        return subject

    def knobs_for(self, changes: Changes) -> list[Knob]:
        """What to try from here."""
        return knobs(
            changed(self._settings, changes), str(changes.get("precision", self._precision)), quick=self._quick
        )

    def tell(self, trial: Trial) -> None:
        """Show what came of a trial."""
        ratios = " ".join(f"{ratio:.2f}" for ratio in trial.ratios)
        self._say(f"{spelled(trial.changes)}: {trial.verdict} ({trial.reason or ratios})")

    def header(self, rules: Rules) -> list[str]:
        """What the settings file says about where it comes from."""
        try:
            version = metadata.version("inklane")
        except metadata.PackageNotFoundError:
            version = "(not installed)"
        return [
            f"Found by inklane tune {version} on {datetime.date.today().isoformat()}: the settings that differ from "
            "the defaults.",
            f"{processor().name}, {self._settings.core_count} cores; {self._backend} before; {len(self._paths)} "
            f"documents, up to {rules.rounds} pairs of rounds a choice.",
        ]

    def _say(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)


def _table(found: Found) -> Table:
    table = Table()
    for name in ("setting", "tried"):
        table.add_column(name, overflow="fold")
    for name in ("speed", "rounds", "words alike"):
        table.add_column(name, justify="right")
    table.add_column("verdict", overflow="fold")
    for trial in found.trials:
        table.add_row(
            trial.knob,
            spelled(trial.changes),
            _ratio(trial) if trial.ratios else "",
            str(len(trial.ratios) or ""),
            _agreement(trial) if trial.agreement is not None else "",
            f"{trial.verdict}: {trial.reason}" if trial.reason else trial.verdict,
        )
    return table


def _ratio(trial: Trial) -> str:
    return f"{trial.speed:.3f} times"


def _agreement(trial: Trial) -> str:
    return f"{trial.agreement or 0:.2%}"
