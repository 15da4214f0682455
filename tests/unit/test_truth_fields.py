from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from schemas.errors import DatasetError
from schemas.fields import Region
from schemas.truth import load_truth
from schemas.truth_fields import TruthValue, parse_field

BOX = [[0, 0], [9, 0], [9, 4], [0, 4]]


def dataset(folder: Path, *records: dict[str, Any]) -> Path:
    for name in ("a.png", "b.png"):
        (folder / name).touch()
    base = {"image": "a.png", "width": 10, "height": 20, "lines": []}
    text = "\n".join(json.dumps(base | record) for record in records)
    (folder / "labels.jsonl").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("RM 9.50", (TruthValue(("RM 9.50",)),)),
        ("  9 \n x ", (TruthValue(("9 x",)),)),
        ("", (TruthValue(()),)),
        (None, ()),
        ([], ()),
        (["a", "b"], (TruthValue(("a",)), TruthValue(("b",)))),
        ({"content": "3 Jan", "value": "2024-01-03"}, (TruthValue(("3 Jan", "2024-01-03")),)),
        ({"value": 3}, (TruthValue(("3",)),)),
        ({"value": "1", "content": "1"}, (TruthValue(("1",)),)),
        (
            [{"name": "Tea", "amount": {"value": "1.50"}}],
            ({"name": TruthValue(("Tea",)), "amount": TruthValue(("1.50",))},),
        ),
        ([{"items.name": "Tea", "amount": None}], ({"name": TruthValue(("Tea",))},)),
    ],
)
def test_values_in_every_form(given: Any, expected: Any) -> None:
    assert parse_field("items", given) == expected


def test_regions_are_read() -> None:
    [value] = parse_field("total", {"content": "1", "regions": [{"page": 2, "polygon": BOX}, {"polygon": BOX}]})
    polygon = ((0.0, 0.0), (9.0, 0.0), (9.0, 4.0), (0.0, 4.0))
    assert value == TruthValue(("1",), (Region(2, polygon), Region(1, polygon)))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (9.5, "line 1: fields: .*total: write the value as it is printed, in quotes"),
        (True, "total: write the value"),
        (["a", 1], r"total\.1: write the value"),
        ([["a"]], r"total\.0: write the value"),
        ([{}], r"total\.0: a row without values"),
        ({"text": "a"}, "'text' is not known here"),
        ({"regions": []}, "give content"),
        ({"content": 1}, r"total\.content: it must be a string"),
        ({"value": True}, r"total\.value: it must be a string or a number"),
        ({"value": {}}, r"total\.value: it must be"),
        ([{"name": {"value": []}}], r"total\.0\.name\.value: it must be"),
        ({"content": "1", "regions": [{"page": 0, "polygon": BOX}]}, r"total\.regions: write a list"),
        ({"content": "1", "regions": [{"polygon": BOX[:3]}]}, r"total\.regions: write a list"),
        ({"content": "1", "regions": [[1]]}, r"total\.regions: write a list"),
        ({"content": "1", "regions": 3}, r"total\.regions: write a list"),
    ],
)
def test_what_is_no_value_is_refused_with_its_place(tmp_path: Path, given: Any, message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        load_truth(dataset(tmp_path, {"fields": {"total": given}}))


def test_forms_are_known_by_their_lines(tmp_path: Path) -> None:
    lines = [{"text": "Name", "polygon": BOX, "label": "question", "id": 3, "linking": [[3, 4]]}]
    one, two = load_truth(dataset(tmp_path, {"lines": lines}, {"image": "b.png", "unknown": ["tax"]}))
    assert (one.doc_type, two.doc_type) == ("form", None)
    line = one.pages[0].lines[0]
    assert (line.label, line.id, line.linking) == ("question", 3, ((3, 4),))
    assert two.unknown == {"tax"}


def test_pages_of_one_document_agree_on_its_type(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="line 2: a.png is a receipt by an earlier record"):
        load_truth(dataset(tmp_path, {"doc_type": "receipt"}, {"page": 2, "doc_type": "form"}))
    [document] = load_truth(dataset(tmp_path, {"fields": {"a": "1"}}, {"page": 2, "doc_type": "form"}))
    assert document.doc_type == "form"
    assert document.values == {"a": (TruthValue(("1",)),)}
