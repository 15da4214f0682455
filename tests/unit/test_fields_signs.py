from __future__ import annotations

import pytest

from models.layout_ner.candidate import Candidate
from models.layout_ner.example import Span
from schemas.document import Line, Page
from stages.fields.signs import with_sign

BOX = ((0.0, 0.0), (100.0, 0.0), (100.0, 10.0), (0.0, 10.0))


@pytest.mark.parametrize(
    ("line", "amount", "content"),
    [
        ("TOTAL RM 9.00", "9.00", "RM 9.00"),
        ("TOTAL RM9.00", "9.00", "RM9.00"),
        ("合计 ￥12.00", "12.00", "￥12.00"),
        ("实付12.00元", "12.00", "12.00元"),
        ("TOTAL 9.00", "9.00", "9.00"),
        ("TOTAL (RM) 9.00", "9.00", "9.00"),  # belongs to the label
        ("FIRM 9.00", "9.00", "9.00"),  # the end of a word is no sign
        ("USD 9.00 RMB", "9.00", "USD 9.00"),
        ("$9.00", "$9.00", "$9.00"),
    ],
)
def test_the_sign_directly_beside_an_amount_is_part_of_it(line: str, amount: str, content: str) -> None:
    start = line.index(amount)
    page = Page(1, 100, 100, lines=[Line(line, 1.0, BOX)])
    extended = with_sign(Candidate("total", amount, (Span(0, start, start + len(amount)),), 1, 0.9), page)
    assert extended.content == content
    [span] = extended.spans
    assert line[span.start : span.end].strip() == content


def test_without_its_page_a_candidate_stays_as_it_is() -> None:
    candidate = Candidate("total", "9.00", (Span(0, 0, 4),), 1, 0.9)
    assert with_sign(candidate, None) is candidate
