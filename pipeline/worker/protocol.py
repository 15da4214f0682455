"""What passes between the client and its worker process: multipart messages, the kind in the first frame.

Headers and results are pickled. That is sound here and nowhere else: both ends are our own code, run by one user on
one machine, and the socket lies in a directory that only this user may enter until both ends are connected, when it
is removed. What users send is never unpickled: a document travels as a path inside the header, or as raw bytes in a
frame of its own, and is only ever handed to the decoders. In return any name (unpaired surrogates of odd file names
included) and any later option of ``ReadOptions`` crosses without code for it.

Documents are named by the ticket's number, which a client never uses twice; commands have numbers of their own.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

from schemas.document import Document
from schemas.errors import InklaneError, from_code
from schemas.progress import Progress
from schemas.requests import ReadRequest
from schemas.statistics import WorkerStatistics

# client to worker
START = b"start"  # factory, settings: what to build; and the state to build it in (empty: as the settings say)
READ = b"read"  # ticket, header, document bytes (empty where the header has a path), whether progress is wanted
CANCEL = b"cancel"  # ticket
CONTROL = b"control"  # number, command with its arguments
CLOSE = b"close"  # finish what is running, then exit

# worker to client
HELLO = b"hello"  # connected
READY = b"ready"  # built and warmed up
START_FAILED = b"start-failed"  # error
DONE = b"done"  # ticket, document
FAILED = b"failed"  # ticket, error
PROGRESS = b"progress"  # ticket, step
STATISTICS = b"statistics"  # what was counted since the start
CONTROLLED = b"controlled"  # number, answer, the state in which a later worker is to be built
CONTROL_FAILED = b"control-failed"  # number, error
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
        return [START, factory.encode(), _dump(settings), b""]
    except Exception as error:
        raise TypeError(f"the worker's settings must be picklable: {error}") from error


def unpack_start(frames: Frames) -> tuple[str, Any]:
    """The factory's name and its settings."""
    return frames[1].decode(), pickle.loads(frames[2])


def with_state(frames: Frames, state: bytes) -> Frames:
    """A ``START`` message that builds the reader in the state of a ``CONTROLLED`` message."""
    return [*frames[:3], state]


def unpack_state(frames: Frames) -> Any:
    """The state in a ``START`` message; None where there is none."""
    return pickle.loads(frames[3]) if frames[3] else None


def pack_read(ticket: int, request: ReadRequest, *, progress: bool = False) -> Frames:
    """Ask for one document, and perhaps to be told of its progress.

    Raises:
        TypeError: the source is neither a path nor bytes.
    """
    if not isinstance(request.source, Path | bytes):
        raise TypeError(f"the source of a document is a Path or bytes, not {type(request.source).__name__}")
    path, content = (request.source, b"") if isinstance(request.source, Path) else (None, request.source)
    header = (path, request.name, request.options, request.priority, request.deadline, request.id)
    return [READ, pack_id(ticket), _dump(header), content, b"1" if progress else b""]


def unpack_read(frames: Frames) -> tuple[int, ReadRequest]:
    """The ticket and the request."""
    path, name, options, priority, deadline, number = pickle.loads(frames[2])
    source = frames[3] if path is None else path
    return int(frames[1]), ReadRequest(source, name, options, priority, deadline, number)


def wants_progress(frames: Frames) -> bool:
    """Whether whoever sent a ``READ`` message wants to be told of progress."""
    return bool(frames[4])


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
    """An error of a document (``FAILED``), a command (``CONTROL_FAILED``) or the start: its code and its message."""
    return [kind, pack_id(ticket), _dump((error.code, error.message))]


def unpack_error(frames: Frames) -> InklaneError:
    """The error of a ``FAILED``, ``CONTROL_FAILED`` or ``START_FAILED`` message."""
    code, message = pickle.loads(frames[2])
    return from_code(code, message)


def pack_progress(ticket: int, step: Progress) -> Frames:
    """One step of one document."""
    return [PROGRESS, pack_id(ticket), _dump((step.page, step.pages, step.stage, step.done))]


def unpack_progress(frames: Frames) -> Progress:
    """The step of a ``PROGRESS`` message."""
    return Progress(*pickle.loads(frames[2]))


def pack_statistics(statistics: WorkerStatistics) -> Frames:
    """What the worker has counted since it was started."""
    return [STATISTICS, _dump(statistics)]


def unpack_statistics(frames: Frames) -> WorkerStatistics:
    """The figures of a ``STATISTICS`` message."""
    statistics: WorkerStatistics = pickle.loads(frames[1])
    return statistics


def pack_control(number: int, command: str, arguments: dict[str, Any]) -> Frames:
    """Ask for a command.

    Raises:
        TypeError: an argument cannot be pickled.
    """
    try:
        return [CONTROL, pack_id(number), _dump((command, arguments))]
    except Exception as error:
        raise TypeError(f"the arguments of {command} must be picklable: {error}") from error


def unpack_control(frames: Frames) -> tuple[int, str, dict[str, Any]]:
    """The command's number, its name and its arguments."""
    command, arguments = pickle.loads(frames[2])
    return int(frames[1]), command, arguments


def pack_answer(number: int, answer: dict[str, Any], state: bytes | None = None) -> Frames:
    """A command's answer, and the state (:func:`pack_state`) that the reader is in now; None: it has not changed."""
    return [CONTROLLED, pack_id(number), _dump(answer), *([] if state is None else [state])]


def unpack_answer(frames: Frames) -> tuple[dict[str, Any], bytes | None]:
    """A command's answer, and the state as it came, which only a worker looks into; None: it has not changed."""
    return pickle.loads(frames[2]), frames[3] if len(frames) > 3 else None


def pack_state(state: Any) -> bytes:
    """What a reader needs to become like this one; empty where it is as its settings say (None)."""
    return b"" if state is None else _dump(state)
