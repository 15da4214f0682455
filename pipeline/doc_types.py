"""Which document type is asked for: by the request, else by the settings; checked before any work is done."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping

from schemas.doctypes import DocType, load_doctypes
from schemas.errors import InvalidRequest, SettingsError
from schemas.settings import Settings
from stages.fields.stage import AUTO

NONE = "none"
"""Asks for no fields."""


def load_types(settings: Settings) -> dict[str, DocType]:
    """All document types by name; none where fields are turned off.

    Raises:
        SettingsError: the user's folder or a file in it cannot be used, or ``fields.doc_type`` is no type.
    """
    if not settings.fields.enabled:
        return {}
    types = load_doctypes(settings.fields.doctypes_dir)
    try:
        check_type(settings.fields.doc_type, types)
    except InvalidRequest as error:
        raise SettingsError(f"fields.doc_type: {error.message}") from error
    return types


def asked_type(doc_type: str | None, settings: Settings, types: Mapping[str, DocType]) -> str | None:
    """The type whose fields are wanted, or ``auto``; None: no fields.

    Args:
        doc_type: what the request says; None: nothing.
        settings: ``fields.enabled`` and ``fields.doc_type``.
        types: the known types.

    Raises:
        InvalidRequest: there is no such type, or fields are turned off; the message says which types there are.
    """
    if doc_type == NONE or (doc_type is None and not settings.fields.enabled):
        return None
    if not settings.fields.enabled:
        raise InvalidRequest(
            f"the document type {doc_type!r} is asked for, and fields are turned off; set fields.enabled to true"
        )
    wanted = settings.fields.doc_type if doc_type is None else doc_type
    check_type(wanted, types)
    return None if wanted == NONE else wanted


def check_type(name: str, types: Collection[str]) -> None:
    """Refuse a name that is no document type.

    Raises:
        InvalidRequest: so it is; the message lists the known ones.
    """
    known = [AUTO, NONE, *sorted(types)]
    if name in known:
        return
    near = difflib.get_close_matches(str(name).lower(), known, n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    raise InvalidRequest(f"there is no document type {name!r}; {meant}there are {', '.join(known)}")
