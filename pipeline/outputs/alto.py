"""A document as ALTO 4.4 (Library of Congress), coordinates in pixels of the upright page.

Rectangles are around the lines; a line that is not upright or not level has its polygon as its shape, too.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from itertools import pairwise
from xml.etree.ElementTree import Element, SubElement

from pipeline.outputs.layout import Table, blocks_of
from pipeline.outputs.lines import baseline, bounds, is_vertical, words_of
from pipeline.outputs.xml_text import number, serialised, xml_text
from schemas.document import Document, Line, Page, Polygon, Word

_ALTO = "http://www.loc.gov/standards/alto/ns-v4#"
_XSI = "http://www.w3.org/2001/XMLSchema-instance"
_LEVEL = 1.0  # pixels that a corner may be off its rectangle


def to_alto(document: Document) -> bytes:
    """The ALTO file. A page that could not be read is there, with the reason, and has no text."""
    ElementTree.register_namespace("", _ALTO)
    ElementTree.register_namespace("xsi", _XSI)
    location = f"{_ALTO} http://www.loc.gov/standards/alto/v4/alto-4-4.xsd"
    root = Element(f"{{{_ALTO}}}alto", {f"{{{_XSI}}}schemaLocation": location, "SCHEMAVERSION": "4.4"})
    _description(root, document)
    layout = _add(root, "Layout")
    for page in document.pages or [Page(1, 0, 0)]:
        _page(layout, page)
    return serialised(root)


def _description(root: Element, document: Document) -> None:
    description = _add(root, "Description")
    _add(description, "MeasurementUnit").text = "pixel"
    _add(_add(description, "sourceImageInformation"), "fileName").text = xml_text(document.file)
    processing = _add(description, "Processing", {"ID": "processing_1"})
    _add(processing, "processingCategory").text = "contentGeneration"
    if document.models:
        settings = ", ".join(f"{task}: {name}" for task, name in document.models.items())
        _add(processing, "processingStepSettings").text = xml_text(settings)
    _add(_add(processing, "processingSoftware"), "softwareName").text = "Inklane"


def _page(layout: Element, page: Page) -> None:
    attributes = {
        "ID": f"page_{page.page}",
        "PHYSICAL_IMG_NR": str(page.page),
        "WIDTH": str(page.width),
        "HEIGHT": str(page.height),
        "PROCESSINGREFS": "processing_1",
    }
    if page.error is not None:
        attributes |= {"QUALITY": "Damaged", "QUALITY_DETAIL": xml_text(page.error.message)}
    elif page.lines:
        attributes["PC"] = number(sum(line.confidence for line in page.lines) / len(page.lines))
    place = {"HPOS": "0", "VPOS": "0", "WIDTH": str(page.width), "HEIGHT": str(page.height)}
    space = _add(_add(layout, "Page", attributes), "PrintSpace", place)
    for index, block in enumerate(blocks_of(page), 1):
        here = f"{page.page}_{index}"
        if isinstance(block, Table):
            rows = [[line for cell in row for line in cell] for row in block.rows]
            table = {"ID": f"table_{here}", **_place(line.polygon for row in rows for line in row), "TYPE": "table"}
            composed = _add(space, "ComposedBlock", table)
            for number_, row in enumerate(rows, 1):
                _text_block(composed, row, f"{here}_{number_}")
        else:
            _text_block(space, block.lines, here)


def _text_block(parent: Element, lines: list[Line], here: str) -> None:
    block = _add(parent, "TextBlock", {"ID": f"block_{here}", **_place(line.polygon for line in lines)})
    for index, line in enumerate(lines, 1):
        _line(block, line, f"{here}_{index}")


def _line(block: Element, line: Line, here: str) -> None:
    words = words_of(line) or [Word(line.text, line.confidence, line.polygon)]
    attributes = {"ID": f"line_{here}", **_place([line.polygon])}
    start, end = baseline(line)
    attributes["BASELINE"] = f"{number(start[0])},{number(start[1])} {number(end[0])},{number(end[1])}"
    if is_vertical(line):
        attributes["BASEDIRECTION"] = "ttb"
    element = _add(block, "TextLine", attributes)
    if not _is_level(line.polygon):
        points = " ".join(f"{number(x)},{number(y)}" for x, y in line.polygon)
        _add(_add(element, "Shape"), "Polygon", {"POINTS": points})
    _word(element, words[0], f"{here}_1")
    for index, (before, word) in enumerate(pairwise(words), 2):
        _add(element, "SP", _space(before.polygon, word.polygon))
        _word(element, word, f"{here}_{index}")


def _word(line: Element, word: Word, here: str) -> None:
    confidence = number(min(1.0, max(0.0, word.confidence)))
    _add(
        line,
        "String",
        {"ID": f"word_{here}", "CONTENT": xml_text(word.text), **_place([word.polygon]), "WC": confidence},
    )


def _space(before: Polygon, after: Polygon) -> dict[str, str]:
    """The room between two words; none where they touch."""
    _, top, right, bottom = bounds(before)
    left = bounds(after)[0]
    width, height = max(0.0, left - right), bottom - top
    return {"HPOS": number(right), "VPOS": number(top), "WIDTH": number(width), "HEIGHT": number(height)}


def _place(polygons: Iterable[Polygon]) -> dict[str, str]:
    boxes = [bounds(polygon) for polygon in polygons]
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[2] for box in boxes), max(box[3] for box in boxes)
    return {
        "HPOS": number(left),
        "VPOS": number(top),
        "WIDTH": number(right - left),
        "HEIGHT": number(bottom - top),
    }


def _is_level(polygon: Polygon) -> bool:
    left, top, right, bottom = bounds(polygon)
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return all(
        abs(x - cx) <= _LEVEL and abs(y - cy) <= _LEVEL for (x, y), (cx, cy) in zip(polygon, corners, strict=True)
    )


def _add(parent: Element, tag: str, attributes: dict[str, str] | None = None) -> Element:
    return SubElement(parent, f"{{{_ALTO}}}{tag}", attributes or {})
