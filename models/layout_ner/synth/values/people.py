"""Names of people, ethnic groups and sexes as documents print them."""

from __future__ import annotations

import random

from models.layout_ner.synth.values import words

_SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林郑罗梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔"
    "钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤常温康施文牛樊葛邢"
)
_RARE_SURNAMES = words(
    "欧阳 上官 司马 诸葛 东方 皇甫 尉迟 公孙 令狐 慕容 夏侯 司徒 安 易 乔 伍 庞 颜 倪 庄 聂 章 鲁 岳 翟 殷 詹 申 欧 "
    "耿 关 兰 焦 俞 左 柳 甘 祝 包 宁 尚 符 舒 阮 柯 纪 梅 童 凌 毕 单 季 裴 霍 涂 成 苗 谷 盛 曲 翁 冉 骆 蓝 路 游 "
    "辛 靳 管 柴 蒙 鲍 华 喻 祁 蒲 房 滕 屈 饶 解 牟 艾 尤 阳 时 穆 农 司 卓 古 吉 缪 简 车 项 连 芦 麦 褚 娄 窦 戚 "
    "岑 景 党 宫 费 卜 冷 晏 席 卫 米 柏 宗 瞿 桂 全 佟 应 臧 闵 苟 邬 边 卞 姬 师 和 仇 栾 隋 商 刁 沙 荣 巫 寇 桑 "
    "郎 甄 丛 仲 虞 敖 巩 明 佘 池 查 麻 苑 迟 邝 官 封 谈 匡 鞠 惠 荆 乐 冀 郁 胥 南 班 储 原 栗 燕 楚 鄢 劳 谌 奚 "
    "皮 粟 冼 蔺 楼 盘 满 闻 位 厉 伊 仝 区 郜 海 阚 花 权 强 帅 屠 豆 朴 盖 练 廉 禹 井 祖 漆"
)
_GIVEN = (
    "伟芳娜秀英敏静丽强磊军洋勇艳杰娟涛明超霞平刚桂兰红玉萍鹏华飞鑫波斌莉宇浩凯健俊帆雪琳晨阳欣怡佳慧雨婷子轩涵梓"
    "思睿博文嘉诚志国建海永春梅芝凤莲翠珍淑贤美云燕玲琴香月荣福贵祥瑞庆喜德才光辉宏亮东南西北山川江河峰岩松柏林森树"
    "奇彬彦昊天泽恩铭钰瑶璐璇琪瑾萱蕾薇菲蓉芸茜楠桐一诺可心若安宁清逸然皓煜烨炜焕灿星辰曦朗毅恒坚正义仁礼智信忠孝廉"
    "朝培启学良友元全立长成兴旺胜利民新锦锋锐钢铁铮钧锡银珊珂玮珏琛瑛璟乐童晓小大中和顺康寿宝贝衡维绍继承先世传家"
)
_ETHNICITIES = words(
    "蒙古 回 藏 维吾尔 苗 彝 壮 布依 朝鲜 满 侗 瑶 白 土家 哈尼 哈萨克 傣 黎 傈僳 佤 畲 高山 拉祜 水 东乡 纳西 景颇 "
    "柯尔克孜 土 达斡尔 仫佬 羌 布朗 撒拉 毛南 仡佬 锡伯 阿昌 普米 塔吉克 怒 乌孜别克 俄罗斯 鄂温克 德昂 保安 裕固 京 "
    "塔塔尔 独龙 鄂伦春 赫哲 门巴 珞巴 基诺"
)
_ENGLISH_GIVEN = words(
    "James Mary John Patricia Robert Jennifer Michael Linda William Elizabeth David Barbara Richard Susan Joseph "
    "Jessica Thomas Sarah Charles Karen Daniel Nancy Matthew Lisa Anthony Betty Mark Margaret Donald Sandra Steven "
    "Ashley Paul Kimberly Andrew Emily Joshua Donna Kenneth Michelle Kevin Carol Brian Amanda George Dorothy Edward "
    "Melissa Ronald Deborah Timothy Stephanie Jason Rebecca Jeffrey Sharon Ryan Laura Jacob Cynthia Gary Kathleen "
    "Nicholas Amy Eric Angela Jonathan Shirley Stephen Anna Larry Brenda Justin Pamela Scott Emma Brandon Nicole "
    "Benjamin Helen Samuel Samantha Gregory Katherine Frank Christine Alexander Debra Raymond Rachel Patrick Carolyn "
    "Jack Janet Dennis Maria Jerry Heather Tyler Diane Aaron Ruth Jose Julie Adam Olivia Henry Joyce Nathan Virginia "
    "Douglas Victoria Zachary Kelly Peter Lauren Kyle Christina Noah Joan Ethan Evelyn Jeremy Judith Walter Megan "
    "Christian Andrea Keith Cheryl Roger Hannah Terry Jacqueline Austin Martha Sean Gloria Gerald Teresa Carl Ann "
    "Harold Sara Dylan Madison Arthur Frances Lawrence Kathryn Jordan Janice Jesse Jean Bryan Abigail Billy Alice "
    "Bruce Julia Gabriel Judy Joe Sophia"
)
_ENGLISH_SURNAMES = words(
    "Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson "
    "Anderson Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson "
    "Walker Young Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera Campbell "
    "Mitchell Carter Roberts Gomez Phillips Evans Turner Diaz Parker Cruz Edwards Collins Reyes Stewart Morris "
    "Morales Murphy Cook Rogers Gutierrez Ortiz Morgan Cooper Peterson Bailey Reed Kelly Howard Ramos Kim Cox Ward "
    "Richardson Watson Brooks Chavez Wood James Bennett Gray Mendoza Ruiz Hughes Price Alvarez Castillo Sanders Patel "
    "Myers Long Ross Foster Jimenez Powell Jenkins Perry Russell Sullivan Bell Coleman Butler Henderson Barnes Fisher "
    "Vasquez Simmons Graham Murray Ford Hamilton Wallace West Cole Owens Fraser Whitfield Ashworth Pemberton Oakley "
    "Thorne Blackwood Hargreaves Lindqvist"
)
_MALAY = words(
    "Ahmad Muhammad Mohd Abdul Siti Nur Nurul Aminah Fatimah Ismail Hassan Hussein Ibrahim Yusof Zainal Azman Rahman "
    "Rahim Aziz Karim Faizal Hafiz Farid Kamal Rosli Roslan Shahrul Izzat Aiman Haziq Syafiq Zulkifli Norhayati "
    "Rohana Zarina Aisyah Farah Hidayah Khadijah Mariam Rashid Salleh Othman Omar Osman Idris Jamil Latif Mansor "
    "Nasir Razak"
)
_INDIAN = words(
    "Raju Kumar Siva Muthu Ganesan Krishnan Subramaniam Ramasamy Letchumi Devi Priya Anand Vijay Suresh Ramesh Mani "
    "Kavitha Shanti Gopal Arumugam Perumal Saravanan Thiagarajan Selvam Nair Pillai Menon Rajan Velu Karthik Deepa "
    "Meena"
)
_SINITIC = words(
    "Tan Lim Lee Ng Ong Wong Goh Chua Chan Koh Teo Ang Yeo Tay Ho Low Toh Sim Chong Chia Loh Yap Liew Khoo Cheah Foo "
    "Lau Teh Ooi Beh Gan Heng Hong Kok Kwan Lai Leong Mok Phang Quek Siew Soh Tham Thong Voon Woon Yong"
)
_SINITIC_GIVEN = words(
    "Wei Ming Hui Ling Mei Siew Kok Chee Boon Keng Yee Wai Kit Jia Xin Yi Zhen Jun Hao Kai Wen Seng Hock Leong Peng "
    "Swee Geok Lian Choo Poh Teck Guan Heng Fatt Yoke Lan Fong Sook Yin Kah Chuan Hong Thiam Eng Bee Lay Cheng Woon "
    "Yann"
)


def chinese_name(rng: random.Random) -> str:
    """A Chinese name of two to four characters."""
    surname = rng.choice(_SURNAMES) if rng.random() < 0.75 else rng.choice(_RARE_SURNAMES)
    return surname + "".join(rng.choice(_GIVEN) for _ in range(1 if rng.random() < 0.22 else 2))


def english_name(rng: random.Random) -> str:
    """A name in Latin letters, as used in Britain, America or Malaysia."""
    kind = rng.random()
    if kind < 0.5:
        middle = f" {rng.choice('ABCDEFGHJKLMNPRSTW')}." if rng.random() < 0.15 else ""
        return f"{rng.choice(_ENGLISH_GIVEN)}{middle} {rng.choice(_ENGLISH_SURNAMES)}"
    if kind < 0.8:
        return f"{rng.choice(_SINITIC)} {' '.join(rng.sample(_SINITIC_GIVEN, 2))}"
    if kind < 0.92:
        first, second, father = rng.sample(_MALAY, 3)
        given = f"{first} {second}" if rng.random() < 0.6 else first
        return f"{given} {rng.choice(('bin', 'binti', 'b.'))} {father}"
    first, father = rng.sample(_INDIAN, 2)
    return f"{first} {rng.choice(('a/l', 'a/p', 's/o'))} {father}"


def surname_en(rng: random.Random) -> str:
    """A surname in Latin letters."""
    return rng.choice(rng.choice((_ENGLISH_SURNAMES, _SINITIC)))


def ethnicity(rng: random.Random) -> str:
    """One of China's 56 ethnic groups, without the final 族."""
    return "汉" if rng.random() < 0.6 else rng.choice(_ETHNICITIES)


def sex(rng: random.Random) -> str:
    """男 or 女."""
    return rng.choice("男女")
