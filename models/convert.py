"""Paddle models turned into ONNX once, by paddle2onnx, and kept."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from models.formats import can_convert
from models.onnx_metadata import read_metadata
from schemas.errors import ModelError
from schemas.settings import Settings

# Given program, weights and the file to write: the conversion.
Converter = Callable[[Path, Path, Path], None]

_OPSET = 13
_TIMEOUT_S = 900


def cache_dir(settings: Settings) -> Path:
    """Where converted models are kept: the setting, else ``inklane`` in the user's cache (XDG base directories)."""
    if settings.cache_dir is not None:
        return settings.cache_dir
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "inklane"


def to_onnx(
    name: str, model: Path, weights: Path, fingerprint: str, folder: Path, converter: Converter | None = None
) -> Path:
    """The ONNX file of a Paddle model, converted unless that was done before.

    Args:
        name: the model's name, for the file's name and errors.
        model: the program, ``.json`` or ``.pdmodel``.
        weights: the ``.pdiparams`` file.
        fingerprint: of the source files; another fingerprint is another conversion.
        folder: the cache folder (:func:`cache_dir`).
        converter: what converts; None: paddle2onnx in a process of its own.

    Raises:
        ModelError: paddle2onnx is missing or fails, or the folder cannot be written.
    """
    target = folder / "converted" / f"{name}-{fingerprint[:16]}.onnx"
    if target.is_file():
        return target
    if converter is None:
        if not can_convert():
            raise ModelError(
                f"{name} must be turned into ONNX for this backend, which needs paddle2onnx: pip install "
                "'inklane[hub]', or use the backend paddle"
            )
        converter = _paddle2onnx
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        # in the same folder, so that the rename is atomic: nobody ever sees half a model, and whoever comes second
        # replaces the file with its equal
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".converting-") as scratch:
            result = Path(scratch) / "model.onnx"
            converter(model, weights, result)
            read_metadata(result)  # complete, at least
            os.replace(result, target)
    except OSError as error:
        raise ModelError(
            f"{name} cannot be kept as ONNX in {target.parent}: {error}; set cache_dir to a folder that can be written"
        ) from error
    return target


def _paddle2onnx(model: Path, weights: Path, result: Path) -> None:
    # A process of its own: it loads all of Paddle, and a network it does not know can crash it. The optimiser is off,
    # because it may install packages while it runs; the runtimes optimise for themselves.
    command = [
        sys.executable, "-c", "from paddle2onnx.command import main; main()",
        "--model_dir", str(model.parent), "--model_filename", model.name, "--params_filename", weights.name,
        "--save_file", str(result), "--opset_version", str(_OPSET), "--optimize_tool", "None",
    ]  # fmt: skip
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False, errors="replace"
        )
    except subprocess.TimeoutExpired as error:
        raise ModelError(
            f"paddle2onnx took over {_TIMEOUT_S // 60} minutes for {model}; use the backend paddle"
        ) from error
    if done.returncode != 0 or not result.is_file():
        reason = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        raise ModelError(f"paddle2onnx cannot convert {model} ({reason}); use the backend paddle for this model")
