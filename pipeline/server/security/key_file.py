"""Changing the file of keys: whole or not at all, one change at a time."""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from pipeline.server.security.keys import ApiKey, format_keys, read_keys
from schemas.errors import InvalidRequest, SettingsError


def add_key(path: Path, make: Callable[[], tuple[str, ApiKey]]) -> tuple[str, ApiKey]:
    """Write a new key's hash down; the file and its folder are made where they are missing.

    Args:
        path: the file.
        make: makes the key: :func:`pipeline.server.security.keys.make_key` with its arguments.

    Returns:
        The key's text, which cannot be shown again, and what was written.

    Raises:
        SettingsError: the file cannot be used, or the key cannot be made.
        InvalidRequest: a key in force has this name.
    """
    text, key = make()
    with _alone(path):
        keys = read_keys(path) if path.exists() else []
        if any(other.name == key.name and other.revoked is None for other in keys):
            raise InvalidRequest(f"there is a key called {key.name!r}; choose another name, or revoke it first")
        while any(other.id == key.id for other in keys):  # one in thousands of millions
            text, key = make()
        _write(path, [*keys, key])
    return text, key


def revoke_key(path: Path, name_or_id: str, now: str) -> ApiKey:
    """Put a key out of force. It stays in the file, so that what logs say of it can be understood.

    Raises:
        SettingsError: the file cannot be used.
        InvalidRequest: no key in force is called so.
    """
    with _alone(path):
        keys = read_keys(path)
        found = [key for key in keys if key.revoked is None and name_or_id in (key.id, key.name)]
        if not found:
            raise InvalidRequest(f"no key in force is called {name_or_id!r}; see inklane keys list")
        revoked = replace(found[0], revoked=now)
        _write(path, [revoked if key is found[0] else key for key in keys])
    return revoked


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold a lock on the folder: the file itself is replaced by every change."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise SettingsError(f"the folder of the file of keys {path} cannot be used: {error.strerror}") from error
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _write(path: Path, keys: list[ApiKey]) -> None:
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # mode 0600
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(format_keys(keys))
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
    except OSError as error:
        raise SettingsError(f"the file of keys {path} cannot be written: {error.strerror}") from error
