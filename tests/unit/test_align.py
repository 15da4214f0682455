"""Fields found on lines by their values."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.layout_ner.align import align, align_fields
from models.layout_ner.datasets import load_examples
from models.layout_ner.edit_distance import EDIT, find
from models.layout_ner.example import Entity, Example, Span, TextLine
from models.layout_ner.normalise import normalise, normalise_with_positions


def row(text: str, x: float, y: float) -> TextLine:
    """A line 20 pixels high, 10 pixels a character."""
    right = x + 10 * len(text)
    return TextLine(text, ((x, y), (right, y), (right, y + 20), (x, y + 20)))


def page(*texts: str) -> list[TextLine]:
    return [row(text, 50, 30 * number) for number, text in enumerate(texts)]


def text_of(spans: tuple[Span, ...], lines: list[TextLine]) -> str:
    return Example("", None, 1, 1, lines).text_of(Entity("", spans))


def texts(value: str, lines: list[TextLine], *, total: bool = False) -> list[str]:
    return [text_of(spans, lines) for spans in align(value, lines, total=total)]


class TestNormalise:
    def test_what_is_compared(self) -> None:
        assert normalise("ＡＢc, (d)-1.\u30002 ㎏") == "ABCD12KG"

    def test_positions_point_at_the_characters(self) -> None:
        text = "a, ㎏b"
        normal, positions = normalise_with_positions(text)
        assert normal == "AKGB"
        assert [text[position] for position in positions] == ["a", "㎏", "㎏", "b"]


class TestFind:
    def test_exact_places_all_count(self) -> None:
        found = find("ABC", ["XABCX", "ABC", "ABD"])
        assert [o.pairs for o in found] == [((0, 1, 0), (0, 2, 1), (0, 3, 2)), ((1, 0, 0), (1, 1, 1), (1, 2, 2))]

    def test_of_inexact_ones_only_the_first(self) -> None:
        found = find("ABCDEF", ["ABXDEF", "ABCDXF"])
        assert [(o.cost, o.pairs[0][0]) for o in found] == [(EDIT, 0)]

    def test_over_lines_with_another_between(self) -> None:
        (found,) = find("AAAABBBB", ["AAAA", "1234567", "BBBB"])
        assert {line for line, _, _ in found.pairs} == {0, 2}
        assert found.cost < 2 * EDIT  # though the strange line has seven characters

    @pytest.mark.parametrize("lines", [["AAAA1234567", "BBBB"], ["AAAA", "1234567BBBB"]])
    def test_over_parts_of_lines(self, lines: list[str]) -> None:
        (found,) = find("AAAABBBB", lines)
        assert [(line, i) for line, _, i in found.pairs] == [(i // 4, i) for i in range(8)]
        assert found.cost < 7 * EDIT

    def test_nothing_to_find(self) -> None:
        assert find("", ["A"]) == []
        assert find("A", []) == []
        assert find("A", ["", ""]) == []

    @given(
        st.text("ABC", min_size=1, max_size=8),
        st.lists(st.text("ABC", max_size=8), min_size=1, max_size=4).filter(any),
    )
    def test_pairs_go_forward_and_explain_the_cost(self, value: str, lines: list[str]) -> None:
        for occurrence in find(value, lines):
            places = [(line, column) for line, column, _ in occurrence.pairs]
            indices = [i for _, _, i in occurrence.pairs]
            assert places == sorted(set(places))
            assert indices == sorted(set(indices))
            wrong = sum(lines[line][column] != value[i] for line, column, i in occurrence.pairs)
            assert occurrence.cost >= EDIT * (wrong + len(value) - len(indices))
            assert occurrence.cost <= EDIT * len(value)


class TestAlign:
    def test_a_part_of_a_line(self) -> None:
        lines = page("DATE : 19/10/2018 20:49", "NO 1")
        assert align("19/10/2018", lines) == [(Span(0, 7, 17),)]

    def test_address_over_lines_with_other_punctuation_and_a_stranger_between(self) -> None:
        lines = page("SHOP", "Lot 12,Jalan Besar ,", "(GST ID NO : 0003)", "43300 Seri Kembangan.", "TEL 03-1")
        value = "LOT 12, JALAN BESAR, 43300 SERI KEMBANGAN"
        assert align(value, lines) == [(Span(1, 0, 20), Span(3, 0, 21))]

    def test_a_misread_value(self) -> None:
        lines = page("CASHIER 1", "RESTORAH WAN SHENC", "TOTAL 4.60")
        assert texts("RESTORAN WAN SHENG", lines) == ["RESTORAH WAN SHENC"]

    def test_a_company_without_its_registration_number(self) -> None:
        lines = page("GARDENIA BAKERIES SDN BHD (139386 X)")
        assert texts("GARDENIA BAKERIES SDN BHD", lines) == ["GARDENIA BAKERIES SDN BHD"]

    def test_nearly_the_whole_line_is_the_whole_line(self) -> None:
        lines = page("* GARDENIA BAKERIES SDN BHD. A")
        assert texts("GARDENIA BAKERIES SDN BHD", lines) == ["* GARDENIA BAKERIES SDN BHD. A"]

    def test_a_date_is_not_extended_to_the_line(self) -> None:
        assert texts("19/10/2018", page("19/10/2018 S")) == ["19/10/2018"]

    def test_brackets_of_the_value_are_taken_along(self) -> None:
        lines = page("THE (NEW) AEON CO. (M) AND MUCH MORE BESIDE IT")
        assert texts("(NEW) AEON CO. (M)", lines) == ["(NEW) AEON CO. (M)"]

    def test_a_place_with_clean_ends_is_preferred(self) -> None:
        lines = page("11/02/181", "1/02/18")
        assert align("1/02/18", lines) == [(Span(1, 0, 7),)]

    def test_chinese(self) -> None:
        lines = page("商户名称：老王餐饮有限公司", "地址：上海市徐汇区漕溪", "北路88号")
        assert texts("上海市徐汇区漕溪北路88号", lines) == ["上海市徐汇区漕溪北路88号"]

    def test_what_does_not_stand_there(self) -> None:
        assert align("GARDENIA BAKERIES", page("TOTAL 5.00", "CASH 10.00")) == []
        assert align("", page("A")) == []
        assert align("A", []) == []

    def test_of_numbers_less_may_differ(self) -> None:
        assert align("1/2/2020", page("TOTAL 12.00")) == []
        assert texts("19/10/2018", page("19/10/2013")) == ["19/10/2013"]

    def test_a_line_that_was_not_read_is_not_replaced_by_another(self) -> None:
        lines = page("99 SPEED MART S/B", "S19537-X", "TAMAN BERKELEY 41150 KLANG, SELANGOR", "1076-IJOK")
        found = align("LOT P.T. 2811, JALAN ANGSA, TAMAN BERKELEY 41150 KLANG, SELANGOR 1076-IJOK", lines)
        assert [[span.line for span in spans] for spans in found] == [[2, 3]]

    def test_a_misread_value_ends_where_words_do(self) -> None:
        lines = page("WELCOME TO IOLD ELN INNI AT THE CORNER OF THE STREET")
        assert texts("OLD ELM INN", lines) == ["IOLD ELN INNI"]
        assert texts("OLD ELN INN", lines) == ["OLD ELN INN"]


class TestTotal:
    def test_the_word_beside_it_decides(self) -> None:
        lines = [
            row("SUB TOTAL", 0, 0), row("9.00", 300, 2),
            row("TOTAL", 0, 30), row("9.00", 300, 31),
            row("CASH", 0, 60), row("9.00", 300, 62),
            row("TOTAL GST", 0, 90), row("9.00", 300, 92),
            row("TOTAL QTY", 0, 120), row("9.00", 300, 122),
        ]  # fmt: skip
        assert align("9.00", lines, total=True) == [(Span(3, 0, 4),)]

    def test_all_equally_supported_ones(self) -> None:
        lines = page("TOTAL SALES INCL GST RM 1,209.00", "ROUNDED TOTAL : 1209.00", "CHANGE 1209.00")
        assert texts("1,209.00", lines, total=True) == ["1,209.00", "1209.00"]

    def test_amounts_are_numbers(self) -> None:
        lines = page("TOTAL 11.00", "TOTAL 1.00", "TOTAL 100", "1/1.00/2")
        assert texts("1.00", lines) == ["1.00"]

    def test_currency_only_where_the_value_has_it(self) -> None:
        assert texts("$7.00", page("TOTAL: $7.00"), total=True) == ["$7.00"]
        assert texts("7.00", page("TOTAL: $7.00"), total=True) == ["7.00"]

    def test_without_support_wherever_it_stands(self) -> None:
        assert texts("7.00", page("SUSHI 7.00", "CASH 7.00"), total=True) == ["7.00"]

    def test_a_misread_total_needs_its_word(self) -> None:
        assert texts("60.30", page("SUSHI 60.31", "TOTAL 60.38"), total=True) == ["60.38"]

    def test_on_a_skewed_page(self) -> None:
        def skewed(text: str, x: float, y: float) -> TextLine:
            width = 10 * len(text)
            tilt = 0.1
            corners = ((x, y), (x + width, y), (x + width, y + 20), (x, y + 20))
            a, b, c, d = ((px - tilt * py, py + tilt * px) for px, py in corners)
            return TextLine(text, (a, b, c, d))

        lines = [skewed("TOTAL", 0, 0), skewed("5.00", 300, 0), skewed("CASH", 0, 30), skewed("5.00", 300, 30)]
        assert align("5.00", lines, total=True) == [(Span(1, 0, 4),)]


def test_fields_found_and_missing() -> None:
    lines = page("OLD SHOP", "TOTAL 5.00", "CASH 5.00")
    entities, missing = align_fields({"company": "OLD SHOP", "total": "5.00", "date": "1/1/2020", "address": ""}, lines)
    assert entities == [Entity("company", (Span(0, 0, 8),)), Entity("total", (Span(1, 6, 10),))]
    assert missing == {"date", "address"}


@pytest.mark.parametrize(("field", "least"), [("company", 0.97), ("date", 0.99), ("address", 0.92), ("total", 0.99)])
def test_real_receipts(receipts: list[Example], field: str, least: float) -> None:
    """The rest are faults of the labels: values that differ from the lines by a character."""
    counts: Counter[bool] = Counter()
    for example in receipts:
        for value in example.values.get(field, []):
            spelled = {normalise(example.text_of(e)) for e in example.entities if e.name == field}
            counts[normalise(value) in spelled] += 1
    assert counts[True] >= least * counts.total() > 0


@pytest.fixture(scope="module")
def receipts(shared_data: Path) -> list[Example]:
    return load_examples(shared_data / "sroie_val")
