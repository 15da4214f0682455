"""From a picture to fields, through every stage, with a layout-NER network that goes by a table of characters."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from pipeline.api import Inklane
from schemas.fields import Field
from schemas.requests import ReadOptions
from tests.factories.layout_ner_model import write_model
from tests.factories.text_pages import TextPage

pytestmark = pytest.mark.skipif(
    any(find_spec(name) is None for name in ("openvino", "rapidocr", "onnx")),
    reason="needs openvino, onnx, and rapidocr with its models",
)

NOTE = """
names: {en: Delivery note}
titles: [Delivery note]
fields:
  number: {type: id, keys: [Note No]}
  date: {type: date, keys: [Date]}
"""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inklane]:
    folder = tmp_path_factory.mktemp("fields")
    write_model(folder / "model")
    (folder / "types").mkdir()
    (folder / "types" / "delivery_note.yaml").write_text(NOTE, encoding="utf-8")
    with Inklane(
        in_process=True, precision="f32", cores=2, allow_download=False, models={"layout_ner": str(folder / "model")},
        fields={"doctypes_dir": folder / "types"},
    ) as made:  # fmt: skip
        yield made


def picture(*texts: str) -> bytes:
    page = TextPage.blank(700, 60 + 70 * len(texts))
    for row, text in enumerate(texts):
        page.write(text, 60, 40 + 70 * row, 32)
    return page.png()


def single(fields: dict[str, Field | list[Field]], name: str) -> Field:
    field = fields[name]
    assert isinstance(field, Field)
    return field


def test_a_value_has_its_type_its_place_and_its_text(tiny: Inklane) -> None:
    document = tiny.read_one(picture("Corner shop", "Total 12.50", "Thank you"))
    assert document.doc_type == "receipt"
    assert document.doc_type_confidence is not None
    assert document.doc_type_confidence > 0.9
    total = single(document.fields, "total")
    assert (total.type, total.value, total.content) == ("money", "12.50", "12.50")
    [region] = total.regions
    line = document.pages[0].lines[1]
    left = min(x for x, _ in region.polygon)
    assert region.page == 1
    assert line.polygon[0][0] + 40 < left < line.polygon[1][0], "the number alone, not its whole line"
    assert all(line.alternatives is None for line in document.pages[0].lines)
    assert "tiny@" in document.models["layout_ner"]
    assert document.timings["layout_ner"].items == 1


def test_a_type_of_ones_own_is_recognised_and_read_by_its_keys(tiny: Inklane) -> None:
    document = tiny.read_one(picture("Delivery note", "Note No: DN-20418", "Date: 2024-05-17"))
    assert document.doc_type == "delivery_note"
    assert single(document.fields, "number").content.replace(" ", "") == "DN-20418"
    assert single(document.fields, "date").value == "2024-05-17"


def test_what_is_asked_for_decides(tiny: Inklane) -> None:
    source = picture("Delivery note", "Total 7.25")
    assert single(tiny.read_one(source, doc_type="receipt").fields, "total").value == "7.25"
    nothing = tiny.read_one(source, ReadOptions(doc_type="receipt"), doc_type="none")
    assert (nothing.doc_type, nothing.fields) == (None, {})
    assert [line.text for line in nothing.pages[0].lines] == ["Delivery note", "Total 7.25"]


def test_a_blank_page_has_no_type_and_no_fields(tiny: Inklane) -> None:
    document = tiny.read_one(TextPage.blank(400, 300).png())
    assert (document.doc_type, document.fields, document.warnings) == (None, {}, [])


def test_the_model_may_lie_in_a_file_tree_of_its_own(tmp_path: Path) -> None:
    write_model(tmp_path / "models" / "mine", {"receipt": ("total",)}, name="mine")
    with Inklane(
        in_process=True, precision="f32", cores=1, allow_download=False, model_dir=tmp_path / "models",
        models={"layout_ner": "mine"},
    ) as made:  # fmt: skip
        document = made.read_one(picture("Total 3.10"), doc_type="receipt")
    assert single(document.fields, "total").value == "3.10"
    assert document.models["layout_ner"].startswith("mine@")
