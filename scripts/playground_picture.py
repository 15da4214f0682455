"""Take the picture of the playground that the README shows: ``python -m scripts.playground_picture URL FILE``.

The service has to run (``inklane serve``), and Chromium has to be installed.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

SAMPLE = "receipt-photo.jpg"
SIZE = {"width": 1280, "height": 800}


def main(url: str, picture: Path) -> None:
    """Read a sample, point at a field, and keep what is seen.

    Raises:
        SystemExit: there is no Chromium.
    """
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("Chromium is missing: apt-get install chromium")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE, device_scale_factor=1.5, locale="en-GB", reduced_motion="reduce")  # type: ignore[arg-type]
        page.goto(f"{url.rstrip('/')}/#sample/{SAMPLE}")
        page.locator(".verdict-type").wait_for()
        page.locator(".sheet canvas[width]").wait_for()
        page.locator('div.field[data-link="field/total/0"]').hover()
        page.screenshot(path=picture)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
