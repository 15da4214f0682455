from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.layout_ner.candidate import Candidate
from schemas.doctypes import DocType, FieldType
from schemas.document import Line, Page, Polygon
from stages.fields.folded import fold
from stages.fields.key_value import read_keys
from stages.fields.keys import KeyIndex
from stages.fields.normalise import plain
from stages.fields.shapes import locate
from stages.fields.tables import read_rows
from stages.fields.titles import recognise

FIELDS: dict[str, Any] = {
    "number": {"type": "id", "keys": ["Invoice No.", "No", "发票号码"]},
    "date": {"type": "date", "keys": ["Date", "Invoice date", "日期"]},
    "customer": {"keys": ["Customer", "Bill to", "客户"]},
    "address": {"multiline": True, "keys": ["Address", "地址"]},
    "total": {"type": "money", "keys": ["Total", "Total amount", "合计"]},
    "phone": {"keys": ["Tel", "Phone", "电话"], "repeated": True},
}


def doctype(**fields: Any) -> DocType:
    return DocType.model_validate(
        {"name": "bill", "names": {"en": "Bill"}, "titles": ["bill"], "fields": fields or FIELDS}
    )


def line(text: str, x: float, y: float, size: float = 20, slant: float = 0.0) -> Line:
    width = sum(size if ord(char) > 0x2E80 else size / 2 for char in text)
    cos, sin = math.cos(slant), math.sin(slant)
    corners = [(x, y), (x + width, y), (x + width, y + size), (x, y + size)]
    a, b, c, d = ((px * cos - py * sin, px * sin + py * cos) for px, py in corners)
    polygon: Polygon = (a, b, c, d)
    return Line(text, 0.99, polygon)


def page(*lines: tuple[str, float, float], slant: float = 0.0) -> Page:
    return Page(1, 1000, 1400, lines=[line(text, x, y, slant=slant) for text, x, y in lines])


def contents(*lines: tuple[str, float, float], slant: float = 0.0) -> dict[str, str]:
    return {one.name: one.content for one in read_keys(doctype(), [page(*lines, slant=slant)])}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Invoice No.: 2024/117", {"number": "2024/117"}),
        ("INVOICE NO 2024/117", {"number": "2024/117"}),
        ("发票号码：１２３４５", {"number": "１２３４５"}),
        ("lnvoice N0. 117", {"number": "117"}),
        ("Invoice Date: 3 May 2024", {"date": "3 May 2024"}),
        ("Invoice No. 7 Date 03/05/2024", {"number": "7", "date": "03/05/2024"}),
        ("Customer: Li Lei Tel: 123", {"customer": "Li Lei", "phone": "123"}),
        ("Customer: Li Lei Cashier: Ann", {"customer": "Li Lei"}),
        ("客户：张三 电话：123", {"customer": "张三", "phone": "123"}),
        ("客户: 张三电话: 123", {"customer": "张三", "phone": "123"}),
        ("Total (3 items) RM 12.50", {"total": "RM 12.50"}),
        ("Total 6% 12.50", {"total": "12.50"}),
        ("Total12.50", {"total": "12.50"}),
    ],
)
def test_a_value_behind_its_key(text: str, expected: dict[str, str]) -> None:
    assert contents((text, 50, 100)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Subtotal 12.50",  # the key is not at the beginning of a word
        "Totally 12.50",
        "Notes: 5",
        "No. of items: 3",  # a short key and its value have words in between
        "电子发票号码: 12345",
        "Total",
        "Total: none",
        "Date: soon",
        "Customer:",
        "Customer: ---",
        "",
    ],
)
def test_what_is_no_key_or_has_no_value_gives_nothing(text: str) -> None:
    assert contents((text, 50, 100)) == {}


@pytest.mark.parametrize("slant", [0.0, math.radians(3), math.radians(-3)])
def test_a_value_beside_its_key_on_the_same_row_also_of_a_slanting_page(slant: float) -> None:
    read = contents(
        ("Total", 50, 500), ("3", 400, 500), ("12.50", 800, 502), ("9.99", 800, 470), ("8.88", 800, 530),
        ("Customer", 50, 600), ("Li Lei", 700, 598), slant=slant,
    )  # fmt: skip
    assert read == {"total": "12.50", "customer": "Li Lei"}


def test_a_value_under_its_key_in_the_same_column() -> None:
    read = contents(
        ("Date", 50, 100), ("Customer", 300, 100), ("Total", 600, 100),
        ("03/05/2024", 52, 125), ("Li Lei", 300, 125), ("12.50", 605, 125),
    )  # fmt: skip
    assert read == {"date": "03/05/2024", "customer": "Li Lei", "total": "12.50"}


def test_an_empty_answer_takes_nothing_from_the_next_key() -> None:
    assert (
        contents(("Customer:", 50, 100), ("Address:", 300, 100), ("Total:", 50, 130), ("Cashier: 5.00", 200, 130)) == {}
    )


def test_a_value_far_below_or_in_another_column_is_not_taken() -> None:
    assert contents(("Customer", 50, 100), ("Li Lei", 50, 300), ("Ann", 500, 130)) == {}


def test_a_long_text_goes_on_below_but_not_into_what_is_not_its_own() -> None:
    read = contents(
        ("Address: 12 Quay Street", 50, 100), ("Old Mill", 140, 124), ("Bristol", 140, 148),
        ("Opening hours: 9 to 5", 140, 172), ("Far right", 700, 124),
    )  # fmt: skip
    assert read == {"address": "12 Quay Street Old Mill Bristol"}
    read = contents(
        ("地址", 50, 100), ("北京市海淀区", 150, 100), ("中关村大街", 150, 124), ("合计", 50, 148), ("9.00", 150, 148)
    )
    assert read == {"address": "北京市海淀区中关村大街", "total": "9.00"}


def test_spans_are_the_characters_as_read() -> None:
    sheet = page(("发票号码：　ＡＢ１２  日期：2024年5月3日", 50, 100))
    for one in read_keys(doctype(), [sheet]):
        assert "".join(sheet.lines[span.line].text[span.start : span.end] for span in one.spans) == one.content
    assert {one.content for one in read_keys(doctype(), [sheet])} == {"ＡＢ１２", "2024年5月3日"}


def test_of_several_the_surest_is_taken_and_repeated_ones_all() -> None:
    sheet = page(
        ("Total weight of all 5 parcels", 50, 50),
        ("Total: 12.50", 50, 100),
        ("Tel: 111", 50, 150),
        ("Phone: 222", 50, 200),
    )
    read = read_keys(doctype(), [sheet, Page(2, 10, 10, lines=[line("Tel: 333", 5, 5)])])
    assert [(one.name, one.content, one.page) for one in read] == [
        ("total", "12.50", 1), ("phone", "111", 1), ("phone", "222", 1), ("phone", "333", 2),
    ]  # fmt: skip
    assert all(0 < one.confidence <= 1 for one in read)


def test_two_fields_of_one_key_take_its_occurrences_in_turn() -> None:
    kind = doctype(buyer={"keys": ["Name"]}, seller={"keys": ["Name"]})
    read = read_keys(kind, [page(("Name: Ann", 50, 100), ("Name: Bob", 50, 300))])
    assert [(one.name, one.content) for one in read] == [("buyer", "Ann"), ("seller", "Bob")]


def test_a_rate_between_belongs_to_the_key() -> None:
    invoice = doctype(vat={"type": "money", "keys": ["VAT"]})
    [rated] = read_keys(invoice, [page(("VAT 19 %: 9.50", 0, 0))])
    [plainly] = read_keys(invoice, [page(("VAT: 9.50", 0, 0))])
    assert (rated.content, plainly.content) == ("9.50", "9.50")
    assert read_keys(invoice, [page(("VAT office Leeds 9.50", 0, 0))]) == []
    assert rated.confidence == pytest.approx(plainly.confidence, abs=0.1)


def test_a_sentence_that_begins_with_a_key_is_less_sure_than_a_value() -> None:
    sentence, value = (
        read_keys(doctype(), [page((text, 50, 100))])[0].confidence
        for text in ("Customer satisfaction is our aim", "Customer: satisfaction is our aim")
    )
    assert sentence < 0.6 < value


@given(
    st.lists(
        st.text(alphabet=st.sampled_from("Total:合计 NoDate1234567890.,/-¥元①﹕ ﬁ\u200b客户"), max_size=30), max_size=6
    )
)
def test_whatever_the_text_contents_are_what_the_spans_say(texts: list[str]) -> None:
    sheet = page(*((text, 50.0 + 300 * (index % 2), 30.0 * (index // 2)) for index, text in enumerate(texts)))
    for one in read_keys(doctype(), [sheet]):
        assert one.content
        assert all(sheet.lines[s.line].text[s.start : s.end].strip() for s in one.spans)
        assert 0 <= one.confidence <= 1


def test_degenerate_boxes_do_no_harm() -> None:
    point: Polygon = ((5.0, 5.0),) * 4
    lines = [Line(text, 1.0, point) for text in ("Total", "12.50", "Customer", "Ann")]
    assert all(isinstance(one, Candidate) for one in read_keys(doctype(), [Page(1, 10, 10, lines=lines)]))


# --- the parts ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["ＡＢ：１２", "  x  y ", "发 票 号", "—a\u200bb", "ﬁle", "", "a　b", "张 三 A 王", "é"]
)
def test_folding_is_the_plain_spelling_and_knows_places(text: str) -> None:
    folded = fold(text)
    assert folded.text == plain(text)
    assert len(folded.origin) == len(folded.text)
    assert list(folded.origin) == sorted(folded.origin)
    for place, char in enumerate(folded.text):
        assert char in plain(f"x{text[folded.origin[place]]}x")


def test_the_longest_key_wins_whatever_the_order() -> None:
    index = KeyIndex.of({"a": ["Date"], "b": ["Invoice Date"], "c": ["Date of birth"]})
    hits = index.find(fold("Date of birth Invoice date Date"))
    assert [index.names[hit.key] for hit in hits] == [["c"], ["b"], ["a"]]


@pytest.mark.parametrize(
    ("kind", "pattern", "text", "expected"),
    [
        ("money", None, "-1,234.50 EUR", "-1,234.50 EUR"),
        ("money", None, "1000万元人民币", "1000万元人民币"),
        ("money", None, "壹仟万元整", "壹仟万元整"),
        ("money", None, "19 %", None),
        ("money", None, "5 items", None),
        ("number", None, "x 12.5 kg", "12.5"),
        ("rate", None, "VAT 19,0 %", "19,0 %"),
        ("date", None, "on 2024年5月3日 at noon", "2024年5月3日"),
        ("date", None, "1234", None),
        ("datetime", None, "08:30 03/04/2024", "08:30 03/04/2024"),
        ("month", None, "THRU 08/29", "08/29"),
        ("digits", r"\d{16,19}", "6228 4804 0256 4890 018 x", "6228 4804 0256 4890 018"),
        ("digits", r"\d{16,19}", "6228 4804", None),
        ("digits", None, "no 12 34", "12 34"),
        ("id", None, ": INV-001/22 .", "INV-001/22"),
        ("id", None, "AB 12345 678 paid", "AB 12345 678"),
        ("id", None, "none", None),
        ("id", r"\d{17}[\dX]", "11010519491231002x", "11010519491231002x"),
        ("id", r"[A-Z]\d{3}", "code:A123;", "A123"),
        ("id", r"[A-Z]\d{3}", "AA1234", None),
        ("text", r"[A-Z]{2}\d+", "x AB12 y", "AB12"),
        ("sex", None, "Female", "Female"),
        ("capitals", None, "¥ 壹佰元整 (100)", "壹佰元整"),
        ("currency", None, "RM 12", "RM"),
        ("text", None, " : Li Lei ;", "Li Lei"),
        ("text", None, "...", None),
    ],
)
def test_a_value_is_located_by_its_type(kind: str, pattern: str | None, text: str, expected: str | None) -> None:
    field = FieldType.model_validate({"name": "f", "type": kind, "pattern": pattern})
    text = plain(text)
    place = locate(field, text)
    assert (None if place is None else text[slice(*place)]) == expected


def test_a_pattern_that_runs_away_finds_nothing() -> None:
    assert locate(FieldType(name="f", pattern=r"(a+)+b"), "a" * 60) is None


def test_rows_are_read_by_their_columns_until_the_table_ends() -> None:
    kind = doctype(
        total={"type": "money", "keys": ["Total"]},
        items={
            "type": "object",
            "repeated": True,
            "parts": {
                "name": {"keys": ["Item"]},
                "count": {"type": "number", "keys": ["Qty"]},
                "price": {"type": "money", "keys": ["Price"]},
            },
        },
    )
    sheet = page(
        ("Item", 50, 100), ("Qty", 400, 100), ("Price", 700, 100),
        ("Tea", 50, 130), ("2", 405, 130), ("3.00", 715, 130),
        ("Sugar, brown", 50, 160), ("1.50", 715, 160),
        ("9", 405, 190),
        ("Total", 50, 220), ("7.50", 715, 220), ("Milk", 50, 250), ("1", 405, 250),
    )  # fmt: skip
    rows = [(one.group, one.name, one.content) for one in read_rows(kind, [sheet])]
    assert rows == [
        (0, "items.name", "Tea"), (0, "items.count", "2"), (0, "items.price", "3.00"),
        (1, "items.name", "Sugar, brown"), (1, "items.price", "1.50"),
    ]  # fmt: skip
    assert [one.content for one in read_keys(kind, [sheet])] == ["7.50"]
    assert read_rows(kind, [page(("Item", 50, 100), ("Tea", 50, 130))]) == []


def test_a_type_is_told_by_its_title_and_keys() -> None:
    full = page(("BILL", 300, 20), ("Invoice No. 7", 50, 100), ("Date 03/05/2024", 50, 130), ("Total 5.00", 50, 160))
    within = page(("your bill of last week was high", 50, 20))
    other = page(("Menu of the day", 300, 20), ("Total 5.00", 50, 160))
    kinds = [doctype(), DocType.model_validate({**doctype().model_dump(), "name": "memo", "titles": ("memo",)})]
    found = recognise(kinds, [Page(1, 9, 9), full])
    assert found is not None
    assert found[0] == "bill"
    assert found[1] > 0.7
    assert [recognise(kinds, pages) for pages in ([within], [other], [Page(1, 9, 9)], [])] == [None] * 4
