"""The rules that no linter knows: size of files, packages, what may be imported, lock files, links."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("pipeline", "stages", "models", "schemas")
MAX_LINES = 400

# Distributions whose modules are called otherwise.
MODULE_NAMES = {
    "opencv-python": "cv2",
    "pillow": "PIL",
    "pyyaml": "yaml",
    "pyzmq": "zmq",
    "python-dateutil": "dateutil",
    "python-stdnum": "stdnum",
}

# The extra ``train``: what these files import besides, and nothing outside them may import them on its way.
TRAINING = (
    "models/layout_ner/network.py",
    "models/layout_ner/training/export.py",
    "models/layout_ner/training/loss.py",
    "models/layout_ner/training/trainer.py",
    "pipeline/training/finish.py",
    "pipeline/training/run.py",
    "pipeline/training/session.py",
)


def python_files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def pins(lock: str) -> dict[tuple[str, str], str]:
    """Name and version to the pin's whole text, hashes included."""
    text = (ROOT / "requirements" / lock).read_text()
    blocks = re.split(r"\n(?=[a-z0-9])", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
    found = {}
    for block in filter(str.strip, blocks):
        match = re.match(r"([a-z0-9][a-z0-9.-]*)==([^ ;\\]+)", block)
        assert match is not None, f"not a pin: {block.splitlines()[0]}"
        found[match[1], match[2]] = block
    return found


@pytest.mark.parametrize("path", python_files(*PACKAGES, "tests", "benchmarks", "scripts"), ids=shown)
def test_files_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


@pytest.mark.parametrize("path", python_files(*PACKAGES), ids=shown)
def test_modules_say_what_they_are_and_stand_in_packages(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), f"{shown(path)} has no docstring"
    assert (path.parent / "__init__.py").is_file()


def top_level_imports(path: Path) -> Iterator[str]:
    """Modules imported as soon as this one is: those in functions and behind conditions come later or never."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            yield node.module.partition(".")[0]


def full_imports(path: Path) -> Iterator[str]:
    """The same with the whole path of each module."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def declared_modules() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = (re.match(r"[A-Za-z0-9._-]+", requirement) for requirement in project["dependencies"])
    plain = {match[0].lower() for match in names if match is not None}
    # pydantic's documentation imports the types of its errors from its core, which it pins
    core = {"pydantic_core"} if "pydantic" in plain else set()
    core |= {"multidict", "yarl"} if "aiohttp" in plain else set()  # of which aiohttp's own interface is made
    return {MODULE_NAMES.get(name, name.replace("-", "_")) for name in plain} | core


@pytest.mark.parametrize("path", python_files(*PACKAGES), ids=shown)
def test_a_default_installation_has_what_is_imported(path: Path) -> None:
    allowed = declared_modules() | set(PACKAGES) | set(sys.stdlib_module_names)
    if shown(path) in TRAINING:
        allowed.add("paddle")
    else:
        modules = {name.removesuffix(".py").replace("/", ".") for name in TRAINING}
        assert not modules & set(full_imports(path)), "import it where it is needed: Paddle may not be there"
    assert set(top_level_imports(path)) <= allowed


@pytest.mark.parametrize("lock", ["run.lock", "dev.lock"])
def test_locks_hold_versions_and_hashes_and_no_addresses(lock: str) -> None:
    text = (ROOT / "requirements" / lock).read_text()
    assert "://" not in text
    assert "@" not in text
    for (name, _), block in pins(lock).items():
        first, *hashes = block.rstrip().splitlines()
        assert hashes, name
        assert re.fullmatch(r"[a-z0-9.-]+==[^ ]+( ; [a-z0-9_ .<>=!'()]+)? \\", first, re.IGNORECASE), first
        assert all(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line) for line in hashes), name


def test_the_users_lock_is_part_of_the_developers() -> None:
    assert set(pins("run.lock")) < set(pins("dev.lock"))


def test_only_one_build_of_opencv_is_locked() -> None:
    assert {name for name, _ in pins("dev.lock") if name.startswith("opencv")} == {"opencv-python"}


@pytest.mark.parametrize("lock", sorted(path.name for path in (ROOT / "requirements").glob("*.lock")))
def test_no_lock_holds_what_reports_to_the_web(lock: str) -> None:
    assert "openvino-telemetry" not in {name for name, _ in pins(lock)}


@pytest.mark.parametrize("path", sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]), ids=shown)
def test_links_between_documents_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
    missing = [link for link in links if "://" not in link and not (path.parent / link).exists()]
    assert not missing
