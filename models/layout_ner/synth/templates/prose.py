"""Running text without meaning: English and Chinese sentences put together by chance."""

from __future__ import annotations

import random

from models.layout_ner.synth.values import words

_COMMON = words(
    "the of and to in a is that for it as was with be by on not he his but at are this have from or had an they "
    "which one you were her all she there would their we him been has when who will more no if out so said what "
    "up its about into than them can only other new some could time these two may then do first any my now such "
    "like our over man me even most made after also did many before must through back years where much your way "
    "well down should because each just those people how too little state good very make world still own see men "
    "work long get here between both life being under never day same another know while last might us great old "
    "year off come since against go came right used take three house number part water light money letter order "
    "service company paper report table price court city school member office market letter notice question "
    "party public policy result group level system study change plan action"
)
_ONSETS = words("b c d f g h l m n p r s t v w br cr dr fl gr pl pr sh sl st th tr")
_VOWELS = words("a e i o u ai ea ee io ou")
_CODAS = words("n r l s t d m ck nd nt st ng ble tion ment ness ly ed ing er al")

# The characters of ordinary Chinese prose, most frequent first.
_CHARACTERS = (
    "的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要她出也得里后自以会家可下而过天去能对小多然于心学么之都好看起发当没成只如事把还"
    "用第样道想作种开美总从无情己面最女但现前些所同日手又行意动方期它头经长儿回位分爱老因很给名法间斯知世什两次使身者被高已亲其进此话常与活正感见明问力"
    "理尔点文几定本公特做外孩相西果走将月十实向声车全信重三机工物气每并别真打太新比才便夫再书部水像眼等体却加电主界门利海受听表德少克代员许先口由死安写"
    "性马光白或住难望教命花结乐色更拉东神记处让母父应直字场平报友关放至张认接告入笑内英军候民岁往何度山觉路带万男边风解叫任金快原吃妈变通师立象数四失满"
    "战远格士音轻目条呢病始达深完今提求清王化空业思切怎非找片钱紧参请改质议量制程规定管区设计社务组织建研究标准技术项目服责保证单位合同按照条件"
)


def word(rng: random.Random) -> str:
    """An English word, common or invented."""
    if rng.random() < 0.62:
        return rng.choice(_COMMON)
    return "".join(rng.choice(_ONSETS) + rng.choice(_VOWELS) for _ in range(rng.randint(1, 2))) + rng.choice(_CODAS)


def sentence_en(rng: random.Random, low: int = 5, high: int = 22) -> str:
    """A sentence of English words."""
    text = [word(rng) for _ in range(rng.randint(low, high))]
    for index in range(3, len(text) - 2, rng.randint(5, 9)):
        text[index] += rng.choice((",", ",", ";", ""))
    return " ".join(text).capitalize() + rng.choice("....?!")


def paragraph_en(rng: random.Random, low: int = 2, high: int = 7) -> str:
    """Several sentences."""
    return " ".join(sentence_en(rng) for _ in range(rng.randint(low, high)))


def title_en(rng: random.Random, low: int = 1, high: int = 6) -> str:
    """A heading."""
    return " ".join(word(rng) for _ in range(rng.randint(low, high))).title()


def characters(rng: random.Random, low: int, high: int) -> str:
    """A piece of Chinese text; frequent characters more often."""
    count = rng.randint(low, high)
    size = len(_CHARACTERS)
    return "".join(_CHARACTERS[int(size * rng.random() ** 1.4)] for _ in range(count))


def sentence_zh(rng: random.Random) -> str:
    """A Chinese sentence of one to four pieces."""
    pieces = [characters(rng, 3, 14) for _ in range(rng.randint(1, 4))]
    return "，".join(pieces) + rng.choice("。。。。！？；")


def paragraph_zh(rng: random.Random, low: int = 2, high: int = 6) -> str:
    """Several Chinese sentences."""
    return "".join(sentence_zh(rng) for _ in range(rng.randint(low, high)))
