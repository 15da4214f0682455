"""What a training step is given: targets of pages, and the stream of samples and batches."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import numpy as np
import pytest

from models.layout_ner.encode import encode
from models.layout_ner.example import Entity, Example, Span
from models.layout_ner.tags import TagSet
from models.layout_ner.training.stream import (
    MAX_CHARACTERS,
    Pool,
    Source,
    batches,
    company_weights,
    in_order,
    make_sample,
    stack,
)
from models.layout_ner.training.targets import IGNORED, Sample, targets
from pipeline.training.sources import order
from tests.factories.training_pages import TAGS, VOCABULARY, line, random_page, receipt, source


def labelled(example: Example, asked: str | None) -> tuple[str, Sample]:
    """Each character's target as a letter: C or c for the company, T or t for the total, - for none."""
    page = encode(example.lines, VOCABULARY, TAGS.hint(asked))
    sample = targets(example, page, TAGS, asked)
    return "".join("-CcTtNn"[tag] for tag in sample.tags), sample


def test_entities_begin_once_and_go_on_over_lines() -> None:
    expected = "Cccc-cccccc------------------Ttttt-"  # noqa: ISC001  # with the break after each line
    text, sample = labelled(receipt(), None)
    assert text == expected
    assert sample.doc_type == TAGS.type_number("receipt") == 1
    assert labelled(receipt(), "receipt")[0] == expected


def test_under_a_wrong_type_there_is_nothing_to_find() -> None:
    text, sample = labelled(receipt(), "bill")
    assert set(text) == {"-"}
    assert sample.open.tolist() == [True] + [False] * 6


def test_what_the_truth_says_nothing_about_is_open() -> None:
    _, sample = labelled(receipt(unknown=frozenset({"company", "address"})), None)
    begin = TAGS.begin("receipt", "company")
    assert begin is not None
    assert np.flatnonzero(sample.open).tolist() == [0, begin, begin + 1]
    assert labelled(receipt(unknown=frozenset({"company"})), "bill")[1].open.sum() == 1


def test_fields_that_the_tags_do_not_have_are_nothing() -> None:
    example = receipt()
    example.entities.append(Entity("address", (Span(2, 0, 9),)))
    assert labelled(example, None)[0] == labelled(receipt(), None)[0]
    assert set(labelled(replace(example, doc_type="lease"), None)[0]) == {"-"}


def test_a_span_beyond_the_part_of_a_line_that_is_looked_at_is_cut() -> None:
    example = Example("x", "bill", 9000, 100, [line("9" * 500, 0)], [Entity("number", (Span(0, 390, 450),))])
    text, _ = labelled(example, None)
    assert text == "-" * 390 + "N" + "n" * 9 + "-"


def test_short_fields_weigh_as_much_as_longer_ones() -> None:
    _, sample = labelled(receipt("5", company=("A COMPANY WITH A NAME",)), None)
    total, company = sample.weights[sample.tags == TAGS.begin("receipt", "total")], sample.weights[:21]
    assert total[0] > company[0] > sample.weights[21] == 1  # a break is nothing
    assert len(set(company.tolist())) == 1


# --- the stream -----------------------------------------------------------------------------------------------------


def same(first: Sample, second: Sample) -> bool:
    names = ("characters", "kinds", "line_of", "places", "geometry")
    alike = all(np.array_equal(getattr(first.page, name), getattr(second.page, name)) for name in names)
    return alike and np.array_equal(first.tags, second.tags) and first.doc_type == second.doc_type


def test_a_sample_depends_on_seed_and_number_alone() -> None:
    first = [make_sample(source(), 5, number) for number in range(12)]
    again = [make_sample(source(), 5, number) for number in reversed(range(12))][::-1]
    assert all(map(same, first, again))
    other = [make_sample(source(), 6, number) for number in range(12)]
    assert not any(map(same, first, other))


def test_processes_share_the_windows_of_one() -> None:
    def taken(rank: int, count: int, amount: int) -> list[bytes]:
        found = batches(source(), 1, rank, count, size=6, budget=200)
        return [batch["characters"].tobytes() for batch in itertools.islice(found, amount)]

    alone = taken(0, 1, 24)
    shared = [batch for rank in range(3) for batch in taken(rank, 3, 16)]
    assert len(set(alone)) == 24
    assert set(alone) <= set(shared)


def test_batches_keep_to_the_budget_and_lose_no_page() -> None:
    found = list(itertools.islice(batches(source(), 2, size=40, budget=256), 12))
    assert all(batch["characters"].shape[0] * batch["characters"].shape[1] <= 512 for batch in found)
    assert any(len(batch["characters"]) > 1 for batch in found)
    for batch in found:
        padding = batch["line_of"] == -1
        assert ((batch["tags"] == IGNORED) == padding).all()
        assert (batch["characters"][padding] == 0).all()


def test_a_stacked_page_is_what_it_was_alone() -> None:
    samples = [make_sample(source(), 3, number) for number in range(4)]
    batch = stack(samples)
    for row, sample in enumerate(samples):
        length, lines = sample.page.length, len(sample.page.geometry)
        assert batch["characters"][row, :length].tolist() == sample.page.characters.tolist()
        assert batch["geometry"][row, :lines].tolist() == sample.page.geometry.tolist()
        assert batch["tags"][row, :length].tolist() == sample.tags.tolist()
        assert batch["types"][row] == sample.doc_type


def test_a_type_that_was_given_away_is_not_to_be_guessed() -> None:
    samples = [make_sample(source(), 9, number) for number in range(60)]
    assert {sample.doc_type == IGNORED for sample in samples if sample.page.hint} == {True}
    assert {sample.doc_type == IGNORED for sample in samples if not sample.page.hint} == {False}
    wrong = [s for s in samples if s.page.hint and not s.tags.any() and s.open.sum() == 1]
    assert wrong


def test_a_single_type_can_be_asked_for() -> None:
    tags = TagSet({"receipt": ("company", "total")})
    pages = [[receipt()]]
    one = Source(tags, VOCABULARY, order, [Pool(pages, [1.0], 1.0)])
    hints = {make_sample(one, 1, number).page.hint for number in range(40)}
    assert hints == {0, tags.hint("receipt")}


def test_without_anything_to_train_on_it_says_so() -> None:
    with pytest.raises(ValueError, match="nothing to train on"):
        make_sample(Source(TAGS, VOCABULARY, order), 1, 0)


def test_pools_are_drawn_by_their_shares() -> None:
    pages = [[receipt(company=("POOL",))]]
    mixed = Source(TAGS, VOCABULARY, order, [Pool(pages, [1.0], 0.5)], random_page, unknown_characters=0)
    pool = encode([line("POOL", 0)], VOCABULARY).characters[:4].tolist()
    share = [make_sample(mixed, 4, n).page.characters[:4].tolist() == pool for n in range(200)]
    assert 70 < sum(share) < 130


def test_companies_seen_often_weigh_less_each() -> None:
    examples = [receipt(company=("A",)), receipt(company=("a",)), receipt(company=("B",))]
    weights = company_weights(examples)
    assert weights[0] == weights[1] < weights[2] == 1
    assert weights[0] + weights[1] > weights[2]


def test_lines_are_put_into_reading_order_with_their_entities() -> None:
    example = receipt()
    shuffled = list(range(len(example.lines)))
    random.Random(1).shuffle(shuffled)
    place = {number: at for at, number in enumerate(shuffled)}
    example.lines = [example.lines[number] for number in shuffled] + [line("  ", 9)]
    example.entities = [
        replace(e, spans=tuple(replace(s, line=place[s.line]) for s in e.spans)) for e in example.entities
    ]
    found = in_order(example, order)
    assert [one.text for one in found.lines] == ["ACME", "STORES", "thank you", "total: 12.50"]
    assert [found.text_of(entity) for entity in found.entities] == ["ACME STORES", "12.50"]


def test_a_page_too_long_is_cut_between_lines() -> None:
    lines = [line("x" * 300, row) for row in range(40)]
    entities = [Entity("number", (Span(0, 0, 5), Span(39, 0, 5)))]
    pool = Pool([[Example("long", "bill", 4000, 2000, lines, entities)]], [1.0], 1.0)
    sample = make_sample(Source(TAGS, VOCABULARY, order, [pool]), 1, 0)
    assert MAX_CHARACTERS - 301 < sample.page.length <= MAX_CHARACTERS
    assert len(sample.page.geometry) == sample.page.line_of[-1] + 1
