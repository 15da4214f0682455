"""Insurance policies whose layout is made up by chance, Chinese, English and bilingual."""

from __future__ import annotations

import random

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Sheet
from models.layout_ner.synth.templates import policy_words as words
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.labels import maybe
from models.layout_ner.synth.templates.pair_blocks import Area
from models.layout_ner.synth.templates.policy_facts import Policy, policy
from models.layout_ner.synth.templates.policy_rows import CURRENCIES, covers_table, date_group, total_premium

TITLES_ZH = [
    "保险单",
    "电子保险单",
    "保险凭证",
    "承保确认书",
    "保险单明细表",
    "保险单正本",
    "保险证明",
    "保险合同",
    "保单信息",
    "电子保单",
    "保险卡",
    "投保确认书",
    "保险单（副本）",
    "保险单抄件",
    "团体保险单",
    "个人保险单",
    "保险承保单",
    "保单首页",
    "保险合同封面",
    "我的保单",
    "保险协议书",
    "保险单 INSURANCE POLICY",
]
TITLES_EN = [
    "POLICY SCHEDULE",
    "Policy Schedule",
    "CERTIFICATE OF INSURANCE",
    "Insurance Policy",
    "INSURANCE POLICY",
    "Declarations",
    "Cover Note",
    "Policy Information",
    "THE SCHEDULE",
    "Evidence of Insurance",
    "Policy Summary",
    "Confirmation of Insurance",
    "Insurance Card",
    "Policy Document",
    "Schedule of Insurance",
    "Renewal Certificate",
    "Statement of Insurance",
    "Policy Contract",
    "Your Cover",
    "Proof of Insurance",
    "Data Page",
    "Certificate of Cover",
    "Insurance Schedule",
    "Policy Specifications",
]


def table_of_covers(area: Area, data: Policy, currency: str, *, total: bool) -> None:
    """The covers, with the premium in the last row if ``total``."""
    last = total_premium(area.sheet, area.rng, data, currency) if total else None
    area.y = covers_table(
        area.sheet, area.rng, area.palette, data, area.left, area.right, area.y + 0.4 * area.size, area.size, total=last
    )
    area.skip(0.8)


def scrambled(rng: random.Random, palette: Palette, *, chinese: bool) -> Sheet:
    """A policy of pairs in random blocks."""
    data = policy(rng, chinese=chinese)
    area = chance.open_page(rng, palette, chinese=chinese, across=(24, 82))
    group, currency = date_group(rng, chinese), "" if chinese else rng.choice(CURRENCIES)
    table = area.width > 30 * area.size and maybe(rng, 0.35)
    in_table = table and maybe(rng, 0.5)
    found = words.fields(
        area.sheet, rng, data, group, currency, bilingual=maybe(rng, 0.12), without=("premium",) if in_table else ()
    )
    titles = TITLES_ZH if chinese else TITLES_EN
    if maybe(rng, 0.2):
        titles = [data.product + rng.choice(("保险单", "") if chinese else (" Policy", " Schedule"))]
    chance.titled(area, titles, owner=data.insurer if maybe(rng, 0.8) else "")
    entries = chance.mixed(rng, words.listed(found), words.others(rng, data, group, 0, 10))
    cut = rng.randint(1, len(entries)) if table else len(entries)
    chance.scramble(area, entries[:cut], interlude=chance.chatter)
    if table:
        table_of_covers(area, data, currency, total=in_table)
        if entries[cut:]:
            chance.scramble(area, entries[cut:], interlude=chance.chatter)
    for _ in range(rng.randint(0, 2)):
        chance.prose_block(area, 1, 4)
    if maybe(rng, 0.3):
        chance.signature(area)
    return chance.close_page(area, least=0.4, most=1.4)


@family("policy_zh_scrambled", "insurance_policy", weight=2)
def policy_zh_scrambled(rng: random.Random, palette: Palette) -> Sheet:
    """A Chinese policy in no known layout."""
    return scrambled(rng, palette, chinese=True)


@family("policy_en_scrambled", "insurance_policy", weight=2)
def policy_en_scrambled(rng: random.Random, palette: Palette) -> Sheet:
    """An English policy in no known layout."""
    return scrambled(rng, palette, chinese=False)
