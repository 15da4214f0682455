"""One Chromium and one service for all browser tests, on one event loop; a fresh page for each."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio
from aiohttp.test_utils import TestServer
from playwright.async_api import Browser, Page, async_playwright

from tests.factories.labelled_reader import LabelledReader
from tests.factories.served import served

PATIENCE_MS = 30_000  # until a test that waits for something on the page fails


@dataclass(slots=True)
class Site:
    """The service that the pages come from."""

    url: str
    reader: LabelledReader


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser of the system."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    return found


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(chromium: str) -> AsyncIterator[Browser]:
    """The browser, without a window."""
    async with async_playwright() as driver:
        launched = await driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield launched
        await launched.close()


@pytest_asyncio.fixture(loop_scope="session")
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    """The whole service, with a reader that knows the samples."""
    reader = LabelledReader()
    async with TestServer(served(tmp_path, reader)) as server:
        yield Site(str(server.make_url("")), reader)


@pytest_asyncio.fixture(loop_scope="session")
async def page(browser: Browser, site: Site) -> AsyncIterator[Page]:
    """An empty page. Whatever the browser complains about fails the test, but for answers that are errors."""
    context = await browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 860}, base_url=site.url)
    context.set_default_timeout(PATIENCE_MS)
    opened = await context.new_page()
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    yield opened
    await context.close()
    assert [text for text in complaints if not text.startswith("Failed to load resource")] == []


async def visit(page: Page, address: str = "./") -> None:
    """Open an address and wait until the page can be used."""
    await page.goto(address)
    await page.wait_for_selector("html[data-ready]", state="attached")
