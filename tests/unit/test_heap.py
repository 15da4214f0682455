"""The C heap gives large blocks back."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pipeline.heap import keep_heap_small

_PROGRAM = """
import ctypes
from pipeline.heap import keep_heap_small

class Info(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in
        "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()]

libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.free.argtypes = [ctypes.c_void_p]
libc.mallinfo2.restype = Info
assert keep_heap_small()
# Freeing a block that was mapped makes an unconfigured glibc take the next one of its size from the heap.
libc.free(libc.malloc(24 << 20))
block = libc.malloc(24 << 20)
print(libc.mallinfo2().hblkhd >= 24 << 20)
"""


def test_large_blocks_stay_mapped_after_one_was_freed() -> None:
    if not keep_heap_small():
        pytest.skip("needs glibc")
    done = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"
