"""What English till receipts call things; one of the wordings separated by ``|`` is printed."""

from __future__ import annotations

TITLES = (
    "TAX INVOICE|TAX INVOICE|Tax Invoice|INVOICE|SIMPLIFIED TAX INVOICE|RECEIPT|CASH RECEIPT|Official Receipt|"
    "-TAX INVOICE-|* TAX INVOICE *|** TAX INVOICE **|CASH SALES|TAX CASH SALES|Guest Check|CASH BILL|CASH INVOICE|"
    "Sales Receipt|TAX INVOICE / ADJUSTMENT NOTE|BILL|Customer Receipt|TAXINVOICE|Sale|CASH SALE|VAT RECEIPT|"
    "INVOICE (COPY)"
)
NUMBER = (
    "INVOICE NO|Invoice No.|INV NO.|Inv No|INV#|Invoice #|INVOICE NUMBER|Receipt No.|RECEIPT NO|Receipt #|RECEIPT#|"
    "Receipt|Rcpt No|BILL NO|Bill No.|BILL#|Bill|DOC NO.|Doc No|DOCUMENT NO.|CHECK #|Check No.|Slip No.|SLIP NO|CB#|"
    "CASH INV NO.|TAX INVOICE NO|Tax Inv No|TRX NO|No.|CS No|CHK|Sales No|Cash Bill No.|REF NO|Ticket No."
)
DATE = (
    "DATE|Date|DATE|Date|Inv Date|Invoice Date|BILL DATE|Bill Date|BIZDATE|Trans Date|DATE/TIME|Date & Time|DT|"
    "Issued|Printed"
)
TIME = "TIME|Time|Time In|Trans Time|TM"
CASHIER = (
    "CASHIER|Cashier|Cashier Name|Server|SERVED BY|Served by|STAFF|Operator|OPERATOR|User|Clerk|YOUR CASHIER WAS|"
    "Waiter|Salesperson|Sales Rep"
)
CASHIERS = "USER|ADMIN|MANAGER|CASHIER A|TRAINEE CASHIER|POS1|CASHIER 2|COUNTER|SUPERVISOR|001|TILL 3"
OTHERS = (
    "TABLE|Table No|PAX|Pax No.|Covers|Terminal|POS|Till|TILL ID|COUNTER|Session|TRANS|Trans#|ORDER NO|Order #|Ref.|"
    "REF|Lane|REG|Station|MEMBER|Member ID|Points|Queue No|Site|Store|SHIFT|Batch|Trace No|Customer|Cust ID|PUMP"
)
PHONE = "TEL|Tel|TEL NO.|Tel No|PHONE|Phone|Ph|H/P|HP|Contact|CALL|Telephone|TEL/FAX|T|Mobile/Whatsapp|CARELINE|"
FAX = "FAX|Fax|FAX NO|F"
REGISTRATION = (
    "CO. NO.|CO.REG|CO REG NO|Company No|REG NO|Reg. No.|CO-REG|ROC NO|Company Reg|Business Reg No|Co. No|COMPANY NO"
)
TAX_NUMBER = {
    "MY": (
        "GST ID|GST ID NO|GST REG NO|GST NO|GST REG #|GST Reg. No|GST REF NO|GST ID. NO|SST NO|SST ID|SST REG NO|"
        "GST NUMBER"
    ),
    "UK": "VAT NO|VAT Reg No|VAT Number|VAT Reg. No.|VAT|VAT REG",
    "US": "TAX ID|Tax ID|EIN|FED TAX ID",
}
TAX = {
    "MY": (
        "GST|GST|GST @{r}%|GST {r}%|GST ({r}%)|TOTAL GST|GST PAYABLE|GST PAYABLE ({r}%)|GST AMOUNT|TAX|TOTAL TAX|"
        "SST {r}%|SST|SERVICE TAX {r}%|SERVICE TAX|SST @ {r}%|Add GST {r}%|GST SR@{r}%|Gov. Tax ({r}%)|Tax ({r}%)|"
        "Tax Amount|Sales Tax {r}%"
    ),
    "UK": "VAT|VAT {r}%|VAT @ {r}%|VAT ({r}%)|TOTAL VAT|VAT Amount|VAT @{r}.00%|Tax",
    "US": "TAX|Tax|SALES TAX|Sales Tax|TAX 1|Tax {r}%|SALES TAX {r}%|Total Tax|State Tax|TAX @ {r}%|TX",
}
TAX_INSIDE = {
    "MY": (
        "GST @{r}% INCLUDED IN TOTAL|TOTAL INCLUDES {r}% GST|{r}% GST INCLUDED|GST INCLUDED|"
        "Bill inclusive of {r}% GST|INCLUSIVE GST|Includes GST {r}%|*{r}% GST INCLUDED|Total GST Included|"
        "incl. SST {r}%"
    ),
    "UK": "VAT INCLUDED|INCLUDES VAT @ {r}%|Total includes VAT of|VAT incl. {r}%|OF WHICH VAT|VAT content",
    "US": "TAX INCLUDED|Includes tax|TAX INCL|Incl. Tax",
}
TABLE_TITLE = "{t} SUMMARY|{t} Summary|{t} ANALYSIS|{t} SUMMARY:|TAX SUMMARY|{t} Details|{t} BREAKDOWN|Tax Summary"
SUBTOTAL = (
    "SUBTOTAL|SUB-TOTAL|Sub Total|SUB TOTAL|Subtotal|Sub-Total|Total Sales|ITEMS TOTAL|TOTAL SALES|Gross|SUBTTL|"
    "Food & Bev|Sub Ttl|Net Sales|MERCHANDISE"
)
NET = (
    "TOTAL EXCL. {t}|TOTAL (EXCLUDING {t})|TOTAL SALES (EXCLUDING {t})|Total Excl. of {t}|SUB-TOTAL (EX)|"
    "TAXABLE AMOUNT|Total excluded tax|TOTAL BEFORE {t}|NET|Net Amount|AMOUNT EXCL {t}|"
    "TOTAL {r}% SUPPLIES (EXCL. {t})"
)
GROSS = (
    "TOTAL INCL. {t}|TOTAL INCL. {t}@{r}%|TOTAL (INCLUSIVE OF {t})|TOTAL SALES (INCLUSIVE OF {t})|"
    "TOTAL SALES INCL {t}|TOTAL INCLUSIVE {t}|TOTAL SALES INCLUSIVE {t} @{r}%|Total With {t} @ {r}%|"
    "TOTAL SALES (INCLUSIVE {t}) {c}|Total {c} Incl. of {t}|Total Inclusive of Tax|TOTAL DUE ({t} INC)|"
    "TAKEOUT TOTAL (INCL {t})|EAT-IN TOTAL (INCL {t})|AMOUNT INCL {t}|Total incl. {t}"
)
TOTAL = (
    "TOTAL|TOTAL|TOTAL|Total|Total|GRAND TOTAL|Grand Total|TOTAL AMOUNT|Total Amount|TOTAL DUE|AMOUNT DUE|Amount Due|"
    "BALANCE DUE|Balance Due|NET TOTAL|NETT TOTAL|Nett Total|TOTAL PAYABLE|Total Payable|FINAL TOTAL|Final Total|"
    "TOTAL ROUNDED|TOTAL AFTER ROUNDING|AMOUNT PAYABLE|TOTAL TO PAY|TO PAY|TOTAL AMT PAYABLE|BILL TOTAL|"
    "INVOICE TOTAL|TOTAL SALE|BALANCE|TOTAL ({c})|TOTAL {c}|TOTAL AMOUNT ({c})|GRAND TOTAL ({c})|TOTAL PAID|"
    "NET AMOUNT PAYABLE|NETT AMT|TOTAL CHARGE|Total Sum|PLEASE PAY|YOUR TOTAL|TOTAL BILL|AMT DUE|Total Rounded|"
    "NET PAYABLE|TOTAL AFTER ADJ INCL {t}|SALE TOTAL"
)
ROUNDING = (
    "ROUNDING|Rounding|ROUNDING ADJ|Rounding Adj|ROUND ADJ|Rounding Adjustment|ROUNDING ADJUSTMENT|Round|ROUND OFF|"
    "Rounding Adj.|ROUNDING {c}|Bill Rounding|5 CENT ROUNDING"
)
DISCOUNT = "DISCOUNT|Discount|TOTAL DISCOUNT|Less Discount|DISC|Member Disc|Promo|SAVINGS|Coupon Discount|VOUCHER"
SERVICE = "SERVICE CHARGE|Service Charge ({s}%)|SERV. CHARGE ({s}%)|SVC CHG {s}%|Svc {s}%|Service {s}%|S.CHARGE"
CASH = (
    "CASH|Cash|CASH TENDERED|Cash Tendered|PAYMENT (CASH)|CASH RECEIVED|TENDER|TENDERED|PAID|AMOUNT TENDERED|"
    "Paid Amount|CASH {c}|Amt Tendered"
)
CARD = (
    "VISA|MASTERCARD|VISA CARD|Master|CREDIT CARD|DEBIT|AMEX|CREDIT {c}|Card|VISA DEBIT|TOUCH N GO|E-WALLET|"
    "CONTACTLESS|BOOST|GRABPAY"
)
CHANGE = "CHANGE|Change|CHANGE DUE|Change Due|CASH CHANGE|CHANGE {c}|Change (Cash)|CHANGE AMT|BALANCE RETURN"
QUANTITY = (
    "TOTAL QTY|Total Qty|ITEM COUNT|Item(s)|ITEMS|TOTAL ITEM(S)|TOT QTY|No. of items|QTY(S)|Total Items|ITEM(S)|"
    "Total Quantity|ITEMS SOLD"
)
FOOTERS = (
    "THANK YOU|Thank you, please come again|THANK YOU & COME AGAIN!|GOODS SOLD ARE NOT RETURNABLE, THANK YOU.|"
    "Goods sold are not returnable & refundable|EXCHANGE ARE ALLOWED WITHIN 7 DAYS WITH RECEIPT.|"
    "STRICTLY NO CASH REFUND.|Please keep this receipt for exchange|TERIMA KASIH|TERIMA KASIH SILA DATANG LAGI|"
    "Follow us on Facebook|E.&O.E.|CUSTOMER COPY|Have a nice day!|THANK YOU FOR YOUR PATRONAGE|"
    "No refund without receipt|(PRICE INCLUSIVE OF TAX)|Thank you for shopping with us|Powered by POS|"
    "All prices are in local currency|WE ACCEPT VISA AND MASTERCARD|THIS IS A COMPUTER GENERATED RECEIPT|"
    "No signature required|Tell us how we did and win a prize|PLEASE COME AGAIN|"
    "RECEIVED ABOVE GOODS IN GOOD ORDER AND CONDITION|Returns accepted within 28 days|"
    "Join our loyalty programme today|NOTE: (*) ITEMS ARE SUBJECT TO TAX|Thank You For Dining With Us|"
    "See you again soon|MERCHANT COPY|SIGNATURE NOT REQUIRED|Free delivery for orders above 50.00|"
    "Spend 100 and get 5.00 off your next visit|Cheques payable to the company only"
)
HEADINGS = {
    "name": "DESCRIPTION|Description|ITEM|Item|Desc|ITEM/DESC|Code&Desc|PRODUCT|Particulars|STK",
    "quantity": "QTY|Qty|QTY|QNTY|Quantity|Unit",
    "price": "PRICE|U.PRICE|U/P|S/PRICE|Unit Price|Price|@|RATE|U.P",
    "amount": "AMOUNT|Amount|TOTAL|Total|AMT({c})|TOTAL({c})|AMOUNT ({c})|{c}|Total {c}|AMT|Price",
    "mark": "TAX|Tax|T|CODE|",
}
MARKS = (
    "SR",
    "ZRL",
    "S",
    "T",
    "*",
    "Z",
    "SR",
    "A",
    "*S",
    "V",
)
EXTRA = (
    "OPEN DAILY 10AM - 10PM|www.{w}.com|www.{w}.com.my|{w}@gmail.com|info@{w}.com|"
    "SHOPPING HOURS SUN-THU: 1000 HRS - 2200 HRS|Facebook.com/{w}|Licensee of {W}|(MAIN BRANCH)|BRANCH {n}|"
    "OUTLET {n}|HQ|WELCOME TO {W}|Since {y}|Store #{n}"
)
