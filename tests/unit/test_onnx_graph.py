"""Edits of ONNX graphs: bytes in, classes reduced inside."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.backends.base import Array, CtcHead, InputFormat, to_float_nchw
from models.backends.onnx_graph import edited
from models.backends.reduce import reduce_ctc
from schemas.errors import BackendUnavailable, ModelError

onnx = pytest.importorskip("onnx", reason="needs onnx")
onnxruntime = pytest.importorskip("onnxruntime", reason="needs onnxruntime")
helper, numpy_helper = onnx.helper, onnx.numpy_helper

CLASSES = 30
BYTES = np.random.default_rng(0).integers(0, 256, (2, 8, 20, 3), dtype=np.uint8)


@dataclass(frozen=True)
class Kind:
    """How an exporter may have written the last layer of a recogniser."""

    constants: str = "initializer"  # or "node"
    identities: bool = False
    bias_first: bool = False
    layer: str = "linear"  # or "no bias", "convolution"
    softmax_axis: int = 2
    weights_as_inputs: bool = False


KINDS = [
    Kind(),
    Kind(constants="node"),
    Kind(identities=True),
    Kind(bias_first=True),
    Kind(layer="no bias"),
    Kind(layer="convolution"),
    Kind(softmax_axis=-1),
    Kind(weights_as_inputs=True),
]


def recogniser(kind: Kind, opset: int = 13) -> Any:
    """Mean over the rows, then a layer and a softmax over the classes: (N, 3, H, W) to (N, W, CLASSES)."""
    rng = np.random.default_rng(7)
    weight = rng.normal(size=(3, CLASSES)).astype(np.float32) * 4
    bias = rng.normal(size=CLASSES).astype(np.float32)
    nodes = [helper.make_node("ReduceMean", ["x"], ["rows"], axes=[2], keepdims=0)]
    constants = {"w": weight, "b": bias}
    if kind.layer == "convolution":
        constants["w"] = np.ascontiguousarray(weight.T[..., None])
        nodes.append(helper.make_node("Conv", ["rows", "w", "b"], ["scores"]))
        nodes.append(helper.make_node("Transpose", ["scores"], ["logits"], perm=[0, 2, 1]))
    else:
        nodes.append(helper.make_node("Transpose", ["rows"], ["columns"], perm=[0, 2, 1]))
        nodes.append(helper.make_node("MatMul", ["columns", "w"], ["product"]))
        operands = ["b", "product"] if kind.bias_first else ["product", "b"]
        nodes.append(helper.make_node("Add", operands, ["logits"]))
    if kind.layer == "no bias":
        nodes[-1] = helper.make_node("Identity", ["product"], ["logits"])
        del constants["b"]
    last = "probabilities" if kind.identities else "y"
    if kind.identities:
        nodes.append(helper.make_node("Identity", ["logits"], ["cast"]))
    nodes.append(helper.make_node("Softmax", ["cast" if kind.identities else "logits"], [last], axis=kind.softmax_axis))
    if kind.identities:
        nodes.append(helper.make_node("Identity", [last], ["y"]))
    tensors = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    if kind.constants == "node":
        nodes[:0] = [helper.make_node("Constant", [], [t.name], value=t) for t in tensors]
    inputs = [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, ["n", 3, "h", "w"])]
    if kind.weights_as_inputs:
        inputs += [helper.make_tensor_value_info(t.name, onnx.TensorProto.FLOAT, list(t.dims)) for t in tensors]
    outputs = [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, ["n", "w", CLASSES])]
    graph = helper.make_graph(nodes, "g", inputs, outputs, [] if kind.constants == "node" else tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def run(model: bytes, inputs: Array) -> list[Array]:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    outputs: list[Array] = session.run(None, {session.get_inputs()[0].name: inputs})
    return outputs


def saved(model: Any, folder: Path) -> Path:
    path = folder / "model.onnx"
    path.write_bytes(model.SerializeToString())
    return path


@pytest.mark.parametrize("spec", [None, InputFormat(), InputFormat("RGB", 1 / 255, (0.4, 0.5, 0.6), (0.3, 0.4, 0.5))])
@pytest.mark.parametrize(
    "head", [None, CtcHead(), CtcHead(top_k=4), CtcHead(keep=(0, 9, 4, 29)), CtcHead(top_k=9, keep=(0, 9, 4))]
)
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_edited_network_equals_the_plain_one_with_the_work_around_it(
    kind: Kind, head: CtcHead | None, spec: InputFormat | None, tmp_path: Path
) -> None:
    model = recogniser(kind)
    floats = to_float_nchw(BYTES, spec or InputFormat())
    full = run(model.SerializeToString(), floats)
    expected = full if head is None else reduce_ctc(full[0], head)
    got = run(edited(saved(model, tmp_path), spec, head), floats if spec is None else BYTES)
    assert [(a.shape, a.dtype) for a in got] == [(a.shape, a.dtype) for a in expected]
    np.testing.assert_allclose(got[-1], expected[-1], atol=1e-5)
    np.testing.assert_array_equal(got[0] if head else 0, expected[0] if head else 0)


def test_pruning_drops_the_weights_of_the_other_classes(tmp_path: Path) -> None:
    model = onnx.load_from_string(edited(saved(recogniser(Kind()), tmp_path), None, CtcHead(keep=(0, 3))))
    onnx.checker.check_model(model)
    assert {tuple(i.dims) for i in model.graph.initializer} == {(3, 2), (2,), (1,)}


def test_sizes_known_to_the_network_stay_known(tmp_path: Path) -> None:
    model = onnx.load_from_string(edited(saved(recogniser(Kind()), tmp_path), InputFormat(), None))
    onnx.checker.check_model(model)
    dims = model.graph.input[0].type.tensor_type.shape.dim
    assert [d.dim_value or d.dim_param for d in dims] == ["n", "h", "w", 3]


@pytest.mark.parametrize("keep", [(), (-1, 0), (0, CLASSES)], ids=str)
def test_classes_that_do_not_exist_cannot_be_kept(keep: tuple[int, ...], tmp_path: Path) -> None:
    for kind in (Kind(), Kind(layer="convolution")):
        with pytest.raises(ModelError, match="classes to keep"):
            edited(saved(recogniser(kind), tmp_path), None, CtcHead(keep=keep))


def test_pruning_needs_a_softmax(tmp_path: Path) -> None:
    model = recogniser(Kind())
    softmax = next(node for node in model.graph.node if node.op_type == "Softmax")
    softmax.op_type = "LogSoftmax"
    with pytest.raises(ModelError, match="softmax"):
        edited(saved(model, tmp_path), None, CtcHead(keep=(0, 1)))


def test_networks_of_another_kind_are_refused(tmp_path: Path) -> None:
    two_inputs, two_outputs, grey = recogniser(Kind()), recogniser(Kind()), recogniser(Kind())
    two_inputs.graph.input.append(helper.make_tensor_value_info("mask", onnx.TensorProto.FLOAT, [1]))
    two_outputs.graph.output.append(helper.make_tensor_value_info("logits", onnx.TensorProto.FLOAT, None))
    grey.graph.input[0].type.tensor_type.shape.dim[1].dim_value = 1
    for model in (two_inputs, grey):
        with pytest.raises(ModelError, match="one input"):
            edited(saved(model, tmp_path), InputFormat(), None)
    with pytest.raises(ModelError, match="one output"):
        edited(saved(two_outputs, tmp_path), None, CtcHead())
    with pytest.raises(ModelError, match="operator set 9"):
        edited(saved(recogniser(Kind(), opset=9), tmp_path), InputFormat(), None)


@pytest.mark.parametrize("content", [b"", b"no model at all", bytes(3000)], ids=["empty", "text", "zeros"])
def test_damaged_files_are_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "m.onnx").write_bytes(content)
    with pytest.raises(ModelError, match=r"m\.onnx"):
        edited(tmp_path / "m.onnx", InputFormat(), None)


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    content = recogniser(Kind()).SerializeToString()
    (tmp_path / "m.onnx").write_bytes(content[: len(content) // 2])
    with pytest.raises(ModelError, match=r"m\.onnx"):
        edited(tmp_path / "m.onnx", InputFormat(), None)


def test_without_onnx_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(BackendUnavailable, match=r"EXTRAS=onnxruntime, .*: pip install 'inklane\[onnxruntime\]'"):
        edited(tmp_path / "m.onnx", InputFormat(), None)
