"""The status of every error over HTTP, and that the documentation says the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pipeline.server.problems import STATUS, problem, status_of, title
from schemas import errors
from schemas.errors import InklaneError, from_code

ROOT = Path(__file__).parents[2]


def all_codes(base: type[InklaneError] = InklaneError) -> set[str]:
    found = {base.code} if base.__module__ == errors.__name__ else set()
    return found.union(*(all_codes(sub) for sub in base.__subclasses__()))


def test_every_status_is_of_an_error_that_exists() -> None:
    assert STATUS.keys() <= all_codes()


def test_the_documentation_gives_the_status_of_every_error() -> None:
    text = (ROOT / "docs/errors.md").read_text()
    section = text.split("## Over HTTP")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (\d{3}) \| (.+?) \|", section, re.MULTILINE)
    told = {code: int(status) for status, codes in rows for code in re.findall(r"`(\w+)`", codes)}
    assert told == {code: status_of(from_code(code, "")) for code in all_codes()}


@pytest.mark.parametrize("code", sorted(all_codes()))
def test_a_problem_says_what_and_where(code: str) -> None:
    body = problem(from_code(code, "say \ud800 what"), "id-1", "/v1/documents")
    assert body["type"] == f"urn:inklane:error:{code}"
    assert body["title"] == title(code)
    assert body["detail"] == "say \ufffd what"
    assert (body["code"], body["instance"], body["request_id"]) == (code, "/v1/documents", "id-1")
