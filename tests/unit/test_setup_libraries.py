"""``scripts/system_libraries.sh`` on a made-up machine: a Python that lacks libraries, an ldd, an apt-get, an id."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "system_libraries.sh"
TOOLS = ("sh", "sed", "sort", "tail", "tr", "cat", "rm")

# The libraries that are missing are the lines of the file `missing`.
PYTHON = """#!/bin/sh
case $2 in
*find_spec*) echo {root}/cv2 ;;
*) if read -r first < {root}/missing; then
       echo "Traceback (most recent call last):" >&2
       echo "ImportError: $first: cannot open shared object file: No such file or directory" >&2
       exit 1
   fi ;;
esac
"""
LDD = """#!/bin/sh
printf '\\tlibc.so.6 => /lib/libc.so.6 (0x1)\\n'
while read -r name; do printf '\\t%s => not found\\n' "$name"; done < {root}/missing
"""
APT = """#!/bin/sh
echo "$@" >> {root}/apt.log
{does}
"""


class Machine:
    """Commands that are faked, and what was asked of them."""

    def __init__(self, root: Path, missing: list[str], user: str, apt: str | None, ldd: bool) -> None:
        self._root = root
        self.path = root / "bin"
        self.path.mkdir()
        (root / "cv2").mkdir()
        (root / "cv2" / "cv2.abi3.so").touch()
        (root / "missing").write_text("".join(f"{name}\n" for name in missing))
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found is not None
            (self.path / tool).symlink_to(found)
        self._add("python", PYTHON)
        self._add("id", f"#!/bin/sh\necho {user}\n")
        if apt is not None:
            self._add("apt-get", APT, does=apt.format(root=root))
        if ldd:
            self._add("ldd", LDD)

    def _add(self, name: str, text: str, **values: str) -> None:
        (self.path / name).write_text(text.format(root=self._root, **values))
        (self.path / name).chmod(0o755)

    @property
    def apt_calls(self) -> list[str]:
        log = self._root / "apt.log"
        return log.read_text().splitlines() if log.exists() else []

    def run(self) -> subprocess.CompletedProcess[str]:
        command = [str(self.path / "sh"), str(SCRIPT), str(self.path / "python")]
        return subprocess.run(command, env={"PATH": str(self.path)}, capture_output=True, text=True, check=False)


MakeMachine = Callable[..., Machine]


@pytest.fixture
def make(tmp_path: Path) -> MakeMachine:
    def make_machine(
        *missing: str, user: str = "1000", apt: str | None = ": > {root}/missing", ldd: bool = True
    ) -> Machine:
        return Machine(tmp_path, list(missing), user, apt, ldd)

    return make_machine


def test_nothing_missing_asks_nothing(make: MakeMachine) -> None:
    machine = make(user="0")
    done = machine.run()
    assert (done.returncode, done.stdout, done.stderr, machine.apt_calls) == (0, "", "", [])


def test_root_gets_all_that_is_missing_at_once(make: MakeMachine) -> None:
    machine = make("libGL.so.1", "libgthread-2.0.so.0", "libglib-2.0.so.0", "libxcb.so.1", user="0")
    assert machine.run().returncode == 0
    (call,) = machine.apt_calls
    assert call.endswith("install libgl1 libglib2.0-0 libxcb1")


def test_old_package_lists_are_fetched_anew_once(make: MakeMachine) -> None:
    stale = 'case "$*" in *update) : > {root}/fresh ;; *) [ -e {root}/fresh ] && : > {root}/missing ;; esac'
    machine = make("libGL.so.1", user="0", apt=stale)
    assert machine.run().returncode == 0
    assert [call.split()[-1] for call in machine.apt_calls] == ["libgl1", "update", "libgl1"]


@pytest.mark.parametrize("ldd", [True, False])
@pytest.mark.parametrize(
    ("user", "apt", "calls"),
    [
        ("1000", ": > {root}/missing", 0),  # not root
        ("0", None, 0),  # no apt-get
        ("0", "exit 100", 2),  # no network: install, update
        ("0", "exit 0", 1),  # installed, and it is not where it is looked for
    ],
)
def test_where_it_cannot_be_installed_the_command_is_told(
    make: MakeMachine, user: str, apt: str | None, calls: int, ldd: bool
) -> None:
    machine = make("libGL.so.1", "libglib-2.0.so.0", user=user, apt=apt, ldd=ldd)
    done = machine.run()
    assert done.returncode == 1
    assert len(machine.apt_calls) == calls
    assert "libGL.so.1" in done.stderr
    assert f"apt-get install -y libgl1{' libglib2.0-0' if ldd else ''}\n" in done.stderr
    assert "dnf install -y 'libGL.so.1()(64bit)'" in done.stderr


def test_a_library_of_no_known_package_is_named(make: MakeMachine) -> None:
    machine = make("libodd.so.7", user="0")
    done = machine.run()
    assert (done.returncode, machine.apt_calls) == (1, [])
    assert "libodd.so.7" in done.stderr
    assert "apt-get" not in done.stderr


def test_another_error_is_shown_as_it_is(make: MakeMachine) -> None:
    machine = make()
    machine._add("python", "#!/bin/sh\necho 'ModuleNotFoundError: No module named cv2' >&2\nexit 1\n")
    done = machine.run()
    assert done.returncode == 1
    assert "No module named cv2" in done.stderr
