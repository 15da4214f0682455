"""The metadata of an ONNX file, read without a runtime.

A runtime would build the whole graph to hand out one string (200 ms and its memory, in processes that never run a
network). The file is a protobuf message whose fields can be stepped over by their lengths; the wire format and
the field numbers are those of protobuf's and ONNX's specifications (onnx.proto).
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from pathlib import Path

from schemas.errors import ModelError

_GRAPH = 7  # ModelProto.graph
_METADATA_PROPS = 14  # ModelProto.metadata_props, entries of StringStringEntryProto {key = 1, value = 2}
_VARINT, _I64, _LEN, _I32 = 0, 1, 2, 5


def read_metadata(path: Path) -> dict[str, str]:
    """All key and value pairs of the model's ``metadata_props``.

    Raises:
        ModelError: the file cannot be read, or is no complete ONNX model.
    """
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _model_metadata(data)
    except OSError as error:
        raise ModelError(f"model file {path} cannot be read: {error}") from error
    except (ValueError, IndexError) as error:  # ValueError also for an empty file, UnicodeDecodeError is one
        raise ModelError(f"{path} is not a complete ONNX file ({error}); fetch or install the model again") from error


def _model_metadata(data: mmap.mmap) -> dict[str, str]:
    found: dict[str, str] = {}
    has_graph = False
    for number, start, end in _fields(data, 0, len(data)):
        if number == _GRAPH:
            has_graph = True
        elif number == _METADATA_PROPS:
            entry = {n: data[a:b].decode() for n, a, b in _fields(data, start, end) if n in (1, 2)}
            found[entry.get(1, "")] = entry.get(2, "")
    if not has_graph:
        raise ValueError("it holds no graph")
    return found


def _fields(data: mmap.mmap, position: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Yield (field number, start, end) of the message between two positions; scalars have an empty range."""
    while position < end:
        tag, position = _varint(data, position)
        number, wire = tag >> 3, tag & 7
        start = position
        if wire == _VARINT:
            _, position = _varint(data, position)
            start = position
        elif wire == _LEN:
            length, start = _varint(data, position)
            position = start + length
        elif wire in (_I64, _I32):
            position += 8 if wire == _I64 else 4
            start = position
        else:
            raise ValueError(f"wire type {wire} at byte {start}")
        if number == 0 or position > end:
            raise ValueError(f"it ends or breaks off at byte {start}")
        yield number, start, position


def _varint(data: mmap.mmap, position: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
        shift += 7
        if shift > 63:
            raise ValueError(f"an overlong number at byte {position}")
