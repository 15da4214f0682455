"""From lines to the network's arrays, and from its tags back to values: nothing is lost on the way there and back."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

from models.layout_ner.candidate import Candidate
from models.layout_ner.decode import JOIN_LINES, decode
from models.layout_ner.encode import GEOMETRY, MAX_LINE, PLACES, collate, encode, geometry_of
from models.layout_ner.example import Entity, Example, Span, TextLine
from models.layout_ner.tags import OTHER, TagSet
from models.layout_ner.training.targets import targets
from models.layout_ner.vocabulary import (
    BREAK,
    KINDS,
    PAD,
    SPECIAL,
    UNKNOWN,
    Vocabulary,
    kind_of,
    simplified,
    standard_vocabulary,
)
from tests.factories.training_pages import TAGS, VOCABULARY, line, receipt

# --- vocabulary -----------------------------------------------------------------------------------------------------


def test_the_standard_vocabulary_knows_english_and_chinese() -> None:
    vocabulary = standard_vocabulary()
    assert all(vocabulary.number(char) >= SPECIAL for char in "Total: €12.50 (é) 发票号码合计¥元 №√")
    assert vocabulary.number("龘") == UNKNOWN  # not in GB 2312
    assert len(set(vocabulary.characters)) == len(vocabulary.characters) == len(vocabulary) - SPECIAL
    assert not any(simplified(char) != char for char in vocabulary.characters)


def test_forms_of_one_character_have_its_number() -> None:
    vocabulary = standard_vocabulary()
    for form, usual in (("１", "1"), ("Ａ", "A"), ("：", ":"), ("￥", "¥"), ("（", "(")):  # noqa: RUF001
        assert vocabulary.number(form) == vocabulary.number(usual) != UNKNOWN
        assert kind_of(form) == kind_of(usual)
    assert simplified("㎏") == "㎏"  # its normal form is two characters


@pytest.mark.parametrize(
    ("char", "kind"),
    [("7", "digit"), ("٣", "digit"), ("A", "upper"), ("é", "lower"), ("票", "ideograph"), ("龘", "ideograph"),
     ("￥", "money"), ("$", "money"), ("、", "punctuation"), ("+", "punctuation"), (" ", "space"), ("\u3000", "space"),
     ("\u200b", "other")],
)  # fmt: skip
def test_a_character_has_a_kind_known_or_not(char: str, kind: str) -> None:
    assert KINDS[kind_of(char)] == kind


@pytest.mark.parametrize(("characters", "reason"), [(["ab"], "single characters"), (["a", "a"], "once")])
def test_a_vocabulary_of_other_things_is_refused(characters: list[str], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Vocabulary(characters)


# --- tags -----------------------------------------------------------------------------------------------------------


def test_tags_and_types_are_numbered_without_gaps() -> None:
    assert (len(TAGS), TAGS.types) == (7, (OTHER, "receipt", "bill"))
    begins = [TAGS.begin(doc_type, name) for doc_type, names in TAGS.fields.items() for name in names]
    assert begins == [1, 3, 5]
    assert TAGS.of_type("receipt") == [("company", 1), ("total", 3)]
    assert (TAGS.begin("bill", "total"), TAGS.of_type("lease")) == (None, [])
    assert [TAGS.type_number(name) for name in (None, "lease", "receipt", "bill")] == [0, 0, 1, 2]
    assert [TAGS.hint(name) for name in (None, "lease", OTHER, "receipt", "bill")] == [0, 0, 1, 2, 3]


# --- encoding -------------------------------------------------------------------------------------------------------


def test_every_line_ends_with_a_break() -> None:
    page = encode([line("ab", 0), line("", 1), line("7龘", 2)], VOCABULARY, hint=2)
    a, b, seven = (VOCABULARY.number(char) for char in "ab7")
    assert page.characters.tolist() == [a, b, BREAK, BREAK, seven, UNKNOWN, BREAK]
    assert page.line_of.tolist() == [0, 0, 0, 1, 2, 2, 2]
    assert page.offset_of.tolist() == [0, 1, -1, -1, 0, 1, -1]
    assert [KINDS[kind] for kind in page.kinds] == ["lower", "lower", "break", "break", "digit", "ideograph", "break"]
    assert (page.length, page.hint) == (7, 2)
    assert (page.places.shape, page.geometry.shape) == ((7, PLACES), (3, GEOMETRY))
    assert ((page.places >= 0) & (page.places <= 1)).all()


def test_a_line_is_cut_and_a_page_without_lines_refused() -> None:
    assert encode([line("x" * 1000, 0)], VOCABULARY).length == MAX_LINE + 1
    with pytest.raises(ValueError, match="without lines"):
        encode([], VOCABULARY)


def test_positions_do_not_depend_on_resolution_or_margins() -> None:
    def moved(one: TextLine, scale: float, by: float) -> TextLine:
        a, b, c, d = ((x * scale + by, y * scale + 2 * by) for x, y in one.polygon)
        return TextLine(one.text, (a, b, c, d))

    lines = [line("one", 0), line("two", 1, left=200), line("three and more", 4)]
    expected = geometry_of(lines)
    np.testing.assert_allclose(geometry_of([moved(one, 3.7, 55) for one in lines]), expected, atol=1e-4)
    assert np.abs(geometry_of([moved(one, 1, 0) for one in lines[::-1]])[::-1] - expected).max() == 0


def test_a_slanted_line_is_as_high_as_its_text() -> None:
    flat, turned = line("a slanted line of text", 3), 0.1
    a, b, c, d = (
        (x * math.cos(turned) - y * math.sin(turned), x * math.sin(turned) + y * math.cos(turned))
        for x, y in flat.polygon
    )
    other = [line(str(row), row) for row in range(3)]
    height = geometry_of([*other, TextLine(flat.text, (a, b, c, d))])[:, 4]
    np.testing.assert_allclose(height, 0, atol=1e-5)


def test_lines_of_no_size_give_numbers() -> None:
    point = TextLine("x", ((5, 5), (5, 5), (5, 5), (5, 5)))
    assert np.isfinite(encode([point], VOCABULARY).geometry).all()
    assert np.isfinite(encode([point, line("abc", 2)], VOCABULARY).places).all()


def test_padding_is_marked_in_every_array() -> None:
    pages = [encode([line("ab", 0)], VOCABULARY, 1), encode([line("abcdef", 0), line("g", 1)], VOCABULARY)]
    characters, kinds, line_of, places, geometry, hint = collate(pages)
    assert characters.shape == kinds.shape == line_of.shape == (2, 9)
    assert (characters[0, 3:] == PAD).all()
    assert (kinds[0, 3:] == 0).all()
    assert (line_of[0, 3:] == -1).all()
    assert not places[0, 3:].any()
    assert not geometry[0, 1:].any()
    assert hint.tolist() == [1, 0]
    assert collate(pages, 64, 16)[4].shape == (2, 16, GEOMETRY)


# --- there and back -------------------------------------------------------------------------------------------------


def read_back(example: Example, tags: TagSet = TAGS, sure: float = 1.0, doc_type: str = "receipt") -> list[Candidate]:
    """What is decoded where the network says the truth with so much confidence."""
    page = encode(example.lines, VOCABULARY)
    sample = targets(example, page, tags, None)
    said: npt.NDArray[np.float32] = np.zeros((page.length + 5, len(tags)), np.float32)  # with some padding
    said[np.arange(page.length), sample.tags] = sure
    said[:, 0] += 1 - said.sum(axis=1)
    return decode(said, page, example.lines, tags, doc_type, {"total": "money", "company": "text"})


def test_what_is_labelled_is_decoded_again() -> None:
    example = receipt(company=("GOLDEN", "LOTUS", "TRADING"))
    found = {one.name: one for one in read_back(example, sure=0.9)}
    assert {name: one.content for name, one in found.items()} == {"company": "GOLDEN LOTUS TRADING", "total": "12.50"}
    assert found["company"].spans == example.entities[0].spans
    assert found["total"].spans == example.entities[1].spans
    assert all(one.confidence == pytest.approx(0.9, abs=1e-5) and one.page == 1 for one in found.values())


def test_two_of_one_field_are_two() -> None:
    lines = [line("FIRST", 0), line("SECOND", 1)]
    entities = [Entity("company", (Span(0, 0, 5),)), Entity("company", (Span(1, 0, 6),))]
    assert [one.content for one in read_back(Example("x", "receipt", 400, 300, lines, entities))] == ["FIRST", "SECOND"]


@pytest.mark.parametrize("gap", [1, JOIN_LINES, JOIN_LINES + 1])
def test_a_value_goes_on_some_lines_further_down(gap: int) -> None:
    lines = [line(text, row) for row, text in enumerate(["FIRST", *["between"] * (gap - 1), "SECOND"])]
    example = Example("x", "receipt", 400, 300, lines, [Entity("company", (Span(0, 0, 5), Span(gap, 0, 6)))])
    expected = ["FIRST SECOND"] if gap <= JOIN_LINES else ["FIRST", "SECOND"]
    assert [one.content for one in read_back(example)] == expected


def test_another_types_fields_are_not_decoded() -> None:
    assert read_back(receipt(), doc_type="bill") == []
    assert read_back(receipt(), doc_type="lease") == []


def test_an_unsure_amount_is_a_candidate_with_its_probability_and_an_unsure_name_is_none() -> None:
    (only,) = read_back(receipt(), sure=0.2)
    assert (only.name, only.content, only.spans) == ("total", "12.50", (Span(3, 7, 12),))
    assert only.confidence == pytest.approx(0.2, abs=1e-5)
    assert read_back(receipt(), sure=0.01) == []
