"""The command with standard streams that are closed or full: a sentence and an exit status, no traceback, no mix-up."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.factories.images import encode, page_image

ROOT = Path(__file__).parents[2]


def _extract(folder: Path, redirection: str) -> subprocess.CompletedProcess[bytes]:
    page = folder / "page.png"
    page.write_bytes(encode(page_image("RGB"), "PNG"))
    shell = f'exec "$0" -m pipeline extract "$1" --json {redirection}'
    command = ["sh", "-c", shell, sys.executable, str(page)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, timeout=120, check=False)


@pytest.mark.parametrize("closed", ["2>&-", "<&-", "<&- 2>&-"])
def test_results_are_whole_whatever_else_is_closed(tmp_path: Path, closed: str) -> None:
    done = _extract(tmp_path, closed)
    assert done.returncode == 0
    assert [json.loads(line)["file"] for line in done.stdout.splitlines()] == [str(tmp_path / "page.png")]


@pytest.mark.parametrize("useless", [">&-", ">&- <&-", ">/dev/full"])
def test_results_that_cannot_be_written_are_an_error(tmp_path: Path, useless: str) -> None:
    done = _extract(tmp_path, useless)
    assert done.returncode == 1
    assert b"standard output" in done.stderr
    assert b"Traceback" not in done.stderr
