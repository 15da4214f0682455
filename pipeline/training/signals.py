"""Letting Ctrl-C reach a process that computes with OpenVINO and with Paddle.

Paddle gives the main thread an alternate stack of 8 KB for signal handlers, and Python runs its handlers on it where
there is one. Once OpenVINO has asked the kernel for Intel's AMX, a signal's frame holds 8 KB of tiles and does not fit
any more: the kernel ends the process with SIGSEGV at the first signal (sigaltstack(2), Documentation/arch/x86/xstate).
"""

from __future__ import annotations

import ctypes

_SS_DISABLE = 2  # from Linux's <asm-generic/signal-defs.h>


class _Stack(ctypes.Structure):
    _fields_ = [("pointer", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t)]  # noqa: RUF012


def use_own_stack() -> bool:
    """Let this thread's signal handlers run on its usual stack; false where there is no such call.

    To be called after Paddle was imported.
    """
    try:
        call = ctypes.CDLL(None).sigaltstack
    except (AttributeError, OSError):
        return False
    call.argtypes, call.restype = [ctypes.POINTER(_Stack), ctypes.c_void_p], ctypes.c_int
    return bool(call(ctypes.byref(_Stack(None, _SS_DISABLE, 0)), None) == 0)
