"""The OpenAPI document, made of the JSON's types and the table of operations, and the page that shows it.

``python -m pipeline.server.openapi`` prints it; it is checked in as docs/openapi.json.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import orjson
from aiohttp import web
from pydantic import TypeAdapter

from pipeline.server.assets import Assets
from pipeline.server.description import documents, drop_in, hot, jobs, service, shapes
from pipeline.server.description import web as pages
from pipeline.server.description.model import Answer, Operation, Parameter, Schema
from pipeline.server.information import DocumentTypesJson, StatisticsJson
from pipeline.server.models_json import ModelsJson
from pipeline.server.problems import CONTENT_TYPE, STATUS, title
from schemas import errors
from schemas.json_types import DocumentJson

OPERATIONS: tuple[Operation, ...] = (
    *documents.OPERATIONS,
    *jobs.OPERATIONS,
    *drop_in.OPERATIONS,
    *hot.OPERATIONS,
    *service.OPERATIONS,
    *pages.OPERATIONS,
)

TAGS = {
    "Documents": "Files in, documents out.",
    "Jobs": "Work in the background, that survives a restart.",
    "Drop-in": "The shapes of other services, so that their clients work unchanged.",
    "Models": "Which models read, and their change while reading goes on.",
    "Service": "What there is, and what is going on.",
    "Health": "For load balancers and people.",
    "Pages": "For browsers.",
}

_TYPES: tuple[Any, ...] = (
    DocumentJson,
    DocumentTypesJson,
    ModelsJson,
    StatisticsJson,
    shapes.HealthJson,
    shapes.JobJson,
    shapes.JobsJson,
    shapes.ManyFilesBody,
    shapes.OneFileBody,
    shapes.ModelErrorJson,
    shapes.PaddleXBody,
    shapes.PaddleXErrorJson,
    shapes.PaddleXLayoutAnswerJson,
    shapes.PaddleXOcrAnswerJson,
    shapes.ProblemJson,
    shapes.ResultsJson,
    shapes.SamplesJson,
    shapes.WebhookSecretJson,
)

API_VERSION = "1.0.0"
"""Of the addresses and shapes, not of the program: the first number is the one in the addresses."""

_REFERENCE = "#/components/schemas/{model}"
_RETRIED = (429, 503)
_ASSETS = web.AppKey("documentation_assets", Assets)
_DOCUMENT = web.AppKey("openapi", bytes)

DESCRIPTION = """\
Inklane reads document images and PDFs into structured fields.

Errors are problem documents (RFC 9457) with a `code` that stays the same and a `detail` that says what to do. 429 and \
503 say in `Retry-After` when to come back. Every response carries an `X-Request-Id`.

Where the service asks for keys, send one as `Authorization: Bearer KEY` or as `X-API-Key: KEY`.
"""


def add_routes(app: web.Application) -> None:
    """The document, and the page that shows it."""
    app[_ASSETS] = Assets()
    app[_DOCUMENT] = orjson.dumps(document())
    app.router.add_get("/openapi.json", _openapi)
    app.router.add_get("/docs", _docs)


async def _openapi(request: web.Request) -> web.Response:
    headers = {"Cache-Control": "no-cache"}
    return web.Response(body=request.app[_DOCUMENT], content_type="application/json", headers=headers)


async def _docs(request: web.Request) -> web.StreamResponse:
    return request.app[_ASSETS].response(request, "docs.html")


def document() -> dict[str, Any]:
    """The OpenAPI 3.1 document."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Inklane",
            "version": API_VERSION,
            "summary": "Document images and PDFs into structured JSON",
            "description": DESCRIPTION,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items() if _used(name)],
        "security": [{}, {"bearer": []}, {"header": []}],
        "paths": paths,
        "components": {
            "schemas": _schemas(),
            "responses": _responses(),
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "header": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
            },
        },
    }


def _used(tag: str) -> bool:
    return any(operation.tag == tag for operation in OPERATIONS)


def _operation(operation: Operation) -> dict[str, Any]:
    made: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
    }
    if operation.description:
        made["description"] = operation.description
    if operation.parameters:
        made["parameters"] = [_parameter(each) for each in operation.parameters]
    if operation.body:
        content = {kind: {"schema": schema} for kind, schema in operation.body.items()}
        made["requestBody"] = {"required": operation.body_required, "content": content}
    answers = {str(status): _answer(answer) for status, answer in operation.answers.items()}
    for status, codes in _by_status(operation.all_errors).items():
        told = _problem(status, codes)
        if len(codes) == 1 and str(status) not in answers:
            answers[str(status)] = {"$ref": f"#/components/responses/{_camel(codes[0])}"}
        elif str(status) in answers:  # this status also has an answer that is no problem
            answers[str(status)].setdefault("content", {}).update(told["content"])
            answers[str(status)]["description"] += " Or: " + told["description"]
        else:
            answers[str(status)] = told
    made["responses"] = dict(sorted(answers.items()))
    if operation.open:
        made["security"] = []
    return made


def _parameter(parameter: Parameter) -> dict[str, Any]:
    made: dict[str, Any] = {
        "name": parameter.name,
        "in": parameter.where,
        "description": parameter.description,
        "schema": dict(parameter.schema),
    }
    if parameter.where == "path":
        made["required"] = True
    if parameter.example is not None:
        made["example"] = parameter.example
    return made


def _answer(answer: Answer) -> dict[str, Any]:
    made: dict[str, Any] = {"description": answer.description}
    if answer.headers:
        made["headers"] = {name: _header(text) for name, text in answer.headers.items()}
    if answer.content:
        made["content"] = {kind: {"schema": schema} for kind, schema in answer.content.items()}
    return made


def _header(description: str, schema: Schema | None = None) -> dict[str, Any]:
    return {"description": description, "schema": schema or {"type": "string"}}


def _by_status(codes: Iterable[str]) -> Mapping[int, list[str]]:
    found: dict[int, list[str]] = {}
    for code in codes:
        listed = found.setdefault(STATUS.get(code, 500), [])
        if code not in listed:
            listed.append(code)
    return dict(sorted(found.items()))


def _problem(status: int, codes: list[str]) -> dict[str, Any]:
    sentences = [f"`{code}`: {_meaning(code)}" for code in codes]
    example = {
        "type": f"urn:inklane:error:{codes[0]}",
        "title": title(codes[0]),
        "status": status,
        "detail": _meaning(codes[0]),
        "code": codes[0],
        "instance": None,
        "request_id": "1b3f0c9e5d7a4e2f9c8b7a6d5e4f3a2b",
    }
    content = {"schema": {"$ref": _REFERENCE.format(model="Problem")}, "example": example}
    made: dict[str, Any] = {"description": " ".join(sentences), "content": {CONTENT_TYPE: content}}
    if status in _RETRIED:
        made["headers"] = {"Retry-After": _header("Seconds.", {"type": "integer", "minimum": 1})}
    return made


def _responses() -> dict[str, Any]:
    """Those of one code alone, which most addresses share."""
    listed = [
        (status, codes[0])
        for operation in OPERATIONS
        for status, codes in _by_status(operation.all_errors).items()
        if len(codes) == 1 and status not in operation.answers
    ]
    return {_camel(code): _problem(status, [code]) for status, code in sorted(set(listed))}


def _camel(code: str) -> str:
    return "".join(word.capitalize() for word in code.split("_"))


def _meaning(code: str) -> str:
    """The first sentence of the error's docstring."""
    if code == errors.InklaneError.code:
        return "Something unforeseen; report it with the request's id."
    kind = type(errors.from_code(code, ""))
    if kind.code != code:
        raise ValueError(f"there is no error {code!r}")
    return (kind.__doc__ or "").strip().splitlines()[0]


def _schemas() -> dict[str, Any]:
    """All schemas by their name without ``Json``, which is only for Python."""
    inputs = [(each.__name__, "validation", TypeAdapter(each)) for each in _TYPES]
    references, found = TypeAdapter.json_schemas(inputs, ref_template=_REFERENCE)  # type: ignore[arg-type]
    definitions: dict[str, Any] = dict(found["$defs"])
    for (name, _), schema in references.items():
        definitions.setdefault(str(name), schema)
    renamed: dict[str, Any] = _renamed({name: definitions[name] for name in sorted(definitions)})
    renamed["Problem"]["properties"]["code"]["examples"] = sorted(STATUS)
    return renamed


def _renamed(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            _plain(key) if isinstance(item, dict) else key: _renamed(item)
            for key, item in value.items()
            if not (key == "title" and isinstance(item, str))  # pydantic's, which say the name once more
        }
    if isinstance(value, list):
        return [_renamed(item) for item in value]
    return _plain(value) if isinstance(value, str) else value


def _plain(text: str) -> str:
    return text.removesuffix("Json")


if __name__ == "__main__":
    print(orjson.dumps(document(), option=orjson.OPT_INDENT_2).decode())
