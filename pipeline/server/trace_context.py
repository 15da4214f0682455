"""The W3C's ``traceparent`` header: the trace that a request belongs to, with or without OpenTelemetry."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass

HEADER = "traceparent"
_FORM = re.compile(r"(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")
_LONGEST = 256


@dataclass(slots=True, frozen=True)
class TraceContext:
    """A place in a trace: 32 and 16 hexadecimal digits. ``parent_id`` is the caller's span; None: the trace is ours."""

    trace_id: str
    span_id: str
    parent_id: str | None
    sampled: bool

    def header(self) -> str:
        """The header as we send it."""
        return f"00-{self.trace_id}-{self.span_id}-{'01' if self.sampled else '00'}"


def continue_trace(header: str | None, *, sample: bool = False) -> TraceContext:
    """Our own place in the caller's trace, or in a new one where the header is none.

    A version that we do not know is read like the first one, which it must begin like.

    Args:
        header: as it was sent.
        sample: what a new trace says of itself.
    """
    found = _FORM.fullmatch(header.strip()) if header is not None and len(header) <= _LONGEST else None
    span_id = secrets.token_hex(8)
    if found is None or (found[1] == "00" and found[5]):
        return TraceContext(secrets.token_hex(16), span_id, None, sampled=sample)
    return TraceContext(found[2], span_id, found[3], sampled=bool(int(found[4], 16) & 1))
