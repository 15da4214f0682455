"""API keys: the file that holds their hashes, and who a key belongs to.

A key is ``ink_``, eight hexadecimal digits that name it, ``_`` and 256 random bits. They are ours, not a person's
choice, so that guessing is hopeless however fast the hash is, and a slow one (scrypt) would only let strangers keep
our processor busy. Hence plain SHA-256, compared in constant time. The file holds no key, but whoever may write it can
let himself in: it is made for its owner alone, and one that others may write is refused.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import os
import re
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from schemas.errors import SettingsError

log = logging.getLogger(__name__)

PREFIX = "ink"
_SECRET_BYTES = 32
_KEY = re.compile(rf"{PREFIX}_([0-9a-f]{{8}})_[0-9a-f]{{{2 * _SECRET_BYTES}}}")
_LONGEST = 128  # characters of what is looked at at all
_VERSION = 1
_LOOK_SECONDS = 1.0  # between looks at whether the file has changed
_NAME = re.compile(r"[^\x00-\x1f\x7f]{1,80}")


@dataclass(slots=True, frozen=True)
class ApiKey:
    """What is kept of a key. ``id`` is part of the key and may be logged; ``None`` as a limit means none.

    ``admin`` keys may also change which models read.
    """

    id: str
    name: str
    sha256: str
    created: str
    requests_per_minute: int | None = None
    pages_per_day: int | None = None
    admin: bool = False
    revoked: str | None = None


def make_key(
    name: str,
    now: str,
    *,
    requests_per_minute: int | None = None,
    pages_per_day: int | None = None,
    admin: bool = False,
) -> tuple[str, ApiKey]:
    """A new key: the text to hand out, which is kept nowhere, and what is written down.

    Raises:
        SettingsError: the name or a limit cannot be.
    """
    if not _NAME.fullmatch(name.strip()):
        raise SettingsError("a key's name has 1 to 80 characters, none of them a line break")
    for option, limit in (("requests per minute", requests_per_minute), ("pages per day", pages_per_day)):
        if limit is not None and limit < 1:
            raise SettingsError(f"{option} must be at least 1, not {limit}; leave it out for no limit")
    key_id = secrets.token_hex(4)
    text = f"{PREFIX}_{key_id}_{secrets.token_hex(_SECRET_BYTES)}"
    return text, ApiKey(key_id, name.strip(), _hash(text), now, requests_per_minute, pages_per_day, admin)


def parse_keys(content: bytes) -> list[ApiKey]:
    """The keys in a file's content.

    Raises:
        ValueError: it is no file of keys; says where.
    """
    data: Any = orjson.loads(content)
    if not isinstance(data, dict) or data.get("version") != _VERSION or not isinstance(data.get("keys"), list):
        raise ValueError('it must be {"version": 1, "keys": [...]}')
    keys = []
    for number, entry in enumerate(data["keys"], 1):
        try:
            key = ApiKey(**entry)
        except TypeError:
            raise ValueError(f"key {number} has not the entries that keys have") from None
        texts = (key.id, key.name, key.sha256, key.created, key.revoked or "")
        limits = (key.requests_per_minute, key.pages_per_day)
        if (
            not all(isinstance(text, str) for text in texts)
            or not re.fullmatch(r"[0-9a-f]{8}", key.id)
            or not re.fullmatch(r"[0-9a-f]{64}", key.sha256)
            or type(key.admin) is not bool
            or not all(limit is None or (type(limit) is int and limit > 0) for limit in limits)
        ):
            raise ValueError(f"key {number} has a value that cannot be")
        keys.append(key)
    if len({key.id for key in keys}) < len(keys):
        raise ValueError("two keys have the same id")
    return keys


def format_keys(keys: Iterable[ApiKey]) -> bytes:
    """The file's content."""
    return orjson.dumps(
        {"version": _VERSION, "keys": list(keys)}, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    )


def read_keys(path: Path) -> list[ApiKey]:
    """Read a file of keys.

    Raises:
        SettingsError: it is not there, cannot be read, is damaged, or others may write it.
    """
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            content = file.read()
    except FileNotFoundError:
        raise SettingsError(f"the file of keys {path} is not there; make one: inklane keys add NAME") from None
    except OSError as error:
        raise SettingsError(f"the file of keys {path} cannot be read: {error.strerror}") from error
    if mode & 0o022:
        raise SettingsError(f"others may write the file of keys {path}, and so let themselves in: chmod 600 {path}")
    try:
        return parse_keys(content)
    except ValueError as error:
        raise SettingsError(f"the file of keys {path} is damaged: {error}") from error


class KeyRing:
    """The keys in force. The file is read again when it changes.

    A file that is damaged leaves the keys as they were and is complained about; one that is gone or may be written by
    others leaves none.

    Args:
        path: the file.
        clock: seconds that only grow.

    Raises:
        SettingsError: the file cannot be used.
    """

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = path
        self._clock = clock
        self._stamp = self._stat()
        self._looked = clock()
        self._keys = _by_id(read_keys(path))

    def find(self, text: str) -> ApiKey | None:
        """Whose key this is; None: nobody's, or it was revoked."""
        self._refresh()
        match = _KEY.fullmatch(text) if len(text) <= _LONGEST else None
        key = self._keys.get(match[1]) if match else None
        # A hash is compared in any case, so that the time does not tell which ids exist.
        right = hmac.compare_digest(_hash(text[:_LONGEST]), key.sha256 if key else "0" * 64)
        return key if key is not None and right and key.revoked is None else None

    def get(self, key_id: str) -> ApiKey | None:
        """The key of this id, revoked or not: for the limits of work that was accepted under it."""
        return self._keys.get(key_id)

    def _refresh(self) -> None:
        now = self._clock()
        if now - self._looked < _LOOK_SECONDS:
            return
        self._looked = now
        stamp = self._stat()
        if stamp == self._stamp:
            return
        self._stamp = stamp
        try:
            self._keys = _by_id(read_keys(self._path))
            log.info("the file of keys was read again: %d keys", len(self._keys))
        except SettingsError as error:
            damaged = isinstance(error.__cause__, ValueError)
            if not damaged:
                self._keys = {}
            log.error(
                "%s; %s", error.message, "the keys read before stay in force" if damaged else "no key is accepted"
            )

    def _stat(self) -> tuple[int, ...]:
        try:
            found = self._path.stat()
        except OSError:
            return ()
        return found.st_mtime_ns, found.st_size, found.st_ino, found.st_mode


def _by_id(keys: Iterable[ApiKey]) -> dict[str, ApiKey]:
    return {key.id: key for key in keys}


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
