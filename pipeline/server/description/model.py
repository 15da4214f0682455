"""The parts that an operation is described with. They become OpenAPI in :mod:`pipeline.server.openapi`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Schema = Mapping[str, Any]
"""A JSON Schema, or a reference to one (:func:`shape`)."""

JSON = "application/json"

TEXT: Schema = {"type": "string"}
BYTES: Schema = {"type": "string", "contentMediaType": "application/octet-stream"}
OBJECT: Schema = {"type": "object"}

EVERYWHERE = ("wrong_host", "internal_error")
"""Errors that any address may answer with."""

KEYED = ("unauthorized", "rate_limited")
"""Errors of addresses that ask for a key."""


def shape(name: str) -> Schema:
    """A reference to one of the document's schemas."""
    return {"$ref": f"#/components/schemas/{name}"}


@dataclass(slots=True, frozen=True, kw_only=True)
class Parameter:
    """Something in the address or the headers. Those of the path are always required."""

    name: str
    schema: Schema
    description: str
    where: Literal["query", "path", "header"] = "query"
    example: Any = None


@dataclass(slots=True, frozen=True, kw_only=True)
class Answer:
    """What comes back with one status. ``content`` is its schema by content type; ``headers`` say what they hold."""

    description: str
    content: Mapping[str, Schema] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True, frozen=True, kw_only=True)
class Operation:
    """One method of one address.

    ``answers`` are those that succeed (and others that are no problem documents), ``errors`` the codes that it may
    fail with besides those of all addresses. ``open``: it asks for no key. ``body`` is the request's schema by content
    type.
    """

    method: Literal["get", "post", "delete"]
    path: str
    id: str
    tag: str
    summary: str
    description: str = ""
    parameters: tuple[Parameter, ...] = ()
    body: Mapping[str, Schema] = field(default_factory=dict)
    body_required: bool = True
    answers: Mapping[int, Answer]
    errors: tuple[str, ...] = ()
    open: bool = False

    @property
    def all_errors(self) -> tuple[str, ...]:
        """Every code that it may fail with."""
        return (*self.errors, *(() if self.open else KEYED), *EVERYWHERE)


def json_answer(name: str, description: str, **headers: str) -> Answer:
    """An answer of JSON with one of the document's schemas; headers by name, ``_`` for ``-``."""
    return Answer(
        description=description,
        content={JSON: shape(name)},
        headers={key.replace("_", "-"): value for key, value in headers.items()},
    )
