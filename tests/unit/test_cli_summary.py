"""The table at the end of ``inklane extract``."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from pipeline.cli.summary import PREVIEW, Summary

ROWS = [
    ("images/card-chinese.webp", "1", "14", "1.000", "12345", "示例市体育中心会员卡 姓名 李样本 " * 2),
    ("scans/2024/" + "very-" * 12 + "long.pdf", "12", "1234", "0.900", "123456", "x" * PREVIEW),
    ("broken.png", "", "", "", "", "damaged_file"),
]


@pytest.mark.parametrize("width", [80, 100, 120, 200])
def test_names_and_numbers_are_whole_and_the_text_gives_way(width: int) -> None:
    printed = io.StringIO()
    Summary(rows=list(ROWS)).print(Console(file=printed, width=width), 1.0)
    table = printed.getvalue().splitlines()
    assert max(map(len, table)) <= width
    cells = [[cell.strip() for cell in line.split("│")[1:-1]] for line in table if line.startswith("│")]
    assert "".join(row[0] for row in cells) == "".join(row[0] for row in ROWS)
    for column in range(1, 5):
        assert [row[column] for row in cells if row[column]] == [row[column] for row in ROWS if row[column]]
    assert [len(row[5]) > 4 for row in cells if row[5]] == [True] * 3
