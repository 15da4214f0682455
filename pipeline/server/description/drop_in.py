"""The shapes of other services: PaddleX, and KServe's v2 protocol as Triton extends it."""

from __future__ import annotations

from pipeline.server.description.documents import OPTIONS
from pipeline.server.description.model import JSON, OBJECT, TEXT, Answer, Operation, Parameter, json_answer, shape

_GUARD = ("cross_origin", "quota_exceeded")
_FAULT = {JSON: shape("PaddleXError")}


def _paddlex(path: str, operation_id: str, summary: str, answer: str) -> Operation:
    return Operation(
        method="post",
        path=path,
        id=operation_id,
        tag="Drop-in",
        summary=summary,
        description="In the shape of PaddleX serving, so that its clients work unchanged. URLs are not fetched.",
        parameters=OPTIONS,
        body={JSON: shape("PaddleXBody")},
        answers={
            200: json_answer(answer, "What was read.", X_Ignored_Params="Parameters that have no effect here."),
            401: Answer(description="No valid key.", content=_FAULT),
            408: Answer(description="The body came too slowly.", content=_FAULT),
            422: Answer(description="Something is wrong with the request or its file.", content=_FAULT),
            429: Answer(description="There is no room; come back later.", content=_FAULT),
            500: Answer(description="A fault of ours.", content=_FAULT),
            503: Answer(description="Not now; come back later.", content=_FAULT),
            504: Answer(description="The deadline passed.", content=_FAULT),
            507: Answer(description="There is no room for the file.", content=_FAULT),
        },
        errors=_GUARD,
    )


_MODEL = Parameter(name="model", where="path", schema=TEXT, description="A stage that runs a network.")
_VERSION = Parameter(name="version", where="path", schema=TEXT, description="Its model, as `NAME@checksum`.")
_NO_MODEL = json_answer("ModelError", "There is no such model.")
_JSON = {JSON: OBJECT}


def _model(suffix: str, operation_id: str, summary: str, *, ready: bool = False) -> tuple[Operation, Operation]:
    """The same with and without a version."""
    answers = {200: Answer(description=summary + ".", content=_JSON), 404: _NO_MODEL}
    if ready:
        answers[503] = Answer(description="Not now.", content=_JSON)

    def operation(path: str, name: str, *parameters: Parameter) -> Operation:
        return Operation(
            method="get", path=path, id=name, tag="Models", summary=summary, parameters=parameters, answers=answers
        )

    return (
        operation(f"/v2/models/{{model}}{suffix}", operation_id, _MODEL),
        operation(f"/v2/models/{{model}}/versions/{{version}}{suffix}", f"{operation_id}Version", _MODEL, _VERSION),
    )


OPERATIONS = (
    _paddlex("/ocr", "paddlexOcr", "Read text, as PaddleX does", "PaddleXOcrAnswer"),
    _paddlex("/layout-parsing", "paddlexLayout", "Read blocks and Markdown, as PaddleX does", "PaddleXLayoutAnswer"),
    Operation(
        method="get",
        path="/v2",
        id="getServer",
        tag="Models",
        summary="Name, version and extensions",
        answers={200: Answer(description="As in KServe's protocol.", content=_JSON)},
    ),
    Operation(
        method="get",
        path="/v2/models",
        id="listModels",
        tag="Models",
        summary="List models",
        answers={200: Answer(description="The stages that run a network.", content=_JSON)},
    ),
    *_model("", "getModel", "What a model is"),
    *_model("/ready", "isModelReady", "Whether a model is ready", ready=True),
    *_model("/stats", "getModelStatistics", "A model's figures, as Triton tells them"),
    Operation(
        method="post",
        path="/v2/repository/index",
        id="indexModels",
        tag="Models",
        summary="List models and their state",
        body={JSON: {"type": "object", "properties": {"ready": {"type": "boolean"}}}},
        body_required=False,
        answers={
            200: Answer(
                description="All, or those that are ready.", content={JSON: {"type": "array", "items": OBJECT}}
            ),
            400: json_answer("ModelError", "The body is not understood."),
        },
        errors=("cross_origin", "quota_exceeded", "malformed_body"),
    ),
)
