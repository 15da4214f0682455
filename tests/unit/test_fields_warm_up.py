"""Nothing heavy is loaded before it is needed, nor by a document once it was loaded ahead."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("cn2an", "stdnum", "phonenumbers", "dateparser")


def loaded(code: str) -> set[str]:
    """Which heavy packages are loaded after the code ran in a new process."""
    code += f"\nimport sys\nprint(*[name for name in {HEAVY!r} if name in sys.modules])"
    return set(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split())


def test_only_when_needed() -> None:
    assert loaded("import stages.fields.build") == set()


def test_ahead() -> None:
    assert loaded("from stages.fields.warm_up import warm_up\nwarm_up()") == {"cn2an", "stdnum", "phonenumbers"}
