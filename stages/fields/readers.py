"""Who finds candidates for fields: the network's tags, the generic reader by keys, the reader of forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from models.layout_ner.candidate import Candidate
from models.layout_ner.decode import decode
from models.layout_ner.example import TextLine
from models.layout_ner.tags import TagSet
from schemas.doctypes import DocType
from schemas.document import Page
from stages.fields.key_value import read_keys
from stages.fields.pairs import read_form
from stages.fields.rows import grouped
from stages.fields.tables import read_rows
from stages.layout_ner.stage import PageTags


@dataclass(slots=True)
class FieldsPage:
    """A page as read, and what the network says of its characters; None where it was not asked or has failed."""

    page: Page
    tags: PageTags | None = None


Reader = Callable[[DocType, Sequence[FieldsPage]], list[Candidate]]
"""Finds candidates for the fields of a type on a document's pages."""


def text_lines(page: Page) -> list[TextLine]:
    """The page's lines as the network and the readers take them."""
    return [TextLine(line.text, line.polygon) for line in page.lines]


def network_reader(tags: TagSet) -> Reader:
    """Candidates from the network's tags; what belongs to a repeated group is put into rows."""

    def read(doctype: DocType, pages: Sequence[FieldsPage]) -> list[Candidate]:
        return [one for entry in pages for one in grouped(doctype, _tagged(doctype, entry, tags), entry.page)]

    return read


def form_reader(tags: TagSet) -> Reader:
    """Headings, and questions with their answers, from the network's tags."""

    def read(doctype: DocType, pages: Sequence[FieldsPage]) -> list[Candidate]:
        found = [one for entry in pages for one in _tagged(doctype, entry, tags)]
        return read_form(found, [entry.page for entry in pages])

    return read


def keys_reader(doctype: DocType, pages: Sequence[FieldsPage]) -> list[Candidate]:
    """Candidates that stand beside or under their keys; no network is asked."""
    read = [entry.page for entry in pages]
    return read_keys(doctype, read) + read_rows(doctype, read)


def _tagged(doctype: DocType, entry: FieldsPage, tags: TagSet) -> list[Candidate]:
    if entry.tags is None:
        return []
    kinds = {name: field.type for name, field in doctype.walk()}
    lines = text_lines(entry.page)
    return decode(entry.tags.tags, entry.tags.encoded, lines, tags, doctype.name, kinds, entry.page.page)
