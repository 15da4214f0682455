"""Numbers that documents carry, with check digits that hold."""

from __future__ import annotations

import random
from datetime import date

from stdnum import luhn
from stdnum.cn import ric, uscc

from models.layout_ner.synth.values.places import Region, regions

_USCC_ALPHABET = "0123456789ABCDEFGHJKLMNPQRTUWXY"
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
# Prefixes of cards issued by Chinese banks (UnionPay mostly), with the number's length.
_CARD_PREFIXES = (
    *(("622202", 19), ("622848", 19), ("621700", 19), ("621661", 19), ("622588", 16), ("622260", 19), ("621226", 19)),
    *(("623052", 19), ("622150", 19), ("622908", 18), ("622689", 16), ("622668", 16), ("621483", 16), ("436742", 19)),
    *(("621098", 19), ("621799", 19), ("622262", 19), ("625905", 16), ("628366", 16), ("524094", 16), ("438088", 16)),
    *(("356889", 16), ("621768", 16), ("622516", 16), ("621626", 19), ("622630", 16), ("621462", 19), ("622309", 19)),
)


def _digits(rng: random.Random, count: int) -> str:
    return "".join(rng.choice("0123456789") for _ in range(count))


def resident_id(rng: random.Random, birth: date, male: bool, region: Region) -> str:
    """A resident's identity number (GB 11643): region, date of birth, sequence (odd for men), check digit.

    Where the region's code is younger than the person, an older one is taken, of the same province if there is one.
    """
    if region.since > birth.year:
        older = [other for other in regions() if other.since <= birth.year]
        region = rng.choice([other for other in older if other.code[:2] == region.code[:2]] or older)
    body = f"{region.code}{birth:%Y%m%d}{rng.randint(0, 49) * 2 + 1 if male else rng.randint(1, 49) * 2:03}"
    return body + str(ric.calc_check_digit(body + "0"))


def credit_code(rng: random.Random, region: Region | None = None) -> str:
    """A unified social credit code (GB 32100), 18 characters; the organisation's part has its check digit, too."""
    place = region or rng.choice(regions())
    head = rng.choices(("91", "92", "93", "52", "12"), (70, 20, 3, 4, 3))[0]
    new = rng.random() < 0.65  # older organisations have numbers without letters
    body = "MA" + "".join(rng.choice(_USCC_ALPHABET) for _ in range(6)) if new else _digits(rng, 8)
    weights = (3, 7, 9, 10, 5, 8, 4, 2)  # GB 11714
    values = [int(char) if char.isdigit() else ord(char) - 55 for char in body]
    check = (11 - sum(weight * value for weight, value in zip(weights, values, strict=True)) % 11) % 11
    code = head + place.code + body + ("X" if check == 10 else str(check))
    return code + str(uscc.calc_check_digit(code + "0"))


def tax_number(rng: random.Random, region: Region | None = None) -> str:
    """A taxpayer's number: nearly always the credit code; rarely the old one of 15 digits."""
    if rng.random() < 0.95:
        return credit_code(rng, region)
    place = region or rng.choice(regions())
    return place.code + _digits(rng, 8) + rng.choice("0123456789X")


def bank_card_number(rng: random.Random, prefix: str | None = None) -> str:
    """A bank card's number, 16 to 19 digits without spaces, that passes Luhn's check."""
    start, length = (prefix, 19) if prefix else rng.choice(_CARD_PREFIXES)
    body = start + _digits(rng, length - len(start) - 1)
    return body + str(luhn.calc_check_digit(body))


def invoice_code(rng: random.Random) -> str:
    """The code of a paper VAT invoice: 10 or 12 digits that begin with the region and hold the year."""
    place = rng.choice(regions())
    year = rng.randint(12, 24)
    if rng.random() < 0.5:
        return f"{place.code[:4]}{year:02}{rng.randint(1, 5)}{rng.choice('135')}{rng.choice('0123')}0"
    return f"0{place.code[:4]}{year:02}00{rng.choice('1234')}{rng.choice(('04', '11', '06', '13'))}"


def invoice_number(rng: random.Random, digital: bool = False) -> str:
    """A VAT invoice's number: 8 digits on paper, 20 on a fully digital one (year, region, channel, sequence)."""
    if not digital:
        return _digits(rng, 8)
    place = rng.choice(regions())
    return f"{rng.randint(22, 26)}{place.code[:2]}{rng.choice('12379')}{'0' * 3}{_digits(rng, 12)}"


def policy_number(rng: random.Random) -> str:
    """An insurance policy's number in one of many companies' manners."""
    year = rng.randint(2008, 2026)
    return rng.choice(
        (
            f"P{_digits(rng, 1)}{rng.choice(_LETTERS)}{year}{_digits(rng, rng.choice((8, 10, 14)))}",
            f"PDAA{year}{_digits(rng, 14)}",
            f"{''.join(rng.choice(_LETTERS) for _ in range(4))}{year}{_digits(rng, 12)}",
            f"{year}{_digits(rng, rng.choice((9, 11, 15)))}",
            f"{_digits(rng, 3)}-{_digits(rng, 8)}-{_digits(rng, 2)}",
            f"{rng.choice(('GP', 'POL', 'HL', 'TR', 'MC', 'LF'))}-{_digits(rng, rng.choice((6, 7, 8)))}",
            _digits(rng, rng.choice((15, 16, 18, 19))),
        )
    )


def receipt_number(rng: random.Random) -> str:
    """A till receipt's or cash bill's number in one of many manners."""
    year = rng.randint(15, 26)
    short = rng.choice(("CS", "INV", "R", "OR", "CB", "IV", "T", "POS", "S", "SR", "BILL"))
    return rng.choice(
        (
            _digits(rng, rng.randint(4, 9)),
            f"{short}{_digits(rng, rng.randint(4, 8))}",
            f"{rng.choice(('CS', 'INV', 'REC', 'OR', 'CB', 'IV', 'SL', 'TI'))}-{_digits(rng, rng.randint(4, 8))}",
            f"{_digits(rng, 2)}-{_digits(rng, rng.randint(4, 6))}",
            f"{_digits(rng, rng.randint(2, 4))}/{_digits(rng, rng.randint(2, 4))}/{_digits(rng, rng.randint(3, 5))}",
            f"{rng.choice(_LETTERS)}{year}{_digits(rng, 2)}-{_digits(rng, rng.randint(3, 6))}",
            f"#{_digits(rng, rng.randint(3, 7))}",
            _digits(rng, rng.randint(10, 16)),
        )
    )


def train_number(rng: random.Random) -> str:
    """A Chinese train's number."""
    kind = rng.choices(("G", "D", "C", "K", "T", "Z", ""), (35, 25, 8, 15, 6, 6, 5))[0]
    return f"{kind}{rng.randint(1, {'Z': 400, 'T': 400}.get(kind, 9998))}" if kind else str(rng.randint(1001, 7598))


def phone_zh(rng: random.Random) -> str:
    """A Chinese telephone number, mobile, fixed or service."""
    kind = rng.random()
    if kind < 0.45:
        return f"1{rng.choice('3456789')}{_digits(rng, 9)}"
    if kind < 0.9:
        area = rng.choice(("010", "02" + rng.choice("0123456789"), f"0{rng.randint(3, 9)}{rng.randint(10, 99)}"))
        number = rng.choice("2345678") + _digits(rng, 7 if len(area) == 3 or rng.random() < 0.4 else 6)
        return area + rng.choice(("-", "-", "-", "", " ")) + number
    return rng.choice((f"400-{_digits(rng, 3)}-{_digits(rng, 4)}", f"400{_digits(rng, 7)}", f"95{_digits(rng, 3)}"))


def phone_en(rng: random.Random) -> str:
    """A telephone number in a Malaysian, British or American manner."""
    return rng.choice(
        (
            f"0{rng.randint(3, 9)}-{rng.randint(2, 9)}{_digits(rng, rng.choice((6, 7)))}",
            f"0{rng.randint(3, 9)}-{_digits(rng, 4)} {_digits(rng, 4)}",
            f"03{rng.choice('56789')}{_digits(rng, 7)}",
            f"01{rng.randint(0, 9)}-{_digits(rng, rng.choice((7, 8)))}",
            f"+60{rng.choice((' ', '-', ''))}{rng.randint(3, 9)}-{_digits(rng, 8)}",
            f"0{rng.choice(('20', '161', '117', '1904'))} {_digits(rng, 3)} {_digits(rng, 4)}",
            f"({rng.randint(201, 989)}) {rng.randint(200, 999)}-{_digits(rng, 4)}",
            f"{rng.randint(201, 989)}-{rng.randint(200, 999)}-{_digits(rng, 4)}",
        )
    )


def company_registration_en(rng: random.Random) -> str:
    """A company's registration number as receipts print it beside the name; Malaysian manners most often."""
    old = f"{_digits(rng, rng.choice((5, 6, 6, 7)))}-{rng.choice('ADHKMPTUVWX')}"
    return rng.choice(
        (
            old,
            f"({old})",
            f"(Co. No. {old})",
            f"Co. Reg. No. : {old}",
            f"Company No: {old}",
            f"{rng.randint(1970, 2024)}0{rng.randint(1, 3)}{_digits(rng, 6)} ({old})",
            f"({rng.choice(('JM', 'SA', 'AS', 'CT', 'PG', 'IP'))}{_digits(rng, 7)}-{rng.choice('ADHKMPTUVWX')})",
            f"ROC No. {_digits(rng, 6)}{rng.choice('ADHKMPTUVWX')}",
        )
    )


def gst_number(rng: random.Random) -> str:
    """A number for goods and services tax, VAT or sales tax, without its label."""
    return rng.choice(
        (
            f"00{_digits(rng, 10)}",
            f"00{_digits(rng, 10)}",
            f"{rng.choice('BCJNPTW')}{_digits(rng, 2)}-{_digits(rng, 4)}-{_digits(rng, 8)}",
            f"GB {_digits(rng, 3)} {_digits(rng, 4)} {_digits(rng, 2)}",
        )
    )
