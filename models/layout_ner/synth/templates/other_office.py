"""More pages of no known type: minutes, contracts, clauses, pay slips, transcripts."""

from __future__ import annotations

import random

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Sheet
from models.layout_ner.synth.templates import pair_blocks as blocks
from models.layout_ner.synth.templates import prose, words_en
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.labels import maybe
from models.layout_ner.synth.templates.other_kit import (
    day,
    firm,
    lines_table,
    page,
    person,
    some,
)
from models.layout_ner.synth.templates.pair_blocks import Entry
from models.layout_ner.synth.templates.parts import coded, pick
from models.layout_ner.synth.values import money, places


@family("transcript", None)
def transcript(rng: random.Random, palette: Palette) -> Sheet:
    """A school's certificate, transcript or report: names, courses, marks, a stamp."""
    area = page(rng, palette, (36, 66))
    zh = area.chinese
    chance.titled(
        area,
        ("毕业证书", "成绩单", "学籍证明", "在读证明", "学位证书", "获奖证书", "录取通知书", "实习证明", "体检报告")
        if zh
        else (
            "Transcript of Records",
            "School Report",
            "Diploma",
            "Certificate of Enrolment",
            "Academic Record",
            "Examination Results",
        ),
        owner=(places.city_zh(rng) + pick(rng, "大学|学院|第一中学|职业技术学院"))
        if zh
        else f"{words_en.coined(rng)} University",
    )
    pool = (
        [
            ("姓名|学生姓名", person(area)),
            ("学号|考生号|证书编号", coded(rng, "##########")),
            ("专业|院系|班级", pick(rng, "法学|土木工程|高二（3）班")),
            ("学制|学历层次", pick(rng, "四年|本科|专科")),
            ("入学日期|毕业时间", day(area)),
            ("性别", pick(rng, "男|女")),
            ("校长|班主任", person(area)),
        ]
        if zh
        else [
            ("Name|Student", person(area)),
            ("Student ID|Roll No.", coded(rng, "########")),
            ("Programme|Course", pick(rng, "BSc Physics|Law|Year 9")),
            ("Date of Birth", day(area)),
            ("Graduated|Issued", day(area)),
            ("Principal|Registrar", person(area)),
        ]
    )
    chance.scramble(area, some(rng, pool, 3, 6), halves=0.3)
    if maybe(rng, 0.7):
        heads = ["课程", "学分", "成绩"] if zh else ["Subject", "Credits", "Grade"]
        count = rng.randint(3, 16)
        subjects = [prose.characters(rng, 2, 6) if zh else prose.title_en(rng, 1, 3) for _ in range(count)]
        lines_table(
            area,
            heads,
            [[subject, str(rng.randint(1, 6)), str(rng.randint(55, 100))] for subject in subjects],
        )
    else:
        chance.prose_block(area, 1, 2)
    area.line(day(area), align=rng.choice("lr"))
    return chance.close_page(area, least=0.6, most=1.4)


@family("minutes", None)
def minutes(rng: random.Random, palette: Palette) -> Sheet:
    """Minutes of a meeting, an agenda, a report: time, place and people above, points of text below."""
    area = page(rng, palette, (40, 78))
    zh = area.chinese
    chance.titled(
        area,
        ("会议纪要", "会议记录", "工作汇报", "值班记录", "通知", "调研报告", "会议议程")
        if zh
        else ("Minutes of Meeting", "MEETING MINUTES", "Agenda", "Progress Report", "Site Report", "Notice of Meeting"),
        owner=firm(area) if maybe(rng, 0.4) else "",
    )
    if maybe(rng, 0.6):
        lead = (
            [
                ("时间|会议时间", day(area)),
                ("地点|会议地点", pick(rng, "三楼会议室|线上|第二会议室")),
                ("主持人|记录人", person(area)),
                ("参会人员|出席", "、".join(person(area) for _ in range(rng.randint(2, 5)))),
            ]
            if zh
            else [
                ("Date", day(area)),
                ("Venue|Place", pick(rng, "Room 2|Online|Main hall")),
                ("Chair|Secretary", person(area)),
                ("Present", ", ".join(person(area) for _ in range(rng.randint(2, 4)))),
            ]
        )
        blocks.rows(area, some(rng, lead, 2, 4), 1)
    for number in range(1, rng.randint(3, 9)):
        head = f"{number}、{prose.characters(rng, 4, 10)}" if zh else f"{number}. {prose.title_en(rng, 2, 5)}"
        if maybe(rng, 0.6):
            chance.heading(area, head, 1.05)
        area.block(prose.paragraph_zh(rng, 1, 4) if zh else prose.paragraph_en(rng, 1, 4))
    return chance.close_page(area, least=0.9, most=1.4)


@family("contract", None, weight=1.2)
def contract(rng: random.Random, palette: Palette) -> Sheet:
    """A page of a contract, of insurance clauses or of rules: parties, articles, the words of policies in prose."""
    area = page(rng, palette, (34, 66))
    zh = area.chinese
    if zh:
        chance.titled(
            area,
            (
                "房屋租赁合同",
                "购销合同",
                "劳动合同书",
                "保险条款",
                "人身意外伤害保险条款",
                "服务协议",
                "承包合同",
                "借款协议",
                "投保须知",
                "免责声明",
                "保险责任说明",
            ),
        )
    else:
        chance.titled(
            area,
            (
                "TENANCY AGREEMENT",
                "Sale Contract",
                "Policy Wording",
                "General Conditions",
                "SERVICE AGREEMENT",
                "Terms and Conditions",
                "Loan Agreement",
                "Important Notice",
                "Exclusions",
            ),
        )
    if maybe(rng, 0.6):
        sides = (
            (("甲方", "乙方"), ("出租方", "承租方"), ("需方", "供方"))
            if zh
            else (("Party A", "Party B"), ("Landlord", "Tenant"), ("Buyer", "Seller"))
        )
        blocks.rows(area, [Entry(side, firm(area) if maybe(rng, 0.5) else person(area)) for side in rng.choice(sides)])
    if maybe(rng, 0.25):
        area.line(f"{'合同编号：' if zh else 'Contract No. '}{coded(rng, '@@-####-##')}", align="r")
    words = (
        ("被保险人", "投保人", "保险金额", "保险人", "保险期间", "保险费", "本合同", "甲方", "乙方", "受益人")
        if zh
        else (
            "the Insured",
            "the Policyholder",
            "the premium",
            "the Sum Insured",
            "the Company",
            "the period of insurance",
            "the Tenant",
        )
    )
    head = rng.choice(("第{}条 ", "{}、", "{}. ", "（{}）") if zh else ("{}. ", "Article {} ", "Clause {}: ", "({}) "))
    numerals = "一二三四五六七八九十"
    for number in range(rng.randint(4, 12)):
        text = ""
        for _ in range(rng.randint(1, 4)):
            text += (
                rng.choice(words) + prose.sentence_zh(rng)
                if zh
                else f"{rng.choice(words).capitalize()} {prose.sentence_en(rng, 4, 14).lower()} "
            )
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
    chance.titled(
        area,
        (
            "工资条",
            "工资单",
            "检验报告单",
            "缴税通知书",
            "社保缴费明细",
            "个人所得税明细",
            "费用预算",
            "体检报告单",
            "医疗费用明细",
        )
        if zh
        else ("PAYSLIP", "Salary Statement", "Laboratory Report", "Tax Notice", "Expense Budget", "Pension Statement"),
        owner=firm(area) if maybe(rng, 0.6) else "",
    )
    pool = (
        [
            ("姓名|员工姓名", person(area)),
            ("工号|编号", coded(rng, "#####")),
            ("部门|科室|岗位", pick(rng, "财务部|检验科|销售部")),
            ("月份|所属期|报告日期", day(area)),
            ("银行账号|身份证号", coded(rng, "################")),
            ("单位|缴款单位", firm(area)),
        ]
        if zh
        else [
            ("Employee|Name|Patient", person(area)),
            ("Employee No.|ID", coded(rng, "#####")),
            ("Department|Ward", pick(rng, "Finance|Sales|Lab")),
            ("Pay date|Period|Reported", day(area)),
            ("Employer|Tax code", firm(area)),
            ("Bank account", coded(rng, "########")),
        ]
    )
    chance.scramble(area, some(rng, pool, 2, 6), halves=0.3)
    names = (
        "基本工资|绩效|加班费|养老保险|公积金|个税|白细胞计数|血糖|交通补贴|应发合计|实发工资|滞纳金|应纳税额"
        if zh
        else "Basic pay|Overtime|Tax|Pension|Net pay|Glucose|Allowance|Deductions|Gross|Travel"
    )
    found = [Entry(name, f"{money.amount(rng, 1, 20000)}") for name in rng.sample(names.split("|"), rng.randint(4, 9))]
    if maybe(rng, 0.5):
        blocks.rows(area, found, rng.choice((1, 2)), rng.choice(("ends", "tab", "right")))
    else:
        blocks.cells(area, found, rng.choice((1, 2, 3)))
    return chance.close_page(area, least=0.4, most=1.3)
