"""The front end loads no model, runtime or image library: it must start fast and outlive their crashes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

HEAVY = ("cv2", "openvino", "onnxruntime", "onnx", "paddle", "pypdfium2", "PIL", "shapely", "pyclipper", "models")

CODE = """
import sys
import pipeline.cli.serve, pipeline.server.app, pipeline.server.run, pipeline.worker.open
from pipeline.server.app import make_app
from schemas.settings import load_settings
make_app(load_settings(server={"data_dir": sys.argv[1]}), None)
print(*sorted(name for name in sys.modules if "." not in name or name.startswith("stages.")))
"""


def test_the_front_end_loads_nothing_heavy(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(tmp_path / "data")], cwd=ROOT, check=True, capture_output=True, text=True
    )
    loaded = set(done.stdout.split())
    assert "aiohttp" in loaded
    assert not loaded.intersection(HEAVY)
