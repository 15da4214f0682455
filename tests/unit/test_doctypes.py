from __future__ import annotations

from pathlib import Path

import pytest
import regex

from schemas.doctypes import DocType, FieldType, load_doctypes
from schemas.errors import SettingsError

NETWORK = {
    "receipt": "company address date total tax currency receipt_number",
    "id_card": "name sex ethnicity birth_date address id_number issuing_authority valid_from valid_to",
    "vat_invoice": "invoice_code invoice_number issue_date buyer_name buyer_tax_id seller_name seller_tax_id amount "
    "tax total total_in_words items items.name items.quantity items.unit_price items.amount items.tax_rate",
    "insurance_policy": "policy_number policyholder insured id_number product sum_insured premium start_date end_date",
    "bank_card": "card_number bank valid_thru",
    "business_license": "credit_code company company_type legal_representative registered_capital established address "
    "scope",
    "train_ticket": "train origin destination departure seat price passenger id_number",
}
GOOD = "names: {en: Note}\nfields:\n  number: {type: id, keys: [No]}\n"


def write(folder: Path, text: str, name: str = "note.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_built_in_types_have_exactly_their_fields() -> None:
    types = load_doctypes()
    assert {name: [field for field, _ in types[name].walk()] for name in NETWORK} == {
        name: fields.split() for name, fields in NETWORK.items()
    }
    assert set(types) == {*NETWORK, "form"}
    assert {name: types[name].reader for name in types} == {**dict.fromkeys(NETWORK, "network"), "form": "form"}


def test_every_built_in_field_has_names_in_both_languages_and_keys() -> None:
    for doctype in load_doctypes().values():
        for name, field in doctype.walk():
            assert field.names is not None, name
            assert field.names.zh, name
            in_chinese = [key for key in field.keys if any("\u4e00" <= char <= "\u9fff" for char in key)]
            if doctype.reader == "network" and not field.parts and "." not in name:
                assert in_chinese, f"{doctype.name}.{name}"
                assert len(in_chinese) < len(field.keys), f"{doctype.name}.{name}: none in English"


def test_a_types_own_patterns_fit_what_they_are_for() -> None:
    types = load_doctypes()
    for name, value in [
        ("id_card.id_number", "11010519491231002X"),
        ("vat_invoice.invoice_number", "24312000000012345678"),
        ("vat_invoice.invoice_number", "12345678"),
        ("vat_invoice.invoice_code", "044001900111"),
        ("vat_invoice.seller_tax_id", "91350211M000100Y43"),
        ("business_license.credit_code", "91350211M000100Y43"),
        ("bank_card.card_number", "6222600260001072444"),
        ("train_ticket.train", "G1234"),
        ("train_ticket.id_number", "1101051949****002X"),
        ("insurance_policy.policy_number", "PDAA2024-3101-0000123"),
        ("receipt.receipt_number", "CS-2024/0017"),
    ]:
        doctype, _, field_name = name.partition(".")
        field = types[doctype].field(field_name)
        assert field is not None
        assert field.pattern is not None
        assert regex.fullmatch(field.pattern, value), name
        assert not regex.fullmatch(field.pattern, "电话: 12345"), name


def test_a_users_type_is_added_and_may_replace_a_built_in_one(tmp_path: Path) -> None:
    write(tmp_path, GOOD)
    write(tmp_path, "name: receipt\n" + GOOD, "mine.yml")
    (tmp_path / "README.md").write_text("not a type")
    types = load_doctypes(tmp_path)
    assert [field.name for field in types["note"].fields] == ["number"]
    assert [field.name for field in types["receipt"].fields] == ["number"]
    assert types["note"].reader == "keys"
    assert types["id_card"] == load_doctypes()["id_card"]


def test_plain_words_stay_words(tmp_path: Path) -> None:
    write(tmp_path, "names: {en: On}\ntitles: [Yes, 2024-05-03]\nfields:\n  no: {keys: [No, Off], required: true}\n")
    note = load_doctypes(tmp_path)["note"]
    assert (note.names.en, note.titles) == ("On", ("Yes", "2024-05-03"))
    assert (note.fields[0].name, note.fields[0].keys, note.fields[0].required) == ("no", ("No", "Off"), True)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["is no table"]),
        ("- a", ["is no table"]),
        ("names: [", ["cannot be read", "line 1"]),
        ("names: {en: N}\nnames: {en: M}\nfields: {}", ["names is there twice", "line 2"]),
        ("fields: {a: {keys: [A]}}", ["names: it is missing"]),
        ("names: {en: N}", ["fields: it is missing"]),
        ("names: {en: N}\nfields: {}", ["fields:"]),
        ("names: {en: N}\nfields: {a: text}", ["fields: a: must be a table"]),
        ("names: {en: N}\nfields: {a: {name: b}}", ["a: the field's name is its key"]),
        ("names: {en: N}\nfields: {A b: {keys: [A]}}", ["fields.A b.name"]),
        ("names: {en: N}\nfields: {a: {}}", ["none has keys"]),
        ("names: {en: N}\nfields: {a: {keys: [A], kind: date}}", ["fields.a.kind: there is no such key"]),
        ("names: {en: N}\nfields: {a: {keys: [A], type: day}}", ["fields.a.type: 'day' is not 'text', 'date'"]),
        ("names: {en: N}\nfields: {a: {keys: [A], validator: iban}}", ["fields.a.validator: 'iban' is not"]),
        ("names: {en: N}\nfields: {a: {keys: [7]}}", ["fields.a.keys.0: 7 is not a text; put it in quotes"]),
        ("names: {en: N}\nfields: {a: {keys: ['']}}", ["fields.a.keys.0"]),
        ("names: {en: N}\nfields: {a: {keys: [A], pattern: '('}}", ["fields.a: pattern: not a regular expression"]),
        ("names: {en: N}\nfields: {a: {keys: [A], pattern: 'x*'}}", ["fields.a: pattern: it matches an empty text"]),
        ("names: {en: N}\nfields: {a: {keys: [A], type: date, pattern: x}}", ["pattern: only for types text, id"]),
        ("names: {en: N}\nfields: {a: {keys: [A], type: object}}", ["fields.a: parts: type object needs parts"]),
        ("names: {en: N}\nfields: {a: {keys: [A], parts: {b: {}}}}", ["fields.a: parts: type text has no parts"]),
        (
            "names: {en: N}\nfields: {a: {type: object, parts: {b: {keys: [B], repeated: true}}}}",
            ["fields.a: parts: a part can neither be repeated"],
        ),
        ("names: {en: N}\nfields: {a: {type: pair, parts: {b: {keys: [B]}}}}", ["has the parts question and answer"]),
        ("names: {en: N}\nfields: {a: {keys: [A], currency: EUR}}", ["currency: only for type money"]),
        ("names: {en: N}\nfields: {a: {keys: [A], type: money, currency: euro}}", ["fields.a.currency"]),
        ("names: {en: N}\nfields: {a: {keys: [A], type: date, multiline: true}}", ["multiline: only for type text"]),
        ("names: {en: N}\nfields: {a: {keys: [A], of: b}}", ["fields.a: of: only for a field of type currency"]),
        (
            "names: {en: N}\nfields: {a: {keys: [A], type: currency, repeated: true, of: b}}",
            ["fields.a: of: only for a field of type currency that is not repeated"],
        ),
        ("names: {en: N}\nfields: {a: {keys: [A], type: currency, of: b}}", ["fields.a.of: b must be a field of type"]),
        (
            "names: {en: N}\nfields: {a: {keys: [A], type: currency, of: b}, b: {keys: [B]}}",
            ["fields.a.of: b must be a field of type money, not repeated"],
        ),
        (
            "names: {en: N}\nfields: {a: {keys: [A], type: currency, of: b}, b: {type: money, repeated: true}}",
            ["fields.a.of: b must be a field of type money, not repeated"],
        ),
        (
            "names: {en: N}\nfields: {a: {type: object, parts: {b: {type: currency, of: c}}}, c: {type: money}}",
            ["fields.a: parts: a part cannot have of"],
        ),
        ("name: auto\nnames: {en: N}\nfields: {a: {keys: [A]}}", ["name: 'auto' has a meaning of its own"]),
        (GOOD + "checks: [{check: sum, total: number, of: [number]}]", ["number is of type id; it must be money or"]),
        (GOOD + "checks: [{check: sum, total: sum, of: [number]}]", ["checks.0.total: there is no field 'sum'"]),
        (GOOD + "checks: [{check: product}]", ["checks.0"]),
        (GOOD + "date_order: DYM", ["date_order: 'DYM' is not 'DMY', 'MDY' or 'YMD'"]),
        ("a: &a [*a]", ["cannot be read"]),
    ],
)
def test_a_fault_is_named_with_file_and_key(tmp_path: Path, text: str, parts: list[str]) -> None:
    path = write(tmp_path, text)
    with pytest.raises(SettingsError) as caught:
        load_doctypes(tmp_path)
    message = caught.value.message
    assert str(path) in message
    assert all(part in message for part in parts), message
    assert "pydantic" not in message
    assert "\n" not in message


def test_what_is_no_folder_of_types_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="is not there"):
        load_doctypes(tmp_path / "nowhere")
    with pytest.raises(SettingsError, match=r"holds no \.yaml file"):
        load_doctypes(tmp_path)
    (tmp_path / "latin.yaml").write_bytes(b"names: {en: caf\xe9}")
    with pytest.raises(SettingsError, match=r"latin\.yaml cannot be read"):
        load_doctypes(tmp_path)


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    write(tmp_path, GOOD)
    write(tmp_path, "name: note\n" + GOOD, "other.yaml")
    with pytest.raises(SettingsError, match=r"other\.yaml has a fault: name: another file defines note too"):
        load_doctypes(tmp_path)


def test_fields_and_parts_are_found_by_name() -> None:
    invoice = load_doctypes()["vat_invoice"]
    rate = invoice.field("items.tax_rate")
    assert rate is not None
    assert rate.type == "rate"
    assert invoice.field("tax_rate") is None


def test_types_are_values_that_cannot_change() -> None:
    field = FieldType(name="a", keys=("A",))
    note = DocType.model_validate({"name": "n", "names": {"en": "N"}, "fields": [field]})
    with pytest.raises(ValueError, match="frozen"):
        note.name = "m"  # type: ignore[misc]
    assert hash(note) == hash(note.model_copy())
