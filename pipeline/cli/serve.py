"""``inklane serve``: the HTTP service."""

from __future__ import annotations

import os
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import typer

from schemas.settings import BackendName, Precision, Settings, load_settings

if TYPE_CHECKING:
    from pipeline.server.run import OpenedReader

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

BackendChoice = Enum("BackendChoice", {name: name for name in get_args(BackendName)}, type=str)  # type: ignore[misc]
PrecisionChoice = Enum("PrecisionChoice", {name: name for name in get_args(Precision)}, type=str)  # type: ignore[misc]


@app.command()
def serve(
    host: str | None = typer.Option(None, "--host", metavar="ADDRESS", help="Listen here. [default: 127.0.0.1]"),
    port: int | None = typer.Option(
        None, "--port", "-p", min=0, max=65_535, help="Listen at this port; 0: any that is free. [default: 8080]"
    ),
    keys: Path | None = typer.Option(None, "--keys", metavar="FILE", help="API keys (see inklane keys)."),
    insecure: bool = typer.Option(False, "--insecure", help="Answer other computers without asking for keys."),
    data: Path | None = typer.Option(None, "--data", metavar="DIR", help="Keep jobs and uploads under way here."),
    doctypes: Path | None = typer.Option(None, "--doctypes", metavar="DIR", help="Document types of your own (YAML)."),
    backend: BackendChoice | None = typer.Option(None, "--backend", help="The runtime that computes the networks."),
    precision: PrecisionChoice | None = typer.Option(None, "--precision", help="How exactly it computes."),
    config: Path | None = typer.Option(
        None, "--config", exists=True, dir_okay=False, help="Settings file. [default: inklane.toml, if there]"
    ),
) -> None:
    """Answer requests over HTTP, until told to stop by SIGTERM or Ctrl-C.

    Only this computer can reach it unless --host says otherwise, and then API keys are asked for.
    """
    given = {"host": host, "port": port, "keys_file": keys, "data_dir": data, "insecure": insecure or None}
    values: dict[str, Any] = {"server": {name: value for name, value in given.items() if value is not None}}
    if doctypes is not None:
        values["fields"] = {"doctypes_dir": doctypes}
    values |= {name: choice.value for name, choice in (("backend", backend), ("precision", precision)) if choice}
    if config is not None:
        os.environ["INKLANE_CONFIG"] = str(config)
    settings = load_settings(**values)

    from pipeline.json_log import configure  # only now, and what follows: --help need not wait for them
    from pipeline.server.run import serve as run

    configure("server")
    run(settings, lambda: open_warm(settings), announce, lambda: load_settings(**values).models.model_dump())


def open_warm(settings: Settings) -> OpenedReader:
    """A warm reader: worker processes, or this process where the settings say so."""
    from pipeline.server.run import OpenedReader
    from pipeline.worker.client import WorkerClient
    from pipeline.worker.open import LOGGED_ENGINE, open_reader
    from pipeline.worker.pool import WorkerPool

    reader = open_reader(settings, settings.server.workers, LOGGED_ENGINE)

    def close(timeout: float) -> None:
        if isinstance(reader, WorkerClient | WorkerPool):
            reader.close(timeout)
        else:
            reader.close()

    return OpenedReader(reader, close)


def announce(url: str, seconds: float) -> None:
    """Tell people, and programs that wait for the line."""
    print(f"inklane serves at {url} (ready after {seconds:.1f} s)", flush=True)
