"""Checks Paddle's files before Paddle reads them: on damaged ones it crashes, or goes on with what memory held."""

from __future__ import annotations

import json
import math
import os
import struct
from pathlib import Path
from typing import BinaryIO

from models.backends.paddle_graph import old_ir
from schemas.errors import ModelError

# Bytes per element by Paddle's VarType.Type, in framework.proto.
_ITEM_SIZES = {0: 1, 1: 2, 2: 4, 3: 8, 4: 2, 5: 4, 6: 8, 20: 1, 21: 1, 22: 2, 23: 8, 24: 16}


def check_program(path: Path) -> None:
    """Check that a ``.pdmodel`` or ``.json`` file holds a program.

    Raises:
        ModelError: it does not.
    """
    try:
        sound = _is_pir(path) if path.suffix == ".json" else _is_desc(path)
    except (ValueError, IndexError, RuntimeError):  # what the parsers raise
        sound = False
    if not sound:
        raise ModelError(f"{path}: not a Paddle program, or damaged; fetch it again")


def _is_pir(path: Path) -> bool:
    document = json.loads(path.read_bytes())
    return isinstance(document, dict) and "program" in document


def _is_desc(path: Path) -> bool:
    from paddle.base import framework

    with old_ir():
        kinds = {op.type for op in framework.Program.parse_from_string(path.read_bytes()).global_block().ops}
    return {"feed", "fetch"} <= kinds


def check_weights(path: Path) -> None:
    """Check that a ``.pdiparams`` file consists of whole tensors, one after the other, up to its end.

    A tensor is a version (0), its sequence levels, a version again, a description (a protocol buffer: element type,
    sides) with its length in front, and the elements; numbers are little-endian (Paddle's ``SerializeToStream``).

    Raises:
        ModelError: it does not.
    """
    size = os.path.getsize(path)
    with path.open("rb") as file:
        try:
            while file.tell() < size:
                _skip_tensor(file, size)
        except (ValueError, struct.error) as error:
            raise ModelError(f"{path}: not Paddle's weights, or damaged; fetch them again") from error


def _skip_tensor(file: BinaryIO, size: int) -> None:
    version, levels = struct.unpack("<IQ", file.read(12))
    if version != 0 or levels > 16:
        raise ValueError("no tensor")
    for _ in range(levels):
        _skip(file, struct.unpack("<Q", file.read(8))[0], size)
    version, length = struct.unpack("<Ii", file.read(8))
    if version != 0 or not 0 <= length < 4096:
        raise ValueError("no tensor")
    kind, sides = _description(file.read(length))
    _skip(file, math.prod(sides) * _ITEM_SIZES[kind], size)


def _skip(file: BinaryIO, count: int, size: int) -> None:
    if not 0 <= count <= size - file.tell():
        raise ValueError("truncated")
    file.seek(count, os.SEEK_CUR)


def _description(data: bytes) -> tuple[int, list[int]]:
    """Element type (field 1) and sides (field 2) of a ``VarType.TensorDesc``, all of them varints."""
    numbers: list[int] = []
    value = shift = 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            numbers.append(value)
            value = shift = 0
    fields = list(zip(numbers[::2], numbers[1::2], strict=True))
    kinds = [number for key, number in fields if key == 1 << 3]
    if shift or len(kinds) != 1 or kinds[0] not in _ITEM_SIZES or any(key not in (8, 16) for key, _ in fields):
        raise ValueError("no tensor description")
    return kinds[0], [number for key, number in fields if key == 2 << 3]
