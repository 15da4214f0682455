"""Pages of no known type that look like licences and identity cards, and banks' advices."""

from __future__ import annotations

import random

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Sheet
from models.layout_ner.synth.templates import prose
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.labels import maybe
from models.layout_ner.synth.templates.marks import portrait, seal
from models.layout_ner.synth.templates.other_kit import (
    address,
    day,
    firm,
    lines_table,
    page,
    person,
    some,
)
from models.layout_ner.synth.templates.parts import coded, pick
from models.layout_ner.synth.values import companies, money


@family("permit", None, weight=1.5)
def permit(rng: random.Random, palette: Palette) -> Sheet:
    """A permit or certificate of a firm that is no business licence, or a person's licence that is no identity card."""
    area = page(rng, palette, rng.choice(((26, 44), (40, 64))), chinese=maybe(rng, 0.75))
    zh = area.chinese
    own = maybe(rng, 0.5)
    titles: tuple[str, ...]
    if zh:
        titles = (
            (
                "驾驶证",
                "中华人民共和国机动车驾驶证",
                "中华人民共和国机动车行驶证",
                "学生证",
                "教师资格证书",
                "社会保障卡",
                "工作证",
                "护照资料页",
                "居住证",
                "户口簿",
                "港澳通行证",
                "执业医师证",
                "特种作业操作证",
            )
            if own
            else (
                "食品经营许可证",
                "开户许可证",
                "道路运输经营许可证",
                "卫生许可证",
                "商标注册证",
                "税务登记证",
                "组织机构代码证",
                "安全生产许可证",
                "事业单位法人证书",
                "基本存款账户信息",
                "医疗机构执业许可证",
                "房屋所有权证",
                "专利证书",
                "排污许可证",
            )
        )
        pool = (
            [
                ("姓名", person(area)),
                ("性别", pick(rng, "男|女")),
                ("出生日期", day(area)),
                ("住址|地址", address(area)),
                ("证号|编号|档案编号", coded(rng, "##################")),
                ("准驾车型|专业|岗位|资格种类", pick(rng, "C1|计算机|会计|高级中学教师资格")),
                ("有效期限|有效期至", day(area)),
                ("初次领证日期|发证日期|入学时间", day(area)),
                ("发证机关|学校|工作单位|签发机关", firm(area)),
                ("国籍|民族|学历", pick(rng, "中国|汉|本科")),
                ("号牌号码|车辆类型|所有人", coded(rng, "京@#####")),
            ]
            if own
            else [
                ("单位名称|经营者名称|权利人|注册人|名称", firm(area)),
                ("法定代表人|负责人|代理机构", person(area)),
                ("经营场所|坐落|地址|住所", address(area)),
                ("许可证编号|核准号|证号|注册号", coded(rng, "JY###############")),
                ("主体业态|开户银行|核定使用商品|用途", pick(rng, "餐饮服务经营者|中国工商银行|第35类|住宅")),
                ("经营项目|许可范围|宗旨和业务范围", pick(rng, "热食类食品制售|普通货运|预包装食品销售|内科")),
                ("有效期至|有效期限|注册日期", day(area)),
                ("发证机关|登记机关|举办单位", firm(area)),
                ("签发人|日常监督管理机构", person(area)),
                ("账号|面积|申请日", coded(rng, "##########")),
                ("发证日期|签发日期", day(area)),
            ]
        )
    else:
        titles = (
            "DRIVING LICENCE",
            "Student Card",
            "Staff Pass",
            "Membership Certificate",
            "Visitor Pass",
            "PERMIT",
            "Passport",
            "Certificate of Registration",
            "Trade Mark Certificate",
            "Food Handler Permit",
            "Vehicle Registration",
        )
        pool = [
            ("Name|Surname", person(area)),
            ("Address", address(area)),
            ("Licence No.|Permit No.|ID|Reg. No.", coded(rng, "@@######")),
            ("Date of Birth|DOB", day(area)),
            ("Expiry|Valid until|Date of expiry", day(area)),
            ("Issued|Date of issue", day(area)),
            ("Class|Category|Department", pick(rng, "B|D|Science|Sales")),
            ("Issued by|Authority", firm(area)),
            ("Sex", pick(rng, "M|F")),
            ("Nationality|Place of birth", prose.title_en(rng, 1, 1)),
        ]
    chance.titled(area, titles, owner=firm(area) if maybe(rng, 0.4) else "")
    chance.scramble(area, some(rng, pool, 4, 10), halves=0.2)
    if own and maybe(rng, 0.6):
        portrait(area.sheet, area.left, area.y + 0.4 * area.size, 5 * area.size, 6.5 * area.size, rng)
        area.skip(7.5)
    if maybe(rng, 0.5):
        area.line(day(area), align="r")
        seal(area.sheet, area.right - 3 * area.size, area.y - area.size, 2.6 * area.size)
    return chance.close_page(area, least=0.5, most=1.2)


@family("bank_advice", None, weight=1.2)
def bank_advice(rng: random.Random, palette: Palette) -> Sheet:
    """A bank's transfer advice or statement: payer, payee, accounts, sums in capitals; no receipt of a shop."""
    area = page(rng, palette, (44, 84), chinese=maybe(rng, 0.65))
    zh = area.chinese
    if zh:
        chance.titled(
            area,
            (
                "电子回单",
                "业务回单",
                "客户回单",
                "转账凭证",
                "进账单",
                "银行对账单",
                "账户交易明细",
                "网上银行电子回单",
                "收款回单",
                "存款凭条",
            ),
            owner=companies.bank_zh(rng),
        )
        value = money.amount(rng, 10, 900000)
        pool = [
            ("付款人户名|付款人|付款方户名", firm(area)),
            ("付款人账号|付款账号", coded(rng, "###################")),
            ("付款人开户行|付款行", companies.bank_branch_zh(rng)),
            ("收款人户名|收款人|收款方户名", firm(area)),
            ("收款人账号|收款账号", coded(rng, "###################")),
            ("收款人开户行|收款行", companies.bank_branch_zh(rng)),
            ("金额|交易金额|转账金额", f"¥{value}"),
            ("金额（大写）|大写金额", money.capitals(value)),
            ("交易时间|记账日期|日期", day(area)),
            ("回单编号|交易流水号|凭证号", coded(rng, "################")),
            ("摘要|用途|附言", pick(rng, "货款|服务费|往来款|工资")),
            ("币种", "人民币"),
            ("回单验证码|柜员", coded(rng, "%%%%%%%%")),
        ]
    else:
        chance.titled(
            area,
            (
                "Transfer Advice",
                "ACCOUNT STATEMENT",
                "Bank Statement",
                "Payment Advice",
                "Credit Advice",
                "Deposit Slip",
                "Remittance Advice",
            ),
            owner=f"{prose.title_en(rng, 1, 1)} Bank",
        )
        pool = [
            ("Payer|Remitter|From", firm(area)),
            ("Account No.|From Account", coded(rng, "##########")),
            ("Beneficiary|Payee|To", firm(area)),
            ("Beneficiary Account|To Account", coded(rng, "##########")),
            ("Amount", f"{money.amount(rng, 10, 90000):,.2f}"),
            ("Value Date|Date|Statement Date", day(area)),
            ("Reference|Ref No.", coded(rng, "@@##########")),
            ("Purpose|Details", pick(rng, "Invoice|Salary|Rent")),
            ("Opening Balance|Closing Balance|Charges", f"{money.amount(rng, 1, 90000):,.2f}"),
        ]
    chance.scramble(area, some(rng, pool, 5, 12), halves=0.35)
    if maybe(rng, 0.4):
        heads = ["日期", "摘要", "借方", "余额"] if zh else ["Date", "Details", "Debit", "Balance"]
        rows = [
            [
                day(area),
                pick(rng, "转账|消费|利息") if zh else pick(rng, "Transfer|Card|Interest"),
                f"{money.amount(rng, 1, 9000)}",
                f"{money.amount(rng, 1, 90000)}",
            ]
            for _ in range(rng.randint(3, 14))
        ]
        lines_table(area, heads, rows)
    if maybe(rng, 0.4):
        seal(area.sheet, area.right - 4 * area.size, area.y - area.size, 3 * area.size)
    return chance.close_page(area, least=0.4, most=1.2)
