"""Which backend runs which model format: directly, after one conversion to ONNX, or not at all."""

from __future__ import annotations

import importlib.util
from typing import Literal, get_args

from schemas.settings import BackendName

Format = Literal["onnx", "paddle", "paddle-json"]
How = Literal["direct", "convert"]

FORMATS: tuple[Format, ...] = get_args(Format)
BACKENDS: tuple[BackendName, ...] = get_args(BackendName)

# OpenVINO's Paddle front end reads .pdmodel programs only, not the .json programs of PaddlePaddle 3.
TABLE: dict[Format, dict[BackendName, How]] = {
    "onnx": {"openvino": "direct", "onnxruntime": "direct"},
    "paddle": {"openvino": "direct", "onnxruntime": "convert", "paddle": "direct"},
    "paddle-json": {"openvino": "convert", "onnxruntime": "convert", "paddle": "direct"},
}

_MODULES: dict[BackendName, str] = {"openvino": "openvino", "onnxruntime": "onnxruntime", "paddle": "paddle"}


def how(model_format: Format, backend: BackendName) -> How | None:
    """How ``backend`` gets to run a model of this format; None: it cannot."""
    return TABLE[model_format].get(backend)


def backends_for(model_format: Format) -> tuple[BackendName, ...]:
    """The backends that run this format, those that do so without a conversion first."""
    row = TABLE[model_format]
    return tuple(sorted(row, key=lambda backend: row[backend] != "direct"))


def formats_for(backend: BackendName) -> tuple[Format, ...]:
    """The formats that ``backend`` runs, those that need no conversion first."""
    fitting = [f for f in FORMATS if backend in TABLE[f]]
    return tuple(sorted(fitting, key=lambda f: TABLE[f][backend] != "direct"))


def is_installed(backend: BackendName) -> bool:
    """Whether the runtime's package is there; it is not imported."""
    return importlib.util.find_spec(_MODULES[backend]) is not None


def can_convert() -> bool:
    """Whether paddle2onnx, which needs paddlepaddle, is installed."""
    return all(importlib.util.find_spec(name) is not None for name in ("paddle2onnx", "paddle"))
