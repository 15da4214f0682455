"""More English receipts: taxis, car parks, fuel, cafés, mails, card slips."""

from __future__ import annotations

import random

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.bill_kit_en import Bill, bill
from models.layout_ner.synth.templates.labels import maybe
from models.layout_ner.synth.templates.pair_blocks import Entry
from models.layout_ner.synth.templates.parts import coded, pick
from models.layout_ner.synth.templates.receipt_style import TillStyle
from models.layout_ner.synth.templates.receipts_scrambled_en import divide
from models.layout_ner.synth.values import dates, people


def _narrow(rng: random.Random, doc: Bill) -> Sheet:
    return chance.close_page(doc.area, least=0.2, most=0.6)


@family("bill_ride", "receipt")
def bill_ride(rng: random.Random, palette: Palette) -> Sheet:
    """A taxi's or car park's slip, a toll, a filling station: times, distances, a fare; no table of goods."""
    doc = bill(
        rng, palette, TillStyle(count=(1, 1), price=(1, 120)), across=(16, 28), fonts=("mono", "mono", "sans", "ocr")
    )
    area = doc.area
    kind = rng.choice(("taxi", "parking", "fuel"))
    title = {
        "taxi": "TAXI RECEIPT|RECEIPT|Fare Receipt|Trip receipt",
        "parking": "PARKING RECEIPT|PAY & DISPLAY|RECEIPT|Exit Ticket|Car Park",
        "fuel": "FUEL RECEIPT|RECEIPT|SALE|Pump Receipt",
    }[kind]
    pieces = ["seller", "title"] if maybe(rng, 0.6) else ["title", "seller"]
    if maybe(rng, 0.3):
        pieces = ["title"]
    for piece in pieces:
        if piece == "title":
            doc.title(text=doc.say(title))
        else:
            doc.seller(parts=rng.choice(("nrapt", "na", "n", "nap")))
    divide(doc)
    minute = f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}"
    own = {
        "taxi": [
            ("Taxi No|Cab|Vehicle|Medallion", coded(rng, "@@####")),
            ("Distance|Miles|KM", f"{rng.uniform(1, 40):.1f}"),
            ("Start|From|Pick-up", minute),
            ("Trip #|Job|Driver ID", coded(rng, "#####")),
            ("Rate|Tariff", str(rng.randint(1, 4))),
        ],
        "parking": [
            ("Entry|In|Entry time|Time in|Arrived", minute),
            ("Duration|Stay|Parked", f"{rng.randint(0, 9)}h {rng.randint(0, 59):02d}m"),
            ("Plate|Vehicle|Reg", coded(rng, "@@@ ####")),
            ("Lane|Machine|Device|Zone", coded(rng, "##")),
            ("Exit|Out|Exit time", minute),
        ],
        "fuel": [
            ("Pump|Pump No.|PUMP", str(rng.randint(1, 12))),
            ("Litres|Volume|Gallons|Qty (L)", f"{rng.uniform(3, 70):.2f}"),
            ("Price/L|Unit price|PPL|Per gallon", f"{rng.uniform(1, 4):.3f}"),
            ("Product|Grade|Fuel", pick(rng, "RON95|Diesel|Unleaded|Super|RON97")),
            ("Odometer|Attendant", coded(rng, "#####")),
        ],
    }[kind]
    others = [Entry(doc.say(names), doc.cased(value)) for names, value in rng.sample(own, rng.randint(2, 5))]
    entries = chance.mixed(rng, doc.details(0, 2), others)
    if maybe(rng, 0.35):
        entries += doc.sums()
        chance.scramble(area, entries, halves=0.1)
    else:
        chance.scramble(area, entries, halves=0.1)
        divide(doc)
        doc.write_sums(doc.sums())
    if "seller" not in pieces:
        divide(doc)
        doc.seller(parts=rng.choice(("nrapt", "na", "nap")))
    doc.foot(0, 3)
    return _narrow(rng, doc)


@family("bill_cafe", "receipt", weight=1.2)
def bill_cafe(rng: random.Random, palette: Palette) -> Sheet:
    """A café, bar or bakery: who served at any place, table, thanks; the firm above or below everything."""
    doc = bill(rng, palette, TillStyle(count=(1, 8), price=(1, 45), service=0.3), across=(17, 30), upper=0.35)
    area = doc.area
    low = maybe(rng, 0.4)
    served = doc.cased(
        f"{pick(rng, 'Served by|You were served by|Your server was|Your server today:|Host:|Barista')} "
        f"{people.english_name(rng).split(' ')[0]}"
    )
    at = rng.choice(("top", "details", "bottom", ""))
    if not low:
        doc.seller(parts=rng.choice(("nrapt", "nap", "na")))
    elif maybe(rng, 0.6):
        area.line(
            doc.cased(pick(rng, "Welcome!|Enjoy your meal|Take Away|EAT IN|Good morning|Order up|Drinks")), align="m"
        )
    if at == "top":
        area.line(served, align=rng.choice("lm"))
    if maybe(rng, 0.4):
        doc.title()
    divide(doc)
    if at == "details":
        area.line(served, align=rng.choice("lmr"))
    details = [entry for entry in doc.details(0, 2) if not (at and "erved" in str(entry.label))]
    chance.scramble(area, details, halves=0.3)
    divide(doc)
    doc.goods()
    divide(doc)
    doc.write_sums(doc.sums())
    divide(doc)
    if at == "bottom":
        area.line(served, align=rng.choice("lmr"))
    if low:
        doc.foot(0, 1)
        doc.seller(parts=rng.choice(("nrapt", "nap", "na", "nat")), align=rng.choice("mml"))
    doc.foot(0, 2)
    return _narrow(rng, doc)


@family("bill_mail", "receipt")
def bill_mail(rng: random.Random, palette: Palette) -> Sheet:
    """A receipt sent by e-mail or shown by a shop on the web: large total first, order, card, addresses below."""
    doc = bill(
        rng,
        palette,
        TillStyle(count=(1, 6), price=(2, 400), service=0.3),
        across=(34, 64),
        fonts=("sans", "sans", "serif"),
        upper=0.05,
    )
    area = doc.area
    kind = maybe(rng, 0.5)
    if maybe(rng, 0.4):
        area.line(f"From: {coded(rng, '@@@@').lower()}@mail.com", size=max(10, area.size - 3))
        area.line(
            f"Subject: {pick(rng, 'Your receipt|Order confirmation|Your e-receipt|Payment received')}",
            size=max(10, area.size - 3),
        )
        chance.rule(area)
    if kind:
        doc.seller(parts="n", align=rng.choice("lm"))
    chance.heading(
        area,
        pick(
            rng, "Thanks for your order|Your receipt|Receipt|Payment receipt|Order receipt|Thank you for your purchase"
        ),
        1.3,
        rng.choice("lm"),
    )
    entries = doc.details(0, 2)
    loud = maybe(rng, 0.4)
    if loud:
        area.line(
            doc.figure(doc.sale.total, "total", signed=maybe(rng, 0.7)),
            font=area.bold,
            size=2 * area.size,
            align=rng.choice("lm"),
        )
    chance.scramble(area, entries, halves=0.3)
    if maybe(rng, 0.6):
        chance.heading(area, pick(rng, "Order summary|Items|Your order|Summary|Details"), 1.1)
    doc.goods()
    doc.write_sums(doc.sums(extra=False))
    if maybe(rng, 0.5):
        area.line(
            f"{pick(rng, 'Paid with|Charged to|Payment method:')} {pick(rng, 'Visa|Mastercard|PayPal')} "
            f"{pick(rng, '····|ending in|****')} {coded(rng, '####')}"
        )
    if maybe(rng, 0.5):
        doc.customer()
    if kind:
        doc.seller(parts="ap", align="l")
    else:
        doc.seller(align=rng.choice("lm"), parts=rng.choice(("nap", "na", "n", "nrapt")))
    doc.foot(0, 2)
    return chance.close_page(area, least=0.6, most=1.5)


@family("bill_card_slip", "receipt", weight=1.2)
def bill_card_slip(rng: random.Random, palette: Palette) -> Sheet:
    """A card terminal's slip: merchant, terminal, batch, approval, a masked card, one amount."""
    doc = bill(
        rng,
        palette,
        TillStyle(count=(1, 1), price=(1, 900)),
        across=(17, 27),
        fonts=("mono", "mono", "sans", "ocr"),
        upper=0.7,
    )
    area, sale = doc.area, doc.sale
    if maybe(rng, 0.4):
        area.line(pick(rng, "MERCHANT COPY|CUSTOMER COPY|*** COPY ***|SALE|Bank Terminal|CARD PAYMENT"), align="m")
    doc.seller(parts=rng.choice(("nap", "na", "n", "na")), align=rng.choice("mml"))
    divide(doc)
    scheme = pick(rng, "VISA|MASTERCARD|AMEX|MAESTRO|UNIONPAY|VISA DEBIT")
    near = [
        ("MID|MERCHANT ID|Merchant|MERCHANT NO|M/C ID", coded(rng, "###############")),
        ("TID|TERMINAL ID|Terminal|TERM ID|TERMINAL NO", coded(rng, "########")),
        ("BATCH|BATCH NO|Batch #|BATCH NUM", coded(rng, "000###")),
        ("TRACE|TRACE NO|STAN|SEQ", coded(rng, "######")),
        ("APPR CODE|APPROVAL CODE|AUTH CODE|AUTH NO|APPROVAL", coded(rng, "######")),
        (
            "CARD|CARD NO|ACCOUNT|PAN|CARD NUM",
            f"{pick(rng, '************|XXXXXXXXXXXX|**** **** **** ')}{coded(rng, '####')}",
        ),
        ("CARD TYPE|TYPE|APP|APP LABEL|ISSUER", scheme),
        ("AID", coded(rng, "A00000000#####")),
        ("TC|TVR|TSI|CRYPTOGRAM", coded(rng, "%%%%%%%%%%%%%%%%")),
        ("ENTRY|ENTRY MODE|Entry Method|MODE", pick(rng, "CHIP|CONTACTLESS|SWIPED|ICC")),
        ("EXP|EXPIRY|EXP DATE", "**/**"),
        ("RRN|HOST|RESP CODE|RESP", coded(rng, "############")),
    ]
    written = doc.cased(dates.format_date(rng, doc.day, "us" if doc.country == "US" else "en"))
    moment = [Part(written, area.sheet.entity("date", doc.day.isoformat()))]
    joined = maybe(rng, 0.5)
    if joined:
        moment.append(Part(" " + doc.cased(doc.clock)))
    main = [Entry(doc.say("DATE/TIME|DATE|Date|DATE & TIME|TRANS DATE|") if maybe(rng, 0.8) else "", moment)]
    if not joined:
        main.append(Entry(doc.say("TIME|Time|TRANS TIME"), doc.cased(doc.clock)))
    if maybe(rng, 0.85):
        number = coded(rng, rng.choice(("######", "000###", "########", "############", "####")))
        label = doc.say(
            "INVOICE NO|INV NO|INVOICE #|RECEIPT NO|RECEIPT #|REF NO|REF NUM|REFERENCE NO|TRANS #|SLIP NO|"
            "INV. NO.|RCPT NO|TRANSACTION ID|TICKET"
        )
        main.append(Entry(label, Part(number, area.sheet.entity("receipt_number", number))))
    entries = chance.mixed(
        rng, main, [Entry(doc.say(names), value) for names, value in rng.sample(near, rng.randint(4, 10))]
    )
    chance.scramble(area, entries, halves=0.1)
    divide(doc)
    area.line(doc.say("SALE|PURCHASE|SALE - APPROVED|Sale|DEBIT SALE|RETAIL"), align=rng.choice("lm"), font=area.bold)
    rows: list[Entry] = []
    if maybe(rng, 0.3):
        rows.append(Entry(doc.say("BASE|BASE AMT|SUBTOTAL|AMT EXCL TIP"), doc.figure(sale.total)))
        rows.append(Entry(doc.say("TIP|TIPS|GRATUITY"), "0.00" if maybe(rng, 0.5) else "......"))
    signed = maybe(rng, 0.75)
    label = doc.say("TOTAL|AMOUNT|TOTAL AMOUNT|AMT|Amount|PURCHASE AMOUNT|SALE AMOUNT|TOTAL AMT|AMOUNT DUE|TOTAL PAID")
    rows.append(Entry(label, doc.figure(sale.total, "total", signed=signed)))
    doc.write_sums(rows)
    divide(doc)
    for text in rng.sample(
        (
            "SIGNATURE NOT REQUIRED",
            "PIN VERIFIED OK",
            "APPROVED - THANK YOU",
            "I AGREE TO PAY ABOVE TOTAL AMOUNT ACCORDING TO CARD ISSUER AGREEMENT",
            "CUSTOMER COPY",
            "MERCHANT COPY",
            "NO REFUND",
            "X______________",
            "TRANSACTION APPROVED",
        ),
        rng.randint(1, 4),
    ):
        area.block(text, align=rng.choice("ml"))
    return _narrow(rng, doc)
