"""Small networks of two inputs, neither of them an image: numbers (N, T) int64 and weights (N, T, 2) float32.

Their outputs are ``sums`` (N, 2), the weights summed over the tokens that are not negative, and ``doubled`` (N, T).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from models.backends.base import Array, ModelFiles


def tokens(count: int, length: int, seed: int = 0) -> tuple[Array, Array]:
    """Inputs, with some padding."""
    rng = np.random.default_rng(seed)
    numbers = rng.integers(-3, 9, (count, length), dtype=np.int64)
    return numbers, rng.normal(size=(count, length, 2)).astype(np.float32)


def expected(numbers: Array, weights: Array) -> list[Array]:
    """What the networks answer."""
    return [(weights * (numbers >= 0)[..., None]).sum(axis=1, dtype=np.float32), numbers * 2]


def files(path: Path, model_format: str, weights: Path | None = None) -> ModelFiles:
    """Such a network on disk."""
    return ModelFiles("tokens", "layout_ner", model_format, path, weights, None, "tokens")


def save_onnx(folder: Path) -> ModelFiles:
    """As ONNX; the graph's first input is ``weights``."""
    import onnx
    from onnx import helper, numpy_helper

    kinds = onnx.TensorProto
    constants = {
        "zero": np.array(0, np.int64),
        "two": np.array(2, np.int64),
        "last": np.array([2], np.int64),
        "along": np.array([1], np.int64),
    }
    nodes = [
        helper.make_node("Less", ["numbers", "zero"], ["negative"]),
        helper.make_node("Not", ["negative"], ["kept"]),
        helper.make_node("Cast", ["kept"], ["mask"], to=kinds.FLOAT),
        helper.make_node("Unsqueeze", ["mask", "last"], ["column"]),
        helper.make_node("Mul", ["weights", "column"], ["masked"]),
        helper.make_node("ReduceSum", ["masked", "along"], ["sums"], keepdims=0),
        helper.make_node("Mul", ["numbers", "two"], ["doubled"]),
    ]
    graph = helper.make_graph(
        nodes,
        "tokens",
        [
            helper.make_tensor_value_info("weights", kinds.FLOAT, ["n", "t", 2]),
            helper.make_tensor_value_info("numbers", kinds.INT64, ["n", "t"]),
        ],
        [
            helper.make_tensor_value_info("sums", kinds.FLOAT, ["n", 2]),
            helper.make_tensor_value_info("doubled", kinds.INT64, ["n", "t"]),
        ],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    path = folder / "tokens.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    return files(path, "onnx")


def save_paddle(folder: Path) -> ModelFiles:
    """As a Paddle program; its first input is ``numbers``."""
    import paddle
    from paddle import nn

    class Network(nn.Layer):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.scale = self.create_parameter([1], default_initializer=nn.initializer.Constant(1.0))

        def forward(self, numbers, weights):  # type: ignore[no-untyped-def]
            mask = (numbers >= 0).astype("float32").unsqueeze(2)
            return (weights * mask * self.scale).sum(axis=1), numbers * 2

    network = Network()
    network.eval()
    spec = [
        paddle.static.InputSpec([-1, -1], "int64", "numbers"),
        paddle.static.InputSpec([-1, -1, 2], "float32", "weights"),
    ]
    paddle.jit.save(network, str(folder / "model"), input_spec=spec)
    return files(folder / "model.json", "paddle-json", folder / "model.pdiparams")
