"""More bank cards: everything at places made up by chance, upright cards, pages about a card, both sides at once."""

from __future__ import annotations

import random

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.bank_cards import write_bank, write_number
from models.layout_ner.synth.templates.bank_facts import Card, Face, bank_card, bank_en, chip, face, page
from models.layout_ner.synth.templates.labels import iso_month, maybe, shrink, text_of
from models.layout_ner.synth.templates.pair_blocks import Area, Entry
from models.layout_ner.synth.templates.parts import coded, pick
from models.layout_ner.synth.templates.words_en import coined
from models.layout_ner.synth.values import companies, dates, identifiers, people

VALID = (
    "VALID THRU|GOOD THRU|EXPIRES END|有效期至|有效期|有效期限|VALID UNTIL|EXP|有效期 VALID THRU|VALID THRU "
    "有效期|MONTH/YEAR|Valid Thru|"
    "EXPIRY DATE|月/年|THRU|EXP DATE|VALID TO|EXPIRES|Expiry|有效期（月/年）|VALID DATE|EXPIRATION|UNTIL END|"
    "到期日|有效日期|VALID|"
    "卡片有效期|MM/YY|截止日期|Good through"
)
KINDS = (
    "借记卡|储蓄卡|信用卡|贷记卡|金卡|白金卡|IC卡|理财卡|公务卡|工资卡|钻石卡|一卡通|龙卡通|灵通卡|DEBIT|CREDIT|"
    "Debit Card|PLATINUM|GOLD|"
    "CLASSIC|WORLD|Business|SIGNATURE|TITANIUM|ATM CARD|PREPAID|VIRTUAL|惠民卡|校园卡|社保卡|财富卡|结算卡|"
    "准贷记卡|联名卡|单位结算卡|乡情卡|"
    "DEBIT 借记卡|CREDIT 信用卡|Premier|Student|Infinite"
)
SCHEMES = (
    "UnionPay|银联|UnionPay 银联|VISA|MasterCard|mastercard|JCB|QuickPass|闪付|银联 UnionPay|VISA Electron|"
    "AMEX|Maestro|DISCOVER|Plus|Cirrus|Mir"
)


def stray(rng: random.Random, data: Card) -> str:
    """What else cards say."""
    return rng.choice(
        (
            pick(rng, KINDS),
            pick(rng, KINDS),
            pick(rng, SCHEMES),
            data.holder,
            data.holder,
            pick(rng, "MEMBER SINCE|CUSTOMER SINCE|SINCE|VALID FROM") + f" {data.since:%y}",
            f"{data.since:%m/%y}" if maybe(rng, 0.2) else pick(rng, KINDS),
            f"客服热线 {rng.randint(95500, 95600)}",
            f"www.{coined(rng).lower()}.com",
            "AUTHORIZED SIGNATURE 持卡人签名",
            data.number[:4],
            coded(rng, "###"),
            pick(rng, "仅限持卡人使用|本卡不得转借|Not transferable|感应支付|CONTACTLESS|世界卡|主题卡|ATM"),
        )
    )


def term(card: Face, data: Card) -> list[tuple[Part, ...]]:
    """Label and month in one run, or the two apart; nothing where the card says no month."""
    if data.until is None:
        return []
    rng = card.rng
    text = rng.choice(
        (f"{data.until:%m/%y}",) * 6
        + (f"{data.until:%m/%Y}", f"{data.until:%m}-{data.until:%y}", f"{data.until:%m} / {data.until:%y}")
    )
    month = Part(text, card.sheet.entity("valid_thru", iso_month(data.until)))
    label = pick(rng, VALID)
    if maybe(rng, 0.55):
        return [(Part(label + rng.choice((" ", "  ", ": ", "："))), month)]
    return [(Part(label),), (month,)]


def scatter(card: Face, data: Card, *, top: float = 0.08, bottom: float = 0.95, upright: bool = False) -> None:
    """Bank, number, month and other words in rows at random heights, one to three a row."""
    rng = card.rng
    rows: list[list[tuple[tuple[Part, ...], float]]] = []
    bank = (Part(data.bank, card.sheet.entity("bank", data.bank)),)
    if data.second and maybe(rng, 0.3):
        rows.append([((Part(data.second),), 0.026)])
    rows.append([(bank, rng.uniform(0.035, 0.06))])
    key = card.sheet.entity("card_number", data.number)
    if upright and len(data.groups) > 2:
        half = (len(data.groups) + 1) // 2
        cuts = [data.groups[:half], data.groups[half:]] if maybe(rng, 0.6) else [(group,) for group in data.groups]
        for groups in cuts:
            rows.append([((Part(" ".join(groups), key),), 0.075)])
        number_rows = len(cuts)
    else:
        rows.append([((Part(rng.choice((" ", "  ", " ", "-")).join(data.groups), key),), rng.uniform(0.036, 0.062))])
        number_rows = 1
    pieces = term(card, data)
    if len(pieces) == 2 and maybe(rng, 0.5):
        rows.append([(pieces[0], 0.022), (pieces[1], 0.036)])
        glued = len(rows) - 1
    elif pieces:
        rows += [[(piece, 0.03)] for piece in pieces]
        glued = len(rows) - 2 if len(pieces) == 2 else -1
    else:
        glued = -1
    for _ in range(rng.randint(1, 5)):
        extra: list[tuple[tuple[Part, ...], float]] = [((Part(stray(rng, data)),), rng.uniform(0.022, 0.042))]
        spot = rng.randint(0, len(rows))
        first = next(number for number, row in enumerate(rows) if row[0][0][0].key == key)
        if first < spot < first + number_rows or (glued >= 0 and spot == glued + 1):
            spot = first
        rows.insert(spot, extra)
        glued += 1 if glued >= 0 and spot <= glued else 0
    merged: list[list[tuple[tuple[Part, ...], float]]] = []
    for row in rows:
        plain = all(part.key is None for content, _ in row for part in content)
        if merged and len(row) == 1 and len(merged[-1]) == 1 and plain and maybe(rng, 0.35) and not upright:
            merged[-1].append(row[0])
        else:
            merged.append(row)
    # The month must follow its label: only whole runs of rows are turned round.
    if maybe(rng, 0.25) and not pieces and number_rows == 1:
        rng.shuffle(merged)
    _write_rows(card, merged, top, bottom)


def _write_rows(card: Face, rows: list[list[tuple[tuple[Part, ...], float]]], top: float, bottom: float) -> None:
    rng = card.rng
    sizes = [max(size for _, size in row) * card.width / card.height for row in rows]
    spare = bottom - top - sum(size * 1.25 for size in sizes)
    scale = 1.0 if spare > 0.05 else max(0.4, (bottom - top - 0.05) / sum(size * 1.25 for size in sizes))
    gaps = [rng.uniform(0.3, 1.5) for _ in rows]
    unit = max(0.0, bottom - top - scale * sum(size * 1.25 for size in sizes)) / sum(gaps)
    down = top
    home = rng.choice((0.06, 0.08, 0.1, 0.5))
    for row, size, gap in zip(rows, sizes, gaps, strict=True):
        down += scale * size
        for number, (content, share) in enumerate(row):
            font = rng.choice((card.bold, card.plain, card.figures)) if content[0].key is None else card.bold
            if any(part.key is not None and card.sheet.named[part.key].name != "bank" for part in content):
                font = card.figures if len(content) == 1 else card.plain
            most = 0.86 if len(row) == 1 else 0.4
            if len(row) == 2:
                across, anchor = (0.07, "l") if number == 0 else (0.93, "r")
                if text_of(row[0][0]).strip() and content is row[1][0] and content[0].key is not None:
                    across, anchor = 0.52, "l"
            else:
                across, anchor = rng.choice(
                    ((home, "m" if home == 0.5 else "l"),) * 3
                    + ((0.93, "r"), (0.5, "m"), (rng.uniform(0.07, 0.3), "l"))
                )
                most = min(most, 0.95 - across) if anchor == "l" else most
            text = text_of(content)
            pixels = shrink(font, text, max(10, round(share * scale * card.width)), most * card.width)
            x, y = card.at(across, down)
            card.sheet.text(x, y, content, font, pixels, colour=card.ink, anchor=anchor)
        down += 0.25 * scale * size + gap * unit


@family("card_scattered", "bank_card", weight=2.4)
def card_scattered(rng: random.Random, palette: Palette) -> Sheet:
    """A card's words in any order and at any place."""
    sheet, x, y, width = page(rng)
    data = bank_card(rng, chinese=maybe(rng, 0.7))
    card = face(sheet, rng, palette, x, y, width)
    scatter(card, data)
    return sheet


@family("card_upright", "bank_card")
def card_upright(rng: random.Random, palette: Palette) -> Sheet:
    """An upright card: the number in several rows."""
    width = rng.randint(420, 800)
    margin = width * rng.choice((0.0, 0.03, 0.08))
    sheet = Sheet(width, round((width - 2 * margin) * 1.585 + 2 * margin), (rng.randint(60, 255),) * 3)
    data = bank_card(rng, chinese=maybe(rng, 0.7))
    card = face(sheet, rng, palette, margin, margin, width - 2 * margin)
    card.height = (width - 2 * margin) * 1.55
    ground = rng.choice(((30, 50, 100), (150, 30, 40), (235, 235, 240), (40, 40, 44), (20, 100, 90)))
    card.ink = (20, 20, 24) if sum(ground) > 420 else (240, 240, 240)
    sheet.under = [
        lambda _, canvas: canvas.rounded_rectangle(
            (card.x, card.y, card.x + card.width, card.y + card.height), radius=card.width * 0.05, fill=ground
        )
    ]
    scatter(card, data, upright=True)
    return sheet


@family("card_sides", "bank_card", weight=0.9)
def card_sides(rng: random.Random, palette: Palette) -> Sheet:
    """Front and back on one page; the number stands on one of them only, the other one is blank or masked."""
    wide = rng.randint(560, 800)
    beside = maybe(rng, 0.4)
    margin = rng.randint(20, 80)
    high = round(0.64 * wide)
    sheet = (
        Sheet(2 * wide + 3 * margin, high + 3 * margin) if beside else Sheet(wide + 2 * margin, 2 * high + 4 * margin)
    )
    data = bank_card(rng, chinese=maybe(rng, 0.75))
    grey = maybe(rng, 0.4)
    first = face(sheet, rng, palette, margin, margin, wide, grey=grey)
    second = face(
        sheet,
        rng,
        palette,
        2 * margin + wide if beside else margin,
        margin if beside else 2 * margin + high,
        wide,
        grey=grey,
    )
    front, back = (first, second) if maybe(rng, 0.75) else (second, first)
    scatter(front, data, bottom=0.92)
    line = rng.uniform(0.14, 0.2)
    back.sheet.frame(
        back.x, back.y + 0.05 * back.height, back.x + back.width, back.y + line * back.height, 0, fill=(30, 30, 34)
    )
    down = line + 0.16
    for text in rng.sample(
        (
            "AUTHORIZED SIGNATURE 持卡人签名",
            f"客户服务热线 {identifiers.phone_zh(rng)}",
            "本卡仅限本人使用，不得转借或转让。",
            "This card is the property of the issuing bank.",
            f"CVV {coded(rng, '###')}",
            "Not valid unless signed",
            "使用本卡须遵守相关章程。",
        ),
        rng.randint(2, 5),
    ):
        back.write(0.07, down, text, back.plain, rng.uniform(0.022, 0.03), most=0.85)
        down += 0.13
    return sheet


@family("card_sheet", "bank_card", weight=1.2)
def card_sheet(rng: random.Random, palette: Palette) -> Sheet:
    """A page or screen about a card: pairs in any layout, other numbers and names between."""
    data = bank_card(rng, chinese=maybe(rng, 0.8))
    zh = data.chinese
    area = chance.open_page(rng, palette, chinese=zh, across=rng.choice(((18, 30), (30, 56))))
    chance.titled(
        area, _TITLES_ZH if zh else ("Card details", "My cards", "Account card", "Bank card information", "Add a card")
    )
    chance.scramble(
        area, chance.mixed(rng, _fields(area, data), _others(area, data)), interlude=chance.loose, halves=0.1
    )
    return chance.close_page(area, least=0.3, most=1.4)


_TITLES_ZH = (
    "银行卡信息",
    "我的银行卡",
    "卡片详情",
    "账户信息",
    "绑定银行卡",
    "银行卡管理",
    "工资卡信息登记",
    "收款账户",
    "添加银行卡",
    "银行卡识别结果",
)


def _fields(area: Area, data: Card) -> list[Entry]:
    rng, sheet, zh = area.rng, area.sheet, data.chinese
    number = rng.choice((" ".join(data.groups), data.number, " ".join(data.groups)))
    bank = (
        "开户银行|发卡行|银行名称|所属银行|开户行|发卡银行|银行|发卡机构|卡所属行"
        if zh
        else "Bank|Issuer|Issuing bank|Bank name|Issued by|Card issuer"
    )
    card = (
        "卡号|银行卡号|账号|银行账号|卡片号码|银行卡号码|账户号码"
        if zh
        else "Card number|Card No.|Number|Account/Card No.|Card No|Long card number"
    )
    until = (
        "有效期|有效期至|卡片有效期|到期日|有效期（月/年）|有效期限"
        if zh
        else "Valid thru|Expiry date|Expires|Expiry|Exp. date|Valid until|Good thru"
    )
    found = [
        Entry(pick(rng, bank), Part(data.bank, sheet.entity("bank", data.bank))),
        Entry(pick(rng, card), Part(number, sheet.entity("card_number", data.number))),
    ]
    if data.until is not None:
        shown = rng.choice((f"{data.until:%m/%y}", f"{data.until:%m/%Y}"))
        found.append(Entry(pick(rng, until), Part(shown, sheet.entity("valid_thru", iso_month(data.until)))))
    return found


def _others(area: Area, data: Card) -> list[Entry]:
    rng = area.rng
    if data.chinese:
        pool = [
            ("卡类型|卡种|账户类型|卡片类型", pick(rng, KINDS)),
            ("持卡人|户名|姓名|开户名|账户名称", people.chinese_name(rng)),
            ("预留手机号|手机号|客服电话|联系电话", identifiers.phone_zh(rng)),
            ("开户日期|绑定时间|发卡日期|开卡日期", dates.format_date(rng, data.since, "zh")),
            ("开户网点|开户支行|支行名称", companies.bank_branch_zh(rng)[-8:]),
            ("币种|账户币种", pick(rng, "人民币|CNY|多币种")),
            ("可用余额|单笔限额|日累计限额|信用额度", f"{rng.randint(0, 90)}000.00"),
            ("证件号码|身份证号", coded(rng, "######********####")),
            ("状态|卡状态|账户状态", pick(rng, "正常|已激活|已绑定")),
            ("联行号|行号|安全码", coded(rng, "############")),
            ("账户级别|账户类别", pick(rng, "I类户|II类户")),
        ]
    else:
        pool = [
            ("Type|Card type", pick(rng, KINDS)),
            ("Cardholder|Name on card|Holder", data.holder),
            ("Customer service|Phone", identifiers.phone_en(rng)),
            ("Sort code|Routing|SWIFT|Branch code", coded(rng, "##-##-##")),
            ("CVV|Security code|CVC", "***"),
            ("Limit|Available|Balance", f"{rng.randint(1, 90)}00.00"),
            ("Member since|Issued|Valid from", f"{data.since:%m/%y}"),
            ("Co-brand|Partner", bank_en(rng).replace("Bank", "Club")),
        ]
    return [Entry(pick(rng, names), value) for names, value in rng.sample(pool, rng.randint(0, 6))]


@family("card_embossed_low", "bank_card")
def card_embossed_low(rng: random.Random, palette: Palette) -> Sheet:
    """A front whose number stands high or low, the holder above or below it, the month near one of them."""
    sheet, x, y, width = page(rng)
    data = bank_card(rng, chinese=maybe(rng, 0.6))
    card = face(sheet, rng, palette, x, y, width)
    high = maybe(rng, 0.4)
    bank_low = maybe(rng, 0.35)
    write_bank(card, data, rng.choice((0.07, 0.1)), 0.9 if bank_low else 0.15, 0.046)
    if maybe(rng, 0.6):
        chip(card, rng.choice((0.08, 0.82)), 0.24)
    line = 0.46 if high else 0.62
    write_number(card, data, rng.uniform(0.07, 0.12), line, rng.uniform(0.046, 0.06), split=maybe(rng, 0.35))
    pieces = term(card, data)
    down = line + rng.uniform(0.11, 0.15)
    end = 0.09
    for number, piece in enumerate(pieces):
        font = card.figures if len(piece) == 1 and number == 1 else card.plain
        right = card.write(end, down, piece, font, 0.026 if number == 0 else 0.034, most=0.4)
        end = (right - card.x) / card.width + 0.03
    if not bank_low or down < 0.74:
        card.write(
            0.55 if pieces else 0.09,
            down + (0.0 if maybe(rng, 0.5) and end < 0.5 else 0.09),
            data.holder,
            card.plain,
            0.03,
            most=0.38,
        )
    if not bank_low:
        card.write(0.93, 0.93, pick(rng, SCHEMES), card.bold, 0.045, anchor="r", most=0.3)
    elif not data.second:
        card.write(0.93, 0.14, pick(rng, SCHEMES), card.bold, 0.04, anchor="r", most=0.28)
    return sheet


@family("card_virtual", "bank_card", weight=1.1)
def card_virtual(rng: random.Random, palette: Palette) -> Sheet:
    """A card as an application draws it: small labels above the values, in one or two columns."""
    sheet, x, y, width = page(rng)
    data = bank_card(rng, chinese=maybe(rng, 0.6))
    card = face(sheet, rng, palette, x, y, width)
    zh = data.chinese
    key = sheet.entity("card_number", data.number)
    number = Part(rng.choice((" ", "  ")).join(data.groups), key)
    named: list[tuple[str, Part]] = [
        (pick(rng, "卡号|银行卡号|CARD NUMBER" if zh else "CARD NUMBER|Number|Card no."), number)
    ]
    if data.until is not None:
        month = Part(f"{data.until:%m/%y}", sheet.entity("valid_thru", iso_month(data.until)))
        named.append((pick(rng, VALID), month))
    holder = people.chinese_name(rng) if zh and maybe(rng, 0.5) else data.holder
    named.append((pick(rng, "持卡人|户名|CARDHOLDER" if zh else "CARDHOLDER|Name|Card holder name"), Part(holder)))
    if maybe(rng, 0.5):
        named.append((pick(rng, "CVV|安全码|CVC" if zh else "CVV|CVC|Security code"), Part(pick(rng, "***|•••|XXX"))))
    bank = Part(data.bank, sheet.entity("bank", data.bank))
    top = maybe(rng, 0.75)
    card.write(rng.choice((0.07, 0.5)) if top else 0.07, 0.15 if top else 0.93, (bank,), card.bold, 0.05, most=0.42)
    if maybe(rng, 0.5):
        card.write(0.93, 0.93, pick(rng, SCHEMES), card.bold, 0.045, anchor="r", most=0.3)
    rows = [named[:1], named[1:3], named[3:]] if maybe(rng, 0.7) else [named[:1], named[1:2], named[2:]]
    down = rng.uniform(0.3, 0.38)
    for row in rows:
        places = (0.07, 0.56) if maybe(rng, 0.8) else (0.1, 0.5)
        for across, (label, value) in zip(places, row, strict=False):
            big = value.key == key
            card.write(across, down, label, card.plain, 0.024, most=0.36)
            card.write(across, down + 0.085, (value,), card.figures, 0.05 if big else 0.034, most=0.84 if big else 0.36)
        down += rng.uniform(0.185, 0.2)
    return sheet
