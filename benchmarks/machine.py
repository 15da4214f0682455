"""What the measurements ran on, and how much memory a process takes."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from pathlib import Path
from typing import Any

PACKAGES = ("inklane", "rapidocr", "openvino", "onnxruntime", "opencv-python-headless", "opencv-python", "numpy")
_FEATURES = ("avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_bf16", "amx_int8")


def describe() -> dict[str, Any]:
    """Processor, cores that may be used, memory, system, versions, and how busy the machine is right now."""
    cpu = _first_processor()
    flags = set(cpu.get("flags", "").split())
    return {
        "processor": cpu.get("model name") or platform.processor() or platform.machine(),
        "features": [name for name in _FEATURES if name in flags],
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


def _first_processor() -> dict[str, str]:
    try:
        text = Path("/proc/cpuinfo").read_text().split("\n\n", 1)[0]
    except OSError:
        return {}
    pairs = (line.split(":", 1) for line in text.splitlines() if ":" in line)
    return {name.strip(): value.strip() for name, value in pairs}


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
