"""Letters, notes and printed pages."""

from __future__ import annotations

from scripts.samples import effects
from scripts.samples.sheet import GREY, Sheet

_LEFT = (
    "The old pumping station beside the",
    "canal will open its doors again in",
    "May. After two years of repairs the",
    "roof is tight, the brickwork has been",
    "pointed, and the great beam engine",
    "turns under steam for the first time",
    "since 1961.",
    "",
    "Visitors can follow the water from the",
    "intake to the filter beds. A model at a",
    "scale of 1:24 shows how the valves",
    "work, and children may try them out.",
    "",
    "Volunteers are still needed for the",
    "ticket desk, the workshop and the",
    "garden. No experience is required;",
    "training starts on 6 April at 10 a.m.",
)
_RIGHT = (
    "Opening hours are Friday to Sunday,",
    "11 a.m. to 5 p.m. The last tour starts",
    "at 4.15 p.m. Groups of more than",
    "twelve should book two weeks ahead.",
    "",
    "Admission is free for members. Other",
    "visitors pay 6.50 at the door, or 5.00",
    "when they arrive by bicycle.",
    "",
    "The society thanks the county fund,",
    "which gave 48,000 towards the roof,",
    "and all who lent tools, time and tea.",
    "Further gifts will go to the restoration",
    "of the boiler house, which needs new",
    "windows before next winter.",
    "",
    "Write to: canal@example.org",
)


def newsletter() -> Sheet:
    """A page in two columns, which must be read one after the other."""
    sheet = Sheet(1060, 1180)
    sheet.text(530, 104, "The Lock Keeper", "serif-bold", 60, anchor="ms")
    sheet.rule(70, 134, 990, 134, 3)
    sheet.text(70, 166, "Newsletter of the Canal Society", "serif-italic", 24)
    sheet.text(990, 166, "Spring 2025, No. 41", "serif-italic", 24, anchor="rs")
    sheet.rule(70, 182, 990, 182, 1)
    sheet.text(530, 250, "Steam returns to the pumping station", "serif-bold", 38, anchor="ms")
    sheet.paragraph(70, 324, list(_LEFT), "serif", 26, 40)
    sheet.paragraph(560, 324, list(_RIGHT), "serif", 26, 40)
    sheet.rule(70, 1060, 990, 1060, 1)
    sheet.text(530, 1104, "Page 1", "serif", 22, anchor="ms")
    effects.noise(sheet, 6, grain=2)
    return sheet


def invoice() -> Sheet:
    """An invoice that lay on the scanner at an angle of three degrees."""
    sheet = Sheet(1100, 1400)
    sheet.text(110, 150, "Northwind Print Studio", "sans-bold", 38)
    sheet.text(110, 188, "8 Paper Mill Yard, Westhaven WH2 6LP", "sans", 22)
    sheet.text(990, 150, "INVOICE", "sans-bold", 44, fill=GREY, anchor="rs")
    for number, line in enumerate(
        ("Bill to:", "Riverside Community Theatre", "Stage Door Lane 1", "Westhaven WH1 3BT")
    ):
        sheet.text(110, 280 + 36 * number, line, "sans-bold" if number == 0 else "sans", 24)
    for number, (name, value) in enumerate(
        (("Invoice no.", "2024-0937"), ("Invoice date", "21 Nov 2024"), ("Due date", "21 Dec 2024"))
    ):
        sheet.text(660, 280 + 36 * number, name, "sans", 24, fill=GREY)
        sheet.text(990, 280 + 36 * number, value, "sans", 24, anchor="rs")
    sheet.draw.rectangle((100, 460, 1000, 510), fill=(226, 231, 238))
    for x, title, anchor in (
        (116, "Description", "ls"),
        (640, "Qty", "rs"),
        (810, "Unit", "rs"),
        (984, "Amount", "rs"),
    ):
        sheet.text(x, 493, title, "sans-bold", 23, anchor=anchor)
    y = 556.0
    for name, quantity, unit, amount in (
        ("Posters A2, 170 g, matt", "250", "0.84", "210.00"),
        ("Programmes, 16 pages", "600", "0.55", "330.00"),
        ("Tickets, numbered", "1,200", "0.06", "72.00"),
        ("Vinyl banner 3 x 1 m", "2", "95.00", "190.00"),
        ("Delivery", "1", "18.00", "18.00"),
    ):
        sheet.text(116, y, name, "sans", 24)
        for x, value in ((640, quantity), (810, unit), (984, amount)):
            sheet.text(x, y, value, "sans", 24, anchor="rs")
        sheet.rule(100, y + 18, 1000, y + 18, 1, (190, 196, 204))
        y += 58
    for name, value, face in (
        ("Net", "820.00", "sans"),
        ("VAT 20%", "164.00", "sans"),
        ("Total", "984.00", "sans-bold"),
    ):
        sheet.text(740, y + 20, name, face, 27)
        sheet.text(984, y + 20, value, face, 27, anchor="rs")
        y += 50
    sheet.paragraph(
        110,
        y + 90,
        [
            "Please pay within 30 days, quoting the invoice number.",
            "Account 0000 4471 8820, sort code 00-11-22",
            "Questions? accounts@example.net or 555-0163",
        ],
        "sans",
        23,
        38,
    )
    effects.skew(sheet, 3.0)
    effects.blur(sheet, 0.6)
    effects.noise(sheet, 8, grain=4, specks=40)
    return sheet


def timetable() -> Sheet:
    """A table in landscape; it is stored on its side."""
    sheet = Sheet(1300, 900)
    sheet.text(70, 96, "Line 12: Eastport Harbour - Northbrook Station", "sans-bold", 38)
    sheet.text(70, 138, "Valid from 15 December 2024, Monday to Friday except public holidays", "sans", 23)
    stops = (
        ("Eastport Harbour", 0), ("Fish Market", 4), ("Town Hall", 9), ("Hospital", 13), ("Riverside North", 18),
        ("Foundry Road", 24), ("Mill Lane", 29), ("Sports Centre", 33), ("Northbrook Station", 41),
    )  # fmt: skip
    starts = (378, 428, 478, 508, 538, 608, 698)
    for row, (stop, offset) in enumerate(stops):
        y = 220 + row * 64
        if row % 2 == 0:
            sheet.draw.rectangle((60, y - 40, 1240, y + 20), fill=(236, 240, 245))
        sheet.text(76, y, stop, "sans", 26)
        for column, start in enumerate(starts):
            minute = start + offset
            sheet.text(470 + column * 115, y, f"{minute // 60:02d}:{minute % 60:02d}", "sans", 26, anchor="ms")
    sheet.rule(60, 180, 1240, 180)
    sheet.rule(60, 764, 1240, 764)
    sheet.text(70, 812, "Buses at 08:58 and later do not stop at the Fish Market on market days.", "sans", 22)
    sheet.text(70, 848, "Information: 555-0188 or www.example.com/line12", "sans", 22)
    effects.noise(sheet, 9, grain=3)
    return sheet


def memo() -> Sheet:
    """A grey photocopy of a photocopy."""
    sheet = Sheet(900, 1120, (232, 232, 230))
    sheet.text(80, 120, "MEMORANDUM", "mono-bold", 40)
    y = 190.0
    for name, value in (
        ("TO:", "All laboratory staff"),
        ("FROM:", "Facilities, Room 114"),
        ("DATE:", "3 June 1987"),
        ("SUBJECT:", "Water shut-off, Building C"),
    ):
        sheet.text(80, y, name, "mono-bold", 25)
        sheet.text(270, y, value, "mono", 25)
        y += 42
    sheet.rule(80, y, 820, y)
    y = sheet.paragraph(
        80,
        y + 60,
        [
            "Cold water to Building C will be shut off on",
            "Thursday, June 11, from 6:30 a.m. to about",
            "2:00 p.m. while valve V-17 is replaced.",
            "",
            "Please turn off stills and condensers on the",
            "evening before. Deionized water is available",
            "from the tank in Building A, ext. 3305.",
            "",
            "Experiments that cannot be interrupted must be",
            "reported to this office by June 9 at noon.",
        ],
        "mono",
        25,
        42,
    )
    sheet.text(80, y + 60, "cc: Safety Committee; file 87-0612", "mono", 22)
    effects.skew(sheet, -1.2, (205, 205, 203))
    effects.blur(sheet, 0.9)
    effects.fade(sheet, 214, 70)
    effects.shade(sheet, 13, depth=0.2)
    effects.noise(sheet, 13, grain=13, specks=150)
    return sheet


def notice() -> Sheet:
    """A poster photographed with the camera held upright; the file says so in its EXIF data."""
    sheet = Sheet(800, 1060, (252, 250, 240))
    sheet.draw.rectangle((0, 0, 800, 170), fill=(150, 40, 36))
    sheet.text(400, 110, "LOST: GREY CAT", "sans-bold", 68, fill=(255, 255, 255), anchor="ms")
    sheet.draw.ellipse((250, 240, 550, 500), fill=(150, 152, 156))
    sheet.draw.polygon(((270, 300), (300, 200), (370, 256)), fill=(150, 152, 156))
    sheet.draw.polygon(((530, 300), (500, 200), (430, 256)), fill=(150, 152, 156))
    for x in (340, 460):
        sheet.draw.ellipse((x - 18, 340, x + 18, 376), fill=(60, 90, 60))
    sheet.draw.polygon(((385, 410), (415, 410), (400, 428)), fill=(190, 120, 120))
    y = 590.0
    for text, size in (
        ('Answers to "Pixel"', 44),
        ("White paws, blue collar, chip 900-0417", 34),
        ("Last seen near Mill Lane on Sunday", 34),
        ("Reward: a homemade cake", 44),
    ):
        sheet.text(400, y, text, "sans", size, anchor="ms")
        y += 80
    sheet.text(400, 980, "Call 555-0175", "sans-bold", 62, anchor="ms")
    corners = ((62.0, 84.0), (862.0, 60.0), (880.0, 1178.0), (48.0, 1150.0))
    effects.photograph(sheet, corners, (930, 1240), (132, 134, 126))
    effects.blur(sheet, 0.7)
    effects.shade(sheet, 17, depth=0.3)
    effects.noise(sheet, 17, grain=5)
    return sheet
