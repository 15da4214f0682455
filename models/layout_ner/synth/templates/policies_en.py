"""English insurance policies: schedules, certificates, tables, letters."""

from __future__ import annotations

import random

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates.labels import beneath, lay, maybe, shrink, style, text_of
from models.layout_ner.synth.templates.listing import listed
from models.layout_ner.synth.templates.policy_facts import Policy, label_of, period_parts, policy, value_part
from models.layout_ner.synth.templates.policy_page_zh import columns
from models.layout_ner.synth.templates.policy_rows import (
    CURRENCIES,
    covers_table,
    date_group,
    field_rows,
    ordered,
    other_rows,
    sum_again,
    total_premium,
)
from models.layout_ner.synth.templates.tables import Grid, cell
from models.layout_ner.synth.templates.words_en import code, paragraph
from models.layout_ner.synth.values import dates, identifiers, people, places

TITLES = listed(
    "POLICY SCHEDULE|Policy Schedule|CERTIFICATE OF INSURANCE|Certificate of Insurance|INSURANCE POLICY|Declarations|"
    "Policy Information Page|THE SCHEDULE|Cover Note|Insurance Certificate|Policy Summary|Confirmation of Insurance|"
    "Policy Declarations|Schedule of Insurance|Renewal Certificate|Statement of Insurance",
    "|",
)
SEPARATORS = (":", ": ", "", " :", "")
FONTS = ("sans", "serif", "sans", "mono")


def begin(rng: random.Random, data: Policy, palette: Palette) -> tuple[Sheet, int, float]:
    """A page with the insurer and a title: the page, the size of its text, the next baseline."""
    width = rng.randint(1000, 1600)
    sheet = Sheet(width, 4000)
    size = round(width * rng.uniform(0.0145, 0.018))
    y = 3.2 * size
    align, x = rng.choice((("l", 0.07), ("m", 0.5), ("r", 0.93)))
    if maybe(rng, 0.9):
        name = data.insurer.upper() if maybe(rng, 0.3) else data.insurer
        sheet.text(
            width * x,
            y,
            name,
            rng.choice((palette.sans_bold, palette.serif)),
            shrink(palette.sans_bold, name, size + rng.randint(2, 10), 0.8 * width),
            anchor=align,
        )
        y += 2 * size
        if maybe(rng, 0.6):
            address = places.address_en(rng).replace("\n", ", ")
            for line in palette.sans.broken(address, size - 3, 0.6 * width, 0.6 * width):
                sheet.text(width * x, y, line, palette.sans, size - 3, anchor=align)
                y += 1.35 * size
        if maybe(rng, 0.6):
            phones = f"Tel: {identifiers.phone_en(rng)}  Fax: {identifiers.phone_en(rng)}"
            sheet.text(width * x, y, phones, palette.sans, size - 3, anchor=align)
            y += 1.5 * size
    y += 1.2 * size
    text = (
        rng.choice(TITLES) if maybe(rng, 0.8) else f"{data.product} {rng.choice(('Policy', 'Schedule', 'Certificate'))}"
    )
    align, x = rng.choice((("l", 0.07), ("m", 0.5), ("m", 0.5)))
    sheet.text(
        width * x,
        y,
        text,
        palette.sans_bold,
        shrink(palette.sans_bold, text, size + rng.randint(4, 14), width * 0.8),
        anchor=align,
    )
    return sheet, size, y + 2.6 * size


def finish(sheet: Sheet, rng: random.Random, palette: Palette, data: Policy, size: int, y: float) -> Sheet:
    """Small print, a signature line; the page is cut below."""
    left, width = sheet.width * 0.07, sheet.width * 0.86
    small = max(10, size - 3)
    if maybe(rng, 0.7):
        y = (
            lay(
                sheet,
                left,
                y + size,
                rng.choice(("", "", "Important: ", "Note: ")) + paragraph(rng, 1, 5),
                palette.sans,
                small,
                width=width,
            )
            + 2 * small
        )
    if maybe(rng, 0.5):
        y += 3 * size
        sheet.rule(left, y - 1.3 * size, left + 0.3 * width, y - 1.3 * size, 1)
        sheet.text(
            left,
            y,
            rng.choice(
                (
                    "Authorised Signature",
                    "Authorized Representative",
                    f"For {data.insurer}",
                    "Secretary",
                    people.english_name(rng),
                )
            ),
            palette.sans,
            small,
        )
        if maybe(rng, 0.5):
            sheet.text(
                left + 0.6 * width,
                y,
                f"{rng.choice(('Date', 'Issued on', 'Print date'))}: {dates.format_date(rng, data.start, 'en')}",
                palette.sans,
                small,
            )
        y += 1.6 * size
    if maybe(rng, 0.4):
        sheet.text(
            sheet.width / 2,
            y + size,
            rng.choice(
                (
                    "Page 1 of 3",
                    "Page 1",
                    f"Form {code(rng)}",
                    f"{code(rng)} (Ed. {rng.randint(1, 12):02d} {rng.randint(2001, 2025)})",
                )
            ),
            palette.sans,
            small,
            anchor="m",
        )
        y += size
    sheet.height = int(max(y + 3 * size, sheet.width * rng.uniform(0.7, 1.35)))
    return sheet


@family("policy_en_schedule", "insurance_policy", weight=1.2)
def policy_en_schedule(rng: random.Random, palette: Palette) -> Sheet:
    """Labels and values in one or two columns, then the covers in a table."""
    data = policy(rng, chinese=False)
    sheet, size, y = begin(rng, data, palette)
    how = style(rng, palette, size, fonts=FONTS, separators=SEPARATORS)
    group, currency = date_group(rng, False), rng.choice(CURRENCIES)
    table = maybe(rng, 0.5)
    in_table = table and maybe(rng, 0.5)
    fields = field_rows(
        sheet, rng, data, group, currency, bilingual=maybe(rng, 0.08), without=("premium",) if in_table else ()
    )
    rows = ordered(rng, fields, other_rows(rng, data, group))
    if maybe(rng, 0.3):
        rows = [(label.upper(), value) for label, value in rows]
    y = columns(sheet, rng, how, rows, y, count=rng.choice((1, 1, 2)))
    if table:
        total = total_premium(sheet, rng, data, currency) if in_table else None
        y = (
            covers_table(sheet, rng, palette, data, sheet.width * 0.07, sheet.width * 0.93, y, size, total=total)
            + 2 * size
        )
    return finish(sheet, rng, palette, data, size, y)


@family("policy_en_boxes", "insurance_policy")
def policy_en_boxes(rng: random.Random, palette: Palette) -> Sheet:
    """Boxes with a small label above each value, two to four in a row."""
    data = policy(rng, chinese=False)
    sheet, size, y = begin(rng, data, palette)
    how = style(rng, palette, size, fonts=FONTS, separators=("", "", ":"), joined=0.0)
    how.label_size = max(10, round(size * rng.uniform(0.7, 0.95)))
    how.leading = 1.3
    group, currency = date_group(rng, False), rng.choice(CURRENCIES)
    rows = ordered(rng, field_rows(sheet, rng, data, group, currency), other_rows(rng, data, group))
    left, width = sheet.width * 0.06, sheet.width * 0.88
    framed = maybe(rng, 0.7)
    pad = 0.5 * size
    while rows:
        count = min(len(rows), rng.choice((2, 2, 3, 3, 4)))
        here, rows = rows[:count], rows[count:]
        room = width / count
        top, lowest = y, y
        for number, (label, value) in enumerate(here):
            x = left + number * room + pad
            lowest = max(lowest, beneath(sheet, x, top + 1.3 * how.label_size, label, value, how, width=room - 2 * pad))
        lowest -= 0.5 * how.pitch
        if framed:
            for number in range(count):
                sheet.frame(left + number * room, top, left + (number + 1) * room, lowest, 1)
        y = lowest if framed else lowest + 0.6 * size
    y += 2 * size
    if maybe(rng, 0.4):
        y = covers_table(sheet, rng, palette, data, left, left + width, y, size) + 2 * size
    return finish(sheet, rng, palette, data, size, y)


@family("policy_en_table", "insurance_policy")
def policy_en_table(rng: random.Random, palette: Palette) -> Sheet:
    """A ruled table of two columns, or a declarations page with numbered items."""
    data = policy(rng, chinese=False)
    sheet, size, y = begin(rng, data, palette)
    how = style(rng, palette, size, fonts=FONTS, separators=SEPARATORS, joined=0.0)
    group, currency = date_group(rng, False), rng.choice(CURRENCIES)
    rows = ordered(rng, field_rows(sheet, rng, data, group, currency), other_rows(rng, data, group, 10))
    left, width = sheet.width * 0.07, sheet.width * 0.86
    grid = Grid(
        sheet,
        [left, left + rng.uniform(0.28, 0.4) * width, left + width],
        y,
        how.value_font,
        size,
        pad=0.6,
        least=rng.uniform(1.8, 2.8) * size,
        frame=maybe(rng, 0.8),
    )
    numbered = maybe(rng, 0.25)
    fill = rng.choice((None, None, (236, 240, 246)))
    for number, (label, value) in enumerate(rows, 1):
        text = f"{number}. {label}" if numbered else label
        grid.row([cell(how.label(text), font=how.label_font, size=how.label_size, fill=fill), cell(value)])
    y = grid.y + 2 * size
    if maybe(rng, 0.35):
        y = covers_table(sheet, rng, palette, data, left, left + width, y, size) + 2 * size
    return finish(sheet, rng, palette, data, size, y)


@family("policy_en_benefits", "insurance_policy", weight=0.8)
def policy_en_benefits(rng: random.Random, palette: Palette) -> Sheet:
    """People in rows; plan, sum and premium under the heads of a table, with riders below."""
    data = policy(rng, chinese=False, line=rng.choice(("life", "health", "accident", "travel")))
    sheet, size, y = begin(rng, data, palette)
    how = style(rng, palette, size, fonts=FONTS, separators=SEPARATORS)
    group, currency = date_group(rng, False), rng.choice(CURRENCIES)
    fields = field_rows(sheet, rng, data, group, currency, without=("product", "sum_insured", "premium"))
    y = columns(sheet, rng, how, ordered(rng, fields, other_rows(rng, data, group, 6)), y, count=rng.choice((1, 2)))
    left, span = sheet.width * 0.07, sheet.width * 0.86
    align = rng.choice(("l", "r"))
    grid = Grid(
        sheet,
        [left + cut * span for cut in (0.0, 0.42, 0.64, 0.8, 1.0)],
        y,
        how.value_font,
        size,
        pad=0.4,
        least=2.1 * size,
        frame=maybe(rng, 0.6),
    )
    heads = (
        label_of(rng, "product", False),
        rng.choice(("Sum Assured", "Sum Insured", "Face Amount", "Benefit")),
        "Term",
        rng.choice(("Premium", "Annual Premium", "Premium Amount")),
    )
    grid.row(
        [cell(head, font=how.label_font, align="l" if number == 0 else align) for number, head in enumerate(heads)]
    )
    riders = data.covers[: rng.randint(0, 3)]
    main = [
        cell(value_part(sheet, rng, "product", data, currency)),
        cell(value_part(sheet, rng, "sum_insured", data, currency), align=align),
        cell(rng.choice(("20 years", "1 year", "Life", "10 yrs")), align=align),
    ]
    last = value_part(sheet, rng, "premium", data, currency) if not riders else Part(f"{data.covers[-1][2]:,.2f}")
    grid.row([*main, cell(last, align=align)])
    for name, limit, share in riders:
        grid.row(
            [
                cell(name + rng.choice((" Rider", ""))),
                cell(f"{limit:,.2f}", align=align),
                cell("1 year", align=align),
                cell(f"{share:,.2f}", align=align),
            ]
        )
    y = grid.y + 2 * size
    if riders:
        label = rng.choice(("Total Premium", "Total Premium Payable", "Total Annual Premium", "Amount Due"))
        sheet.text(
            left,
            y,
            (Part(f"{label}{rng.choice((': ', ' ', ' : '))}"), *total_premium(sheet, rng, data, currency)),
            how.value_font,
            size,
        )
        y += 2 * size
    return finish(sheet, rng, palette, data, size, y)


@family("policy_en_letter", "insurance_policy", weight=0.6)
def policy_en_letter(rng: random.Random, palette: Palette) -> Sheet:
    """A certificate or letter that says everything in sentences."""
    data = policy(rng, chinese=False)
    sheet, size, y = begin(rng, data, palette)
    font = rng.choice((palette.serif, palette.sans))
    group, currency = date_group(rng, False), rng.choice(CURRENCIES)
    left, width = sheet.width * 0.09, sheet.width * 0.82

    def value(name: str) -> Part:
        return value_part(sheet, rng, name, data, currency)

    bodies = (
        lambda: [
            Part("This is to certify that "),
            value("insured"),
            Part(" is covered under "),
            value("product"),
            Part(", policy number "),
            value("policy_number"),
            Part(", issued to "),
            value("policyholder"),
            Part("."),
        ],
        lambda: [
            Part("We confirm that "),
            value("policyholder"),
            Part(" has taken out "),
            value("product"),
            Part(" with us under Policy No. "),
            value("policy_number"),
            Part(". The insured person is "),
            value("insured"),
            Part(" (ID no. "),
            value("id_number"),
            Part(")."),
        ],
        lambda: [
            Part("In consideration of the premium of "),
            value("premium"),
            Part(" paid by "),
            value("policyholder"),
            Part(", the Company insures "),
            value("insured"),
            Part(" under "),
            value("product"),
            Part(" policy no. "),
            value("policy_number"),
            Part("."),
        ],
    )
    first = rng.choice(bodies)()
    paid = any(sheet.named[part.key].name == "premium" for part in first if part.key is not None)
    blocks: list[list[Part]] = [
        first,
        [
            Part(rng.choice(("The period of insurance is ", "Cover is in force ", "Period of cover: "))),
            *period_parts(sheet, rng, data, group),
            Part("."),
        ],
    ]
    if maybe(rng, 0.8):
        tail = [Part(rng.choice(("The total sum insured is ", "The sum insured amounts to "))), value("sum_insured")]
        if not paid:
            tail += [Part(" and the total premium is "), value("premium")]
        blocks.append(
            [
                *tail,
                Part(
                    f". The limit for {data.covers[0][0].lower()} is {sum_again(rng, data, currency)}."
                    if maybe(rng, 0.4)
                    else "."
                ),
            ]
        )
    blocks.append([Part(paragraph(rng, 1, 3))])
    for block in blocks:
        if text_of(block).strip():
            y = lay(sheet, left, y, block, font, size + 1, width=width, leading=1.6) + 2.6 * size
    return finish(sheet, rng, palette, data, size, y)
