"""Further wordings of English receipts, bills and slips; one of those separated by ``|`` is printed."""

from __future__ import annotations

from models.layout_ner.synth.templates import till_words as till

NUMBER = (
    f"{till.NUMBER}|INV. NO|Invoice number|RECEIPT NUMBER|Rcpt #|Rcpt No.|Receipt ID|BILL NUMBER|Bill #|Check|Check #|"
    "CHECK NO|CHK #|Chk No.|Ticket|Ticket #|Slip #|Doc. No.|Document No.|Ref No.|REF. NO.|Reference No.|Our Ref|"
    "Transaction No.|TRANSACTION ID|Trans. No|TXN NO|Trx ID|Sale No.|Sale #|CASH BILL NO.|Cash Memo No.|Memo No.|"
    "Voucher No.|Folio No.|Folio|Official Receipt No.|O.R. No.|OR No.|Serial No.|Bil No|No. Resit|No Invois|No. Bil|"
    "Tax Inv #|Invoice|Receipt number|Receipt Ref|INVOICE REF|Invoice ID|Bill Ref|Payment Ref.|Tax Invoice #|NO"
)
WEAK_NUMBER = "Order No.|Order #|Order|Booking Ref|Confirmation #|Order ID|Order number|Job No.|Reservation No."
DATE = (
    f"{till.DATE}|Dated|Date of issue|Date Issued|Invoice date|Receipt Date|Sale Date|Transaction date|TXN DATE|"
    "Date of sale|Tarikh|Order date|Payment Date|Paid on|Billing Date|Date/Time|DATE & TIME|Tax Point|Check Out|"
    "Exit Date|Date Printed|Purchase date|On"
)
TIME = f"{till.TIME}|Hour|Txn Time|Masa|Printed at|at"
STAFF = (
    f"{till.CASHIER}|You were served by|Served by|Your server|Your host|Barista|Attendant|Teller|Receptionist|"
    "Pharmacist|"
    "Issued by|Prepared by|Sold by|Sales Assistant|Server Name|Employee|Assoc.|Cashr|Received by|Agent|Driver|Host|"
    "Processed by|Handled by|Juruwang|Technician"
)
OTHERS = (
    f"{till.OTHERS}|Room|Room No.|Guests|Floor|Bay|Nozzle|Cover|Account|Your Ref|PO No.|P.O. Number|D/O No.|Terms|Page|"
    "Salesman|Tax ID|Approval Code|Auth|AID|MID|TID|Stan|RRN|Batch No|Plate No.|Vehicle|Odometer|Entry Time|Exit Time|"
    "Duration|Rx|Patient ID|Doctor|Delivery|Area|Department|Dept|Register|Workstation|Zone|Device|Bay No.|Meter|"
    "Loyalty Card|Card No|Seat|Check In|Nights"
)
TAX = {
    "MY": (
        f"{till.TAX['MY']}|{{r}}% GST|GST AMT|Govt Tax {{r}}%|Tax (GST)|Total GST ({{r}}%)|SST ({{r}}%)|SERVICE "
        f"TAX ({{r}}%)|"
        "Goods & Services Tax|Tax Total|Add: GST|Add Tax|Cukai {r}%|Tax @{r}%|Total Tax Payable|Taxes|GST Total"
    ),
    "UK": (
        f"{till.TAX['UK']}|V.A.T.|plus VAT|VAT total|VAT at {{r}}%|Total VAT|VAT Std Rate|VAT ({{r}}%) |VAT payable|"
        "of which VAT|VAT Standard {r}%|Add VAT|Tax at {r}%|Sales tax"
    ),
    "US": (
        f"{till.TAX['US']}|Sales tax ({{r}}%)|STATE SALES TAX|Local tax|Estimated tax|Tax total|Taxes|Tax collected|"
        "TAX AMT|City Tax|TAX ({r}%)|Occupancy Tax|Plus Tax|Tax A|Est. sales tax"
    ),
}
INSIDE = {
    "MY": f"{till.TAX_INSIDE['MY']}|GST already included|of which GST|GST content|Tax included in price|GST inside",
    "UK": f"{till.TAX_INSIDE['UK']}|of which VAT {{r}}%|including VAT|VAT included at {{r}}%|Prices include VAT of",
    "US": f"{till.TAX_INSIDE['US']}|including tax|Tax in price",
}
TOTAL = (
    f"{till.TOTAL}|Total to pay|Amount to pay|Sum due|Total due|Amount|AMOUNT|Total price|Order total|ORDER TOTAL|"
    "Amount paid|"
    "TOTAL AMOUNT DUE|Total charges|Total fare|FARE|Total Cost|Amount Charged|Sale amount|TOTAL FEE|Parking Fee|"
    "Total payable amount|Net total|Grand total due|JUMLAH|Jumlah Besar|Jumlah Bayaran|Invoice amount|"
    "Final amount|Due|Sum total|Total incl. tax|Total ({c})|Amount ({c})|Total in {c}|TOTAL AMOUNT {c}|"
    "Purchase amount|BASE AMOUNT|Balance to pay|Bill Amount|Total Bill|Charge|Amt Payable|NETT AMOUNT"
)
SUBTOTAL = (
    f"{till.SUBTOTAL}|Items|Goods|Item total|Items subtotal|Net goods|Sub-Total before tax|Before tax|Food|Charges"
)
DISCOUNT = f"{till.DISCOUNT}|You saved|Promo code|Loyalty discount|Offer|Voucher|Less|Less: discount|Rebate"
SERVICE = f"{till.SERVICE}|Service|Tip|Gratuity|Service fee|Delivery fee|Handling|Packaging|Booking fee|Surcharge"
ROUNDING = f"{till.ROUNDING}|Rounded by|Rounding diff.|Penggenapan|Rnd Adj|Rounding +/-"
CASH = f"{till.CASH}|Paid in cash|Cash received|Cash paid|Tunai|Paid by cash|Payment|Amount received|You paid"
CARD = (
    f"{till.CARD}|Paid by card|Visa Debit|Mastercard credit|Card payment|EFTPOS|Apple Pay|PayPal|Payment method: Card"
)
CHANGE = f"{till.CHANGE}|Change given|Your change|Baki|Change returned|Balance"
TITLES = (
    f"{till.TITLES}|INVOICE|TAX INVOICE COPY|INVOICE COPY|TAX INVOICE (COPY)|Cash Memo|CASH MEMO|Bill of Sale|"
    "PAYMENT RECEIPT|Parking Receipt|TAXI RECEIPT|Fuel Receipt|Your receipt|Order receipt|Sales Invoice|RESIT|"
    "Resit Rasmi|INVOIS|RECEIPT OF PAYMENT|Till Receipt|Duplicate|REPRINT|GUEST FOLIO|Statement|Eat In|TAKE AWAY|"
    "Payment confirmation|Pro-forma|CUSTOMER RECEIPT|PAID|Credit Sale|MERCHANT COPY"
)
HEADINGS = {
    "number": "No.|No|#|Item|S/N|Ln|",
    "name": f"{till.HEADINGS['name']}|Goods|Services|Details|Product name|Charge|Article|Keterangan|Goods sold",
    "quantity": f"{till.HEADINGS['quantity']}|Qty.|Units|Pcs|Kuantiti|No. of",
    "price": f"{till.HEADINGS['price']}|Each|Unit price|Price each|Rate ({{c}})|Harga|Price ({{c}})|Unit cost",
    "amount": f"{till.HEADINGS['amount']}|Line total|Ext. Price|Sum|Value|Jumlah|Amount {{c}}|Net|Cost",
}
BILL_TO = (
    "BILL TO|Bill To:|Billed to|Sold To|SOLD TO:|Customer|CUSTOMER:|Deliver To|Ship to|Attn:|M/S|To:|Invoice to|"
    "Customer details|Received from|Account of|Guest|Patient|Messrs"
)
THANKS = (
    f"{till.FOOTERS}|Please retain for your records|Have a safe journey|Drive safely|We hope to see you again|"
    "Questions? Reply to this e-mail|You can return items within 30 days|Prices include all taxes where due|"
    "Interest is charged on overdue accounts|Goods remain our property until paid|All cheques must be crossed|"
    "I agree to pay the above total amount|CARDHOLDER SIGNATURE|PIN VERIFIED|Sila simpan resit ini|"
    "Keep your ticket with you|No parking overnight|Ask for a stamp on your card|Bank: transfer to account below|"
    "This is not a tax document|Received the above in good condition|Payment is due within 14 days|SIGN X"
)
