"""What the processor is called, and what it can."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from pathlib import Path


@dataclass(slots=True, frozen=True)
class Processor:
    """Its name as the system gives it, and its features (``avx512_bf16``, say; none where they are unknown)."""

    name: str
    features: frozenset[str] = frozenset()


def processor() -> Processor:
    """The processor of this machine."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    found = parse_cpuinfo(text)
    return Processor(found.name or platform.processor() or platform.machine(), found.features)


def parse_cpuinfo(text: str) -> Processor:
    """The first processor of Linux's ``/proc/cpuinfo``; an empty name where it is not given."""
    pairs = (line.split(":", 1) for line in text.split("\n\n", 1)[0].splitlines() if ":" in line)
    fields = {name.strip(): value.strip() for name, value in pairs}
    # x86 has flags, Arm has features
    features = fields.get("flags") or fields.get("Features") or ""
    return Processor(fields.get("model name", ""), frozenset(features.split()))
