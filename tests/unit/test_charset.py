from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.charset import is_latin, is_numeric, select
from models.resolve import resolve
from schemas.errors import ModelError, SettingsError
from schemas.settings import load_settings

CHARACTERS = ("!", "中", "a", "é", "0", "9", "，", "β", "Ж", "€", "．", "ก", "कि", "-", "●", "５", "¥", " ")


def read(charset: str, characters: tuple[str, ...] = CHARACTERS) -> str:
    keep = select(charset, characters)
    assert keep is not None
    assert keep[0] == 0
    assert list(keep) == sorted(set(keep))
    return "".join(characters[k - 1] for k in keep[1:])


@pytest.mark.parametrize("charset", ["full", "digits,full"])
def test_full_keeps_everything(charset: str) -> None:
    assert select(charset, CHARACTERS) is None


@pytest.mark.parametrize(
    ("charset", "hint"),
    [
        ("latim", "did you mean latin?"),
        ("Latin", "did you mean latin?"),
        ("DIGITS", "did you mean digits?"),
        ("digit", "did you mean digits?"),
        ("latin,digts", "did you mean digits?"),
        ("latin+digits", "give full, latin, digits"),
        ("0123456789", "chars:"),
        ("latin,", "lacks the name"),
        ("", "lacks the name"),
        ("   ", "lacks the name"),
    ],
)
def test_what_is_no_set_is_refused_with_a_hint(charset: str, hint: str) -> None:
    with pytest.raises(SettingsError) as caught:
        select(charset, CHARACTERS)
    assert caught.value.message.startswith("recognition.charset: ")
    assert hint in caught.value.message
    assert "chars:" in caught.value.message


@pytest.mark.parametrize(
    ("charset", "kept"),
    [
        ("latin", "!aé09€-●¥ "),
        ("digits", "09€-¥ "),
        ("digits,latin", "!aé09€-●¥ "),
        (" latin , latin ", "!aé09€-●¥ "),
        ("chars:0", "0 "),
        ("chars:90", "09 "),  # classes keep the model's order
        ("chars:中a中", "中a "),
        ("chars:a 0", "a0 "),
        ("chars:e\u0301", "é "),  # decomposed, as some keyboards write it
        ("chars:कि", "कि "),  # one class of two code points
        ("chars:，．５", "，．５ "),
    ],
)
def test_named_and_literal_sets(charset: str, kept: str) -> None:
    assert read(charset) == kept


def test_blank_and_space_are_always_kept() -> None:
    assert select("chars:a", ("a", "b", " ")) == (0, 1, 3)
    assert select("chars:a", ("b", "a")) == (0, 2)  # a model without a space


@pytest.mark.parametrize(
    ("charset", "missing"),
    [
        ("aXé@", "@ (U+0040), X (U+0058)"),
        ("ि", "ि (U+093F)"),
        ("a\u200b", "know U+200B;"),
        ("Latin", "L (U+004C), i (U+0069), n (U+006E), t (U+0074)"),
    ],
)
def test_unknown_characters_are_named(charset: str, missing: str) -> None:
    with pytest.raises(SettingsError) as caught:
        select(f"chars:{charset}", CHARACTERS)
    assert missing in caught.value.message
    assert "recognition.charset" in caught.value.message


@pytest.mark.parametrize("charset", ["chars:", "chars: ", "chars:   "])
def test_an_empty_list_is_refused(charset: str) -> None:
    with pytest.raises(SettingsError, match="no characters after chars:"):
        select(charset, CHARACTERS)


@pytest.mark.parametrize("charset", ["latin", "digits"])
def test_a_model_that_reads_none_of_them(charset: str) -> None:
    with pytest.raises(SettingsError, match="reads none"):
        select(charset, ("中", "文", " "))


@given(st.lists(st.characters(exclude_categories=["Cs"]), unique=True, max_size=40), st.data())
def test_what_is_kept_is_what_was_asked_for(characters: list[str], data: st.DataObject) -> None:
    model = (*(c for c in characters if c != " "), " ")
    wanted = data.draw(st.sets(st.sampled_from(model)))
    nfc = {c for c in wanted if unicodedata.normalize("NFC", c) == c} - {" "}
    if not nfc:
        return
    assert set(read("chars:" + "".join(sorted(nfc)), model)) >= nfc | {" "}


@pytest.mark.parametrize("text", ["Łódź, Ça va? «Straße» £3.50 – 50 % (no. 4) ½ € ™ § “quoted” n° → ×² −1 ■ ﬁ ª"])
def test_latin_text(text: str) -> None:
    assert [c for c in text if c != " " and not is_latin(c)] == []


@pytest.mark.parametrize("text", ["中あア한กдωעع०", "，。「」（）！￥", "Ａ９ｱ", "🙂㈱", "۰॥", "\u0e31\u093f\u3099"])
def test_not_latin(text: str) -> None:
    assert [c for c in text if is_latin(c)] == []


def test_digits_are_enough_for_amounts_dates_and_rates() -> None:
    assert all(is_numeric(c) for c in "-1,234.50 +60 12/03/2026 12:59 7.5% $€£¥ #3".replace(" ", ""))
    assert not any(is_numeric(c) for c in "aO²½①०٣５中(")


def test_the_embedded_recogniser() -> None:
    try:
        characters = resolve(None, "recognition", "openvino", load_settings(allow_download=False)).characters
    except ModelError as error:
        pytest.skip(error.message)
    latin = select("latin", characters)
    digits = select("digits", characters)
    assert latin is not None
    assert digits is not None
    assert set(digits) < set(latin)
    kept = {characters[k - 1] for k in latin[1:]}
    ascii_characters = {chr(c) for c in range(0x20, 0x7F)}
    assert kept >= ascii_characters & set(characters)
    assert len(latin) < len(characters) / 15  # it is worth its while
