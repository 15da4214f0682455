"""An evaluation as one HTML file that needs nothing else: the worst documents, with what is wrong in them."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

import cv2
import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein

from pipeline.evaluation import field_html
from pipeline.evaluation.matching import PageComparison
from pipeline.evaluation.report import LABELS, figure
from pipeline.evaluation.runner import Evaluation
from pipeline.evaluation.scoring import DocumentScore
from pipeline.visualise import upright
from schemas.document import Polygon
from schemas.errors import InklaneError

Pixels = npt.NDArray[np.uint8]
LoadPages = Callable[[Path, Sequence[int]], Mapping[int, Pixels]]
"""From a file and page numbers to the decoded pages (H, W, 3 BGR), by number."""

_LONG_SIDE = 1600
_JPEG_QUALITY = 70
_PAGES_SHOWN = 4


def to_html(evaluation: Evaluation, load_pages: LoadPages, *, worst: int = 10) -> str:
    """The report, a page of HTML with the pictures inside.

    Args:
        evaluation: the result.
        load_pages: decodes the documents shown; what it cannot decode is shown without its picture.
        worst: how many documents to show in full.
    """
    shown = evaluation.worst_first[:worst]
    return _template("report.html").substitute(
        dataset=escape(evaluation.dataset or "Evaluation"),
        documents=len(evaluation.documents),
        failed=len(evaluation.failed),
        seconds=f"{evaluation.seconds:.1f}",
        models=escape(", ".join(f"{task}: {name}" for task, name in evaluation.models.items()) or "not known"),
        fields=field_html.figures(evaluation.fields) if evaluation.has_fields else "",
        metrics="\n".join(_row(LABELS[name], figure(value)) for name, value in _text_metrics(evaluation).items()),
        overview="\n".join(_overview(document) for document in evaluation.worst_first),
        shown=len(shown),
        worst="\n".join(_document(document, load_pages, number) for number, document in enumerate(shown, 1)),
    )


def _text_metrics(evaluation: Evaluation) -> Mapping[str, float | None]:
    return evaluation.scores.metrics() if evaluation.text else {}


def _overview(document: DocumentScore) -> str:
    metrics = document.scores.metrics()
    names = ("word_f1", "char_f1", "detection_hmean", "cer")
    error = document.error.message if document.error is not None else ""
    return _row(document.truth.name, figure(document.field_f1), *(figure(metrics[name]) for name in names), error)


def _document(document: DocumentScore, load_pages: LoadPages, number: int) -> str:
    labelled = {page.page: page for page in document.truth.pages}
    pages = sorted(
        document.pages,
        key=lambda page: (-field_html.wrong_on(document, labelled[page.page]), -len(page.missed) - len(page.extra)),
    )[:_PAGES_SHOWN]
    pages.sort(key=lambda page: page.page)
    pictures, trouble = _pictures(document, pages, load_pages)
    metrics = document.scores.metrics()
    names = ("word_f1", "char_f1", "detection_hmean", "cer")
    notes = [f"{LABELS[name]}: {figure(metrics[name])}" for name in names if metrics[name] is not None]
    if document.field_f1 is not None:
        notes.insert(0, f"Fields' F1: {figure(document.field_f1)}")
    if note := field_html.type_note(document):
        notes.insert(0, note)
    if len(pages) < len(document.pages):
        notes.append(f"{len(pages)} of {len(document.pages)} pages are shown, those with the most lines wrong")
    faults = [text for text in (document.error.message if document.error is not None else "", trouble) if text]
    return _template("document.html").substitute(
        number=number,
        name=escape(document.truth.name),
        notes=escape(" · ".join(notes)),
        faults="".join(f'<p class="fault">{escape(fault)}</p>' for fault in faults),
        pages="\n".join(_svg(document, page, pictures.get(page.page)) for page in pages),
        fields=_table(("Field is", "Name", "Expected", "Got", "Confidence"), field_html.wrong_values(document)),
        differing=_table(("Truth", "Read"), [_diff(document, t.text, r.text) for p in pages for t, r in p.pairs]),
        missed=_table(("Missed",), [(escape(line.text),) for p in pages for line in p.missed]),
        extra=_table(
            ("Extra", "Confidence"),
            [(escape(line.text), f"{line.confidence:.2f}") for p in pages for line in p.extra],
        ),
    )


def _pictures(
    document: DocumentScore, pages: Sequence[PageComparison], load_pages: LoadPages
) -> tuple[dict[int, Pixels], str]:
    """The pages upright, and what went wrong where they could not be had."""
    try:
        loaded = load_pages(document.truth.path, [page.page for page in pages])
    except (InklaneError, OSError) as error:
        return {}, f"no picture: {error}"
    return {number: upright(pixels, document.angles.get(number, 0)) for number, pixels in loaded.items()}, ""


def _svg(document: DocumentScore, page: PageComparison, pixels: Pixels | None) -> str:
    width, height = f"{page.width:g}", f"{page.height:g}"
    parts = [f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="page {page.page}">']
    if pixels is not None:
        size = f'width="{width}" height="{height}" preserveAspectRatio="none"'
        parts.append(f'<image href="{_data_url(pixels)}" {size}/>')
    for truth, read in page.pairs:
        kind = "same" if document.same(truth.text, read.text) else "differs"
        parts.append(_shape(truth.polygon, f"truth {kind}", truth.text))
        parts.append(_shape(read.polygon, f"read {kind}", read.text))
    parts += [_shape(line.polygon, "truth missed", line.text) for line in page.missed]
    parts += [_shape(line.polygon, "read extra", line.text) for line in page.extra]
    parts += [field_html.shapes(document, truth) for truth in document.truth.pages if truth.page == page.page]
    parts.append("</svg>")
    return f"<figure><figcaption>page {page.page}</figcaption>{''.join(parts)}</figure>"


def _shape(polygon: Polygon, kind: str, text: str) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in polygon)
    return f'<polygon class="{kind}" points="{points}"><title>{escape(text)}</title></polygon>'


def _data_url(pixels: Pixels) -> str:
    scale = _LONG_SIDE / max(pixels.shape[:2])
    if scale < 1:
        size = (max(1, round(pixels.shape[1] * scale)), max(1, round(pixels.shape[0] * scale)))
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    _, encoded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    return f"data:image/jpeg;base64,{base64.b64encode(encoded.tobytes()).decode('ascii')}"


def _diff(document: DocumentScore, truth: str, read: str) -> tuple[str, str] | None:
    """Both texts as HTML, the characters that differ marked; None where they are the same."""
    if document.same(truth, read):
        return None
    truth, read = document.as_compared(truth), document.as_compared(read)
    left, right = [], []
    for code in Levenshtein.opcodes(truth, read):
        expected = escape(truth[code.src_start : code.src_end])
        found = escape(read[code.dest_start : code.dest_end])
        left.append(expected if code.tag == "equal" or not expected else f"<del>{expected}</del>")
        right.append(found if code.tag == "equal" or not found else f"<ins>{found}</ins>")
    return "".join(left), "".join(right)


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...] | None]) -> str:
    """A table of cells that are HTML already; nothing where there is no row."""
    cells = [row for row in rows if row is not None]
    if not cells:
        return ""
    body = "\n".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in cells)
    return f"<table><tr>{''.join(f'<th>{title}</th>' for title in head)}</tr>\n{body}\n</table>"


def _row(*cells: str) -> str:
    return "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"


def _template(name: str) -> Template:
    return Template(files("pipeline.evaluation.templates").joinpath(name).read_text(encoding="utf-8"))
