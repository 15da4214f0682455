"""Reading document types from YAML files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from schemas.doctypes.definition import DocType
from schemas.errors import SettingsError

BUILT_IN = Path(__file__).parent
SUFFIXES = (".yaml", ".yml")


class _Loader(yaml.SafeLoader):
    """YAML 1.2's idea of a plain value, in which ``No`` and ``2024-05-01`` are texts.

    A key that stands twice in one table, of which one would be lost silently, is refused.
    """

    yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith((":bool", ":timestamp"))]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


def _table(loader: yaml.SafeLoader, node: yaml.MappingNode) -> dict[Any, Any]:
    loader.flatten_mapping(node)
    table: dict[Any, Any] = {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        if not isinstance(key, str):
            raise yaml.constructor.ConstructorError(
                None, None, f"the key {key!r} is not a text; put it in quotes", key_node.start_mark
            )
        if key in table:
            raise yaml.constructor.ConstructorError(None, None, f"{key} is there twice", key_node.start_mark)
        table[key] = loader.construct_object(value_node, deep=True)
    return table


_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|false)$"), list("tf"))
_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _table)


def load_doctypes(extra: Path | None = None) -> dict[str, DocType]:
    """All document types by name: the built-in ones, then those of the folder ``extra``.

    A type in ``extra`` with the name of a built-in one takes its place.

    Raises:
        SettingsError: the folder is not there or holds no YAML file; a file cannot be read or is no document type.
            The message names the file and the key.
    """
    types = dict(_built_in())
    if extra is not None:
        types |= _folder(extra)
    return types


def load_doctype(path: Path) -> DocType:
    """The document type in one file; its name is the file's unless the file says otherwise.

    Raises:
        SettingsError: as for :func:`load_doctypes`.
    """
    try:
        value = yaml.load(path.read_bytes().decode(), _Loader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        raise SettingsError(f"the document type {path} cannot be read: {' '.join(str(error).split())}") from error
    if not isinstance(value, dict):
        raise SettingsError(f"the document type {path} is no table: it must hold at least names and fields")
    try:
        return DocType.model_validate({"name": path.stem, **value})
    except ValidationError as error:
        faults = "; ".join(_sentence(dict(fault), value) for fault in error.errors()[:5])
        raise SettingsError(f"the document type {path} has a fault: {faults}") from error


@cache
def _built_in() -> dict[str, DocType]:
    return _folder(BUILT_IN)


def _folder(folder: Path) -> dict[str, DocType]:
    if not folder.is_dir():
        raise SettingsError(f"the folder of document types {folder} is not there; see fields.doctypes_dir")
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES)
    except OSError as error:
        raise SettingsError(f"the folder of document types {folder} cannot be read: {error}") from error
    if not paths:
        raise SettingsError(f"the folder of document types {folder} holds no .yaml file")
    types: dict[str, DocType] = {}
    for path in paths:
        doctype = load_doctype(path)
        if doctype.name in types:
            raise SettingsError(f"the document type {path} has a fault: name: another file defines {doctype.name} too")
        types[doctype.name] = doctype
    return types


def _sentence(fault: dict[str, Any], value: Any) -> str:
    """``fields.total.type: ...`` of one of pydantic's faults; its kinds are said in words of our own."""
    kind, message = str(fault["type"]), str(fault["msg"])
    where = ".".join(_steps(fault["loc"], value))
    if kind == "extra_forbidden":
        message = "there is no such key"
    elif kind == "missing":
        message = "it is missing"
    elif kind == "literal_error":
        message = f"{fault['input']!r} is not {fault['ctx']['expected']}"
    elif kind in ("string_type", "string_pattern_mismatch") and not isinstance(fault["input"], str):
        message = f"{fault['input']!r} is not a text; put it in quotes"
    message = message.removeprefix("Value error, ")
    return f"{where}: {message}" if where else message


def _steps(path: tuple[str | int, ...], value: Any) -> Iterator[str]:
    """The path of a fault as it is in the file: fields by their names, not by their numbers."""
    for step in path:
        if isinstance(value, dict) and isinstance(step, int):
            step = list(value)[step]
        try:
            value = value[step]
        except (TypeError, LookupError):  # a key that is missing, or pydantic's name for one of several kinds
            value = None
        yield str(step)
