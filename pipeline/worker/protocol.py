"""What passes between the client and its worker process: multipart messages, the kind in the first frame.

Headers and results are pickled. That is sound here and nowhere else: both ends are our own code, run by one user on
one machine, and the socket lies in a directory that only this user may enter until both ends are connected, when it
is removed. What users send is never unpickled: a document travels as a path inside the header, or as raw bytes in a
frame of its own, and is only ever handed to the decoders. In return any name (unpaired surrogates of odd file names
included) and any later option of ``ReadOptions`` crosses without code for it.

Documents are named by the ticket's number, which a client never uses twice.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

from schemas.document import Document
from schemas.errors import InklaneError, from_code
from schemas.requests import ReadRequest

# client to worker
START = b"start"  # factory, settings: what to build
READ = b"read"  # ticket, header, document bytes (empty where the header has a path)
CANCEL = b"cancel"  # ticket
CLOSE = b"close"  # finish what is running, then exit

# worker to client
HELLO = b"hello"  # connected
READY = b"ready"  # built and warmed up
START_FAILED = b"start-failed"  # error
DONE = b"done"  # ticket, document
FAILED = b"failed"  # ticket, error
STOPPING = b"stopping"  # asked to stop from outside: ignores documents that come from here on
CLOSED = b"closed"  # all that was begun is done, everything is released; the process ends now

Frames = list[bytes]


def _dump(value: Any) -> bytes:
    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)


def pack_id(ticket: int) -> bytes:
    """A ticket's number as a frame."""
    return b"%d" % ticket


def pack_start(factory: str, settings: object) -> Frames:
    """Ask the worker to build ``factory`` ("module:name") with ``settings``.

    Raises:
        TypeError: the settings cannot be pickled.
    """
    try:
        return [START, factory.encode(), _dump(settings)]
    except Exception as error:
        raise TypeError(f"the worker's settings must be picklable: {error}") from error


def unpack_start(frames: Frames) -> tuple[str, Any]:
    """The factory's name and its settings."""
    return frames[1].decode(), pickle.loads(frames[2])


def pack_read(ticket: int, request: ReadRequest) -> Frames:
    """Ask for one document.

    Raises:
        TypeError: the source is neither a path nor bytes.
    """
    if not isinstance(request.source, Path | bytes):
        raise TypeError(f"the source of a document is a Path or bytes, not {type(request.source).__name__}")
    path, content = (request.source, b"") if isinstance(request.source, Path) else (None, request.source)
    header = (path, request.name, request.options, request.priority, request.deadline, request.id)
    return [READ, pack_id(ticket), _dump(header), content]


def unpack_read(frames: Frames) -> tuple[int, ReadRequest]:
    """The ticket and the request."""
    path, name, options, priority, deadline, number = pickle.loads(frames[2])
    source = frames[3] if path is None else path
    return int(frames[1]), ReadRequest(source, name, options, priority, deadline, number)


def pack_document(ticket: int, document: Document) -> Frames:
    """The result of one document."""
    return [DONE, pack_id(ticket), _dump(document)]


def unpack_document(frames: Frames) -> Document:
    """The document of a ``DONE`` message."""
    document = pickle.loads(frames[2])
    if not isinstance(document, Document):
        raise TypeError(f"the worker sent {type(document).__name__} where a Document belongs")
    return document


def pack_error(kind: bytes, error: InklaneError, ticket: int = 0) -> Frames:
    """An error of one document (``FAILED``) or of the start (``START_FAILED``): its code and its message."""
    return [kind, pack_id(ticket), _dump((error.code, error.message))]


def unpack_error(frames: Frames) -> InklaneError:
    """The error of a ``FAILED`` or ``START_FAILED`` message."""
    code, message = pickle.loads(frames[2])
    return from_code(code, message)
