from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field

import pytest

from pipeline.outputs.alto import to_alto
from schemas.document import Document, Line, Notice, Page
from tests.factories.read_pages import document, line, page, receipt, word

ALTO = "{http://www.loc.gov/standards/alto/ns-v4#}"

_FLOAT = r"-?\d+(\.\d+)?"
_POINTS = rf"{_FLOAT},{_FLOAT}( {_FLOAT},{_FLOAT})*"
_ID = r"[A-Za-z_][\w.-]*"
_SHARE = r"0(\.\d+)?|1(\.0+)?"
_PLACE = dict.fromkeys(["HPOS", "VPOS", "WIDTH", "HEIGHT"], _FLOAT)


@dataclass
class Rule:
    """What ALTO 4.4's schema says of an element, as far as it concerns us: children in order, attributes by pattern."""

    children: str = ""  # a regular expression over the children's names, each followed by a space
    required: dict[str, str] = field(default_factory=dict)
    optional: dict[str, str] = field(default_factory=dict)
    text: str | None = None


_BLOCKS = r"((TextBlock|ComposedBlock) )*"
RULES = {
    "alto": Rule(r"(Description )?(Styles )?(Tags )?(ReadingOrder )?Layout ", {}, {"SCHEMAVERSION": r"4\.4"}),
    "Description": Rule(r"MeasurementUnit (sourceImageInformation )?(Processing )*"),
    "MeasurementUnit": Rule(text="pixel|mm10|inch1200"),
    "sourceImageInformation": Rule(r"(fileName )?"),
    "fileName": Rule(text=".*"),
    "Processing": Rule(
        r"(processingCategory )?(processingStepDescription )*(processingStepSettings )?(processingSoftware )?",
        {"ID": _ID},
    ),
    "processingCategory": Rule(text="contentGeneration|contentModification|preOperation|postOperation|other"),
    "processingStepSettings": Rule(text=".*"),
    "processingSoftware": Rule(r"(softwareCreator )?(softwareName )?(softwareVersion )?(applicationDescription )?"),
    "softwareName": Rule(text=".+"),
    "Layout": Rule(r"(Page )+"),
    "Page": Rule(
        r"(PrintSpace )?",
        {"ID": _ID, "PHYSICAL_IMG_NR": _FLOAT},
        {"WIDTH": _FLOAT, "HEIGHT": _FLOAT, "PROCESSINGREFS": _ID, "PC": _SHARE, "QUALITY": "Damaged|OK",
         "QUALITY_DETAIL": ".*"},
    ),
    "PrintSpace": Rule(_BLOCKS, {}, _PLACE),
    "ComposedBlock": Rule(_BLOCKS, {"ID": _ID}, {**_PLACE, "TYPE": ".+"}),
    "TextBlock": Rule(r"(Shape )?(TextLine )*", {"ID": _ID}, _PLACE),
    "TextLine": Rule(
        r"(Shape )?(String (SP )?)+(HYP )?", {},
        {"ID": _ID, **_PLACE, "BASELINE": _POINTS, "BASEDIRECTION": "ltr|rtl|ttb|btt"},
    ),
    "Shape": Rule(r"Polygon "),
    "Polygon": Rule("", {"POINTS": _POINTS}),
    "String": Rule("", {"CONTENT": ".*"}, {"ID": _ID, **_PLACE, "WC": _SHARE}),
    "SP": Rule("", {}, _PLACE),
}  # fmt: skip


def check(element: ElementTree.Element) -> None:
    assert element.tag.startswith(ALTO)
    name = element.tag.removeprefix(ALTO)
    rule = RULES[name]
    children = "".join(child.tag.removeprefix(ALTO) + " " for child in element)
    assert re.fullmatch(rule.children, children), f"{name}: {children}"
    attributes = {key: value for key, value in element.items() if not key.startswith("{")}
    assert rule.required.keys() <= attributes.keys(), name
    for key, value in attributes.items():
        pattern = {**rule.required, **rule.optional}[key]
        assert re.fullmatch(pattern, value), f"{name}@{key}: {value}"
    if rule.text is not None:
        assert re.fullmatch(rule.text, element.text or ""), name
    for child in element:
        check(child)


def valid(shown: Document) -> ElementTree.Element:
    """The tree, which keeps to the schema's structure."""
    root = ElementTree.fromstring(to_alto(shown))
    check(root)
    ids = [element.get("ID") for element in root.iter() if element.get("ID")]
    assert len(ids) == len(set(ids))
    references = {element.get("PROCESSINGREFS") for element in root.iter() if element.get("PROCESSINGREFS")}
    assert references <= set(ids)
    return root


def found(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return list(root.iter(ALTO + name))


def place(element: ElementTree.Element) -> tuple[float, ...]:
    left, top, width, height = (float(element.get(name, "nan")) for name in ("HPOS", "VPOS", "WIDTH", "HEIGHT"))
    return left, top, left + width, top + height


def test_a_receipt() -> None:
    shown = document(receipt(), page(number=2))
    shown.models = {"detection": "PP-OCRv6_small_det@c2be"}
    root = valid(shown)
    assert root.get("SCHEMAVERSION") == "4.4"
    assert found(root, "MeasurementUnit")[0].text == "pixel"
    assert found(root, "fileName")[0].text == "scan.jpg"
    first, second = found(root, "Page")
    assert (first.get("WIDTH"), first.get("HEIGHT")) == ("1000", "800")
    assert second.get("PHYSICAL_IMG_NR") == "2"
    (table,) = found(root, "ComposedBlock")
    assert table.get("TYPE") == "table"
    assert place(table) == (60, 200, 820, 310)


def test_words_with_spaces_between() -> None:
    read = line("Total 21.07", 100, 200, 300)
    read.words = [word("Total", 100, 200, 120, confidence=0.93456), word("21.07", 250, 200, 150)]
    root = valid(document(page(read)))
    total, amount = found(root, "String")
    assert (total.get("CONTENT"), total.get("WC")) == ("Total", "0.93")
    assert place(amount) == (250, 200, 400, 230)
    (space,) = found(root, "SP")
    assert place(space) == (220, 200, 250, 230)
    (shown,) = found(root, "TextLine")
    assert shown.get("BASELINE") == "100,224 400,224"


def test_a_line_that_is_not_level_has_its_shape() -> None:
    slanted = Line("rising", 0.9, ((100, 120), (300, 100), (300, 140), (100, 160)))
    (shown,) = found(valid(document(page(slanted))), "Polygon")
    assert shown.get("POINTS") == "100,120 300,100 300,140 100,160"
    assert found(valid(document(receipt())), "Polygon") == []


def test_text_from_the_top_down() -> None:
    (shown,) = found(valid(document(page(line("竖排文字", 700, 100, 40, 300)))), "TextLine")
    assert shown.get("BASEDIRECTION") == "ttb"


def test_a_page_that_could_not_be_read() -> None:
    broken = Page(1, 0, 0, error=Notice("damaged_file", "it ends early", 1))
    (shown,) = found(valid(document(broken)), "Page")
    assert shown.get("QUALITY") == "Damaged"
    assert shown.get("QUALITY_DETAIL") == "it ends early"
    assert found(shown, "String") == []


@pytest.mark.parametrize("text", ["<&>\"'", "\x00\x1b", "a\udc80", "  spaced  out ", "。", "\ufffe", "new\nline"])
def test_any_text(text: str) -> None:
    valid(document(page(line(text, 0, 0, 90)), file=text))


def test_a_line_of_blanks_keeps_the_structure() -> None:
    read = line(" ", 0, 0, 90)
    read.words = []
    (shown,) = found(valid(document(page(read))), "String")
    assert shown.get("CONTENT") == " "


def test_a_document_without_pages_keeps_the_structure() -> None:
    valid(Document("none.pdf"))


def test_the_check_itself_finds_faults() -> None:
    broken = to_alto(document(receipt())).replace(b"CONTENT=", b"TEXT=", 1)
    with pytest.raises(AssertionError, match="String"):
        check(ElementTree.fromstring(broken))
