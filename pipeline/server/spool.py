"""One file on its way in: collected in memory while it is small, written to disk from then on."""

from __future__ import annotations

import asyncio
import errno
import hashlib
import os
from pathlib import Path

from pipeline.server.data_folder import DataFolder
from pipeline.server.uploads import Upload
from schemas.errors import DamagedFile, DocumentError, InklaneError, StorageFull, TooLarge

_WRITE_BYTES = 2**20
"""So much is written at once, in a thread, since a disk may be slow."""


class Spool:
    """Takes a file's bytes piece by piece. Call :meth:`finish` or :meth:`discard` in the end.

    A fault of this file is kept in ``error`` rather than raised, because the files beside it are not affected; what
    comes after it is passed over.

    Args:
        folder: where it is written once it has more than ``memory_bytes``.
        memory_bytes: bytes kept in memory, at most.
        max_bytes: bytes of the file, at most.
    """

    def __init__(self, folder: DataFolder, memory_bytes: int, max_bytes: int) -> None:
        self._folder = folder
        self._memory_bytes = memory_bytes
        self._max_bytes = max_bytes
        self._pieces: list[bytes] = []
        self._held = 0
        self._hash = hashlib.sha256()
        self._file: int | None = None
        self._path: Path | None = None
        self._writing: asyncio.Future[None] | None = None
        self.size = 0
        self.error: InklaneError | None = None

    async def write(self, piece: bytes) -> None:
        """Add bytes."""
        if self.error is not None or not piece:
            return
        self.size += len(piece)
        if self.size > self._max_bytes:
            self.fail(
                TooLarge(f"the file has more than {self._max_bytes} bytes (limits.max_file_bytes); send a smaller one")
            )
            return
        self._pieces.append(piece)
        self._held += len(piece)
        if self.size > self._memory_bytes and self._held >= (_WRITE_BYTES if self._file is not None else 0):
            await self._flush()

    def fail(self, error: InklaneError) -> None:
        """There is something wrong with the file: let go of it, and pass over the rest."""
        self.error = self.error or error
        self.discard()

    async def finish(self, name: str) -> Upload:
        """The whole file.

        Raises:
            InklaneError: what is wrong with it.
        """
        if self.error is None and not self.size:
            self.error = DamagedFile("the file is empty")
        if self.error is None and self._path is not None:
            await self._flush()
        if self.error is not None:
            raise self.error
        if self._path is None:
            data = b"".join(self._pieces)
            self._pieces.clear()
            return Upload.of(name, data)
        assert self._file is not None
        os.close(self._file)
        path, self._file, self._path = self._path, None, None
        return Upload(name, self.size, self._hash.hexdigest(), path=path)

    def discard(self) -> None:
        """Let go of everything. Idempotent."""
        self._pieces.clear()
        self._held = 0
        if self._writing is not None and not self._writing.done():
            # A thread is in the middle of it; the number of a closed file may already be another file's.
            self._writing.add_done_callback(lambda _: self._remove())
        else:
            self._remove()

    def _remove(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
        if self._path is not None:
            self._path.unlink(missing_ok=True)
            self._path = None

    async def _flush(self) -> None:
        pieces, self._pieces, self._held = self._pieces, [], 0
        try:
            if self._file is None:
                self._file, self._path = self._folder.new_file()
            loop = asyncio.get_running_loop()
            self._writing = loop.run_in_executor(None, _write, self._file, pieces, self._hash)
            await asyncio.shield(self._writing)
        except OSError as error:
            self.fail(_unwritable(error))


def _write(file: int, pieces: list[bytes], digest: hashlib._Hash) -> None:
    for piece in pieces:
        digest.update(piece)
        rest = memoryview(piece)
        while rest:
            rest = rest[os.write(file, rest) :]


def _unwritable(error: OSError) -> DocumentError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StorageFull("there is no space left for uploads (server.data_dir); try again later")
    return StorageFull(f"the upload cannot be stored (server.data_dir): {error.strerror}")
