"""Pages in the shapes that PaddleX gives: its OCR pipeline's results, and those of its layout parsing.

Coordinates are whole pixels of the upright page, as PaddleX's are of the page its own preprocessing has turned.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Any

from pipeline.outputs.layout import Block, Table, blocks_of
from pipeline.outputs.lines import bounds, char_width, is_vertical, part_of, text_width, words_of
from pipeline.outputs.markdown import joined, page_markdown
from schemas.document import Line, Page, Word
from schemas.geometry import Polygon
from schemas.plain import confidence, polygon_of, text_of

Box = list[int]


def ocr_result(page: Page, *, threshold: float, words: bool) -> dict[str, Any]:
    """What PaddleX calls the pruned result of a page.

    Args:
        page: what was read.
        threshold: lines that are less sure are in ``dt_polys`` alone.
        words: give words, too: Chinese one character at a time, as PaddleX does.
    """
    kept = [line for line in page.lines if line.confidence >= threshold]
    result: dict[str, Any] = {
        "model_settings": {"use_doc_preprocessor": True, "use_textline_orientation": True},
        "doc_preprocessor_res": {
            "model_settings": {"use_doc_orientation_classify": True, "use_doc_unwarping": False},
            "angle": -page.angle % 360,  # counter-clockwise
        },
        "dt_polys": [_points(line.polygon) for line in page.lines],
        "text_type": "general",
        "textline_orientation_angles": [0] * len(page.lines),
        "text_rec_score_thresh": threshold,
        "return_word_box": words,
        "rec_texts": [text_of(line.text) for line in kept],
        "rec_scores": [confidence(line.confidence) for line in kept],
        "rec_polys": [_points(line.polygon) for line in kept],
        "rec_boxes": [_box([line.polygon]) for line in kept],
    }
    if words:
        parts = [_parts(line) for line in kept]
        result["text_word"] = [[text_of(word.text) for word in line] for line in parts]
        result["text_word_region"] = [[_points(word.polygon) for word in line] for line in parts]
        result["text_word_boxes"] = [[_box([word.polygon]) for word in line] for line in parts]
    if page.error is not None:
        result["error"] = {"code": text_of(page.error.code), "message": text_of(page.error.message)}
    return result


def layout_result(page: Page, *, threshold: float, words: bool) -> dict[str, Any]:
    """A page as blocks in reading order, and as Markdown."""
    sure = Page(page.page, page.width, page.height, page.angle, _sure(page.lines, threshold), page.error)
    blocks = [
        {
            "block_label": "table" if isinstance(block, Table) else "text",
            "block_content": _content(block),
            "block_bbox": _box(line.polygon for line in _lines(block)),
            "block_id": index,
            "block_order": index + 1,
        }
        for index, block in enumerate(blocks_of(sure))
    ]
    return {
        "prunedResult": {
            "width": page.width,
            "height": page.height,
            "model_settings": {"use_doc_preprocessor": True, "use_table_recognition": True},
            "parsing_res_list": blocks,
            "overall_ocr_res": ocr_result(page, threshold=threshold, words=words),
        },
        "markdown": {"text": page_markdown(sure), "images": {}, "isStart": True, "isEnd": True},
    }


def data_info(pages: Sequence[Page], *, pdf: bool) -> dict[str, Any]:
    """The sizes of the pages as they came, before they were turned."""
    sizes = [_size(page) for page in pages]
    if not pdf and len(sizes) == 1:
        return {**sizes[0], "type": "image"}
    return {"numPages": len(sizes), "pages": sizes, "type": "pdf"}


def _size(page: Page) -> dict[str, int]:
    width, height = (page.height, page.width) if page.angle % 180 else (page.width, page.height)
    return {"width": int(width), "height": int(height)}


def _sure(lines: list[Line], threshold: float) -> list[Line]:
    return [line for line in lines if line.confidence >= threshold]


def _points(polygon: Polygon) -> list[Box]:
    return [[round(x), round(y)] for x, y in polygon_of(polygon)]


def _box(polygons: Iterable[Polygon]) -> Box:
    boxes = [bounds(polygon_of(polygon)) for polygon in polygons]
    return [
        round(min(box[0] for box in boxes)),
        round(min(box[1] for box in boxes)),
        round(max(box[2] for box in boxes)),
        round(max(box[3] for box in boxes)),
    ]


def _parts(line: Line) -> list[Word]:
    """Words of letters, and single Chinese characters."""
    vertical = is_vertical(line)
    parts: list[Word] = []
    for word in words_of(line):
        total = text_width(word.text) or 1.0
        at = 0.0
        run = ""
        for char in [*word.text, ""]:
            wide = bool(char) and char_width(char) == 1.0
            if run and (wide or not char):
                end = at + text_width(run) / total
                parts.append(Word(run, word.confidence, part_of(word.polygon, at, end, vertical)))
                at, run = end, ""
            if wide:
                end = at + 1.0 / total
                parts.append(Word(char, word.confidence, part_of(word.polygon, at, end, vertical)))
                at = end
            else:
                run += char
    return parts


def _lines(block: Block) -> list[Line]:
    if isinstance(block, Table):
        return [line for row in block.rows for cell in row for line in cell]
    return block.lines


def _content(block: Block) -> str:
    if not isinstance(block, Table):
        return joined(block.lines)
    rows = "".join(f"<tr>{''.join(f'<td>{html.escape(joined(cell))}</td>' for cell in row)}</tr>" for row in block.rows)
    return f"<html><body><table>{rows}</table></body></html>"
