"""What the client tells those who wait for documents."""

from __future__ import annotations

import contextlib
import logging
from concurrent.futures import InvalidStateError

from pipeline.worker.ledger import Ticket
from schemas.document import Document
from schemas.errors import Cancelled, InklaneError, from_code
from schemas.progress import Progress

log = logging.getLogger("inklane.worker")


def tell(ticket: Ticket | None, step: Progress) -> None:
    """Tell of progress, if anybody is there who wants to know (None: the document is gone already)."""
    if ticket is None or ticket.on_progress is None or not ticket.wanted or ticket.future.done():
        return
    try:
        ticket.on_progress(step)
    except Exception:
        log.exception("the callback for the progress of %s failed", ticket.request.name)


def too_late(ticket: Ticket) -> InklaneError:
    """The error of a document that was not read before its reader was closed."""
    return Cancelled(f"{ticket.request.name}: the reader was closed before it was read")


def resolve(ticket: Ticket, result: Document | InklaneError) -> None:
    """Resolve a future unless it is cancelled or resolved, which no lock of ours can rule out beforehand."""
    with contextlib.suppress(InvalidStateError):
        if isinstance(result, Document):
            ticket.future.set_result(result)
        else:
            # An exception of its own for each future: raising one writes its traceback into it.
            ticket.future.set_exception(from_code(result.code, result.message))
