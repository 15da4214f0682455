"""Document types: which fields a receipt or an invoice has. Each is a YAML file in this folder or in the user's."""

from __future__ import annotations

from schemas.doctypes.definition import (
    TYPES,
    BirthDateCheck,
    CapitalsCheck,
    DocType,
    DocumentCheck,
    FieldType,
    Names,
    OrderCheck,
    SexCheck,
    SumCheck,
)
from schemas.doctypes.load import load_doctype, load_doctypes

__all__ = [
    "TYPES",
    "BirthDateCheck",
    "CapitalsCheck",
    "DocType",
    "DocumentCheck",
    "FieldType",
    "Names",
    "OrderCheck",
    "SexCheck",
    "SumCheck",
    "load_doctype",
    "load_doctypes",
]
