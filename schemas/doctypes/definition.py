"""What a document type is: its fields, the words that announce them, and what must hold between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args

import regex
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

TypeName = Literal[
    "text", "date", "month", "datetime", "money", "number", "rate", "digits", "id", "sex", "capitals", "currency",
    "object", "pair",
]  # fmt: skip
TYPES: tuple[str, ...] = get_args(TypeName)
GROUPS = ("object", "pair")
"""The types whose value is made of parts."""

PATTERNED = ("text", "id", "digits")
"""The types whose value is what is printed, so that an expression can tell it."""

ValidatorName = Literal[
    "resident_id", "credit_code", "tax_number", "bank_card", "invoice_code", "invoice_number", "phone"
]  # fmt: skip
ReaderName = Literal["network", "keys", "form"]
DateOrder = Literal["DMY", "MDY", "YMD"]

NAME = re.compile(r"[a-z][a-z0-9_]*")
RESERVED = ("auto", "other", "none")
"""Words that mean something else where a document type is asked for."""


def _named(value: Any) -> Any:
    """``{"total": {...}}``, as in the file, to ``[{"name": "total", ...}]``."""
    if not isinstance(value, dict):
        return value
    for name, field in value.items():
        if not isinstance(field, dict):
            raise ValueError(f"{name}: must be a table of the field's properties, as in {name}: {{type: text}}")
        if "name" in field:
            raise ValueError(f"{name}: the field's name is its key; leave 'name' out")
    return [{"name": name, **field} for name, field in value.items()]


def _listed(value: Any) -> Any:
    """A single text where a list is meant."""
    return [value] if isinstance(value, str) else value


Identifier = Annotated[str, Field(pattern=rf"^{NAME.pattern}$", strict=True)]
Word = Annotated[str, Field(min_length=1, strict=True, pattern=r"\S")]
Words = Annotated[tuple[Word, ...], BeforeValidator(_listed)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Names(_Strict):
    """How people call it, in English and Chinese."""

    en: Word
    zh: Word | None = None


class FieldType(_Strict):
    """One field of a document type. ``parts`` are the columns of a row (``object``) or question and answer.

    ``of`` is for a currency: the field with the amount whose sign it is.
    """

    name: Identifier
    type: TypeName = "text"
    required: bool = False
    repeated: bool = False
    multiline: bool = False
    validator: ValidatorName | None = None
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] | None = None
    names: Names | None = None
    keys: Words = ()
    pattern: Word | None = None
    of: Identifier | None = None
    parts: Annotated[tuple[FieldType, ...], BeforeValidator(_named)] = ()

    @property
    def label(self) -> str:
        """What to call the field in a sentence."""
        return self.names.en if self.names else self.name.replace("_", " ")

    @model_validator(mode="after")
    def _consistent(self) -> FieldType:
        if (self.type in GROUPS) != bool(self.parts):
            raise ValueError(f"parts: type {self.type} {'needs' if self.type in GROUPS else 'has no'} parts")
        if self.of is not None and (self.type != "currency" or self.repeated):
            raise ValueError("of: only for a field of type currency that is not repeated")
        if any(part.of is not None for part in self.parts):
            raise ValueError("parts: a part cannot have of, which names an amount that a document has once")
        if any(part.parts or part.repeated for part in self.parts):
            raise ValueError("parts: a part can neither be repeated nor have parts of its own")
        _unique("parts", [part.name for part in self.parts])
        if self.type == "pair" and [part.name for part in self.parts] != ["question", "answer"]:
            raise ValueError("parts: a pair has the parts question and answer")
        if self.currency and self.type != "money":
            raise ValueError(f"currency: only for type money, not {self.type}")
        if self.multiline and self.type != "text":
            raise ValueError(f"multiline: only for type text, not {self.type}")
        if self.pattern is not None:
            if self.type not in PATTERNED:
                raise ValueError(f"pattern: only for types {', '.join(PATTERNED)}, not {self.type}")
            try:
                compiled = regex.compile(self.pattern)
            except regex.error as error:
                raise ValueError(f"pattern: not a regular expression: {error}") from error
            if compiled.fullmatch(""):
                raise ValueError("pattern: it matches an empty text, and so everywhere")
        return self


class SumCheck(_Strict):
    """``total`` is the sum of the fields ``of``; a part of rows, as in ``items.amount``, is added over all rows."""

    check: Literal["sum"]
    total: str
    of: tuple[str, ...] = Field(min_length=1)


class OrderCheck(_Strict):
    """The date ``first`` is not after the date ``last``."""

    check: Literal["order"]
    first: str
    last: str


class CapitalsCheck(_Strict):
    """The amount in words (壹佰元整) equals the one in figures."""

    check: Literal["capitals"]
    words: str
    figures: str


class BirthDateCheck(_Strict):
    """The resident identity number holds the birth date."""

    check: Literal["birth_date"]
    id_number: str
    birth_date: str


class SexCheck(_Strict):
    """The resident identity number agrees with the sex: its last digit but one is odd for men (GB 11643)."""

    check: Literal["sex"]
    id_number: str
    sex: str


DocumentCheck = Annotated[
    SumCheck | OrderCheck | CapitalsCheck | BirthDateCheck | SexCheck, Field(discriminator="check")
]

_ALLOWED: dict[str, tuple[str, ...]] = {
    "total": ("money", "number"), "of": ("money", "number"), "first": ("date", "month", "datetime"),
    "last": ("date", "month", "datetime"), "words": ("capitals",), "figures": ("money",),
    "id_number": ("id",), "birth_date": ("date",), "sex": ("sex",),
}  # fmt: skip
"""Which types the fields named in a check may have, by the check's property."""


class DocType(_Strict):
    """A document type.

    ``reader`` is who reads it: the trained network, the generic reader by ``keys``, or the reader of forms.
    ``titles`` are words on the page that tell the type. ``date_order`` decides what 03/04/2024 means.
    """

    name: Identifier
    names: Names
    reader: ReaderName = "keys"
    date_order: DateOrder = "DMY"
    titles: Words = ()
    fields: Annotated[tuple[FieldType, ...], BeforeValidator(_named)] = Field(min_length=1)
    checks: tuple[DocumentCheck, ...] = ()

    def field(self, name: str) -> FieldType | None:
        """The field, or the part of one, by its name (``total``, ``items.amount``)."""
        return dict(self.walk()).get(name)

    def walk(self) -> Iterator[tuple[str, FieldType]]:
        """All fields by their full name, each followed by its parts."""
        for field in self.fields:
            yield field.name, field
            for part in field.parts:
                yield f"{field.name}.{part.name}", part

    @model_validator(mode="after")
    def _consistent(self) -> DocType:
        if self.name in RESERVED:
            raise ValueError(f"name: {self.name!r} has a meaning of its own; choose another")
        _unique("fields", [field.name for field in self.fields])
        if self.reader == "keys" and not any(field.keys for _, field in self.walk()):
            raise ValueError("fields: none has keys, so that nothing could be found; give the words printed before it")
        for field in self.fields:
            amount = self.field(field.of) if field.of is not None else None
            if field.of is not None and (amount is None or amount.type != "money" or amount.repeated):
                raise ValueError(f"fields.{field.name}.of: {field.of} must be a field of type money, not repeated")
        for index, check in enumerate(self.checks):
            for property_name, allowed in _ALLOWED.items():
                value = getattr(check, property_name, ())
                for name in [value] if isinstance(value, str) else value:
                    self._suits(f"checks.{index}.{property_name}", name, allowed)
        return self

    def _suits(self, where: str, name: str, allowed: tuple[str, ...]) -> None:
        field = self.field(name)
        if field is None:
            raise ValueError(f"{where}: there is no field {name!r}")
        if field.type not in allowed:
            raise ValueError(f"{where}: {name} is of type {field.type}; it must be {' or '.join(allowed)}")


def _unique(where: str, names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{where}: {name} is there twice")
