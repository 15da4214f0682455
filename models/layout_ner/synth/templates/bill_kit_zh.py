"""A Chinese receipt, bill or slip in pieces that may stand in any order: seller, details, customer, goods, sums."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.sheet import Part
from models.layout_ner.synth.templates import bill_words_zh as words
from models.layout_ner.synth.templates import pair_blocks as blocks
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.labels import maybe, parts_of, shrink
from models.layout_ner.synth.templates.pair_blocks import Area, Entry
from models.layout_ner.synth.templates.parts import coded, pick, trimmed
from models.layout_ner.synth.templates.receipts_zh import shop_zh
from models.layout_ner.synth.templates.sale import Sale, sale
from models.layout_ner.synth.templates.tables import Grid, cell
from models.layout_ner.synth.values import companies, dates, goods, identifiers, money, people, places

SIGNS = (
    ("", ""),
    ("", ""),
    ("￥", ""),
    ("¥", ""),
    ("", "元"),
    ("RMB", ""),
    ("￥", "元"),
    ("CNY", ""),
    ("RMB ", ""),
    ("¥ ", ""),
)
NUMBERS = (
    "########",
    "####",
    "@###########",
    "20##############",
    "##########",
    "@@######",
    "######-####",
    "######",
    "#######",
)


@dataclass(slots=True)
class Bill:
    """A receipt under construction; ``before`` and ``after`` stand around sums: a sign or 元."""

    area: Area
    sale: Sale
    day: date
    clock: str
    before: str
    after: str

    @property
    def rng(self) -> random.Random:
        """What decides."""
        return self.area.rng

    # --- who sells ------------------------------------------------------------------------------------------------

    def seller(self, *, align: str | None = None, parts: str = "nap", name: str = "", labelled: float = 0.12) -> None:
        """Name, address and telephone: those of ``parts``."""
        rng, area = self.rng, self.area
        align = align or rng.choice("mmlr")
        if "n" in parts:
            text = name or (companies.company_zh(rng) if maybe(rng, 0.45) else shop_zh(rng))
            key = area.sheet.entity("company", text)
            if maybe(rng, labelled):
                label = pick(rng, "商户名称|店名|门店|商户|收款单位|单位名称|店铺|销售单位|商家|收费单位|服务单位")
                blocks.rows(area, [Entry(label, Part(text, key))], 1, rng.choice(("beside", "tab")))
            else:
                font = rng.choice((area.bold, area.bold, area.how.value_font, area.palette.song, area.palette.kai))
                size = round(area.size * rng.choice((1.0, 1.2, 1.4, 1.7)))
                if font.length(text, size) > 0.95 * area.width and maybe(rng, 0.5):
                    size = shrink(font, text, size, 0.95 * area.width, 11)
                for line in font.broken(text, size, 0.95 * area.width, 0.95 * area.width):
                    if line.strip():
                        area.line(Part(line, key), align=align, font=font, size=size)
            if maybe(rng, 0.12):
                area.line(
                    f"（{places.city_zh(rng)}{pick(rng, '店|路店|广场店|一店|总店|校区|营业厅')}）",
                    align=align,
                )
        rest = [part for part in parts if part in "ap"]
        if maybe(rng, 0.2):
            rest.reverse()
        for part in rest:
            if part == "a":
                self.address(align)
            elif maybe(rng, 0.65):
                label = pick(rng, "电话|联系电话|TEL|服务热线|Tel|客服电话|热线|电 话|☎".replace("|☎", ""))
                area.line(f"{label}{rng.choice((':', '：', ' '))}{identifiers.phone_zh(rng)}", align=align)

    def address(self, align: str) -> None:
        """The address, with a label or without, over as many lines as it takes."""
        rng, area = self.rng, self.area
        text = places.address_zh(rng)
        key = area.sheet.entity("address", text)
        label = (
            pick(rng, "地址|店址|门店地址|地 址|商户地址|营业地址|ADD|单位地址|||")
            if align == "l" or maybe(rng, 0.5)
            else ""
        )
        head = label + rng.choice((":", "：", " ")) if label else ""
        font, room = area.how.value_font, 0.97 * area.width
        pieces = font.broken(text, area.size, room - font.length(head, area.size), room)
        for number, line in enumerate(piece for piece in pieces if piece.strip()):
            area.line([Part(head), Part(line, key)] if head and number == 0 else Part(line, key), align=align)

    def title(self, text: str = "", align: str | None = None) -> None:
        """What kind of paper it is."""
        text = text or pick(self.rng, words.TITLES)
        if len(text) < 6 and maybe(self.rng, 0.2):
            text = " ".join(text)
        chance.heading(self.area, text, self.rng.choice((1.0, 1.2, 1.5)), align or self.rng.choice("mmlr"))

    # --- details --------------------------------------------------------------------------------------------------

    def details(
        self,
        low: int = 0,
        high: int = 4,
        *,
        number: float = 0.88,
        numbers: str = words.NUMBER,
        moments: str = words.MOMENT,
    ) -> list[Entry]:
        """Date, time, number, staff and more, mixed."""
        rng, sheet = self.rng, self.area.sheet
        written = Part(dates.format_date(rng, self.day, "zh"), sheet.entity("date", self.day.isoformat()))
        found: list[Entry] = []
        if maybe(rng, 0.6):
            found.append(
                Entry(
                    "" if maybe(rng, 0.1) else pick(rng, moments),
                    [written, Part(f"{rng.choice((' ', ' ', '  '))}{self.clock}")],
                )
            )
        else:
            found.append(Entry("" if maybe(rng, 0.1) else pick(rng, words.DATE), written))
            if maybe(rng, 0.7):
                found.append(
                    Entry("" if maybe(rng, 0.1) else pick(rng, "时间|时 间|交易时间|打印时间|TIME"), self.clock)
                )
        if maybe(rng, number):
            text = coded(rng, rng.choice(NUMBERS))
            found.append(Entry(pick(rng, numbers), Part(text, sheet.entity("receipt_number", text))))
        if maybe(rng, 0.55):
            who = rng.choice(
                (people.chinese_name(rng), coded(rng, "####"), coded(rng, "0##"), "管理员", "收银01", "自助")
            )
            found.append(Entry(pick(rng, words.STAFF), who))
        for _ in range(rng.randint(low, high)):
            code = coded(rng, rng.choice(("#", "##", "@##", "####", "0##", "###", "######", "########")))
            found.append(Entry(pick(rng, words.OTHERS), code))
        if maybe(rng, 0.7):
            rng.shuffle(found)
        return found

    def customer(self) -> Entry:
        """Whom it was sold to: a name that is not the seller's."""
        rng = self.rng
        name = companies.company_zh(rng) if maybe(rng, 0.4) else people.chinese_name(rng)
        return Entry(pick(rng, words.CUSTOMER), name)

    # --- goods and sums -------------------------------------------------------------------------------------------

    def goods(self) -> None:
        """A table of what was bought, with or without lines and heads, its columns in one of several orders."""
        rng, area = self.rng, self.area
        wide = area.width / area.size
        kinds = rng.choice(
            (
                ("name", "amount"),
                ("name", "quantity", "amount"),
                ("name", "quantity", "price", "amount"),
                ("quantity", "name", "amount"),
            )
            if wide < 26
            else (
                ("name", "quantity", "price", "amount"),
                ("name", "price", "quantity", "amount"),
                ("number", "name", "quantity", "price", "amount"),
                ("number", "name", "amount"),
            )
        )
        share = {"number": 2.8, "quantity": 3.4, "price": 4.6, "amount": 5.2}
        rest = area.width - sum(share.get(kind, 0.0) for kind in kinds) * area.size
        if rest < 5 * area.size:
            kinds = ("name", "amount")
            rest = area.width - share["amount"] * area.size
        edges = [area.left]
        for kind in kinds:
            edges.append(edges[-1] + (rest if kind == "name" else share[kind] * area.size))
        grid = Grid(
            area.sheet,
            edges,
            area.y,
            area.how.value_font,
            area.size,
            colour=area.how.colour,
            pad=0.22,
            least=rng.uniform(1.4, 2.1) * area.size,
            frame=maybe(rng, 0.35),
        )
        align = {"name": "l", "number": "l", "quantity": rng.choice("lrm"), "price": "r", "amount": "r"}
        if maybe(rng, 0.8):
            font = rng.choice((area.bold, area.how.value_font))
            grid.row([cell(pick(rng, words.HEADINGS[kind]), align=align[kind], font=font) for kind in kinds])
        signed = maybe(rng, 0.15)
        cut = maybe(rng, 0.4)
        for number, item in enumerate(self.sale.items, 1):
            name = trimmed(area.how.value_font, item.name, area.size, rest - area.size) if cut else item.name
            values = {
                "number": str(number),
                "name": name,
                "quantity": f"{item.quantity:f}",
                "price": f"{item.price}",
                "amount": ("￥" if signed else "") + f"{item.amount}",
            }
            grid.row([cell(values[kind], align=align[kind]) for kind in kinds])
        area.y = grid.y + 0.4 * area.size

    def figure(self, value: Decimal, name: str | None = None) -> list[Part]:
        """A figure with the bill's sign, marked as a field if ``name`` is given."""
        sheet = self.area.sheet
        sign = self.before.strip() or self.after
        key = sheet.entity("currency", sign) if name == "total" and sign else None
        minus = "-" if value < 0 else ""
        parts = [
            Part(minus + self.before.strip(), key if not minus else None),
            Part(" " if self.before.endswith(" ") else ""),
            Part(f"{abs(value)}", sheet.entity(name, str(value)) if name else None),
            Part(self.after, key if not self.before else None),
        ]
        return [part for part in parts if part.text]

    def sums(self, *, extra: bool = True, totals: str = words.TOTAL) -> list[Entry]:
        """From the goods' sum to the change; total and tax are marked wherever they stand."""
        rng, sale = self.rng, self.sale
        rows: list[Entry] = []
        less = sale.discount > 0 or sale.rounding != 0
        if less or maybe(rng, 0.25):
            rows.append(Entry(pick(rng, words.SUBTOTAL), self.figure(sale.subtotal, None if less else "total")))
        if sale.discount:
            rows.append(Entry(pick(rng, words.DISCOUNT), self.figure(-sale.discount)))
        if sale.rounding:
            rows.append(Entry(pick(rng, "抹零|去零|舍入|抹零金额|四舍五入"), self.figure(sale.rounding)))
        if sale.rate:
            rows.append(Entry(pick(rng, words.TAX), self.figure(sale.tax, "tax")))
        if maybe(rng, 0.15):
            rows.append(
                Entry(
                    pick(rng, "大写|人民币大写|金额大写|合计（大写）|大写金额|人民币（大写）"),
                    money.capitals(sale.total),
                )
            )
        rows.append(Entry(pick(rng, totals), self.figure(sale.total, "total")))
        if extra and maybe(rng, 0.6):
            rows.append(Entry(pick(rng, "现金|实收现金|收款" if sale.change else words.PAID), self.figure(sale.paid)))
            if sale.change:
                rows.append(Entry(pick(rng, words.CHANGE), self.figure(sale.change)))
        if maybe(rng, 0.12):
            rng.shuffle(rows)
        return rows

    def write_sums(self, rows: list[Entry]) -> None:
        """The sums at the right, over the whole width, under one another or in cells; the total larger at times."""
        rng, area = self.rng, self.area
        share = rng.choice((1.0, 1.0, 0.6)) if area.width > 26 * area.size else 1.0
        place = replace(area, left=area.right - share * area.width, width=share * area.width)
        mode = rng.choice(("ends", "ends", "ends", "right", "tab", "beside", "leaders", "cells", "chain", "flow"))
        if mode in ("chain", "flow"):
            getattr(blocks, mode)(place, rows)
            area.y = place.y
            return
        heavy = maybe(rng, 0.4)
        for entry in rows:
            big = heavy and any(
                part.key is not None and area.sheet.named[part.key].name == "total" for part in parts_of(entry.value)
            )
            if big:
                chance.loud(place, entry, "ends" if mode == "cells" else mode)
            elif mode == "cells":
                blocks.cells(place, [entry], 1)
                place.y -= 0.8 * area.size
            else:
                blocks.rows(place, [entry], 1, mode)
        area.y = place.y + (0.9 if mode == "cells" else 0.3) * area.size

    def foot(self, low: int = 0, high: int = 3) -> None:
        """Thanks and rules."""
        align = self.rng.choice("mml")
        for _ in range(self.rng.randint(low, high)):
            self.area.block(pick(self.rng, words.NOTES), align=align)


def bill(
    rng: random.Random,
    palette: Palette,
    *,
    across: tuple[float, float] = (15, 27),
    count: tuple[int, int] = (1, 8),
    price: tuple[float, float] = (1.0, 150.0),
    tax: float = 0.2,
    fonts: tuple[str, ...] = ("song", "hei", "kai", "hei_bold"),
) -> Bill:
    """An empty bill on a page ``across`` characters of its text size wide, and what was sold."""
    area = chance.open_page(rng, palette, chinese=True, across=across, fonts=fonts)
    bought = [(goods.goods_zh(rng), coded(rng, "######")) for _ in range(rng.randint(*count))]
    rate = Decimal(rng.choice((13, 9, 6, 3, 1))) if maybe(rng, tax) else Decimal(0)
    sold = sale(
        rng,
        bought,
        rate=rate,
        inclusive=True,
        low=price[0],
        high=price[1],
        discount=0.3,
        cash=maybe(rng, 0.4),
        whole=0.35,
        round_to=Decimal(rng.choice(("0.01", "0.01", "0.1"))),
    )
    clock = f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}" + (
        f":{rng.randint(0, 59):02d}" if maybe(rng, 0.7) else ""
    )
    before, after = rng.choice(SIGNS)
    return Bill(area, sold, dates.date_between(rng, date(2010, 1, 1), date(2026, 6, 30)), clock, before, after)
