"""Fields to JSON and back."""

from __future__ import annotations

from typing import Any

from schemas.fields import Check, Field, Region
from schemas.json_types import FieldJson
from schemas.plain import confidence, polygon_of, text_of, value_of

Fields = dict[str, Field | list[Field]]
FieldsJson = dict[str, FieldJson | list[FieldJson]]


def fields_to_json(fields: Fields) -> FieldsJson:
    """The fields of a document as plain dictionaries, lists, texts and numbers.

    Raises:
        TypeError: there is something that is no field, or a value that JSON cannot express; the message says where.
    """
    result: FieldsJson = {}
    for name, field in fields.items():
        where = f"fields.{name}"
        if isinstance(field, list):
            result[text_of(str(name))] = [_to_json(item, f"{where}.{index}") for index, item in enumerate(field)]
        else:
            result[text_of(str(name))] = _to_json(field, where)
    return result


def fields_from_json(value: FieldsJson) -> Fields:
    """The fields of validated JSON."""
    return {
        name: [_from_json(item) for item in field] if isinstance(field, list) else _from_json(field)
        for name, field in value.items()
    }


def _to_json(field: Any, where: str) -> FieldJson:
    if not isinstance(field, Field):
        raise TypeError(f"{where}: a {type(field).__name__} is no field")
    value: Any
    if isinstance(field.value, dict):
        value = {text_of(str(name)): _to_json(part, f"{where}.{name}") for name, part in field.value.items()}
    else:
        value = value_of(field.value, where)
    result: FieldJson = {
        "type": text_of(field.type),
        "value": value,
        "content": text_of(field.content),
        "confidence": confidence(field.confidence),
        "regions": [{"page": int(region.page), "polygon": polygon_of(region.polygon)} for region in field.regions],
        "checks": [
            {"name": text_of(check.name), "passed": bool(check.passed), "reason": text_of(check.reason)}
            for check in field.checks
        ],
        "needs_review": bool(field.needs_review),
    }
    if field.currency is not None:
        result["currency"] = text_of(field.currency)
    return result


def _from_json(value: FieldJson) -> Field:
    read = value["value"]
    return Field(
        type=value["type"],
        value={name: _from_json(part) for name, part in read.items()} if isinstance(read, dict) else read,
        content=value["content"],
        confidence=value["confidence"],
        regions=[Region(region["page"], region["polygon"]) for region in value["regions"]],
        checks=[Check(check["name"], check["passed"], check["reason"]) for check in value["checks"]],
        needs_review=value["needs_review"],
        currency=value.get("currency"),
    )
