from __future__ import annotations

import random

import pytest

from models.layout_ner.example import Entity, Example, Span, TextLine
from models.layout_ner.training.swap import swap

BOX = ((0.0, 0.0), (100.0, 0.0), (100.0, 10.0), (0.0, 10.0))


def page() -> Example:
    texts = [
        "BEST SHOP BEST SDN BHD (123-A)",
        "12 JALAN ONE, TAMAN TWO 81100 JOHOR",
        "TOTAL 12.50",
        "CASH 12.50 03/04/2018",
    ]
    lines = [TextLine(text, BOX) for text in texts]
    entities = [
        Entity("company", (Span(0, 0, 9), Span(0, 10, 22))),  # two pieces of one line
        Entity("address", (Span(1, 0, 13), Span(1, 14, 35))),
        Entity("total", (Span(2, 6, 11),)),
        Entity("date", (Span(3, 11, 21),)),
    ]
    return Example("page", "receipt", 100, 100, lines, entities)


@pytest.mark.parametrize("seed", range(60))
def test_every_span_lies_in_its_line_and_the_rest_stays(seed: int) -> None:
    rng = random.Random(seed)
    makers = {
        "company": lambda r: "Q" * r.randint(1, 40) + " W",
        "address": lambda r: " ".join("XYZ" * r.randint(1, 9)),
    }
    swapped = swap(page(), rng, makers)
    for entity in swapped.entities:
        for span in entity.spans:
            assert 0 <= span.start < span.end <= len(swapped.lines[span.line].text)
    assert swapped.lines[0].text.endswith(" (123-A)") or swapped.lines[0].text[-1] == ")"
    total, date = swapped.text_of(swapped.entities[2]), swapped.text_of(swapped.entities[3])
    assert len(total) == 5
    assert total[2] == "."
    assert len(date) == 10
    assert swapped.lines[3].text.startswith(f"CASH {total} "), "equal amounts stay equal"


def test_the_original_is_left_alone() -> None:
    original = page()
    swap(original, random.Random(1), {"company": lambda _: "NEW"})
    assert original == page()


def test_texts_of_capitals_stay_capitals() -> None:
    for seed in range(20):
        swapped = swap(page(), random.Random(seed), {"company": lambda _: "small letters"})
        assert not any(char.islower() for char in swapped.lines[0].text)


def test_what_two_entities_share_is_left_alone() -> None:
    shared = page()
    shared.entities[1] = Entity("address", (Span(0, 5, 22), Span(1, 0, 35)))
    for seed in range(20):
        swapped = swap(shared, random.Random(seed), {"company": lambda _: "Q", "address": lambda _: "Q"})
        assert swapped.lines[0].text == shared.lines[0].text
