from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from models.layout_ner.synth import fonts
from models.layout_ner.synth.fonts import SOURCES, Font, Palette
from models.layout_ner.synth.sheet import Sheet
from schemas.errors import DatasetError
from tests.unit.synth_pages import bill, palette

ROLES = sorted(SOURCES["train"])


def test_training_and_validation_share_no_font() -> None:
    used = {split: {source[0] for role in roles.values() for source in role} for split, roles in SOURCES.items()}
    assert not used["train"] & used["val"]


@pytest.mark.parametrize("split", ["train", "val"])
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("text", ["Agjy (0123) 12.50", "湖北省武汉市，￥128.00"])
def test_polygons_cover_the_ink_and_little_more(split: str, role: str, text: str) -> None:
    size = 40
    sheet = Sheet(900, 120)
    sheet.text(60, 80, text, getattr(palette(split), role), size, colour=(0, 0, 0))
    (left, top), _, (right, bottom), _ = sheet.example("x", None).lines[0].polygon
    rows, columns = np.nonzero(np.asarray(sheet.draw().convert("L")) < 128)
    assert left - 1 <= columns.min() <= left + 0.35 * size
    assert right - 0.6 * size <= columns.max() <= right + 1
    assert top - 1 <= rows.min() <= top + 0.35 * size
    assert bottom - 0.35 * size <= rows.max() <= bottom + 1


def test_length_is_the_sum_of_the_characters() -> None:
    font = palette().sans
    assert font.length("AVAV 合计", 30) == pytest.approx(sum(font.length(char, 30) for char in "AVAV 合计"))
    assert font.length("合计", 60) == pytest.approx(2 * font.length("合计", 30))


def test_a_latin_font_draws_chinese_with_another() -> None:
    font = palette().mono
    assert font.covers("Total 合计")
    image = Image.new("L", (80, 60), 255)
    font.draw(ImageDraw.Draw(image), 10, 45, "合", 40, 0)
    assert np.asarray(image).min() < 60


def test_breaking_at_spaces_and_between_ideographs() -> None:
    font = palette().hei
    lines = font.broken("Golden Lotus Trading Sdn Bhd", 20, 150, 150)
    assert " ".join(lines) == "Golden Lotus Trading Sdn Bhd"
    assert all(font.length(line, 20) <= 150 for line in lines)
    chinese = "许可项目：餐饮服务，食品销售。一般项目：日用百货销售"
    lines = font.broken(chinese, 20, 100, 160)
    assert "".join(lines) == chinese
    assert font.length(lines[0], 20) <= 100 + 20  # a closing mark may hang out
    assert not any(line[0] in "，。：" for line in lines)


def test_breaking_long_words_and_narrow_first_lines() -> None:
    font = palette().sans
    assert "".join(font.broken("A" * 40, 20, 100, 100)) == "A" * 40
    lines = font.broken("Trading", 20, 5, 200)
    assert lines == ["", "Trading"]
    assert font.broken("X", 20, 1, 1) == ["X"]  # nothing fits anywhere: it is written all the same


def test_wrapped_text_is_one_entity_over_its_lines() -> None:
    _, example = bill()
    address = next(entity for entity in example.entities if entity.name == "address")
    assert len(address.spans) == 2
    assert example.text_of(address) == "湖北省武汉市江岸区解放大道1200号3栋"
    assert example.values["items.amount"] == ["12.50"]


def test_no_fonts_at_all_names_the_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "ROOT", tmp_path)
    fonts._available.cache_clear()
    try:
        with pytest.raises(DatasetError, match="fonts-noto-cjk"):
            Palette("train", random.Random(0))
    finally:
        fonts._available.cache_clear()


def test_fonts_of_the_other_split_only_with_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needed = [SOURCES["val"]["sans"][0][0], SOURCES["val"]["hei"][0][0]]
    for name in needed:
        if not (fonts.ROOT / name).exists():
            pytest.skip(f"needs {name}")
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).symlink_to(fonts.ROOT / name)
    monkeypatch.setattr(fonts, "ROOT", tmp_path)
    for cached in (fonts._available, fonts._face, fonts.font):
        cached.cache_clear()
    try:
        with pytest.warns(UserWarning, match="no font of the train split"):
            chosen = Palette("train", random.Random(0))
        assert isinstance(chosen.song, Font)
        assert chosen.song.covers("国")
    finally:
        for cached in (fonts._available, fonts._face, fonts.font):
            cached.cache_clear()


def test_an_unknown_split_is_refused() -> None:
    with pytest.raises(ValueError, match="train or val"):
        Palette("test", random.Random(0))
