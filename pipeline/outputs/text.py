"""The plain text of a document: a row for each line in reading order, a form feed between pages."""

from __future__ import annotations

import re

from schemas.document import Document
from schemas.plain import text_of

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def to_text(document: Document) -> str:
    """The text, ending with a line feed unless there is none. A page that could not be read is empty."""
    pages = ["\n".join(one_row(line.text) for line in page.lines) for page in document.pages]
    return "\f".join(f"{page}\n" if page else "" for page in pages)


def one_row(text: str) -> str:
    """The text without characters that would break the row or the page, or that UTF-8 cannot hold."""
    return _CONTROL.sub(" ", text_of(text)).strip()
