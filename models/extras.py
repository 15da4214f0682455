"""Backends that are extras of the installation: which packages they are, and how to get them."""

from __future__ import annotations

from importlib.util import find_spec

from schemas.errors import BackendUnavailable

PACKAGES = {"openvino": ("openvino",), "onnxruntime": ("onnxruntime", "onnx"), "paddle": ("paddle",)}
"""What each backend imports."""


def how_to_install(backend: str) -> str:
    """The commands that install a backend: from the lock in this project's folder, or with pip elsewhere."""
    if backend == "openvino":
        return "run make install, or elsewhere: pip install openvino"
    return f"run make install EXTRAS={backend}, or elsewhere: pip install 'inklane[{backend}]'"


def require(backend: str) -> None:
    """Look whether a backend's packages are there, without importing them.

    Raises:
        BackendUnavailable: one is not; the message says how to install it.
    """
    missing = [name for name in PACKAGES.get(backend, ()) if find_spec(name) is None]
    if missing:
        raise BackendUnavailable(
            f"the backend {backend} is not installed (no {' and no '.join(missing)}): {how_to_install(backend)}"
        )
