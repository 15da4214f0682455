"""What insurance policies call their fields, in many wordings, and what they call things that are no field."""

from __future__ import annotations

import random
from datetime import date

from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates.labels import maybe
from models.layout_ner.synth.templates.pair_blocks import Entry
from models.layout_ner.synth.templates.parts import coded
from models.layout_ner.synth.templates.policy_facts import Policy, amount_text, date_part, identity_en, value_part
from models.layout_ner.synth.values import companies, dates, identifiers, money, people, places

ZH = {
    "policy_number": (
        "保单号|保险单号|保单号码|保险单号码|保险单编号|合同号|保险合同号|保险合同号码|保险合同编号|合同编号|"
        "合同号码|电子保单号|"
        "电子保单号码|保单编号|保险凭证号|凭证号码|保单合同号|本保单号码|保险单证号码|保险证号|单号|保单号(Policy No.)|"
        "保险单号码 Policy No.|保单号/Policy No.|承保单号|团体保单号|商业险保单号"
    ),
    "policyholder": (
        "投保人|投保人名称|投保人姓名|投保单位|投保单位名称|投保企业|要保人|投保人/Applicant|保单持有人|投保人全称|"
        "投保人(单位)|投保人姓名/名称|投保人 Policyholder|保单所有人|投保方|投保者"
    ),
    "insured": (
        "被保险人|被保险人姓名|被保险人名称|被保人|被保人姓名|主被保险人|被保险单位|被保险人(Insured)|受保人|"
        "受保人姓名|"
        "第一被保险人|记名被保险人|被保险人/Insured|被保险人姓名/名称|被保险人全称|被保险方|主被保险人姓名"
    ),
    "id_number": (
        "证件号码|身份证号|身份证号码|证件号|居民身份证号|被保险人证件号码|被保险人身份证号|被保人证件号|有效证件号码|"
        "身份证件号码|证件号码/ID No.|公民身份号码|身份证|居民身份证号码|证件编号|被保险人证件号"
    ),
    "firm_number": (
        "统一社会信用代码|社会信用代码|组织机构代码|信用代码|企业证件号码|投保人证件号码|统一信用代码|证件号码"
    ),
    "product": (
        "险种名称|险种|产品名称|保险产品|保险产品名称|投保险种|主险|主险名称|险别|保险名称|保险计划|计划名称|"
        "投保计划|承保险种|"
        "保障计划|保险方案|适用条款|条款名称|保险种类|产品|投保产品|保险项目|保险险种|合同名称|产品计划"
    ),
    "sum_insured": (
        "保险金额|保额|保险金额合计|总保险金额|总保额|基本保险金额|累计保险金额|赔偿限额|责任限额|累计赔偿限额|"
        "保障额度|"
        "保险金额（元）|保险金额/赔偿限额|合计保额|总保险金额（小写）|最高赔偿限额|保险总额|保障金额|基本保额|"
        "总赔偿限额|保险金额(RMB)"
    ),
    "premium": (
        "保险费|保费|保险费合计|总保险费|总保费|应交保费|应缴保险费|首期保费|首期保险费|首年保费|年交保费|"
        "每期保费|期交保险费|"
        "实收保费|缴纳保费|保险费总额|合计保费|保费合计|应收保费|保险费（元）|保费金额|交纳保险费|"
        "总保险费（小写）|保险费用|缴费金额"
    ),
    "start_date": (
        "保险起期|起保日期|起保日|生效日|生效日期|保单生效日|合同生效日|保险责任起始日|开始日期|起始日期|责任起期|起期|"
        "保障开始日|保险期间起|保险开始日期|合同生效日期|保单生效日期|生效时间|起保时间|责任开始日|保障起期"
    ),
    "end_date": (
        "保险止期|终保日期|终保日|满期日|终止日期|到期日|保单到期日|合同终止日|保险责任终止日|结束日期|截止日期|"
        "责任止期|止期|"
        "保障结束日|保险期间止|保险到期日|合同满期日|保单终止日期|终止时间|失效日期|责任终止日|保障止期"
    ),
    "period": (
        "保险期间|保险期限|保障期间|保险责任期间|保单有效期|承保期间|保障期限|有效期间|保险责任期限|保险起止日期|"
        "起止日期|"
        "保险起讫时间|保障时间|保险有效期|保险期间（北京时间）|责任期间|保单起止期|保险期间 Period|合同期限"
    ),
}
EN = {
    "policy_number": (
        "Policy No.|Policy Number|Policy no|Certificate No.|Contract Number|Policy #|Certificate Number|Policy "
        "No|Policy|"
        "Policy Ref|Policy Reference|Your policy number|POLICY NUMBER|Master Policy No.|Contract No.|Cert. No.|"
        "Insurance Policy No.|Cover Note No.|Policy ID|Your Policy No.|Certificate #|Membership Policy No."
    ),
    "policyholder": (
        "Policyholder|Policy Holder|Policy Owner|Name of Policyholder|Proposer|Policyholder Name|Owner|Contract Holder|"
        "Policyholder's Name|Name of Proposer|The Policyholder|Applicant|Policyowner|Name of Policy Owner|"
        "Proposer Name|"
        "Policy Holder Name|Assured Owner|Subscriber|Group Policyholder|Certificate Holder"
    ),
    "insured": (
        "Insured|Name of Insured|Life Assured|Insured Person|The Insured|Insured Name|Person Insured|Life Insured|"
        "Named Insured|Assured|Name of Assured|Insured Party|Covered Person|Insured Member|Name of Life Assured|"
        "First Named Insured|Primary Insured|Person Covered|Who is covered|Insured's Name|Main Insured"
    ),
    "id_number": (
        "NRIC / Passport No.|ID Number|Identity Card No.|I.C. No.|Passport No.|NRIC No.|ID No.|New IC No.|"
        "Identification No.|NRIC|Passport Number|IC Number|National ID|ID Card No.|Identity No.|Insured's ID No.|"
        "NRIC/FIN|Personal ID|Government ID No.|Identification Number"
    ),
    "firm_number": "Company No.|Business Registration No.|Registration No.|BRN|Company Registration No.|UEN|Reg. No.",
    "product": (
        "Plan|Product|Type of Cover|Class of Insurance|Plan Name|Product Name|Type of Policy|Policy Type|Coverage|"
        "Basic Plan|Type of Insurance|Class|Insurance Plan|Your plan|Cover Type|Scheme|Product / Plan|Line of Business|"
        "Name of Plan|Plan Selected|Form of Cover|Policy Form|Insurance Product|Insurance Type|Policy Plan"
    ),
    "sum_insured": (
        "Sum Insured|Total Sum Insured|Sum Assured|Limit of Liability|Face Amount|Amount of Insurance|Total Limit|"
        "Basic Sum Assured|Coverage Amount|Limit of Indemnity|Amount Insured|Total Coverage|Maximum Benefit|"
        "Total Sum Assured|Insured Amount|Cover Amount|Policy Limit|Aggregate Limit|Benefit Amount|Amount of Cover|"
        "Maximum Sum Insured|Insured Value"
    ),
    "premium": (
        "Premium|Total Premium|Annual Premium|Premium Payable|Gross Premium|Total Amount Payable|Premium Due|"
        "Total Premium Due|Premium Amount|Yearly Premium|Your premium|Modal Premium|First Premium|Total Payable|"
        "Total Annual Premium|Initial Premium|Premium (incl. tax)|Premium to pay|Policy Premium|Total Cost|"
        "Instalment Premium|Premium Paid"
    ),
    "start_date": (
        "Effective Date|Start Date|Commencement Date|From|Inception Date|Date of Commencement|Policy Effective Date|"
        "Cover starts|Policy Start Date|Valid From|Date Cover Begins|Coverage Start|Inception|Commencing|Cover From|"
        "Effective From|Begin Date|Starts on|Date of Inception"
    ),
    "end_date": (
        "Expiry Date|End Date|Maturity Date|To|Expiration Date|Date of Expiry|Policy Expiry Date|Cover ends|"
        "Policy End Date|Valid To|Date Cover Ends|Coverage End|Expiry|Expiring|Cover To|Effective To|Termination Date|"
        "Ends on|Date of Expiration"
    ),
    "period": (
        "Period of Insurance|Policy Period|Period of Cover|Coverage Period|Insurance Period|Term of Cover|Policy Term|"
        "Period of Coverage|Dates of Cover|Insured Period|Cover Period|Duration of Cover|Period|Validity|"
        "Insurance Term|Policy Dates|Term of Insurance|Cover dates|Period Insured"
    ),
}
_PERIODS_ZH = (
    ("自", "零时起至", "二十四时止"),
    ("自", "0时起至", "24时止"),
    ("自", "零时起，至", "二十四时止"),
    ("自 ", " 零时起 至 ", " 二十四时止"),
    ("", "至", ""),
    ("", " 至 ", ""),
    ("", " - ", ""),
    ("", "--", ""),
    ("", " ~ ", ""),
    ("", "～", ""),
    ("", "到", ""),
    ("", " 00:00:00 至 ", " 23:59:59"),
    ("", " 00:00 - ", " 24:00"),
    ("", "00时起至", "24时止"),
    ("起：", "  止：", ""),
    ("从 ", " 00:00:00 起至 ", " 24:00:00 止"),
    ("自", "起至", "止"),
    ("一年，自", "零时起至", "二十四时止"),
    ("共365天，自", "0时起至", "24时止"),
    ("", " 0:00 至 ", " 24:00（北京时间）"),
    ("", "（零时）起至 ", "（二十四时）止"),
)
_PERIODS_EN = (
    ("From ", " to ", ""),
    ("", " to ", ""),
    ("", " - ", ""),
    ("", " – ", ""),
    ("From: ", " To: ", ""),
    ("From ", " to ", " (both dates inclusive)"),
    ("", " until ", ""),
    ("FROM ", " TO ", " midnight"),
    ("", " through ", ""),
    ("00:01 ", " to 23:59 ", ""),
    ("", " 12:01 AM to ", " 12:01 AM"),
    ("from ", " up to and including ", ""),
    ("", " / ", ""),
    ("Commencing ", " and expiring on ", ""),
    ("", " 00:00 hrs to ", " 23:59 hrs"),
    ("12 months from ", " to ", ""),
    ("", " -> ", ""),
    ("Start: ", "  End: ", ""),
)


def period(sheet: Sheet, rng: random.Random, data: Policy, group: str) -> list[Part]:
    """Both days in one value, with hours and words of many kinds around them."""
    start, end = date_part(sheet, rng, "start_date", data, group), date_part(sheet, rng, "end_date", data, group)
    before, between, after = rng.choice(_PERIODS_ZH if data.chinese else _PERIODS_EN)
    if data.end is None:
        before, between, after = ("", "起至" if maybe(rng, 0.5) else "至", "") if data.chinese else ("", " to ", "")
    return [part for part in (Part(before), start, Part(between), end, Part(after)) if part.text]


def label(rng: random.Random, name: str, data: Policy, bilingual: bool = False) -> str:
    """One of a field's labels."""
    if name == "id_number" and data.chinese and data.holder == data.insured and len(data.holder) > 5:
        name = "firm_number"  # a company's code is no identity card's number
    text = rng.choice((ZH if data.chinese else EN)[name].split("|"))
    if bilingual and name != "firm_number":
        other = rng.choice((EN if data.chinese else ZH)[name].split("|"))
        return f"{text}{rng.choice((' ', ' / ', '/', ' | '))}{other}"
    return text


def fields(
    sheet: Sheet,
    rng: random.Random,
    data: Policy,
    group: str,
    currency: str,
    *,
    without: tuple[str, ...] = (),
    bilingual: bool = False,
    one_line: float = 0.5,
) -> dict[str, list[Entry]]:
    """The fields' pairs by name (``period`` for both days), announced; never without number, insured and period."""
    found: dict[str, list[Entry]] = {}
    optional = {"policyholder": 0.88, "id_number": 0.6, "product": 0.88, "sum_insured": 0.88, "premium": 0.9}
    for name in ("policy_number", "policyholder", "insured", "id_number", "product", "sum_insured", "premium"):
        if name in without or not maybe(rng, optional.get(name, 1.0)):
            continue
        found[name] = [Entry(label(rng, name, data, bilingual), value_part(sheet, rng, name, data, currency))]
    if "period" in without:
        return found
    if maybe(rng, one_line):
        found["period"] = [Entry(label(rng, "period", data, bilingual), period(sheet, rng, data, group))]
    else:
        firsts, lasts = ((ZH if data.chinese else EN)[name].split("|") for name in ("start_date", "end_date"))
        number = rng.randrange(min(len(firsts), len(lasts)))
        start, end = date_part(sheet, rng, "start_date", data, group), date_part(sheet, rng, "end_date", data, group)
        hours: tuple[str, str] = ("", "")
        if data.end is not None and maybe(rng, 0.25):
            hours = rng.choice(
                (("零时", "二十四时"), (" 00:00:00", " 23:59:59"), ("零时起", "二十四时止"))
                if data.chinese
                else ((" 00:00", " 23:59"), (" 12:01 AM", " 12:01 AM"), (" 0:00 hrs", " 24:00 hrs"))
            )
        found["period"] = [
            Entry(firsts[number], [start, Part(hours[0])] if hours[0] else start),
            Entry(lasts[number], [end, Part(hours[1])] if hours[1] else end),
        ]
    return found


def listed(found: dict[str, list[Entry]]) -> list[Entry]:
    """All pairs in the order of the fields."""
    return [entry for entries in found.values() for entry in entries]


def others(rng: random.Random, data: Policy, group: str, low: int = 1, high: int = 9) -> list[Entry]:
    """Pairs that are no field: numbers, names, days and sums of other kinds, under labels that come near."""
    day = dates.format_date(rng, data.start, group)
    any_day = dates.format_date(rng, dates.date_between(rng, date(1950, 1, 1), date(2030, 1, 1)), group)
    total = amount_text(rng, money.amount(rng, 1, 90_000), data.chinese, "RM")
    number = (
        identifiers.policy_number(rng) if maybe(rng, 0.5) else coded(rng, rng.choice(("############", "@@########")))
    )
    if data.chinese:
        person = people.chinese_name(rng)
        pool = [
            (
                (
                    "投保单号|投保单号码|批单号|原保单号|上年保单号|续保保单号|印刷号|流水号|发票号码|客户号|"
                    "验真码|确认码|订单号|保单验真码"
                ),
                number,
            ),
            ("受益人|身故受益人|第一受益人|受益人姓名|生存受益人", rng.choice((person, "法定", "法定继承人"))),
            (
                "联系人|代理人|业务员|经办人|核保人|销售人员|客户经理|车主|紧急联系人|签单人|服务专员|投保经办人|制单",
                people.chinese_name(rng),
            ),
            (
                (
                    "投保日期|签单日期|出单日期|打印日期|收费确认时间|投保确认时间|生成保单时间|承保日期|"
                    "签发日期|制单日期|缴费日期"
                ),
                day,
            ),
            ("出生日期|首次缴费日期|续期交费日|犹豫期截止日|登记日期|初次登记日期|下次缴费日", any_day),
            (
                (
                    "免赔额|每次事故免赔额|现金价值|退保金|红利|新车购置价|车船税|增值税额|不含税保费|税额|"
                    "上年赔款|定额免赔|折扣金额"
                ),
                total,
            ),
            (
                "每人医疗限额|每次事故赔偿限额|医疗费用限额|死亡伤残赔偿限额|附加险保额|每座限额|附加医疗保额|住院日额",
                total,
            ),
            (
                "交费期间|缴费期限|缴费年限|缴费期间|交费年期",
                rng.choice(("10年", "20年交", "一次性", "至60周岁", "趸交")),
            ),
            ("交费方式|缴费方式|支付方式|付款方式", rng.choice(("年交", "月交", "趸交", "微信支付", "银行转账"))),
            ("联系电话|手机号码|移动电话|电话|报案电话|客服电话|服务电话", identifiers.phone_zh(rng)),
            ("联系地址|通讯地址|投保人地址|地址|保险标的地址|财产坐落地址|住所", places.address_zh(rng)),
            ("保险公司|承保公司|保险人|承保机构|出单机构|签单机构|签单公司", companies.insurer_zh(rng)),
            ("特别约定|备注|约定", rng.choice(("无", "详见条款", "见附页", "—"))),
            ("证件类型|被保险人证件类型", rng.choice(("身份证", "居民身份证", "护照", "统一社会信用代码证"))),
            ("与投保人关系|与被保险人关系|是被保险人的", rng.choice(("本人", "配偶", "子女", "父母", "雇佣"))),
            ("性别|被保险人性别", rng.choice("男女")),
            ("年龄|投保年龄|被保险人年龄", f"{rng.randint(0, 75)}{rng.choice(('', '岁', '周岁'))}"),
            ("职业|职业类别|行业", rng.choice(("教师", "1类", "内勤人员", "学生", "2类", "制造业"))),
            ("份数|人数|被保险人数|投保人数", f"{rng.randint(1, 300)}{rng.choice(('', '份', '人'))}"),
            ("争议处理|争议解决方式|争议处理方式", rng.choice(("诉讼", "仲裁"))),
            ("等待期|观察期|犹豫期|宽限期", rng.choice(("30天", "90天", "15日", "60日", "20天"))),
            ("币种|货币", rng.choice(("人民币", "CNY", "RMB"))),
            ("号牌号码|车牌号|牌照号码", f"{rng.choice('京沪粤浙苏鲁川鄂')}{coded(rng, '@#####')}"),
            ("车架号|VIN码|识别代码|发动机号|厂牌型号", coded(rng, "L%%%%%%%%%%%%%%%%")),
            ("邮政编码|邮编", coded(rng, "######")),
            ("电子邮箱|邮箱|E-mail", f"{coded(rng, '########')}@{rng.choice(('qq', '163', 'sina'))}.com"),
            ("业务来源|渠道|销售渠道", rng.choice(("直销", "网销", "代理", "经纪", "电话销售"))),
        ]
    else:
        pool = [
            (
                "Proposal No.|Quotation No.|Endorsement No.|Previous Policy|Client No.|Agent Code|Invoice No.|"
                "Account No.|"
                "Reference|Customer ID|Receipt No.|Claim Ref",
                number,
            ),
            ("Beneficiary|Nominee|Loss Payee|Mortgagee|Contingent Beneficiary", people.english_name(rng)),
            (
                "Agent|Broker|Adviser|Producer|Underwriter|Issued By|Contact|Intermediary|Account Manager",
                people.english_name(rng),
            ),
            (
                (
                    "Date of Issue|Issue Date|Print Date|Date of Proposal|Date Printed|Signed on|Issued On|"
                    "Application Date"
                ),
                day,
            ),
            ("Date of Birth|DOB|Next Due Date|Renewal Due|Last Premium Date|Birth Date|Payment Due", any_day),
            (
                (
                    "Deductible|Excess|Stamp Duty|Service Tax|GST|Administration Fee|Cash Value|Commission|"
                    "Rebate|IPT|Policy Fee"
                ),
                total,
            ),
            (
                (
                    "Limit per Person|Medical Limit|Limit any one event|Rider Sum|Sub-limit|Bodily Injury "
                    "Limit|Daily Benefit"
                ),
                total,
            ),
            (
                "Payment Mode|Mode of Payment|Premium Mode|Frequency|Billing",
                rng.choice(("Annual", "Monthly", "Single", "Quarterly")),
            ),
            (
                "Premium Term|Premium Payment Term|Payment Period",
                rng.choice(("10 years", "20 years", "Single", "To age 65")),
            ),
            ("Telephone|Phone|Contact No.|Tel|Mobile|Claims Hotline", identifiers.phone_en(rng)),
            ("Address|Mailing Address|Correspondence Address|Risk Address|Location of Risk", places.address_en(rng)),
            ("Insurer|Insurance Company|Underwritten by|Company|Issued through", companies.company_en(rng)),
            ("Relationship|Relationship to Policyholder", rng.choice(("Self", "Spouse", "Child", "Employee"))),
            ("Sex|Gender", rng.choice(("Male", "Female", "M", "F"))),
            ("Age|Age at Entry|Age next birthday", str(rng.randint(1, 75))),
            (
                "Occupation|Business|Trade|Occupation Class",
                rng.choice(("Teacher", "Class 1", "Retail", "Engineer", "Driver")),
            ),
            (
                "Geographical Limit|Territory|Area of Cover|Jurisdiction",
                rng.choice(("Worldwide", "Malaysia", "Europe", "Asia")),
            ),
            ("Currency|Policy Currency", rng.choice(("USD", "MYR", "GBP", "SGD"))),
            ("Registration No.|Vehicle No.|Reg. Mark|Plate Number", coded(rng, "@@@ ####")),
            ("Chassis No.|Engine No.|VIN|Make and Model", coded(rng, "%%%%%%%%%%%%%%%%%")),
            ("Branch|Office|Servicing Branch", rng.choice(("Head Office", "Main Branch", "Central", "North"))),
            ("E-mail|Email", f"{coded(rng, '######')}@mail.com"),
            ("No. of Insured|Number of Persons|Units|Members", str(rng.randint(1, 400))),
            ("Status|Policy Status", rng.choice(("In force", "Active", "New", "Renewal"))),
            ("Waiting Period|Free Look Period|Grace Period", rng.choice(("30 days", "90 days", "15 days"))),
            ("Spouse ID|Beneficiary ID|Agent Licence No.", identity_en(rng)),
        ]
    return [
        Entry(rng.choice(names.split("|")), value)
        for names, value in rng.sample(pool, rng.randint(low, min(high, len(pool))))
    ]
