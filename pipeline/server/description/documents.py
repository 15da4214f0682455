"""``/v1/documents``."""

from __future__ import annotations

from pipeline.outputs.kinds import KINDS
from pipeline.server.description.model import BYTES, JSON, TEXT, Answer, Operation, Parameter, json_answer, shape

READING_ERRORS = (
    "malformed_body", "body_timeout", "too_large", "unsupported_format", "damaged_file", "password_required",
    "too_many_pages", "invalid_request", "queue_full", "quota_exceeded", "cross_origin", "deadline_exceeded",
    "not_ready", "shutting_down", "worker_crashed", "worker_failed", "stage_failed", "cancelled", "storage_full",
)  # fmt: skip
"""What reading may fail with."""

OPTIONS = (
    Parameter(
        name="type",
        schema={"type": "string", "default": "auto"},
        description="What kind of document it is: a name from `/v1/document-types`, `auto` to recognise it, or `none` "
        "for the text without fields.",
        example="auto",
    ),
    Parameter(name="pages", schema=TEXT, description="Which pages, as in `1-3,7,9-`; all if not given.", example="1-3"),
    Parameter(
        name="dpi",
        schema={"type": "integer", "minimum": 36, "maximum": 1200},
        description="The resolution at which PDF pages are rendered.",
    ),
    Parameter(
        name="words",
        schema={"type": "boolean", "default": False},
        description="Whether every word gets a polygon of its own.",
    ),
    Parameter(
        name="output",
        schema={"type": "string", "enum": list(KINDS), "default": "json"},
        description="The form of the result. A searchable `pdf` is made of one file at a time.",
    ),
    Parameter(
        name="priority",
        schema={"type": "string", "enum": ["high", "normal", "low", "0", "1", "2"], "default": "normal"},
        description="Who goes first. The lower ones are sure of a share.",
    ),
    Parameter(
        name="deadline_ms",
        schema={"type": "number", "exclusiveMinimum": 0, "maximum": 604_800_000},
        description="Milliseconds from now after which the result is of no use. What is late is not read.",
    ),
)

_HEADERS = (
    Parameter(
        name="Prefer",
        where="header",
        schema=TEXT,
        description="`respond-async`: answer with a job at once, and read in the background.",
    ),
    Parameter(
        name="Idempotency-Key",
        where="header",
        schema={"type": "string", "minLength": 1, "maxLength": 255},
        description="For jobs: a name for this request. Sent again under the same name, it gives the same job.",
    ),
    Parameter(
        name="Inklane-Webhook",
        where="header",
        schema={"type": "string", "format": "uri"},
        description="For jobs: an address to be told the end, signed as in Standard Webhooks. The service has to allow "
        "its host.",
    ),
)

_FORM = {
    "type": "object",
    "description": "One or several fields called `file`; options may be fields, too.",
    "properties": {"file": {"type": "array", "items": BYTES, "minItems": 1}},
    "required": ["file"],
}

OPERATIONS = (
    Operation(
        method="post",
        path="/v1/documents",
        id="readDocuments",
        tag="Documents",
        summary="Read documents",
        description="Send a file as the body, several in a form, or base64 in JSON. The content decides the format, "
        "not its name. One file gives a document, or a problem; several give a list in which every file has either.",
        parameters=(*OPTIONS, *_HEADERS),
        body={
            "multipart/form-data": _FORM,
            "application/octet-stream": BYTES,
            JSON: {"oneOf": [shape("OneFileBody"), shape("ManyFilesBody")]},
        },
        answers={
            200: Answer(
                description="What was read, in the form asked for.",
                content={
                    JSON: {"oneOf": [shape("Document"), shape("Results")]},
                    **{
                        kind.content_type: TEXT if not kind.pages else BYTES
                        for kind in KINDS.values()
                        if kind.name != "json"
                    },
                },
                headers={"Server-Timing": "Milliseconds by stage: waiting, in the lane, in the network; and in total."},
            ),
            202: json_answer("Job", "The job, where one was preferred.", Location="The job's address."),
        },
        errors=READING_ERRORS,
    ),
)
