"""The documentation page, and its forms."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from pipeline.server.openapi import OPERATIONS
from tests.browser.conftest import Site, visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

SAMPLES = Path(__file__).parents[2] / "samples/images"


async def test_every_operation_is_there(page: Page) -> None:
    await visit(page, "docs")
    for operation in OPERATIONS:
        await expect(page.locator(f"#{operation.id}")).to_have_count(1)
    await expect(page.locator("#contents a[href='#readDocuments']")).to_be_visible()


async def test_a_link_opens_what_it_names(page: Page) -> None:
    await visit(page, "docs#schema-Field")
    await expect(page.locator("#schema-Field")).to_have_attribute("open", "")
    await expect(page.locator("#schema-Field")).to_contain_text("needs_review")
    await page.locator("#contents a[href='#getJob']").click()
    await expect(page.locator("#getJob")).to_have_attribute("open", "")


async def test_finding(page: Page) -> None:
    await visit(page, "docs")
    await page.fill("#find", "webhook secret")
    await expect(page.locator("#contents li:visible")).to_have_count(2)  # the operation and its schema


async def test_a_document_is_read_from_the_form(page: Page, site: Site) -> None:
    await visit(page, "docs#readDocuments")
    form = page.locator("#readDocuments form")
    await form.get_by_label("words").select_option("true")
    await form.locator("input[type=file]").set_input_files(SAMPLES / "receipt-cafe.jpg")
    await expect(form.locator("pre").first).to_contain_text("/v1/documents?words=true")
    await form.get_by_role("button", name="Send").click()
    await expect(form.locator(".status")).to_contain_text("200 OK")
    await expect(form.locator(".answer > div pre")).to_contain_text('"doc_type": "receipt"')
    assert site.reader.read["receipt-cafe.jpg"] == 1


async def test_an_error_is_shown_as_it_comes(page: Page) -> None:
    await visit(page, "docs#getJob")
    form = page.locator("#getJob form")
    await form.get_by_label("id", exact=False).first.fill("nothing")
    await form.get_by_role("button", name="Send").click()
    await expect(form.locator(".status")).to_contain_text("404")
    await expect(form.locator(".answer > div pre")).to_contain_text('"code": "not_found"')


async def test_the_language(page: Page) -> None:
    await visit(page, "docs#getJob")
    await page.click("#language")
    await expect(page.locator("h1")).to_have_text("接口文档")
    await expect(page.locator("#getJob")).to_have_attribute("open", "")
