from __future__ import annotations

import random

import numpy as np
import pytest
from PIL import Image, ImageDraw

from models.layout_ner.example import Example, TextLine
from models.layout_ner.synth import backgrounds, seals
from models.layout_ner.synth.effects import distort
from tests.unit.synth_pages import bill, palette

_COLOURS = ((220, 0, 0), (0, 170, 0), (0, 0, 220), (190, 0, 190))


def _marked_page() -> tuple[np.ndarray, Example]:
    """Four filled boxes of different colours; their polygons are known."""
    image = Image.new("RGB", (900, 700), (255, 255, 255))
    canvas = ImageDraw.Draw(image)
    lines = []
    for (x, y), colour in zip(((80, 80), (700, 90), (650, 560), (90, 600)), _COLOURS, strict=True):
        canvas.rectangle((x, y, x + 120, y + 40), fill=colour)
        lines.append(TextLine("mark", ((x, y), (x + 120.0, y), (x + 120.0, y + 40.0), (x, y + 40.0))))
    return np.asarray(image), Example("marks", None, 900, 700, lines)


@pytest.mark.parametrize("seed", range(12))
def test_polygons_lie_where_the_marks_are_seen(seed: int) -> None:
    pixels, example = _marked_page()
    seen, moved = distort(pixels, example, random.Random(seed))
    assert (moved.height, moved.width) == seen.shape[:2]
    assert seen.dtype == np.uint8
    colours = seen.astype(np.int32)
    for line in moved.lines:
        middle_x, middle_y = np.mean(line.polygon, axis=0)
        inside = colours[round(middle_y) - 3 : round(middle_y) + 4, round(middle_x) - 3 : round(middle_x) + 4]
        inked = inside.reshape(-1, 3).mean(axis=0)
        # Just outside the middle of each edge the paper begins.
        for a, b in zip(line.polygon, (*line.polygon[1:], line.polygon[0]), strict=True):
            edge = np.asarray([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2])
            away = edge - (middle_x, middle_y)
            x, y = edge + 8 * away / np.linalg.norm(away)
            assert colours[round(y), round(x)].min() > inked.min() + 20
            x, y = edge - 6 * away / np.linalg.norm(away)
            assert abs(colours[round(y), round(x)].min() - inked.min()) < 45


def test_effects_differ_by_seed_and_repeat_for_one() -> None:
    sheet, example = bill()
    pixels = np.asarray(sheet.draw())
    first, again, other = (distort(pixels, example, random.Random(seed)) for seed in (3, 3, 4))
    assert np.array_equal(first[0], again[0])
    assert first[1] == again[1]
    assert first[0].shape != other[0].shape or not np.array_equal(first[0], other[0])


def test_without_strength_only_compression_is_left() -> None:
    sheet, example = bill()
    pixels = np.asarray(sheet.draw())
    seen, moved = distort(pixels, example, random.Random(1), 0.0)
    assert seen.shape == pixels.shape
    assert np.abs(seen.astype(int) - pixels).mean() < 6
    assert moved.lines == example.lines


def test_a_page_without_lines() -> None:
    seen, moved = distort(np.full((50, 60, 3), 255, np.uint8), Example("x", None, 60, 50, []), random.Random(2))
    assert seen.ndim == 3
    assert moved.lines == []


def test_print_under_a_seal_stays_dark() -> None:
    fonts, rng = palette(), random.Random(5)
    sheet, _ = bill()
    clean = np.asarray(sheet.draw().convert("L"))
    seals.round_seal(sheet, 180, 130, 90, "武汉市鑫源科技发展有限公司", fonts.song, rng, below="合同专用章")
    seals.oval_seal(sheet, 480, 380, 110, "武汉市鑫源科技发展有限公司", "91420102MA4KX12345", fonts.song, rng)
    seals.square_seal(sheet, 650, 60, 70, "王小明", fonts.kai, rng)
    seals.round_seal(sheet, 690, 490, 60, "", fonts.song, rng)  # over the page's edge, without a name
    stamped = np.asarray(sheet.draw())
    assert (stamped[:, :, 0].astype(int) - stamped[:, :, 1] > 60).sum() > 2000
    assert stamped.min(axis=2)[clean < 60].max() < 90


def test_backgrounds_stay_paler_than_print() -> None:
    fonts, rng = palette(), random.Random(6)
    sheet, _ = bill()
    sheet.runs.clear()
    backgrounds.fibres(sheet, rng)
    backgrounds.guilloche(sheet, rng, (200, 220, 200))
    backgrounds.rosette(sheet, rng, (225, 200, 200), 350, 250, 120)
    backgrounds.watermark(sheet, rng, "复印件", fonts.hei, 30)
    backgrounds.frame_pattern(sheet, rng, (180, 150, 90), (10, 10, 690, 490), 20)
    drawn = np.asarray(sheet.draw().convert("L"))
    assert drawn.std() > 2
    assert drawn[40:460, 40:660].min() > 150
    assert np.array_equal(drawn, np.asarray(sheet.draw().convert("L")))
