"""``/v1/jobs``."""

from __future__ import annotations

from pipeline.outputs.kinds import KINDS
from pipeline.server.description.model import BYTES, JSON, TEXT, Answer, Operation, Parameter, json_answer, shape

_ID = Parameter(name="id", where="path", schema=TEXT, description="The job's id.")
_STATES = ["queued", "running", "done", "failed", "cancelled"]

OPERATIONS = (
    Operation(
        method="get",
        path="/v1/jobs",
        id="listJobs",
        tag="Jobs",
        summary="List jobs",
        description="Those made with the same key, the newest first.",
        parameters=(
            Parameter(
                name="limit",
                schema={"type": "integer", "minimum": 1, "maximum": 200, "default": 50},
                description="How many.",
            ),
            Parameter(name="after", schema=TEXT, description="The id of the last one of the page before."),
            Parameter(name="state", schema={"type": "string", "enum": _STATES}, description="Only those in it."),
        ),
        answers={200: json_answer("Jobs", "The jobs.")},
        errors=("invalid_request",),
    ),
    Operation(
        method="get",
        path="/v1/jobs/{id}",
        id="getJob",
        tag="Jobs",
        summary="Look at a job",
        parameters=(
            _ID,
            Parameter(
                name="results",
                schema={"type": "boolean", "default": True},
                description="Whether results are part of the answer, where they are small enough.",
            ),
        ),
        answers={200: json_answer("Job", "How far it is.")},
        errors=("not_found", "invalid_request"),
    ),
    Operation(
        method="delete",
        path="/v1/jobs/{id}",
        id="deleteJob",
        tag="Jobs",
        summary="Cancel or forget a job",
        description="When this returns, nothing of the job is being read, and its files are gone.",
        parameters=(_ID,),
        answers={204: Answer(description="It is done.")},
        errors=("not_found", "cross_origin", "shutting_down"),
    ),
    Operation(
        method="get",
        path="/v1/jobs/{id}/result",
        id="getResult",
        tag="Jobs",
        summary="Get the result",
        description="The same that the request would have been answered with at once.",
        parameters=(
            _ID,
            Parameter(
                name="file",
                schema={"type": "integer", "minimum": 0},
                description="The position of one file; it may be asked for before the others are read.",
            ),
        ),
        answers={
            200: Answer(
                description="The result, in the form asked for.",
                content={
                    JSON: {"oneOf": [shape("Document"), shape("Results")]},
                    **{
                        kind.content_type: BYTES if kind.pages else TEXT
                        for kind in KINDS.values()
                        if kind.name != "json"
                    },
                },
            )
        },
        errors=(
            "not_found",
            "conflict",
            "invalid_request",
            "unsupported_format",
            "damaged_file",
            "password_required",
            "too_large",
            "too_many_pages",
            "deadline_exceeded",
            "worker_crashed",
            "stage_failed",
            "cancelled",
        ),
    ),  # fmt: skip
    Operation(
        method="get",
        path="/v1/jobs/{id}/events",
        id="watchJob",
        tag="Jobs",
        summary="Watch a job",
        description="Server-sent events: `state` (the job, at the beginning and wherever events were lost), `progress` "
        "(a page's step: `stage` is opened, detected, recognised, done, failed or restarted), `file` (a file has begun "
        "or ended) and, as the last one, `end` (the job). Go on after a break with `Last-Event-ID`.",
        parameters=(
            _ID,
            Parameter(name="Last-Event-ID", where="header", schema=TEXT, description="The last event that was seen."),
        ),
        answers={
            200: Answer(description="The events.", content={"text/event-stream": TEXT}),
            204: Answer(description="All has been seen."),
        },
        errors=("not_found", "queue_full"),
    ),
    Operation(
        method="get",
        path="/v1/webhook-secret",
        id="getWebhookSecret",
        tag="Jobs",
        summary="Get the secret of webhooks",
        description="What webhooks for this key are signed with.",
        answers={200: json_answer("WebhookSecret", "The secret.")},
        errors=("not_found",),
    ),
)
