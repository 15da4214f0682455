"""Telling a document's type by its titles and keys, for the types that no network has learnt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from schemas.doctypes import DocType
from schemas.document import Page
from stages.fields.folded import Folded, fold
from stages.fields.keys import KeyHit, KeyIndex

TITLE_ALONE, TITLE_WITHIN, KEYS_ONLY = 0.7, 0.45, 0.3
"""What a title that is a line of its own, a title within a line, and no title at all are worth before any key."""

KEYS_SHARE = 0.25
"""What finding all keys adds."""

ENOUGH = 0.5
"""A type less sure than this is not given."""


def recognise(doctypes: Iterable[DocType], pages: Sequence[Page]) -> tuple[str, float] | None:
    """The likeliest type and how sure it is, 0 to 1; None where none is likely.

    Only types of the reader ``keys`` that have titles are looked at, and only the first page with text: there the
    title stands.
    """
    page = next((page for page in pages if any(line.text.strip() for line in page.lines)), None)
    if page is None:
        return None
    lines = [fold(line.text) for line in page.lines]
    scores = [
        (_score(doctype, lines), doctype.name) for doctype in doctypes if doctype.reader == "keys" and doctype.titles
    ]
    score, name = max(scores, key=lambda one: one[0], default=(0.0, ""))
    return (name, round(score, 4)) if score >= ENOUGH else None


def _score(doctype: DocType, lines: Sequence[Folded]) -> float:
    titles = KeyIndex.of({"title": doctype.titles})
    title = max((_title(line, hit) for line in lines for hit in titles.find(line)), default=0.0)
    with_keys = [one for one in doctype.fields if one.keys]
    index = KeyIndex.of({one.name: one.keys for one in with_keys})
    seen = {name for line in lines for hit in index.find(line) for name in index.names[hit.key]}
    share = len(seen & {one.name for one in with_keys}) / max(1, len(with_keys))
    return (title or (KEYS_ONLY if share > 0.5 else 0.0)) + KEYS_SHARE * share


def _title(line: Folded, hit: KeyHit) -> float:
    alone = not any(char.isalpha() for char in line.text[: hit.start] + line.text[hit.end :])
    return TITLE_ALONE if alone else TITLE_WITHIN
