from __future__ import annotations

import random

import numpy as np
import pytest

from models.layout_ner.example import join_lines
from models.layout_ner.synth import registry
from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.sheet import Part, Sheet
from tests.unit.synth_pages import palette


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        (["Golden Lotus", "Trading"], "Golden Lotus Trading"),
        (["湖北省", "武汉市"], "湖北省武汉市"),
        (["中山路", "A座 "], "中山路 A座"),
        (["", "x", "  "], "x"),
        ([], ""),
    ],
)
def test_lines_are_joined_by_a_space_except_between_ideographs(parts: list[str], text: str) -> None:
    assert join_lines(parts) == text


def test_spans_leave_out_blanks_around_the_value() -> None:
    sheet = Sheet(500, 100)
    key = sheet.entity("total", "12.50")
    sheet.text(10, 50, [Part("Total:"), Part("  12.50 ", key), Part("RM")], palette().mono, 20)
    example = sheet.example("x", "receipt")
    assert example.text_of(example.entities[0]) == "12.50"
    assert example.entities[0].value == "12.50"


def test_what_is_announced_but_not_written_is_no_entity_and_links_are_numbered_anew() -> None:
    sheet, font = Sheet(500, 200), palette().sans
    unwritten, question, answer, blank = (sheet.entity(name) for name in ("tax", "question", "answer", "answer"))
    sheet.link(question, answer)
    sheet.link(question, blank)
    sheet.text(10, 50, Part("Name", question), font, 20)
    sheet.text(10, 90, Part("Tan", answer), font, 20)
    sheet.text(10, 130, Part("  ", blank), font, 20)
    example = sheet.example("x", "form")
    assert unwritten == 0
    assert [entity.name for entity in example.entities] == ["question", "answer"]
    assert example.links == [(0, 1)]
    assert len(example.lines) == 2


@pytest.mark.parametrize(("anchor", "left"), [("l", 200.0), ("m", 150.0), ("r", 100.0)])
def test_anchors(anchor: str, left: float) -> None:
    sheet, font = Sheet(500, 100), palette().sans
    text = "anchored"
    size = 20
    width = font.length(text, size)
    end = sheet.text(200, 50, text, font, size, anchor=anchor)
    assert sheet.runs[0].x == pytest.approx(200 - (200 - left) / 100 * width)
    assert end == pytest.approx(sheet.runs[0].x + width)


def test_wrapped_lines_hang_under_the_text_or_the_label() -> None:
    font = palette().hei
    for hanging in (True, False):
        sheet = Sheet(400, 300)
        key = sheet.entity("address")
        label = Part("住址：")
        y = sheet.wrapped(
            20, 50, Part("湖北省武汉市江岸区解放大道1200号", key), font, 20, width=240, first=(label,), hanging=hanging
        )
        runs = sheet.runs
        assert len(runs) > 1
        assert runs[0].text.startswith("住址：湖北省")
        assert runs[1].x == pytest.approx(20 + (font.length("住址：", 20) if hanging else 0))
        assert y == pytest.approx(50 + len(runs) * 1.35 * 20)
        assert sheet.example("x", None).values["address"] == ["湖北省武汉市江岸区解放大道1200号"]


def test_rules_and_frames_lie_under_the_text() -> None:
    sheet = Sheet(200, 100)
    sheet.frame(10, 10, 190, 90, fill=(200, 220, 240))
    sheet.rule(20, 50, 180, 50, width=1, colour=(255, 0, 0))
    sheet.text(40, 60, "■■■", palette().hei, 30, colour=(0, 0, 0))
    drawn = np.asarray(sheet.draw())
    assert tuple(drawn[20, 100]) == (200, 220, 240)
    assert tuple(drawn[50, 25]) == (255, 0, 0)
    assert drawn[50, 40:120].sum(axis=1).min() < 60


def test_families_have_a_known_split_and_a_name_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "FAMILIES", [])

    def template(rng: random.Random, fonts: Palette) -> Sheet:
        return Sheet(rng.randint(10, 20), 10)

    assert registry.family("plain", None, split="val", weight=2.0)(template) is template
    assert registry.FAMILIES[0] == registry.Family("plain", None, "val", template, 2.0)
    with pytest.raises(ValueError, match="another name"):
        registry.family("plain", "receipt")(template)
    with pytest.raises(ValueError, match="train or val"):
        registry.family("other", None, split="test")(template)
