"""docs/errors.md names every code there is, and none that there is not."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from schemas import errors
from schemas.errors import InklaneError

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/errors.md").read_text()


def all_errors(base: type[InklaneError] = InklaneError) -> set[type[InklaneError]]:
    found = {base}
    for sub in base.__subclasses__():
        found |= all_errors(sub)
    return {error for error in found if error.__module__ == errors.__name__}


def notice_codes() -> set[str]:
    """The codes that stand in the code as ``Notice("code", ...)``, or as a constant of the module in its place."""
    codes = set()
    for package in ("schemas", "models", "stages", "pipeline"):
        for file in (ROOT / package).rglob("*.py"):
            module = ast.parse(file.read_text(encoding="utf-8"))
            constants = {
                target.id: node.value
                for node in module.body
                if isinstance(node, ast.Assign)
                for target in node.targets
                if isinstance(target, ast.Name)
            }
            for node in ast.walk(module):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Notice" and node.args:
                    code: ast.expr | None = node.args[0]
                    if isinstance(code, ast.Name):
                        code = constants.get(code.id)
                    if isinstance(code, ast.Constant) and isinstance(code.value, str):
                        codes.add(code.value)
    return codes


def test_every_error_is_documented_with_its_class() -> None:
    tables = TEXT.split("## Warnings")[0]
    rows = set(re.findall(r"^\| `(\w+)` \| `(\w+)` \|", tables, re.MULTILINE))
    assert rows == {(error.code, error.__name__) for error in all_errors()}


def test_every_warning_is_documented() -> None:
    rows = set(re.findall(r"^\| `(\w+)` \|", TEXT.split("## Warnings")[1], re.MULTILINE))
    assert rows == notice_codes() - {error.code for error in all_errors()}
    assert rows
