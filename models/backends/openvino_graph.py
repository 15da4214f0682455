"""Changes to a network before OpenVINO compiles it: bytes in, classes reduced to the best few inside."""

from __future__ import annotations

from typing import Any

import numpy as np

from models.backends.base import CtcHead, InputFormat
from schemas.errors import ModelError


def bytes_in(model: Any, spec: InputFormat) -> Any:
    """Let the network take uint8 BGR images (N, H, W, 3) and normalise them itself."""
    from openvino import Layout, Type
    from openvino.preprocess import ColorFormat, PrePostProcessor

    # The network wants (pixel * scale - mean) / std, which is (pixel - mean / scale) / (std / scale).
    mean = [value / spec.scale for value in spec.mean]
    std = [value / spec.scale for value in spec.std]
    pre = PrePostProcessor(model)
    image = pre.input()
    image.tensor().set_element_type(Type.u8).set_layout(Layout("NHWC")).set_color_format(ColorFormat.BGR)
    image.model().set_layout(Layout("NCHW"))
    image.preprocess().convert_element_type(Type.f32)
    if spec.channels == "RGB":
        image.preprocess().convert_color(ColorFormat.RGB)
    image.preprocess().mean(mean).scale(std)
    return pre.build()


def ctc_head(model: Any, head: CtcHead, name: str) -> Any:
    """Replace class probabilities (N, T, C) by the best ``top_k`` indices and probabilities (N, T, top_k).

    Where there are fewer classes than ``top_k``, all of them are returned, best first.
    """
    from openvino import Model
    from openvino import opset13 as op

    if len(model.outputs) != 1:
        raise ModelError(f"{name}: a recogniser has one output, this has {len(model.outputs)}")
    probabilities = model.get_results()[0].input_value(0)
    shape = probabilities.get_partial_shape()
    if shape.rank.get_length() != 3:
        raise ModelError(f"{name}: a recogniser's output is (lines, columns, classes), not {shape}")
    if head.keep is not None:
        probabilities = _pruned(probabilities, np.asarray(head.keep, np.int64), name).output(0)
    classes = probabilities.get_partial_shape()[2]
    top_k = min(head.top_k, classes.get_length()) if classes.is_static else head.top_k
    best = op.topk(probabilities, op.constant(np.int32(top_k)), -1, "max", "value", "i32")
    indices, values = op.result(best.output(1)), op.result(best.output(0))
    return Model([indices, values], model.get_parameters(), name)


def _pruned(probabilities: Any, keep: Any, name: str) -> Any:
    """The same probabilities over the kept classes alone: the last layer computes only their columns."""
    from openvino import opset13 as op

    softmax = probabilities.get_node()
    while softmax.get_type_name() == "Identity":
        softmax = softmax.input_value(0).get_node()
    if softmax.get_type_name() != "Softmax":
        raise ModelError(f"{name}: no softmax at the end, so its character set cannot be pruned; use charset full")
    add = softmax.input_value(0).get_node()
    while add.get_type_name() in ("Identity", "Reshape"):
        add = add.input_value(0).get_node()
    if add.get_type_name() != "Add" or add.input_value(0).get_node().get_type_name() != "MatMul":
        raise ModelError(
            f"{name}: the last layer is not linear, so its character set cannot be pruned; use charset full"
        )
    product = add.input_value(0).get_node()
    weights, bias = _constant(product.input_value(1), name), _constant(add.input_value(1), name)
    turned = product.get_attributes()
    weights = weights[keep] if turned["transpose_b"] else weights[..., keep]
    linear = op.matmul(
        product.input_value(0), op.constant(np.ascontiguousarray(weights)), turned["transpose_a"], turned["transpose_b"]
    )
    return op.softmax(op.add(linear, op.constant(np.ascontiguousarray(bias[..., keep]))), -1)


def _constant(output: Any, name: str) -> Any:
    node = output.get_node()
    if node.get_type_name() == "Convert":
        node = node.input_value(0).get_node()
    if node.get_type_name() != "Constant":
        raise ModelError(f"{name}: the last layer's weights are not constant; use charset full")
    return node.get_data().astype(np.float32)
