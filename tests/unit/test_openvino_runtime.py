"""OpenVINO is imported without its telemetry, whether that is installed or not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("openvino", reason="needs openvino")

ROOT = Path(__file__).resolve().parents[2]

TELEMETRY = """
from pathlib import Path
Path("imported").touch()
class Telemetry:
    def __init__(self, *a, **k): pass
    def send_event(self, *a, **k): Path("sent").touch()
"""

IMPORT = """
import os
os.register_at_fork(before=lambda: open("forked", "w"))
from models.backends.openvino_runtime import import_openvino
first, second = import_openvino(), import_openvino()
assert first is second
first.Core()
import openvino_telemetry  # whoever wants it gets it
"""


@pytest.mark.parametrize("how", [IMPORT, "import openvino"], ids=["ours", "as it is"])
def test_importing_openvino_reports_nothing(tmp_path: Path, how: str) -> None:
    package = tmp_path / "site" / "openvino_telemetry"
    (package / "backend").mkdir(parents=True)
    (package / "__init__.py").write_text(TELEMETRY)
    (package / "backend" / "__init__.py").touch()
    (package / "backend" / "backend_ga4.py").touch()
    home = tmp_path / "home"
    home.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", how],
        cwd=home,
        env={**os.environ, "PYTHONPATH": f"{package.parent}:{ROOT}", "HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    left = sorted(path.name for path in home.iterdir())
    if how is IMPORT:
        assert left == ["imported"]  # by the last line alone
    else:  # the test's own proof: so it goes where nobody keeps it from it
        assert left == ["imported", "sent"]
