from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates import pair_blocks as blocks
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.pair_blocks import Area, Entry
from models.layout_ner.synth.values import companies, identifiers, people
from tests.unit.synth_pages import palette

WAYS: dict[str, Callable[[Area, list[Entry]], None]] = {
    **{mode: lambda area, some, mode=mode: blocks.rows(area, some, 1, mode) for mode in ("beside", "tab", "right")},  # type: ignore[misc]
    **{mode: lambda area, some, mode=mode: blocks.rows(area, some, 2, mode) for mode in ("ends", "leaders")},  # type: ignore[misc]
    "under": lambda area, some: blocks.under(area, some, 2),
    "boxes": lambda area, some: blocks.under(area, some, 3, framed=True),
    "cells": lambda area, some: blocks.cells(area, some, 2),
    "heads": blocks.heads,
    "flow": blocks.flow,
    "chain": blocks.chain,
    "arrange": chance.arrange,
    "scramble": chance.scramble,
}


def area_of(seed: int, chinese: bool) -> Area:
    rng = random.Random(seed)
    return chance.open_page(rng, palette(seed=seed), chinese=chinese, across=(24, 70))


def entries_for(sheet: Sheet, rng: random.Random, chinese: bool) -> list[Entry]:
    found = []
    for number in range(rng.randint(1, 6)):
        text = (companies.company_zh(rng), people.chinese_name(rng), identifiers.credit_code(rng), "12,345.60")[
            number % 4
        ]
        if not chinese:
            text = (companies.company_en(rng), "2024-05-06", "AB-12345", "12,345.60")[number % 4]
        label = f"{'项目名称' if chinese else 'Label'}{number}"
        found.append(Entry(label, Part(text, sheet.entity(f"field{number}", text))))
    return found


@pytest.mark.parametrize("chinese", [True, False])
@pytest.mark.parametrize("way", WAYS)
def test_all_pairs_are_written_once_and_above_what_comes_next(way: str, chinese: bool) -> None:
    for seed in range(25):
        area = area_of(seed, chinese)
        some = entries_for(area.sheet, area.rng, chinese)
        top = area.y
        WAYS[way](area, some)
        example = area.sheet.example("pairs", None)
        assert len(example.entities) == len(some)
        for entity in example.entities:
            assert "".join(example.text_of(entity).split()) == "".join((entity.value or "").split()), seed
        written = "".join(line.text for line in example.lines)
        assert all(written.count(str(entry.label)) == 1 for entry in some), (seed, written)
        for run in area.sheet.runs:
            assert run.y - run.size > top - 2, (seed, run.text)
            assert run.y + 0.2 * run.size < area.y + 0.5 * run.size, (seed, run.text)
            right = run.x + run.font.length(run.text, run.size)
            assert area.left - 1 <= run.x < right <= area.sheet.width, (seed, run.text)


@pytest.mark.parametrize("way", ["beside", "tab", "right", "ends", "under", "boxes", "cells", "heads"])
def test_figures_are_never_broken(way: str) -> None:
    for seed in range(40):
        rng = random.Random(seed)
        area = chance.open_page(rng, palette(seed=seed), chinese=seed % 2 == 0, across=(14, 30))
        sheet = area.sheet
        some = [Entry(f"合计金额{number}", Part(f"￥{10**number}234.50", sheet.entity("sum"))) for number in range(6)]
        WAYS[way](area, some)
        assert all(len(entity.spans) == 1 for entity in area.sheet.example("sums", None).entities), seed


def test_pages_by_chance_put_values_both_beside_and_under_their_labels() -> None:
    relations = set()
    for seed in range(60):
        area = area_of(seed, True)
        some = entries_for(area.sheet, area.rng, True)
        chance.arrange(area, some)
        value = next(run for run in area.sheet.runs if any(part.key == 0 for part in run.parts))
        label = next(run for run in area.sheet.runs if "项目名称0" in run.text)
        relations.add("one run" if value is label else "beside" if abs(value.y - label.y) < 2 else "under")
    assert relations == {"one run", "beside", "under"}


def test_the_same_seed_arranges_alike() -> None:
    def made(seed: int) -> list[tuple[float, float, str]]:
        area = area_of(seed, False)
        chance.scramble(area, entries_for(area.sheet, area.rng, False), interlude=chance.chatter)
        return [(run.x, run.y, run.text) for run in area.sheet.runs]

    assert made(5) == made(5)
    assert made(5) != made(6)
