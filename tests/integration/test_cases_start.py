"""CASES 26 and 27: memory over many page sizes; ready after warm-up, without a network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pipeline.api import Inklane
from schemas.document import Document
from tests.factories.text_pages import TextPage, sentence

ROOT = Path(__file__).resolve().parents[2]

# What the engine does in a process of its own, where nothing is loaded yet and no connection can be made.
START = """
import json, socket, sys

def no_network(*arguments, **options):
    raise AssertionError(f"the network was asked for: {arguments}")

for name in ("connect", "connect_ex", "sendto"):
    setattr(socket.socket, name, no_network)
socket.getaddrinfo = socket.create_connection = no_network

from models.backends.openvino import OpenVinoPredictor
runs = []
run = OpenVinoPredictor.run
OpenVinoPredictor.run = lambda self, *a, **o: (runs.append(id(self)), run(self, *a, **o))[1]

from pipeline.engine import Engine
from schemas.requests import ReadRequest
from schemas.settings import load_settings

engine = Engine(load_settings(in_process=True, precision="f32", cores=2, allow_download=True))
warm = len(set(runs))
lanes = sum(plan.lanes for plan in engine._plant.plans if plan.model is not None)
document = engine.submit(ReadRequest(sys.stdin.buffer.read(), "page")).result(60)
engine.close()
print(json.dumps({"warm": warm, "lanes": lanes, "used": len(set(runs)), "text": document.text}))
"""


@pytest.mark.usefixtures("inklane")  # skips where the models are missing
def test_it_starts_without_a_network_and_is_ready_only_when_every_lane_is_warm(tmp_path: Path) -> None:
    page = TextPage.blank(400, 80).write("river window 42", 20, 20, 30)
    done = subprocess.run(
        [sys.executable, "-c", START],
        input=page.png(),
        capture_output=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)},
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    told = json.loads(done.stdout)
    assert told["text"] == "river window 42"
    assert told["warm"] == told["lanes"] == told["used"]


def resident_mib() -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    raise AssertionError("no VmRSS")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc to see the memory in use")
def test_memory_stops_growing_over_many_page_sizes(inklane: Inklane) -> None:
    """Each round reads thirty sizes that have not been read before; benchmarks/memory.py reads five hundred."""
    rng = np.random.default_rng(26)
    after = []
    for part in range(4):
        pages = []
        for i in range(30):
            width, height = (int(side) for side in rng.integers(60, 420, 2))
            pages.append(TextPage.blank(width, height).write(sentence(i + 30 * part, 1), 8, 8, 16).png())
        assert all(isinstance(document, Document) for document in inklane.read(pages))
        after.append(resident_mib())
    assert after[3] - after[1] < 100, f"resident after each round: {after} MiB"
