"""Inference runtimes behind one small protocol."""

from __future__ import annotations

from models.backends.base import Backend
from schemas.errors import SettingsError

BACKENDS = ("openvino", "onnxruntime", "paddle")


def get_backend(name: str) -> Backend:
    """The backend called ``name``. Its runtime is imported only when a model is loaded.

    Raises:
        SettingsError: there is no such backend.
    """
    if name == "openvino":
        from models.backends.openvino import OpenVinoBackend

        return OpenVinoBackend()
    if name == "onnxruntime":
        from models.backends.onnxruntime import OnnxRuntimeBackend

        return OnnxRuntimeBackend()
    if name == "paddle":
        from models.backends.paddle import PaddleBackend

        return PaddleBackend()
    raise SettingsError(f"backend: {name!r} is none of {', '.join(BACKENDS)}")
