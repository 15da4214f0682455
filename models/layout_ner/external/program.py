"""Which inputs an exported program has, from its file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.backends.paddle_files import check_program
from schemas.errors import ModelError

KNOWN = ("input_ids", "bbox", "image", "attention_mask", "token_type_ids", "position_ids")
"""What PaddleNLP's token classifiers take, by the names of their arguments."""

UNNAMED = ("input_ids", "bbox", "attention_mask", "token_type_ids", "image")
"""What PaddleOCR's exports take: their inputs are called x_0 and so on, and this is their order."""


@dataclass(slots=True, frozen=True)
class ProgramInput:
    """One input: its name in the program, what it is (one of :data:`KNOWN`), and its shape, -1 where free."""

    name: str
    role: str
    shape: tuple[int, ...]


def program_inputs(path: Path) -> list[ProgramInput]:
    """The inputs of a ``.json`` or ``.pdmodel`` program.

    Raises:
        ModelError: it cannot be read, or is none of the known models.
    """
    check_program(path)  # Paddle's own parser crashes on files that are none
    try:
        named = _pir(path) if path.suffix == ".json" else _desc(path)
    except (OSError, ValueError, KeyError, IndexError, TypeError, RuntimeError) as error:
        raise ModelError(f"{path} cannot be read as a Paddle program ({error}); export the model again") from error
    names = [name for name, _ in named]
    if set(names) <= set(KNOWN):
        roles = names
    elif all(name.rpartition("_")[2].isdigit() for name in names) and len(names) in (4, 5):
        roles = list(UNNAMED[: len(names)])
    else:
        raise ModelError(
            f"{path}: its inputs are {', '.join(names)}; export the model with inputs called {', '.join(KNOWN)}, "
            "those that it has, or with PaddleOCR's tools/export_model.py"
        )
    if not {"input_ids", "bbox"} <= set(roles):
        raise ModelError(f"{path}: it has no input_ids and bbox among its inputs {', '.join(names)}")
    return [ProgramInput(name, role, shape) for (name, shape), role in zip(named, roles, strict=True)]


def _pir(path: Path) -> list[tuple[str, tuple[int, ...]]]:
    program = json.loads(path.read_text(encoding="utf-8"))
    operations = program["program"]["regions"][0]["blocks"][0]["ops"]
    found = []
    for operation in operations:
        if str(operation.get("#", "")).rpartition(".")[2] == "data":
            values = {attribute["N"]: attribute["AT"]["D"] for attribute in operation["A"]}
            found.append((str(values["name"]), tuple(int(side) for side in values["shape"])))
    return found


def _desc(path: Path) -> list[tuple[str, tuple[int, ...]]]:
    from paddle.base import core

    program = core.ProgramDesc(path.read_bytes())  # kept: its block does not keep it, and reading on would crash
    block = program.block(0)
    feeds: list[tuple[int, str]] = []
    for number in range(block.op_size()):
        operation: Any = block.op(number)
        if operation.type() == "feed":
            feeds.append((operation.attr("col"), operation.output("Out")[0]))
    return [(name, tuple(block.find_var(name.encode()).shape())) for _, name in sorted(feeds)]
