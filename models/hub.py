"""PaddleOCR's own model cache, and its hub through the ``paddlex`` package that ``paddleocr`` brings."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from schemas.errors import ModelError

Package = Literal["onnx", "paddle"]  # what the hub calls the formats it serves

# Given a model's name and the formats wanted, best first: the folder the model now lies in.
Fetch = Callable[[str, Sequence[Package]], Path]

_TIMEOUT_S = 1800  # the largest server models over a slow line; a hub that hangs must not hang us for ever
_MARKER = "inklane-model-folder:"

# Older releases of paddlex know one format only and are asked by item.
_CHILD = f"""
import sys
from paddlex.inference.utils.official_models import official_models as hub
name, formats = sys.argv[1], sys.argv[2:]
try:
    folder = hub.get_model_path(name, model_formats=formats) if hasattr(hub, "get_model_path") else hub[name]
except Exception as error:
    sys.exit(f"{{type(error).__name__}}: {{error}}")
print("{_MARKER}" + str(folder))
"""


def cache_root() -> Path:
    """Where PaddleOCR keeps its official models (``PADDLE_PDX_CACHE_HOME``, by default ``~/.paddlex``)."""
    home = os.environ.get("PADDLE_PDX_CACHE_HOME") or Path.home() / ".paddlex"
    return Path(home) / "official_models"


def cached_folders(name: str) -> list[Path]:
    """The folders in PaddleOCR's cache that hold this model, the ONNX package first."""
    root = cache_root()
    return [folder for folder in (root / f"{name}_onnx", root / name) if folder.is_dir()]


def is_installed() -> bool:
    """Whether the package that knows the hub is there; it is not imported."""
    return importlib.util.find_spec("paddlex") is not None


def fetch(name: str, packages: Sequence[Package]) -> Path:
    """Let PaddleOCR fetch a model into its cache.

    It runs in a process of its own: paddlex takes seconds and hundreds of megabytes to import, configures logging,
    and may hang on a network.

    Args:
        name: an official name.
        packages: the formats wanted, best first; the first one that the hub has for this model is fetched.

    Raises:
        ModelError: the package is missing, or the hub cannot be reached or does not know the name.
    """
    if not is_installed():
        raise ModelError(f"Fetching {name} needs PaddleOCR: pip install 'inklane[hub]'")
    command = [sys.executable, "-c", _CHILD, name, *packages]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False, errors="replace"
        )
    except subprocess.TimeoutExpired as error:
        raise ModelError(
            f"PaddleOCR's hub did not deliver {name} in {_TIMEOUT_S // 60} minutes; try again later"
        ) from error
    folders = [line.removeprefix(_MARKER) for line in done.stdout.splitlines() if line.startswith(_MARKER)]
    if done.returncode != 0 or not folders:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise ModelError(f"PaddleOCR's hub did not deliver {name} ({reason}); check the network and the name")
    return Path(folders[-1])
