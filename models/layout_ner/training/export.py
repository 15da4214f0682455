"""A trained network as a model's folder: for OpenVINO and ONNX Runtime as ONNX, for Paddle Inference as its own format.

Both have free batch and length. The folder also holds what the outputs mean and which characters the network knows.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import paddle
from paddle.static import InputSpec

from models.layout_ner.encode import GEOMETRY, PLACES
from models.layout_ner.model_files import Description, write_description
from models.layout_ner.network import LayoutNer
from models.layout_ner.tags import TagSet
from models.layout_ner.vocabulary import Vocabulary
from schemas.errors import ModelError

OPSET = 17


def export(
    network: LayoutNer,
    tags: TagSet,
    vocabulary: Vocabulary,
    folder: Path,
    name: str,
    calibration: dict[str, Any] | None = None,
) -> None:
    """Write a model's folder; what is there under the same names is replaced, all at once at the end.

    Args:
        network: the trained network.
        tags: what its outputs mean.
        vocabulary: the characters it knows.
        folder: where to; it is made.
        name: the model's name in results.
        calibration: see :class:`models.layout_ner.model_files.Description`.

    Raises:
        ModelError: paddle2onnx is not installed, or cannot convert the network.
    """
    if find_spec("paddle2onnx") is None:
        raise ModelError("paddle2onnx is missing: run make install EXTRAS=train, or pip install 'inklane[train]'")
    network.eval()
    network.probabilities = True
    with tempfile.TemporaryDirectory() as temporary:
        made = Path(temporary)
        static = paddle.jit.to_static(network, input_spec=_inputs(), full_graph=True)
        paddle.jit.save(static, str(made / "model"))
        _to_onnx(made)
        write_description(made, Description(name=name, types=tags.fields, calibration=calibration or {}), vocabulary)
        folder.mkdir(parents=True, exist_ok=True)
        for path in sorted(made.iterdir()):
            shutil.copyfile(path, folder / path.name)


def _inputs() -> list[InputSpec]:
    return [
        InputSpec([None, None], "int64", "characters"),
        InputSpec([None, None], "int64", "kinds"),
        InputSpec([None, None], "int64", "line_of"),
        InputSpec([None, None, PLACES], "float32", "places"),
        InputSpec([None, None, GEOMETRY], "float32", "geometry"),
        InputSpec([None], "int64", "hint"),
    ]


def _to_onnx(folder: Path) -> None:
    # In a process of its own: paddle2onnx brings its own copy of Paddle's program reader, and crashes where it fails.
    code = "import sys, paddle2onnx as p; p.export(*sys.argv[1:4], opset_version=int(sys.argv[4]))"
    target = folder / "model.onnx"
    arguments = [str(folder / "model.json"), str(folder / "model.pdiparams"), str(target), str(OPSET)]
    run = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    if run.returncode or not target.is_file():
        raise ModelError(f"paddle2onnx could not convert the network: {run.stderr.strip()[-400:]}")
