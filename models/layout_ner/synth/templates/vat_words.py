"""What VAT invoices call their parts; one of the wordings separated by ``|`` is printed."""

from __future__ import annotations

PAPER_TITLES = (
    "{p}增值税专用发票|{p}增值税普通发票|增值税电子普通发票|{p}增值税电子普通发票|增值税专用发票|增值税普通发票|"
    "增值税电子专用发票|"
    "{p}增值税电子专用发票|增值税普通发票（卷票）|发票|增值税发票|{p}通用电子发票"
)


DIGITAL_TITLES = (
    "电子发票（普通发票）|电子发票（增值税专用发票）|电子发票(普通发票)|电子发票(增值税专用发票)|电子发票|"
    "数电发票（普通发票）|全电发票|"
    "数电票（增值税专用发票）|电子发票（普通发票） 差额征税"
)


CODE = "发票代码|发票代码|代码|票据代码|发票代码 Code"


NUMBER = "发票号码|发票号码|发票号码|号码|票号|发票号|数电票号码|发票编号|No|电子发票号码"


DAY = "开票日期|开票日期|开票日期|日期|开具日期|填开日期|发票日期|开票时间"


ROLES = {
    "buyer": (
        "购买方|购买方|购买方信息|购方|买方|购货单位|购货方|受票方|付款方|购买方（客户）",
        "购买方|购方|买方|购货单位|购货方|受票方",
    ),
    "seller": (
        "销售方|销售方|销售方信息|销方|卖方|销货单位|销货方|开票方|收款方|销售单位",
        "销售方|销方|卖方|销货单位|销货方|开票方",
    ),
}


NAME = "名称|名 称|名称|单位名称|企业名称|公司名称|名    称"


TAX_ID = (
    "纳税人识别号|统一社会信用代码/纳税人识别号|税号|统一社会信用代码|纳税人识别号|纳税识别号|识别号|税务登记号|"
    "统一社会信用代码/纳税人识别号"
)


HEADINGS = {
    "name": (
        "项目名称|货物或应税劳务、服务名称|货物或应税劳务名称|商品名称|品名|名称|货物名称|开票项目|"
        "商品和服务名称|服务名称|项目"
    ),
    "specification": "规格型号|规格|型号|规格/型号",
    "unit": "单位|单 位|计量单位",
    "quantity": "数量|数 量|数量|件数",
    "unit_price": "单价|单 价|单价（元）|不含税单价|单价(元)",
    "amount": "金额|金 额|金额（元）|不含税金额|金额(元)|销售额",
    "rate": "税率|税率/征收率|税率|征收率|税率(%)",
    "tax": "税额|税 额|税额（元）|税额(元)",
    "number": "序号|序|No.|行号",
}


AMOUNT = "合计金额|金额合计|不含税金额|合计（不含税）|金额|不含税合计|金额小计|价款合计"


TAX = "合计税额|税额合计|税额|税额小计|增值税额|税款合计"


TOTAL = (
    "价税合计（小写）|价税合计(小写)|（小写）|小写|价税合计|价税合计小写|合计（小写）|总计（小写）|价税总额|含税合计"
)


WORDS = "价税合计（大写）|价税合计(大写)|大写|（大写）|合计（大写）|价税合计大写|金额大写|人民币大写"


COLUMNS = (
    ("name", "specification", "unit", "quantity", "unit_price", "amount", "rate", "tax"),
    ("name", "specification", "unit", "quantity", "unit_price", "amount", "rate", "tax"),
    ("name", "quantity", "unit_price", "amount", "rate", "tax"),
    ("name", "unit", "quantity", "unit_price", "rate", "amount", "tax"),
    ("number", "name", "specification", "quantity", "unit_price", "amount", "rate", "tax"),
    ("name", "amount", "rate", "tax"),
    ("name", "rate", "amount", "tax"),
    ("number", "name", "unit", "unit_price", "quantity", "amount", "rate", "tax"),
    ("name", "specification", "unit_price", "quantity", "unit", "amount", "tax", "rate"),
    ("name", "quantity", "unit", "unit_price", "amount", "tax", "rate"),
)
