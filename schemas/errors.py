"""Every error that a user can meet: a stable ``code``, what happened, and what to do about it."""

from __future__ import annotations

from typing import ClassVar


class InklaneError(Exception):
    """Base of all errors raised on purpose.

    Args:
        message: what happened and, where there is something to be done, what to do. One sentence or two,
            shown to users as it is.
    """

    code: ClassVar[str] = "internal_error"

    retry_after_s: float | None = None
    """Seconds after which it is worth another try, where that is known."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


# --- one document's fault: the others go on -------------------------------------------------------------------


class DocumentError(InklaneError):
    """Something is wrong with one document (or was asked of it); others are not affected."""

    code = "document_error"


class UnsupportedFormat(DocumentError):
    """The content is none of the formats that can be read."""

    code = "unsupported_format"


class DamagedFile(DocumentError):
    """The format was recognised, but the file is truncated or its structure is broken."""

    code = "damaged_file"


class PasswordRequired(DocumentError):
    """The PDF cannot be opened without its user password."""

    code = "password_required"


class TooLarge(DocumentError):
    """Bytes, pixels or a side over the limits, found from the header before decoding."""

    code = "too_large"


class TooManyPages(DocumentError):
    """More pages than the limit allows."""

    code = "too_many_pages"


class InvalidRequest(DocumentError):
    """The options asked for do not fit the document (pages that do not exist, say)."""

    code = "invalid_request"


class FileMissing(DocumentError):
    """The path does not exist or cannot be read."""

    code = "file_missing"


class DeadlineExceeded(DocumentError):
    """The deadline passed before the work was done."""

    code = "deadline_exceeded"


class Cancelled(DocumentError):
    """Whoever asked for the document no longer wants it."""

    code = "cancelled"


class QueueFull(DocumentError):
    """No room for more work; try again later."""

    code = "queue_full"


class StorageFull(DocumentError):
    """There is no room on the disk for an upload."""

    code = "storage_full"


class ShuttingDown(DocumentError):
    """The service is being stopped and takes no more work."""

    code = "shutting_down"


class NotReady(DocumentError):
    """The service is starting: its models are being loaded."""

    code = "not_ready"


class MalformedBody(DocumentError):
    """The body of a request is not what its Content-Type says."""

    code = "malformed_body"


class BodyTimeout(DocumentError):
    """The body of a request came too slowly, or stopped coming."""

    code = "body_timeout"


class NotFound(DocumentError):
    """There is nothing at this address, or no longer."""

    code = "not_found"


class MethodNotAllowed(DocumentError):
    """There is something at this address, and this is not how to use it."""

    code = "method_not_allowed"


class Conflict(DocumentError):
    """The thing asked for is not in a state that allows it."""

    code = "conflict"


class Unauthorized(DocumentError):
    """No API key was given, or none that is known."""

    code = "unauthorized"


class Forbidden(DocumentError):
    """The API key is known, and this is not allowed to it."""

    code = "forbidden"


class CrossOrigin(DocumentError):
    """A web page of another origin asked, through somebody's browser."""

    code = "cross_origin"


class WrongHost(DocumentError):
    """The request was meant for another host name than this service has."""

    code = "wrong_host"


class RateLimited(DocumentError):
    """More requests with this API key than its rate allows."""

    code = "rate_limited"


class QuotaExceeded(DocumentError):
    """The API key's quota is used up for this period."""

    code = "quota_exceeded"


class WorkerCrashed(DocumentError):
    """The worker process died twice on this document."""

    code = "worker_crashed"


class StageFailed(DocumentError):
    """A stage raised an unexpected error for this document alone."""

    code = "stage_failed"


# --- the installation's fault: nothing can be read until it is put right --------------------------------------


class SettingsError(InklaneError):
    """A setting has a value that cannot work; the message names the setting."""

    code = "invalid_settings"


class ModelError(InklaneError):
    """A model is missing, damaged, or does not suit the task or the backend."""

    code = "model_error"


class BackendUnavailable(InklaneError):
    """The inference runtime that was asked for is not installed or does not work on this machine."""

    code = "backend_unavailable"


class DatasetError(InklaneError):
    """Labelled data for evaluation is missing or does not fit the format."""

    code = "invalid_dataset"


class OutOfDeviceMemory(InklaneError):
    """The device has too little memory for this batch; a lane splits the batch and tries again."""

    code = "out_of_device_memory"


class WorkerFailed(InklaneError):
    """The worker process cannot be started or kept running, or its reader is closed."""

    code = "worker_failed"


_BY_CODE: dict[str, type[InklaneError]] = {}


def _register(cls: type[InklaneError]) -> None:
    _BY_CODE[cls.code] = cls
    for sub in cls.__subclasses__():
        _register(sub)


_register(InklaneError)


def from_code(code: str, message: str) -> InklaneError:
    """Rebuild an error that crossed a process boundary as ``(code, message)``."""
    return _BY_CODE.get(code, InklaneError)(message)
