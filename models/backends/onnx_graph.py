"""Edits an ONNX graph in memory: bytes in, and a recogniser's classes reduced before they leave the network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from models.backends.base import CtcHead, InputFormat
from models.extras import how_to_install
from schemas.errors import BackendUnavailable, ModelError

_PREFIX = "inklane_"
_MIN_OPSET = 10  # TopK takes K as an input from here on


def edited(path: Path, spec: InputFormat | None, ctc: CtcHead | None) -> bytes:
    """The model at ``path`` with the edits asked for, serialised.

    Args:
        path: an ONNX file.
        spec: the input becomes uint8 (N, H, W, 3) in BGR, normalised inside the network.
        ctc: the one output becomes two, see :class:`CtcHead`.

    Raises:
        BackendUnavailable: the ``onnx`` package, which edits graphs, is not installed.
        ModelError: the file is not ONNX, or its graph is not of the kind that can be edited.
    """
    try:
        import onnx
    except ImportError as error:
        raise BackendUnavailable(
            f"the backend onnxruntime needs the package onnx: {how_to_install('onnxruntime')}"
        ) from error
    try:
        model = onnx.load(str(path))
    except Exception as error:  # protobuf's DecodeError, OSError: whatever the parser finds wrong
        raise ModelError(f"{path}: not a readable ONNX model ({error}); fetch it again") from error
    if not model.graph.node:
        raise ModelError(f"{path}: not a readable ONNX model (it has no nodes); fetch it again")
    opset = max((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), default=0)
    if opset < _MIN_OPSET:
        raise ModelError(f"{path}: ONNX operator set {opset} is too old; export it with {_MIN_OPSET} or later")
    graph = model.graph
    del graph.value_info[:]  # shapes that the edits change
    model.ir_version = max(model.ir_version, 4)  # initializers that are not inputs
    if spec is not None:
        _prepend_normalisation(graph, spec, path)
    if ctc is not None:
        _append_ctc(graph, ctc, path)
    serialised: bytes = model.SerializeToString()
    return serialised


def _prepend_normalisation(graph: Any, spec: InputFormat, path: Path) -> None:
    from onnx import TensorProto, helper

    constants = {i.name for i in graph.initializer}
    inputs = [i for i in graph.input if i.name not in constants]
    dims: Sequence[Any] = inputs[0].type.tensor_type.shape.dim if inputs else ()
    if len(inputs) != 1 or len(dims) != 4 or dims[1].dim_value not in (0, 3):
        raise ModelError(f"{path}: expected one input (N, 3, H, W), an image network's")
    target = inputs[0]
    n, h, w = (d.dim_value or d.dim_param or None for d in (dims[0], dims[2], dims[3]))
    name = _PREFIX + "images"
    graph.input.remove(target)
    graph.input.insert(0, helper.make_tensor_value_info(name, TensorProto.UINT8, [n, h, w, 3]))

    # One 1x1 convolution scales, shifts and swaps the channels in a single pass, which multiply and add do not.
    weight = np.zeros((3, 3, 1, 1), np.float32)
    for channel in range(3):
        source = 2 - channel if spec.channels == "RGB" else channel
        weight[channel, source] = spec.scale / spec.std[channel]
    bias = -np.asarray(spec.mean, np.float64) / np.asarray(spec.std, np.float64)
    _add_constant(graph, "scale", weight)
    _add_constant(graph, "shift", bias.astype(np.float32))
    nodes = [
        helper.make_node("Transpose", [name], [_PREFIX + "nchw"], perm=[0, 3, 1, 2]),
        helper.make_node("Cast", [_PREFIX + "nchw"], [_PREFIX + "float"], to=TensorProto.FLOAT),
        helper.make_node("Conv", [_PREFIX + "float", _PREFIX + "scale", _PREFIX + "shift"], [target.name]),
    ]
    for position, node in enumerate(nodes):
        graph.node.insert(position, node)


def _append_ctc(graph: Any, ctc: CtcHead, path: Path) -> None:
    from onnx import TensorProto, helper

    if len(graph.output) != 1:
        raise ModelError(f"{path}: expected one output (N, T, classes), a CTC recogniser's")
    output = graph.output[0]
    probabilities = output.name
    dims = output.type.tensor_type.shape.dim
    classes = dims[-1].dim_value if dims else 0
    if ctc.keep is not None:
        _check_keep(ctc.keep, classes, path)
        _keep_classes(graph, probabilities, ctc.keep, path)
        classes = len(ctc.keep)
    top_k = min(ctc.top_k, classes) if classes else ctc.top_k
    _add_constant(graph, "k", np.asarray([top_k], np.int64))
    shape = [*(d.dim_value or d.dim_param or None for d in dims[:-1]), top_k] if dims else [None, None, top_k]
    best, index64, index = _PREFIX + "probabilities", _PREFIX + "indices64", _PREFIX + "indices"
    graph.node.extend(
        [
            helper.make_node("TopK", [probabilities, _PREFIX + "k"], [best, index64], axis=-1),
            helper.make_node("Cast", [index64], [index], to=TensorProto.INT32),
        ]
    )
    del graph.output[:]
    graph.output.extend(
        [
            helper.make_tensor_value_info(index, TensorProto.INT32, shape),
            helper.make_tensor_value_info(best, TensorProto.FLOAT, shape),
        ]
    )


def _keep_classes(graph: Any, probabilities: str, keep: tuple[int, ...], path: Path) -> None:
    """Let the softmax that makes ``probabilities`` see only the classes in ``keep``."""
    from onnx import helper, numpy_helper

    makers = {name: node for node in graph.node for name in node.output}
    constants = {i.name: i for i in graph.initializer}
    for node in graph.node:
        if node.op_type == "Constant":
            value = next((a.t for a in node.attribute if a.name == "value"), None)
            if value is not None:
                constants[node.output[0]] = value

    def maker(name: str) -> Any:
        """The node that computes ``name``, looking through those that only rename it."""
        node = makers.get(name)
        while node is not None and node.op_type == "Identity":
            node = makers.get(node.input[0])
        return node

    softmax = maker(probabilities)
    if softmax is None or softmax.op_type != "Softmax":
        raise ModelError(f"{path}: the classes can only be pruned where the network ends in a softmax")
    kept = np.asarray(keep, np.int64)
    add = maker(softmax.input[0])
    bias, product = _constant_operand(add, constants, "Add", (1,))
    matmul = maker(product) if product else None
    weight, features = _constant_operand(matmul, constants, "MatMul", (2,))
    if bias is not None and weight is not None:
        weights = numpy_helper.to_array(constants[weight])
        biases = numpy_helper.to_array(constants[bias])
        _check_keep(keep, weights.shape[1], path)
        _add_constant(graph, "kept_weight", np.ascontiguousarray(weights[:, kept]))
        _add_constant(graph, "kept_bias", np.ascontiguousarray(biases[kept]))
        _rename_inputs(matmul, weight, _PREFIX + "kept_weight")
        _rename_inputs(add, bias, _PREFIX + "kept_bias")
        _drop_unused(graph, (weight, bias))
        return
    # Another kind of last layer: still spare the softmax and everything after it.
    _add_constant(graph, "kept", kept)
    gather = helper.make_node("Gather", [softmax.input[0], _PREFIX + "kept"], [_PREFIX + "logits"], axis=-1)
    graph.node.insert(list(graph.node).index(softmax), gather)
    softmax.input[0] = _PREFIX + "logits"


def _constant_operand(
    node: Any, constants: dict[str, Any], op_type: str, ranks: tuple[int, ...]
) -> tuple[str | None, str | None]:
    """The names of the constant operand (of one of these ranks) and of the other, where ``node`` has such."""
    if node is None or node.op_type != op_type:
        return None, None
    for position, name in enumerate(node.input):
        if name in constants and len(constants[name].dims) in ranks:
            return name, node.input[1 - position]
    return None, None


def _check_keep(keep: tuple[int, ...], classes: int, path: Path) -> None:
    """``classes`` is 0 where the file does not say how many there are."""
    if not keep or min(keep) < 0 or (classes and max(keep) >= classes):
        raise ModelError(f"{path}: the classes to keep must be between 0 and {classes - 1}, and at least one")


def _rename_inputs(node: Any, old: str, new: str) -> None:
    for position, name in enumerate(node.input):
        if name == old:
            node.input[position] = new


def _drop_unused(graph: Any, names: tuple[str, ...]) -> None:
    used = {name for node in graph.node for name in node.input}
    for initializer in [i for i in graph.initializer if i.name in names and i.name not in used]:
        graph.initializer.remove(initializer)
    for leftover in [i for i in graph.input if i.name in names and i.name not in used]:
        graph.input.remove(leftover)


def _add_constant(graph: Any, name: str, value: npt.NDArray[Any]) -> None:
    from onnx import numpy_helper

    graph.initializer.append(numpy_helper.from_array(value, _PREFIX + name))
