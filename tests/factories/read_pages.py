"""Results as reading gives them, made by hand: lines whose places are known."""

from __future__ import annotations

from schemas.document import Document, Line, Page, Polygon, Word


def rectangle(left: float, top: float, width: float, height: float) -> Polygon:
    return (left, top), (left + width, top), (left + width, top + height), (left, top + height)


def line(text: str, left: float, top: float, width: float, height: float = 30, confidence: float = 0.97) -> Line:
    return Line(text, confidence, rectangle(left, top, width, height))


def word(text: str, left: float, top: float, width: float, height: float = 30, confidence: float = 0.9) -> Word:
    return Word(text, confidence, rectangle(left, top, width, height))


def page(*lines: Line, number: int = 1, width: int = 1000, height: int = 800, angle: int = 0) -> Page:
    return Page(number, width, height, angle, list(lines))


def document(*pages: Page, file: str = "scan.jpg") -> Document:
    return Document(file, pages=list(pages))


def receipt() -> Page:
    """A heading, a table of three columns, a paragraph of two lines."""
    return page(
        line("Harbour Bean Coffee", 300, 40, 400, 40),
        line("Item", 60, 200, 80),
        line("Qty", 400, 200, 60),
        line("Amount", 700, 200, 120),
        line("Flat white", 60, 240, 180),
        line("2", 410, 240, 20),
        line("7.00", 740, 240, 80),
        line("Bagel", 60, 280, 100),
        line("14.07", 725, 280, 95),
        line("The quick brown fox jumps over the lazy dog, and then", 60, 500, 880),
        line("goes home.", 60, 535, 180),
    )
