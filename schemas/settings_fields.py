"""The settings one by one: dotted key, what is allowed, default, description, environment variable.

What the reference (docs/settings.md) and the error messages say is taken from the models themselves.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel
from pydantic.fields import FieldInfo

ENV_PREFIX = "INKLANE_"
ENV_DELIMITER = "__"


@dataclass(slots=True, frozen=True)
class Setting:
    """One setting. ``key`` is dotted, as in ``limits.max_pages``."""

    key: str
    allowed: str
    default: Any
    description: str

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return variable(self.key)


def variable(key: str) -> str:
    """The environment variable of a dotted key."""
    return ENV_PREFIX + key.upper().replace(".", ENV_DELIMITER)


def section(field: FieldInfo) -> type[BaseModel] | None:
    """The model of a field that is a table of further settings."""
    kind = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def walk(model: type[BaseModel], prefix: str = "") -> Iterator[Setting]:
    """Every setting below a model, in the order of its fields."""
    for name, field in model.model_fields.items():
        inner = section(field)
        if inner is not None:
            yield from walk(inner, f"{prefix}{name}.")
        else:
            yield Setting(f"{prefix}{name}", allowed(field), field.get_default(), field.description or "")


def find(model: type[BaseModel], path: tuple[str | int, ...]) -> FieldInfo | None:
    """The field at a path; a position in a list belongs to the list's field. None where there is none."""
    field: FieldInfo | None = None
    current: type[BaseModel] | None = model
    for name in path:
        if isinstance(name, int) or current is None:
            break
        field = current.model_fields.get(name)
        if field is None:
            return None
        current = section(field)
    return field


def allowed(field: FieldInfo) -> str:
    """In words: "a whole number from 36 to 1200"."""
    if section(field) is not None:
        return "a table of settings"
    bounds = {name: value for part in field.metadata for name in ("ge", "gt", "le", "lt")
              if (value := getattr(part, name, None)) is not None}  # fmt: skip
    words = _kind(field.annotation)
    if {"ge", "le"} <= bounds.keys():
        return f"{words} from {bounds['ge']} to {bounds['le']}"
    spelled = {"ge": "at least {}", "gt": "above {}", "le": "at most {}", "lt": "below {}"}
    limits = " and ".join(spelled[name].format(value) for name, value in bounds.items())
    return f"{words} {limits}".rstrip()


def _kind(annotation: Any) -> str:
    origin = typing.get_origin(annotation)
    if origin is Literal:
        *most, last = map(str, typing.get_args(annotation))
        return f"{', '.join(most)} or {last}" if most else last
    if origin in (types.UnionType, typing.Union):
        return " or ".join(_kind(part) for part in typing.get_args(annotation) if part is not type(None))
    if origin is tuple:
        return "a list of whole numbers"
    return {bool: "true or false", int: "a whole number", float: "a number", str: "a text", Path: "a path"}.get(
        annotation, "a value of another kind"
    )
