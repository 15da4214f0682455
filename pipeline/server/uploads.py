"""One file that was sent to the service: in memory while it is small, else on disk."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path


@dataclass(slots=True, eq=False)
class Upload:
    """A file as it was received. Either ``data`` or ``path`` is set.

    Whoever holds it calls :meth:`discard` in the end. To keep the file, move ``path`` elsewhere before.
    """

    name: str
    size: int
    sha256: str
    data: bytes | None = None
    path: Path | None = None

    @classmethod
    def of(cls, name: str, data: bytes) -> Upload:
        """A file in memory."""
        return cls(name, len(data), hashlib.sha256(data).hexdigest(), data=data)

    @property
    def source(self) -> Path | bytes:
        """What a reader reads."""
        if self.path is not None:
            return self.path
        return self.data if self.data is not None else b""

    def discard(self) -> None:
        """Forget the file. Idempotent; one that was moved elsewhere stays there."""
        self.data = None
        if self.path is not None:
            self.path.unlink(missing_ok=True)
