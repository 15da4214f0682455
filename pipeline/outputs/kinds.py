"""The forms a document can be given out in: their names, content types and file suffixes."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from schemas.errors import InvalidRequest


@dataclass(frozen=True, slots=True)
class Kind:
    """One form of output.

    ``words``: it gives every word a place, so the document is best read with ``ReadOptions(words=True)``.
    ``pages``: it shows the pages themselves, so it needs the file that the document was read from.
    """

    name: str
    content_type: str
    suffix: str
    words: bool = False
    pages: bool = False


_ALL = (
    Kind("json", "application/json", ".json"),
    Kind("text", "text/plain; charset=utf-8", ".txt"),
    Kind("markdown", "text/markdown; charset=utf-8", ".md"),
    Kind("hocr", "text/vnd.hocr+html; charset=utf-8", ".hocr", words=True),
    Kind("alto", "application/xml", ".alto.xml", words=True),
    Kind("pdf", "application/pdf", ".pdf", words=True, pages=True),
)

KINDS: dict[str, Kind] = {kind.name: kind for kind in _ALL}


def kind_named(name: str) -> Kind:
    """The form of this name.

    Raises:
        InvalidRequest: there is none; the message lists those there are.
    """
    found = KINDS.get(name)
    if found is None:
        near = difflib.get_close_matches(str(name).lower(), KINDS, n=1)
        meant = f"did you mean {near[0]}? " if near else ""
        raise InvalidRequest(f"there is no output {name!r}; {meant}there are {', '.join(KINDS)}")
    return found
