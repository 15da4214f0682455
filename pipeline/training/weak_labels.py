"""Labels for what the truth says nothing about, where a rule can hardly be wrong.

Public receipts are often labelled with a few fields only. What else is printed on them, a tax or a number, a network
would never learn from real pages. Where such a field's own words stand before a single value, that value is it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

from models.layout_ner.candidate import Candidate
from models.layout_ner.example import Entity, Example, Span
from schemas.doctypes import DocType, FieldType
from schemas.document import Line, Page
from stages.fields.context import Context
from stages.fields.currency import currency_at
from stages.fields.folded import letters_of
from stages.fields.key_value import read_keys
from stages.fields.money import parse_money
from stages.fields.places import SAME_ROW, Box, boxes_of_page, characters
from stages.fields.typed import typed

TYPES = frozenset({"money", "id", "digits", "date", "datetime", "month"})
"""Types whose values can be told from other text by their form."""

MOST_TAX = Decimal("0.3")
"""A tax is no more than this part of the total."""

_APART = 1.2
"""A label is one line alone: another one left of it on the row is so many line heights away."""

_SHORTEST = 3
"""Characters of an identifier: shorter ones are as often the number of a table or a queue."""

_COPIED = 4
"""An identifier is looked for elsewhere on the page if it has so many characters."""

_OTHERS_TOO = frozenset(map(letters_of, ("order no", "order number", "订单号", "订单编号", "ref no")))
"""Keys that often stand before a number of its own beside the one that is meant."""

_RATE = re.compile(r"\(? ?@? ?\d{1,2}(?:[.,]\d{1,2})? ?% ?\)?")
_SIGN = re.compile(
    r"\(?(?<![A-Za-z])(?:RM|MYR|SGD|USD|US\$|S\$|GBP|EUR|CNY|RMB|[$£€¥￥])(?![A-Za-z])\)?", re.IGNORECASE
)
_LETTERS = re.compile(r"[^\W\d_]")
_AMOUNT = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+\.\d{2}(?!\d)|(?<![\d.,])\d+\.\d{2}(?![\d.])")


def with_weak_labels(example: Example, doctype: DocType) -> Example:
    """Label fields that the truth says nothing about.

    A value is labelled where the whole text before it, on its line or on the row, is one of the field's keys, where it
    fits the field's type and pattern, and where all such places on the page say the same. A tax must also be small
    against the total. A currency of an amount is labelled where it stands at that amount.

    Args:
        example: the page; it is left as it is.
        doctype: its document type.

    Returns:
        The page with more entities. The fields found are no longer among the ``unknown`` ones, unless the same text
        stands elsewhere on the page and may or may not be the field, too.
    """
    return _Labeller(example, doctype).labelled()


def all_with_weak_labels(groups: Sequence[list[Example]], doctypes: Mapping[str, DocType]) -> list[list[Example]]:
    """The pages, each in its versions, with weak labels; those of no known type stay as they are."""

    def labelled(example: Example) -> Example:
        doctype = doctypes.get(example.doc_type or "")
        return example if doctype is None else with_weak_labels(example, doctype)

    return [[labelled(example) for example in group] for group in groups]


@dataclass
class _Labeller:
    """Looks at one page."""

    example: Example
    doctype: DocType

    @cached_property
    def page(self) -> Page:
        """The example as a page that was read."""
        lines = [Line(line.text, 1.0, line.polygon) for line in self.example.lines]
        return Page(1, max(1, round(self.example.width)), max(1, round(self.example.height)), lines=lines)

    @cached_property
    def boxes(self) -> list[Box]:
        """A box for each line."""
        return boxes_of_page(self.page)

    @cached_property
    def context(self) -> Context:
        """What the rest of the page says about amounts and dates."""
        return Context([self.page], self.doctype.date_order)

    @cached_property
    def total(self) -> Decimal | None:
        """The greatest amount that is labelled: what a tax is a part of."""
        money = {name for name, kind in self.doctype.walk() if kind.type == "money"}
        parsed = [parse_money(self.example.text_of(entity)) for entity in self.example.entities if entity.name in money]
        return max((Decimal(one.value) for one in parsed if one is not None), default=None)

    def labelled(self) -> Example:
        """The example with what was found."""
        example = self.example
        kinds = [kind for kind in self.doctype.fields if kind.name in example.unknown and not kind.parts]
        wanted = [kind for kind in kinds if kind.type in TYPES and kind.keys and not kind.multiline]
        entities: list[Entity] = []
        known: set[str] = set()
        for kind, spans in [*self._by_keys(wanted), *self._currencies(kinds)]:
            taken = [*example.entities, *entities]
            if not spans or any(_overlaps(span, other) for span in spans for one in taken for other in one.spans):
                continue
            copies, doubtful = self._copies(kind, spans)
            copies = [span for span in copies if not any(_overlaps(span, o) for one in taken for o in one.spans)]
            entities += [Entity(kind.name, (span,)) for span in sorted({*spans, *copies}, key=_place)]
            if not doubtful:
                known.add(kind.name)
        if not entities:
            return example
        return replace(example, entities=[*example.entities, *entities], unknown=example.unknown - known)

    def _by_keys(self, wanted: Sequence[FieldType]) -> Iterator[tuple[FieldType, list[Span]]]:
        """Each field with the places that certainly hold it; all say the same."""
        if not wanted:
            return
        names = {kind.name for kind in wanted}
        every = self.doctype.model_copy(
            update={
                "fields": tuple(
                    kind.model_copy(update={"repeated": kind.repeated or kind.name in names})
                    for kind in self.doctype.fields
                )
            }
        )
        found = read_keys(every, [self.page])
        for kind in wanted:
            keys = {letters_of(key) for key in kind.keys} - _OTHERS_TOO
            spans = [
                span
                for candidate in found
                if candidate.name == kind.name and (span := self._certain(kind, keys, candidate)) is not None
            ]
            if len({self._key(kind, span) for span in spans}) == 1 or kind.repeated:
                yield kind, spans

    def _certain(self, kind: FieldType, keys: set[str], candidate: Candidate) -> Span | None:
        """Where the value stands, exactly, if it is certainly the field."""
        if len(candidate.spans) != 1:
            return None
        span = candidate.spans[0]
        text = self.page.lines[span.line].text
        if kind.type == "money":
            amounts = list(_AMOUNT.finditer(text, span.start, span.end))
            if len(amounts) != 1:
                return None
            span = Span(span.line, *amounts[0].span())
        elif kind.type in ("id", "digits") and span.start and text[span.start - 1] == "#":
            span = Span(span.line, span.start - 1, span.end)
        label = self._label(span)
        if label is None or kind.type == "money" and label.rstrip(" $£€¥￥").endswith("-"):
            return None
        if letters_of(_SIGN.sub(" ", _RATE.sub(" ", label))) not in keys:
            return None
        if not self._fits(kind, text[span.start : span.end]) or self._goes_on(kind, span):
            return None
        return span

    def _label(self, span: Span) -> str | None:
        """All that stands before a value on its line, or else in the line left of it; None: it is not apart."""
        before = self.page.lines[span.line].text[: span.start]
        left, box = self.boxes[span.line].left, self._box(span)
        row = [
            n for n, one in enumerate(self.boxes) if n != span.line and _same_row(box, one) and one.right < box.right
        ]
        for number in sorted(row, key=lambda number: -self.boxes[number].right):
            has_letters = _LETTERS.search(_SIGN.sub(" ", before)) is not None
            if has_letters:
                return before if left - self.boxes[number].right > _APART * box.height else None
            before = f"{self.page.lines[number].text} {before}"
            left = self.boxes[number].left
        return before

    def _fits(self, kind: FieldType, text: str) -> bool:
        """Whether it is a value of the field's type, and plausible."""
        result = typed(kind, text, self.context)
        if result.value is None or not result.passed:
            return False
        if kind.type == "money":
            amount = Decimal(str(result.value))
            most = self.total * (MOST_TAX if kind.name == "tax" else 1) if self.total is not None else None
            return most is not None and 0 <= amount <= most
        if kind.type in ("id", "digits"):
            bare = text.lstrip("#")
            return len(bare) >= _SHORTEST and " " not in text and any(char.isdigit() for char in bare)
        return True

    def _goes_on(self, kind: FieldType, span: Span) -> bool:
        """Whether something behind the value makes it doubtful: more digits; another amount on the row."""
        after = self.page.lines[span.line].text[span.end :]
        if kind.type != "money":
            return re.match(r" ?[^\s)\],;]", after) is not None
        box = self._box(span)
        row = (
            self.page.lines[number].text
            for number, one in enumerate(self.boxes)
            if number != span.line and _same_row(box, one) and one.left > box.right - 0.3 * box.height
        )
        return any(re.search(r"\d", text) for text in (after, *row))

    def _copies(self, kind: FieldType, spans: Sequence[Span]) -> tuple[list[Span], bool]:
        """Further places with the same text, and whether they may as well be something else.

        A single copy under the value, on a line of its own, is it once more: a tax in the table of taxes, a number at
        the end. Of several, one is something else most likely, and so is one above.
        """
        text = self._text(spans[0])
        if kind.type not in ("money", "id", "digits"):
            return [], False
        others = [
            Span(number, *match.span())
            for number, line in enumerate(self.page.lines)
            for match in re.finditer(rf"(?<![\w.,-]){re.escape(text)}(?![\w-]|[.,]\d)", line.text)
        ]
        others = [one for one in others if not any(_overlaps(one, span) for span in spans)]
        if not others:
            return [], False
        certain = Decimal(text.replace(",", "")) > 0 if kind.type == "money" else len(text) >= _COPIED
        under = self.boxes[others[0].line].top > max(self.boxes[span.line].bottom for span in spans)
        if len(others) == 1 and certain and under and self._alone(others[0]):
            return others, False
        return [], True

    def _alone(self, span: Span) -> bool:
        """Whether nothing but a currency's sign stands beside it on its line."""
        text = self.page.lines[span.line].text
        return not _SIGN.sub("", f"{text[: span.start]} {text[span.end :]}").strip(" :.*()")

    def _currencies(self, kinds: Sequence[FieldType]) -> Iterator[tuple[FieldType, list[Span]]]:
        """Signs at the amounts that are labelled."""
        for kind in kinds:
            amounts = [entity for entity in self.example.entities if kind.of is not None and entity.name == kind.of]
            signs = [
                currency_at(kind.name, Candidate(one.name, "", one.spans, 1, 1.0), self.page, heads=False)
                for one in amounts
            ]
            found = {span for sign in signs if sign is not None for span in sign.spans}
            if found:
                yield kind, sorted(found, key=_place)

    def _box(self, span: Span) -> Box:
        return characters(self.page.lines[span.line], self.boxes[span.line], span.start, span.end)

    def _text(self, span: Span) -> str:
        return self.page.lines[span.line].text[span.start : span.end]

    def _key(self, kind: FieldType, span: Span) -> str:
        text = self._text(span)
        return str(Decimal(text.replace(",", ""))) if kind.type == "money" else letters_of(text)


def _overlaps(one: Span, other: Span) -> bool:
    return one.line == other.line and one.start < other.end and other.start < one.end


def _place(span: Span) -> tuple[int, int]:
    return span.line, span.start


def _same_row(box: Box, other: Box) -> bool:
    return abs(other.middle - box.middle) <= SAME_ROW * max(box.height, min(other.height, 2 * box.height))
