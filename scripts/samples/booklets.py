"""Documents of several pages: a lease as a PDF, a fax as a TIFF."""

from __future__ import annotations

from scripts.samples import effects
from scripts.samples.sheet import Sheet

_CLAUSES = (
    (
        ("1. The boat", (
            "The owner lets to the hirer the rowing boat HERON, registration",
            "EP-2207, with two pairs of oars and four life jackets.",
        )),
        ("2. Term", (
            "The hire begins on 1 May 2025 at 9:00 and ends on 30 September",
            "2025 at 18:00. It is not extended by silence.",
        )),
        ("3. Price", (
            "The price is EUR 640.00 for the season. Half is due on signing,",
            "the rest by 1 July 2025, to account EX00 1234 5678 9000.",
        )),
    ),
    (
        ("4. Use", (
            "The boat may be used on the lake and on the canal up to lock 7.",
            "No more than four persons may be on board. Life jackets must be",
            "worn by children and by anyone who cannot swim 200 metres.",
        )),
        ("5. Care", (
            "After use the boat is bailed out, covered and locked to its ring.",
            "Damage must be reported within 24 hours by calling 555-0129.",
        )),
        ("6. Insurance", (
            "Third-party insurance is included (policy ML-55-90321). The hirer",
            "bears the first EUR 150.00 of any damage to the boat.",
        )),
    ),
    (
        ("7. Ending the contract", (
            "Either side may end this contract with four weeks' notice. If the",
            "hirer does not pay, the owner may end it after one reminder.",
        )),
        ("8. Law", (
            "The law of the place of the landing stage applies. Changes to this",
            "contract must be made in writing.",
        )),
    ),
)  # fmt: skip


def lease() -> list[Sheet]:
    """A contract of three pages."""
    pages = []
    for number, clauses in enumerate(_CLAUSES, 1):
        sheet = Sheet(1000, 1294 if number < 3 else 1000)
        y = 150.0
        if number == 1:
            sheet.text(500, 150, "Hire Agreement for a Rowing Boat", "serif-bold", 40, anchor="ms")
            sheet.text(500, 206, "between the Lakeside Boat House (owner) and the hirer named below", "serif", 25,
                       anchor="ms")  # fmt: skip
            sheet.text(100, 276, "Contract no. LB-2025-014", "serif", 26)
            y = 370.0
        for title, lines in clauses:
            sheet.text(100, y, title, "serif-bold", 29)
            y = sheet.paragraph(100, y + 50, list(lines), "serif", 27, 42) + 40
        if number == len(_CLAUSES):
            for x, name in ((100, "Owner"), (560, "Hirer")):
                sheet.rule(x, y + 130, x + 340, y + 130)
                sheet.text(x, y + 164, name, "serif", 22)
            sheet.text(100, y + 40, "Eastport, 14 April 2025", "serif", 27)
        sheet.text(500, sheet.height - 50, f"Page {number} of {len(_CLAUSES)}", "serif", 22, anchor="ms")
        pages.append(sheet)
    return pages


def fax() -> list[Sheet]:
    """A fax of three pages, black and white; the second one is empty."""
    cover, empty, order = Sheet(864, 1100), Sheet(864, 1100), Sheet(864, 1100)
    cover.text(30, 34, "12-FEB-1998 10:47", "mono", 20)
    cover.text(834, 34, "P.01/03", "mono", 20, anchor="rs")
    cover.text(80, 150, "FAX", "sans-bold", 80)
    y = 240.0
    for name, value in (
        ("To", "Order desk, Blue Ridge Seed Company"),
        ("From", "Hilltop Nursery"),
        ("Fax", "555-0150"),
        ("Pages", "3 including this one"),
        ("Re", "Spring order, customer 30718"),
    ):
        cover.text(80, y, name + ":", "sans-bold", 28)
        cover.text(230, y, value, "sans", 28)
        y += 58
    cover.rule(80, y, 790, y, 3)
    cover.paragraph(
        80,
        y + 70,
        ["Please find our order on page 3. Kindly confirm", "by return, with the date of delivery."],
        "sans",
        28,
        44,
    )
    order.text(30, 34, "12-FEB-1998 10:48", "mono", 20)
    order.text(834, 34, "P.03/03", "mono", 20, anchor="rs")
    order.text(432, 130, "ORDER", "sans-bold", 44, anchor="ms")
    y = 210.0
    for row in (
        ("Item", "Variety", "Grams"),
        ("T-104", "Tomato Red Lantern", "250"),
        ("B-221", "Runner bean Tall White", "1500"),
        ("L-030", "Lettuce Winter Crisp", "120"),
        ("C-415", "Carrot Long Amber", "400"),
        ("S-078", "Sweet pea Mixed", "90"),
        ("P-310", "Pumpkin Giant Gold", "300"),
    ):
        face = "sans-bold" if row[0] == "Item" else "sans"
        order.text(80, y, row[0], face, 28)
        order.text(250, y, row[1], face, 28)
        order.text(780, y, row[2], face, 28, anchor="rs")
        order.rule(70, y + 18, 790, y + 18, 2)
        y += 64
    order.text(80, y + 40, "Ship by rail to Northbrook, freight collect.", "sans", 28)
    effects.skew(order, 0.7)
    return [cover, empty, order]
