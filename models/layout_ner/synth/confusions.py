"""How recognisers misread: characters that look alike, lost and added spaces, punctuation of the other width."""

from __future__ import annotations

import random
from typing import TypeVar

Tag = TypeVar("Tag")

# Groups of characters that recognisers take for one another, in Latin and Chinese print.
_ALIKE = (
    "O0oDQ 1lI|!i 8B 5S$ 2Zz 6Gb 9gq 7T CcGe vV uU wW xX kK pP sS nh rf EF PR KX VY ao ft .,·: ; '` -_~ () [] {} *x "
    "/1 O° mn 己已巳 未末本朱 土士工 日曰目白 人入八 干千于午 天夫大太 大太犬 王玉主壬 白百自 田由甲申 石右古 住往佳 "
    "侯候 贷货贸 戊戌戍 睛晴 代伐 拔拨 今令 免兔 鸟乌岛 洒酒 折拆析 徒徙 园圆团 元无无 陪赔 拾抬 壹壶 叁参 伍任 仟任 "
    "佰伯 万方 市巾 合含 计汁 全金 司同 责贵 开升井 单早 税悦 号兮 东车 名各 问间闻 厂广 口囗 力刀九 手毛 木术 贝见 "
    "仓仑 冶治 析折 昌吕 崇祟 卖买 处外 床庆 辛幸 亨享 亭享 微徽 撒撤 城域 坡玻 坏环 杯怀 抗杭 枝技 材村 林材 杨扬 "
    "场扬 汤杨 泊泪 油抽 注住 洪供 清请晴 情清 淮准 渡度 湖潮 热熟 烤烧 煮著 牌碑 特持 待侍 侍待 很根 恨银 银根 铜钢 "
    "锦绵 绵棉 钟种 镇填 院完 阳阴 陆际 险检 验检 检捡 楼搂 模摸 横黄 欧殴 段殷 每母 毒青 民氏 永水 求录 汉汊 沙纱 "
    "法去 波披 泽译 洋样 济挤 浦捕 海悔 深探 源原 漂飘 火灭 灯打 点占 照熙 物拘 狗拘 班斑 理埋 电由 男界 畅杨 瓦互 "
    "甘廿 用甩 畔胖 疗辽 的旳 皇呈 监盐 直宜 相想 省看 真直 知和 砖传 破被 硬便 福富 科料 秋秒 租祖 积职 称弥 程呈 "
    "穿突 空穴 立位 章意 童重 竹什 第弟 等笔 简筒 米来 粉纷 精情 系糸 红江 约药 级极 纳钠 纸低 线钱 组姐 经径 结吉 "
    "给络 维准 编偏 网冈 罗岁 美羊 群郡 老考 职识 股肢 育肓 胜性 能态 自白 舒舍 般船 航杭 色邑 艺乙 苏办 若苦 英荚 "
    "茶荼 药约 营宫 蓝篮 行付 街衙 补朴 裕浴 西酉 要耍 观现 视祝 角甬 解触 订汀 记纪 许评 论沦 设没 证讧 评坪 诚城 "
    "话活 该刻 详样 语浯 说脱 课棵 调凋 谢射 负贞 财材 账帐 贸贷 费贵 资货 赵起 超起 越趣 足是 路跟 身射 转传 轮轻 "
    "达迖 过边 运远 连莲 退追 送迭 通诵 速束 遥摇 邮油 部陪 郭部 都部 配酉 酒洒 量重 钱线 铁快 锁销 长卡 门闩 闭闲 "
    "队认 附付 限根 除徐 陈阵 随隋 集焦 雪霉 零雷 青责 面而 顺须 顾硕 题提 额客 食良 餐登 饭板 馆倌 香杳 马乌 验险 "
    "骑奇 高亮 鱼角 鲜群 麦表 黄横 黑墨 鼎顶 龙尤 年午 月用 日口 元兀 角甪 分公 整正"
)

_WIDTHS = dict(zip("，：；！？（）［］％＋－＝／．、。￥“”‘’～", ",:;!?()[]%+-=/.,.¥\"\"''~", strict=True))
_WIDER = {",": "，", ":": "：", ";": "；", "!": "！", "?": "？", "(": "（", ")": "）", "%": "％", "-": "－", "¥": "￥"}

_COMMON = (
    "的一国在人了有中是年和大业不为发会工经上地市要个产这出行作生家以成到日民来我部对进多全建他公开们场展时理新方主企资"
)


def _table() -> dict[str, str]:
    table: dict[str, str] = {}
    for group in _ALIKE.split():
        for char in group:
            table[char] = table.get(char, "") + group.replace(char, "")
    return {char: others for char, others in table.items() if others}


ALIKE: dict[str, str] = _table()


def misread(marked: list[tuple[str, Tag]], rng: random.Random, rate: float, blank: Tag) -> list[tuple[str, Tag]]:
    """Misread a line at random.

    Args:
        marked: The line's characters, each with what it is tagged with.
        rng: Decides.
        rate: How many of 1 characters go wrong, on average.
        blank: The tag of an added space between characters of different tags.

    Returns:
        The characters as read; those that replace or follow others have their tags.
    """
    if rng.random() < 3 * rate:
        marked = _other_width(marked, rng)
    lost_spaces = rng.random() < 4 * rate
    read: list[tuple[str, Tag]] = []
    for position, (char, tag) in enumerate(marked):
        if char == " ":
            if not (lost_spaces and rng.random() < 0.8) and rng.random() >= rate:
                read.append((char, tag))
            continue
        if rng.random() >= rate:
            read.append((char, tag))
            continue
        kind = rng.random()
        others = ALIKE.get(char)
        if kind < 0.7 and others:
            read.append((rng.choice(others), tag))
        elif kind < 0.8:
            pass  # not seen
        elif kind < 0.9 and position + 1 < len(marked):
            follows = marked[position + 1][1]
            read += [(char, tag), (" ", tag if follows == tag else blank)]
        elif kind < 0.95:
            read.append((_stray(char, rng), tag))
        else:
            read.append((char, tag))
            if char.isdigit() or not char.isalnum():  # seen twice
                read.append((char, tag))
    return read


def _other_width(marked: list[tuple[str, Tag]], rng: random.Random) -> list[tuple[str, Tag]]:
    """All punctuation of a line in the other width; one direction only, as recognisers have their habits."""
    table = _WIDTHS if rng.random() < 0.7 else _WIDER
    return [(table.get(char, char), tag) for char, tag in marked]


def _stray(char: str, rng: random.Random) -> str:
    """Some other character of the same kind."""
    if char.isdigit():
        return rng.choice("0123456789")
    if char.isascii():
        return (
            rng.choice("abcdefghijklmnopqrstuvwxyz.,-'")
            if char.islower()
            else rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ.,-")
        )
    return rng.choice(_COMMON)
