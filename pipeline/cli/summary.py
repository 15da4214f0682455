"""What ``inklane extract`` shows at the end: one row a document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field as attribute
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pipeline.cli.inputs import readable
from schemas.document import Document, Notice
from schemas.errors import InklaneError
from schemas.fields import Field

FEW = 3
"""As many skipped files are named without being asked for."""

PREVIEW = 60
"""Characters of a document's text that its row shows."""

VALUE = 30
"""Characters of one field's value there."""


def printable(text: str) -> str:
    """The text on one line, without the control characters that a terminal would obey."""
    return "".join(
        char if char.isprintable() else " " if char.isspace() else "\N{REPLACEMENT CHARACTER}" for char in text
    )


def counted(number: int, noun: str) -> str:
    """``1 page``, ``2 pages``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


@dataclass(slots=True)
class Summary:
    """Rows of the table and the totals."""

    rows: list[tuple[str, ...]] = attribute(default_factory=list)
    documents: int = 0
    failed: int = 0
    pages: int = 0
    lines: int = 0

    def add_document(self, document: Document) -> None:
        """Count a document that was read."""
        lines = [line for page in document.pages for line in page.lines]
        mean = sum(line.confidence for line in lines) / len(lines) if lines else None
        broken = [page for page in document.pages if page.error is not None]
        self.documents += 1
        self.failed += bool(broken)
        self.pages += len(document.pages)
        self.lines += len(lines)
        self.rows.append(
            (
                document.file,
                str(len(document.pages)),
                str(len(lines)),
                "" if mean is None else f"{mean:.3f}",
                f"{sum(stage.busy_ms for stage in document.timings.values()):.0f}",
                f"{counted(len(broken), 'page')} failed" if broken else preview(document),
            )
        )

    def add_failure(self, name: str, error: InklaneError) -> None:
        """Count a document that could not be read."""
        self.documents += 1
        self.failed += 1
        self.rows.append((name, "", "", "", "", error.code))

    def print(self, console: Console, seconds: float) -> None:
        """Print the table, unless nothing was read, and the totals."""
        table = Table(expand=True)  # so that the text alone gives way where it is narrow
        table.add_column("document", overflow="fold", max_width=max(12, console.width // 3))
        for name in ("pages", "lines", "confidence", "busy ms"):
            table.add_column(name, justify="right", no_wrap=True)
        table.add_column("fields or text", overflow="ellipsis", no_wrap=True, ratio=1)
        for row in self.rows:
            table.add_row(*(Text(printable(cell)) for cell in row))
        if self.pages:
            console.print(table)
        console.print(self.totals(seconds), highlight=False, soft_wrap=True)

    def totals(self, seconds: float) -> str:
        """One sentence about the whole run."""
        read = self.documents - self.failed
        rate = f", {read / seconds:.2f} documents/s" if read and seconds > 0 else ""
        return (
            f"{counted(self.documents, 'document')}, {counted(self.pages, 'page')}, {counted(self.lines, 'line')}, "
            f"{self.failed} failed; "
            f"{seconds:.1f} s{rate}"
        )


def preview(document: Document) -> str:
    """The document's type and its first fields; its text where there is no type."""
    if document.doc_type is None:
        lines = [line.text for page in document.pages for line in page.lines[:20]]
        return " ".join(lines)[:PREVIEW]
    values = []
    for name, field in document.fields.items():
        if isinstance(field, list):
            values.append(f"{name} ({len(field)})")
        else:
            values.append(f"{name}: {_value(field)}")
    return f"{document.doc_type}: {', '.join(values) or 'no fields'}"[: 3 * PREVIEW]


def _value(field: Field) -> str:
    text = field.content if field.value is None or isinstance(field.value, dict) else str(field.value)
    text = f"{text} {field.currency}" if field.currency else text
    return (text if len(text) <= VALUE else text[: VALUE - 1] + "…") + ("?" if field.needs_review else "")


def notices(document: Document) -> list[Notice]:
    """What a user should hear about a document that was read: failed pages, then warnings."""
    return [page.error for page in document.pages if page.error is not None] + document.warnings


def skipped_files(paths: Sequence[Path], *, verbose: bool) -> str:
    """One sentence about files of folders that are no documents; it names them if they are few, or ``verbose``."""
    if verbose or len(paths) <= FEW:
        names = ", ".join(printable(readable(path)) for path in paths)
        return f"skipped, because {'it is no document' if len(paths) == 1 else 'they are no documents'}: {names}"
    return f"skipped {len(paths)} files that are no documents (-v names them)"
