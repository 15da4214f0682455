from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from pipeline.outputs import aside, render
from pipeline.outputs.aside import Aside, render_aside
from schemas.errors import DeadlineExceeded, InvalidRequest, QueueFull, StageFailed, UnsupportedFormat
from schemas.settings import Limits
from tests.factories.images import encode, page_image, page_pixels
from tests.factories.read_pages import document, line, page

JPEG = encode(page_image("L"), "JPEG", quality=95)
READ = document(page(line("Total", 15, 35, 130, 45), width=240, height=160))


def boot(code: str) -> Callable[[], list[str]]:
    """A process that does something else than what it is told."""
    return lambda: [sys.executable, "-c", code]


def pictured(data: bytes) -> np.ndarray[Any, Any]:
    import io

    return np.asarray(Image.open(io.BytesIO(data)).convert("L")).astype(int)


def test_the_pdf_is_the_one_that_this_process_would_make() -> None:
    content, content_type = render_aside(READ, "pdf", JPEG)
    assert content_type == "application/pdf"
    assert JPEG in content
    assert len(content) == len(render(READ, "pdf", JPEG)[0])


def test_errors_come_back_as_they_are(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedFormat, match="plain text"):
        render_aside(READ, "pdf", b"no picture")
    with pytest.raises(InvalidRequest, match="give the file"):
        render_aside(READ, "pdf")
    with pytest.raises(InvalidRequest, match="no output"):
        render_aside(READ, "docx", JPEG)


@pytest.mark.parametrize(
    "code",
    [
        "import os; os.kill(os.getpid(), 9)",
        "import os; os._exit(0)",
        "print('{')",
        "import ctypes; ctypes.string_at(0)",
    ],
)
async def test_a_process_that_dies_is_one_documents_error(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setattr(aside, "_command", boot(code))
    with pytest.raises(StageFailed, match="the process that tried ended"):
        await asyncio.to_thread(render_aside, READ, "pdf", JPEG)
    with pytest.raises(StageFailed, match="the process that tried ended"):
        await Aside().render(READ, "pdf", JPEG)


HANGING = "import sys, time; sys.stdin.buffer.read(); time.sleep(600)"


async def test_one_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aside, "_command", boot(HANGING))
    with pytest.raises(DeadlineExceeded, match=r"over 0\.2 s"):
        await asyncio.to_thread(render_aside, READ, "pdf", JPEG, timeout_s=0.2)
    with pytest.raises(DeadlineExceeded, match=r"over 0\.2 s"):
        await Aside(timeout_s=0.2).render(READ, "pdf", JPEG)


async def test_cancelling_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[asyncio.subprocess.Process] = []
    begun = asyncio.Event()
    create = asyncio.create_subprocess_exec

    async def remember(*arguments: Any, **named: Any) -> asyncio.subprocess.Process:
        started.append(await create(*arguments, **named))
        begun.set()
        return started[-1]

    monkeypatch.setattr(aside, "_command", boot(HANGING))
    monkeypatch.setattr(asyncio, "create_subprocess_exec", remember)
    maker = Aside(room=1)
    task = asyncio.create_task(maker.render(READ, "pdf", JPEG))
    await begun.wait()
    with pytest.raises(QueueFull, match="1 outputs are being made"):
        maker.check()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert started[0].returncode == -signal.SIGKILL
    maker.check()  # its place is free


async def test_only_so_many_processes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    running = most = 0
    create = asyncio.create_subprocess_exec

    class Counted:
        def __init__(self, process: asyncio.subprocess.Process) -> None:
            self._process = process

        @property
        def returncode(self) -> int | None:
            return self._process.returncode

        async def communicate(self, data: bytes) -> tuple[bytes, bytes]:
            return await self._process.communicate(data)

        async def wait(self) -> None:
            nonlocal running
            await self._process.wait()
            running -= 1

    async def count(*arguments: Any, **named: Any) -> Counted:
        nonlocal running, most
        running += 1
        most = max(most, running)
        return Counted(await create(*arguments, **named))

    monkeypatch.setattr(aside, "_command", boot('print(\'{"sizes": [2]}\\nab\', end="")'))
    monkeypatch.setattr(asyncio, "create_subprocess_exec", count)
    maker = Aside(at_once=2)
    results = await asyncio.gather(*(maker.render(READ, "pdf", JPEG) for _ in range(6)))
    assert [content for content, _ in results] == [b"ab"] * 6
    assert most == 2


async def test_pictures_of_pages_and_of_what_was_read() -> None:
    lying = encode(page_image("L").rotate(90, expand=True), "JPEG", quality=95)
    read = document(page(line("Total", 15, 35, 130, 45), width=240, height=160, angle=90))
    ((drawing, original),) = await Aside().page_pictures(read, lying, limits=Limits(), dpi=200)
    assert np.abs(pictured(original) - np.rot90(page_pixels()).astype(int)).mean() < 3
    shown = pictured(drawing)
    assert shown.shape == (160, 480)  # the upright page, and the text beside it
    assert np.abs(shown[80:, :240] - page_pixels()[80:].astype(int)).mean() < 3


def test_the_front_end_loads_neither_opencv_nor_pdfium() -> None:
    code = (
        "import sys, pipeline.outputs, pipeline.outputs.aside, pipeline.server.paddlex, pipeline.server.kserve\n"
        "from tests.factories.read_pages import document, receipt\n"
        "for kind in ('json', 'text', 'markdown', 'hocr', 'alto'): pipeline.outputs.render(document(receipt()), kind)\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules} & {'cv2', 'pypdfium2', 'openvino', 'numpy'}))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.split() == []
