"""Forms and a card, English and Chinese."""

from __future__ import annotations

from scripts.samples import effects
from scripts.samples.sheet import BLUE, GREY, Sheet


def allotment_form() -> Sheet:
    """An application form, filled in with a typewriter."""
    sheet = Sheet(1000, 1300)
    sheet.text(500, 86, "TOWN OF EASTPORT", "serif-bold", 34, anchor="ms")
    sheet.text(500, 130, "Application for an Allotment Garden", "serif", 30, anchor="ms")
    sheet.text(940, 176, "Form AG-12 (rev. 04/23)", "sans", 18, fill=GREY, anchor="rs")
    y = _section(sheet, 200, "1. Applicant")
    y = _row(sheet, y, (("Family name", "SPECIMEN", 440), ("Given names", "Sample", 440)))
    y = _row(sheet, y, (("Street and number", "27 Larch Crescent", 600), ("Postcode", "EP4 8QT", 280)))
    y = _row(sheet, y, (("Telephone", "555-0117", 300), ("E-mail", "applicant@example.com", 580)))
    y = _section(sheet, y + 26, "2. Garden wanted")
    y = _row(sheet, y, (("Site", "Riverside North", 440), ("Size in square metres", "120", 440)))
    y = _row(sheet, y, (("Start of lease", "01/04/2025", 300), ("Plot number, if known", "B 46", 580)))
    y = _choices(sheet, y + 20, "Water connection", (("Yes", True), ("No", False)))
    y = _choices(sheet, y, "Garden shed", (("Yes", False), ("No", True)))
    y = _choices(sheet, y, "Shared tools", (("Yes", True), ("No", False)))
    y = _section(sheet, y + 10, "3. Declaration")
    sheet.paragraph(
        60,
        y + 40,
        [
            "I have read the garden rules and agree to keep them. I know that the lease ends",
            "on 31 December of each year and is renewed unless notice is given by 30 September.",
        ],
        "serif",
        24,
        34,
    )
    y += 190
    sheet.rule(60, y, 400, y)
    sheet.rule(560, y, 940, y)
    sheet.text(80, y - 12, "12 February 2025", "mono", 26, fill=BLUE)
    sheet.text(60, y + 26, "Date", "sans", 18, fill=GREY)
    sheet.text(560, y + 26, "Signature", "sans", 18, fill=GREY)
    _scribble(sheet, 600, y - 10)
    sheet.text(500, 1268, "Return to: Parks Office, Town Hall, Eastport", "sans", 20, anchor="ms")
    effects.noise(sheet, 3, grain=2)
    return sheet


def chinese_form() -> Sheet:
    """A registration form with a table, in Chinese."""
    sheet = Sheet(1050, 1240)
    sheet.text(525, 96, "社区图书馆读者登记表", "chinese", 44, anchor="ms")
    sheet.text(60, 150, "登记编号：TS-2024-00871", "chinese", 24)
    sheet.text(990, 150, "填表日期：2024年10月18日", "chinese", 24, anchor="rs")
    rows = (
        (("姓名", "张三"), ("性别", "男")),
        (("出生日期", "1990年1月1日"), ("联系电话", "010-5550123")),
        (("证件类型", "读者临时证"), ("证件号码", "LS20240871")),
        (("家庭住址", "示例市样本区幸福路88号3单元502室"),),
        (("电子邮箱", "reader@example.com"), ("邮政编码", "100000")),
        (("借阅类别", "普通读者"), ("押金", "人民币200元整")),
    )
    top, height = 180, 82
    for number, row in enumerate(rows):
        y = top + number * height
        width = 930 / len(row)
        for column, (name, value) in enumerate(row):
            x = 60 + column * width
            sheet.frame(x, y, x + 170, y + height, fill=(240, 242, 245))
            sheet.frame(x + 170, y, x + width, y + height)
            sheet.text(x + 85, y + 51, name, "chinese", 27, anchor="ms")
            sheet.text(x + 190, y + 51, value, "chinese", 27, fill=BLUE)
    y = top + len(rows) * height
    sheet.frame(60, y, 230, y + 230, fill=(240, 242, 245))
    sheet.frame(230, y, 990, y + 230)
    sheet.text(145, y + 124, "读者须知", "chinese", 27, anchor="ms")
    sheet.paragraph(
        250,
        y + 48,
        [
            "一、请妥善保管借书证，遗失请及时挂失。",
            "二、每次最多借阅图书五册，借期为三十天。",
            "三、逾期归还者，每册每天收取滞纳金0.2元。",
            "四、请爱护图书，如有损坏须照价赔偿。",
        ],
        "chinese",
        26,
        48,
    )
    y += 230
    sheet.frame(60, y, 990, y + 150)
    sheet.text(80, y + 50, "本人已阅读并同意遵守以上规定。", "chinese", 27)
    sheet.text(560, y + 112, "读者签名：", "chinese", 27)
    _scribble(sheet, 710, y + 104)
    sheet.text(60, y + 206, "经办人工号：0026", "chinese", 24)
    sheet.text(990, y + 206, "第一联：图书馆留存", "chinese", 24, anchor="rs")
    effects.skew(sheet, -0.8)
    effects.noise(sheet, 4, grain=3)
    return sheet


def chinese_card() -> Sheet:
    """A member's card with a picture, photographed flat."""
    sheet = Sheet(1012, 638, (226, 238, 246))
    for x in range(-600, 1012, 26):
        sheet.rule(x, 638, x + 638, 0, 1, (206, 225, 238))
    sheet.draw.rectangle((0, 0, 1012, 112), fill=(24, 92, 138))
    sheet.text(48, 74, "示例市体育中心会员卡", "chinese", 42, fill=(255, 255, 255))
    sheet.text(964, 72, "MEMBER", "sans-bold", 30, fill=(255, 255, 255), anchor="rs")
    sheet.draw.rectangle((718, 160, 946, 448), fill=(200, 210, 220), outline=GREY, width=2)
    sheet.draw.ellipse((788, 206, 876, 310), fill=(150, 162, 174))
    sheet.draw.pieslice((742, 320, 922, 560), 180, 360, fill=(150, 162, 174))
    sheet.draw.rectangle((720, 441, 944, 446), fill=(200, 210, 220))
    y = 206
    for name, value in (
        ("姓名", "李样本"),
        ("卡号", "6012 0045 7789"),
        ("级别", "金卡会员"),
        ("场馆", "游泳馆、羽毛球馆"),
        ("有效期", "2024.09.01-2025.08.31"),
    ):
        sheet.text(56, y, name, "chinese", 30, fill=GREY)
        sheet.text(210, y, value, "chinese", 32)
        y += 68
    sheet.rule(48, 528, 964, 528, 2, (24, 92, 138))
    sheet.text(56, 584, "仅限本人使用，不得转借", "chinese", 26)
    sheet.text(956, 584, "服务热线 400-555-0199", "chinese", 26, anchor="rs")
    corners = ((70.0, 66.0), (1078.0, 52.0), (1092.0, 690.0), (58.0, 702.0))
    effects.photograph(sheet, corners, (1150, 760), (62, 66, 72))
    effects.blur(sheet, 0.7)
    effects.shade(sheet, 5, depth=0.18)
    effects.noise(sheet, 5, grain=4)
    return sheet


def _section(sheet: Sheet, y: float, title: str) -> float:
    sheet.draw.rectangle((60, y, 940, y + 40), fill=(222, 228, 236))
    sheet.text(76, y + 29, title, "sans-bold", 24)
    return y + 40


def _row(sheet: Sheet, y: float, cells: tuple[tuple[str, str, int], ...]) -> float:
    x = 60
    for name, value, width in cells:
        sheet.frame(x, y, x + width, y + 82, 1)
        sheet.text(x + 12, y + 24, name, "sans", 18, fill=GREY)
        sheet.text(x + 18, y + 66, value, "mono", 28, fill=BLUE)
        x += width
    return y + 82


def _choices(sheet: Sheet, y: float, name: str, choices: tuple[tuple[str, bool], ...]) -> float:
    sheet.text(60, y + 26, name, "sans", 23)
    for number, (choice, ticked) in enumerate(choices):
        x = 340 + number * 200
        sheet.frame(x, y + 4, x + 26, y + 30)
        if ticked:
            sheet.rule(x + 4, y + 16, x + 11, y + 26, 4, BLUE)
            sheet.rule(x + 11, y + 26, x + 24, y + 6, 4, BLUE)
        sheet.text(x + 44, y + 26, choice, "sans", 23)
    return y + 44


def _scribble(sheet: Sheet, x: float, y: float) -> None:
    """A signature that spells nothing."""
    points = [(x + i * 7, y - (18 if i % 3 == 0 else 4) - (i * 5) % 11) for i in range(26)]
    sheet.draw.line(points, fill=BLUE, width=3, joint="curve")
    sheet.draw.line([(x - 6, y + 4), (x + 190, y - 4)], fill=BLUE, width=2)
