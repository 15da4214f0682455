"""Where a signal's handler runs: on the thread's own stack, however small another one is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CODE = """
import ctypes, signal, sys
from pipeline.training.signals import _SS_DISABLE, _Stack, use_own_stack

call = ctypes.CDLL(None).sigaltstack
small = ctypes.create_string_buffer(1 << 16)
assert call(ctypes.byref(_Stack(ctypes.addressof(small), 0, len(small))), None) == 0

def state():
    now = _Stack()
    assert call(None, ctypes.byref(now)) == 0
    return now

assert state().size == len(small) and not state().flags & _SS_DISABLE
assert use_own_stack()
assert state().flags & _SS_DISABLE
seen = []
signal.signal(signal.SIGUSR1, lambda *_: seen.append(1))
signal.raise_signal(signal.SIGUSR1)
assert seen == [1]
print("done")
"""


def test_handlers_leave_a_stack_that_somebody_has_set_up() -> None:
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", CODE], cwd=root, capture_output=True, text=True, check=False)
    assert done.stdout == "done\n", done.stderr
