"""Companies, banks, insurers and shops, and what they are licensed to do."""

from __future__ import annotations

import random
import re

from models.layout_ner.synth.values import words
from models.layout_ner.synth.values.goods import goods_en, goods_zh
from models.layout_ner.synth.values.people import chinese_name, surname_en
from models.layout_ner.synth.values.places import city_zh, regions

__all__ = [
    "COMPANY_TYPES",
    "bank_branch_zh",
    "bank_zh",
    "business_scope",
    "company_en",
    "company_type_zh",
    "company_zh",
    "goods_en",
    "goods_zh",
    "insurer_zh",
    "shop_en",
]

_ZH_NAME = (
    "华中国大金鑫盛恒达信通泰康安瑞祥和源丰裕隆兴旺佳美嘉益万千百利诚德仁义智博宏远志凯旋龙腾飞天宇星辰海洋江河山川"
    "云风雷电光明亮晶新锐创科联合众汇聚友邦盟邦正方圆圣东南西北春夏秋冬梅兰竹菊松柏鹏翔鹤鸣凤凰麒麟玉石珠宝银铜铁"
    "博雅思维数元亿优尚品优格欧亚美澳太平洋长城黄河长江泰华嵩恒顺茂永昌荣富贵福禄寿喜乐欣怡悦朗晟昊航宝融惠普智慧"
)
_ZH_TRADES = words(
    "科技 信息技术 网络科技 电子商务 贸易 商贸 实业 工贸 进出口贸易 建筑工程 建设工程 装饰工程 机电设备 机械制造 "
    "自动化设备 汽车销售服务 汽车配件 物流 供应链管理 运输 餐饮管理 餐饮服务 酒店管理 食品 农业科技 农业发展 生物科技 "
    "医药 医疗器械 健康管理 教育科技 教育咨询 文化传媒 广告传媒 文化传播 影视文化 企业管理咨询 企业管理 财务咨询 "
    "税务师事务所 人力资源服务 物业管理 物业服务 房地产开发 置业 投资管理 资产管理 环保科技 环境工程 新能源科技 "
    "新材料 电力工程 能源 化工 塑料制品 包装制品 印务 纺织 服饰 鞋业 家具 家居用品 建材 五金制品 电器 电子科技 "
    "光电科技 半导体 软件 数据服务 智能科技 通信技术 安防技术 石油化工 矿业 钢铁贸易 园林绿化 旅行社 体育文化 珠宝 "
    "眼镜 花卉"
)
_ZH_FORMS = ("有限公司",) * 14 + ("有限责任公司", "有限责任公司", "股份有限公司", "集团有限公司", "（集团）有限公司")
_ZH_SHOPS = words(
    "超市 便利店 生活超市 购物中心 百货商店 副食店 烟酒店 水果店 大药房 药店 文具店 书店 五金店 服装店 饭店 餐馆 酒楼 "
    "火锅店 烧烤店 面馆 小吃店 快餐店 茶餐厅 咖啡馆 奶茶店 面包房 蛋糕店 理发店 美容院 宾馆 招待所 汽车修理厂 加油站 "
    "建材经营部 电器经营部 批发部 商行 经营部"
)
COMPANY_TYPES = (
    "有限责任公司",
    "有限责任公司(自然人独资)",
    "有限责任公司(自然人投资或控股)",
    "有限责任公司（自然人投资或控股）",
    "有限责任公司(自然人投资或控股的法人独资)",
    "有限责任公司(非自然人投资或控股的法人独资)",
    "有限责任公司(法人独资)",
    "有限责任公司(国有独资)",
    "有限责任公司(国有控股)",
    "有限责任公司(外商投资、非独资)",
    "有限责任公司(台港澳法人独资)",
    "有限责任公司(港澳台投资、非独资)",
    "有限责任公司分公司(自然人投资或控股)",
    "其他有限责任公司",
    "一人有限责任公司",
    "股份有限公司",
    "股份有限公司(上市、国有控股)",
    "股份有限公司(非上市、自然人投资或控股)",
    "其他股份有限公司(非上市)",
    "个人独资企业",
    "个体工商户",
    "普通合伙企业",
    "有限合伙企业",
    "有限合伙",
    "特殊普通合伙企业",
    "农民专业合作社",
    "集体所有制",
    "全民所有制",
    "外商投资企业分支机构",
)
_BANKS = words(
    "中国工商银行 中国农业银行 中国银行 中国建设银行 交通银行 招商银行 中国邮政储蓄银行 中信银行 中国光大银行 "
    "华夏银行 中国民生银行 广发银行 平安银行 兴业银行 上海浦东发展银行 浙商银行 渤海银行 恒丰银行 北京银行 上海银行 "
    "江苏银行 南京银行 宁波银行 杭州银行 徽商银行 盛京银行"
)
_BANK_KINDS = ("银行", "银行", "农村商业银行", "农商银行", "村镇银行", "农村信用合作联社", "商业银行")
_INSURERS = words(
    "中国人寿 中国平安 中国太平洋 中国人民 新华 泰康 太平 阳光 中华联合 华泰 永安 天安 大地 安邦 生命 合众 百年 国华 "
    "君康 信泰 弘康 幸福 众安在线 安盛天平 都邦 渤海 英大泰和 长安责任 鼎和 紫金 浙商 国元农业 安华农业 民安 永诚 "
    "亚太 利宝 史带 美亚 安联 中意 中英 中宏 友邦 招商信诺"
)
_INSURER_KINDS = (
    "人寿保险股份有限公司",
    "人寿保险有限公司",
    "财产保险股份有限公司",
    "财产保险有限公司",
    "健康保险股份有限公司",
    "养老保险股份有限公司",
    "保险股份有限公司",
)
_SCOPE_VERBS = words(
    "批发 零售 销售 生产 加工 制造 研发 设计 安装 维修 租赁 技术开发 技术咨询 技术服务 技术转让 进出口 代理 配送 维护"
)
_SCOPE_ITEMS = words(
    "计算机软硬件 电子产品 通讯设备 办公用品 日用百货 服装鞋帽 针纺织品 化妆品 工艺礼品 体育用品 文具用品 家用电器 "
    "五金交电 建筑材料 装饰材料 机械设备 机电设备 仪器仪表 汽车配件 摩托车配件 橡塑制品 金属材料 "
    "化工原料及产品（不含危险化学品） 包装材料 纸制品 家具 木制品 花卉苗木 农副产品 初级食用农产品 预包装食品 "
    "散装食品 乳制品 保健食品 酒类 茶叶 医疗器械 消毒用品 劳保用品 环保设备 照明器材 安防设备 电线电缆 玻璃制品 "
    "陶瓷制品 珠宝首饰 钟表眼镜 玩具 图书报刊 音像制品 宠物用品 太阳能设备 新能源汽车 充电设备 智能设备 传感器 "
    "集成电路 模具"
)
_SCOPE_SERVICES = words(
    "企业管理咨询 商务信息咨询 市场营销策划 企业形象策划 会议及展览服务 广告设计、制作、代理、发布 "
    "文化艺术交流活动组织策划 软件开发 信息系统集成服务 数据处理服务 网络技术服务 房屋建筑工程施工 室内外装饰装修工程 "
    "园林绿化工程 市政工程 水电安装工程 物业管理 房地产经纪 自有房屋租赁 道路普通货物运输 仓储服务（不含危险品） "
    "国内货运代理 国际货运代理 人力资源服务 劳务派遣 餐饮服务 住宿服务 美容美发服务 洗车服务 汽车修理与维护 "
    "教育信息咨询 健康管理咨询 旅游信息咨询 婚庆礼仪服务 摄影摄像服务 家政服务 保洁服务 停车场管理 货物及技术进出口 "
    "电子商务 投资咨询（不含证券、期货）"
)
_SCOPE_TAILS = (
    "（依法须经批准的项目，经相关部门批准后方可开展经营活动）",
    "（依法须经批准的项目，经相关部门批准后方可开展经营活动）",
    "（依法须经批准的项目，经相关部门批准后依批准的内容开展经营活动。）",
    "（除依法须经批准的项目外，凭营业执照依法自主开展经营活动）",
    "（涉及许可经营的凭许可证经营）",
    "",
    "",
)


def _zh_brand(rng: random.Random) -> str:
    return "".join(rng.sample(_ZH_NAME, rng.choices((2, 3, 4), (70, 22, 8))[0]))


def _short(place: str) -> str:
    return re.sub(r"(省|市|地区|自治州|壮族自治区|回族自治区|维吾尔自治区|自治区)$", "", place)


def company_zh(rng: random.Random) -> str:
    """A Chinese company's or trader's full name: place, brand, trade and legal form, in several orders."""
    place = rng.choice(regions())
    head = rng.choice((place.province, place.city, _short(place.province), _short(place.city), _short(place.city)))
    head = head or place.province
    brand, trade, form = _zh_brand(rng), rng.choice(_ZH_TRADES), rng.choice(_ZH_FORMS)
    kind = rng.random()
    if kind < 0.12:
        shop = rng.choice(_ZH_SHOPS)
        owner = brand if rng.random() < 0.7 else chinese_name(rng)
        return f"{head}{place.county if rng.random() < 0.6 else ''}{owner}{shop}"
    if kind < 0.2:
        left, right = rng.choice(("（）", "()"))
        return f"{brand}{trade}{left}{_short(head)}{right}{form}"
    if kind < 0.26:
        return f"{head}{brand}{trade}{form}{city_zh(rng)}分公司"
    if kind < 0.36:
        return f"{brand}{trade}{form}"
    return f"{head}{brand}{trade}{form}"


def company_type_zh(rng: random.Random) -> str:
    """A legal form as business licences print it."""
    return rng.choice(COMPANY_TYPES)


def bank_zh(rng: random.Random) -> str:
    """A bank's name, one of the large ones or a local one."""
    if rng.random() < 0.6:
        return rng.choice(_BANKS)
    return city_zh(rng) + rng.choice(_BANK_KINDS)


def bank_branch_zh(rng: random.Random) -> str:
    """A bank with its branch, as invoices name it."""
    return (
        bank_zh(rng)
        + rng.choice(("", "股份有限公司"))
        + city_zh(rng)
        + _zh_brand(rng)[:2]
        + rng.choice(("支行", "支行", "分行"))
    )


def insurer_zh(rng: random.Random) -> str:
    """An insurance company's full name."""
    brand = rng.choice(_INSURERS) if rng.random() < 0.6 else _zh_brand(rng)
    name = brand + rng.choice(_INSURER_KINDS)
    return name + (f"{city_zh(rng)}{rng.choice(('分公司', '中心支公司', '支公司'))}" if rng.random() < 0.35 else "")


def business_scope(rng: random.Random) -> str:
    """What a business licence says the company may do: a sentence or several lines."""
    parts: list[str] = []
    for _ in range(rng.randint(1, 3)):
        items = "、".join(rng.sample(_SCOPE_ITEMS, rng.randint(2, 7)))
        verbs = "、".join(rng.sample(_SCOPE_VERBS, rng.randint(1, 3)))
        parts.append(f"{items}的{verbs}" if rng.random() < 0.6 else f"{verbs}：{items}")
    parts.extend(rng.sample(_SCOPE_SERVICES, rng.randint(0, 6)))
    rng.shuffle(parts)
    mark = rng.choice(("；", "；", "，", "。"))
    head = rng.choice(("", "", "", "一般项目：", "许可项目：", "一般经营项目："))
    return head + mark.join(parts) + rng.choice(("。", "", "***")) + rng.choice(_SCOPE_TAILS)


# --- in English -------------------------------------------------------------------------------------------------

_WORDS = words(
    "Golden Silver Royal Grand Lucky Happy Sunny Green Blue Red Bright Star Moon Sun Ocean River Garden Palm Lotus "
    "Orchid Dragon Tiger Phoenix Eagle Lion Pearl Diamond Crystal Jade Amber Coral Maple Oak Cedar Pine Bamboo Rose "
    "Lily Jasmine Union United Global World Asia Pacific Eastern Western Northern Southern Central City Metro Urban "
    "Classic Modern Super Mega Mini Max Prime Pro Best First Ace Alpha Delta Omega Sigma Nova Terra Vista Aqua Eco "
    "Bio Tech Smart Fresh Daily Family Home Corner Village Country Heritage Legend Victory Unity Harmony Prosper "
    "Fortune Evergreen Highland Riverside"
)
_SYLLABLES = words(
    "ka ko ki ra ri ro ma mi mo na ni no sa si so ta ti to la li lo va vi vo za zen zo ba be bo da de do fa fe fi ga "
    "go ha he ho ja ju pa pe po lex tron mart max tek nova wen lin san han tan xin jin hua fu an en in un ar er or el "
    "al us is es ton ley son dale ford wick ham berg stein mann quin tor val gar bel cor mer nor per ver wel bran "
    "chan dun fern glen"
)
_TRADES = words(
    "Trading Enterprise Marketing Hardware Stationery Bakery Restaurant Cafe Bistro Kitchen Pharmacy Supermarket Mart "
    "Store Supplies Electrical Engineering Construction Furniture Motors Auto Parts Books Gifts Fashion Textiles "
    "Foods Seafood Catering Services Solutions Systems Technologies Logistics Transport Printing Industries "
    "Manufacturing Chemicals Medical Dental Optical Pets Toys Sports Travel Photo Music Paints Plumbing Lighting "
    "Flooring Packaging Consulting"
)
_FORMS = (
    ("Sdn Bhd", 9),
    ("Sdn. Bhd.", 5),
    ("(M) Sdn Bhd", 3),
    ("S/B", 0.7),
    ("Bhd", 0.6),
    ("Enterprise", 1.5),
    ("Pte Ltd", 1.2),
    ("Pte. Ltd.", 0.6),
    ("Ltd", 2),
    ("Ltd.", 1),
    ("Limited", 1.2),
    ("PLC", 0.4),
    ("Inc.", 1.2),
    ("Inc", 0.8),
    ("LLC", 1.2),
    ("Co.", 0.6),
    ("Corp.", 0.4),
    ("& Co.", 0.4),
    ("& Sons", 0.4),
    ("", 3),
)
_PLACE_WORDS = words(
    "Damansara Cheras Kepong Puchong Klang Ipoh Johor Penang Malaysia KL PJ Setapak Ampang London Boston"
)
_MALAY_HEADS = (
    "Restoran",
    "Restoran",
    "Kedai Makan",
    "Kedai Kopi",
    "Kedai Buku",
    "Kedai Runcit",
    "Kedai Ubat",
    "Syarikat",
    "Syarikat Perniagaan",
    "Perniagaan",
    "Perusahaan",
    "Pasaraya",
    "Pasar Mini",
    "Farmasi",
    "Klinik",
    "Stesen Minyak",
    "Gerai",
    "Bengkel",
)
_MALAY_NAMES = words(
    "Wan Maju Jaya Sri Indah Seri Bahagia Murni Selera Pelita Nasi Kandar Hijau Sinar Makmur Setia Bintang Cahaya"
)


def _coined(rng: random.Random) -> str:
    """A word that no list holds."""
    return "".join(rng.choice(_SYLLABLES) for _ in range(rng.randint(2, 3))).capitalize()


def _initials(rng: random.Random) -> str:
    letters = [rng.choice("ABCDEFGHJKLMNPRSTWXYZ") for _ in range(rng.randint(2, 3))]
    return rng.choice(("", "", ".", " ")).join(letters) + rng.choice(("", "", "."))


def _brand(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.3:
        return " ".join(rng.sample(_WORDS, rng.choice((1, 2, 2))))
    if kind < 0.5:
        return _coined(rng)
    if kind < 0.6:
        return _initials(rng)
    if kind < 0.7:
        return f"{_coined(rng)} {rng.choice(_WORDS)}"
    if kind < 0.8:
        return f"{surname_en(rng)} {rng.choice(('&', 'and', '+'))} {surname_en(rng)}"
    if kind < 0.88:
        return f"{surname_en(rng)}{rng.choice((chr(39) + 's', '', 's'))}"
    if kind < 0.95:
        return f"{rng.choice(_WORDS)} {rng.choice(_PLACE_WORDS)}"
    return f"{rng.randint(1, 999)} {rng.choice(_WORDS)}"


def company_en(rng: random.Random) -> str:
    """A company's name as receipts and invoices print it, often with its legal form; Malaysian names most often."""
    kind = rng.random()
    if kind < 0.14:
        names = " ".join(rng.sample(_MALAY_NAMES, rng.randint(1, 2))) if rng.random() < 0.5 else _brand(rng)
        return f"{rng.choice(_MALAY_HEADS)} {names}" + (
            f" {rng.choice(('Sdn Bhd', 'SB'))}" if rng.random() < 0.4 else ""
        )
    trade = rng.choice(_TRADES)
    if rng.random() < 0.15:
        trade += f" {rng.choice(('&', 'and'))} {rng.choice(_TRADES)}"
    form = rng.choices([form for form, _ in _FORMS], [weight for _, weight in _FORMS])[0]
    place = f" ({rng.choice(_PLACE_WORDS)})" if rng.random() < 0.08 else ""
    parts = [_brand(rng), trade if rng.random() < 0.75 else "", place.strip(), form]
    return " ".join(part for part in parts if part)


def shop_en(rng: random.Random) -> str:
    """A shop's short name, as its sign says it."""
    brand = _brand(rng)
    return brand if rng.random() < 0.3 else f"{brand} {rng.choice(_TRADES)}"
