"""Jobs' files on the disk: uploads until they are read, results until they expire.

``<root>/<job id>/<position>.upload`` and ``<position>.result``. Whatever is promised is on the disk before it is: a
file's bytes, the folder's entry for it, and the parent's entry for the folder.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from schemas.errors import QueueFull, SettingsError

_NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class Content(Protocol):
    """A file that was uploaded: on the disk, or in memory."""

    @property
    def path(self) -> Path | None:
        """Where it is; None: in memory."""
        ...

    @property
    def data(self) -> bytes | None:
        """Its bytes; None: on the disk."""
        ...


class JobFiles:
    """The folder of all jobs. Its methods wait for the disk: call them off the event loop.

    Args:
        root: the folder; made if it is not there.
        sync: makes a file or folder, given by its descriptor, last.
    """

    def __init__(self, root: Path, *, sync: Callable[[int], None] = os.fsync) -> None:
        self._root = root
        self._sync = sync

    def open(self) -> None:
        """Make the folder.

        Raises:
            SettingsError: it cannot be used.
        """
        try:
            self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise SettingsError(
                f"server.data_dir: {self._root} cannot be used: {error.strerror}; choose another folder"
            ) from error

    def keep(self, job_id: str, uploads: Sequence[Content]) -> None:
        """Keep uploads so that they outlive a crash. An upload's own file may be deleted afterwards.

        Raises:
            QueueFull: there is no space.
        """
        folder = self._folder(job_id)
        try:
            folder.mkdir(mode=0o700)
            for position, upload in enumerate(uploads):
                self._keep_one(upload, self.upload(job_id, position))
            self._sync_path(folder)
            self._sync_path(self._root)
        except OSError as error:
            self.remove(job_id)
            if error.errno in _NO_SPACE:
                raise QueueFull("there is no space left for uploads; try again later") from error
            raise
        except BaseException:
            self.remove(job_id)
            raise

    def upload(self, job_id: str, position: int) -> Path:
        """Where an upload is."""
        return self._folder(job_id) / f"{position}.upload"

    def result(self, job_id: str, position: int) -> Path:
        """Where a result is."""
        return self._folder(job_id) / f"{position}.result"

    def write_result(self, job_id: str, position: int, content: bytes) -> None:
        """Keep a result: all of it or, whatever happens, none."""
        path = self.result(job_id, position)
        partial = path.with_suffix(".partial")
        with _created(partial) as fd:
            _write(fd, content)
            self._sync(fd)
        partial.replace(path)
        self._sync_path(path.parent)

    def drop_upload(self, job_id: str, position: int) -> None:
        """An upload has been read."""
        self.upload(job_id, position).unlink(missing_ok=True)

    def remove(self, job_id: str) -> None:
        """Everything of a job. Idempotent."""
        shutil.rmtree(self._folder(job_id), ignore_errors=True)

    def orphans(self, known: Iterable[str]) -> Iterator[str]:
        """Folders that belong to no job: what a crash left behind."""
        names = set(known)
        for entry in os.scandir(self._root):
            if entry.is_dir(follow_symlinks=False) and entry.name not in names:
                yield entry.name

    def _folder(self, job_id: str) -> Path:
        if not job_id or "/" in job_id or job_id.startswith("."):
            raise ValueError(f"not the id of a job: {job_id!r}")
        return self._root / job_id

    def _keep_one(self, upload: Content, to: Path) -> None:
        if upload.path is None:
            if upload.data is None:
                raise ValueError("an upload has neither a path nor data")
            with _created(to) as fd:
                _write(fd, upload.data)
                self._sync(fd)
            return
        try:
            os.link(upload.path, to)  # no copy; whoever spooled it deletes its own name
        except OSError as error:
            if error.errno in _NO_SPACE or isinstance(error, FileNotFoundError):
                raise
            shutil.copyfile(upload.path, to)  # another file system, or one without links
        self._sync_path(to)

    def _sync_path(self, path: Path) -> None:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            self._sync(fd)
        finally:
            os.close(fd)


@contextmanager
def _created(path: Path) -> Iterator[int]:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        yield fd
    finally:
        os.close(fd)


def _write(fd: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(fd, view) :]
