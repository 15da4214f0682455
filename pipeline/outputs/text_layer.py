"""The invisible text of a PDF page, put where it was read."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from pipeline.outputs.invisible_font import InvisibleFont
from pipeline.outputs.lines import DESCENT, is_vertical, reading_quad, text_width, words_of
from pipeline.outputs.text import one_row
from schemas.document import Document, Line, Page, Point, Polygon

ToPage = Callable[[Point], Point]
"""From pixels of the upright page to the PDF page's own coordinates."""

_LEAST = 0.01  # points; text without any extent cannot be placed


@dataclass(slots=True)
class Run:
    """A piece of text and its place: pixels of the upright page, clockwise, the first two along its upper edge."""

    text: str
    quad: Polygon


def characters_of(document: Document) -> set[str]:
    """All characters that the document's layer writes."""
    return {char for page in document.pages for line in page.lines for run in runs_of(line) for char in run.text}


def runs_of(line: Line) -> Iterator[Run]:
    """The line's words, each with its own place, and the spaces between them with theirs."""
    vertical = is_vertical(line)
    words = words_of(line)
    if len(words) > 1:
        for word, following in pairwise(words):
            here, there = reading_quad(word.polygon, vertical), reading_quad(following.polygon, vertical)
            yield Run(one_row(word.text), here)
            yield Run(" ", (here[1], there[0], there[3], here[2]))
        words = words[-1:]
    for word in words:
        yield Run(one_row(word.text), reading_quad(word.polygon, vertical))


class TextLayer:
    """Writes text into the pages of one PDF. To be used, and closed, under PDFium's lock.

    Args:
        pdf: the PDF.
        font: a font with all the characters.

    Raises:
        PdfiumError: PDFium does not take the font.
    """

    def __init__(self, pdf: pypdfium2.PdfDocument, font: InvisibleFont) -> None:
        self._pdf = pdf
        self._font = font
        file, glyphs = font.file(), font.glyph_map()
        self._handle: Any = pdfium.FPDFText_LoadCidType2Font(
            pdf, _array(file), len(file), font.to_unicode().encode("ascii"), _array(glyphs), len(glyphs)
        )
        if not self._handle:
            raise pypdfium2.PdfiumError("PDFium does not take the font of the text layer")

    def write(self, target: Any, page: Page, to_page: ToPage, *, is_free: Callable[[Line], bool]) -> None:
        """Put the page's lines into ``target``, a PDF page, except where ``is_free`` says that there is text."""
        for line in page.lines:
            if is_free(line):
                for run in runs_of(line):
                    self._write(target, run.text, [to_page(point) for point in run.quad])

    def close(self) -> None:
        """Let go of the font, which stays in the PDF."""
        handle, self._handle = self._handle, None
        if handle:
            pdfium.FPDFFont_Close(handle)

    def _write(self, target: Any, text: str, quad: list[Point]) -> None:
        ems = text_width(text)
        top_left, _, bottom_right, bottom_left = quad
        along = _at_least(bottom_left, bottom_right)
        upward = _at_least(bottom_left, top_left)
        size = math.hypot(*upward)
        if not ems or not all(map(math.isfinite, (*along, *upward, *bottom_left))):
            return
        if abs(along[0] * upward[1] - along[1] * upward[0]) < _LEAST**2:  # both edges on one line
            upward = (-along[1] / math.hypot(*along) * size, along[0] / math.hypot(*along) * size)
        drawn = pdfium.FPDFPageObj_CreateTextObj(self._pdf, self._handle, size)
        codes = self._font.codes(text)
        pdfium.FPDFText_SetCharcodes(drawn, (ctypes.c_uint32 * len(codes))(*codes), len(codes))
        pdfium.FPDFTextObj_SetTextRenderMode(drawn, pdfium.FPDF_TEXTRENDERMODE_INVISIBLE)
        matrix = pdfium.FS_MATRIX(
            along[0] / (ems * size),
            along[1] / (ems * size),
            upward[0] / size,
            upward[1] / size,
            bottom_left[0] + DESCENT * upward[0],
            bottom_left[1] + DESCENT * upward[1],
        )
        pdfium.FPDFPageObj_SetMatrix(drawn, matrix)
        pdfium.FPDFPage_InsertObject(target, drawn)


def _at_least(start: Point, end: Point) -> Point:
    """The way from start to end; a short one to the right where there is none."""
    way = (end[0] - start[0], end[1] - start[1])
    return way if math.hypot(*way) >= _LEAST else (_LEAST, 0.0)


def _array(data: bytes) -> Any:
    return (ctypes.c_uint8 * len(data)).from_buffer_copy(data)
