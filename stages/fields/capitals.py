"""Amounts in Chinese capitals (壹仟贰佰元整), to decimal numbers and back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache

from stages.fields.normalise import normalise

_DIGITS = "零壹贰叁肆伍陆柒捌玖"
_VARIANTS = str.maketrans(
    {
        "〇": "零", "○": "零", "一": "壹", "二": "贰", "两": "贰", "貳": "贰", "弍": "贰", "三": "叁", "參": "叁",
        "叄": "叁", "参": "叁", "四": "肆", "五": "伍", "六": "陆", "陸": "陆", "七": "柒", "八": "捌", "九": "玖",
        "十": "拾", "百": "佰", "千": "仟", "萬": "万", "億": "亿", "圆": "元", "圓": "元", "块": "元", "毛": "角",
        "負": "负", "正": "整", "貮": "贰", "肄": "肆",
    }
)  # fmt: skip
"""Other characters for the same numerals, in use or traditional: not errors of reading."""

LOOKALIKES = {
    look: numeral
    for numeral, looks in {
        "壹": "壶壺台", "贰": "责货武", "佰": "伯值陌", "仟": "什任阡", "拾": "给抬拴恰捡", "柒":
        "粪染漆", "捌": "别扒", "玖": "铁攻玫致", "肆": "津律隶", "陆": "陈阿陇", "伍": "仁俉",
        "叁": "惨", "零": "雯雾冬", "元": "无兀完园固", "角": "用甬捅", "分": "介兮", "整":
        "蜂墼", "万": "方乃", "亿": "忆",
    }.items()
    for look in looks
}  # fmt: skip
"""What a recogniser may read instead; used only to say what may be wrong, never to change a value."""

_AMOUNT = re.compile(
    rf"(?P<sign>负)?(?P<yuan>[{_DIGITS}拾佰仟万亿]+)?(?:元零?)?(?:(?P<jiao>[{_DIGITS}])角)?零?(?:(?P<fen>[{_DIGITS}])分)?整?"
)
_START = re.compile(r"^(?:.*(?:大写|人民币|RMB|CNY))?[^\u4e00-\u9fff]*")
_NOISE = re.compile(r"[\s\W_]+")


@dataclass(slots=True, frozen=True)
class ParsedCapitals:
    """``amount`` in yuan; None where the text is no amount, and ``fault`` says why."""

    amount: Decimal | None
    fault: str | None = None


def parse_capitals(text: str) -> ParsedCapitals:
    """Read an amount in capitals.

    Args:
        text: as printed; 人民币 and marks may stand before it.

    Returns:
        The amount, or what is wrong with the text. Characters that only look like a numeral are named in the fault
        and not taken for it.
    """
    return _parse(text)


@lru_cache(1024)
def _parse(text: str) -> ParsedCapitals:
    clean = _NOISE.sub("", _START.sub("", normalise(text))).translate(_VARIANTS)
    if clean.startswith("负数"):
        clean = "负" + clean[2:]
    match = _AMOUNT.fullmatch(clean)
    if not clean or match is None or not (match["yuan"] or match["jiao"] or match["fen"]):
        return ParsedCapitals(None, _fault(clean))
    if match["yuan"] and "元" not in clean and (match["jiao"] or match["fen"]):
        return ParsedCapitals(None, "the character 元 before 角 or 分 is missing")
    yuan = _integer(match["yuan"]) if match["yuan"] else 0
    if yuan is None:
        return ParsedCapitals(None, f"{match['yuan']} is not a well-formed number")
    cents = 10 * _DIGITS.find(match["jiao"] or "零") + _DIGITS.find(match["fen"] or "零")
    amount = Decimal(yuan) + Decimal(cents) / 100
    return ParsedCapitals((-amount if match["sign"] else amount).quantize(Decimal("0.01")))


def to_capitals(amount: Decimal) -> str:
    """The amount, rounded to the cent, in the capitals that invoices use: 壹仟贰佰元整.

    Raises:
        ValueError: the amount is not finite, or is 10^16 yuan or more.
    """
    import cn2an

    if not amount.is_finite():
        raise ValueError("the amount must be finite")
    amount = amount.quantize(Decimal("0.01"), ROUND_HALF_UP)
    sign, amount = ("负" if amount < 0 else ""), abs(amount)
    yuan, cents = divmod(int(amount * 100), 100)
    if yuan >= 10**16:
        raise ValueError("the amount must be below 10^16")
    words = str(cn2an.an2cn(str(yuan), "up")) + "元" if yuan or not cents else ""
    jiao, fen = divmod(cents, 10)
    if jiao:
        words += _DIGITS[jiao] + "角"
    elif fen and words:
        words += "零"
    return sign + words + (_DIGITS[fen] + "分" if fen else "整")


def _integer(words: str) -> int | None:
    """A number in capitals without its currency; None where it is not well-formed."""
    if set(words) == {"零"}:
        return 0
    if words[0] == "零":
        return None  # 零佰元: a digit is missing
    import cn2an

    try:
        return int(cn2an.cn2an(words.rstrip("零"), "strict"))
    except ValueError:
        return None


def _fault(clean: str) -> str:
    if not clean:
        return "there is no amount in words"
    looks = [f"{c} (may be {LOOKALIKES[c]})" for c in dict.fromkeys(clean) if c in LOOKALIKES]
    if looks:
        return "not a numeral: " + ", ".join(looks)
    return "not an amount in capitals"
