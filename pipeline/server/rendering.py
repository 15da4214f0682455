"""A document in the form that was asked for, without holding up the event loop."""

from __future__ import annotations

import asyncio
from weakref import WeakKeyDictionary

from pipeline.outputs import render as render_here
from pipeline.outputs.aside import Aside
from pipeline.outputs.kinds import KINDS
from pipeline.server.uploads import Upload
from schemas.document import Document
from schemas.settings import Limits

_FEW_LINES = 200
"""Documents with no more lines are written on the spot, which takes a millisecond or two."""

_asides: WeakKeyDictionary[asyncio.AbstractEventLoop, Aside] = WeakKeyDictionary()


async def render(upload: Upload, document: Document, kind: str, limits: Limits) -> tuple[bytes, str]:
    """The document as bytes, with their content type.

    Args:
        upload: the file it was read from, for forms that show its pages.
        document: what was read.
        kind: one of :data:`pipeline.outputs.kinds.KINDS`.
        limits: of the pictures in it.

    Raises:
        DocumentError: the pages cannot be shown.
    """
    if KINDS[kind].pages:
        return await _aside().render(document, kind, upload.source, limits=limits)
    if sum(len(page.lines) for page in document.pages) <= _FEW_LINES:
        return render_here(document, kind)
    return await asyncio.to_thread(render_here, document, kind)


def _aside() -> Aside:
    """Where files that others made are opened again: never in this process."""
    return _asides.setdefault(asyncio.get_running_loop(), Aside())
