"""Pages of every size become a few network shapes, and maps of tiles become one map."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.settings import DetectionSettings
from stages.detection.scaling import GRAIN, STEP, plan_page
from stages.detection.tiling import cut, join

sides = st.one_of(st.integers(1, 100), st.integers(100, 4000), st.integers(1, 32_000))


@settings(max_examples=300, deadline=None)
@given(height=sides, width=sides, short=st.integers(32, 1200), longest=st.integers(64, 3000))
def test_every_plan_covers_the_page(height: int, width: int, short: int, longest: int) -> None:
    options = DetectionSettings(short_side=short, max_long_side=longest)
    plan = plan_page(height, width, options)
    for axis in (0, 1):
        tile, content = plan.tile[axis], plan.content[axis]
        assert tile % GRAIN == 0
        assert content >= 1
        starts = sorted({origin[axis] for origin in plan.origins})
        assert starts[0] == 0
        assert starts[-1] + tile >= content
        assert tile <= max(longest // GRAIN * GRAIN, STEP)
        if len(starts) > 1:
            assert starts[-1] + tile == content
            wanted = min(options.tile_overlap, tile // 2)
            assert all(a + tile - b >= wanted for a, b in zip(starts, starts[1:], strict=False))
    assert plan.pixels == plan.tile[0] * plan.tile[1] * len(plan.origins)


@settings(max_examples=200, deadline=None)
@given(height=st.integers(300, 5000), width=st.integers(300, 5000))
def test_the_aspect_ratio_changes_little(height: int, width: int) -> None:
    plan = plan_page(height, width, DetectionSettings())
    ratio = (plan.content[0] / height) / (plan.content[1] / width)
    assert 0.9 < ratio < 1.1


def test_a_page_is_symmetric_to_the_same_page_lying_down() -> None:
    for height, width in [(1000, 754), (1400, 369), (63, 17), (14400, 250)]:
        standing, lying = plan_page(height, width, DetectionSettings()), plan_page(width, height, DetectionSettings())
        assert standing.tile == lying.tile[::-1]
        assert standing.content == lying.content[::-1]
        assert standing.origins == tuple((y, x) for x, y in lying.origins)


def test_few_shapes_for_many_sizes() -> None:
    pages = [(h, w) for h in range(700, 3000, 37) for w in range(700, 3000, 41)]
    shapes = {plan_page(h, w, DetectionSettings()).tile for h, w in pages}
    assert len(pages) > 3000
    assert len(shapes) <= 32


def test_a_page_is_scaled_to_the_short_side() -> None:
    assert plan_page(2000, 1414, DetectionSettings(short_side=736)).content[1] == 736


def test_a_small_page_is_enlarged_within_limits() -> None:
    plan = plan_page(40, 30, DetectionSettings(max_enlargement=2.0))
    assert plan.content == (80, 60)
    assert plan.tile == (96, 64)


@pytest.mark.parametrize("size", [(0, 10), (10, 0)])
def test_a_page_without_pixels_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="at least one pixel"):
        plan_page(*size, DetectionSettings())


@pytest.mark.parametrize("size", [(900, 700), (14400, 250), (40, 1920), (1, 1), (17, 63), (5000, 31)])
def test_cut_then_join_gives_the_page_back(size: tuple[int, int]) -> None:
    plan = plan_page(*size, DetectionSettings())
    rows, columns = plan.content
    # A page already at the planned size is not resampled, so every pixel can be told apart.
    pixels = np.random.default_rng(0).integers(0, 256, (rows, columns, 3), dtype=np.uint8)
    tiles = cut(pixels, plan)
    assert tiles.shape == (len(plan.origins), *plan.tile, 3)
    np.testing.assert_array_equal(join(tiles[..., 0].astype(np.float32), plan), pixels[..., 0])


def test_padding_continues_the_edge() -> None:
    plan = plan_page(20, 20, DetectionSettings(max_enlargement=1.0))
    pixels = np.full((20, 20, 3), 200, np.uint8)
    assert plan.tile == (32, 32)
    assert (cut(pixels, plan) == 200).all()


def test_a_tile_counts_only_up_to_the_middle_of_an_overlap() -> None:
    plan = plan_page(4000, 500, DetectionSettings())
    assert len(plan.origins) > 2
    maps = np.stack([np.full(plan.tile, k, np.float32) for k in range(len(plan.origins))])
    joined = join(maps, plan)[:, 0]
    for k, (a, b) in enumerate(zip(plan.origins, plan.origins[1:], strict=False)):
        seam = int(np.nonzero(joined > k)[0][0])
        assert abs((seam - b[0]) - (a[0] + plan.tile[0] - seam)) <= 1
