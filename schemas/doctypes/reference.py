"""The tables of docs/fields.md: ``python -m schemas.doctypes.reference``."""

from __future__ import annotations

from collections.abc import Iterable

from schemas.doctypes.definition import (
    BirthDateCheck,
    CapitalsCheck,
    DocType,
    DocumentCheck,
    OrderCheck,
    SexCheck,
    SumCheck,
)
from schemas.doctypes.load import load_doctypes


def markdown(doctypes: Iterable[DocType]) -> str:
    """A section for each document type, with a table of its fields and a list of its checks."""
    return "\n\n".join(_section(doctype) for doctype in doctypes)


def _section(doctype: DocType) -> str:
    rows = [
        f"| `{name}` | {field.type} | {_marks(field.required, field.repeated)} | {_code(field.validator)} | "
        f"{field.names.en if field.names else ''} | {(field.names.zh or '') if field.names else ''} |"
        for name, field in doctype.walk()
    ]
    head = [
        f"### `{doctype.name}`",
        "",
        f"{doctype.names.en}{f' ({doctype.names.zh})' if doctype.names.zh else ''}.",
        "",
        "| field | type | | validator | English | Chinese |",
        "|---|---|---|---|---|---|",
    ]
    checks = [f"Checked: {'; '.join(_sentence(check) for check in doctype.checks)}."] if doctype.checks else []
    return "\n".join([*head, *rows, *(["", *checks] if checks else [])])


def _marks(required: bool, repeated: bool) -> str:
    return ", ".join(word for word, said in (("required", required), ("repeated", repeated)) if said)


def _code(name: str | None) -> str:
    return f"`{name}`" if name else ""


def _sentence(check: DocumentCheck) -> str:
    match check:
        case SumCheck():
            return f"`{check.total}` = {' + '.join(f'`{name}`' for name in check.of)}"
        case OrderCheck():
            return f"`{check.first}` is not after `{check.last}`"
        case CapitalsCheck():
            return f"`{check.words}` says the amount of `{check.figures}`"
        case BirthDateCheck():
            return f"`{check.id_number}` holds `{check.birth_date}`"
        case SexCheck():
            return f"`{check.id_number}` agrees with `{check.sex}`"


if __name__ == "__main__":
    print(markdown(load_doctypes().values()))
