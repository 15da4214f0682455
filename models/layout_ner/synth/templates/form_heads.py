"""What stands in the head of an English form: letterhead, a pair in the corner, stamps."""

from __future__ import annotations

from datetime import date

from models.layout_ner.synth.sheet import Part
from models.layout_ner.synth.templates.form_kit import Form
from models.layout_ner.synth.templates.labels import maybe, shrink
from models.layout_ner.synth.templates.words_en import (
    code,
)
from models.layout_ner.synth.values import companies, dates, identifiers, places

TYPED = ("mono", "mono", "ocr")


PRINTED = ("sans", "serif", "sans")


def letterhead(page: Form) -> None:
    """The company's name, its address and numbers: part of no pair (the name stands as a header at times)."""
    rng = page.rng
    name = companies.company_en(rng)
    align, place = rng.choice((("l", 0.0), ("m", 0.5), ("r", 1.0)))
    x = page.left + place * page.width
    text = Part(name.upper() if maybe(rng, 0.5) else name)
    size = shrink(page.bold, text.text, round(page.size * rng.uniform(1.1, 1.8)), 0.8 * page.width)
    page.sheet.text(x, page.y, text, page.bold, size, anchor=align)
    page.y += 1.7 * size
    if maybe(rng, 0.5):
        small = max(10, page.size - 4)
        for line in page.palette.sans.broken(
            places.address_en(rng).replace("\n", ", "), small, 0.5 * page.width, 0.5 * page.width
        ):
            page.sheet.text(x, page.y, line, page.palette.sans, small, anchor=align)
            page.y += 1.4 * small
        if maybe(rng, 0.5):
            page.sheet.text(x, page.y, f"Tel {identifiers.phone_en(rng)}", page.palette.sans, small, anchor=align)
            page.y += 1.4 * small
    page.y += 1.2 * page.size


def corner(page: Form) -> None:
    """A pair at the top right: date, page, number."""
    rng = page.rng
    question = page.asks(
        rng.choice(("Date", "No.", "Page", "Ref.", "File", "Project", "Report No.", "Code", "Our Ref", "Revised"))
    )
    answer = page.answers(
        question,
        text=rng.choice(
            (
                code(rng),
                str(rng.randint(1, 90)),
                dates.format_date(rng, dates.date_between(rng, date(1970, 1, 1), date(2026, 1, 1)), "us"),
            )
        ),
        blank=False,
    )
    label = page.how.label(question.text)
    page.sheet.text(
        page.right,
        page.y,
        (Part(label + ("" if label[-1] == " " else " "), question.key), answer),
        page.how.value_font,
        page.size,
        anchor="r",
    )
    page.y += 1.6 * page.size


def stamps(page: Form) -> None:
    """What offices stamp or write on a page, at the end of the present line."""
    if maybe(page.rng, 0.25):
        page.aside(
            page.rng.choice(("CONFIDENTIAL", "RECEIVED", "COPY", "ORIGINAL", "URGENT", "DRAFT", "FILE", "RESTRICTED")),
            1.0,
            "r",
            size=page.size + 4,
        )
        page.y += 1.8 * page.size
