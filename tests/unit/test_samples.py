from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import shapely

from pipeline.visualise import upright
from schemas.settings import Limits
from schemas.truth import TruthDocument, load_truth
from stages.decode.document import open_document

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = load_truth(ROOT / "samples")


def test_every_sample_is_labelled_and_they_are_small() -> None:
    files = {path for path in (ROOT / "samples" / "images").iterdir()}
    assert files == {sample.path for sample in SAMPLES}
    assert sum(path.stat().st_size for path in files) < 3_000_000


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: Path(sample.name).name)
def test_labels_fit_the_pages(sample: TruthDocument) -> None:
    with open_document(sample.path, limits=Limits(), dpi=120) as document:
        assert document.page_numbers == tuple(page.page for page in sample.pages)
        for page in sample.pages:
            pixels = upright(document.decode(page.page).pixels, 90 if "turned" in sample.name else 0)
            assert pixels.shape == (pytest.approx(page.height, abs=1), pytest.approx(page.width, abs=1), 3)
            frame = shapely.box(0, 0, page.width, page.height)
            for line in page.lines:
                assert line.text
                assert frame.covers(shapely.Polygon(line.polygon)), line.text
                left, top = np.min(line.polygon, axis=0).astype(int)
                right, bottom = np.max(line.polygon, axis=0).astype(int)
                assert np.ptp(pixels[top:bottom, left:right]) > 60, f"nothing is printed at {line.text!r}"


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: Path(sample.name).name)
def test_labels_of_a_page_do_not_overlap(sample: TruthDocument) -> None:
    for page in sample.pages:
        for first, second in combinations(page.lines, 2):
            one, other = shapely.Polygon(first.polygon), shapely.Polygon(second.polygon)
            shared = one.intersection(other).area
            assert shared < 0.2 * min(one.area, other.area), (first.text, second.text)
