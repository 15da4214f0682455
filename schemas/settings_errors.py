"""Sentences about settings that cannot work: which one, what it says, what is allowed, and where it comes from."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from schemas.settings_fields import ENV_DELIMITER, ENV_PREFIX, allowed, find, section, variable, walk

CONFIG_VARIABLE = "INKLANE_CONFIG"

_LONGEST_VALUE = 80
_MOST_CHOICES = 3


def unknown_variables(model: type[BaseModel], environment: Mapping[str, str]) -> list[str]:
    """A sentence for each ``INKLANE_*`` variable whose first part is no setting.

    The settings library passes over such variables, so that a slip of the pen would go unnoticed.
    """
    names = [variable(setting.key) for setting in walk(model)] + [variable(name) for name in model.model_fields]
    sentences = []
    for name in sorted(environment):
        upper = name.upper()
        if not upper.startswith(ENV_PREFIX) or upper == CONFIG_VARIABLE:
            continue
        if upper.removeprefix(ENV_PREFIX).split(ENV_DELIMITER)[0].lower() not in model.model_fields:
            sentences.append(f"{name}: there is no such setting{_meant(upper, [*names, CONFIG_VARIABLE])}")
    return sentences


def sentences(
    error: ValidationError, model: type[BaseModel], values: Mapping[str, Any], file: str, in_file: Mapping[str, Any]
) -> list[str]:
    """A sentence for each fault that pydantic found.

    Args:
        error: what it found.
        model: the settings.
        values: the arguments.
        file: the settings file's name.
        in_file: what it holds.
    """
    return [_sentence(fault, model, _source(fault["loc"], values, file, in_file)) for fault in error.errors()]


def _sentence(fault: ErrorDetails, model: type[BaseModel], source: str) -> str:
    path = fault["loc"]
    key = ".".join(map(str, path)) or "settings"
    place = f" ({source})" if source else ""
    if fault["type"] == "extra_forbidden":
        return f"{key}{place}: there is no such setting{_meant(key, _keys(model, path))}"
    if fault["type"] == "value_error":  # a rule of ours
        return f"{key}{place}: {fault['ctx']['error']}"
    if any(isinstance(part, int) for part in path):
        return f"{key}{place}: {_quoted(fault['input'])} does not belong in a list of whole numbers"
    field = find(model, path)
    wanted = allowed(field) if field is not None else fault["msg"]
    near = ""
    if fault["type"] == "literal_error" and isinstance(fault["input"], str):
        near = _meant(fault["input"], wanted.replace(" or ", ", ").split(", "))
    return f"{key}{place} must be {wanted}, not {_quoted(fault['input'])}{near}"


def _source(path: tuple[str | int, ...], values: Mapping[str, Any], file: str, in_file: Mapping[str, Any]) -> str:
    """Where the value at a path comes from, as far as that can be told. The order is that of precedence."""
    if _holds(values, path):
        return "an argument"
    names = tuple(str(part) for part in path if not isinstance(part, int))
    present = {name.upper(): name for name in os.environ}
    for length in range(len(names), 0, -1):  # INKLANE_STAGES may hold a whole table as JSON
        name = present.get(variable(".".join(names[:length])))
        if name is not None:
            return name
    return file if _holds(in_file, path) else ""


def _holds(values: Any, path: tuple[str | int, ...]) -> bool:
    for part in path:
        if isinstance(part, int):
            return True
        if isinstance(values, BaseModel):
            values = values.model_dump(exclude_unset=True)
        if not isinstance(values, Mapping) or part not in values:
            return False
        values = values[part]
    return bool(path)


def _keys(model: type[BaseModel], path: tuple[str | int, ...]) -> list[str]:
    """Keys that may have been meant: those beside the wrong one first of all, and any full key."""
    parent = path[:-1]
    field = find(model, parent) if parent else None
    table = model if not parent else (section(field) if field is not None else None)
    prefix = "".join(f"{part}." for part in parent)
    return [f"{prefix}{name}" for name in (table.model_fields if table is not None else ())] + [
        setting.key for setting in walk(model)
    ]


def _meant(written: str, choices: Iterable[str]) -> str:
    """What was meant, as a question: the keys that lack only their table, else the nearest one; empty if none is."""
    unique = list(dict.fromkeys(choices))
    wanted = written.lower()
    near = [choice for choice in unique if "." in choice and choice.lower().rsplit(".", 1)[-1] == wanted]
    if not 0 < len(near) <= _MOST_CHOICES:
        found = difflib.get_close_matches(wanted, [choice.lower() for choice in unique], n=1, cutoff=0.7)
        near = [choice for choice in unique if found and choice.lower() == found[0]][:1] or near[:1]
    return f"; did you mean {' or '.join(near)}?" if near else ""


def _quoted(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"
