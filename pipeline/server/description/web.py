"""The pages for people, and what they are made of."""

from __future__ import annotations

from pipeline.server.description.model import BYTES, JSON, OBJECT, TEXT, Answer, Operation, Parameter, json_answer

_HTML = {"text/html": TEXT}
_NAME = Parameter(name="name", where="path", schema=TEXT, description="The file's name.")

OPERATIONS = (
    Operation(
        method="get",
        path="/openapi.json",
        id="getDescription",
        tag="Pages",
        summary="This document",
        answers={200: Answer(description="OpenAPI 3.1.", content={JSON: OBJECT})},
        open=True,
    ),
    Operation(
        method="get",
        path="/docs",
        id="showDocumentation",
        tag="Pages",
        summary="Documentation to read and try",
        answers={200: Answer(description="A page.", content=_HTML)},
        open=True,
    ),
    Operation(
        method="get",
        path="/",
        id="showPlayground",
        tag="Pages",
        summary="The playground",
        answers={200: Answer(description="A page.", content=_HTML)},
        open=True,
    ),
    Operation(
        method="get",
        path="/static/{name}",
        id="getAsset",
        tag="Pages",
        summary="Get a file of the pages",
        parameters=(_NAME,),
        answers={200: Answer(description="The file.", content={"*/*": BYTES}), 304: Answer(description="Unchanged.")},
        errors=("not_found",),
        open=True,
    ),
    Operation(
        method="get",
        path="/favicon.ico",
        id="getIcon",
        tag="Pages",
        summary="The icon",
        answers={
            200: Answer(description="The icon.", content={"image/svg+xml": TEXT}),
            304: Answer(description="Unchanged."),
        },
        open=True,
    ),
    Operation(
        method="get",
        path="/static/samples/list.json",
        id="listSamples",
        tag="Pages",
        summary="List samples",
        answers={200: json_answer("Samples", "The samples, if the service has any.")},
        open=True,
    ),
    Operation(
        method="get",
        path="/static/samples/{name}",
        id="getSample",
        tag="Pages",
        summary="Get a sample",
        parameters=(_NAME,),
        answers={
            200: Answer(description="The document.", content={"*/*": BYTES}),
            206: Answer(description="A part of it.", content={"*/*": BYTES}),
            304: Answer(description="Unchanged."),
            416: Answer(description="There is no such part."),
        },
        errors=("not_found",),
        open=True,
    ),
    Operation(
        method="post",
        path="/playground/page",
        id="drawPage",
        tag="Pages",
        summary="Draw a page",
        description="A page of the file in the body as a picture, as it stands in the file. Nothing is kept.",
        parameters=(
            Parameter(
                name="page",
                schema={"type": "integer", "minimum": 1, "maximum": 99_999, "default": 1},
                description="Which page.",
            ),
        ),
        body={"application/octet-stream": BYTES},
        answers={200: Answer(description="The page.", content={"image/jpeg": BYTES})},
        errors=(
            "malformed_body",
            "body_timeout",
            "too_large",
            "unsupported_format",
            "damaged_file",
            "password_required",
            "too_many_pages",
            "invalid_request",
            "queue_full",
            "quota_exceeded",
            "cross_origin",
            "deadline_exceeded",
            "stage_failed",
            "storage_full",
        ),
    ),  # fmt: skip
)
