"""Which models read, and their change while reading goes on."""

from __future__ import annotations

from typing import Any

from pipeline.server.description.model import JSON, OBJECT, TEXT, Answer, Operation, Parameter, json_answer, shape
from pipeline.server.problems import CONTENT_TYPE

_STAGE = Parameter(
    name="stage", where="path", schema=TEXT, description="A stage that runs a network.", example="recognition"
)
_SHARE = {"type": "number", "exclusiveMinimum": 0, "maximum": 1, "default": 1}
_SECONDS = {"type": "number", "minimum": 0.1, "maximum": 60, "default": 5}
_NOW = json_answer("Models", "The models in use now.")
_REFUSED = Answer(
    description="`model_error`: The model is missing, unsuited or failed its self-test; the one in use stays.",
    content={CONTENT_TYPE: shape("Problem")},
)
_READER = ("forbidden", "not_found", "not_ready", "worker_failed")
_CHANGE = (*_READER, "cross_origin", "queue_full", "shutting_down")
_BODY = ("malformed_body", "too_large", "body_timeout", "invalid_request")


def _change(path: str, operation_id: str, summary: str, description: str, *errors: str, **more: Any) -> Operation:
    return Operation(
        method=more.pop("method", "post"),
        path=path,
        id=operation_id,
        tag="Models",
        summary=summary,
        description=description,
        parameters=(_STAGE,),
        answers={200: _NOW, 422: _REFUSED} if more.pop("refusable", True) else {200: _NOW},
        errors=(*_CHANGE, *errors),
        **more,
    )


def _rollback(path: str, operation_id: str) -> Operation:
    return _change(
        path,
        operation_id,
        "Go back to the model before",
        "Gives the candidate up, if there is one. Twice is forward again.",
        "conflict",
    )


OPERATIONS = (
    Operation(
        method="get",
        path="/v1/models",
        id="getModels",
        tag="Models",
        summary="Which models read",
        description="With shares, and what shadows have counted. Needs a key made with `--admin`, where keys are used.",
        answers={200: _NOW},
        errors=_READER,
    ),
    _change(
        "/v2/repository/models/{stage}/load",
        "loadModel",
        "Read with another model from now on",
        "Loads it beside the one in use and tries it; no request waits or fails. With a `share` below 1 it reads that "
        "part of the documents. Without a `name` it is the one that the settings choose, whose files may have changed.",
        *_BODY,
        body={
            JSON: {
                "type": "object",
                "properties": {
                    "parameters": {
                        "type": "object",
                        "properties": {"name": {"type": ["string", "null"]}, "share": _SHARE},
                        "additionalProperties": False,
                    }
                },
                "additionalProperties": False,
            }
        },
        body_required=False,
    ),
    _rollback("/v2/repository/models/{stage}/unload", "unloadModel"),
    _rollback("/v1/models/{stage}/rollback", "rollBackModel"),
    _change(
        "/v1/models/{stage}/shadow",
        "startShadow",
        "Compare another model",
        "Reads a share of the documents once more with another model, or with the same one and each item alone "
        "(`unbatched`). The results are compared and counted, and nobody gets them.",
        *_BODY,
        body={
            JSON: {
                "type": "object",
                "properties": {"name": TEXT, "share": _SHARE},
                "required": ["name"],
                "additionalProperties": False,
            }
        },
    ),
    _change("/v1/models/{stage}/shadow", "endShadow", "Compare no longer", "", method="delete", refusable=False),
    Operation(
        method="get",
        path="/v1/trace",
        id="recordTrace",
        tag="Models",
        summary="Record what the lanes do",
        description="For so many seconds, for https://ui.perfetto.dev or chrome://tracing. It has documents' names.",
        parameters=(Parameter(name="seconds", schema=_SECONDS, description="How long."),),
        answers={200: Answer(description="The trace.", content={JSON: OBJECT})},
        errors=(*_READER, "conflict", "invalid_request"),
    ),
)
