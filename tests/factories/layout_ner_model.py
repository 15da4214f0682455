"""A layout-NER model in a folder, as ONNX: a table says each character's tag, and the first character the type."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from models.layout_ner.model_files import INPUTS, Description, write_description
from models.layout_ner.tags import TagSet
from models.layout_ner.vocabulary import Vocabulary

CHARACTERS = "0123456789.:abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ "
TYPES: Mapping[str, tuple[str, ...]] = {"receipt": ("company", "total"), "form": ("header", "question", "answer")}


def write_model(folder: Path, types: Mapping[str, tuple[str, ...]] = TYPES, **description: Any) -> Path:
    """Write the model: digits and points are the first type's total, and all pages are of that type.

    Args:
        folder: where to; it is made.
        types: what the description says; the network has as many tags, the total's among them.
        description: more of it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = Vocabulary(CHARACTERS)
    values = {"name": "tiny", "types": dict(types), **description}
    write_description(folder, Description.model_validate(values), vocabulary)
    write_network(folder / "model.onnx", TagSet(types), vocabulary)
    return folder


def write_network(path: Path, tags: TagSet, vocabulary: Vocabulary) -> None:
    """Write the network alone."""
    import onnx
    from onnx import helper, numpy_helper

    kinds = onnx.TensorProto
    total = tags.begin(tags.types[1], "total") or 1
    table = np.full((len(vocabulary), len(tags)), 1e-3, np.float32)
    for char, number in ((char, vocabulary.number(char)) for char in vocabulary.characters):
        table[number, total + 1 if char in "0123456789." else 0] = 1
    table[:3, 0] = 1
    table /= table.sum(axis=1, keepdims=True)
    said = np.full((len(tags.types) + 1, len(tags.types)), 1e-3, np.float32)
    said[:, 1] = 1
    said /= said.sum(axis=1, keepdims=True)
    shapes: dict[str, list[str | int]] = {name: ["n", "t"] for name in INPUTS}
    shapes |= {"places": ["n", "t", 4], "geometry": ["n", "l", 12], "hint": ["n"]}
    nodes = [
        helper.make_node("Gather", ["table", "characters"], ["named"]),
        helper.make_node("Gather", ["said", "hint"], ["types_of"]),
    ]
    last = "named"
    for name in ("kinds", "line_of", "places", "geometry"):  # so that none is optimised away
        nodes += [
            helper.make_node("Cast", [name], [f"{name}_float"], to=kinds.FLOAT),
            helper.make_node("ReduceSum", [f"{name}_float"], [f"{name}_sum"], keepdims=0),
            helper.make_node("Mul", [f"{name}_sum", "nothing"], [f"{name}_nothing"]),
            helper.make_node("Add", [last, f"{name}_nothing"], [f"with_{name}"]),
        ]
        last = f"with_{name}"
    nodes += [helper.make_node("Identity", [last], ["tags"]), helper.make_node("Identity", ["types_of"], ["types"])]
    floats = ("places", "geometry")
    graph = helper.make_graph(
        nodes,
        "tiny",
        [
            helper.make_tensor_value_info(name, kinds.FLOAT if name in floats else kinds.INT64, shapes[name])
            for name in INPUTS
        ],
        [
            helper.make_tensor_value_info("tags", kinds.FLOAT, ["n", "t", len(tags)]),
            helper.make_tensor_value_info("types", kinds.FLOAT, ["n", len(tags.types)]),
        ],
        [
            numpy_helper.from_array(table, "table"),
            numpy_helper.from_array(said, "said"),
            numpy_helper.from_array(np.array(0, np.float32), "nothing"),
        ],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
