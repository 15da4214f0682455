"""Decoding a line again when a check fails; the alternatives are made up."""

from __future__ import annotations

import numpy as np
import pytest

from models.ctc import Alternatives
from models.layout_ner.candidate import Candidate
from models.layout_ner.example import Span
from schemas.doctypes import FieldType
from schemas.document import Line, Page
from stages.fields.context import Context
from stages.fields.correct import decode_again, part_of
from stages.fields.corrections import corrected
from stages.fields.identifiers import bank_card_fault, resident_id_fault
from stages.fields.typed import typed

ID = "11010519491231002X"
CARD = "4111111111111111"


def spelled(*columns: dict[str, float]) -> Line:
    """A line of one column per character, a blank between each two; its text is what is most probable."""
    characters = sorted({char for column in columns for char in column})
    number = {char: k + 1 for k, char in enumerate(characters)}
    rows: list[list[tuple[int, float]]] = []
    for column in columns:
        rest = max(1 - sum(column.values()), 0.0)
        rows.append([(number[char], p) for char, p in sorted(column.items(), key=lambda item: -item[1])] + [(0, rest)])
        rows.append([(0, 0.999)])
    width = max(map(len, rows))
    rows = [row + [(0, 0.0)] * (width - len(row)) for row in rows]
    alternatives = Alternatives(
        np.array([[c for c, _ in row] for row in rows], np.int32),
        np.array([[p for _, p in row] for row in rows], np.float32),
        tuple(characters),
    )
    text = "".join(max(column.items(), key=lambda item: item[1])[0] for column in columns)
    return Line(text, 0.9, ((0.0, 0.0), (200.0, 0.0), (200.0, 20.0), (0.0, 20.0)), alternatives=alternatives)


def read_as(truth: str, smudged: dict[int, dict[str, float]], before: str = "") -> Line:
    columns = [{char: 0.99} for char in before + truth]
    for place, column in smudged.items():
        columns[len(before) + place] = column
    return spelled(*columns)


def id_passes(value: str) -> bool:
    return resident_id_fault(value) is None


def card_passes(value: str) -> bool:
    return bank_card_fault(value) is None


def again(line: Line, start: int = 0) -> str | None:
    text = line.text[start:]
    return decode_again(line, Span(0, start, len(line.text)), text, "0-9Xx", id_passes)


def test_exactly_one_passes() -> None:
    line = read_as(ID, {9: {"8": 0.6, "9": 0.35}})
    assert line.text != ID
    assert again(line) == ID


def test_letters_for_digits() -> None:
    # However sure the recogniser was of an O: only a digit can stand there.
    line = read_as(ID, {1: {"l": 0.99, "1": 0.004}, 2: {"O": 0.98, "0": 0.01}, 14: {"o": 0.98, "0": 0.01}})
    assert line.text == "1lO10519491231o02X"
    assert again(line) == ID


def test_words_before_the_number_are_cut_off() -> None:
    line = read_as(ID, {9: {"8": 0.6, "9": 0.35}}, before="No 8:")
    assert again(line, start=5) == ID


def test_words_behind_the_number_are_cut_off() -> None:
    line = read_as(ID + "7", {9: {"8": 0.6, "9": 0.35}})
    value = decode_again(line, Span(0, 0, 18), line.text[:18], "0-9Xx", id_passes)
    assert value == ID


def test_two_that_pass_settle_nothing() -> None:
    # 4111111111111111 and 4111111111111129 both pass; both are alternatives of what was read.
    line = read_as(CARD, {14: {"1": 0.5, "2": 0.45}, 15: {"8": 0.5, "1": 0.3, "9": 0.2}})
    assert line.text == "4111111111111118"
    assert card_passes("4111111111111111")
    assert card_passes("4111111111111129")
    assert decode_again(line, Span(0, 0, 16), line.text, "0-9", card_passes) is None
    # Without the second one the first is taken.
    line = read_as(CARD, {15: {"8": 0.5, "1": 0.3}})
    assert decode_again(line, Span(0, 0, 16), line.text, "0-9", card_passes) == CARD


def test_improbable_alternatives_are_none() -> None:
    assert again(read_as(ID, {9: {"8": 0.98, "9": 0.01}})) is None


def test_more_than_one_free_change_is_none() -> None:
    line = read_as(ID, {6: {"7": 0.5, "1": 0.45}, 9: {"8": 0.5, "9": 0.45}})
    assert line.text == "11010579481231002X"
    assert again(line) is None


def test_nothing_passes() -> None:
    assert again(read_as(ID, {9: {"8": 0.6, "7": 0.35}})) is None


def test_without_alternatives() -> None:
    line = read_as(ID, {9: {"8": 0.6, "9": 0.35}})
    line.alternatives = None
    assert again(line) is None


def test_alternatives_of_another_line() -> None:
    line = read_as(ID, {9: {"8": 0.6, "9": 0.35}})
    line.text = "something else 123"
    assert again(line) is None


def test_cut_columns_spell_the_part() -> None:
    line = read_as("abcd", {})
    part = part_of(line.alternatives, "abcd", 1, 3)
    assert part is not None
    symbols = ("", *part.characters)
    assert [symbols[k] for k in part.indices[:, 0] if k] == ["b", "c"]
    assert part_of(line.alternatives, "abcd", 2, 9) is None


KIND = FieldType(name="id_number", type="id", validator="resident_id", pattern=r"\d{17}[\dX]")


def read_field(line: Line, kind: FieldType = KIND) -> tuple[str | int | None, list[str], list[str]]:
    page = Page(1, 400, 100, lines=[line])
    candidate = Candidate(kind.name, line.text, (Span(0, 0, len(line.text)),), 1, 0.9)
    context = Context([page])
    result = corrected(kind, candidate, typed(kind, line.text, context), {1: page}, context)
    failed = [check.name for check in result.checks if not check.passed]
    return result.value, failed, [check.reason for check in result.checks if check.name == "correction"]


def test_a_correction_is_said() -> None:
    value, failed, said = read_field(read_as(ID, {2: {"O": 0.9, "0": 0.05}}))
    assert value == ID
    assert failed == []
    assert said == [f"read 11O10519491231002X, decoded again as {ID}"]


def test_no_correction_leaves_the_value() -> None:
    value, failed, said = read_field(read_as(ID, {9: {"8": 0.9, "7": 0.05}}))
    assert value == "11010519481231002X"
    assert failed == ["resident_id"]
    assert said == []


def test_right_values_are_left_alone() -> None:
    value, failed, said = read_field(read_as(ID, {9: {"9": 0.5, "8": 0.45}}))
    assert (value, failed, said) == (ID, [], [])


def test_digits_under_a_pattern() -> None:
    kind = FieldType(name="invoice_number", type="digits", pattern=r"\d{8}|\d{20}")
    value, failed, said = read_field(read_as("12345678", {7: {"B": 0.9, "8": 0.05}}), kind)
    assert (value, failed) == ("12345678", [])
    assert said == ["read 1234567B, decoded again as 12345678"]
    # Two digits are possible, and no check digit tells between them.
    value, failed, said = read_field(read_as("12345678", {7: {"B": 0.5, "8": 0.3, "3": 0.2}}), kind)
    assert value == "1234567B"
    assert failed
    assert said == []


def test_capitals() -> None:
    kind = FieldType(name="total_in_words", type="capitals")
    value, failed, said = read_field(read_as("壹仟贰佰元整", {1: {"任": 0.6, "仟": 0.35}}), kind)
    assert (value, failed) == ("1200.00", [])
    assert said == ["read 壹任贰佰元整, decoded again as 壹仟贰佰元整"]


@pytest.mark.parametrize("kind", [FieldType(name="company"), FieldType(name="total", type="money")])
def test_what_no_check_settles_is_not_decoded_again(kind: FieldType) -> None:
    value, _, said = read_field(read_as("1O.50", {1: {"O": 0.9, "0": 0.05}}), kind)
    assert value is not None
    assert said == []
