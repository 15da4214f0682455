"""More English insurance policies: numbered items, rosters, parts with heads, cards, letters, bilingual tables."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import date

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates import pair_blocks as blocks
from models.layout_ner.synth.templates import policy_words as words
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.labels import Value, lay, maybe, text_of
from models.layout_ner.synth.templates.pair_blocks import Area, Entry
from models.layout_ner.synth.templates.policies_more_zh import block_of, section
from models.layout_ner.synth.templates.policies_scrambled import TITLES_EN, table_of_covers
from models.layout_ner.synth.templates.policy_facts import Policy, identity_en, policy, value_part
from models.layout_ner.synth.templates.policy_rows import CURRENCIES, date_group
from models.layout_ner.synth.templates.words_en import code, sentence
from models.layout_ner.synth.values import dates, identifiers, people, places


def begin(
    rng: random.Random, palette: Palette, across: tuple[float, float], joined: float = 0.35
) -> tuple[Area, Policy, str, str]:
    """An empty page, a policy, how it prints days, its currency."""
    data = policy(rng, chinese=False)
    area = chance.open_page(rng, palette, chinese=False, across=across, joined=joined)
    return area, data, date_group(rng, False), rng.choice(CURRENCIES)


def sender(area: Area, data: Policy, align: str = "l") -> None:
    """The insurer with its address and numbers."""
    rng = area.rng
    area.line(data.insurer, align=align, font=area.bold, size=round(area.size * rng.uniform(1.0, 1.6)))
    small = max(10, round(area.size * 0.8))
    if maybe(rng, 0.6):
        area.block(places.address_en(rng), align=align, size=small, share=0.55)
    if maybe(rng, 0.5):
        area.line(f"Tel {identifiers.phone_en(rng)}  www.{code(rng).lower().strip('#-')}.com", align=align, size=small)
    area.skip(0.6)


@family("policy_en_items", "insurance_policy")
def policy_en_items(rng: random.Random, palette: Palette) -> Sheet:
    """Declarations by numbered items; each value stands indented under its head, with remarks between."""
    area, data, group, currency = begin(rng, palette, (44, 78))
    sender(area, data, rng.choice("lmr"))
    chance.heading(area, rng.choice(TITLES_EN), 1.5, rng.choice("lm"))
    found = words.fields(area.sheet, rng, data, group, currency)
    entries = chance.mixed(rng, words.listed(found), words.others(rng, data, group, 1, 5))
    form = rng.choice(("Item {}. ", "{}. ", "({}) ", "ITEM {} ", "Section {} - ", "{}) "))
    indent = rng.uniform(1.0, 4.0) * area.size
    how = area.how
    for number, entry in enumerate(entries, 1):
        head = form.format(number) + text_of(entry.label) + rng.choice(("", "", ":"))
        area.line(head, font=how.label_font, size=how.label_size, most=0.9)
        inner = replace(area, left=area.left + indent, width=area.width - indent)
        inner.block(entry.value)
        area.y = inner.y + rng.uniform(0.1, 0.8) * area.size
        if maybe(rng, 0.15):
            chance.prose_block(area, 1, 1)
    if maybe(rng, 0.4):
        table_of_covers(area, data, currency, total=False)
    return chance.close_page(area, least=0.8, most=1.4)


@family("policy_en_roster", "insurance_policy")
def policy_en_roster(rng: random.Random, palette: Palette) -> Sheet:
    """A schedule whose heads stand in one row of a table and whose values stand below; the other pairs around it."""
    area, data, group, currency = begin(rng, palette, (60, 100))
    chance.titled(area, TITLES_EN, owner=data.insurer)
    found = words.fields(area.sheet, rng, data, group, currency, one_line=0.3)
    names = rng.sample(list(found), rng.randint(2, min(5, len(found))))
    if maybe(rng, 0.5):
        names = [name for name in found if name in names]
    inside = [entry for name in names for entry in found.pop(name)]
    inside, over = inside[:6], inside[6:]
    rest = chance.mixed(rng, [*words.listed(found), *over], words.others(rng, data, group, 0, 6))
    area.how.separator = rng.choice(("", "", ":"))
    cut = rng.choice((0, len(rest), rng.randint(0, len(rest))))
    if rest[:cut]:
        chance.scramble(area, rest[:cut])
    blocks.heads(area, inside, frame=maybe(rng, 0.75))
    if rest[cut:]:
        chance.scramble(area, rest[cut:])
    if maybe(rng, 0.5):
        table_of_covers(area, data, currency, total=False)
    if maybe(rng, 0.6):
        chance.prose_block(area, 1, 4)
    return chance.close_page(area, least=0.4, most=1.2)


@family("policy_en_parts", "insurance_policy")
def policy_en_parts(rng: random.Random, palette: Palette) -> Sheet:
    """Parts whose head says whose details follow: under it the label is just Name, ID or Address."""
    area, data, group, currency = begin(rng, palette, (46, 86))
    sheet = area.sheet
    sender(area, data, rng.choice("lmr"))
    chance.heading(area, rng.choice(TITLES_EN), 1.6, rng.choice("lmr"))
    found = words.fields(sheet, rng, data, group, currency, without=("policyholder", "insured", "id_number"))

    def person(role: str, number: bool) -> list[Entry]:
        rows = [
            Entry(
                rng.choice(("Name", "Full Name", "Name(s)", "Full legal name")), value_part(sheet, rng, role, data, "")
            )
        ]
        if number:
            rows.append(Entry(words.label(rng, "id_number", data), value_part(sheet, rng, "id_number", data, "")))
        more = [
            Entry("Address", places.address_en(rng)),
            Entry(rng.choice(("Phone", "Mobile", "Contact No.")), identifiers.phone_en(rng)),
            Entry(rng.choice(("Sex", "Gender")), rng.choice(("Male", "Female"))),
            Entry(
                "Date of Birth",
                dates.format_date(rng, dates.date_between(rng, date(1950, 1, 1), date(2005, 1, 1)), group),
            ),
            Entry(rng.choice(("Occupation", "Business")), rng.choice(("Clerk", "Engineer", "Retail"))),
        ]
        return rows + rng.sample(more, rng.randint(0, 4))

    number = maybe(rng, 0.6)
    parts = [
        (
            rng.choice(("Policyholder", "Policy Owner", "Proposer", "Your details", "Policyholder Details")),
            person("policyholder", False),
        ),
        (
            rng.choice(("Insured", "Person Insured", "Life Assured", "Insured Details", "Who is covered")),
            person("insured", number),
        ),
        (
            rng.choice(("Beneficiary", "Agent", "Intermediary", "Broker")),
            [Entry("Name", people.english_name(rng)), Entry("ID", identity_en(rng))],
        ),
        (
            rng.choice(("Policy", "Cover", "Policy Details", "Insurance", "Summary of Cover")),
            chance.mixed(rng, words.listed(found), words.others(rng, data, group, 0, 5)),
        ),
    ]
    if maybe(rng, 0.5):
        parts.pop(2)
    rng.shuffle(parts)
    bar, columns = maybe(rng, 0.5), rng.choice((1, 2, 2, 3))
    kind = rng.choice(("beside", "tab", "cells", "boxes", "under", "right"))
    for head, entries in parts:
        section(area, head.upper() if maybe(rng, 0.2) else head, bar)
        block_of(area, entries, kind, columns)
        area.skip(rng.uniform(0.2, 1.0))
    if maybe(rng, 0.4):
        table_of_covers(area, data, currency, total=False)
    return chance.close_page(area, least=0.6, most=1.4)


@family("policy_en_wallet", "insurance_policy", weight=0.8)
def policy_en_wallet(rng: random.Random, palette: Palette) -> Sheet:
    """A card to carry: few pairs, small and narrow."""
    area, data, group, currency = begin(rng, palette, (26, 48))
    found = words.fields(area.sheet, rng, data, group, currency)
    chance.titled(
        area,
        (
            "Insurance Card",
            "INSURANCE IDENTIFICATION CARD",
            "Proof of Insurance",
            "Member Card",
            "Motor Insurance Certificate",
            "Temporary Cover Note",
            "Travel Assistance Card",
        ),
        owner=data.insurer,
    )
    entries = chance.mixed(rng, words.listed(found), words.others(rng, data, group, 0, 4))
    kind = rng.choice(("beside", "tab", "ends", "under", "boxes", "right", "leaders"))
    block_of(area, entries, kind, 2 if kind in ("under", "boxes") and area.width > 30 * area.size else 1)
    if maybe(rng, 0.6):
        chance.prose_block(area, 1, 2)
    return chance.close_page(area, least=0.4, most=1.0)


@family("policy_en_welcome", "insurance_policy", weight=0.9)
def policy_en_welcome(rng: random.Random, palette: Palette) -> Sheet:
    """A letter with the policyholder's address, sentences with values in them, and a summary."""
    area, data, group, currency = begin(rng, palette, (54, 82))
    sheet = area.sheet
    sender(area, data, rng.choice("lr"))

    def value(name: str) -> Part:
        return value_part(sheet, rng, name, data, currency)

    addressed = maybe(rng, 0.6)
    if addressed:
        area.line(value("policyholder"))
        area.block(places.address_en(rng), share=0.5)
        area.skip(0.8)
    if maybe(rng, 0.7):
        area.line(
            f"{rng.choice(('', 'Date: ', 'Issued on '))}{dates.format_date(rng, data.start, group)}",
            align=rng.choice("lr"),
        )
    area.skip(0.5)
    subject, used = _subject(rng, value)
    area.line(subject, font=area.bold, most=0.9)
    area.line(rng.choice(("Dear Sir or Madam,", "Dear Customer,", "Dear Policyholder,", "To whom it may concern,")))
    used = [*used, *(["policyholder"] if addressed else [])]
    sentences: list[tuple[str, list[str | Part]]] = []
    for name, before, after in (
        ("insured", "The insured person is ", ". "),
        ("product", "You have chosen ", " and we are glad to confirm it. "),
        ("premium", "The premium for this period is ", ". "),
        ("sum_insured", "Cover is limited to ", " in total. "),
    ):
        if name not in used and maybe(rng, 0.4):
            sentences.append((name, [before, value(name), after]))
    rng.shuffle(sentences)
    used += [name for name, _ in sentences]
    text: list[Part] = [Part(sentence(rng) + " ")]
    for _, pieces in sentences:
        text += [Part(piece) if isinstance(piece, str) else piece for piece in pieces]
    last = lay(sheet, area.left, area.base(), text, area.how.value_font, area.size, width=area.width - area.size)
    area.y = last + 0.9 * area.size
    found = words.fields(sheet, rng, data, group, currency, without=tuple(used))
    entries = chance.mixed(rng, words.listed(found), words.others(rng, data, group, 0, 4))
    kind = rng.choice(("beside", "tab", "cells", "right", "boxes", "ends", "leaders"))
    side = maybe(rng, 0.3)
    place = replace(area, left=area.left + 0.42 * area.width, width=0.58 * area.width) if side else area
    block_of(place, entries, kind, 1 if side else rng.choice((1, 2)))
    area.y = place.y
    chance.prose_block(area, 1, 4)
    area.line(rng.choice(("Yours faithfully,", "Kind regards,", "Sincerely yours,")))
    area.line(people.english_name(rng))
    return chance.close_page(area, least=0.8, most=1.4)


def _subject(rng: random.Random, value: Callable[[str], Part]) -> tuple[Value, list[str]]:
    """A letter's subject and the fields in it."""
    kind = rng.random()
    if kind < 0.5:
        lead = rng.choice(
            ("Your policy ", "Re: Policy No. ", "Policy Number: ", "Our ref: policy ", "Certificate No. ")
        )
        return [Part(lead), value("policy_number")], ["policy_number"]
    if kind < 0.7:
        return [Part(rng.choice(("Welcome to ", "Confirmation of your ", "Your new "))), value("product")], ["product"]
    return rng.choice(TITLES_EN), []


@family("policy_en_bilingual", "insurance_policy", weight=0.7)
def policy_en_bilingual(rng: random.Random, palette: Palette) -> Sheet:
    """An English policy with Chinese under or behind its labels."""
    area, data, group, currency = begin(rng, palette, (48, 80))
    area.how = blocks.manner(rng, palette, area.size, chinese=False, fonts=("hei", "song", "hei"))
    chance.titled(
        area,
        ("POLICY SCHEDULE 保單資料", "Certificate of Insurance 保險證明", "INSURANCE POLICY 保险单"),
        owner=data.insurer,
    )
    found = words.fields(area.sheet, rng, data, group, currency, bilingual=True)
    entries = chance.mixed(rng, words.listed(found), words.others(rng, data, group, 0, 4))
    kind = rng.choice(("cells", "tab", "under", "boxes", "beside"))
    block_of(area, entries, kind, rng.choice((1, 2)) if kind != "beside" else 1)
    if maybe(rng, 0.5):
        table_of_covers(area, data, currency, total=False)
    return chance.close_page(area, least=0.5, most=1.3)
