"""A VAT invoice in pieces that may stand in any order: head, buyer, seller, goods, sums, foot."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.sheet import Part
from models.layout_ner.synth.templates import pair_blocks as blocks
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates import vat_words as terms
from models.layout_ner.synth.templates.labels import maybe, parts_of, shrink
from models.layout_ner.synth.templates.marks import seal, squares
from models.layout_ner.synth.templates.pair_blocks import Area, Entry
from models.layout_ner.synth.templates.parts import coded, pick
from models.layout_ner.synth.templates.tables import Cell, Grid, cell
from models.layout_ner.synth.templates.vat_bill import Bill, Party, Row, bill
from models.layout_ner.synth.templates.vat_form import FIELD_OF
from models.layout_ner.synth.values import dates, places


@dataclass(slots=True)
class Invoice:
    """An invoice under construction; ``sign`` stands before sums, outside of the fields."""

    area: Area
    bill: Bill
    digital: bool
    sign: str

    @property
    def rng(self) -> random.Random:
        """What decides."""
        return self.area.rng

    def part(self, name: str, text: str, value: str | None = None, group: int | None = None) -> Part:
        """A value, announced."""
        return Part(text, self.area.sheet.entity(name, text if value is None else value, group))

    def money(self, name: str, value: object) -> list[Part]:
        """A sum, with the sign before it."""
        part = self.part(name, str(value))
        return [Part(self.sign), part] if self.sign else [part]

    # --- head -----------------------------------------------------------------------------------------------------

    def title(self, align: str | None = None) -> None:
        """What it is."""
        rng, area = self.rng, self.area
        text = pick(rng, terms.DIGITAL_TITLES if self.digital else terms.PAPER_TITLES).format(p=places.city_zh(rng))
        align = align or rng.choice("mmmlr")
        chance.heading(area, text, rng.uniform(1.2, 2.0), align)
        if maybe(rng, 0.3):
            seal(area.sheet, area.left + area.width * rng.uniform(0.3, 0.7), area.y, 2.6 * area.size)

    def head(self) -> list[Entry]:
        """Code, number and day, with other numbers between them."""
        rng = self.rng
        written = dates.format_date(rng, self.bill.day, "zh_long" if maybe(rng, 0.8) else "iso")
        found = [
            Entry(pick(rng, terms.NUMBER), self.part("invoice_number", self.bill.number)),
            Entry(pick(rng, terms.DAY), self.part("issue_date", written, self.bill.day.isoformat())),
        ]
        if not self.digital:
            found.insert(0, Entry(pick(rng, terms.CODE), self.part("invoice_code", self.bill.code)))
        near = [
            ("校验码|校 验 码", self.bill.check),
            ("机器编号|机器号码|税控设备号", self.bill.machine),
            ("打印次数|下载次数|页码", "1"),
            ("发票状态|状态", pick(rng, "正常|已查验|蓝字")),
            ("特定业务|业务类型", pick(rng, "建筑服务|旅客运输服务|货物运输|不动产租赁")),
        ]
        others = [Entry(pick(rng, names), text) for names, text in rng.sample(near, rng.choice((0, 0, 1, 2)))]
        return chance.mixed(rng, found, others)

    def bare_number(self) -> None:
        """The number alone on its line, with No before it or with nothing."""
        rng, area = self.rng, self.area
        lead = pick(rng, "No |№|No.|发票号码：|No: |")
        parts = [part for part in (Part(lead), self.part("invoice_number", self.bill.number)) if part.text]
        area.line(
            parts,
            align=rng.choice("lmr"),
            size=round(area.size * rng.choice((1.0, 1.2, 1.5))),
            font=area.how.value_font,
        )

    # --- buyer and seller -----------------------------------------------------------------------------------------

    def party(self, role: str, *, labelled: bool) -> list[Entry]:
        """The pairs of the buyer or the seller; ``labelled``: each label says whose it is."""
        rng = self.rng
        who: Party = self.bill.buyer if role == "buyer" else self.bill.seller
        lead = pick(rng, terms.ROLES[role][1]) if labelled else ""
        name, number = pick(rng, terms.NAME), pick(rng, terms.TAX_ID)
        if labelled:
            name, number = name.replace(" ", ""), number.split("/")[-1]
            if maybe(rng, 0.2):
                name = ""  # 购买方：某某公司
        found = [Entry(lead + name, self.part(f"{role}_name", who.name))]
        if who.tax_id:
            found.append(Entry(lead + number, self.part(f"{role}_tax_id", who.tax_id)))
        if who.address and maybe(rng, 0.45):
            found.append(Entry(lead + pick(rng, "地址、电话|地址及电话|地址电话|单位地址"), who.address))
            found.append(Entry(lead + pick(rng, "开户行及账号|开户银行及账号|开户行|银行账号"), who.account))
        return found

    def party_block(self, area: Area, role: str, way: str) -> None:
        """One party: under a head, beside one, or with its role in each label."""
        rng = self.rng
        place = replace(self, area=area)
        entries = place.party(role, labelled=way == "labelled")
        title = pick(rng, terms.ROLES[role][0])
        if way == "labelled":
            self._pairs(area, entries)
        elif way == "beside":
            font = area.bold
            width = font.length(title, area.size) + 1.4 * area.size
            if width < 0.3 * area.width:
                area.sheet.text(area.left, area.base(), title, font, area.size)
                inner = replace(area, left=area.left + width, width=area.width - width)
                self._pairs(inner, entries)
                area.y = inner.y
            else:
                self.party_heading(area, title)
                self._pairs(area, entries)
        else:
            self.party_heading(area, title)
            self._pairs(area, entries)

    def party_heading(self, area: Area, title: str) -> None:
        """A party's head."""
        if maybe(self.rng, 0.25):
            chance.rule(area)
        chance.heading(area, title + self.rng.choice(("", "", "：")), self.rng.choice((1.0, 1.1, 1.25)))

    def _pairs(self, area: Area, entries: list[Entry]) -> None:
        rng = self.rng
        kind = rng.random()
        if kind < 0.15 and area.width > 26 * area.size:
            blocks.cells(area, entries, 1)
        elif kind < 0.25:
            blocks.under(area, entries, 1)
        else:
            blocks.rows(area, entries, 1, rng.choice(("beside", "beside", "tab", "right")))

    def parties(self) -> None:
        """Buyer and seller, next to each other or one below the other, in either order."""
        rng, area = self.rng, self.area
        roles = ["buyer", "seller"] if maybe(rng, 0.6) else ["seller", "buyer"]
        way = rng.choice(("labelled", "beside", "head", "head"))
        if area.width > 50 * area.size and maybe(rng, 0.55):
            cut, gap = rng.uniform(0.47, 0.53) * area.width, 1.6 * area.size
            sides = [
                replace(area, width=cut - gap / 2),
                replace(area, left=area.left + cut + gap / 2, width=area.width - cut - gap / 2),
            ]
            for side, role in zip(sides, roles, strict=True):
                self.party_block(side, role, way)
            area.y = max(side.y for side in sides)
        else:
            for role in roles:
                self.party_block(area, role, way)
                area.skip(rng.uniform(0.0, 0.8))

    # --- goods and sums -------------------------------------------------------------------------------------------

    def _texts(self, row: Row, number: int, kinds: tuple[str, ...]) -> list[str]:
        values = {
            "number": str(number + 1),
            "name": row.name,
            "specification": row.specification,
            "unit": row.unit,
            "quantity": row.quantity,
            "unit_price": row.unit_price[:11],
            "amount": str(row.amount),
            "rate": row.rate,
            "tax": "***" if not row.rate_value else str(row.tax),
        }
        return [values[kind] for kind in kinds]

    def _cell(self, kind: str, row: Row, number: int, text: str, align: str) -> Cell:
        if kind not in FIELD_OF or not text:
            return cell(text, align=align)
        value = row.rate_value or text if kind == "rate" else text
        return cell(self.part(FIELD_OF[kind], text, value, number), align=align)

    def goods(self, *, sums: bool | None = None) -> bool:
        """The table of goods; returns whether it ends in a row of sums (amount and tax)."""
        rng, area = self.rng, self.area
        kinds = rng.choice(terms.COLUMNS) if area.width > 44 * area.size else ("name", "amount", "rate", "tax")
        font = area.how.value_font
        rows = [self._texts(row, number, kinds) for number, row in enumerate(self.bill.rows)]
        heads = [pick(rng, terms.HEADINGS[kind]) for kind in kinds]
        size, pad = area.size, 0.3 * area.size
        while True:
            widths = []
            for column, kind in enumerate(kinds):
                longest = max((font.length(texts[column], size) for texts in rows), default=0.0)
                if kind in ("amount", "tax"):
                    longest = max(longest, font.length(f"{self.sign}{self.bill.amount}", size))
                least = font.length(heads[column][:3], size)
                widths.append(0.0 if kind == "name" else min(max(longest, least), 9 * size) + 2.6 * pad)
            rest = area.width - sum(widths)
            if rest >= 7 * size or size <= 8:
                break
            size -= 1
        spare = max(0.0, rest - rng.uniform(10, 22) * size) / max(1, len(kinds) - 1)
        edges = [area.left]
        for kind, width in zip(kinds, widths, strict=True):
            edges.append(edges[-1] + (rest - spare * (len(kinds) - 1) if kind == "name" else width + spare))
        frame = maybe(rng, 0.5)
        grid = Grid(
            area.sheet,
            edges,
            area.y,
            font,
            size,
            pad=0.3,
            least=rng.uniform(1.5, 2.3) * size,
            frame=frame,
            colour=area.how.colour,
        )
        align = {
            kind: rng.choice("mr")
            if kind in ("quantity", "unit_price")
            else "r"
            if kind in ("amount", "tax")
            else "l"
            if kind == "name"
            else "m"
            for kind in kinds
        }
        top = area.y
        head_font = rng.choice((area.bold, area.how.label_font))
        grid.row(
            [
                cell(text, align="m" if maybe(rng, 0.6) else align[kind], font=head_font)
                for kind, text in zip(kinds, heads, strict=True)
            ]
        )
        if not frame and maybe(rng, 0.5):
            area.sheet.rule(area.left, top, area.right, top, 1)
            area.sheet.rule(area.left, grid.y, area.right, grid.y, 1)
        for number, (row, texts) in enumerate(zip(self.bill.rows, rows, strict=True)):
            grid.row(
                [self._cell(kind, row, number, text, align[kind]) for kind, text in zip(kinds, texts, strict=True)]
            )
        if not frame and maybe(rng, 0.5):
            grid.y += rng.uniform(0, 5) * size
        with_sums = maybe(rng, 0.7) if sums is None else sums
        if with_sums:
            label = pick(rng, "合计|合 计|小计|合    计|金额合计|总计")
            content: list[Cell] = []
            for kind in kinds:
                if kind in ("amount", "tax"):
                    content.append(cell(self.money(kind, getattr(self.bill, kind)), align="r"))
                else:
                    content.append(cell(label if kind == "name" else "", align="m"))
            grid.row(content)
        area.y = grid.y + 0.5 * size
        return with_sums

    def goods_list(self) -> None:
        """The goods one below the other, each with its figures in rows of their own: narrow invoices."""
        rng, area = self.rng, self.area
        labels = {
            kind: pick(rng, terms.HEADINGS[kind]) for kind in ("name", "quantity", "unit_price", "amount", "rate")
        }
        named = maybe(rng, 0.4)
        for number, row in enumerate(self.bill.rows):
            name = self.part("items.name", row.name, None, number)
            figures = [
                Entry(
                    labels[kind],
                    self.part(FIELD_OF[kind], text, (row.rate_value or text) if kind == "rate" else text, number),
                )
                for kind, text in (
                    ("unit_price", row.unit_price[:11]),
                    ("quantity", row.quantity),
                    ("amount", str(row.amount)),
                    ("rate", row.rate),
                )
                if text and (kind != "rate" or maybe(rng, 0.5))
            ]
            if named:
                blocks.rows(area, [Entry(labels["name"], name), *figures])
            else:
                area.block(name)
                font, y = area.how.value_font, area.base()
                for index, entry in enumerate(figures):
                    text = (
                        [Part(area.how.label(str(entry.label))), *parts_of(entry.value)]
                        if len(figures) < 3
                        else entry.value
                    )
                    x = area.left + area.width * (index + 1) / len(figures)
                    parts = parts_of(text)
                    small = shrink(
                        font,
                        "".join(part.text for part in parts),
                        area.size,
                        area.width / len(figures) - 0.9 * area.size,
                    )
                    area.sheet.text(x, y, parts, font, small, anchor="r")
                area.skip(1.5)
            area.skip(0.2)

    def sums(self, *, split: bool) -> list[Entry]:
        """Total in figures and capitals; with ``split``, amount and tax before them."""
        rng = self.rng
        found: list[Entry] = []
        if split:
            found = [
                Entry(pick(rng, terms.AMOUNT), self.money("amount", self.bill.amount)),
                Entry(pick(rng, terms.TAX), self.money("tax", self.bill.tax)),
            ]
        words = Entry(
            pick(rng, terms.WORDS),
            [Part(rng.choice(("", "", "⊗", "人民币"))), self.part("total_in_words", self.bill.words)],
        )
        words.value = [part for part in parts_of(words.value) if part.text]
        figure = Entry(pick(rng, terms.TOTAL), self.money("total", self.bill.total))
        return [*found, words, figure] if maybe(rng, 0.75) else [*found, figure, words]

    def write_sums(self, entries: list[Entry]) -> None:
        """The sums in one of several ways."""
        rng, area = self.rng, self.area
        kind = rng.random()
        if kind < 0.3 and area.width > 30 * area.size:
            blocks.cells(area, entries, 2 if area.width > 50 * area.size else 1)
        elif kind < 0.5:
            blocks.flow(area, entries)
        elif kind < 0.6:
            blocks.chain(area, entries)
        else:
            blocks.rows(area, entries, 1, rng.choice(("beside", "ends", "tab", "right")))

    def foot(self) -> None:
        """Remarks and the names of those who made it out."""
        rng, area = self.rng, self.area
        if maybe(rng, 0.6):
            text = self.bill.remark or pick(rng, "无|—|")
            blocks.rows(area, [Entry(pick(rng, "备注|备 注|附注"), text)])
        payee, reviewer, drawer = self.bill.people
        names = [
            ("收款人", payee),
            ("复核|复核人|审核", reviewer),
            ("开票人|开票员", drawer),
            ("销售方（章）|开票方章", ""),
        ]
        some = [Entry(pick(rng, label), name) for label, name in names if maybe(rng, 0.6)]
        if some:
            blocks.flow(area, some)


def invoice(
    rng: random.Random, palette: Palette, *, across: tuple[float, float], digital: bool | None = None, most: int = 5
) -> Invoice:
    """An empty page and an invoice to put on it."""
    digital = maybe(rng, 0.55) if digital is None else digital
    area = chance.open_page(rng, palette, chinese=True, across=across, fonts=("song", "hei", "kai", "song"))
    made = bill(rng, digital=digital, most=most)
    if maybe(rng, 0.2):
        squares(area.sheet, area.left, area.y, 4 * area.size, rng)
        area.y += 4.6 * area.size
    return Invoice(area, made, digital, rng.choice(("￥", "¥", "¥", "")))


def code_line(rng: random.Random) -> str:
    """A line of a password area."""
    return "".join(rng.choice("0123456789<>/*-+") for _ in range(rng.choice((21, 27, 28))))


def stray(rng: random.Random) -> str:
    """A number that is none of the invoice's."""
    return coded(rng, rng.choice(("############", "####################", "@@##########")))
