"""Write synthetic documents as a labelled folder: ``images/*.jpg`` and ``labels.jsonl`` (docs/evaluation.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import orjson

from models.layout_ner.example import Entity, Example, Span, TextLine
from models.layout_ner.synth.generate import OTHER, document, generator, render
from models.layout_ner.synth.noise import cut_polygon

_FORM = "form"
_QUALITY = 90


def write(
    out: Path, count: int, split: str, seed: int, types: Sequence[str] | None = None, *, effects: bool = True
) -> Iterator[Path]:
    """Write documents one by one; yields each picture's path once it and its labels are written.

    Args:
        out: The folder; it is made, an earlier ``labels.jsonl`` in it is replaced.
        count: How many documents.
        split: ``train`` or ``val``.
        seed: Which ones.
        types: Document types, in turn; all by chance where None.
        effects: Whether the pictures look photographed or scanned; otherwise clean.
    """
    (out / "images").mkdir(parents=True, exist_ok=True)
    with (out / "labels.jsonl").open("wb") as labels:
        for number in range(count):
            sheet, example = document(seed, number, split, types)
            pixels, example = render(sheet, example, generator(seed, number, "picture"), effects)
            path = out / "images" / f"{example.doc_type or OTHER}_{number:05}.jpg"
            done, data = cv2.imencode(".jpg", pixels[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
            if not done:
                raise ValueError(f"a picture of shape {pixels.shape} cannot be written as JPEG")
            path.write_bytes(data.tobytes())
            labels.write(orjson.dumps(record(example, f"images/{path.name}")) + b"\n")
            yield path


def record(example: Example, image: str) -> dict[str, Any]:
    """One line of ``labels.jsonl``; on forms, lines are cut where a question meets its answer, as in FUNSD."""
    if example.doc_type == _FORM:
        example = apart(example)
    return {
        "image": image,
        "width": round(example.width),
        "height": round(example.height),
        "doc_type": example.doc_type or OTHER,
        "template": example.name,
        "lines": _lines(example),
        "fields": fields(example) if example.doc_type not in (None, _FORM) else {},
        "entities": [
            {
                "name": entity.name,
                "spans": [[span.line, span.start, span.end] for span in entity.spans],
                "group": entity.group,
                "value": entity.value,
            }
            for entity in example.entities
        ],
        "links": [list(pair) for pair in example.links],
    }


def fields(example: Example) -> dict[str, Any]:
    """The truth by field: the text as printed, with the typed value where it differs; rows of groups in a list.

    Of a field that the page prints several times, the first counts.
    """
    found: dict[str, Any] = {}
    rows: dict[str, dict[int, dict[str, Any]]] = {}
    for entity in example.entities:
        text = example.text_of(entity)
        value = {"content": text, "value": entity.value} if entity.value not in (None, text) else text
        group, _, part = entity.name.partition(".")
        if part and entity.group is not None:
            rows.setdefault(group, {}).setdefault(entity.group, {}).setdefault(part, value)
        else:
            found.setdefault(entity.name, value)
    for group, by_number in rows.items():
        found[group] = [by_number[number] for number in sorted(by_number)]
    return found


def _lines(example: Example) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = [
        {"text": line.text, "polygon": [[round(x, 1), round(y, 1)] for x, y in line.polygon]} for line in example.lines
    ]
    if example.doc_type != _FORM:
        return lines
    for line in lines:
        line.update(label="other", id=None, linking=[])
    for number, entity in enumerate(example.entities):
        pairs = [list(pair) for pair in example.links if number in pair]
        for span in entity.spans:
            lines[span.line].update(label=entity.name, id=number, linking=pairs)
    return [{key: value for key, value in line.items() if key != "id" or value is not None} for line in lines]


def apart(example: Example) -> Example:
    """Cut every line that holds more than one entity, or an entity and more, so that each is a line of its own."""
    lines: list[TextLine] = []
    spans: dict[int, list[Span]] = {}
    here: dict[int, list[tuple[int, int, int, int]]] = {}
    for number, entity in enumerate(example.entities):
        for part, span in enumerate(entity.spans):
            here.setdefault(span.line, []).append((span.start, span.end, number, part))
    order: dict[int, list[tuple[int, Span]]] = {}
    for position, line in enumerate(example.lines):
        end = 0
        pieces: list[tuple[int, int, int | None, int]] = []
        for start, stop, number, part in sorted(here.get(position, [])):
            pieces += [(end, start, None, 0), (start, stop, number, part)]
            end = stop
        pieces.append((end, len(line.text), None, 0))
        for start, stop, owner, part in pieces:
            text = line.text[start:stop]
            if not any(char.isalnum() for char in text) and owner is None:
                continue
            lines.append(TextLine(text.strip(), cut_polygon(line, start, stop)))
            if owner is not None:
                order.setdefault(owner, []).append((part, Span(len(lines) - 1, 0, len(text.strip()))))
    for number, found in order.items():
        spans[number] = [span for _, span in sorted(found, key=lambda item: item[0])]
    entities: list[Entity] = [
        replace(entity, spans=tuple(spans.get(number, ()))) for number, entity in enumerate(example.entities)
    ]
    return replace(example, lines=lines, entities=entities)
