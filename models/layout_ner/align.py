"""Which characters of a page's lines spell a field whose value is known but not where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation

from rapidfuzz.distance import Levenshtein

from models.layout_ner.edit_distance import EDIT, Occurrence, find
from models.layout_ner.example import Entity, Span, TextLine
from models.layout_ner.normalise import normalise, normalise_with_positions
from models.layout_ner.total_support import total_support

WHOLE_LINE = 0.85  # of a line's characters: from there on the span is the whole line
_MOST_EDITS = 0.35  # of the value's characters; with more, it does not stand there
_MOST_EDITS_NUMERIC = 0.2  # the same of numbers and dates, of which a page has many that are alike
_LEAST_EQUAL = 0.5  # of a span's characters stand in the value as they are
_NUMERIC = 0.5  # of the value's characters are digits: not extended to whole lines
_AMOUNT = re.compile(r"(?<![\d.,/\-])\d{1,3}(?:(?:,\s?\d{3})+|\d*)\s?[.,]\s?\d{2}(?![\d/])")
_MONEY = re.compile(r"\s*(?P<sign>[^\W\d]{0,3}\W{0,3}?)\s*(?P<number>\d[\d,]*\.\d{2})\s*")

Spans = tuple[Span, ...]


def align_fields(fields: Mapping[str, str], lines: Sequence[TextLine]) -> tuple[list[Entity], set[str]]:
    """Find fields on a page.

    Args:
        fields: values as printed, by name. Empty ones count as not found.
        lines: in reading order.

    Returns:
        One entity for each place where a value stands (several only if it stands there exactly; of a ``total`` only
        those that the words beside it support best), and the names of those that are not found.
    """
    entities: list[Entity] = []
    missing: set[str] = set()
    for name, value in fields.items():
        places = align(value, lines, total=name == "total")
        entities += [Entity(name, spans) for spans in places]
        if not places:
            missing.add(name)
    return entities, missing


def align(value: str, lines: Sequence[TextLine], *, total: bool = False) -> list[Spans]:
    """The places where a value stands; empty if it stands nowhere.

    Args:
        value: as printed.
        lines: in reading order; the value may run over several that need not quite follow each other.
        total: choose among equal amounts by the words beside them.
    """
    money = _MONEY.fullmatch(value)
    places: list[Spans] = []
    if money is not None:
        places = [(span,) for span in _amounts(money, lines, total)]
        if places:
            return places
    normal = normalise(value)
    numeric = sum(char.isdigit() for char in normal) >= _NUMERIC * len(normal)
    most = EDIT * (_MOST_EDITS_NUMERIC if numeric else _MOST_EDITS) * len(normal)
    texts = [normalise_with_positions(line.text) for line in lines]
    for occurrence in find(normal, [text for text, _ in texts]):
        spans = _spans(occurrence, value, normal, texts, lines, numeric) if occurrence.cost <= most else ()
        if spans:
            places.append(spans)
    places = [spans for spans in places if _clean(spans, lines)] or places
    return _best_supported(places, lines) if total else places


def _spans(
    occurrence: Occurrence,
    value: str,
    normal: str,
    texts: list[tuple[str, list[int]]],
    lines: Sequence[TextLine],
    numeric: bool,
) -> Spans:
    """The characters of the lines that an occurrence covers; ``texts`` are the normalised lines with positions.

    Spans are extended to whole lines, but not those of a ``numeric`` value.
    """
    spans: list[Span] = []
    for number in dict.fromkeys(line for line, _, _ in occurrence.pairs):
        pairs = [(column, i) for line, column, i in occurrence.pairs if line == number]
        text, positions = texts[number]
        length = pairs[-1][0] + 1 - pairs[0][0]
        if sum(text[column] == normal[i] for column, i in pairs) < _LEAST_EQUAL * length:
            continue  # other text in place of a line that was not read
        span = Span(number, positions[pairs[0][0]], positions[pairs[-1][0]] + 1)
        if not numeric and length >= WHOLE_LINE * len(text):
            span = _whole(number, lines[number].text)
        elif occurrence.cost > 0:
            span = _to_word_ends(span, lines[number].text)
        spans.append(span)
    if spans:
        spans[0] = _with_left_punctuation(spans[0], value, lines[spans[0].line].text)
        spans[-1] = _with_right_punctuation(spans[-1], value, lines[spans[-1].line].text)
    return tuple(spans)


# --- amounts ------------------------------------------------------------------------------------------------------


def _amounts(money: re.Match[str], lines: Sequence[TextLine], total: bool) -> list[Span]:
    """Amounts are compared as numbers: 1.00 does not stand in 11.00, nor in 100.

    If none is equal, a total may be one that differs in one digit and has a word for the total beside it.
    """
    wanted = Decimal(money["number"].replace(",", ""))
    spans = [span for span, amount in _amounts_of(lines) if amount == wanted]
    if total:
        singles: list[Spans] = [(span,) for span in spans]
        spans = [single[0] for single in _best_supported(singles, lines)]
        if not spans:
            spans = [
                span
                for span, amount in _amounts_of(lines)
                if Levenshtein.distance(str(amount), str(wanted)) == 1 and total_support(span, lines) == 2
            ][:1]
    return [_with_sign(span, money["sign"], lines[span.line].text) for span in spans]


def _amounts_of(lines: Sequence[TextLine]) -> Iterator[tuple[Span, Decimal]]:
    for number, line in enumerate(lines):
        for match in _AMOUNT.finditer(line.text):
            digits = re.sub(r"\D", "", match[0])
            try:
                yield Span(number, match.start(), match.end()), Decimal(f"{digits[:-2]}.{digits[-2:]}")
            except InvalidOperation:
                continue  # digits of another script


def _with_sign(span: Span, sign: str, text: str) -> Span:
    """Take the currency along if the value has it."""
    before = text[: span.start].rstrip()
    sign = sign.strip()
    if sign and before.upper().endswith(sign.upper()):
        return Span(span.line, len(before) - len(sign), span.end)
    return span


def _best_supported(places: list[Spans], lines: Sequence[TextLine]) -> list[Spans]:
    support = [total_support(spans[0], lines) for spans in places]
    return [spans for spans, score in zip(places, support, strict=True) if score == max(support)]


# --- ends of spans ------------------------------------------------------------------------------------------------


def _whole(number: int, text: str) -> Span:
    return Span(number, len(text) - len(text.lstrip()), len(text.rstrip()))


def _with_left_punctuation(span: Span, value: str, text: str) -> Span:
    """A bracket with which the value begins belongs to it, though it was not compared."""
    start = span.start
    head = value.lstrip()
    head = head[: len(head) - len(head.lstrip("([{<\"'（【《"))]
    while head and start > 0 and text[start - 1] == head[-1]:
        start, head = start - 1, head[:-1]
    return Span(span.line, start, span.end)


def _with_right_punctuation(span: Span, value: str, text: str) -> Span:
    end = span.end
    tail = value.rstrip()
    tail = tail[len(tail.rstrip(")]}>\"'）】》.!?。")) :]
    while tail and end < len(text) and text[end] == tail[0]:
        end, tail = end + 1, tail[1:]
    return Span(span.line, span.start, end)


def _to_word_ends(span: Span, text: str) -> Span:
    """Where characters differ, an end within a word moves to the nearer end of the word."""
    start, end = span.start, span.end
    first, last = start, end
    while first > 0 and _joined(text[first - 1], text[first]):
        first -= 1
    while last < len(text) and _joined(text[last - 1], text[last]):
        last += 1
    if start - first <= 2:
        start = first
    if last - end <= 2:
        end = last
    return Span(span.line, start, end)


def _clean(spans: Spans, lines: Sequence[TextLine]) -> bool:
    """Whether the value begins and ends where words do."""
    first, last = spans[0], spans[-1]
    head, tail = lines[first.line].text, lines[last.line].text
    return not (
        (first.start > 0 and _joined(head[first.start - 1], head[first.start]))
        or (last.end < len(tail) and _joined(tail[last.end - 1], tail[last.end]))
    )


def _joined(left: str, right: str) -> bool:
    """Whether two neighbours belong to one word or number; ideographs do not tell."""
    return (left.isdigit() and right.isdigit()) or (_letter(left) and _letter(right))


def _letter(char: str) -> bool:
    return char.isalpha() and char < "\u2e80"
