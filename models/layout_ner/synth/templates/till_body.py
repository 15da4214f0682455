"""Items, sums and tax table of an English receipt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from models.layout_ner.synth.sheet import Part
from models.layout_ner.synth.templates import till_words as words
from models.layout_ner.synth.templates.parts import maybe, pick, plain, right_ends, trimmed
from models.layout_ner.synth.templates.sale import Item
from models.layout_ner.synth.templates.till_head import Till


def money(value: Decimal, *, comma: bool = True) -> str:
    """A figure with two places, thousands apart by a comma."""
    return f"{value:,.2f}" if comma else f"{value:.2f}"


def items(till: Till) -> None:
    """What was bought, in one of the style's layouts."""
    rng, roll = till.rng, till.roll
    way = rng.choice(till.style.items)
    mark = rng.choice(words.MARKS) if maybe(rng, 0.4) else ""
    signed = maybe(rng, 0.2)
    names = {column: till.say(wordings) for column, wordings in words.HEADINGS.items()}
    headed = maybe(rng, till.style.headings)
    if way == "columns":
        _columns(till, names if headed else None, mark)
        return
    if headed:
        roll.cells(
            [(names["quantity"], 0.0, "l"), (names["name"], 0.16, "l"), (names["amount"], 1.0, "r")]
            if way == "quantity-name"
            else [(names["name"], 0.0, "l"), (names["amount"], 1.0, "r")]
        )
        till.divide(0.6)
    counts = max(roll.font.length(_count(item), roll.size) for item in till.sale.items)
    place = max(0.1, (counts + roll.size) / roll.width)
    for item in till.sale.items:
        amount = (
            (till.sign + rng.choice(("", "")) if signed else "") + money(item.amount) + (f" {mark}" if mark else "")
        )
        if way == "quantity-name":
            roll.cells(
                [(_count(item), 0.0, "l"), (_cut(till, item.name, 0.66 - place), place, "l"), (amount, 1.0, "r")]
            )
            if maybe(rng, 0.15):
                roll.row(
                    "  " + pick(rng, "No ice|Less sugar|Take away|Add egg|Large|Spicy|w/ cheese|- no onion"), align="l"
                )
        elif way == "name-amount":
            name = f"{item.code} {item.name}" if maybe(rng, 0.4) else item.name
            roll.cells([(_cut(till, name, 0.66), 0.0, "l"), (amount, 1.0, "r")])
            if item.quantity != 1 or maybe(rng, 0.2):
                roll.row(
                    pick(rng, "  {q} x {p}|@{q} X {c} {p}|{q} @ {p}|  {q}PC @ {p}").format(
                        q=_count(item), p=money(item.price), c=till.sign
                    ),
                    align="l",
                )
        else:
            roll.row(_cut(till, item.name, 1.0), align="l")
            if maybe(rng, 0.35):
                roll.row(item.code, align="l")
                roll.cells(
                    [(f"{_count(item)} X {money(item.price)}", rng.choice((0.5, 0.55)), "l"), (amount, 1.0, "r")]
                )
            else:
                roll.cells(
                    [
                        (item.code, 0.0, "l"),
                        (f"{_count(item)} {rng.choice('xX@')} {money(item.price)}", 0.72, "r"),
                        (amount, 1.0, "r"),
                    ]
                )


def _count(item: Item) -> str:
    return f"{item.quantity:f}"


def _cut(till: Till, name: str, share: float) -> str:
    roll = till.roll
    return trimmed(roll.font, roll.case(name), roll.size, roll.width * share)


def _columns(till: Till, names: dict[str, str] | None, mark: str) -> None:
    rng, roll, bought = till.rng, till.roll, till.sale.items
    own_row = maybe(rng, 0.6)  # the name has its row; below or above it stand the figures
    times = " X" if own_row and maybe(rng, 0.1) else ""
    columns = [
        [_count(item) + times for item in bought],
        [money(item.price) for item in bought],
        [money(item.amount) for item in bought],
    ]
    if mark:
        columns.append([mark] * len(bought))
    heads = [names["quantity"], names["price"], names["amount"], names["mark"]][: len(columns)] if names else []
    widest = [[*column, *heads[index : index + 1]] for index, column in enumerate(columns)]
    lead = roll.width * (0.24 if own_row else 0.42)
    ends = right_ends(rng, roll.font, roll.size, roll.width, widest, lead)
    if names:
        head = _cut(till, names["name"], 0.3)
        roll.cells([(head, 0.0, "l"), *((text, end, "r") for text, end in zip(heads, ends, strict=True))])
        till.divide(0.7)
    share = (
        ends[0]
        - max(roll.font.length(text, roll.size) for text in widest[0]) / roll.width
        - 1.0 * roll.size / roll.width
    )
    name_first = maybe(rng, 0.6)
    for number, item in enumerate(bought):
        figures = [(column[number], end, "r") for column, end in zip(columns, ends, strict=True)]
        if own_row and name_first:
            roll.row(_cut(till, item.name, 1.0), align="l")
            roll.cells(figures)
        elif own_row:
            roll.cells([(_cut(till, item.code, max(share, 0.1)), 0.0, "l"), *figures])
            roll.row(_cut(till, item.name, 1.0), align="l")
        else:
            roll.cells([(_cut(till, item.name, max(share, 0.12)), 0.0, "l"), *figures])


@dataclass(slots=True)
class _Sums:
    """How a receipt's sums are printed, the same for all of its rows."""

    till: Till
    mode: str
    at: float
    signed: bool
    space: str
    colon: str
    negative: str

    def show(
        self, wordings: str, value: Decimal, name: str | None = None, *, sign: bool = False, heavy: bool = False
    ) -> None:
        """Write one row; with ``name``, its figure is that field (and a total's currency sign is marked)."""
        till, rng, roll = self.till, self.till.rng, self.till.roll
        sign = sign or self.signed
        label = till.say(wordings)
        if sign:  # the sign stands by the figure
            label = label.removesuffix(f"({till.sign})").removesuffix(f" {till.sign}").rstrip()
        label += self.colon
        figure = money(abs(value))
        key = roll.sheet.entity(name, str(value)) if name else None
        figures = [Part(self.negative.format(figure) if value < 0 else figure, key)]
        if sign:
            currency = roll.sheet.entity("currency", till.sign) if name == "total" else None
            figures = [part for part in (Part(till.sign, currency), Part(self.space), *figures) if part.text]
        labels = _label(till, label) if name == "total" and not sign else [Part(label)]
        size = round(roll.size * rng.choice((1.0, 1.2, 1.35, 1.6))) if heavy else roll.size
        roll.pair(labels, figures, self.mode, font=till.bold if heavy else roll.font, size=size, at=self.at)


def sums(till: Till) -> None:
    """Subtotal to change; the total, its currency and the tax are marked wherever they are printed."""
    rng, roll, sale = till.rng, till.roll, till.sale
    rows = _Sums(
        till,
        rng.choice(till.style.totals),
        rng.uniform(0.5, 0.72),
        maybe(rng, 0.25),
        rng.choice(("", " ", " ")),
        rng.choice(("", "", ":", " :", ":")),
        rng.choice(("-{}", "-{}", "({})", "{}-")),
    )
    show = rows.show
    if maybe(rng, 0.35):
        pieces = sum(1 if item.quantity % 1 else int(item.quantity) for item in sale.items)
        count = str(rng.choice((pieces, len(sale.items))))
        roll.pair(pick(rng, words.QUANTITY) + (rows.colon or ":"), count, rng.choice(("inline", rows.mode)), at=rows.at)
    if maybe(rng, 0.8 if sale.subtotal != sale.total else 0.4):
        show(words.SUBTOTAL, sale.subtotal)
    if sale.discount or maybe(rng, 0.1):
        show(words.DISCOUNT, -sale.discount)
    if sale.service:
        show(words.SERVICE, sale.service)
    if till.taxed and maybe(rng, 0.35):
        show(words.NET, sale.net)
    taxed = till.taxed and (not sale.inclusive or maybe(rng, 0.35))
    if taxed:
        show(words.TAX[till.country], sale.tax, "tax")
    if till.taxed and maybe(rng, 0.6 if sale.rounding else 0.3):
        show(words.GROSS, sale.gross, None if sale.rounding else "total")
    if sale.rounding or (till.country == "MY" and maybe(rng, 0.35)):
        show(words.ROUNDING, sale.rounding)
    if maybe(rng, 0.15):
        till.divide(1.0)
    gross = till.taxed and not sale.rounding and maybe(rng, 0.25)
    show(words.GROSS if gross else words.TOTAL, sale.total, "total", sign=maybe(rng, 0.3), heavy=maybe(rng, 0.4))
    if maybe(rng, 0.15):
        till.divide(1.0)
    _payment(rows)
    if till.taxed and sale.inclusive and not taxed and maybe(rng, 0.5):
        if maybe(rng, 0.5):
            roll.skip(0.6)
        show(words.TAX_INSIDE[till.country], sale.tax, "tax")


def _label(till: Till, label: str) -> list[Part]:
    """A total's label, with the currency in it marked."""
    found = re.search(rf"(?<![A-Za-z]){re.escape(till.sign)}(?![A-Za-z])", label)
    if found is None:
        return [Part(label)]
    key = till.roll.sheet.entity("currency", till.sign)
    pieces = (Part(label[: found.start()]), Part(till.sign, key), Part(label[found.end() :]))
    return [piece for piece in pieces if piece.text]


def _payment(rows: _Sums) -> None:
    till, rng = rows.till, rows.till.rng
    sale, roll = till.sale, till.roll
    if not sale.change and maybe(rng, 0.4):
        return
    cash = sale.change > 0 or maybe(rng, 0.5)
    rows.show(words.CASH if cash else words.CARD, sale.paid)
    if not cash and maybe(rng, 0.5):
        digits = pick(rng, "XXXX XXXX XXXX |************|xxxxxxxxxxxx|{4553 88** **** ")
        roll.row(f"{digits}{rng.randint(1000, 9999)}", align=rng.choice("lr"))
        if maybe(rng, 0.5):
            roll.row(f"{pick(rng, 'APPROVAL CODE|Auth Code|APPR')}: {rng.randint(100000, 999999)}", align="l")
    if cash and maybe(rng, 0.9):
        rows.show(words.CHANGE, sale.change)


def tax_table(till: Till) -> None:
    """The table of tax rates; where the tax stands alone in it, it is marked."""
    rng, roll, sale = till.rng, till.roll, till.sale
    if not till.taxed:
        return
    code = (
        rng.choice(("SR", "S", "T", "GST", "A", "*", "SR"))
        if till.country == "MY"
        else rng.choice(("A", "S", "V", "T1"))
    )
    row = till.say(
        pick(rng, "{x} @ {{r}}%|{x}={{r}}%|{x} {{r}}%|{x} = {n} @{{r}}%|{x} (@{{r}}%)|{x}")
        .replace("{x}", code)
        .replace("{n}", till.tax_name)
        .replace("{{r}}", "{r}")
    )
    split = maybe(rng, 0.35)
    stops = (0.62, 1.0) if not split else (0.68, 1.0)
    if maybe(rng, 0.5):
        heading = [
            (till.say(words.TABLE_TITLE), 0.0, "l"),
            (
                till.say("AMOUNT(RM)|AMOUNT ({c})|Amount|AMT ({c})|NET|Goods|Amount({c})").replace("RM", till.sign),
                stops[0],
                "r",
            ),
            (till.say("TAX({c})|TAX ({c})|Tax|{t}|VAT|TAX AMT").replace("VAT", till.tax_name), stops[1], "r"),
        ]
        roll.cells(heading)
    else:
        roll.row(till.say(words.TABLE_TITLE), align="l")
        roll.cells(
            [
                ("TAX CODE" if maybe(rng, 0.5) else "Rate", 0.0, "l"),
                *([("%", 0.36, "r")] if split else []),
                (till.say("AMT ({c})|AMOUNT|Net"), stops[0], "r"),
                (till.say("TAX ({c})|TAX|{t}"), stops[1], "r"),
            ]
        )
    if maybe(rng, 0.2):
        till.divide(1.0)
    lone = maybe(rng, 0.5)
    tax = Part(money(sale.tax), roll.sheet.entity("tax", str(sale.tax)))
    bare = plain(tax)
    zero = (("ZRL" if code == "SR" else "Z") + " @ 0%", "0.00", "0.00")
    if split:
        roll.cells(
            [
                (code, 0.0, "l"),
                (till.say("{r}|{r}.00"), 0.36, "r"),
                (money(sale.net), stops[0], "r"),
                (tax if lone else bare, stops[1], "r"),
            ]
        )
    else:
        roll.cells([(row, 0.0, "l"), (money(sale.net), stops[0], "r"), (tax if lone else bare, stops[1], "r")])
    if maybe(rng, 0.3):
        roll.cells([(zero[0], 0.0, "l"), (zero[1], stops[0], "r"), (zero[2], stops[1], "r")])
    if not lone:
        roll.cells(
            [
                (pick(rng, "TOTAL :|Total|TOTAL|Total:"), 0.3, "r"),
                (money(sale.net), stops[0], "r"),
                (tax, stops[1], "r"),
            ]
        )
