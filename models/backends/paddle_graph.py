"""Edits Paddle programs: bytes in, and a recogniser's classes reduced before they leave the network.

Two representations exist: ``.pdmodel`` holds a ProgramDesc, ``.json`` a program of Paddle 3's intermediate
representation (PIR). Neither edit touches the weights: pruned ones are gathered from the full ones by the program,
so the ``.pdiparams`` file serves as it is.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from models.backends.base import CtcHead, InputFormat
from schemas.errors import ModelError

Shape = tuple[int, ...]

_PREFIX = "inklane_"


def edit_program(path: Path, target: Path, spec: InputFormat | None, ctc: CtcHead | None) -> Shape:
    """Write the program at ``path`` to ``target`` with the edits asked for.

    Args:
        path: a ``.pdmodel`` or ``.json`` file.
        target: where to write; same suffix.
        spec: the input becomes uint8 (N, H, W, 3) in BGR, normalised inside the network.
        ctc: the one output becomes two, see :class:`CtcHead`.

    Returns:
        Where ``spec`` is given, the shape of the new input, -1 where it is free; else an empty shape.

    Raises:
        ModelError: the classes to keep do not exist.
        Exception: whatever Paddle raises on a program that it cannot read or that is of another kind; the caller
            does the same work on the host then.
    """
    if path.suffix == ".json":
        return _edit_pir(path, target, spec, ctc)
    return _edit_desc(path, target, spec, ctc)


def _affine(spec: InputFormat) -> tuple[list[float], list[float]]:
    """Factor and summand per channel, in the network's order: ``pixel * factor + summand``."""
    std = np.asarray(spec.std, np.float64)
    return [float(v) for v in spec.scale / std], [float(v) for v in -np.asarray(spec.mean, np.float64) / std]


def _check_keep(keep: tuple[int, ...], classes: int, path: Path) -> None:
    if not keep or min(keep) < 0 or (classes > 0 and max(keep) >= classes):
        raise ModelError(f"{path}: the classes to keep must be between 0 and {classes - 1}, and at least one")


# --- ProgramDesc ----------------------------------------------------------------------------------------------


class _Desc:
    """A program's only block, with short ways to append to it."""

    def __init__(self, program: Any) -> None:
        from paddle.base import core

        self.block = program.global_block()
        self._types = core.VarDesc.VarType

    def type(self, dtype: str) -> Any:
        return {
            "uint8": self._types.UINT8,
            "int32": self._types.INT32,
            "int64": self._types.INT64,
            "float32": self._types.FP32,
        }[dtype]

    def var(self, name: str, dtype: str, shape: list[int]) -> Any:
        return self.block.create_var(name=_PREFIX + name, dtype=dtype, shape=shape)

    def op(
        self, kind: str, inputs: dict[str, Any], outputs: dict[str, Any], attrs: dict[str, Any], at: int | None = None
    ) -> None:
        """Append an operator, or insert it at a position."""
        position = len(self.block.ops) if at is None else at
        self.block._insert_op_without_sync(
            position,
            type=kind,
            inputs={key: [value] for key, value in inputs.items()},
            outputs={key: [value] for key, value in outputs.items()},
            attrs=attrs,
        )

    def constant(self, name: str, values: list[Any], dtype: str, shape: list[int], at: int | None = None) -> Any:
        out = self.var(name, dtype, shape)
        self.op("assign_value", {}, {"Out": out}, {"shape": shape, "dtype": self.type(dtype), "values": values}, at)
        return out

    def maker(self, name: str) -> Any:
        """The operator that computes ``name``, looking through those that only rename it; None: there is none."""
        for op in reversed(self.block.ops):
            if name in op.output_arg_names:
                renames = op.type == "assign" or (
                    op.type == "scale" and op.attr("scale") == 1.0 and op.attr("bias") == 0.0
                )
                return self.maker(op.input_arg_names[0]) if renames else op
        return None

    def drop_if_unused(self, op: Any) -> None:
        read = {name for other in self.block.ops for name in other.input_arg_names}
        if not read & set(op.output_arg_names):
            self.block._remove_op(self.block.ops.index(op))


def old_ir() -> AbstractContextManager[Any]:
    """Within it, Paddle's functions work on ProgramDesc, not PIR."""
    import paddle

    # 2.6 has no other representation to be kept from
    guard: AbstractContextManager[Any] = getattr(getattr(paddle, "pir_utils", None), "OldIrGuard", nullcontext)()
    return guard


def _edit_desc(path: Path, target: Path, spec: InputFormat | None, ctc: CtcHead | None) -> Shape:
    from paddle.base import framework

    shape: Shape = ()
    with old_ir():
        program = framework.Program.parse_from_string(path.read_bytes())
        desc = _Desc(program)
        if spec is not None:
            shape = _desc_normalisation(desc, spec)
        if ctc is not None:
            _desc_ctc(desc, ctc, path)
        target.write_bytes(program.desc.serialize_to_string())
    return shape


def _desc_normalisation(desc: _Desc, spec: InputFormat) -> Shape:
    block = desc.block
    feeds = [op for op in block.ops if op.type == "feed"]
    if len(feeds) != 1:
        raise ValueError("more than one input")
    network_input = block.var(feeds[0].output("Out")[0])
    n, channels, h, w = network_input.shape
    if channels != 3:
        raise ValueError(f"an input of {channels} channels")
    factor, summand = _affine(spec)
    images = desc.var("images", "uint8", [n, h, w, 3])
    images.desc.set_need_check_feed(True)
    feeds[0].desc.set_output("Out", [images.name])
    at = block.ops.index(feeds[0]) + 1
    scale = desc.constant("scale", factor, "float32", [1, 3, 1, 1], at)
    shift = desc.constant("shift", summand, "float32", [1, 3, 1, 1], at)
    at += 2
    steps: list[tuple[str, Any, Any, dict[str, Any]]] = []
    nchw = desc.var("nchw", "uint8", [n, 3, h, w])
    steps.append(("transpose2", {"X": images}, nchw, {"axis": [0, 3, 1, 2]}))
    floats = desc.var("float", "float32", [n, 3, h, w])
    scaled = desc.var("scaled", "float32", [n, 3, h, w])
    cast = {"in_dtype": desc.type("uint8"), "out_dtype": desc.type("float32")}
    steps.append(("cast", {"X": nchw}, floats, cast))
    if spec.channels == "RGB":  # bytes cannot be flipped
        rgb = desc.var("rgb", "float32", [n, 3, h, w])
        steps.append(("flip", {"X": floats}, rgb, {"axis": [1]}))
        floats = rgb
    steps.append(("elementwise_mul", {"X": floats, "Y": scale}, scaled, {"axis": -1}))
    steps.append(("elementwise_add", {"X": scaled, "Y": shift}, network_input, {"axis": -1}))
    for kind, inputs, output, attrs in steps:
        outputs = {"Out": output}
        if kind == "transpose2":
            outputs["XShape"] = desc.var("nchw_shape", "float32", [0, n, h, w, 3])
        desc.op(kind, inputs, outputs, attrs, at)
        at += 1
    return n, h, w, 3


def _desc_ctc(desc: _Desc, ctc: CtcHead, path: Path) -> None:
    block = desc.block
    fetches = [op for op in block.ops if op.type == "fetch"]
    if len(fetches) != 1:
        raise ValueError("more than one output")
    probabilities = block.var(fetches[0].input("X")[0])
    holder = block.var(fetches[0].output("Out")[0])
    block._remove_op(block.ops.index(fetches[0]))
    if ctc.keep is not None:
        probabilities = _desc_keep(desc, probabilities.name, ctc.keep, path)
    classes = probabilities.shape[-1]
    top_k = min(ctc.top_k, classes) if classes > 0 else ctc.top_k
    shape = [*probabilities.shape[:-1], top_k]
    best = desc.var("probabilities", "float32", shape)
    index = desc.var("indices", "int32", shape)
    if top_k == 1:  # several times faster than a top-k of one
        desc.op("reduce_max", {"X": probabilities}, {"Out": best}, {"dim": [-1], "keep_dim": True})
        attrs = {"axis": -1, "keepdims": True, "flatten": False, "dtype": desc.type("int32")}
        desc.op("arg_max", {"X": probabilities}, {"Out": index}, attrs)
    else:
        index64 = desc.var("indices64", "int64", shape)
        attrs = {"k": top_k, "axis": -1, "largest": True, "sorted": True}
        desc.op("top_k_v2", {"X": probabilities}, {"Out": best, "Indices": index64}, attrs)
        attrs = {"in_dtype": desc.type("int64"), "out_dtype": desc.type("int32")}
        desc.op("cast", {"X": index64}, {"Out": index}, attrs)
    desc.op("fetch", {"X": index}, {"Out": holder}, {"col": 0})
    desc.op("fetch", {"X": best}, {"Out": holder}, {"col": 1})


def _desc_keep(desc: _Desc, probabilities: str, keep: tuple[int, ...], path: Path) -> Any:
    block = desc.block
    softmax = desc.maker(probabilities)
    if softmax is None or softmax.type != "softmax":
        raise ValueError("the network does not end in a softmax")
    logits = block.var(softmax.input("X")[0])
    classes = logits.shape[-1]
    _check_keep(keep, classes, path)
    kept = desc.constant("kept", list(keep), "int64", [len(keep)])
    new_logits = desc.var("logits", "float32", [*logits.shape[:-1], len(keep)])
    layer = _desc_linear(desc, logits.name)
    if layer is None:  # another kind of last layer: still spare the softmax and everything after it
        desc.op("index_select", {"X": logits, "Index": kept}, {"Out": new_logits}, {"dim": len(logits.shape) - 1})
    else:
        matmul, add = layer
        weight, bias = block.var(matmul.input("Y")[0]), block.var(add.input("Y")[0])
        new_weight = desc.var("weight", "float32", [weight.shape[0], len(keep)])
        new_bias = desc.var("bias", "float32", [len(keep)])
        product = desc.var("product", "float32", new_logits.shape)
        features = block.var(matmul.input("X")[0])
        desc.op("index_select", {"X": weight, "Index": kept}, {"Out": new_weight}, {"dim": 1})
        desc.op("index_select", {"X": bias, "Index": kept}, {"Out": new_bias}, {"dim": 0})
        trans = {"trans_x": matmul.attr("trans_x"), "trans_y": False}
        desc.op("matmul_v2", {"X": features, "Y": new_weight}, {"Out": product}, trans)
        desc.op("elementwise_add", {"X": product, "Y": new_bias}, {"Out": new_logits}, {"axis": -1})
    result = desc.var("softmax", "float32", new_logits.shape)
    desc.op("softmax", {"X": new_logits}, {"Out": result}, {"axis": -1})
    for op in (softmax, *reversed(layer or ())):
        desc.drop_if_unused(op)
    return result


def _desc_linear(desc: _Desc, output: str) -> tuple[Any, Any] | None:
    """The multiplication and the addition of the linear layer that makes ``output``; None: it is of another kind."""
    add = desc.maker(output)
    if add is None or add.type != "elementwise_add":
        return None
    matmul = desc.maker(add.input("X")[0])
    if matmul is None or matmul.type != "matmul_v2" or matmul.attr("trans_y"):
        return None
    weight, bias = desc.block.var(matmul.input("Y")[0]), desc.block.var(add.input("Y")[0])
    usable = weight.persistable and bias.persistable and (len(weight.shape), len(bias.shape)) == (2, 1)
    return (matmul, add) if usable else None


# --- PIR ------------------------------------------------------------------------------------------------------


def _edit_pir(path: Path, target: Path, spec: InputFormat | None, ctc: CtcHead | None) -> Shape:
    import paddle
    from paddle.base import core

    shape: Shape = ()
    with paddle.pir_utils.IrGuard():
        program = paddle.static.Program()
        core.deserialize_pir_program(str(path), program)
        with paddle.static.program_guard(program):
            if spec is not None:
                shape = _pir_normalisation(program.global_block(), spec)
            if ctc is not None:
                _pir_ctc(program.global_block(), ctc, path)
        # overwrite, not indented, and with the attributes of parameters, without which loading fails
        core.serialize_pir_program(program, str(target), True, False, True)
    return shape


def _pir_normalisation(block: Any, spec: InputFormat) -> Shape:
    import paddle
    from paddle.base import core

    inputs = [op for op in block.ops if op.name() in ("pd_op.data", "pd_op.feed")]
    if len(inputs) != 1:
        raise ValueError("more than one input")
    network_input = inputs[0].result(0)
    n, channels, h, w = network_input.shape
    if channels != 3:
        raise ValueError(f"an input of {channels} channels")
    factor, summand = _affine(spec)
    paddle.pir.set_insertion_point(inputs[0])
    images = paddle._pir_ops.data(_PREFIX + "images", [n, h, w, 3], paddle.uint8, core.Place())
    floats = paddle.cast(paddle.transpose(images, [0, 3, 1, 2]), "float32")
    if spec.channels == "RGB":  # bytes cannot be flipped
        floats = paddle.flip(floats, [1])
    scale = paddle.assign(np.asarray(factor, np.float32).reshape(1, 3, 1, 1))
    shift = paddle.assign(np.asarray(summand, np.float32).reshape(1, 3, 1, 1))
    network_input.replace_all_uses_with(floats * scale + shift)
    block.remove_op(inputs[0])
    return n, h, w, 3


def _pir_ctc(block: Any, ctc: CtcHead, path: Path) -> None:
    import paddle

    fetches = [op for op in block.ops if op.name() == "pd_op.fetch"]
    if len(fetches) != 1:
        raise ValueError("more than one output")
    probabilities = fetches[0].operand_source(0)
    paddle.pir.set_insertion_point(fetches[0])
    replaced: list[Any] = []
    if ctc.keep is not None:
        probabilities, replaced = _pir_keep(probabilities, ctc.keep, path)
    classes = probabilities.shape[-1]
    top_k = min(ctc.top_k, classes) if classes > 0 else ctc.top_k
    if top_k == 1:
        best = paddle.amax(probabilities, axis=-1, keepdim=True)
        index = paddle.argmax(probabilities, axis=-1, keepdim=True, dtype="int32")
    else:
        best, index64 = paddle.topk(probabilities, top_k, axis=-1)
        index = paddle.cast(index64, "int32")
    for column, value in enumerate((index, best)):
        paddle._pir_ops.fetch(value, f"{_PREFIX}output_{column}", column).persistable = True
    block.remove_op(fetches[0])
    for op in replaced:
        if op.result(0).use_empty():
            block.remove_op(op)


def _pir_keep(probabilities: Any, keep: tuple[int, ...], path: Path) -> tuple[Any, list[Any]]:
    """Probabilities over the kept classes alone, and the operators that may have become superfluous, last first."""
    import paddle

    softmax = probabilities.get_defining_op()
    if softmax is None or softmax.name() != "pd_op.softmax":
        raise ValueError("the network does not end in a softmax")
    logits = softmax.operand_source(0)
    _check_keep(keep, logits.shape[-1], path)
    kept = paddle.assign(np.asarray(keep, np.int64))
    replaced = [softmax]
    add = logits.get_defining_op()
    matmul = add.operand_source(0).get_defining_op() if add is not None and add.name() == "pd_op.add" else None
    if matmul is not None and matmul.name() == "pd_op.matmul" and not matmul.attrs()["transpose_y"]:
        weight, bias = matmul.operand_source(1), add.operand_source(1)
        replaced += [add, matmul]
        new_weight = paddle.index_select(weight, kept, axis=len(weight.shape) - 1)
        new_bias = paddle.index_select(bias, kept, axis=len(bias.shape) - 1)
        transpose_x = matmul.attrs()["transpose_x"]
        logits = paddle.matmul(matmul.operand_source(0), new_weight, transpose_x=transpose_x) + new_bias
    else:
        logits = paddle.index_select(logits, kept, axis=len(logits.shape) - 1)
    return paddle.nn.functional.softmax(logits, axis=-1), replaced
