"""Lines that read "Name: Li Lei": a question and its answer without any model."""

from __future__ import annotations

import re

from models.layout_ner.candidate import Candidate
from models.layout_ner.example import Span
from schemas.document import Page

QUESTION, ANSWER = "question", "answer"

CONFIDENCE = 0.6
"""A rule of thumb: a colon in running text looks the same."""

_COLON = re.compile(r"(?<!\d)[:\uff1a\ufe55](?!//)|[:\uff1a\ufe55](?!\d|//)")
"""Not the one within a time of day or an address of the web."""

_LONGEST_QUESTION = 40


def colon_pairs(page: Page) -> list[tuple[Candidate, Candidate]]:
    """Questions and answers that stand in one line with a colon between, in reading order."""
    found = []
    for number, line in enumerate(page.lines):
        for question, answer in _places(line.text):
            first, second = (
                Candidate(name, line.text[start:end], (Span(number, start, end),), page.page, CONFIDENCE)
                for name, (start, end) in ((QUESTION, question), (ANSWER, answer))
            )
            found.append((first, second))
    return found


def _places(text: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where questions and answers stand: an answer ends where the word before the next colon begins."""
    colons = [match.start() for match in _COLON.finditer(text)]
    found = []
    begin = 0
    for index, colon in enumerate(colons):
        following = colons[index + 1] if index + 1 < len(colons) else None
        if following is None:
            end = len(text)
        else:
            end = colon + 1 + max(_last_gap(text[colon + 1 : following]), 0)
            if end == colon + 1:
                continue  # no word between two colons: the first is part of what stands before the second
        question, answer = _trimmed(text, begin, colon), _trimmed(text, colon + 1, end)
        if 0 < question[1] - question[0] <= _LONGEST_QUESTION and _says(text, question) and _says(text, answer):
            found.append((question, answer))
        begin = end
    return found


def _last_gap(text: str) -> int:
    """Where the last word begins, wide gaps before narrow ones; 0 where there is but one word."""
    stripped = text.rstrip()
    lead = len(stripped) - len(stripped.lstrip())
    wide = max(stripped.rfind("  ", lead), stripped.rfind("\u3000", lead))
    return max(0, wide if wide >= 0 else stripped.rfind(" ", lead))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _says(text: str, place: tuple[int, int]) -> bool:
    return any(char.isalnum() for char in text[slice(*place)])
