"""Goods and services, as receipts and invoices list them."""

from __future__ import annotations

import random

from models.layout_ner.synth.values import words

# The short names of tax categories that stand between asterisks on Chinese VAT invoices, each with goods of that kind.
_CATEGORIES: dict[str, str] = {
    "纸制品": "复印纸 打印纸 卫生纸 纸箱 抽纸 牛皮纸袋 包装盒 标签纸",
    "文具": "中性笔 签字笔 文件夹 订书机 笔记本 档案盒 胶带 计算器 白板笔",
    "计算机外部设备": "打印机 显示器 键盘 鼠标 移动硬盘 扫描仪 硒鼓 墨盒 投影仪",
    "电子计算机": "笔记本电脑 台式电脑 平板电脑 服务器 一体机 工作站",
    "电子元件": "电容器 电阻器 连接器 集成电路 传感器 继电器 二极管",
    "家用电器": "空调 电冰箱 洗衣机 电热水器 微波炉 电饭煲 加湿器 吸尘器",
    "家具": "办公椅 办公桌 文件柜 沙发 会议桌 货架 书柜",
    "服装": "工作服 衬衫 羽绒服 西服 T恤 运动裤 外套",
    "鞋": "劳保鞋 运动鞋 皮鞋 凉鞋",
    "汽车零配件": "机油滤清器 刹车片 轮胎 火花塞 雨刮片 蓄电池 空气滤芯",
    "金属制品": "螺栓 螺母 钢管 角钢 不锈钢板 铝型材 法兰 脚手架 门锁",
    "黑色金属冶炼压延品": "螺纹钢 热轧卷板 镀锌板 圆钢 线材 工字钢",
    "塑料制品": "塑料袋 PVC管 周转箱 塑料膜 泡沫板 PE管",
    "橡胶制品": "密封圈 橡胶垫 输送带 手套",
    "化学原料": "乙醇 氢氧化钠 硫酸 聚乙烯 树脂 固化剂",
    "涂料": "乳胶漆 防水涂料 油漆 稀释剂",
    "水泥": "普通硅酸盐水泥 矿渣水泥",
    "商品混凝土": "C30混凝土 C25混凝土 预拌砂浆",
    "木制品": "胶合板 木托盘 密度板 木门",
    "机床": "数控车床 铣床 钻床",
    "通用设备": "水泵 空压机 阀门 轴承 风机 减速机",
    "配电控制设备": "配电箱 断路器 变频器 开关柜",
    "电线电缆": "铜芯电缆 电力电缆 网线 控制电缆",
    "照明装置": "LED灯管 筒灯 路灯 应急灯 投光灯",
    "仪器仪表": "压力表 流量计 万用表 温湿度计 电能表",
    "医疗仪器器械": "血压计 医用口罩 注射器 体温计 输液器",
    "化学药品制剂": "阿莫西林胶囊 布洛芬片 维生素C片 葡萄糖注射液",
    "中成药": "板蓝根颗粒 感冒灵颗粒 连花清瘟胶囊 六味地黄丸",
    "谷物加工品": "大米 面粉 小米 玉米粉",
    "植物油": "大豆油 菜籽油 花生油 橄榄油",
    "乳制品": "纯牛奶 酸奶 奶粉 奶酪",
    "酒": "白酒 葡萄酒 啤酒 黄酒",
    "软饮料": "矿泉水 果汁饮料 茶饮料 碳酸饮料",
    "茶及饮料": "绿茶 红茶 普洱茶 铁观音",
    "焙烤食品": "月饼 饼干 面包 蛋糕",
    "肉及肉制品": "猪肉 牛肉 火腿肠 鸡胸肉",
    "蔬菜": "土豆 白菜 西红柿 黄瓜",
    "水果": "苹果 香蕉 葡萄 橙子",
    "日用杂品": "毛巾 雨伞 保温杯 拖把 垃圾桶",
    "洗涤剂": "洗衣液 洗洁精 消毒液 洗手液",
    "汽油": "92号汽油 95号汽油 98号汽油",
    "柴油": "0号柴油 -10号柴油",
    "供电": "电费 居民用电 工业用电",
    "水冰雪": "水费 自来水",
    "天然气": "天然气 管道燃气",
    "餐饮服务": "餐费 餐饮费 工作餐 会议餐",
    "住宿服务": "住宿费 房费",
    "运输服务": "客运服务费 货物运输服务 快递费 国内运输费",
    "物流辅助服务": "仓储费 装卸费 收派服务费",
    "信息技术服务": "软件服务费 技术服务费 系统维护费 平台使用费 云服务费",
    "软件": "办公软件 管理系统 软件许可",
    "研发和技术服务": "技术开发费 技术咨询费 检测费 测绘服务费",
    "鉴证咨询服务": "咨询费 审计费 认证费 翻译服务费",
    "现代服务": "服务费 设计费 代理费 推广服务费",
    "广告服务": "广告费 广告发布费",
    "会展服务": "会议费 展位费",
    "经营租赁": "房屋租金 车辆租赁费 设备租赁费 停车费",
    "物业管理服务": "物业费 保洁费",
    "建筑服务": "工程款 装修工程款 安装费 劳务费",
    "劳务": "加工费 修理费 维修费",
    "金融服务": "手续费 贷款利息",
    "保险服务": "机动车保险 责任保险 意外保险",
    "电信服务": "通信费 宽带费 基础电信服务",
    "生活服务": "培训费 体检费 家政服务费",
    "旅游服务": "旅游费 门票",
    "印刷品": "图书 宣传册 画册 名片",
}
_MAKERS = words(
    "晨光 得力 华信 天宇 金牌 双喜 永固 海天 恒力 美的 绿源 三和 华美 康泰 长虹 新飞 五星 鑫源 惠普 联想 小天鹅"
)
_SPECS = (
    "A4",
    "A3",
    "500g",
    "1kg",
    "5L",
    "10kg",
    "20*30",
    "M8*40",
    "DN50",
    "φ20",
    "XL",
    "16G",
    "220V",
    "12mm",
    "2.5平方",
    "箱",
    "70g",
)
_UNITS = words("个 件 台 套 箱 包 盒 吨 千克 公斤 米 平方米 升 支 瓶 张 次 项 批 把 条 双 本 只 组 度")

_SNACKS_ZH = words(
    "可口可乐 雪碧 农夫山泉 康师傅红烧牛肉面 统一冰红茶 蒙牛纯牛奶 伊利酸奶 旺旺雪饼 奥利奥饼干 德芙巧克力 乐事薯片 "
    "双汇火腿肠 金龙鱼食用油 东北大米 鸡蛋 五花肉 西红柿 黄瓜 土豆 香蕉 红富士苹果 清风抽纸 舒肤佳香皂 海飞丝洗发水 "
    "高露洁牙膏 蓝月亮洗衣液 垃圾袋 保鲜膜 电池 宫保鸡丁 鱼香肉丝 麻婆豆腐 水煮鱼 回锅肉 酸辣土豆丝 米饭 拍黄瓜 "
    "蛋炒饭 牛肉面 小笼包 豆浆 油条 皮蛋瘦肉粥 珍珠奶茶 美式咖啡 拿铁 啤酒 酸梅汤 烤羊肉串 毛肚 肥牛 金针菇 白菜 "
    "豆腐皮 手工面 锅底 蘸料 餐具费 纸巾 打包盒 配送费"
)
_ADJECTIVES = words(
    "Fresh Large Small Medium Organic Spicy Sweet Cold Hot Iced Mini Jumbo Premium Classic Original Extra Plain White "
    "Black Red Green Blue Yellow Brown Clear Soft Hard Thin Thick Roasted Grilled Fried Steamed Mixed Assorted Double "
    "Single"
)
_GOODS = words(
    "Coffee Tea Milk Bread Bun Cake Rice Noodle Soup Chicken Beef Fish Prawn Egg Tofu Salad Burger Pizza Sandwich "
    "Fries Juice Cola Water Beer Wine Chocolate Candy Biscuit Cookie Crisps Nuts Apple Banana Orange Grape Tomato "
    "Onion Garlic Potato Carrot Cabbage Sugar Salt Oil Sauce Vinegar Curry Pepper Shampoo Soap Toothpaste Towel "
    "Tissue Detergent Brush Pen Pencil Notebook Paper Folder Stapler Glue Tape Ruler Eraser Marker Envelope Stamp "
    "Battery Cable Charger Lamp Bulb Switch Socket Plug Screw Nail Hammer Drill Saw Paint Brush Roller Bolt Nut "
    "Washer Hinge Lock Key Chain Rope Bucket Mop Broom Basket Tray Plate Bowl Cup Glass Spoon Fork Knife Pan Pot "
    "Kettle Toaster Fan Heater Filter Hose Valve Pipe Shirt Shorts Socks Shoes Sandals Hat Belt Bag Wallet Watch "
    "Umbrella Toy Ball Doll Puzzle Book Magazine Card Gift Ribbon Candle"
)
_SIZES = (
    "500ML",
    "1L",
    "1.5L",
    "250G",
    "1KG",
    "100'S",
    "12PCS",
    "A4",
    "A4 80GSM",
    "XL",
    "(L)",
    "(S)",
    "5M",
    '3/4"',
    "1X6",
    "NO.8",
    "6PK",
    "16GB",
    "18MM",
    "@2.50",
)
_DISHES = (
    "Nasi Lemak",
    "Nasi Goreng",
    "Mee Goreng",
    "Roti Canai",
    "Teh Tarik",
    "Teh O Ais",
    "Kopi O",
    "Milo Ais",
    "Char Kuey Teow",
    "Chicken Rice",
    "Laksa",
    "Satay Ayam",
    "Bak Kut Teh",
    "Wantan Mee",
    "Dim Sum",
    "Fish & Chips",
    "Caesar Salad",
    "Club Sandwich",
    "Cappuccino",
    "Latte",
    "Espresso",
    "Flat White",
    "Full Breakfast",
    "Sunday Roast",
    "Pint Lager",
    "House Red",
    "Soup of the Day",
    "Cheesecake",
)


def goods_zh(rng: random.Random) -> str:
    """Goods or a service by name, without a tax category."""
    if rng.random() < 0.35:
        return rng.choice(_SNACKS_ZH)
    name = rng.choice(rng.choice(list(_CATEGORIES.values())).split())
    return (rng.choice(_MAKERS) if rng.random() < 0.25 else "") + name


def taxed_goods_zh(rng: random.Random) -> str:
    """Goods or a service as VAT invoices name it: the tax category's short name between asterisks, then the name."""
    category = rng.choice(list(_CATEGORIES))
    name = rng.choice(_CATEGORIES[category].split())
    maker = rng.choice(_MAKERS) if rng.random() < 0.2 else ""
    spec = rng.choice(_SPECS) if rng.random() < 0.1 else ""
    return f"*{category}*{maker}{name}{spec}"


def specification(rng: random.Random) -> str:
    """A model or specification, as in the column 规格型号."""
    letters = "".join(rng.choice("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(rng.randint(1, 3)))
    return rng.choice((rng.choice(_SPECS), f"{letters}-{rng.randint(10, 9999)}", f"{letters}{rng.randint(1, 999)}"))


def unit_zh(rng: random.Random) -> str:
    """A unit of quantity."""
    return rng.choice(_UNITS)


def goods_en(rng: random.Random) -> str:
    """One item of a receipt, in ordinary case."""
    kind = rng.random()
    if kind < 0.2:
        return rng.choice(_DISHES)
    words = [rng.choice(_GOODS)]
    if rng.random() < 0.6:
        words.insert(0, rng.choice(_ADJECTIVES))
    if rng.random() < 0.35:
        words.append(rng.choice(_GOODS))
    if rng.random() < 0.35:
        words.append(rng.choice(_SIZES))
    if rng.random() < 0.08:
        words.insert(0, f"{rng.choice('ABCDEFGHKLMPRSTW')}{rng.choice('ABCDEFGHKLMPRSTW')}{rng.randint(10, 9999)}")
    return " ".join(words)
