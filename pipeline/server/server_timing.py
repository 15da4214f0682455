"""Where the time went, as browsers show it: the ``Server-Timing`` header."""

from __future__ import annotations

import re
from collections.abc import Iterable

from schemas.document import Document, StageTiming

HEADER = "Server-Timing"

_NO_TOKEN = re.compile(r"[^A-Za-z0-9_]")


def server_timing(documents: Iterable[Document], elapsed_s: float) -> str:
    """Milliseconds by stage and in total.

    ``detection-queue`` is how long an item waited, on average; ``detection`` and ``detection-network`` are the sums
    over all items of all documents, in the lane and in the network. Lanes work side by side, so that they may exceed
    the total.
    """
    sums: dict[str, StageTiming] = {}
    for document in documents:
        for name, timing in document.timings.items():
            total = sums.setdefault(name, StageTiming())
            total.queue_ms += timing.queue_ms
            total.busy_ms += timing.busy_ms
            total.network_ms += timing.network_ms
            total.items += timing.items
    entries = []
    for name, timing in sums.items():
        token = _NO_TOKEN.sub("_", name)
        queue_ms = timing.queue_ms / max(1, timing.items)
        parts = ((f"{token}-queue", queue_ms), (token, timing.busy_ms), (f"{token}-network", timing.network_ms))
        entries += [f"{part};dur={value:.1f}" for part, value in parts if value >= 0.05]
    return ", ".join([*entries, f"total;dur={elapsed_s * 1000:.1f}"])
