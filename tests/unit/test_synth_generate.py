from __future__ import annotations

import itertools
import json
import random
from pathlib import Path

import cv2
import pytest

from models.layout_ner.synth.__main__ import main
from models.layout_ner.synth.generate import document, examples, families, generate
from models.layout_ner.synth.write import apart, fields
from schemas.errors import DatasetError
from schemas.truth_fields import parse_field
from tests.unit.synth_pages import bill, palette


@pytest.fixture(autouse=True)
def _fonts() -> None:
    palette("train")
    palette("val")


def test_a_document_depends_on_seed_and_number_alone() -> None:
    several = list(examples(11, 6, "train"))
    assert document(11, 4, "train")[1] == several[4]
    assert next(examples(11, None, "train", first=4)) == several[4]
    assert document(12, 4, "train")[1] != several[4]


def test_types_take_turns() -> None:
    made = examples(1, 6, "train", ["receipt", "id_card"])
    assert [example.doc_type for example in made] == ["receipt", "id_card"] * 3


@pytest.mark.parametrize(("split", "name"), [(split, name) for split in ("train", "val") for name in families(split)])
def test_every_type_is_laid_out_inside_its_page(split: str, name: str) -> None:
    for seed in range(12):
        _, example = generate(random.Random(seed), split, name)
        assert example.lines
        assert (example.doc_type or "other") == name
        for line in example.lines:
            (left, top), _, (right, bottom), _ = line.polygon
            assert 0 <= left < right <= example.width, (example.name, seed, line)
            assert 0 <= top < bottom <= example.height, (example.name, seed, line)
        for entity in example.entities:
            assert example.text_of(entity).strip(), (example.name, entity)


def test_no_family_is_in_both_splits() -> None:
    names = {
        split: {family.name for found in families(split).values() for family in found} for split in ("train", "val")
    }
    assert names["train"]
    assert not names["train"] & names["val"]


def test_an_unknown_type_is_refused_with_those_there_are() -> None:
    with pytest.raises(DatasetError, match=r"no template of type 'passport'.*receipt"):
        generate(random.Random(0), "train", "passport")


def test_fields_give_content_value_and_rows() -> None:
    _, example = bill()
    given = fields(example)
    assert given["company"] == {"content": "GOLDEN LOTUS TRADING", "value": "Golden Lotus Trading"}
    assert given["address"] == "湖北省武汉市江岸区解放大道1200号3栋"
    assert given["items"] == [{"name": "Roasted Chicken Rice", "amount": "12.50"}]
    assert all(parse_field(name, value) for name, value in given.items())


def test_forms_are_cut_where_question_meets_answer() -> None:
    _, example = bill()
    cut = apart(example)
    question, answer = (next(e for e in cut.entities if e.name == name) for name in ("question", "answer"))
    assert cut.text_of(question) == "联系电话:"
    assert cut.text_of(answer) == "027-82345678"
    assert question.spans[0].line != answer.spans[0].line
    for entity, before in zip(cut.entities, example.entities, strict=True):
        assert cut.text_of(entity) == example.text_of(before)
        assert all(span.start == 0 and span.end == len(cut.lines[span.line].text) for span in entity.spans)


def test_the_command_writes_pictures_and_labels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "made"
    names = list(itertools.islice(families("train"), 2))
    assert main(["--out", str(out), "--count", "2", "--seed", "3", "--clean", "--types", *names]) == 0
    records = [json.loads(line) for line in (out / "labels.jsonl").read_text("utf-8").splitlines()]
    assert [record["doc_type"] for record in records] == names
    for record in records:
        picture = cv2.imread(str(out / record["image"]))
        assert picture is not None
        assert picture.shape[:2] == (record["height"], record["width"])
        assert record["lines"]
        assert all(parse_field(name, value) for name, value in record["fields"].items())
    assert "2 documents" in capsys.readouterr().out


def test_the_command_says_what_types_there_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--out", str(tmp_path / "x"), "--count", "1", "--types", "passport"]) == 1
    assert "receipt" in capsys.readouterr().err
