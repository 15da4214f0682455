from __future__ import annotations

import asyncio
import errno
import hashlib
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipeline.server import spool as module
from pipeline.server.data_folder import DataFolder
from pipeline.server.spool import Spool
from schemas.errors import DamagedFile, SettingsError, StorageFull, TooLarge


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[DataFolder]:
    made = DataFolder(tmp_path / "data")
    made.open()
    open_before = set(os.listdir("/proc/self/fd"))
    yield made
    assert list(made.spool.iterdir()) == []
    assert len(os.listdir("/proc/self/fd")) == len(open_before)
    made.close()


async def test_a_small_file_stays_in_memory(folder: DataFolder) -> None:
    spool = Spool(folder, 10, 1000)
    await spool.write(b"12345")
    await spool.write(b"67890")
    upload = await spool.finish("a")
    assert (upload.data, upload.path, upload.size, upload.name) == (b"1234567890", None, 10, "a")
    assert upload.sha256 == hashlib.sha256(b"1234567890").hexdigest()


@pytest.mark.parametrize("size", [11, 3 * 2**20 + 5])
async def test_a_larger_one_is_on_disk_and_only_there(folder: DataFolder, size: int) -> None:
    content = bytes(number % 251 for number in range(1000)) * (size // 1000 + 1)
    content = content[:size]
    spool = Spool(folder, 10, 10**8)
    for at in range(0, size, 70_000):
        await spool.write(content[at : at + 70_000])
        assert spool._held < 2**20 + 70_000  # not kept in memory, too
    upload = await spool.finish("a")
    assert upload.data is None
    assert upload.path is not None
    assert upload.path.read_bytes() == content
    assert upload.sha256 == hashlib.sha256(content).hexdigest()
    assert upload.path.stat().st_mode & 0o077 == 0
    upload.discard()
    upload.discard()


async def test_over_the_limit_it_lets_go_and_says_so(folder: DataFolder) -> None:
    spool = Spool(folder, 10, 100)
    await spool.write(bytes(90))
    assert list(folder.spool.iterdir())
    await spool.write(bytes(11))
    assert list(folder.spool.iterdir()) == []
    await spool.write(bytes(1000))
    with pytest.raises(TooLarge, match="limits.max_file_bytes"):
        await spool.finish("a")


async def test_an_empty_file_is_damaged(folder: DataFolder) -> None:
    with pytest.raises(DamagedFile):
        await Spool(folder, 10, 100).finish("a")


async def test_discarding_leaves_nothing(folder: DataFolder) -> None:
    spool = Spool(folder, 10, 100)
    await spool.write(bytes(50))
    spool.discard()
    spool.discard()


async def test_a_writer_that_goes_away_in_the_middle_leaves_nothing(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    entered, go_on = threading.Event(), threading.Event()
    write: Callable[..., None] = module._write

    def slow(*arguments: object) -> None:
        entered.set()
        assert go_on.wait(60)
        write(*arguments)

    monkeypatch.setattr(module, "_write", slow)
    spool = Spool(folder, 10, 100)
    writing = asyncio.create_task(spool.write(bytes(50)))
    assert await asyncio.to_thread(entered.wait, 60)
    writing.cancel()
    await asyncio.wait([writing])
    spool.discard()  # the file's number must stay open until the thread is done with it
    assert list(folder.spool.iterdir())
    go_on.set()
    assert spool._writing is not None
    await spool._writing
    await asyncio.sleep(0)


async def test_a_full_disk_is_told(folder: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(module, "_write", full)
    spool = Spool(folder, 10, 100)
    await spool.write(bytes(50))
    with pytest.raises(StorageFull, match="no space"):
        await spool.finish("a")


def test_the_folder_is_private_cleaned_and_of_one_server(tmp_path: Path) -> None:
    first = DataFolder(tmp_path / "a" / "data")
    first.open()
    assert (tmp_path / "a" / "data").stat().st_mode & 0o077 == 0
    with pytest.raises(SettingsError, match="in use by another server"):
        DataFolder(first.path).open()
    (first.spool / "left by a kill").write_bytes(b"x")
    assert first._lock is not None
    os.close(first._lock)  # as the kernel does when a process is killed
    second = DataFolder(first.path)
    second.open()
    assert list(second.spool.iterdir()) == []
    second.close()
    second.close()
    assert not second.spool.exists()


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(SettingsError, match="server.data_dir"):
        DataFolder(tmp_path / "file" / "data").open()
