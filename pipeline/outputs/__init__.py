"""Documents as text, Markdown, hOCR, ALTO or searchable PDF. The JSON, which holds everything, is schemas.serialise.

Nothing here is imported before it is asked for: the PDF brings PDFium and, for pictures that are no JPEG, OpenCV.
A process that must not load them, or must not die of a hostile file, uses :func:`pipeline.outputs.aside.render_aside`.
"""

from __future__ import annotations

from pathlib import Path

from pipeline.outputs.kinds import KINDS, Kind, kind_named
from schemas.document import Document
from schemas.errors import InvalidRequest
from schemas.serialise import to_json
from schemas.settings import Limits

__all__ = ["KINDS", "Kind", "kind_named", "render"]


def render(
    document: Document, kind: str, source: Path | bytes | None = None, *, limits: Limits | None = None
) -> tuple[bytes, str]:
    """Write a document in one of the forms of :data:`KINDS`.

    Args:
        document: what was read; for hOCR, ALTO and PDF best with words.
        kind: json, text, markdown, hocr, alto or pdf.
        source: the file that it was read from, a path or its bytes; only the PDF needs it.
        limits: of the pictures that are decoded for the PDF; None: the settings' defaults.

    Returns:
        The file's bytes, and its content type.

    Raises:
        InvalidRequest: there is no such form, or the source is missing.
        DocumentError: the source cannot be read (any more).
    """
    form = kind_named(kind)
    match form.name:
        case "json":
            return to_json(document), form.content_type
        case "text":
            from pipeline.outputs.text import to_text

            return to_text(document).encode(), form.content_type
        case "markdown":
            from pipeline.outputs.markdown import to_markdown

            return to_markdown(document).encode(), form.content_type
        case "hocr":
            from pipeline.outputs.hocr import to_hocr

            return to_hocr(document), form.content_type
        case "alto":
            from pipeline.outputs.alto import to_alto

            return to_alto(document), form.content_type
        case _:
            from pipeline.outputs.searchable_pdf import to_searchable_pdf

            if source is None:
                raise InvalidRequest("a searchable PDF shows the document's pages: give the file that was read, too")
            return to_searchable_pdf(document, source, limits=limits or Limits()), form.content_type
