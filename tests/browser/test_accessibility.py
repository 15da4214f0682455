"""Every state of the pages, light and dark, in both languages: names, roles, headings, contrast, sizes."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

AUDIT = (Path(__file__).parent / "audit.js").read_text(encoding="utf-8")
AUDIT = AUDIT[AUDIT.index("() =>") :]
NARROWEST = 320


async def audited(page: Page) -> list[str]:
    return list(await page.evaluate(AUDIT))


async def test_the_audit_finds_faults(page: Page) -> None:
    await visit(page)
    await page.evaluate(
        """() => {
          const add = (tag, attributes, text = '') => {
            const node = Object.assign(document.createElement(tag), { textContent: text });
            for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
            document.querySelector('main').append(node);
            return node;
          };
          add('button', {});
          add('img', { src: 'static/icon.svg' });
          add('p', { id: 'main' });
          add('p', { 'aria-labelledby': 'nowhere' });
          add('h4', {}, 'Deep');
          add('h1', {}, 'Another');
          const pale = add('p', {}, 'Pale');
          pale.style.setProperty('color', '#999');
          pale.style.setProperty('background', '#ddd');
          add('button', {}, 'x').style.setProperty('block-size', '12px');
        }"""
    )
    faults = " ".join(await audited(page))
    for fault in ("no name", "no alt", "id twice", "leads nowhere", "skipped", "not one h1", "contrast", "smaller"):
        assert fault in faults


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_every_state_of_the_playground(page: Page, scheme: Literal["light", "dark"], tmp_path: Path) -> None:
    await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    await visit(page)
    assert await audited(page) == []
    await page.get_by_role("button", name="Stages").click()
    assert await audited(page) == []
    await page.locator(".sample", has_text="receipt cafe").click()
    await expect(page.locator(".verdict-type")).to_be_visible()
    for tab in ("Fields", "Text", "JSON", "Request"):
        await page.get_by_role("tab", name=tab).click()
        assert await audited(page) == [], tab
    await page.locator('div.field[data-link="field/tax/0"]').dispatch_event("pointerenter")
    await page.get_by_role("tab", name="Fields").click()
    assert await audited(page) == []
    await page.click("#language")
    assert await audited(page) == []
    await page.click("#key-open")
    assert await audited(page) == []
    await page.keyboard.press("Escape")
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-broken")
    await page.set_input_files("#file", broken)
    await expect(page.get_by_role("alert")).to_contain_text("damaged_file")
    assert await audited(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_the_documentation(page: Page, scheme: Literal["light", "dark"]) -> None:
    await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    await visit(page, "docs#readDocuments")
    assert await audited(page) == []
    await page.evaluate("document.querySelectorAll('details').forEach((node) => { node.open = true; })")
    await expect(page.locator(".operation > .operation-body")).to_have_count(await page.locator(".operation").count())
    assert await audited(page) == []


@pytest.mark.parametrize("address", ["./", "./#sample/vat-invoice-paper.jpg", "docs#readDocuments"])
@pytest.mark.parametrize("width", [NARROWEST, 390, 768, 1024, 1920])
async def test_nothing_sticks_out(page: Page, address: str, width: int) -> None:
    await page.set_viewport_size({"width": width, "height": 800})
    await visit(page, address)
    if "sample" in address:
        await expect(page.locator(".verdict-type")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth") <= width


async def test_movement_is_left_out_where_it_is_not_wanted(page: Page) -> None:
    await page.emulate_media(reduced_motion="reduce")
    await visit(page, "./#sample/receipt-cafe.jpg")
    await expect(page.locator(".verdict-type")).to_be_visible()
    moving = "document.getAnimations().filter((one) => one.playState === 'running').length"
    assert await page.evaluate(moving) == 0
