"""Importing OpenVINO without letting it phone home.

``import openvino`` imports its converter, which reports the import to a usage statistics service on the web, unless the
user has opted out: from a process forked by a thread, which later can end in a deadlock, and with an identifier written
to the home directory. Whoever reads documents offline wants none of it. Without the package ``openvino_telemetry``,
which the lock files leave out, OpenVINO uses a stand-in that does nothing; where it is there all the same, it is kept
from being imported.
"""

from __future__ import annotations

import sys
from typing import Any

_TELEMETRY = "openvino_telemetry"


def import_openvino() -> Any:
    """The module ``openvino``.

    Raises:
        ImportError: it is not installed, or does not load.
    """
    blocked = "openvino" not in sys.modules and _TELEMETRY not in sys.modules
    if blocked:
        sys.modules[_TELEMETRY] = None  # type: ignore[assignment]  # the import system's way to say "not there"
    try:
        import openvino
    finally:
        if blocked:
            del sys.modules[_TELEMETRY]
    return openvino
