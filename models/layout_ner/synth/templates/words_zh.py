"""Words for Chinese forms: questions put together from parts, and answers of many kinds."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date

from models.layout_ner.synth.templates.listing import listed
from models.layout_ner.synth.values import companies, dates, identifiers, money, people, places

_WHO = listed(
    "申请人 法定代表人 经办人 联系人 负责人 监护人 担保人 投资人 委托人 "
    "代理人 受理人 填表人 收款人 付款人 持卡人 借款人 "
    "户主 配偶 父亲 母亲 学生 职工 业主 承租人 产权人 纳税人 办税人员 财务负责人 主管 指导教师 推荐人 捐赠人 证明人 "
    "开户人 被授权人 受益人 报名人 参赛者 用人单位 申报单位 建设单位 "
    "施工单位 主管部门 所在单位 推荐单位 开户单位 企业 公司"
)
_WHOSE = listed(
    "姓名 电话 手机号码 证件类型 证件号码 身份证号 地址 签名 签字 职务 邮箱 性别 年龄 国籍 名称 意见 联系方式 "
    "联系电话 银行账号 账户名称 工作单位 家庭住址 通讯地址 邮政编码 编号 盖章 类别 学历 出生日期"
)
_WHAT = listed(
    "项目 合同 课题 产品 账户 业务 设备 车辆 房屋 工程 货物 发票 订单 "
    "专利 商标 成果 作品 论文 活动 会议 培训 课程 考试 岗位 "
    "贷款 交易 许可证 证书 档案 物资 样品 材料 资金 经费 基金 税务 登记 "
    "备案 申报 注册 经营 投资 运输 进口 出口 房产 土地 "
    "船舶 仓库 机构 学校 单位 部门 班级 专业 赛事 展位 广告 软件 服务"
)
_PROPERTY = listed(
    "名称 编号 类型 类别 日期 金额 数量 地点 地址 状态 等级 来源 用途 "
    "期限 内容 说明 规格 型号 单价 总额 面积 范围 级别 性质 "
    "方式 代码 号码 原因 时间 情况 负责人 简介 要求 进度 结果 依据 备注 比例 单位 描述 合计 周期 目标 条件"
)
_SINGLE = listed(
    "姓名 性别 民族 籍贯 年龄 出生日期 出生年月 政治面貌 婚姻状况 文化程度 "
    "学历 学位 毕业院校 所学专业 健康状况 身高 体重 血型 "
    "联系电话 手机 固定电话 传真 电子邮箱 邮编 邮政编码 通讯地址 家庭住址 "
    "户籍地址 现住址 工作单位 职务 职称 职业 身份证号码 "
    "身份证号 证件号码 证件类型 开户银行 银行账号 账号 户名 开户行 金额 "
    "币种 大写 小写 日期 填表日期 申请日期 受理日期 签名 "
    "盖章 备注 编号 序号 单位名称 企业名称 公司名称 注册地址 注册资本 "
    "经营范围 成立日期 法定代表人 统一社会信用代码 纳税人识别号 "
    "组织机构代码 所属行业 职工人数 主营业务 网址 特长 爱好 兴趣 爱好特长 个人简历 学习经历 工作经历 家庭成员 获奖情况 "
    "奖惩情况 自我评价 申请理由 申请事项 审核意见 审批意见 主管意见 推荐意见 "
    "部门意见 领导意见 处理结果 办理情况 参加工作时间 入职时间 "
    "期望薪资 现任职务 外语水平 计算机水平 驾驶证 车牌号 车型 发动机号 "
    "面积 用途 期限 起止时间 数量 单价 总价 规格 型号 品牌 "
    "产地 重量 体积 目的地 始发地 航班号 酒店 房型 人数 地点 主题 内容 "
    "主讲人 学号 班级 年级 学校 院系 导师 宗教信仰 国籍 护照号码 "
    "微信 QQ 紧急联系人 与本人关系 称谓 子女情况 住房情况 月收入 年收入 贷款金额 还款方式 利率 起息日 到期日"
)
_BEFORE = listed("原 现 拟 新 其他 主要 申请 本次 预计 实际 累计 首次 最高 最近 变更后 变更前 本年 上年 第一 第二")
_TITLES = listed(
    "申请表 登记表 审批表 备案表 报名表 申报书 推荐表 调查表 信息表 申请书 汇总表 确认单 审核表 "
    "汇款单 回执 委托书 统计表 登记卡 通知单 评价表 记录表 申报单 履历表 变更表 考核表 鉴定表 "
    "验收单"
)
_ORGANS = listed(
    "税务局 教育局 人民政府 公安局 市场监督管理局 大学 学院 中学 银行 协会 研究院 医院 "
    "人力资源和社会保障局 海关 公司 委员会 基金会 档案馆 交通运输局 住房和城乡建设局"
)
_SECTIONS = listed(
    "基本信息 申请人信息 企业信息 单位信息 联系方式 教育背景 工作经历 "
    "家庭情况 账户信息 业务类型 声明 填表说明 审批意见 银行填写 "
    "交易信息 项目概况 本人简历 银行专用栏 申请事项 证明材料 机构基本信息 "
    "经费预算 附件清单 客户信息 担保信息 车辆信息 房屋信息 产品信息 其他"
)
_OPTIONS = (
    ("是", "否"),
    ("男", "女"),
    ("有", "无"),
    ("已婚", "未婚", "离异"),
    ("身份证", "护照", "其他"),
    ("同意", "不同意"),
    ("人民币", "美元", "欧元", "其他"),
    ("现金", "转账", "支票"),
    ("个人", "企业", "事业单位", "其他"),
    ("新增", "变更", "注销"),
    ("本科", "硕士", "博士", "专科"),
    ("一级", "二级", "三级"),
    ("国有", "民营", "外资", "合资"),
    ("邮寄", "自取"),
    ("开户", "销户", "挂失"),
    ("自有", "租赁", "借用"),
    ("首次申请", "延续", "补办"),
    ("全职", "兼职", "实习"),
    ("城镇", "农村"),
    ("合格", "不合格"),
    ("每月", "每季度", "每年"),
    ("短信", "邮件", "电话"),
    ("公路", "铁路", "航空", "海运"),
)
_SUBJECTS = listed("本人 申请人 我单位 本公司 有关部门 双方 经办人员 该项目 上述材料 报名人员 各单位 持有人")
_VERBS = listed(
    "应当提交 已经核实 自愿参加 承诺遵守 负责办理 同意接受 需要填写 如实申报 按时完成 不得转让 认真阅读 长期保存"
)
_OBJECTS = listed(
    "相关资料 申请表格 有关规定 全部内容 证明文件 服务协议 各项手续 "
    "个人信息 项目经费 年度计划 业务申请 登记事项 管理办法 培训任务"
)
_TAILS = listed(
    "并承担由此产生的责任 以备查验 逾期不予受理 一式两份 自签字之日起生效 "
    "如有变更应及时通知 最终解释权归主办方所有 不得涂改 特此声明 请用黑色签字笔填写"
)
_PHRASES = listed(
    "情况属实 同意 符合条件 材料齐全 表现良好 无 暂无 良好 健康 群众 中共党员 共青团员 汉族 本科 "
    "大专 硕士研究生 高中 未婚 已婚 个体经营 教师 工程师 会计 销售 自由职业 学生 办公用品 "
    "流动资金周转 设备采购 日常经营 技术服务 长期 三年 一次性 电汇 按月付息"
)
_CHARS = (
    "安邦本昌晨达德东方丰富光广海汉和恒宏华吉佳建金锦景凯康科乐立利联林隆美明宁鹏平启强青"
    "荣瑞润森盛世顺泰天通万旺祥新鑫兴秀雅阳业怡永友宇源远云泽展正中洲卓"
)


def coined(rng: random.Random, low: int = 2, high: int = 4) -> str:
    """Characters that make no known word."""
    return "".join(rng.choice(_CHARS) for _ in range(rng.randint(low, high)))


def question(rng: random.Random) -> str:
    """What a form asks, without a colon."""
    kind = rng.random()
    if kind < 0.45:
        text = rng.choice(_SINGLE)
    elif kind < 0.62:
        text = rng.choice(_WHO) + rng.choice(_WHOSE)
    elif kind < 0.84:
        text = rng.choice(_WHAT) + rng.choice(_PROPERTY)
    elif kind < 0.92:
        text = rng.choice(_BEFORE) + rng.choice(_WHAT) + rng.choice(_PROPERTY)
    elif kind < 0.96:
        text = coined(rng) + rng.choice(_PROPERTY)
    else:
        text = f"是否{rng.choice(('需要', '参加', '具有', '同意', '属于', '申请'))}{rng.choice(_WHAT)}"
    if rng.random() < 0.06:
        text += rng.choice(
            (
                "（元）",
                "（万元）",
                "（盖章）",
                "（签字）",
                "（如有）",
                "（必填）",
                "(中文)",
                "（平方米）",
                "（%）",
                "（人）",
                "（公章）",
            )
        )
    return text


def title(rng: random.Random) -> str:
    """The head of a form."""
    text = rng.choice(_WHAT) + rng.choice(("", "", "信息", "变更", "人员", "资格", "年度")) + rng.choice(_TITLES)
    kind = rng.random()
    if kind < 0.3:
        text = places.city_zh(rng) + rng.choice(_ORGANS) + text
    elif kind < 0.4:
        text = f"{rng.randint(2005, 2026)}年度" + text
    elif kind < 0.5:
        text = coined(rng, 2, 3) + rng.choice(_ORGANS) + text
    return text


def organ(rng: random.Random) -> str:
    """An authority or institution."""
    return rng.choice((places.city_zh(rng), coined(rng, 2, 3))) + rng.choice(_ORGANS)


def section(rng: random.Random) -> str:
    """The head of a part of a form."""
    text = (
        rng.choice(_SECTIONS)
        if rng.random() < 0.6
        else rng.choice(_WHAT) + rng.choice(("信息", "情况", "概况", "明细", "要求"))
    )
    return rng.choice(("{}", "{}", "{}", "一、{}", "二、{}", "三、{}", "第一部分 {}", "（一）{}", "A. {}")).format(text)


def options(rng: random.Random) -> tuple[str, ...]:
    """Choices of a question with boxes to tick."""
    if rng.random() < 0.7:
        return rng.choice(_OPTIONS)
    return tuple(rng.sample(rng.choice((_WHAT, _PROPERTY, _WHO)), rng.randint(2, 5)))


def sentence(rng: random.Random) -> str:
    """A plain sentence of the kind that forms print."""
    text = rng.choice(_SUBJECTS) + rng.choice(_VERBS) + rng.choice(_OBJECTS)
    if rng.random() < 0.5:
        text += "，" + rng.choice(_VERBS) + rng.choice(_OBJECTS)
    if rng.random() < 0.5:
        text += "，" + rng.choice(_TAILS)
    return text + "。"


def paragraph(rng: random.Random, low: int = 1, high: int = 3) -> str:
    """Some sentences."""
    return "".join(sentence(rng) for _ in range(rng.randint(low, high)))


def code(rng: random.Random) -> str:
    """A number of the kind that offices give out."""
    digits = "".join(rng.choice("0123456789") for _ in range(rng.randint(4, 12)))
    letters = "".join(rng.choice("ABCDEFGHJKLMNPRSTUVWX") for _ in range(rng.randint(1, 3)))
    return rng.choice(
        (
            digits,
            digits,
            letters + digits,
            f"{letters}-{digits}",
            f"{coined(rng, 1, 2)}字〔{rng.randint(2000, 2026)}〕{rng.randint(1, 200)}号",
        )
    )


def _day(rng: random.Random) -> str:
    return dates.format_date(rng, dates.date_between(rng, date(1965, 1, 1), date(2026, 12, 31)), "zh")


def _identity(rng: random.Random) -> str:
    return identifiers.resident_id(
        rng, dates.date_between(rng, date(1950, 1, 1), date(2005, 12, 31)), rng.random() < 0.5, places.region(rng)
    )


def _sum(rng: random.Random) -> str:
    value = money.amount(rng, 100, 5_000_000)
    return rng.choice(
        (
            f"{value}",
            f"{value:,.2f}",
            f"{value}元",
            f"¥{value}",
            f"{rng.randint(1, 900)}万元",
            money.capitals(value),
            f"{rng.randint(1, 90)}00元",
        )
    )


def _address(rng: random.Random) -> str:
    return places.address_zh(rng)


def _mail(rng: random.Random) -> str:
    return "".join(rng.choice("abcdefghijklmnopqrstuvwxyz0123456789") for _ in range(rng.randint(5, 10))) + rng.choice(
        ("@qq.com", "@163.com", "@126.com", "@sina.com")
    )


def _measure(rng: random.Random) -> str:
    units = ("", "个", "人", "台", "吨", "件", "平方米", "公斤", "cm", "%", "年", "次", "份", "天")
    return f"{rng.randint(1, 2000)}{rng.choice(units)}"


def _phrase(rng: random.Random) -> str:
    return rng.choice((rng.choice(_PHRASES), rng.choice(_WHAT) + rng.choice(_OBJECTS), rng.choice(_PHRASES)))


_ANSWERS: tuple[tuple[Callable[[random.Random], str], float], ...] = (
    (people.chinese_name, 2.0),
    (_day, 1.6),
    (companies.company_zh, 1.2),
    (code, 1.6),
    (_phrase, 2.2),
    (_measure, 1.2),
    (_sum, 1.0),
    (identifiers.phone_zh, 1.0),
    (_identity, 0.7),
    (_address, 1.0),
    (coined, 0.8),
    (_mail, 0.3),
    (lambda rng: rng.choice(("是", "否", "无", "/", "—", "有", "见附件", "同上")), 0.6),
)
_MAKERS = [maker for maker, _ in _ANSWERS]
_WEIGHTS = [weight for _, weight in _ANSWERS]
_KINDS: tuple[tuple[tuple[str, ...], Callable[[random.Random], str]], ...] = (
    (("身份证", "证件号码"), _identity),
    (("统一社会信用代码", "识别号"), identifiers.credit_code),
    (("性别",), lambda rng: rng.choice(("男", "女"))),
    (("民族",), people.ethnicity),
    (("日期", "时间", "年月", "起息日", "到期日"), _day),
    (("电话", "手机", "传真", "联系方式"), identifiers.phone_zh),
    (("邮编", "邮政编码"), lambda rng: f"{rng.randint(10, 85)}{rng.randint(0, 99):02d}00"),
    (("邮箱",), _mail),
    (("地址", "住址"), _address),
    (
        ("意见", "结果", "状况", "情况", "说明", "原因", "理由", "评价"),
        lambda rng: rng.choice((_phrase(rng), sentence(rng))),
    ),
    (("单位名称", "企业名称", "公司名称", "工作单位", "户名", "账户名称"), companies.company_zh),
    (("姓名", "签名", "签字", "人", "代表", "导师"), people.chinese_name),
    (("金额", "资本", "总额", "单价", "总价", "收入", "薪资", "合计"), _sum),
    (("银行账号", "账号"), identifiers.bank_card_number),
    (("银行", "开户行"), companies.bank_zh),
    (("编号", "号码", "代码", "学号", "序号"), code),
    (("数量", "人数", "面积", "重量", "体积", "身高", "比例", "年龄"), _measure),
    (("籍贯", "地点", "产地", "目的地", "始发地"), places.city_zh),
    (("院校", "学校"), lambda rng: coined(rng, 2, 3) + rng.choice(("大学", "学院", "中学", "职业技术学院"))),
)


def answer(rng: random.Random, asked: str = "") -> str:
    """What somebody fills in; mostly of the kind that ``asked`` calls for."""
    if rng.random() < 0.8:
        for words, maker in _KINDS:
            if any(word in asked for word in words):
                return maker(rng)
    return rng.choices(_MAKERS, _WEIGHTS)[0](rng)


def short(rng: random.Random) -> str:
    """An answer for a narrow cell."""
    return rng.choice(
        (
            people.chinese_name,
            coined,
            code,
            _measure,
            lambda r: str(r.randint(0, 9999)),
            lambda r: f"{r.uniform(0, 500):.2f}",
        )
    )(rng)
