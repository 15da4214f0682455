"""Chinese till receipts for training: shops, restaurants, deliveries, card slips, chemists."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from models.layout_ner.synth.fonts import Font, Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates import till_words_zh as words
from models.layout_ner.synth.templates.parts import Roll, coded, maybe, pick, right_ends, trimmed
from models.layout_ner.synth.templates.sale import Sale, sale
from models.layout_ner.synth.values import companies, dates, goods, identifiers, people, places


@dataclass(slots=True, frozen=True)
class Style:
    """Choices of a family of Chinese receipts; as :class:`receipt_style.TillStyle`."""

    fonts: tuple[str, ...] = ("song", "hei")
    titles: str = words.TITLES
    head: tuple[str, ...] = ("m", "m", "l")
    meta: tuple[str, ...] = ("rows", "two", "tab")
    items: tuple[str, ...] = ("columns", "two-row", "name-amount")
    totals: tuple[str, ...] = ("ends", "inline", "tab", "two")
    address: float = 0.5
    address_place: tuple[str, ...] = ("top", "bottom")
    count: tuple[int, int] = (1, 9)
    price: tuple[float, float] = (1.0, 120.0)
    delivery: bool = False
    tax: float = 0.15
    size: tuple[int, int] = (16, 28)


def chinese_receipt(rng: random.Random, palette: Palette, style: Style) -> Sheet:
    """Lay out a receipt of a family."""
    size = rng.randint(*style.size)
    width = round(size * rng.uniform(17, 26))
    page = width + rng.randint(16, 100)
    left = rng.uniform(8, page - width - 4)
    sheet = Sheet(page, 100)
    font: Font = getattr(palette, rng.choice(style.fonts))
    roll = Roll(sheet, rng, font, size, left, left + width, rng.uniform(10, 90), rng.uniform(1.3, 1.75))
    receipt = _Receipt(rng, roll, palette.hei_bold, style, _bought(rng, style), rng.choice((":", "：", "：", ":")))
    receipt.head()
    receipt.details()
    receipt.divide(0.8)
    receipt.items()
    receipt.divide(0.8)
    receipt.sums()
    receipt.divide(0.5)
    receipt.foot()
    roll.finish(rng.choice((12, 40, 120)))
    return sheet


def shop_zh(rng: random.Random) -> str:
    """A shop's name as its sign says it."""
    brand = "".join(rng.sample(words.SIGNS, rng.choice((2, 2, 3))))
    name = rng.choice(("", "", "", people.chinese_name(rng)[0] + rng.choice("家记氏姐"))) or brand
    branch = rng.choice(
        ("", "", "", f"({places.city_zh(rng)}店)", f"（{places.city_zh(rng)}路店）", f"{places.city_zh(rng)}分店")
    )
    return rng.choice(("", "", places.city_zh(rng))) + name + pick(rng, words.SHOPS) + branch


def _bought(rng: random.Random, style: Style) -> Sale:
    bought = [
        (goods.goods_zh(rng), coded(rng, rng.choice(("69###########", "######", "####", "1######"))))
        for _ in range(rng.randint(*style.count))
    ]
    rate = Decimal(rng.choice((13, 9, 6, 3, 1))) if maybe(rng, style.tax) else Decimal(0)
    return sale(
        rng,
        bought,
        rate=rate,
        inclusive=True,
        low=style.price[0],
        high=style.price[1],
        discount=0.35,
        cash=maybe(rng, 0.45),
        whole=0.35,
        round_to=Decimal(rng.choice(("0.01", "0.01", "0.1", "0.01"))),
    )


@dataclass(slots=True)
class _Receipt:
    rng: random.Random
    roll: Roll
    bold: Font
    style: Style
    sale: Sale
    colon: str

    def divide(self, chance: float) -> None:
        if maybe(self.rng, chance):
            self.roll.separator(self.rng.choice(("dashes", "rule", "-", "=", "*", "dashes", "blank")))

    def head(self) -> None:
        """Shop, kind of paper, perhaps the address."""
        rng, roll = self.rng, self.roll
        company = companies.company_zh(rng) if maybe(rng, 0.4) else shop_zh(rng)
        key = roll.sheet.entity("company", company)
        align = rng.choice(self.style.head)
        big = round(roll.size * rng.choice((1.0, 1.2, 1.5, 1.8)))
        if maybe(rng, 0.12):
            roll.row(pick(rng, words.TITLES), align="m")
        if self.style.delivery:
            roll.row(
                pick(rng, words.PLATFORMS).format(n=rng.randint(1, 299)),
                align="m",
                font=self.bold,
                size=round(roll.size * 1.4),
            )
        if maybe(rng, 0.12):
            roll.pair(pick(rng, "商户名称|店名|门店|商户名") + self.colon, Part(company, key), "inline")
        else:
            roll.block([company], key, align=align, font=self.bold if maybe(rng, 0.6) else roll.font, size=big)
        if maybe(rng, 0.15):
            roll.row(f"({places.city_zh(rng)}{pick(rng, '店|路店|广场店|分店|万达店')})", align=align)
        self.place = rng.choice(self.style.address_place) if maybe(rng, self.style.address) else "none"
        if self.place == "top":
            self.address(align)
        if maybe(rng, 0.75):
            roll.row(
                pick(rng, self.style.titles),
                align=rng.choice("mml"),
                size=round(roll.size * rng.choice((1.0, 1.2, 1.4))),
            )
        roll.skip(rng.choice((0, 0.3, 0.8)))

    place: str = "none"

    def address(self, align: str) -> None:
        """Address and telephone of the shop."""
        rng, roll = self.rng, self.roll
        address = places.address_zh(rng)
        key = roll.sheet.entity("address", address)
        label = pick(rng, "地址|店址|门店地址|地 址|") if align == "l" or maybe(rng, 0.6) else ""
        head = f"{label}{self.colon}" if label else ""
        rows = roll.font.broken(address, roll.size, roll.width - roll.font.length(head, roll.size), roll.width)
        for number, row in enumerate(row for row in rows if row):
            roll.row([Part(head), Part(row, key)] if number == 0 and head else Part(row, key), align=align)
        if maybe(rng, 0.6):
            roll.row(
                f"{pick(rng, '电话|联系电话|TEL|服务热线|订餐电话|Tel')}{self.colon}{identifiers.phone_zh(rng)}",
                align=align,
            )

    def details(self) -> None:
        """Number, date, time, cashier and more."""
        rng, roll, sheet = self.rng, self.roll, self.roll.sheet
        day = dates.date_between(rng, date(2010, 1, 1), date(2026, 6, 30))
        clock = f"{rng.randint(7, 23):02d}:{rng.randint(0, 59):02d}" + (
            f":{rng.randint(0, 59):02d}" if maybe(rng, 0.7) else ""
        )
        key = sheet.entity("date", day.isoformat())
        written = dates.format_date(rng, day, "zh")
        pairs: list[tuple[str, list[Part]]] = []
        if maybe(rng, 0.65):
            pairs.append((pick(rng, words.MOMENT), [Part(written, key), Part(f" {clock}")]))
        else:
            pairs.append((pick(rng, words.DATE), [Part(written, key)]))
            if maybe(rng, 0.7):
                pairs.append((pick(rng, "时间|时 间|交易时间"), [Part(clock)]))
        if maybe(rng, 0.85):
            number = coded(
                rng,
                rng.choice(
                    ("########", "####", "@###########", "20##############", "##########", "@@######", "######-####")
                ),
            )
            pairs.append((pick(rng, words.NUMBER), [Part(number, sheet.entity("receipt_number", number))]))
        if maybe(rng, 0.65):
            who = rng.choice(
                (people.chinese_name(rng), coded(rng, "####"), coded(rng, "0##"), "管理员", "收银01", "自助")
            )
            pairs.append((pick(rng, words.CASHIER), [Part(who)]))
        for _ in range(rng.choice((0, 1, 1, 2, 3))):
            pairs.append(
                (pick(rng, words.OTHERS), [Part(coded(rng, rng.choice(("#", "##", "@##", "####", "0##", "###"))))])
            )
        rng.shuffle(pairs)
        way = rng.choice(self.style.meta)
        at, middle = rng.uniform(0.25, 0.38), rng.uniform(0.5, 0.6)
        if way == "two":
            for start in range(0, len(pairs), 2):
                some = pairs[start : start + 2]
                roll.cells(
                    [
                        ([Part(label + self.colon), *value], middle * index, "l")
                        for index, (label, value) in enumerate(some)
                    ]
                )
            return
        for label, value in pairs:
            bare = label in ("日期", "时间") and maybe(rng, 0.1)
            if way == "tab":
                roll.pair("" if bare else label + self.colon, value, "tab", at=at)
            else:
                roll.row(value if bare else [Part(label + self.colon + rng.choice(("", "", " "))), *value], align="l")

    def items(self) -> None:
        """What was bought."""
        rng, roll = self.rng, self.roll
        way = rng.choice(self.style.items)
        name, count, price, amount = (pick(rng, wording) for wording in words.HEADINGS)
        sign = rng.choice(("", "", "", "￥", "¥"))
        bought = self.sale.items
        amounts = [f"{sign}{item.amount}" for item in bought]
        prices = [f"{item.price}" for item in bought]
        if way == "columns":
            columns = [[count, *(f"{item.quantity:f}" for item in bought)], [price, *prices], [amount, *amounts]]
            if maybe(rng, 0.3):
                columns[0], columns[1] = columns[1], columns[0]
            ends = right_ends(rng, roll.font, roll.size, roll.width, columns, roll.width * 0.3)
            if maybe(rng, 0.92):
                roll.cells(
                    [(name, 0.0, "l"), *((column[0], end, "r") for column, end in zip(columns, ends, strict=True))]
                )
                self.divide(0.6)
            room = ends[0] * roll.width - max(roll.font.length(text, roll.size) for text in columns[0]) - roll.size
            for number, item in enumerate(bought, 1):
                figures = [(column[number], end, "r") for column, end in zip(columns, ends, strict=True)]
                shown = trimmed(roll.font, item.name, roll.size, roll.width)
                if roll.font.length(shown, roll.size) > room or maybe(rng, 0.2):
                    roll.row(shown, align="l")
                    roll.cells(figures)
                else:
                    roll.cells([(shown, 0.0, "l"), *figures])
            return
        if maybe(rng, 0.5):
            roll.cells([(name, 0.0, "l"), (amount, 1.0, "r")])
        times = rng.choice("x×*X")
        numbered = maybe(rng, 0.4)
        counts = [
            f"{item.quantity:f}{times}{item.price}" if way == "two-row" else f"{times}{item.quantity:f}"
            for item in bought
        ]
        ends = right_ends(rng, roll.font, roll.size, roll.width, [counts, amounts], roll.width * 0.4)
        room = ends[0] * roll.width - max(roll.font.length(text, roll.size) for text in counts) - roll.size
        for number, item in enumerate(bought):
            shown = f"{number + 1}.{item.name}" if numbered else item.name
            figures = [(counts[number], ends[0], "r"), (amounts[number], ends[1], "r")]
            if way == "two-row":
                roll.row(trimmed(roll.font, shown, roll.size, roll.width), align="l")
                roll.cells([(trimmed(roll.font, item.code, roll.size, max(room, 0.0)), 0.0, "l"), *figures])
            else:
                roll.cells([(trimmed(roll.font, shown, roll.size, max(room, 3.0 * roll.size)), 0.0, "l"), *figures])

    def sums(self) -> None:
        """From the goods' sum to the change; the sum to pay is the total."""
        rng, roll, sale = self.rng, self.roll, self.sale
        mode = rng.choice(self.style.totals)
        sign, after = rng.choice((("", ""), ("", ""), ("￥", ""), ("¥", ""), ("", "元"), ("RMB", ""), ("￥", "元")))
        at = rng.uniform(0.35, 0.6)
        waiting: list[list[Part]] = []

        def show(wordings: str, value: Decimal, name: str | None = None, *, heavy: bool = False) -> None:
            key = roll.sheet.entity(name, str(value)) if name else None
            currency = roll.sheet.entity("currency", sign or after) if name == "total" and (sign or after) else None
            figures = [
                Part(f"-{sign}" if value < 0 else sign, currency if value >= 0 else None),
                Part(f"{abs(value)}", key),
            ]
            figures.append(Part(after, currency if not sign else None))
            figures = [part for part in figures if part.text]
            label = pick(rng, wordings) + (self.colon if maybe(rng, 0.9) else "")
            if mode == "two":
                waiting.append([Part(label), *figures])
                return
            font = self.bold if heavy else roll.font
            roll.pair(
                label,
                figures,
                mode,
                font=font,
                size=round(roll.size * (rng.choice((1.2, 1.5)) if heavy else 1.0)),
                at=at,
            )

        if maybe(rng, 0.4):
            pieces = sum(1 if item.quantity % 1 else int(item.quantity) for item in sale.items)
            roll.row(
                f"{pick(rng, '总件数|件数|数量合计|商品件数|总数量|共计')}{self.colon}{pieces}"
                + rng.choice(("", "件")),
                align=rng.choice("lr"),
            )
        less = sale.discount > 0 or sale.rounding != 0
        if less or maybe(rng, 0.35):
            show(words.SUBTOTAL, sale.subtotal, None if less else "total")
        if self.style.delivery:
            show("配送费|包装费|打包费|餐盒费", Decimal("0.00"))
        if sale.discount:
            show(words.DISCOUNT, -sale.discount)
        if sale.rounding:
            show("抹零|去零|舍入|抹零金额", sale.rounding)
        if sale.rate:
            show("税额|其中税额|增值税|含税额|税金", sale.tax, "tax")
        show(words.TOTAL, sale.total, "total", heavy=maybe(rng, 0.4))
        if maybe(rng, 0.75):
            cash = sale.change > 0
            show("现金|实收现金|现金支付|收款|付款" if cash else words.PAID, sale.paid)
            if cash or maybe(rng, 0.4):
                show("找零|找回|找赎|找零金额|应找", sale.change)
        if maybe(rng, 0.15):
            roll.row(f"{pick(rng, '会员卡号|卡号')}{self.colon}{coded(rng, '########')}", align="l")
            roll.row(f"{pick(rng, '本次积分|累计积分|卡内余额|余额')}{self.colon}{rng.randint(1, 9999)}", align="l")
        for start in range(0, len(waiting), 2):
            roll.cells([(parts, 0.55 * index, "l") for index, parts in enumerate(waiting[start : start + 2])])

    def foot(self) -> None:
        """Thanks and, where it does not stand above, the address."""
        rng, roll = self.rng, self.roll
        if self.place == "bottom":
            self.address("l")
        align = rng.choice("mml")
        for _ in range(rng.randint(0, 3)):
            roll.paragraph(pick(rng, words.FOOTERS), align=align)


@family("zh_market", "receipt")
def zh_market(rng: random.Random, palette: Palette) -> Sheet:
    """A supermarket: bar codes, many goods."""
    return chinese_receipt(rng, palette, Style(items=("two-row", "columns"), count=(2, 18), address=0.35))


@family("zh_restaurant", "receipt")
def zh_restaurant(rng: random.Random, palette: Palette) -> Sheet:
    """A restaurant's bill."""
    return chinese_receipt(
        rng, palette, Style(titles=words.BILLS, items=("columns", "name-amount"), price=(3, 200), size=(18, 30))
    )


@family("zh_delivery", "receipt")
def zh_delivery(rng: random.Random, palette: Palette) -> Sheet:
    """A meal that is brought: large letters, names with counts."""
    style = Style(
        fonts=("hei", "hei_bold"),
        items=("name-amount",),
        totals=("ends", "inline"),
        delivery=True,
        price=(5, 60),
        address=0.15,
    )
    return chinese_receipt(rng, palette, style)


@family("zh_shop", "receipt")
def zh_shop(rng: random.Random, palette: Palette) -> Sheet:
    """A shop or chemist's: company names, addresses, tax now and then."""
    style = Style(
        fonts=("song", "hei", "kai"),
        items=("columns",),
        totals=("two", "inline", "tab"),
        address=0.8,
        tax=0.35,
        meta=("two", "tab"),
    )
    return chinese_receipt(rng, palette, style)


@family("zh_slip", "receipt")
def zh_slip(rng: random.Random, palette: Palette) -> Sheet:
    """A short receipt of one or two rows: parking, tickets, fuel."""
    style = Style(
        titles=words.SLIPS,
        meta=("rows", "tab"),
        items=("name-amount", "columns"),
        totals=("inline", "tab"),
        count=(1, 2),
        price=(2, 600),
        address=0.6,
    )
    return chinese_receipt(rng, palette, style)
