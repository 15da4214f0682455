"""Addresses, cities, stations and police authorities."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

from models.layout_ner.synth.values import words

_MUNICIPALITIES = ("11", "12", "31", "50")
_OUTSIDE = ("71", "81", "82")  # Taiwan, Hong Kong and Macau issue other documents

_ROADS = words(
    "人民 解放 中山 建设 和平 新华 胜利 长江 黄河 文化 北京 上海 南京 东风 红旗 朝阳 迎宾 环城 滨河 滨江 湖滨 学府 "
    "科技 创业 工业 园区 兴业 振兴 光明 幸福 友谊 团结 民主 自由 青年 劳动 体育 花园 凤凰 龙泉 金山 银河 天河 云山 "
    "白云 翠竹 梅园 桂花 玉兰 海棠 樱花 丁香 柳湖 松江 石桥 虹桥 永安 太平 长安 安定 复兴 延安 井冈山 大学 政府 府前 "
    "站前 广场 钟楼 鼓楼 古城 新城 开元 盛世 锦绣 宏图 腾飞 鹏程 祥和 富强 康宁 百花 泰山 衡山 华山 嵩山 峨眉 洞庭 "
    "太湖 西湖 东湖 南湖 北湖 珠江 汉江 湘江"
)
_ROAD_KINDS = words("路 路 路 大道 大街 街 东路 西路 南路 北路 中路 一路 二路 东街 西街")
_ESTATES = words(
    "阳光 金色 绿地 万科 恒大 碧桂 保利 龙湖 华润 中海 世茂 远洋 融创 金地 招商 雅居 富力 锦江 江南 江畔 水岸 香榭 "
    "御景 翡翠 观澜 天府 星河 紫荆 丽景 盛世 豪庭 帝景 名仕 都市 书香 学院 枫林 梧桐 橄榄 东方 国际 世纪 时代 未来 "
    "和谐 福临"
)
_ESTATE_KINDS = words("花园 小区 新村 家园 公寓 雅苑 名城 名邸 华府 新城 广场 华庭 御府 湾 里")
_VILLAGE_HEADS = (
    "王李张刘陈杨赵周吴徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾田董袁潘蒋蔡余杜叶程苏魏吕丁任沈"
    "大小上下东西南北前后新老"
)
_VILLAGE_TAILS = words(
    "家庄 家村 家湾 家沟 家屯 家寨 家坝 家坪 家岭 店村 桥村 河村 山村 塘村 湖村 沟村 岗村 坡村 楼村 集村"
)
_TOWNS = words(
    "城关 永和 太平 新兴 龙泉 石桥 清河 白马 双桥 柳林 青山 黄土 高桥 三河 大坪 金沙 桃园 福田 安平 长岭 五里 十里 "
    "双龙 凤山 河口 马家 杨柳 南湖 北关 东关 西关 红旗 和平 胜利 临江 沿河 枫林 梅林 竹溪 沙河 云峰 玉泉 天桥 仙人 "
    "望江 兴隆 宝塔"
)
_LETTERS = "ABCDEFGH"

_CITIES_EXTRA = words("香港 澳门 台北")

_STATION_SUFFIXES = ("", "", "", "", "", "东", "西", "南", "北")


@dataclass(slots=True, frozen=True)
class Region:
    """A county-level division of China: its code in GB/T 2260, its names, and the year from which the code holds.

    ``city`` is empty where there is none, ``since`` is 0 where the code is as old as the standard.
    """

    code: str
    province: str
    city: str
    county: str
    since: int = 0

    @property
    def name(self) -> str:
        """The full name, from the province down."""
        return self.province + self.city + self.county


@cache
def regions() -> tuple[Region, ...]:
    """Every county-level division that exists today, from the table that python-stdnum keeps for its ID checks."""
    found: list[Region] = []
    prefix, province, cities = "", "", dict[str, str]()
    text = resources.files("stdnum").joinpath("cn", "loc.dat").read_text(encoding="utf-8")
    for line in text.splitlines():
        if top := re.fullmatch(r'(\d{2}) province="(.+)"', line):
            prefix, province, cities = top[1], top[2], {}
        elif row := re.fullmatch(r'  (\d{4}) county="(.+)"', line):
            names = [name for name in row[2].split(",") if not re.match(r"\[\d*-\d+\]", name)]
            if not names or prefix in _OUTSIDE:
                continue
            period = re.match(r"\[(\d*)-\]", names[-1])
            since = int(period[1] or 0) if period else 0
            name = re.sub(r"\[.*?\]", "", names[-1])
            if row[1].endswith("00"):
                cities[row[1][:2]] = name
            elif name not in ("市辖区", "县", "") and re.search(r"[区县市旗]$", name):
                city = "" if prefix in _MUNICIPALITIES or row[1][:2] == "90" else cities.get(row[1][:2], "")
                found.append(Region(prefix + row[1], province, city if city != name else "", name, since))
    return tuple(found)


def region(rng: random.Random) -> Region:
    """A county-level division."""
    return rng.choice(regions())


def address_zh(rng: random.Random, region: Region | None = None) -> str:
    """A Chinese address, in a town or in the country; with the province, or from the city or county down."""
    place = region or rng.choice(regions())
    start = rng.random()
    head = (
        place.name if start < 0.75 else (place.city or place.province) + place.county if start < 0.9 else place.county
    )
    if rng.random() < 0.25 and not place.county.endswith("区"):
        town = f"{rng.choice(_TOWNS)}{rng.choice(('镇', '乡', '镇', '街道'))}"
        village = rng.choice(_VILLAGE_HEADS) + rng.choice(_VILLAGE_TAILS)
        number = rng.choice(
            (f"{rng.randint(1, 20)}组", f"{rng.randint(1, 12)}组{rng.randint(1, 199)}号", f"{rng.randint(1, 499)}号")
        )
        return head + town + village + number
    street = f"{rng.choice(_TOWNS)}街道" if rng.random() < 0.2 else ""
    return head + street + street_zh(rng)


def street_zh(rng: random.Random) -> str:
    """A street address: road, number and often house, floor or flat."""
    road = rng.choice(_ROADS) + rng.choice(_ROAD_KINDS)
    number = f"{rng.randint(1, 1999)}号" if rng.random() < 0.9 else f"{rng.randint(1, 300)}弄{rng.randint(1, 60)}号"
    estate = rng.choice(_ESTATES) + rng.choice(_ESTATE_KINDS) if rng.random() < 0.45 else ""
    if estate and rng.random() < 0.2:
        road, number = "", ""
    kind = rng.random()
    block = rng.choice((str(rng.randint(1, 38)), rng.choice(_LETTERS)))
    flat = rng.randint(1, 33) * 100 + rng.randint(1, 8)
    if kind < 0.3:
        tail = f"{block}{rng.choice('栋幢')}{rng.randint(1, 4)}单元{flat}{rng.choice('室号')}"
    elif kind < 0.5:
        tail = f"{block}{rng.choice(('座', '号楼', '栋'))}{flat}{rng.choice(('室', '房', '号'))}"
    elif kind < 0.65:
        tail = f"{rng.randint(1, 30)}层{rng.choice(('', rng.choice(_LETTERS) + '区', str(flat) + '室'))}"
    elif kind < 0.75:
        tail = f"{rng.randint(1, 40)}-{rng.randint(1, 9)}-{flat}"
    else:
        tail = ""
    return road + number + estate + tail


def city_zh(rng: random.Random) -> str:
    """A city's or county's short name, without 市, 县 or 区."""
    place = rng.choice(regions())
    name = place.city or place.county
    short = re.sub(r"(市|地区|县|区|自治州|自治县|盟)$", "", name)
    return short if 2 <= len(short) <= 5 else rng.choice(_CITIES_EXTRA)


def railway_station(rng: random.Random) -> str:
    """A railway station's name, without the final 站."""
    name = city_zh(rng)
    while len(name) > 4:
        name = city_zh(rng)
    return name + rng.choice(_STATION_SUFFIXES)


def police_authority(rng: random.Random, region: Region | None = None) -> str:
    """The authority that issues identity cards in a place: 某某市公安局某某分局, or 某某县公安局."""
    place = region or rng.choice(regions())
    if place.county.endswith("区"):
        city = place.city or place.province
        if rng.random() < 0.85:
            return f"{city}公安局{place.county[:-1] if rng.random() < 0.7 else place.county}分局"
        return f"{city}{place.county}公安局"
    return f"{place.county}公安局"


# --- in English -------------------------------------------------------------------------------------------------

_MY_ROADS = words(
    "Besar Merdeka Bukit Bintang Ampang Kelang Ipoh Pahang Sultan Ismail Raja Chulan Tun Razak Cheras Kuchai Lama "
    "Klang Kepong Sentul Setapak Gombak Puchong Kinrara Sungai Damansara Bangsar Universiti Gasing Utara Selatan "
    "Timur Barat Mawar Melati Kenanga Cempaka Anggerik Seroja Teratai Dahlia Merpati Helang Kenari Murai Tekukur Seri "
    "Indah Permai Perdana Jaya Maju Makmur Sejahtera Harmoni Bakti Setia Impian Wawasan Cahaya Mutiara Delima Nilam "
    "Zamrud Intan"
)
_MY_TAMANS = words(
    "Sri Bukit Bandar Desa Sungai Seri Puncak Kota Pinggiran Kampung Permai Indah Maju Jaya Perdana Sentosa Bahagia "
    "Molek Megah Daya Ria Aman Damai Mulia Suria Pelangi Mutiara Emas Wangsa Melawati Kinrara Connaught Midah Segar "
    "Muda Tasik"
)
_MY_TOWNS = (
    ("Kuala Lumpur", "", 50, 60),
    ("Petaling Jaya", "Selangor", 46, 47),
    ("Shah Alam", "Selangor", 40, 40),
    ("Klang", "Selangor", 41, 42),
    ("Kajang", "Selangor", 43, 43),
    ("Puchong", "Selangor", 47, 47),
    ("Rawang", "Selangor", 48, 48),
    ("Subang Jaya", "Selangor", 47, 47),
    ("Johor Bahru", "Johor", 80, 81),
    ("Batu Pahat", "Johor", 83, 83),
    ("Kluang", "Johor", 86, 86),
    ("Muar", "Johor", 84, 84),
    ("Georgetown", "Pulau Pinang", 10, 11),
    ("Butterworth", "Pulau Pinang", 12, 13),
    ("Ipoh", "Perak", 30, 31),
    ("Taiping", "Perak", 34, 34),
    ("Seremban", "Negeri Sembilan", 70, 71),
    ("Melaka", "Melaka", 75, 75),
    ("Kuantan", "Pahang", 25, 26),
    ("Temerloh", "Pahang", 28, 28),
    ("Alor Setar", "Kedah", 5, 6),
    ("Sungai Petani", "Kedah", 8, 8),
    ("Kota Bharu", "Kelantan", 15, 16),
    ("Kuala Terengganu", "Terengganu", 20, 21),
    ("Kuching", "Sarawak", 93, 94),
    ("Miri", "Sarawak", 98, 98),
    ("Kota Kinabalu", "Sabah", 88, 89),
)
_STEMS = words(
    "Oak Maple Cedar Elm Ash Birch Willow Chestnut Church Mill Station High Park Victoria King Queen Albert Market "
    "Bridge River Lake Hill Spring Garden Meadow Forest Grove Field Orchard Castle Abbey Manor Priory Chapel School "
    "College Union Washington Lincoln Jefferson Madison Jackson Franklin Adams Monroe Highland Sunset Prospect Walnut "
    "Cherry Pine Main"
)
_UK_KINDS = words("Street Road Lane Avenue Close Drive Way Court Terrace Crescent Place Gardens Square")
_US_KINDS = words("St Street Ave Avenue Blvd Rd Road Dr Drive Ln Lane Way Ct Pkwy Highway")
_UK_TOWNS = words(
    "London Birmingham Leeds Manchester Sheffield Bristol Bath York Oxford Cambridge Norwich Exeter Reading Derby "
    "Nottingham Leicester Coventry Hull Preston Lancaster Chester Durham Swansea Cardiff Newport Edinburgh Glasgow "
    "Perth Aberdeen Dundee Stirling Belfast Lincoln Lichfield Salisbury Winchester Worcester Gloucester Hereford "
    "Truro Ripon"
)
_US_TOWNS = words(
    "Springfield Franklin Clinton Greenville Bristol Fairview Salem Madison Georgetown Arlington Ashland Dover Oxford "
    "Jackson Burlington Manchester Milton Newport Auburn Centerville Clayton Dayton Lexington Milford Winchester "
    "Cleveland Houston Dallas Austin Phoenix Denver Seattle Portland Boston Chicago Atlanta Miami Orlando Tampa "
    "Memphis Nashville"
)
_US_STATES = words(
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR "
    "PA RI SC SD TN TX UT VT VA WA WV WI WY"
)


def address_en(rng: random.Random, style: str | None = None) -> str:
    """An address in Latin letters; ``style`` MY, UK or US (Malaysian most often where none is given).

    Parts are separated by a comma and a space, so that templates can break lines there.
    """
    style = style or rng.choices(("MY", "UK", "US"), (6, 2, 2))[0]
    return {"MY": _address_my, "UK": _address_uk, "US": _address_us}[style](rng)


def _address_my(rng: random.Random) -> str:
    town, state, low, high = rng.choice(_MY_TOWNS)
    postcode = f"{rng.randint(low, high):02}{rng.randint(0, 99) * 10:03}"
    number = rng.choice(
        (
            f"{rng.randint(1, 399)}",
            f"No. {rng.randint(1, 399)}",
            f"No.{rng.randint(1, 399)}",
            f"No {rng.randint(1, 99)}{rng.choice('ABG')}",
            f"Lot {rng.randint(1, 9999)}",
            f"Lot {rng.choice('GFLU')}{rng.randint(1, 150)}",
            f"{rng.randint(1, 99)} & {rng.randint(1, 99)}",
            f"Unit {rng.randint(1, 30)}-{rng.randint(1, 30)}",
            f"{rng.choice('ABCG')}-{rng.randint(1, 30)}-{rng.randint(1, 20)}",
        )
    )
    letters = rng.choice(("SS", "PJU", "PJS", "USJ", "BK", "KPB", "TPP", "U", "BP", "PU"))
    coded = f"{rng.randint(1, 30)}{rng.choice(('', rng.choice('ABCD')))}/{rng.randint(1, 60)}"
    road = rng.choice(
        (
            f"{rng.choice(_MY_ROADS)} {rng.choice(_MY_ROADS)}",
            rng.choice(_MY_ROADS),
            f"{rng.choice(_MY_ROADS)} {rng.randint(1, 40)}",
            f"{rng.choice(_MY_ROADS)} {coded}",
            f"{letters} {coded}",
            f"{letters}{coded}",
        )
    )
    parts = [number, f"{rng.choice(('Jalan', 'Jalan', 'Jalan', 'Jln', 'Lorong', 'Persiaran', 'Lebuh'))} {road}"]
    if rng.random() < 0.25:
        parts.insert(
            0,
            rng.choice(
                ("Ground Floor", "1st Floor", "Lower Ground", "Level 2", "Blok B", "Wisma " + rng.choice(_MY_TAMANS))
            ),
        )
    if rng.random() < 0.7:
        area = f"{rng.choice(_MY_TAMANS)} {rng.choice(_MY_TAMANS)}"
        parts.append(
            rng.choice(("Taman ", "Taman ", "Bandar ", "Kawasan Perindustrian ", "Kampung ", "Seksyen 9, ")) + area
        )
    parts.append(f"{postcode} {town}")
    if state and rng.random() < 0.85:
        parts.append(state + (" Darul Ehsan" if state == "Selangor" and rng.random() < 0.3 else ""))
    if rng.random() < 0.15:
        parts.append("Malaysia")
    return ", ".join(parts) + (rng.choice((".", "")) if rng.random() < 0.5 else "")


def _address_uk(rng: random.Random) -> str:
    town = rng.choice(_UK_TOWNS)
    letters = "ABDEFGHJLNPQRSTUWXYZ"
    postcode = (
        f"{town[0]}{rng.choice(('', rng.choice(letters)))}{rng.randint(1, 30)} {rng.randint(1, 9)}"
        f"{rng.choice(letters)}{rng.choice(letters)}"
    )
    street = f"{rng.randint(1, 240)} {rng.choice(_STEMS)} {rng.choice(_UK_KINDS)}"
    parts = [street, f"{town} {postcode}"] if rng.random() < 0.5 else [street, town, postcode]
    if rng.random() < 0.2:
        parts.insert(0, f"{rng.choice(('Unit', 'Flat', 'Suite'))} {rng.randint(1, 60)}{rng.choice(('', 'A', 'B'))}")
    return ", ".join(parts)


def _address_us(rng: random.Random) -> str:
    ordinal = rng.randint(1, 120)
    ending = "th" if 10 < ordinal % 100 < 20 else {1: "st", 2: "nd", 3: "rd"}.get(ordinal % 10, "th")
    name = rng.choice(_STEMS) if rng.random() < 0.8 else f"{ordinal}{ending}"
    side = rng.choice(("", "", "", "N ", "S ", "E ", "West "))
    street = f"{rng.randint(1, 9999)} {side}{name} {rng.choice(_US_KINDS)}"
    parts = [street]
    if rng.random() < 0.3:
        parts.append(rng.choice(("Suite", "Ste", "Unit", "#", "Apt")) + f" {rng.randint(1, 900)}")
    zipcode = f"{rng.randint(10001, 99950)}" + (f"-{rng.randint(1000, 9999)}" if rng.random() < 0.1 else "")
    return ", ".join([*parts, rng.choice(_US_TOWNS), f"{rng.choice(_US_STATES)} {zipcode}"])
