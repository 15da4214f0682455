"""Receipts: from a café, from a supermarket (long), and one photographed on a table."""

from __future__ import annotations

import numpy as np

from scripts.samples import effects
from scripts.samples.sheet import INK, Sheet

_GROCERIES = (
    "WHOLEMEAL BREAD 800G", "FREE RANGE EGGS X12", "SEMI SKIMMED MILK 2L", "BASMATI RICE 1KG", "RED LENTILS 500G",
    "CHERRY TOMATOES", "BABY SPINACH 240G", "GREEK YOGHURT 1KG", "OLIVE OIL 750ML", "BLACK PEPPER 50G",
    "CHICKPEAS 4X400G", "MATURE CHEDDAR 350G", "ORANGE JUICE 1.5L", "GROUND COFFEE 227G", "DARK CHOCOLATE 85%",
    "KITCHEN ROLL X4", "WASHING UP LIQUID", "BANANAS LOOSE", "CARROTS 1KG", "BROWN ONIONS 1KG", "GARLIC X4",
    "SALMON FILLETS 240G", "FROZEN PEAS 910G", "PENNE PASTA 500G", "CHOPPED TOMATOES X4", "HONEY 340G",
    "PORRIDGE OATS 1KG", "ALMONDS 200G", "GREEN TEA X80", "SPARKLING WATER X6", "LEMONS X5", "BUTTER UNSALTED",
    "PLAIN FLOUR 1.5KG", "CASTER SUGAR 1KG", "BAKING POWDER", "VANILLA EXTRACT", "STRAWBERRIES 400G", "ICE CREAM 900ML",
)  # fmt: skip


def cafe() -> Sheet:
    """A short receipt on faded thermal paper, with the values of its fields."""
    sheet = Sheet(576, 1010)
    middle = sheet.width / 2
    sheet.text(middle, 84, "HARBOUR BEAN COFFEE", "mono-bold", 36, anchor="ms")
    sheet.text(middle, 128, "14 Quayside Walk, Eastport", "mono", 23, anchor="ms")
    sheet.text(middle, 160, "Tel. 555-0142", "mono", 23, anchor="ms")
    sheet.dashes(36, 540, 190)
    sheet.text(36, 232, "Receipt 00318", "mono", 23)
    sheet.text(540, 232, "Table 7", "mono", 23, anchor="rs")
    sheet.text(36, 266, "Date 14/03/2024", "mono", 23)
    sheet.text(540, 266, "09:42", "mono", 23, anchor="rs")
    sheet.dashes(36, 540, 292)
    y = 342.0
    for name, price in (
        ("2 Flat white", "7.60"),
        ("1 Almond croissant", "3.45"),
        ("1 Toast and marmalade", "4.20"),
        ("1 Fresh orange juice", "3.90"),
    ):
        sheet.text(36, y, name, "mono", 25)
        sheet.text(540, y, price, "mono", 25, anchor="rs")
        y += 42
    sheet.dashes(36, 540, y - 14)
    for name, price, face, size in (
        ("Subtotal", "19.15", "mono", 25),
        ("Service 10%", "1.92", "mono", 25),
        ("TOTAL", "EUR 21.07", "mono-bold", 33),
        ("Card ************4417", "21.07", "mono", 25),
    ):
        y += 46
        sheet.text(36, y - 12, name, face, size)
        sheet.text(540, y - 12, price, face, size, anchor="rs")
    sheet.dashes(36, 540, y + 16)
    sheet.text(middle, y + 66, "Tax No. EX 4471 2209", "mono", 22, anchor="ms")
    sheet.text(middle, y + 104, "Thank you, see you soon!", "mono", 25, anchor="ms")
    _barcode(sheet, 150, y + 140, 276, 70, 5)
    sheet.text(middle, y + 240, "0 031824 140324", "mono", 20, anchor="ms")
    effects.blur(sheet, 0.6)
    effects.fade(sheet, 244, 62)
    effects.noise(sheet, 11, grain=3)
    return sheet


def supermarket() -> Sheet:
    """A receipt more than seven times as long as it is wide."""
    random = np.random.default_rng(7)
    sheet = Sheet(480, 3560)
    middle = sheet.width / 2
    sheet.text(middle, 70, "GREENFIELD", "sans-bold", 50, anchor="ms")
    sheet.text(middle, 108, "FOOD MARKET", "sans", 24, anchor="ms")
    sheet.text(middle, 150, "Unit 3, Mill Lane, Northbrook", "mono", 20, anchor="ms")
    sheet.text(middle, 178, "VAT NO 000 1234 56", "mono", 20, anchor="ms")
    sheet.dashes(24, 456, 204)
    y, total, count = 246.0, 0, 0
    for name in _GROCERIES:
        pence = int(random.integers(79, 899))
        sheet.text(24, y, name, "mono", 22)
        amount = pence
        if random.random() < 0.45:
            quantity = int(random.integers(2, 5))
            amount = pence * quantity
            y += 32
            sheet.text(60, y, f"{quantity} @ {pence / 100:.2f}", "mono", 20)
            count += quantity - 1
        sheet.text(456, y, f"{amount / 100:.2f}", "mono", 22, anchor="rs")
        total += amount
        count += 1
        if random.random() < 0.12:
            saving = int(amount * 0.2)
            y += 32
            sheet.text(60, y, "Member saving", "mono", 20)
            sheet.text(456, y, f"-{saving / 100:.2f}", "mono", 20, anchor="rs")
            total -= saving
        y += 46
        if len(sheet.labels) % 29 == 0:
            y += 12
    sheet.dashes(24, 456, y - 14)
    y += 34
    for name, value, face, size in (
        (f"{count} ITEMS", "", "mono", 22),
        ("TOTAL TO PAY", f"{total / 100:.2f}", "mono-bold", 29),
        ("CASH", f"{(total // 1000 + 1) * 10:.2f}", "mono", 22),
        ("CHANGE DUE", f"{((total // 1000 + 1) * 1000 - total) / 100:.2f}", "mono", 22),
    ):
        sheet.text(24, y, name, face, size)
        if value:
            sheet.text(456, y, value, face, size, anchor="rs")
        y += 46
    sheet.dashes(24, 456, y - 16)
    y += 30
    for text in ("Store 0417, till 06", "Keep this receipt for exchanges", "within 28 days of purchase"):
        sheet.text(middle, y, text, "mono", 20, anchor="ms")
        y += 34
    _barcode(sheet, 100, y, 280, 80, 9)
    sheet.text(middle, y + 112, "0417 0006 2024 1102 1835", "mono", 19, anchor="ms")
    _crop(sheet, int(y + 150))
    effects.blur(sheet, 0.5)
    effects.fade(sheet, 250, 45)
    return sheet


def hardware_photo() -> Sheet:
    """A till slip photographed at an angle on a wooden table."""
    sheet = Sheet(620, 1040, (250, 248, 243))
    middle = sheet.width / 2
    sheet.text(middle, 90, "OAK & ANVIL HARDWARE", "sans-bold", 38, anchor="ms")
    sheet.text(middle, 130, "Trade counter, 220 Foundry Road", "sans", 24, anchor="ms")
    sheet.rule(40, 160, 580, 160)
    sheet.text(40, 204, "Invoice: TC-58213", "sans", 25)
    sheet.text(580, 204, "2024-11-02 16:08", "sans", 25, anchor="rs")
    sheet.rule(40, 226, 580, 226)
    y = 280.0
    for name, detail, price in (
        ("Wood screws 4 x 40 mm", "3 boxes x 5.20", "15.60"),
        ("Spirit level 600 mm", "1 x 18.90", "18.90"),
        ("Masking tape 38 mm", "4 rolls x 2.75", "11.00"),
        ("Sandpaper P120", "10 sheets x 0.60", "6.00"),
        ("Brass hinge 75 mm", "6 x 3.15", "18.90"),
    ):
        sheet.text(40, y, name, "sans", 27)
        sheet.text(580, y + 34, price, "sans", 27, anchor="rs")
        sheet.text(64, y + 34, detail, "sans", 22)
        y += 86
    sheet.rule(40, y - 22, 580, y - 22)
    for name, price, face in (
        ("Net", "70.40", "sans"),
        ("Sales tax 8.5%", "5.98", "sans"),
        ("Amount due", "$76.38", "sans-bold"),
    ):
        sheet.text(250, y + 20, name, face, 28)
        sheet.text(580, y + 20, price, face, 28, anchor="rs")
        y += 44
    sheet.text(middle, y + 76, "Paid by card - thank you", "sans", 25, anchor="ms")
    sheet.text(middle, y + 112, "Returns accepted within 30 days", "sans", 22, anchor="ms")
    corners = ((205.0, 92.0), (838.0, 148.0), (790.0, 1266.0), (118.0, 1184.0))
    effects.photograph(sheet, corners, (960, 1340), (96, 66, 44))
    effects.blur(sheet, 0.8)
    effects.shade(sheet, 21, depth=0.35)
    effects.noise(sheet, 21, grain=5)
    return sheet


def _crop(sheet: Sheet, height: int) -> None:
    sheet.image = sheet.image.crop((0, 0, sheet.width, height))


def _barcode(sheet: Sheet, x: float, y: float, width: float, height: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    at = x
    while at < x + width:
        bar = float(random.integers(1, 5)) * 1.5
        sheet.draw.rectangle((at, y, at + bar, y + height), fill=INK)
        at += bar + float(random.integers(1, 4)) * 1.8
