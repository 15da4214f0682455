"""Writing a settings file: what differs from the defaults, and why."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from pipeline.cli.outputs import write_atomically
from schemas.errors import InklaneError, SettingsError
from schemas.settings import Settings


def to_toml(settings: Settings, header: Sequence[str] = (), comments: Mapping[str, str] | None = None) -> str:
    """The settings that differ from the defaults, as TOML.

    Args:
        settings: all settings.
        header: lines of a comment at the top.
        comments: by a setting's dotted name, a comment above it.
    """
    lines = [f"# {_one_line(line)}".rstrip() for line in header]
    _add_table(lines, (), settings.model_dump(exclude_defaults=True), comments or {})
    return "\n".join(lines) + "\n"


def refuse_existing(path: Path) -> None:
    """Stop before a long measurement whose result could not be written.

    Raises:
        SettingsError: the file exists.
    """
    if os.path.lexists(path):
        raise SettingsError(f"{path} exists already; name another file with --out, or replace it with --force")


def write_settings(path: Path, text: str, *, replace: bool) -> None:
    """Write a settings file whole or not at all.

    Args:
        path: where.
        text: its content.
        replace: whether an existing file may be replaced.

    Raises:
        SettingsError: it exists and may not be replaced.
        InklaneError: it cannot be written.
    """
    data = text.encode()
    if replace:
        write_atomically(path, data)
        return
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    write_atomically(temporary, data)
    try:
        _move_to_new(temporary, path)
    except FileExistsError:
        refuse_existing(path)
        raise InklaneError(f"cannot write {path}: it appears and disappears") from None
    except OSError as error:
        raise InklaneError(f"cannot write {path}: {error.strerror}") from error
    finally:
        temporary.unlink(missing_ok=True)


def _move_to_new(temporary: Path, path: Path) -> None:
    """Like a rename, but it fails where the target exists (a rename would replace it)."""
    try:
        os.link(temporary, path)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK):
            raise
        # A file system without hard links.
        with path.open("xb") as file:
            try:
                file.write(temporary.read_bytes())
            except BaseException:
                with contextlib.suppress(OSError):
                    path.unlink()
                raise


def _add_table(lines: list[str], path: tuple[str, ...], table: Mapping[str, Any], comments: Mapping[str, str]) -> None:
    plain = {name: value for name, value in table.items() if not isinstance(value, Mapping) and value is not None}
    if plain:
        if lines:
            lines.append("")
        if path:
            lines.append(f"[{'.'.join(path)}]")
    for name, value in plain.items():
        comment = comments.get(".".join((*path, name)))
        if comment is not None:
            lines.append(f"# {_one_line(comment)}")
        lines.append(f"{name} = {_value(value)}")
    for name, value in table.items():
        if isinstance(value, Mapping):
            _add_table(lines, (*path, name), value, comments)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, str | Path):
        # A JSON string is a TOML string, but for one character that TOML wants escaped.
        return orjson.dumps(str(value)).decode().replace("\x7f", "\\u007f")
    raise TypeError(f"a setting of type {type(value).__name__} cannot be written")


def _one_line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
