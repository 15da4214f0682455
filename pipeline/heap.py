"""Keeping the C heap small.

glibc raises the size from which it takes memory straight from the system whenever such a block is freed, up to 32 MB.
The activations of a network whose input changes shape then come from the heap, which fragments and never shrinks:
detection over five page sizes grew to 1,100 MB, and to 545 MB with the size fixed. (At 1 MiB it is 480 MB, but the
recogniser, whose blocks are smaller, then spends 5 % of its time on fresh pages.)
"""

from __future__ import annotations

import ctypes

# From glibc's <malloc.h>.
_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3

_BLOCK = 4 << 20


def keep_heap_small() -> bool:
    """Give blocks of 4 MiB and more back to the system when freed; false where the C library is not glibc.

    A setting that the user made in the environment (``MALLOC_MMAP_THRESHOLD_``) is overridden too: both belong
    together.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return False
    mallopt.argtypes, mallopt.restype = [ctypes.c_int, ctypes.c_int], ctypes.c_int
    return bool(mallopt(_M_MMAP_THRESHOLD, _BLOCK)) and bool(mallopt(_M_TRIM_THRESHOLD, _BLOCK))
