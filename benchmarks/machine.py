"""What the measurements ran on, and how much memory a process takes."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from pathlib import Path
from typing import Any

from pipeline.tuning.machine import processor

PACKAGES = ("inklane", "rapidocr", "openvino", "onnxruntime", "opencv-python", "numpy")
_FEATURES = ("avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_bf16", "amx_int8")


def describe() -> dict[str, Any]:
    """Processor, cores that may be used, memory, system, versions, and how busy the machine is right now."""
    cpu = processor()
    return {
        "processor": cpu.name,
        "features": [name for name in _FEATURES if name in cpu.features],
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "packages": {name: version for name in PACKAGES if (version := _version(name))},
        "load": load(),
    }


def load() -> float:
    """Processes that wanted to run, on average over the last minute."""
    return round(os.getloadavg()[0], 2)


def memory(pid: int | str = "self") -> dict[str, float]:
    """Resident memory of a process in MiB: ``rss`` now, ``peak`` since its start."""
    fields = _status(Path(f"/proc/{pid}/status").read_text())
    return {"rss": fields["VmRSS"] / 1024, "peak": fields["VmHWM"] / 1024}


def _status(text: str) -> dict[str, int]:
    """The fields of ``/proc/PID/status`` that are given in kB."""
    pairs = (line.split(":", 1) for line in text.splitlines() if line.endswith(" kB"))
    return {name: int(value.split()[0]) for name, value in pairs}


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
