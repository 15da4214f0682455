from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from pipeline.outputs import KINDS, render
from pipeline.outputs.markdown import escape, to_markdown
from pipeline.outputs.text import to_text
from schemas.document import Document, Notice, Page
from schemas.errors import InvalidRequest
from schemas.fields import Check, Field
from tests.factories.read_pages import document, line, page, receipt

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def test_text_has_a_row_a_line_and_a_form_feed_between_pages() -> None:
    shown = document(page(line("one", 0, 0, 40), line("two", 0, 40, 40)), page(), page(line("三", 0, 0, 40)))
    assert to_text(shown) == "one\ntwo\n\f\f三\n"


def test_characters_that_would_break_a_row_or_a_page_become_spaces() -> None:
    assert to_text(document(page(line("a\fb\r\nc\u2028d\x1b[31m", 0, 0, 40)))) == "a b c d [31m\n"


def test_text_holds_no_lone_surrogate() -> None:
    assert to_text(document(page(line("a\udc80", 0, 0, 40)))).encode() == "a\N{REPLACEMENT CHARACTER}\n".encode()


def test_a_document_without_lines_gives_nothing() -> None:
    blank = document(page())
    assert to_text(blank) == ""
    assert to_markdown(blank) == ""


def test_markdown_of_a_receipt() -> None:
    assert to_markdown(document(receipt())) == (
        "Harbour Bean Coffee\n"
        "\n"
        "| Item | Qty | Amount |\n"
        "| --- | ---: | ---: |\n"
        "| Flat white | 2 | 7.00 |\n"
        "| Bagel |  | 14.07 |\n"
        "\n"
        "The quick brown fox jumps over the lazy dog, and then goes home.\n"
    )


def test_chinese_lines_are_joined_without_a_space() -> None:
    shown = document(page(line("本保险合同自保险人签发之日起", 60, 100, 800), line("生效。", 60, 135, 100)))
    assert to_markdown(shown) == "本保险合同自保险人签发之日起生效。\n"


def test_but_with_one_where_they_stand_side_by_side() -> None:
    shown = document(page(line("客户：田云荣", 60, 100, 200), line("电话：026", 600, 100, 200)))
    assert to_markdown(shown) == "客户：田云荣 电话：026\n"


def test_fields_come_first() -> None:
    shown = document(page(line("x", 0, 0, 40)))
    checks = [Check("sum", False, "items | add up to 20"), Check("amount", True, "fine")]
    shown.fields = {
        "total": Field("money", "21.07", "21.07", 0.964, checks=checks, needs_review=True, currency="EUR"),
        "date": Field("date", None, "31.O2.2024", 0.5, needs_review=True),
        "items": [
            Field("object", {"name": Field("text", "Bagel", "Bagel", 0.9)}, "Bagel", 0.9),
            Field("object", {"price": Field("money", "7.00", "7.00", 0.9)}, "7.00", 0.9),
        ],
    }
    assert to_markdown(shown) == (
        "| field | value | confidence | to review |\n"
        "| --- | --- | ---: | --- |\n"
        "| total | 21.07 EUR | 0.96 | items \\| add up to 20 |\n"
        "| date | 31.O2.2024 | 0.50 | could not be understood |\n"
        "\n"
        "| items: name | items: price | to review |\n"
        "| --- | ---: | --- |\n"
        "| Bagel |  |  |\n"
        "|  | 7.00 |  |\n"
        "\n"
        "x\n"
    )


def test_a_page_that_could_not_be_read_is_told() -> None:
    shown = document(page(line("x", 0, 0, 40)), Page(2, 0, 0, error=Notice("damaged_file", "it ends *early*", 2)))
    assert to_markdown(shown) == "x\n\n---\n\n> page 2 could not be read: it ends \\*early\\*\n"


HOSTILE = [
    "# heading", "- item", "+ item", "* item", "1. one", "12) two", "---", "===", "***", "> quote", "`code`", "~~~",
    "[link](javascript:alert)", "![x](y)", "<script>alert(1)</script>", "<b>", "&lt;", "&copy;", "**bold**", "_it_",
    "a | b", "| a | b |", "~~gone~~", "\\*", "    indented", "\ttab", "[ref]: http://x", "$x$", "<!-- c -->", ":--",
    "http://a_b_c", "-5.00", "21.07", "a\\", "=", "2024. 5. 31",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_what_was_read_never_becomes_markup(text: str) -> None:
    tokens = MARKDOWN.parse(to_markdown(document(page(line(text, 0, 0, 400)))))
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    assert {child.type for child in tokens[1].children or []} <= {"text", "text_special"}
    shown = "".join(child.content for child in tokens[1].children or [])
    assert shown == text.strip()


@pytest.mark.parametrize("text", HOSTILE)
def test_nor_in_a_table(text: str) -> None:
    rows = [line(text, 60, 100, 100), line("1", 500, 100, 50), line("b", 60, 140, 100), line("2", 500, 140, 50)]
    tokens = MARKDOWN.parse(to_markdown(document(page(*rows))))
    cells = [tokens[at + 1] for at, token in enumerate(tokens) if token.type == "td_open"]
    assert len(cells) == 4
    assert {child.type for child in cells[0].children or []} <= {"text", "text_special"}
    assert "".join(child.content for child in cells[0].children or []) == text.strip()


def test_numbers_are_left_as_they_are() -> None:
    assert escape("-5.00") == "-5.00"
    assert escape("21.07") == "21.07"


def test_every_form_but_the_pdf_is_made_of_the_document_alone() -> None:
    shown = document(receipt())
    for kind in KINDS.values():
        if not kind.pages:
            content, content_type = render(shown, kind.name)
            assert content
            assert content_type == kind.content_type


def test_unknown_form() -> None:
    with pytest.raises(InvalidRequest, match="did you mean markdown.*json, text, markdown, hocr, alto, pdf"):
        render(Document("a"), "markdwon")


def test_a_pdf_needs_the_file() -> None:
    with pytest.raises(InvalidRequest, match="give the file"):
        render(document(receipt()), "pdf")
