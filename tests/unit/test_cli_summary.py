"""The table at the end of ``inklane extract``."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from pipeline.cli.summary import FEW, PREVIEW, Summary, counted, preview, skipped_files
from schemas.document import Document, Line, Page, StageTiming
from schemas.errors import DamagedFile
from schemas.fields import Field

ROWS = [
    ("images/card-chinese.webp", "1", "14", "1.000", "12345", "示例市体育中心会员卡 姓名 李样本 " * 2),
    ("scans/2024/" + "very-" * 12 + "long.pdf", "12", "1234", "0.900", "123456", "x" * PREVIEW),
    ("broken.png", "", "", "", "", "damaged_file"),
]


@pytest.mark.parametrize("width", [80, 100, 120, 200])
def test_names_and_numbers_are_whole_and_the_text_gives_way(width: int) -> None:
    printed = io.StringIO()
    Summary(rows=list(ROWS), pages=13).print(Console(file=printed, width=width), 1.0)
    table = printed.getvalue().splitlines()
    assert max(map(len, table)) <= width
    cells = [[cell.strip() for cell in line.split("│")[1:-1]] for line in table if line.startswith("│")]
    assert "".join(row[0] for row in cells) == "".join(row[0] for row in ROWS)
    for column in range(1, 5):
        assert [row[column] for row in cells if row[column]] == [row[column] for row in ROWS if row[column]]
    assert [len(row[5]) > 4 for row in cells if row[5]] == [True] * 3


def test_the_time_is_what_the_stages_spent_on_the_document_not_its_wait() -> None:
    summary = Summary()
    timings = {"decode": StageTiming(900.0, 20.4, 0.0, 1), "recognition": StageTiming(5000.0, 100.2, 90.0, 7)}
    summary.add_document(Document("a.png", pages=[Page(1, 9, 9)], timings=timings, elapsed_ms=7000.0))
    assert summary.rows[0][4] == "121"


def test_a_document_of_a_type_shows_its_fields_instead_of_its_text() -> None:
    row = Field("object", {}, "a 1", 0.9)
    fields: dict[str, Field | list[Field]] = {
        "company": Field("text", "Ten " * 20, "TEN " * 20, 0.9),
        "total": Field("money", "12.00", "RM 12.00", 0.9, currency="MYR"),
        "date": Field("date", None, "30/02/2024", 0.9, needs_review=True),
        "items": [row, row],
    }
    lines = [Line("some text", 0.9, ((0, 0), (9, 0), (9, 9), (0, 9)))]
    document = Document("a.png", "receipt", 0.98, fields, [Page(1, 9, 9, lines=lines)])
    assert (
        preview(document) == f"receipt: company: {('Ten ' * 20)[:29]}…, total: 12.00 MYR, date: 30/02/2024?, items (2)"
    )
    document.fields = {}
    assert preview(document) == "receipt: no fields"
    document.doc_type = None
    assert preview(document) == "some text"
    summary = Summary()
    summary.add_document(document)
    assert summary.rows[0][5] == "some text"


def test_one_is_singular() -> None:
    assert (counted(0, "page"), counted(1, "page"), counted(2, "page")) == ("0 pages", "1 page", "2 pages")
    summary = Summary()
    summary.add_document(Document("a.png", pages=[Page(1, 9, 9)]))
    assert summary.totals(0.0).startswith("1 document, 1 page, 0 lines, 0 failed;")


def test_where_nothing_was_read_there_is_no_table() -> None:
    summary, printed = Summary(), io.StringIO()
    summary.add_failure("a.png", DamagedFile("cut"))
    summary.print(Console(file=printed, width=80), 1.0)
    assert printed.getvalue().splitlines() == ["1 document, 0 pages, 0 lines, 1 failed; 1.0 s"]


def test_skipped_files_are_named_if_few_or_asked_for() -> None:
    paths = [Path(f"in/{number}\x1b.txt") for number in range(FEW + 1)]
    assert skipped_files(paths[:1], verbose=False) == "skipped, because it is no document: in/0\ufffd.txt"
    assert "in/1\ufffd.txt" in skipped_files(paths[:FEW], verbose=False)
    assert skipped_files(paths, verbose=False) == f"skipped {FEW + 1} files that are no documents (-v names them)"
    assert f"in/{FEW}\ufffd.txt" in skipped_files(paths, verbose=True)
