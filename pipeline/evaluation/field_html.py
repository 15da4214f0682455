"""Fields in the HTML report: tables of figures, and what is wrong drawn on the page with what was expected and got."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from pipeline.evaluation.field_report import LABELS, figure
from pipeline.evaluation.field_scores import FieldCounts, FieldScores
from pipeline.evaluation.fields import EXTRA, MISSING, WRONG, Outcome
from pipeline.evaluation.scoring import DocumentScore
from pipeline.evaluation.values import normalise
from schemas.document import Polygon
from schemas.fields import Region
from schemas.truth import TruthPage

_SHORTEST_PART = 3

ORDER = {WRONG: 0, MISSING: 1, EXTRA: 2}


def figures(scores: FieldScores) -> str:
    """A section with the figures by type and field, and of the dataset."""
    rows = []
    for name, of_type in scores.types.items():
        rows.append(_counts_row(f"<b>{escape(name)}</b>", of_type.together))
        rows += [_counts_row(escape(field), counts) for field, counts in of_type.fields.items()]
    head = "".join(f"<th>{title}</th>" for title in ("Field", "Precision", "Recall", "F1", "F1, exact", "Truth"))
    by_field = f'<table class="figures"><tr>{head}</tr>\n{"".join(rows)}</table>' if rows else ""
    totals = "".join(
        f"<tr><td>{LABELS[name]}</td><td>{figure(value)}</td></tr>\n"
        for name, value in scores.metrics().items()
        if value is not None
    )
    return (
        f'<section><h2>Fields</h2><div class="document"><div>{by_field}</div>'
        f'<div><table class="figures">{totals}</table></div></div></section>'
    )


def wrong_values(document: DocumentScore) -> list[tuple[str, ...]]:
    """A row of HTML cells for each value that is not right: kind, field, expected, got, confidence."""
    if document.fields is None:
        return []
    return [
        (
            f'<span class="{outcome.kind}">{outcome.kind}</span>',
            f'<span class="name">{escape(outcome.name)}</span>',
            escape(_expected(outcome)),
            escape(_got(outcome)),
            "" if outcome.got is None else f"{outcome.got.confidence:.2f}",
        )
        for outcome in _not_right(document)
    ]


def type_note(document: DocumentScore) -> str:
    """What the document was read as, where that is worth saying."""
    fields = document.fields
    if fields is None or fields.got_type is None:
        return ""
    if fields.expected_type in {None, fields.got_type}:
        return f"read as {fields.got_type}"
    return f"read as {fields.got_type}, labelled as {fields.expected_type}"


def shapes(document: DocumentScore, page: TruthPage) -> str:
    """Polygons for one page's SVG: where a wrong or invented value stands, and where a missing one should."""
    if document.fields is None:
        return ""
    parts = []
    for outcome in _not_right(document):
        title = f"{outcome.name}: expected {_expected(outcome) or 'nothing'}, got {_got(outcome) or 'nothing'}"
        for polygon in _places(document, outcome, page):
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in polygon)
            parts.append(
                f'<polygon class="field {outcome.kind}" points="{points}"><title>{escape(title)}</title></polygon>'
            )
    return "".join(parts)


def wrong_on(document: DocumentScore, page: TruthPage) -> int:
    """How many polygons :func:`shapes` draws there."""
    return shapes(document, page).count("<polygon")


def _not_right(document: DocumentScore) -> list[Outcome]:
    outcomes = document.fields.outcomes if document.fields is not None else []
    return sorted(
        (outcome for outcome in outcomes if not outcome.normalised),
        key=lambda outcome: (ORDER[outcome.kind], outcome.name),
    )


def _places(document: DocumentScore, outcome: Outcome, page: TruthPage) -> Iterator[Polygon]:
    if outcome.got is not None:
        yield from _on_page(outcome.got.regions, page, document.sizes)
        return
    assert outcome.expected is not None  # else it would be no outcome
    if outcome.expected.regions:
        yield from _on_page(outcome.expected.regions, page, {})
        return
    wanted = {normalise(text) for text in outcome.expected.texts} - {""}
    for line in page.lines:
        text = normalise(line.text)
        if any(want in text or _is_part(text, want) for want in wanted):
            yield line.polygon


def _is_part(text: str, whole: str) -> bool:
    """Whether a line is one of those that make up a value, and not a number that stands there by chance."""
    return text in whole and len(text) >= max(_SHORTEST_PART, len(whole) // 10)


def _on_page(
    regions: list[Region] | tuple[Region, ...], page: TruthPage, sizes: Mapping[int, tuple[int, int]]
) -> Iterator[Polygon]:
    """Those of one page, from the frame they were read in (``sizes``, by page) to the truth's."""
    for region in regions:
        if region.page != page.page:
            continue
        width, height = sizes.get(page.page, (page.width, page.height))
        if width < 1 or height < 1:
            continue
        a, b, c, d = ((x * page.width / width, y * page.height / height) for x, y in region.polygon)
        yield a, b, c, d


def _expected(outcome: Outcome) -> str:
    return " / ".join(outcome.expected.texts) if outcome.expected is not None else ""


def _got(outcome: Outcome) -> str:
    got = outcome.got
    if got is None:
        return ""
    typed = "" if got.value is None or isinstance(got.value, dict) else str(got.value)
    return got.content if typed in {"", got.content} else f"{got.content} → {typed}"


def _counts_row(name: str, counts: FieldCounts) -> str:
    same = counts.normalised
    ratios = (same.precision, same.recall, same.f1, counts.exact.f1)
    cells = [name, *map(figure, ratios), str(same.truth)]
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>\n"
