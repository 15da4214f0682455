"""CASES 26 and 27: memory over many page sizes; ready after warm-up, without a network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.factories.text_pages import TextPage

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
networks = {"detection", "orientation", "recognition", "layout_ner"}
lanes = sum(plan.lanes for plan in engine._plant.plans if plan.stage.name in networks)
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
    assert [path.name for path in tmp_path.iterdir()] == []  # nor is anything written to the user's home
    told = json.loads(done.stdout)
    assert told["text"] == "river window 42"
    assert told["warm"] == told["lanes"] == told["used"]


# In a process of its own, where no memory that other tests have freed can be used again. With room for eight shapes
# instead of dozens, what a shape costs shows itself after a few pages.
SIZES = """
import json
import numpy as np
from pathlib import Path
from pipeline import build_models
from pipeline.engine import Engine
from schemas.requests import ReadRequest
from schemas.settings import load_settings
from tests.factories.text_pages import TextPage, sentence

kept = []

def load_options(**values):
    options = original(**values)
    kept.append(options.shape_cache)
    return original(**values | {"shape_cache": SHAPES})

original, build_models.LoadOptions = build_models.LoadOptions, load_options

def resident():
    line = next(l for l in Path("/proc/self/status").read_text().splitlines() if l.startswith("VmRSS"))
    return int(line.split()[1]) / 1024

rng = np.random.default_rng(26)
engine = Engine(load_settings(in_process=True, precision="f32", cores=2, allow_download=False))
after = []
for part in range(3):
    pages = []
    for i in range(30):
        width, height = (int(side) for side in rng.integers(60, 300, 2))
        pages.append(TextPage.blank(width, height).write(sentence(i + 30 * part, 1), 8, 8, 16).png())
    for future in [engine.submit(ReadRequest(page, "page")) for page in pages]:
        future.result(120)
    after.append(resident())
engine.close()
print(json.dumps({"kept": kept, "after": after}))
"""


@pytest.mark.usefixtures("inklane")
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc to see the memory in use")
def test_memory_stops_growing_over_many_page_sizes(tmp_path: Path) -> None:
    """Each round reads thirty sizes that have not been read before; benchmarks/memory.py reads five hundred.

    What is prepared for a shape is kept for a bounded number of them; without the bound these sixty further sizes
    cost 170 MiB.
    """
    done = subprocess.run(
        [sys.executable, "-c", SIZES.replace("SHAPES", "8")],
        capture_output=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    told = json.loads(done.stdout)
    assert told["kept"]
    assert all(0 < shapes <= 100 for shapes in told["kept"])
    after = told["after"]
    assert after[2] - after[0] < 90, f"resident after each round: {after} MiB"
