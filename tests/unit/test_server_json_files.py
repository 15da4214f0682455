from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.server.data_folder import DataFolder
from pipeline.server.json_files import INLINE_BYTES, JsonFiles
from pipeline.server.spool import Spool
from schemas.errors import InklaneError, MalformedBody, TooLarge

CONTENT = bytes(range(256)) * 40
TEXT = base64.b64encode(CONTENT).decode()

Make = Callable[..., JsonFiles]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DataFolder]:
    made = DataFolder(tmp_path_factory.mktemp("data"))
    made.open()
    yield made
    assert list(made.spool.iterdir()) == []
    made.close()


@pytest.fixture(scope="module")
def make(folder: DataFolder) -> Make:
    def made(max_files: int = 10, memory_bytes: int = 1000, max_bytes: int = 10**6) -> JsonFiles:
        return JsonFiles(lambda: Spool(folder, memory_bytes, max_bytes), max_files)

    return made


async def value_of(files: JsonFiles, body: str, size: int = 1 << 20) -> Any:
    data = body.encode()
    for at in range(0, len(data), size):
        await files.feed(data[at : at + size])
    return files.finish()


async def content_of(files: JsonFiles, value: str | Spool) -> bytes:
    upload = await files.upload(value, "name")
    content = upload.source.read_bytes() if isinstance(upload.source, Path) else upload.source
    assert upload.size == len(content)
    return content


async def content(make: Make, text: str, size: int = 1 << 20) -> bytes:
    """What a client means that writes this between the quotes."""
    files = make()
    try:
        value = await value_of(files, f'{{"file":"{text}"}}', size)
        return await content_of(files, value["file"])
    finally:
        files.discard()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30, deadline=None)
@given(size=st.integers(1, 5000))
async def test_however_the_body_is_cut_the_file_is_the_same(make: Make, size: int) -> None:
    files = make()
    body = json.dumps({"a": 'quo"te\\', "files": [{"file": TEXT, "name": "发票"}, {"file": "YWJj"}], "z": 1})
    value = await value_of(files, body, size)
    assert value["a"] == 'quo"te\\'
    assert value["z"] == 1
    assert value["files"][0]["name"] == "发票"
    assert await content_of(files, value["files"][0]["file"]) == CONTENT
    assert await content_of(files, value["files"][1]["file"]) == b"abc"
    files.discard()


@pytest.mark.parametrize("size", [1, 3, 1 << 20])
@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        TEXT.replace("/", "\\/"),
        TEXT.replace("/", "\\u002f").replace("+", "\\u002B"),
        TEXT.replace("/", "_").replace("+", "-"),
        TEXT.rstrip("="),
        "data:image/png;base64," + TEXT,
        "\\r\\n".join(TEXT[at : at + 76] for at in range(0, len(TEXT), 76)),
        "\\n" + TEXT + " ",
    ],
    ids=["plain", "slash", "dotnet", "url-safe", "unpadded", "data-url", "lines", "spaces"],
)
async def test_base64_as_different_clients_write_it(make: Make, text: str, size: int) -> None:
    assert await content(make, text, size) == CONTENT


@pytest.mark.parametrize("long", [True, False])
@pytest.mark.parametrize("text", ["!{}", "{}!", "YQ=={}", "\\\\{}", "{}\\u4e2d", "{}A"])
async def test_what_is_not_base64_is_this_files_fault(make: Make, text: str, long: bool) -> None:
    encoded = base64.b64encode(CONTENT[:3000] if long else b"abc").decode()
    files = make()
    value = await value_of(files, f'{{"files":["{text.format(encoded)}","YWJj"]}}')
    with pytest.raises(MalformedBody):
        await files.upload(value["files"][0], "bad")
    assert await content_of(files, value["files"][1]) == b"abc"
    files.discard()


async def test_long_strings_go_to_disk_and_are_gone_afterwards(make: Make, folder: DataFolder) -> None:
    files = make()
    value = await value_of(files, json.dumps({"file": TEXT}))
    spooled = list(folder.spool.iterdir())
    assert len(spooled) == 1
    assert spooled[0].stat().st_mode & 0o077 == 0
    upload = await files.upload(value["file"], "a")
    assert upload.path == spooled[0]
    files.discard()
    assert list(folder.spool.iterdir()) == []


async def test_files_that_nobody_takes_are_gone_afterwards(make: Make, folder: DataFolder) -> None:
    files = make()
    await files.feed(json.dumps({"file": TEXT}).encode()[:5000])
    assert list(folder.spool.iterdir())
    files.discard()
    assert list(folder.spool.iterdir()) == []


async def test_a_file_over_the_limit_is_this_files_fault(make: Make) -> None:
    files = make(max_bytes=5000)
    value = await value_of(files, json.dumps([TEXT, "YWJj"]))
    with pytest.raises(TooLarge):
        await files.upload(value[0], "large")
    assert await content_of(files, value[1]) == b"abc"
    files.discard()


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b'{"file": "abc', b"\xff", b'{"a": NaN}', b'"' + b"A" * 3000, b"[" * 3000, b'{"a": "\xff"}'],
)
async def test_what_is_not_json_is_refused(make: Make, body: bytes) -> None:
    files = make()
    await files.feed(body)
    with pytest.raises(MalformedBody):
        files.finish()
    files.discard()


async def test_too_many_files_are_refused(make: Make) -> None:
    files = make(max_files=1)
    with pytest.raises(TooLarge):
        await value_of(files, json.dumps([TEXT, TEXT]))
    files.discard()


async def test_what_is_no_file_is_bounded(make: Make) -> None:
    files = make()
    for _ in range(50):
        await files.feed(b"[1, 2, 3, 4, 5, 6]," * 2000)
    with pytest.raises(TooLarge):
        await files.feed(b"[1, 2, 3, 4, 5, 6]," * 20_000)
    files.discard()


async def test_a_deep_value_is_no_trouble(make: Make) -> None:
    files = make()
    deep = await value_of(files, "[" * 900 + "]" * 900)
    assert isinstance(deep, list)
    files.discard()


async def test_nobody_can_ask_for_a_file_by_its_stand_in(make: Make) -> None:
    files = make()
    value = await value_of(files, json.dumps({"file": TEXT, "guess": "0"}))
    assert isinstance(value["file"], Spool)
    assert value["guess"] == "0"
    files.discard()


@pytest.mark.parametrize("length", [INLINE_BYTES, INLINE_BYTES + 1])
async def test_the_border_between_short_and_long(make: Make, length: int) -> None:
    files = make()
    value = await value_of(files, json.dumps({"text": "A" * length}))
    assert isinstance(value["text"], str if length <= INLINE_BYTES else Spool)
    files.discard()


async def test_empty_files_are_damaged(make: Make) -> None:
    files = make()
    value = await value_of(files, '{"file": ""}')
    with pytest.raises(InklaneError) as caught:
        await files.upload(value["file"], "empty")
    assert caught.value.code == "damaged_file"
    files.discard()
