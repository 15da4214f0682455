"""More pages of no known type: cards of clubs, transcripts, minutes, timetables, contracts, clauses, pay slips, screens."""

from __future__ import annotations

import random
from dataclasses import replace

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Sheet
from models.layout_ner.synth.templates import pair_blocks as blocks
from models.layout_ner.synth.templates import prose, words_en
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.bank_facts import chip, face
from models.layout_ner.synth.templates.bank_facts import page as card_page
from models.layout_ner.synth.templates.labels import maybe
from models.layout_ner.synth.templates.marks import squares
from models.layout_ner.synth.templates.other_lookalikes import (
    address,
    day,
    firm,
    lines_table,
    page,
    person,
    phone,
    some,
    thing,
)
from models.layout_ner.synth.templates.pair_blocks import Entry
from models.layout_ner.synth.templates.parts import coded, pick
from models.layout_ner.synth.values import identifiers, money, people, places


@family("club_card", None, weight=1.5)
def club_card(rng: random.Random, palette: Palette) -> Sheet:
    """A member's, gift, library, visitor's or business card: shaped like a bank card, but of no bank."""
    sheet, x, y, width = card_page(rng)
    card = face(sheet, rng, palette, x, y, width)
    zh = maybe(rng, 0.6)
    names = (
        "会员卡|贵宾卡|积分卡|借书证|购物卡|VIP卡|储值卡|礼品卡|健身卡|公交卡|房卡|代金券|名片|工作证|学生证|停车卡|洗车卡"
        if zh
        else "MEMBER CARD|VIP|Gift Card|Library Card|LOYALTY CARD|Visitor|Room Key|TRANSIT CARD|STAFF|Store Card|Rewards|PRIVILEGE CARD"
    )
    number = coded(rng, rng.choice(("NO. ########", "#### ####", "@@######", "No.##########", "8### #### ####", "ID: ######", "## ### ###")))
    holder = people.chinese_name(rng) if zh else people.english_name(rng)
    firm_name = (places.city_zh(rng) + pick(rng, "百货|超市|健身会所|图书馆|酒店|美容院|影城|大学")) if zh else f"{prose.title_en(rng, 1, 2)} {pick(rng, 'Club|Hotel|Stores|Library|Gym|University')}"
    pieces = [firm_name, pick(rng, names), number]
    pieces += rng.sample(
        (
            holder,
            pick(rng, "有效期至 |有效期：|VALID UNTIL |Expires " if zh else "VALID UNTIL |Expires |Exp ") + f"{rng.randint(1, 12):02d}/{rng.randint(20, 35)}",
            identifiers.phone_zh(rng) if zh else identifiers.phone_en(rng),
            pick(rng, "本卡最终解释权归本店所有|凭卡消费享八折|遗失不补|请妥善保管|欢迎光临" if zh else "Terms apply|Not a credit card|Present this card|Welcome"),
            f"￥{rng.choice((50, 100, 200, 500, 1000))}" if zh else f"${rng.choice((10, 25, 50, 100))}",
            pick(rng, "总经理|销售经理|金卡会员|普通会员|临时" if zh else "Manager|Gold|Silver|Temporary|Director"),
            places.city_zh(rng) + "市" if zh else prose.title_en(rng, 1, 2),
        ),
        rng.randint(1, 5),
    )
    rng.shuffle(pieces)
    if maybe(rng, 0.3):
        chip(card, 0.82, 0.1)
    step = 0.86 / len(pieces)
    home = rng.choice(((0.08, "l"), (0.5, "m"), (0.08, "l")))
    for index, text in enumerate(pieces):
        across, anchor = home if maybe(rng, 0.7) else rng.choice(((0.5, "m"), (0.92, "r"), (0.1, "l")))
        most = 0.7 if anchor == "l" and index == 0 else 0.84
        card.write(across, 0.15 + step * index, text, rng.choice((card.bold, card.plain, card.figures)), rng.uniform(0.026, 0.055), anchor=anchor, most=most)  # fmt: skip
    return sheet


@family("transcript", None)
def transcript(rng: random.Random, palette: Palette) -> Sheet:
    """A school's certificate, transcript or report: names, courses, marks, a stamp."""
    area = page(rng, palette, (36, 66))
    zh = area.chinese
    chance.titled(area, ("毕业证书", "成绩单", "学籍证明", "在读证明", "学位证书", "获奖证书", "录取通知书", "实习证明", "体检报告") if zh else ("Transcript of Records", "School Report", "Diploma", "Certificate of Enrolment", "Academic Record", "Examination Results"), owner=(places.city_zh(rng) + pick(rng, "大学|学院|第一中学|职业技术学院")) if zh else f"{words_en.coined(rng)} University")  # fmt: skip
    pool = (
        [("姓名|学生姓名", person(area)), ("学号|考生号|证书编号", coded(rng, "##########")), ("专业|院系|班级", pick(rng, "法学|土木工程|高二（3）班")), ("学制|学历层次", pick(rng, "四年|本科|专科")), ("入学日期|毕业时间", day(area)), ("性别", pick(rng, "男|女")), ("校长|班主任", person(area))]
        if zh
        else [("Name|Student", person(area)), ("Student ID|Roll No.", coded(rng, "########")), ("Programme|Course", pick(rng, "BSc Physics|Law|Year 9")), ("Date of Birth", day(area)), ("Graduated|Issued", day(area)), ("Principal|Registrar", person(area))]
    )  # fmt: skip
    chance.scramble(area, some(rng, pool, 3, 6), halves=0.3)
    if maybe(rng, 0.7):
        heads = ["课程", "学分", "成绩"] if zh else ["Subject", "Credits", "Grade"]
        subject = (lambda: prose.characters(rng, 2, 6)) if zh else (lambda: prose.title_en(rng, 1, 3))
        lines_table(area, heads, [[subject(), str(rng.randint(1, 6)), str(rng.randint(55, 100))] for _ in range(rng.randint(3, 16))])
    else:
        chance.prose_block(area, 1, 2)
    area.line(day(area), align=rng.choice("lr"))
    return chance.close_page(area, least=0.6, most=1.4)


@family("minutes", None)
def minutes(rng: random.Random, palette: Palette) -> Sheet:
    """Minutes of a meeting, an agenda, a report: time, place and people above, points of text below."""
    area = page(rng, palette, (40, 78))
    zh = area.chinese
    chance.titled(area, ("会议纪要", "会议记录", "工作汇报", "值班记录", "通知", "调研报告", "会议议程") if zh else ("Minutes of Meeting", "MEETING MINUTES", "Agenda", "Progress Report", "Site Report", "Notice of Meeting"), owner=firm(area) if maybe(rng, 0.4) else "")  # fmt: skip
    if maybe(rng, 0.6):
        lead = [("时间|会议时间", day(area)), ("地点|会议地点", pick(rng, "三楼会议室|线上|第二会议室")), ("主持人|记录人", person(area)), ("参会人员|出席", "、".join(person(area) for _ in range(rng.randint(2, 5))))] if zh else [("Date", day(area)), ("Venue|Place", pick(rng, "Room 2|Online|Main hall")), ("Chair|Secretary", person(area)), ("Present", ", ".join(person(area) for _ in range(rng.randint(2, 4))))]  # fmt: skip
        blocks.rows(area, some(rng, lead, 2, 4), 1)
    for number in range(1, rng.randint(3, 9)):
        head = f"{number}、{prose.characters(rng, 4, 10)}" if zh else f"{number}. {prose.title_en(rng, 2, 5)}"
        if maybe(rng, 0.6):
            chance.heading(area, head, 1.05)
        area.block(prose.paragraph_zh(rng, 1, 4) if zh else prose.paragraph_en(rng, 1, 4))
    return chance.close_page(area, least=0.9, most=1.4)


@family("timetable", None)
def timetable(rng: random.Random, palette: Palette) -> Sheet:
    """A timetable of trains, buses or lessons: places, numbers and times in rows, but nobody's journey."""
    area = page(rng, palette, (34, 70))
    zh = area.chinese
    chance.titled(area, ("列车时刻表", "课程表", "公交线路时刻表", "值班表", "航班动态", "候车信息", "作息时间表", "赛程表") if zh else ("Train Timetable", "DEPARTURES", "Class Schedule", "Bus Times", "Arrivals", "Duty Roster", "Fixtures"))  # fmt: skip
    kind = rng.random()

    def clock() -> str:
        return f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}"

    place = places.railway_station if zh else (lambda random_: prose.title_en(random_, 1, 2))
    if kind < 0.6:
        heads = ["车次", "始发站", "终到站", "开点", "到点"] if zh else ["Train", "From", "To", "Dep.", "Arr."]
        rows = [[identifiers.train_number(rng), place(rng), place(rng), clock(), clock()] for _ in range(rng.randint(5, 22))]
    else:
        heads = ["时间", "周一", "周二", "周三"] if zh else ["Time", "Mon", "Tue", "Wed"]
        rows = [[clock(), *(prose.characters(rng, 2, 4) if zh else prose.title_en(rng, 1, 1) for _ in range(3))] for _ in range(rng.randint(4, 10))]
    lines_table(area, heads, rows)
    if maybe(rng, 0.5):
        chance.prose_block(area)
    return chance.close_page(area, least=0.5, most=1.4)


@family("contract", None, weight=1.2)
def contract(rng: random.Random, palette: Palette) -> Sheet:
    """A page of a contract, of insurance clauses or of rules: parties, articles, signatures; the words of policies in prose."""
    area = page(rng, palette, (34, 66))
    zh = area.chinese
    if zh:
        chance.titled(area, ("房屋租赁合同", "购销合同", "劳动合同书", "保险条款", "人身意外伤害保险条款", "服务协议", "承包合同", "借款协议", "投保须知", "免责声明", "保险责任说明"))  # fmt: skip
    else:
        chance.titled(area, ("TENANCY AGREEMENT", "Sale Contract", "Policy Wording", "General Conditions", "SERVICE AGREEMENT", "Terms and Conditions", "Loan Agreement", "Important Notice", "Exclusions"))  # fmt: skip
    if maybe(rng, 0.6):
        sides = (("甲方", "乙方"), ("出租方", "承租方"), ("需方", "供方")) if zh else (("Party A", "Party B"), ("Landlord", "Tenant"), ("Buyer", "Seller"))
        blocks.rows(area, [Entry(side, firm(area) if maybe(rng, 0.5) else person(area)) for side in rng.choice(sides)])
    if maybe(rng, 0.25):
        area.line(f"{'合同编号：' if zh else 'Contract No. '}{coded(rng, '@@-####-##')}", align="r")
    words = ("被保险人", "投保人", "保险金额", "保险人", "保险期间", "保险费", "本合同", "甲方", "乙方", "受益人") if zh else ("the Insured", "the Policyholder", "the premium", "the Sum Insured", "the Company", "the period of insurance", "the Tenant")  # fmt: skip
    head = rng.choice(("第{}条 ", "{}、", "{}. ", "（{}）") if zh else ("{}. ", "Article {} ", "Clause {}: ", "({}) "))
    numerals = "一二三四五六七八九十"
    for number in range(rng.randint(4, 12)):
        text = ""
        for _ in range(rng.randint(1, 4)):
            text += rng.choice(words) + prose.sentence_zh(rng) if zh else f"{rng.choice(words).capitalize()} {prose.sentence_en(rng, 4, 14).lower()} "
        mark = head.format(numerals[number % 10] if zh and "." not in head else number + 1)
        area.block(mark + text)
        area.skip(rng.uniform(0.0, 0.5))
    if maybe(rng, 0.4):
        names = ("甲方（签章）", "乙方（签章）") if zh else ("Signed for Party A", "Signed for Party B")
        blocks.flow(area, [Entry(name, "") for name in names])
    return chance.close_page(area, least=1.0, most=1.42)


@family("pay_slip", None)
def pay_slip(rng: random.Random, palette: Palette) -> Sheet:
    """A pay slip, medical report, budget or tax notice: pairs and rows of sums that no shop rang up."""
    area = page(rng, palette, (30, 70))
    zh = area.chinese
    chance.titled(area, ("工资条", "工资单", "检验报告单", "缴税通知书", "社保缴费明细", "个人所得税明细", "费用预算", "体检报告单", "医疗费用明细") if zh else ("PAYSLIP", "Salary Statement", "Laboratory Report", "Tax Notice", "Expense Budget", "Pension Statement"), owner=firm(area) if maybe(rng, 0.6) else "")  # fmt: skip
    pool = (
        [("姓名|员工姓名", person(area)), ("工号|编号", coded(rng, "#####")), ("部门|科室|岗位", pick(rng, "财务部|检验科|销售部")), ("月份|所属期|报告日期", day(area)), ("银行账号|身份证号", coded(rng, "################")), ("单位|缴款单位", firm(area))]
        if zh
        else [("Employee|Name|Patient", person(area)), ("Employee No.|ID", coded(rng, "#####")), ("Department|Ward", pick(rng, "Finance|Sales|Lab")), ("Pay date|Period|Reported", day(area)), ("Employer|Tax code", firm(area)), ("Bank account", coded(rng, "########"))]
    )  # fmt: skip
    chance.scramble(area, some(rng, pool, 2, 6), halves=0.3)
    names = "基本工资|绩效|加班费|养老保险|公积金|个税|白细胞计数|血糖|交通补贴|应发合计|实发工资|滞纳金|应纳税额" if zh else "Basic pay|Overtime|Tax|Pension|Net pay|Glucose|Allowance|Deductions|Gross|Travel"
    found = [Entry(name, f"{money.amount(rng, 1, 20000)}") for name in rng.sample(names.split("|"), rng.randint(4, 9))]
    if maybe(rng, 0.5):
        blocks.rows(area, found, rng.choice((1, 2)), rng.choice(("ends", "tab", "right")))
    else:
        blocks.cells(area, found, rng.choice((1, 2, 3)))
    return chance.close_page(area, least=0.4, most=1.3)


@family("screen", None)
def screen(rng: random.Random, palette: Palette) -> Sheet:
    """A telephone's or program's screen: chats, settings, lists, weather, news."""
    area = page(rng, palette, (16, 32))
    zh = area.chinese
    area.line(f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}", size=max(10, area.size - 4))
    chance.heading(area, (prose.characters(rng, 2, 6) if zh else prose.title_en(rng, 1, 3)), 1.2, rng.choice("lm"))
    kind = rng.choice(("chat", "settings", "list"))
    for _ in range(rng.randint(4, 14)):
        if kind == "chat":
            inner = replace(area, left=area.left + rng.choice((0.0, 0.2)) * area.width, width=0.8 * area.width)
            inner.block(prose.sentence_zh(rng) if zh else prose.sentence_en(rng, 3, 12))
            area.y = inner.y + 0.4 * area.size
        elif kind == "settings":
            value = rng.choice((">", "ON", "12", "已开启" if zh else "Off", coded(rng, "#.#")))
            blocks.rows(area, [Entry(prose.characters(rng, 2, 6) if zh else prose.title_en(rng, 1, 3), value)], 1, "ends")
        else:
            area.line(thing(area) if maybe(rng, 0.5) else (person(area)), font=area.bold)
            area.line(rng.choice((phone(area), day(area), address(area)))[: 30 if zh else 44], size=max(10, area.size - 3))
            chance.rule(area)
    return chance.close_page(area, least=0.8, most=2.0)


@family("advert", None, weight=0.8)
def advert(rng: random.Random, palette: Palette) -> Sheet:
    """A leaflet, coupon or invitation: large words, prices, dates, an address, a code to scan."""
    area = page(rng, palette, (18, 36))
    zh = area.chinese
    for _ in range(rng.randint(3, 9)):
        text = rng.choice(
            (
                prose.characters(rng, 3, 10) if zh else prose.title_en(rng, 1, 4),
                thing(area),
                f"{'￥' if zh else '$'}{money.amount(rng, 1, 500)}",
                day(area),
                firm(area),
                pick(rng, "限时特价|买一送一|新店开业|敬请光临|满100减20|邀请函|优惠券" if zh else "SALE|50% OFF|Grand Opening|Free entry|You are invited|COUPON"),
            )
        )  # fmt: skip
        chance.heading(area, text, rng.uniform(0.9, 2.2), rng.choice("mml"))
        if maybe(rng, 0.3):
            chance.prose_block(area, 1, 2)
    blocks.rows(area, [Entry("地址" if zh else "Address", address(area)), Entry("电话" if zh else "Call", phone(area))])
    if maybe(rng, 0.5):
        squares(area.sheet, area.left, area.y, 5 * area.size, rng)
        area.skip(6)
    return chance.close_page(area, least=0.6, most=1.5)


