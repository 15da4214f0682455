"""How a webhook is signed, in the way of the Standard Webhooks specification, for which receivers find libraries.

The signature is the HMAC-SHA256, in base64, of ``<webhook-id>.<webhook-timestamp>.<body>``, with ``v1,`` before it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

TOLERANCE_S = 300
"""A receiver should refuse what is older or newer, so that nothing can be sent again by others."""

_PREFIX = "whsec_"


def secret_of(master: str, owner: str) -> str:
    """The secret of one API key's webhooks, so that no receiver can pretend to be us to another's.

    Args:
        master: the service's own secret.
        owner: the API key's name; empty where there are none.
    """
    key = hmac.digest(master.encode(), b"inklane webhook " + owner.encode(), hashlib.sha256)
    return _PREFIX + base64.b64encode(key).decode()


def sign(secret: str, message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """The headers that prove where a webhook comes from, and when it was sent."""
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": "v1," + _signature(secret, message_id, str(timestamp), body),
    }


def verify(secret: str, headers: dict[str, str], body: bytes, now: float) -> bool:
    """Whether a webhook is genuine and fresh: what a receiver does.

    Args:
        secret: ours, as :func:`secret_of` gives it.
        headers: of the request, by lower-case name.
        body: as it came, before any parsing.
        now: seconds since 1970.
    """
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdigit()) or abs(now - int(timestamp)) > TOLERANCE_S:
        return False
    expected = "v1," + _signature(secret, message_id, timestamp, body)
    given = headers.get("webhook-signature", "").split(" ")  # several while a secret is being changed
    return any(hmac.compare_digest(expected.encode(), each.encode()) for each in given)


def _signature(secret: str, message_id: str, timestamp: str, body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    signed = f"{message_id}.{timestamp}.".encode() + body
    return base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
