"""A document as hOCR 1.2: XHTML in which titles say where everything stands, in pixels of the upright page."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element, SubElement

from pipeline.outputs.layout import Table, blocks_of
from pipeline.outputs.lines import baseline, is_vertical, whole_bounds, words_of
from pipeline.outputs.xml_text import number, serialised, xml_text
from schemas.document import Document, Line, Page, Polygon

_XHTML = "http://www.w3.org/1999/xhtml"
_DOCTYPE = (
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" '
    '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n'
)
_LEVEL = 45  # degrees; beyond, text runs up or upside down rather than being slanted
_CAPABILITIES = "ocr_page ocr_carea ocr_par ocr_line ocrx_word ocrp_poly ocrp_wconf"


def to_hocr(document: Document) -> bytes:
    """The hOCR file. Every word has its box and confidence (``x_wconf``, per cent), every line its baseline."""
    ElementTree.register_namespace("", _XHTML)
    root = Element(f"{{{_XHTML}}}html", {"lang": "und", "{http://www.w3.org/XML/1998/namespace}lang": "und"})
    head = _add(root, "head")
    _add(head, "title").text = xml_text(document.file)
    _add(head, "meta", {"http-equiv": "Content-Type", "content": "text/html; charset=utf-8"})
    _add(head, "meta", {"name": "ocr-system", "content": "inklane"})
    _add(head, "meta", {"name": "ocr-capabilities", "content": _CAPABILITIES})
    _add(head, "meta", {"name": "ocr-number-of-pages", "content": str(len(document.pages))})
    body = _add(root, "body")
    for page in document.pages:
        _page(body, page, document.file)
    return serialised(root, doctype=_DOCTYPE)


def _page(body: Element, page: Page, file: str) -> None:
    name = xml_text(file).replace("\\", "\\\\").replace('"', '\\"')
    title = f'image "{name}"; bbox 0 0 {page.width} {page.height}; ppageno {page.page - 1}'
    element = _add(body, "div", {"class": "ocr_page", "id": f"page_{page.page}", "title": title})
    for number_, lines in enumerate(_paragraphs(page), 1):
        here = f"{page.page}_{number_}"
        place = f"bbox {_box(lines)}"
        area = _add(element, "div", {"class": "ocr_carea", "id": f"block_{here}", "title": place})
        paragraph = _add(area, "p", {"class": "ocr_par", "id": f"par_{here}", "title": place})
        for index, line in enumerate(lines, 1):
            _line(paragraph, line, f"{here}_{index}")


def _paragraphs(page: Page) -> Iterator[list[Line]]:
    """The lines of each paragraph, and of each row of a table."""
    for block in blocks_of(page):
        if isinstance(block, Table):
            yield from ([line for cell in row for line in cell] for row in block.rows)
        else:
            yield block.lines


def _line(parent: Element, line: Line, here: str) -> None:
    title = f"bbox {_numbers(whole_bounds(line.polygon))}; {_direction(line)}; poly {_poly(line.polygon)}"
    element = _add(parent, "span", {"class": "ocr_line", "id": f"line_{here}", "title": title})
    for index, word in enumerate(words_of(line), 1):
        place = f"bbox {_numbers(whole_bounds(word.polygon))}; x_wconf {round(100 * word.confidence)}"
        span = _add(element, "span", {"class": "ocrx_word", "id": f"word_{here}_{index}", "title": place})
        span.text = xml_text(word.text)


def _direction(line: Line) -> str:
    """Where the letters stand: as a line relative to the box's bottom left; text from the top down is told by its turn.

    The turn (``textangle``) is counter-clockwise.
    """
    if is_vertical(line):
        return "textangle 270"
    (ax, ay), (bx, by) = baseline(line)
    left, _, _, bottom = whole_bounds(line.polygon)
    slope = (by - ay) / (bx - ax) if bx - ax > 0 else 0.0
    angle = math.degrees(math.atan2(ay - by, bx - ax))
    if abs(angle) > _LEVEL:
        return f"textangle {round(angle) % 360}"
    offset = ay + slope * (left - ax) - bottom
    return f"baseline {slope:.4f} {number(offset)}"


def _box(lines: Sequence[Line]) -> str:
    boxes = [whole_bounds(line.polygon) for line in lines]
    return _numbers(
        (
            min(box[0] for box in boxes),
            min(box[1] for box in boxes),
            max(box[2] for box in boxes),
            max(box[3] for box in boxes),
        )
    )


def _poly(polygon: Polygon) -> str:
    return _numbers([round(value) for point in polygon for value in point])


def _numbers(values: Sequence[int]) -> str:
    return " ".join(map(str, values))


def _add(parent: Element, tag: str, attributes: dict[str, str] | None = None) -> Element:
    return SubElement(parent, f"{{{_XHTML}}}{tag}", attributes or {})
