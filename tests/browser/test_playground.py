"""The playground as people use it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from aiohttp.test_utils import TestServer
from playwright.async_api import Page, expect

from pipeline.server.security.key_file import add_key
from pipeline.server.security.keys import make_key
from tests.browser.conftest import Site, visit
from tests.factories.served import served

pytestmark = pytest.mark.asyncio(loop_scope="session")

SAMPLES = Path(__file__).parents[2] / "samples/images"
expect.set_options(timeout=30_000)


async def read_sample(page: Page, name: str) -> None:
    await visit(page, f"./#sample/{name}")
    await expect(page.locator("#work-title")).to_have_text(name)
    await expect(page.locator("#progress")).to_be_hidden()


async def test_a_file_is_uploaded_and_read(page: Page, site: Site) -> None:
    await visit(page)
    await page.set_input_files("#file", SAMPLES / "id-card-copy.jpg")
    await expect(page.locator(".verdict-type")).to_contain_text("Resident identity card")
    name = page.locator(".field", has=page.get_by_text("Identity number", exact=False)).first
    await expect(name.locator(".field-value")).to_have_text("350823201011110192")
    assert site.reader.read["id-card-copy.jpg"] == 1
    await expect(page.locator(".sheet canvas")).to_be_visible()


async def test_a_sample_is_picked(page: Page) -> None:
    await visit(page)
    await page.locator(".sample", has_text="receipt cafe").click()
    await expect(page.locator("#work-title")).to_have_text("receipt-cafe.jpg")
    await expect(page.locator(".field").first).to_be_visible()
    await page.go_back()
    await expect(page.locator("#start-title")).to_be_visible()


async def test_all_samples_are_shown_on_demand(page: Page) -> None:
    await visit(page)
    few = await page.locator(".sample").count()
    await page.click("#samples-all")
    assert await page.locator(".sample").count() == len(list(SAMPLES.iterdir())) > few


async def test_a_file_is_dropped(page: Page) -> None:
    await visit(page)
    encoded = (SAMPLES / "receipt-cafe.jpg").read_bytes().hex()
    transfer = await page.evaluate_handle(
        """(hex) => {
          const bytes = Uint8Array.from(hex.match(/../g).map((pair) => parseInt(pair, 16)));
          const transfer = new DataTransfer();
          transfer.items.add(new File([bytes], 'receipt-cafe.jpg', { type: 'image/jpeg' }));
          return transfer;
        }""",
        encoded,
    )
    await page.dispatch_event("body", "dragenter", {"dataTransfer": transfer})
    await expect(page.locator("#veil")).to_be_visible()
    await page.dispatch_event("body", "drop", {"dataTransfer": transfer})
    await expect(page.locator("#veil")).to_be_hidden()
    await expect(page.locator(".verdict-type")).to_contain_text("Receipt")


async def test_a_field_and_its_polygon_belong_together(page: Page) -> None:
    await read_sample(page, "receipt-cafe.jpg")
    total = page.locator('div.field[data-link="field/total/0"]')
    polygon = page.locator('polygon[data-link="field/total/0"]')
    await expect(polygon).not_to_have_class("field active")
    await total.hover()
    await expect(polygon).to_have_class("field active")
    await page.mouse.move(0, 0)
    await expect(polygon).to_have_class("field")
    company = page.locator('polygon[data-link="field/company/0"]')
    await company.hover()
    await expect(page.locator('div.field[data-link="field/company/0"]')).to_have_class("field active")
    await company.click()
    await page.mouse.move(0, 0)
    pressed = page.locator('div.field[data-link="field/company/0"] button')
    await expect(pressed).to_have_attribute("aria-pressed", "true")


async def test_polygons_lie_where_the_text_is(page: Page) -> None:
    await read_sample(page, "receipt-cafe.jpg")
    sheet = await page.locator(".sheet").bounding_box()
    polygon = await page.locator('polygon[data-link="field/total/0"]').bounding_box()
    assert sheet is not None
    assert polygon is not None
    # The label: 438 to 543 of 576 pixels across, 609 to 643 of 1010 down.
    assert (polygon["x"] - sheet["x"]) / sheet["width"] == pytest.approx(438 / 576, abs=0.01)
    assert (polygon["y"] - sheet["y"]) / sheet["height"] == pytest.approx(609 / 1010, abs=0.01)
    assert polygon["width"] / sheet["width"] == pytest.approx(105 / 576, abs=0.02)


async def test_a_small_polygon_within_a_large_one_can_be_reached(page: Page) -> None:
    await read_sample(page, "receipt-cafe.jpg")
    await page.locator('polygon[data-link="field/tax/0"]').hover()  # within that of the currency
    await expect(page.locator('div.field[data-link="field/tax/0"]')).to_have_class("field needs-review active")


async def test_what_has_to_be_checked_is_marked(page: Page) -> None:
    await read_sample(page, "receipt-cafe.jpg")
    tax = page.locator('div.field[data-link="field/tax/0"]')
    await expect(tax.locator(".tag")).to_have_text("Check this")
    await expect(tax.locator(".checks .not-passed")).to_contain_text("not an amount")
    await expect(tax.get_by_role("meter")).to_have_attribute("aria-valuetext", "41%")
    await expect(page.locator(".verdict .tag")).to_have_text("1 to check")


async def test_rows_are_a_table(page: Page) -> None:
    await read_sample(page, "vat-invoice-paper.jpg")
    cell = page.locator('td[data-link="field/items/0/amount"]')
    await cell.hover()
    await expect(page.locator('polygon[data-link="field/items/0/amount"]')).to_have_class("field active")


async def test_text_and_json(page: Page) -> None:
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await read_sample(page, "receipt-cafe.jpg")
    await page.get_by_role("tab", name="Text").click()
    line = page.locator(".text-line", has_text="HARBOUR BEAN COFFEE")
    await line.hover()
    await expect(page.locator('polygon.line[data-link="line/1/0"]')).to_have_class("line active")
    await page.get_by_role("tab", name="JSON").click()
    source = page.locator(".panel-json pre")
    shown = json.loads(await source.inner_text())
    assert shown["doc_type"] == "receipt"
    await page.get_by_role("button", name="Copy").click()
    copied = json.loads(await page.evaluate("navigator.clipboard.readText()"))
    assert copied == shown
    await page.get_by_role("tab", name="Request").click()
    await expect(page.locator(".panel-request pre").first).to_contain_text("curl -F file=@'receipt-cafe.jpg'")


async def test_pages_are_watched_and_turned(page: Page, site: Site, tmp_path: Path) -> None:
    path = tmp_path / "hold-fax.tiff"
    path.write_bytes((SAMPLES / "fax.tiff").read_bytes())
    await visit(page)
    await page.set_input_files("#file", path)
    await expect(page.locator(".progress-text")).to_have_text("0 of 3 pages read")
    await expect(page.locator(".mark")).to_have_count(3)
    await expect(page.locator(".mark").first).to_have_class("mark detected")
    site.reader.release()
    await expect(page.locator("#progress")).to_be_hidden()
    await expect(page.locator(".viewer .tool-text").first).to_have_text("1 / 3")
    await page.get_by_role("button", name="Next page").click()
    await expect(page.locator(".viewer .tool-text").first).to_have_text("2 / 3")
    await expect(page.locator("polygon")).to_have_count(0)  # the second page is empty


async def test_a_pdf_is_drawn_by_the_service(page: Page) -> None:
    async with page.expect_response("**/playground/page?page=1") as drawn:
        await read_sample(page, "lease.pdf")
    assert (await drawn.value).status == 200
    await expect(page.locator(".sheet canvas")).to_have_attribute("width", re.compile("^[0-9]{3,}$"))


async def test_stopping_cancels_the_job(page: Page, site: Site, tmp_path: Path) -> None:
    path = tmp_path / "hold-receipt-cafe.jpg"
    path.write_bytes((SAMPLES / "receipt-cafe.jpg").read_bytes())
    await visit(page)
    await page.set_input_files("#file", path)
    await expect(page.locator(".progress-text")).to_contain_text("page")
    async with page.expect_response(lambda response: response.request.method == "DELETE") as deleted:
        await page.get_by_role("button", name="Stop").click()
    assert (await deleted.value).status == 204
    assert site.reader.cancelled.is_set()
    await expect(page.locator("#start-title")).to_be_visible()


async def test_a_bad_file_is_explained(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "broken.pdf"
    path.write_bytes(b"%PDF-broken")
    await visit(page)
    await page.set_input_files("#file", path)
    alert = page.get_by_role("alert")
    await expect(alert).to_contain_text("The file is damaged")
    await expect(alert).to_contain_text("the file is truncated; send it again")
    await expect(alert).to_contain_text("damaged_file")
    await page.get_by_role("button", name="Another document").click()
    await expect(page.locator("#file")).to_be_focused()


async def test_a_service_that_is_gone(page: Page) -> None:
    await visit(page)
    await page.context.set_offline(True)
    await page.locator(".sample").first.click()
    await expect(page.get_by_role("alert")).to_contain_text("The service cannot be reached")
    await page.context.set_offline(False)
    await page.get_by_role("button", name="Try again").click()
    await expect(page.locator(".verdict-type")).to_be_visible()


async def test_the_language_is_switched_and_remembered(page: Page) -> None:
    await read_sample(page, "receipt-cafe.jpg")
    button = page.locator("#language")
    await expect(button).to_have_text("中文")
    await expect(button).to_have_attribute("lang", "zh-CN")
    await button.click()
    await expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    await expect(page.locator(".verdict-type")).to_contain_text("收据")
    await expect(page.get_by_role("tab").first).to_have_text("字段")
    await expect(page.locator('div.field[data-link="field/total/0"] .field-name')).to_have_text("合计")
    await page.reload()
    await page.wait_for_selector("html[data-ready]", state="attached")
    await expect(page.locator(".verdict-type")).to_contain_text("收据")


async def test_everything_by_keyboard(page: Page) -> None:
    await visit(page)
    await page.keyboard.press("Tab")
    await expect(page.locator(".skip")).to_be_focused()
    await page.locator(".sample").nth(0).focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("#work-title")).to_be_focused()
    await expect(page.locator(".field").first).to_be_visible()
    first = page.get_by_role("button", name="Company: HARBOUR BEAN COFFEE")
    for _ in range(12):
        await page.keyboard.press("Tab")
        if await first.evaluate("(node) => node === document.activeElement"):
            break
    await expect(first).to_be_focused()
    await expect(page.locator("div.field.active")).to_have_count(1)
    await page.keyboard.press("ArrowRight")
    await expect(page.get_by_role("button", name="Address: 14 Quayside Walk, Eastport")).to_be_focused()
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("tab", name="Fields")).to_be_focused()
    await page.keyboard.press("ArrowRight")
    await expect(page.get_by_role("tab", name="Text")).to_be_focused()
    await expect(page.locator(".text-line").first).to_be_visible()


async def test_the_page_is_enlarged(page: Page) -> None:
    await read_sample(page, "receipt-cafe.jpg")
    before = await page.locator(".sheet").bounding_box()
    await page.get_by_role("button", name="Larger").click()
    await page.locator(".desk").focus()
    await page.keyboard.press("+")
    await expect(page.locator(".tool-scale")).to_have_text("200%")
    after = await page.locator(".sheet").bounding_box()
    assert before is not None
    assert after is not None
    assert after["width"] == pytest.approx(2 * before["width"], rel=0.01)
    await page.keyboard.press("0")
    await expect(page.locator(".tool-scale")).to_have_text("100%")


async def test_the_stages_are_shown(page: Page) -> None:
    await visit(page)
    toggle = page.get_by_role("button", name="Stages")
    await expect(toggle).to_have_attribute("aria-expanded", "false")
    await toggle.click()
    card = page.locator(".stage-card", has_text="Detect")
    await expect(card).to_contain_text("2/2")
    await expect(card.locator(".batch-bar")).to_have_count(4)
    await expect(card.get_by_role("img")).to_have_attribute("aria-label", "Batches by size: 1: 3, 4: 9, 8: 22, 16: 14")


async def test_a_key_is_asked_for_and_used(page: Page, tmp_path: Path) -> None:
    key, _ = add_key(tmp_path / "keys.json", lambda: make_key("somebody", "2026-01-01"))
    app = served(tmp_path / "data", keys_file=tmp_path / "keys.json")
    async with TestServer(app) as server:
        await visit(page, str(server.make_url("")))
        dialog = page.get_by_role("dialog", name="API key")
        await expect(dialog).to_be_visible()
        await dialog.get_by_label("Key").fill(key)
        await page.keyboard.press("Enter")
        await expect(dialog).to_be_hidden()
        await expect(page.locator("#doc-type option", has_text="Receipt")).to_have_count(1)
        await page.locator(".sample", has_text="receipt cafe").click()
        await expect(page.locator(".verdict-type")).to_contain_text("Receipt")
        await page.close()


async def test_without_a_key_a_document_is_not_read(page: Page, tmp_path: Path) -> None:
    add_key(tmp_path / "keys.json", lambda: make_key("somebody", "2026-01-01"))
    app = served(tmp_path / "data", keys_file=tmp_path / "keys.json")
    async with TestServer(app) as server:
        await visit(page, str(server.make_url("")))
        await page.keyboard.press("Escape")
        await page.locator(".sample").first.click()
        await expect(page.get_by_role("dialog", name="API key")).to_be_visible()
        await expect(page.locator("#failure")).to_contain_text("A valid API key is needed")
        await page.close()
