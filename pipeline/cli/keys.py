"""``inklane keys``: API keys for the service."""

from __future__ import annotations

import functools
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from pipeline.server.security.key_file import add_key, revoke_key
from pipeline.server.security.keys import make_key, read_keys
from schemas.settings import load_settings

app = typer.Typer(help="API keys for the service.", add_completion=False, no_args_is_help=True)

DEFAULT_NAME = "keys.json"

_File = Annotated[
    Path | None,
    typer.Option("--file", dir_okay=False, help=f"The file of keys (server.keys_file, else {DEFAULT_NAME} here)."),
]


@app.command("add")
def add(
    name: Annotated[str, typer.Argument(help="Whose key it is; it may stand in logs.")],
    requests_per_minute: Annotated[int | None, typer.Option(min=1, help="Requests a minute, at most.")] = None,
    pages_per_day: Annotated[int | None, typer.Option(min=1, help="Pages a day (UTC), at most.")] = None,
    admin: Annotated[bool, typer.Option("--admin", help="It may also change which models read.")] = False,
    file: _File = None,
) -> None:
    """Make a key. It is printed on standard output, this once: only its hash is kept."""
    path = _path(file)
    make = functools.partial(
        make_key, name, _now(), requests_per_minute=requests_per_minute, pages_per_day=pages_per_day, admin=admin
    )
    text, key = add_key(path, make)
    print(text)
    Console(stderr=True, highlight=False, soft_wrap=True).print(
        f"Key {key.id} for {key.name!r} is in {path}. Keep what was printed: it cannot be shown again.", markup=False
    )


@app.command("list")
def list_command(file: _File = None) -> None:
    """List the keys: never the keys themselves."""
    table = Table(box=None, pad_edge=False)
    for column in ("id", "name", "per minute", "per day", "admin", "made", "revoked"):
        table.add_column(column, overflow="fold")
    for key in read_keys(_path(file)):
        rate, pages = (str(limit or "-") for limit in (key.requests_per_minute, key.pages_per_day))
        table.add_row(
            key.id, key.name, rate, pages, "yes" if key.admin else "-", _date(key.created), _date(key.revoked)
        )
    Console(markup=False).print(table)


@app.command("revoke")
def revoke(
    key: Annotated[str, typer.Argument(help="The key's name or id.")],
    file: _File = None,
) -> None:
    """Put a key out of force, within a second or two, without a new start of the service."""
    revoked = revoke_key(_path(file), key, _now())
    Console(stderr=True, highlight=False).print(f"Key {revoked.id} of {revoked.name!r} is revoked.", markup=False)


def _path(file: Path | None) -> Path:
    return file or load_settings().server.keys_file or Path(DEFAULT_NAME)


def _date(time: str | None) -> str:
    return "-" if time is None else time[:10]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
