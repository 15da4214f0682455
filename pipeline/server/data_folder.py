"""The folder where the service keeps jobs and uploads: private, and of one running server at a time."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from pathlib import Path

from schemas.errors import SettingsError

_MODE = 0o700


class DataFolder:
    """Opened when the server starts, closed when it ends.

    Args:
        path: the folder; it is made where it is missing.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.spool = path / "uploads"
        """Files of requests under way. Emptied at the start, so that nothing of a killed server stays."""
        self._lock: int | None = None

    def open(self) -> None:
        """Take the folder and clean it.

        Raises:
            SettingsError: it cannot be used, or another server uses it.
        """
        try:
            self.path.mkdir(mode=_MODE, parents=True, exist_ok=True)
            lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise SettingsError(f"server.data_dir: {self.path} cannot be used: {error.strerror}") from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(self.spool, ignore_errors=True)
            self.spool.mkdir(mode=_MODE, exist_ok=True)
        except BlockingIOError as error:
            os.close(lock)
            raise SettingsError(
                f"server.data_dir: {self.path} is in use by another server; give this one a folder of its own"
            ) from error
        except OSError as error:
            os.close(lock)
            raise SettingsError(f"server.data_dir: {self.path} cannot be used: {error.strerror}") from error
        self._lock = lock

    def new_file(self) -> tuple[int, Path]:
        """A new file in the spool, which only this user can read: its descriptor and its path."""
        descriptor, name = tempfile.mkstemp(dir=self.spool)
        return descriptor, Path(name)

    def close(self) -> None:
        """Remove the uploads and let the folder go. Idempotent."""
        if self._lock is None:
            return
        shutil.rmtree(self.spool, ignore_errors=True)
        os.close(self._lock)
        self._lock = None
