"""Telephone numbers, by phonenumbers (loaded when first needed)."""

from __future__ import annotations

import re
from functools import lru_cache

from stages.fields.normalise import plain

_LABEL = re.compile(r"^[^\d+(]*")


@lru_cache(1024)
def parse_phone(text: str, region: str = "CN") -> tuple[str | None, str | None]:
    """Read a telephone number.

    Args:
        text: as printed; a word such as Tel may stand before it.
        region: ISO 3166 code of the country whose national numbers are meant where no +86 or the like stands.

    Returns:
        The number in E.164 form (``+8613812345678``), None where it is none; and what is wrong with it, if anything.
    """
    import phonenumbers

    try:
        number = phonenumbers.parse(_LABEL.sub("", plain(text)), region)
    except phonenumbers.NumberParseException:
        return None, "it is not a telephone number"
    written = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    if not phonenumbers.is_possible_number(number):
        return None, "its length suits no telephone number"
    if not phonenumbers.is_valid_number(number):
        return written, "no such number is in use"
    return written, None
