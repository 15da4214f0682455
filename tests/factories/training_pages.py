"""Small labelled pages to train on, and a network small enough for a test."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from models.layout_ner.example import Entity, Example, Span, TextLine
from models.layout_ner.tags import TagSet
from models.layout_ner.training.stream import Source
from models.layout_ner.vocabulary import Vocabulary
from pipeline.training.sources import order

TAGS = TagSet({"receipt": ("company", "total"), "bill": ("number",)})
VOCABULARY = Vocabulary("0123456789.: abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")

NETWORK: dict[str, Any] = {
    "embedding": 8,
    "width": 16,
    "dilations_before": [1],
    "dilations_after": [2],
    "line_width": 16,
    "line_layers": 1,
    "heads": 2,
}
"""A recipe's ``network``: seconds rather than hours."""


def line(text: str, row: int, left: float = 20) -> TextLine:
    """A line of text, rows 30 pixels apart."""
    top, right = 30 * row, left + 9 * len(text)
    return TextLine(text, ((left, top), (right, top), (right, top + 20), (left, top + 20)))


def receipt(total: str = "12.50", company: tuple[str, ...] = ("ACME", "STORES"), **more: Any) -> Example:
    """A receipt: its company over some lines, something else, and the total behind its key."""
    rows = len(company)
    lines = [line(text, row) for row, text in enumerate(company)]
    lines += [line("thank you", rows), line(f"total: {total}", rows + 1)]
    entities = [
        Entity("company", tuple(Span(row, 0, len(text)) for row, text in enumerate(company))),
        Entity("total", (Span(rows + 1, 7, 7 + len(total)),), value=total),
    ]
    values = {"company": [" ".join(company)], "total": [total]}
    return Example("receipt", "receipt", 400, 300, lines, entities, values=values, **more)


def random_page(rng: random.Random) -> Example:
    """A receipt, a bill, or a page of no known type."""
    kind = rng.randrange(3)
    number = f"{rng.randrange(10**6):06d}"
    if kind == 0:
        return receipt(f"{rng.randrange(1, 900)}.{rng.randrange(100):02d}", (f"SHOP {number}",))
    lines = [line(f"note {number}", row) for row in range(rng.randrange(1, 6))]
    if kind == 1:
        return Example("bill", "bill", 400, 300, lines, [Entity("number", (Span(0, 5, 11),))])
    return Example("other", None, 400, 300, lines)


def source() -> Source:
    """Random pages, as they are."""
    return Source(TAGS, VOCABULARY, order, synthetic=random_page)


def write_labels(folder: Path, examples: list[Example], **more: Any) -> Path:
    """Write a folder's ``labels.jsonl`` with the pages' lines and fields; ``more`` goes into every record."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for number, example in enumerate(examples):
        lines = [{"text": line.text, "polygon": line.polygon} for line in example.lines]
        record = {"image": f"{number}.png", "width": example.width, "height": example.height, "lines": lines}
        fields = {name: values[0] for name, values in example.values.items()}
        rows.append(json.dumps({**record, "doc_type": example.doc_type or "other", "fields": fields, **more}))
    (folder / "labels.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder
