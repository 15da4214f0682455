"""Pieces of VAT invoices: the sheet with its pens, parties, the table of goods, the sums, seals and codes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from PIL import Image, ImageDraw

from models.layout_ner.synth.fonts import Font
from models.layout_ner.synth.sheet import Colour, Part, Sheet
from models.layout_ner.synth.templates.parts import GAP, Content, fitting, maybe, parts_of, pick, plain
from models.layout_ner.synth.templates.vat_bill import Bill, Party, Row

# Per column: the wordings of its heading.
HEADINGS = {
    "name": "货物或应税劳务、服务名称|货物或应税劳务名称",
    "name_digital": "项目名称|项 目 名 称|项目名称",
    "specification": "规格型号",
    "unit": "单位|单 位",
    "quantity": "数量|数 量",
    "unit_price": "单价|单 价",
    "amount": "金额|金 额",
    "rate": "税率",
    "rate_digital": "税率/征收率|税率",
    "tax": "税额|税 额",
}
FIELD_OF = {
    "name": "items.name",
    "quantity": "items.quantity",
    "unit_price": "items.unit_price",
    "amount": "items.amount",
    "rate": "items.tax_rate",
}
RIGHT = ("quantity", "unit_price", "amount", "tax")


@dataclass(slots=True)
class Pen:
    """A font with its size and colour."""

    font: Font
    size: int
    colour: Colour

    def length(self, text: str) -> float:
        """Width in pixels."""
        return self.font.length(text, self.size)


@dataclass(slots=True)
class Form:
    """An invoice while it is filled in: ``label`` for what is pre-printed, ``data`` for what is filled in."""

    sheet: Sheet
    rng: random.Random
    bill: Bill
    label: Pen
    data: Pen
    line: Colour
    colon: str
    sign: str

    def write(
        self, x: float, y: float, content: Content, pen: Pen | None = None, *, width: float = 1e9, anchor: str = "l"
    ) -> float:
        """Write at a baseline, smaller if need be to stay within ``width``; returns the right end."""
        pen = pen or self.data
        parts = parts_of(content)
        size = fitting(pen.font, plain(parts), pen.size, width, 7)
        return self.sheet.text(x, y, parts, pen.font, size, colour=pen.colour, anchor=anchor)

    def named(
        self,
        x: float,
        y: float,
        label: str,
        content: Content,
        *,
        width: float,
        joined: bool,
        gap: float = 1.0,
        label_pen: Pen | None = None,
    ) -> None:
        """Write a label and its value on one line: as one run, or as two with ``gap`` characters between."""
        pen = label_pen or self.label
        parts = parts_of(content)
        if joined:
            self.write(
                x,
                y,
                [Part(label), *parts],
                replace(pen, font=self.data.font, size=self.data.size) if pen is self.label else pen,
                width=width,
            )
            return
        end = self.write(x, y, label, pen)
        start = end + max(GAP, gap) * self.data.size
        if plain(parts):
            self.write(start, y, parts, width=x + width - start)

    def entity(self, name: str, text: str, value: str | None = None, group: int | None = None) -> Part:
        """A value as a part, marked as a field."""
        return Part(text, self.sheet.entity(name, text if value is None else value, group))

    def money(self, name: str, value: str, *, group: int | None = None, sign: bool = True) -> list[Part]:
        """An amount, with the form's currency sign before it, outside of the field."""
        part = self.entity(name, value, value, group)
        return [Part(self.sign), part] if sign and self.sign else [part]


def stacked(form: Form, x: float, top: float, bottom: float, text: str) -> None:
    """Write characters one below the other, spread over a height, as the cells at an invoice's edge have them."""
    step = (bottom - top) / len(text)
    pen = form.label
    size = min(pen.size, max(7, int(step / 1.1)))
    for number, char in enumerate(text):
        form.write(x, top + step * (number + 0.5) + 0.36 * size, char, replace(pen, size=size), anchor="m")


def party_rows(
    party: Party, role: str, rng: random.Random, *, older: bool = False
) -> list[tuple[str, str, str | None]]:
    """Label, value and field name of each row about the buyer or the seller."""
    spread = maybe(rng, 0.5)
    name = pick(rng, "名        称|名    称|名 称|名  称") if spread else "名称"
    tax = pick(
        rng, "纳税人识别号|纳税人识别号|统一社会信用代码/纳税人识别号" if not older else "纳税人识别号|税务登记号"
    )
    return [
        (name, party.name, f"{role}_name"),
        (tax, party.tax_id, f"{role}_tax_id"),
        (pick(rng, "地址、电话|地 址、电 话|地址、 电话"), party.address, None),
        (pick(rng, "开户行及账号|开户行及帐号|开 户 行 及 账 号"), party.account, None),
    ]


def party(
    form: Form,
    rows: Sequence[tuple[str, str, str | None]],
    x: float,
    top: float,
    bottom: float,
    width: float,
    *,
    joined: bool,
) -> None:
    """Write the rows of a party between two heights."""
    step = (bottom - top) / len(rows)
    pen = form.label
    longest = max(pen.length(label + form.colon) for label, _, _ in rows)
    aligned = maybe(form.rng, 0.5)
    for number, (label, value, name) in enumerate(rows):
        y = top + step * (number + 0.5) + 0.34 * form.data.size
        shown = form.entity(name, value) if name and value else Part(value)
        gap = (longest - pen.length(label + form.colon)) / form.data.size + GAP if aligned else GAP + 0.1
        form.named(x, y, label + form.colon, shown, width=width, joined=joined and bool(value), gap=gap)


def wrapped_name(form: Form, text: str, width: float) -> list[str]:
    """The rows a name of goods takes in its column."""
    pen = form.data
    return [line for line in pen.font.broken(text, pen.size, width, width) if line.strip()] or [text]


def goods_table(
    form: Form,
    x0: float,
    x1: float,
    top: float,
    columns: Sequence[tuple[str, float, str]],
    *,
    head: float,
    leading: float,
    room: float,
    ruled: bool = True,
    sums: str = "合计|合 计|合        计",
    sum_height: float = 0.0,
) -> float:
    """Write the table of goods with the row of sums; returns the height at which it ends.

    ``columns``: kind, share of the width, key of the heading. ``head`` is the heading's height, ``leading`` that of a
    row of text, ``room`` the least height for the rows, ``sum_height`` that of the row of sums.
    """
    whole = sum(share for _, share, _ in columns)
    edges = [x0]
    for _, share, _ in columns:
        edges.append(edges[-1] + share / whole * (x1 - x0))
    pad = 0.3 * form.data.size
    for number, (_, _, key) in enumerate(columns):
        heading = pick(form.rng, HEADINGS[key])
        middle, width = (edges[number] + edges[number + 1]) / 2, edges[number + 1] - edges[number] - 2 * pad
        form.write(middle, top + head / 2 + 0.34 * form.label.size, heading, form.label, width=width, anchor="m")
    y = top + head + 0.3 * leading
    for group, row in enumerate(form.bill.rows):
        y += _goods_row(form, row, group, columns, edges, y, pad, leading) * leading
    y = max(y + 0.2 * leading, top + head + room)
    height = sum_height or 1.4 * leading
    baseline = y + height / 2 + 0.34 * form.data.size
    kinds = [kind for kind, _, _ in columns]
    if "amount" in kinds:
        form.write(
            (edges[0] + edges[1]) / 2,
            baseline,
            pick(form.rng, sums),
            form.label,
            anchor="m",
            width=edges[1] - edges[0] - 2 * pad,
        )
        for kind, value in (("amount", form.bill.amount), ("tax", form.bill.tax)):
            column = kinds.index(kind)
            shown = form.money(kind, str(value))
            if kind == "tax" and value == 0 and form.bill.rows[0].rate != "0%":
                shown = [form.entity("tax", "***", "0.00")] if maybe(form.rng, 0.4) else shown
            form.write(
                edges[column + 1] - pad, baseline, shown, anchor="r", width=edges[column + 1] - edges[column] - pad
            )
    if ruled:
        for edge in edges[1:-1]:
            form.sheet.rule(edge, top, edge, y + height, 1, form.line)
    return y + height


def _goods_row(
    form: Form,
    row: Row,
    group: int,
    columns: Sequence[tuple[str, float, str]],
    edges: list[float],
    y: float,
    pad: float,
    leading: float,
) -> int:
    """Write one row of goods; returns how many rows of text it took."""
    values = {
        "name": row.name,
        "specification": row.specification,
        "unit": row.unit,
        "quantity": row.quantity,
        "unit_price": row.unit_price,
        "amount": str(row.amount),
        "rate": row.rate,
        "tax": "***" if not row.rate_value else str(row.tax),
    }
    lines = 1
    baseline = y + 0.5 * leading + 0.34 * form.data.size
    for number, (kind, _, _) in enumerate(columns):
        text = values[kind]
        if not text:
            continue
        width = edges[number + 1] - edges[number] - 2 * pad
        if kind == "name":
            part = form.entity("items.name", text, None, group)
            for index, line in enumerate(wrapped_name(form, text, width)):
                form.write(edges[number] + pad, baseline + index * leading, replace(part, text=line), width=width + pad)
                lines = max(lines, index + 1)
            continue
        value = row.rate_value or text if kind == "rate" else text
        part = form.entity(FIELD_OF[kind], text, value, group) if kind in FIELD_OF else Part(text)
        if kind in RIGHT:
            form.write(edges[number + 1] - pad, baseline, part, anchor="r", width=width)
        else:
            form.write((edges[number] + edges[number + 1]) / 2, baseline, part, anchor="m", width=width)
    return lines


def words_row(
    form: Form,
    x0: float,
    x1: float,
    top: float,
    bottom: float,
    *,
    split: float,
    labels: tuple[str, str],
    mark: str = "⊗",
) -> None:
    """Write the total in capitals and in figures in one row; ``split`` is where the first label's cell ends, in px."""
    y = (top + bottom) / 2 + 0.34 * form.data.size
    bill, size = form.bill, form.data.size
    if not form.data.font.covers(mark):
        mark = ""
    capitals = [part for part in (Part(mark), form.entity("total_in_words", bill.words)) if part.text]
    figure = form.money("total", str(bill.total))
    form.write((x0 + split) / 2, y, labels[0], form.label, anchor="m", width=split - x0 - 6)
    start = split + size
    small = form.label.length(labels[1])
    right = x0 + (x1 - x0) * form.rng.uniform(0.62, 0.7)
    end = form.write(start, y, capitals, width=max(right - start - 1.5 * size, 8 * size))
    right = max(right, end + 1.2 * size)
    if maybe(form.rng, 0.5):
        form.write(right, y, [Part(labels[1]), *figure], width=x1 - right - 4)
    else:
        form.write(right, y, labels[1], form.label)
        form.write(right + small + GAP * size, y, figure, width=x1 - right - small - GAP * size - 4)


def seal(form: Form, x: float, y: float, radius: float, colour: Colour = (214, 60, 60)) -> None:
    """Stamp a round or oval seal over the sheet (drawn, without letters)."""
    flat = form.rng.uniform(0.62, 1.0)

    def paint(_: Image.Image, canvas: ImageDraw.ImageDraw) -> None:
        for width, share in ((3, 1.0), (1, 0.9)):
            canvas.ellipse(
                (x - radius * share, y - radius * flat * share, x + radius * share, y + radius * flat * share),
                outline=colour,
                width=width,
            )

    form.sheet.over.append(paint)


def square_code(form: Form, x: float, y: float, side: float) -> None:
    """Print a two-dimensional bar code (its look only)."""
    cells = 29
    bits = form.rng.getrandbits(cells * cells)

    def paint(_: Image.Image, canvas: ImageDraw.ImageDraw) -> None:
        unit = side / cells
        for number in range(cells * cells):
            if bits >> number & 1:
                left, top = x + number % cells * unit, y + number // cells * unit
                canvas.rectangle((left, top, left + unit, top + unit), fill=(20, 20, 20))
        for corner_x, corner_y in ((0, 0), (cells - 7, 0), (0, cells - 7)):
            for inset, fill in ((0, (20, 20, 20)), (1, (255, 255, 255)), (2, (20, 20, 20))):
                left, top = x + (corner_x + inset) * unit, y + (corner_y + inset) * unit
                right, bottom = x + (corner_x + 7 - inset) * unit, y + (corner_y + 7 - inset) * unit
                canvas.rectangle((left, top, right, bottom), fill=fill)

    form.sheet.under.append(paint)
