"""Pages of no known type, for training: what the network must say nothing about."""

from __future__ import annotations

import random
from collections.abc import Callable

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Sheet
from models.layout_ner.synth.templates import prose
from models.layout_ner.synth.templates.other_parts import page
from models.layout_ner.synth.templates.parts import coded, maybe, pick
from models.layout_ner.synth.values import goods, identifiers, money


@family("letter", None)
def letter(rng: random.Random, palette: Palette) -> Sheet:
    """A letter with sender, recipient, date and signature."""
    sheet = page(rng, palette)
    roll = sheet.roll
    roll.block([sheet.company(), sheet.address()], align=rng.choice("lrm"))
    roll.skip(1)
    roll.row(sheet.day(), align=rng.choice("lr"))
    roll.skip(1)
    roll.block([sheet.person(), sheet.address()])
    roll.skip(1)
    if maybe(rng, 0.5):
        sheet.heading(
            pick(rng, "关于{}的通知|关于{}的函|致{}的信" if sheet.chinese else "Re: {}|Subject: {}|RE: {}").format(
                sheet.words(1, 5)
            ),
            1.1,
        )
    roll.row(
        pick(
            rng,
            "尊敬的客户：|各位同事：|您好："
            if sheet.chinese
            else "Dear Sir or Madam,|Dear Customer,|To whom it may concern,|Hi all,",
        )
    )
    for _ in range(rng.randint(1, 5)):
        if sheet.full():
            break
        sheet.paragraph(sheet.text(), indent=sheet.chinese)
        roll.skip(0.5)
    if not sheet.full():
        roll.row(
            pick(rng, "此致|顺祝商祺|特此函告" if sheet.chinese else "Yours faithfully,|Kind regards,|Sincerely,"),
            align=rng.choice("lr"),
        )
    if not sheet.full():
        roll.row(sheet.person(), align=rng.choice("lr"))
    return roll.sheet


@family("book", None, weight=1.5)
def book(rng: random.Random, palette: Palette) -> Sheet:
    """A page of a book: running head, paragraphs, page number."""
    sheet = page(rng, palette, shape=rng.choice((1.414, 1.5)))
    roll = sheet.roll
    if maybe(rng, 0.6):
        roll.cells([(sheet.words(1, 4), 0.0, "l"), (str(rng.randint(1, 600)), 1.0, "r")])
        roll.skip(1)
    if maybe(rng, 0.4):
        sheet.heading(
            (f"第{rng.choice('一二三四五六七八九十')}章 " if sheet.chinese else f"Chapter {rng.randint(1, 30)}: ")
            + sheet.words(1, 4),
            1.6,
            "m",
        )
        roll.skip(1)
    while not sheet.full():
        sheet.paragraph(sheet.text(3, 9), indent=True)
        if maybe(rng, 0.1):
            roll.skip(1)
    return roll.sheet


@family("article", None)
def article(rng: random.Random, palette: Palette) -> Sheet:
    """An article in two columns below one title."""
    sheet = page(rng, palette)
    roll = sheet.roll
    sheet.heading(sheet.words(3, 8), 1.7, "m")
    roll.row(", ".join(sheet.person() for _ in range(rng.randint(1, 4))), align="m")
    roll.skip(0.8)
    left, right, top = roll.left, roll.right, roll.y
    middle = (left + right) / 2
    roll.size = max(11, round(roll.size * 0.85))
    for start, end in ((left, middle - roll.size), (middle + roll.size, right)):
        roll.left, roll.right, roll.y = start, end, top
        while not sheet.full():
            if maybe(rng, 0.25):
                sheet.heading(f"{rng.randint(1, 6)}. {sheet.words(1, 3)}", 1.15)
            sheet.paragraph(sheet.text(2, 8))
            roll.skip(0.4)
    return roll.sheet


@family("list", None)
def numbered(rng: random.Random, palette: Palette) -> Sheet:
    """Numbered or marked points, rules or instructions."""
    sheet = page(rng, palette, shape=rng.choice((1.414, 1.0, 0.7)))
    roll = sheet.roll
    sheet.heading(sheet.words(1, 5), 1.5, rng.choice("lm"))
    mark = rng.choice(("{n}. ", "({n}) ", "• ", "- ", "{n}、", "{n}) ", "* "))
    for number in range(1, rng.randint(5, 24)):
        if sheet.full():
            break
        text = sheet.text(1, 2) if maybe(rng, 0.6) else f"{sheet.words(1, 3)}: {sheet.value()}"
        sheet.paragraph(mark.format(n=number) + text)
        if maybe(rng, 0.1):
            roll.skip(0.5)
    return roll.sheet


@family("certificate", None)
def certificate(rng: random.Random, palette: Palette) -> Sheet:
    """A certificate of honour, training or quality: few lines, much room, a number and a date."""
    sheet = page(rng, palette, shape=0.7)
    roll = sheet.roll
    roll.sheet.frame(
        roll.left / 2,
        roll.left / 2,
        roll.sheet.width - roll.left / 2,
        roll.sheet.height - roll.left / 2,
        4,
        (170, 130, 60),
    )
    roll.skip(rng.uniform(1, 3))
    title = (
        "荣誉证书|结业证书|培训证书|奖状|聘书|毕业证书|检验报告|合格证"
        if sheet.chinese
        else "Certificate|Certificate of Completion|Award of Excellence|Diploma|Certificate of Quality"
    )
    sheet.heading(pick(rng, title), 2.2, "m")
    if maybe(rng, 0.5):
        roll.row(
            (pick(rng, "编号：|证书编号：") if sheet.chinese else "No. ") + coded(rng, "@@########"),
            align=rng.choice("rm"),
        )
    roll.skip(1)
    roll.row(sheet.person() + ("同志：" if sheet.chinese else ""), align=rng.choice("lm"), size=round(roll.size * 1.3))
    sheet.paragraph(sheet.text(1, 3), indent=sheet.chinese)
    roll.skip(2)
    for text in (sheet.company(), sheet.day()):
        if not sheet.full():
            roll.row(text, align="r")
    return roll.sheet


@family("resume", None)
def resume(rng: random.Random, palette: Palette) -> Sheet:
    """A CV: contact, education, work; names, dates and addresses that are no field."""
    sheet = page(rng, palette)
    roll = sheet.roll
    sheet.heading(sheet.person(), 2.0, rng.choice("lm"))
    phone = identifiers.phone_zh(rng) if sheet.chinese else identifiers.phone_en(rng)
    roll.row(f"{phone} | {prose.word(rng)}@{prose.word(rng)}.com | {rng.choice((sheet.address(), sheet.day()))}")
    heads = (
        "教育经历|工作经历|项目经历|专业技能|自我评价|获奖情况"
        if sheet.chinese
        else "Education|Experience|Projects|Skills|References|Profile"
    )
    for head in rng.sample(heads.split("|"), rng.randint(3, 6)):
        if sheet.full():
            break
        roll.skip(0.6)
        sheet.heading(head, 1.2)
        roll.separator("rule")
        for _ in range(rng.randint(1, 4)):
            if sheet.full():
                break
            roll.cells(
                [
                    (sheet.company() if maybe(rng, 0.6) else sheet.words(2, 4), 0.0, "l"),
                    (f"{rng.randint(1995, 2015)} - {rng.randint(2016, 2025)}", 1.0, "r"),
                ]
            )
            if maybe(rng, 0.7):
                sheet.paragraph(rng.choice("•-·") + " " + sheet.text(1, 2))
    return roll.sheet


@family("tables", None)
def tables(rng: random.Random, palette: Palette) -> Sheet:
    """Tables of words, figures and dates with captions."""
    sheet = page(rng, palette, shape=rng.choice((1.414, 0.75)))
    roll = sheet.roll
    sheet.heading(sheet.words(2, 6), 1.4, "m")
    while not sheet.full() and roll.y < sheet.bottom - 6 * roll.size:
        if maybe(rng, 0.5):
            sheet.paragraph(sheet.text(1, 2))
        sheet.table(rng.randint(2, 6), rng.randint(3, 16), heading=maybe(rng, 0.8), ruled=maybe(rng, 0.7))
        if maybe(rng, 0.4):
            break
    return roll.sheet


@family("menu", None)
def menu(rng: random.Random, palette: Palette) -> Sheet:
    """A menu or price list: goods and prices, but no sale."""
    sheet = page(rng, palette, shape=rng.choice((1.414, 1.0, 2.2)))
    roll = sheet.roll
    sheet.heading(
        pick(
            rng,
            "菜单|价目表|今日特价|酒水单|报价单"
            if sheet.chinese
            else "Menu|Price List|Today's Specials|Drinks|Our Services",
        ),
        2.0,
        "m",
    )
    sign = rng.choice(("￥", "", "元")) if sheet.chinese else rng.choice(("$", "£", "RM ", ""))
    while not sheet.full():
        sheet.heading(sheet.words(1, 2), 1.25, rng.choice("lm"))
        for _ in range(rng.randint(3, 9)):
            if sheet.full():
                break
            name = goods.goods_zh(rng) if sheet.chinese else goods.goods_en(rng)
            price = f"{money.amount(rng, 1, 200)}"
            shown = price + sign if sign == "元" else sign + price
            roll.cells(
                [(name, 0.0, "l"), (shown, 1.0, "r")] if maybe(rng, 0.9) else [(f"{name} {'.' * 12} {shown}", 0.0, "l")]
            )
    return roll.sheet


@family("notice", None)
def notice(rng: random.Random, palette: Palette) -> Sheet:
    """A poster, sign or slide: few large lines."""
    sheet = page(rng, palette, shape=rng.choice((0.56, 0.75, 1.3)), roles=("sans", "sans_bold", "serif", "mono"))
    roll = sheet.roll
    roll.size = round(roll.size * rng.uniform(1.2, 2.4))
    roll.skip(rng.uniform(0, 2))
    for _ in range(rng.randint(2, 9)):
        if sheet.full() or roll.y + 3 * roll.size > sheet.bottom:
            break
        text = sheet.words(1, 5) if maybe(rng, 0.7) else sheet.value()
        roll.row(
            text,
            align=rng.choice("mml"),
            font=sheet.bold if maybe(rng, 0.4) else roll.font,
            size=round(roll.size * rng.uniform(0.7, 1.4)),
        )
        roll.skip(rng.choice((0, 0.5, 1)))
    return roll.sheet


@family("statement", None)
def statement(rng: random.Random, palette: Palette) -> Sheet:
    """An account's statement, timetable or contact list: many rows of dates, names, numbers and sums."""
    sheet = page(rng, palette)
    roll = sheet.roll
    sheet.heading(
        pick(
            rng,
            "账户明细|通讯录|日程安排|课程表|对账单|库存表"
            if sheet.chinese
            else "Account Statement|Directory|Schedule|Timetable|Stock List|Agenda",
        ),
        1.4,
        rng.choice("lm"),
    )
    roll.row(sheet.company())
    roll.row(f"{pick(rng, '账号|编号' if sheet.chinese else 'Account|Ref')}: {coded(rng, '##########')}")
    roll.skip(0.6)
    roll.size = max(11, round(roll.size * 0.85))
    makers: list[Callable[[], str]] = rng.sample(
        (
            sheet.day,
            sheet.person,
            lambda: sheet.words(1, 3),
            lambda: f"{money.amount(rng, 1, 9000)}",
            lambda: coded(rng, "######"),
        ),
        4,
    )
    while not sheet.full():
        places = (0.0, 0.3, 0.58, 1.0)
        roll.cells([(make(), place, "r" if place == 1.0 else "l") for make, place in zip(makers, places, strict=True)])
    return roll.sheet
