"""What a model's card says of it: scores by type and field, calibration, data with its licences."""

from __future__ import annotations

import random

import pytest

from pipeline.training.card import model_card
from pipeline.training.measure import ENOUGH, ENOUGH_OF_TYPE, Measured, Pair, Score, tables
from pipeline.training.recipe import Data, Rendered, TrainingRecipe
from pipeline.training.scoring import Tally
from stages.fields.calibration import Calibration
from tests.factories.training_pages import NETWORK


def pairs(name: str, count: int, right: float) -> list[Pair]:
    """Values of one field that all claim 0.9 and of which a part is right."""
    rng = random.Random(0)
    return [(name, 0.9, rng.random() < right) for _ in range(count)]


def test_a_type_with_enough_values_is_calibrated_by_itself() -> None:
    found = tables(pairs("receipt.total", ENOUGH_OF_TYPE, 0.5) + pairs("bill.number", ENOUGH, 1.0))
    assert list(found) == ["default", "receipt"]
    calibration = Calibration.from_mapping(found)
    assert calibration(0.9, "receipt.total", "receipt") == pytest.approx(0.5, abs=0.12)
    assert calibration(0.9, "receipt") < calibration(0.9, "bill.number", "bill")


def test_a_few_values_are_not_calibrated() -> None:
    assert tables(pairs("receipt.total", ENOUGH - 1, 0.5)) == {}
    assert list(tables(pairs("receipt.total", ENOUGH, 0.5))) == ["default"]


# --- the card -------------------------------------------------------------------------------------------------------


def recipe(**values: object) -> TrainingRecipe:
    network = {"kernel": 5, "line_layers": 2, **NETWORK}
    given = {"name": "mine", "network": network, "optimisation": {"steps": 40}, **values}
    return TrainingRecipe.model_validate(given)


def card(measured: Measured | None = None, **values: object) -> str:
    return model_card(recipe(**values), 1234567, {"receipt": ("company", "total")}, measured or Measured())


def test_data_is_named_with_its_licence_and_without_its_place() -> None:
    data = (
        Data(name="shop", pages=20, held_out=3, source="the shop's own", licence="CC BY 4.0"),
        Data(name="more", pages=5, held_out=0),
    )
    text = card(data=data, rendered=(Rendered(count=30), Rendered(count=12)))
    assert "| `shop` | 20 pages, 3 of them held out | the shop's own | CC BY 4.0 |" in text
    assert "| `more` | 5 pages, 0 of them held out | not stated; name it here" in text
    assert "42 of them drawn and read" in text
    assert "1,234,567 weights" in text
    assert "- `receipt`: company, total" in text


def test_without_synthetic_pages_nothing_is_said_of_them() -> None:
    text = card(data=(Data(name="shop"),), synthetic=False, rendered=())
    assert "models/layout_ner/synth" not in text
    assert "kept out of training; synthetic" not in text


def test_scores_are_given_by_type_and_field() -> None:
    fields = {
        "bill.number": Tally(1, 1, 1),
        "receipt.company": Tally(1, 2, 2),
        "receipt.total": Tally(2, 2, 2),
    }
    measured = Measured([Score("held-out pages", "read", 4, 0.8, 0.75, fields), Score("test", "true", 2, None, None)])
    text = card(measured)
    assert "| held-out pages | read | 4 | 0.800 | 0.750 |" in text
    assert "| test | true | 2 | - | - |" in text
    assert "- `receipt` 0.750: company 0.500 (2), total 1.000 (2)" in text
    assert "- `bill` 1.000: number 1.000 (1)" in text


def test_it_says_how_far_confidences_can_be_trusted() -> None:
    measured = Measured(
        calibration={"default": ((0.0, 0.0), (1.0, 1.0))}, values=500, error_raw=0.1, error_calibrated=0.02
    )
    assert "500 values of these pages: expected calibration error 0.100 before, 0.020 after" in card(measured)
    assert "not calibrated: there were 7 values" in card(Measured(values=7))


def test_a_model_that_nothing_was_kept_from_says_so() -> None:
    assert "None: no page was kept out of training." in card()
