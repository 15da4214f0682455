"""Whether a training run uses weak labels is the recipe's choice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeline.training.recipe import Data, Shares, TrainingRecipe, recipe_of
from schemas.doctypes import load_doctypes

LINES = ["ACME STORES", "Invoice No: A-1042", "GST: 6.00", "TOTAL: 106.00"]


def labelled(folder: Path) -> Path:
    """Receipts of which the company and the total are labelled, and no tax."""
    records = []
    for number in range(3):
        lines = [
            {"text": text, "polygon": [[0, y], [10 * len(text), y], [10 * len(text), y + 20], [0, y + 20]]}
            for y, text in ((30 * row, text) for row, text in enumerate(LINES))
        ]
        fields = {"company": "ACME STORES", "total": "106.00"}
        records.append(
            {
                "image": f"{number}.jpg", "width": 400, "height": 200, "lines": lines, "fields": fields,
                "unknown": ["tax", "receipt_number", "currency"],
            }
        )  # fmt: skip
    folder.mkdir()
    (folder / "labels.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return folder


@pytest.mark.parametrize("weak", [True, False])
def test_the_recipe_decides(tmp_path: Path, weak: bool) -> None:
    pytest.importorskip("paddle", reason="needs Paddle")
    from pipeline.training.gather import Gathered, Place
    from pipeline.training.session import prepare

    folder = labelled(tmp_path / "shop")
    recipe = TrainingRecipe(
        data=(Data(name="shop", doc_type="receipt"),), synthetic=False, read=False, weak_labels=weak
    )
    session = prepare(recipe, Gathered(data=[Place(folder)]), load_doctypes())
    pages = [example for group in session.source.pools[0].pages for example in group]
    assert len(pages) == 3
    for page in pages:
        names = {entity.name for entity in page.entities}
        assert names == {"company", "total"} | ({"tax", "receipt_number"} if weak else set())
        assert ("tax" in page.unknown) != weak


def test_by_default_weak_labels_are_used() -> None:
    assert TrainingRecipe().weak_labels
    assert not recipe_of({"weak_labels": False}).weak_labels
    assert Shares().labelled + Shares().rendered < 1
