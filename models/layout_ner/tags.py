"""The tags that the network puts on characters: ``O``, and begin and inside of every field of every type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

OUTSIDE = 0
OTHER = "other"
"""The document type of a page that is none of the known ones."""


class TagSet:
    """Tags and document types by number.

    Tag 0 is ``O``; field number f (over all types, in order) has ``2 f + 1`` for its first character and ``2 f + 2``
    for the others. Type 0 is ``other``.

    Args:
        fields: the field names of every document type.
    """

    def __init__(self, fields: Mapping[str, Sequence[str]]) -> None:
        self.fields = {name: tuple(names) for name, names in fields.items()}
        self.types = (OTHER, *self.fields)
        self.names = tuple((doc_type, name) for doc_type, names in self.fields.items() for name in names)
        self._number = {key: number for number, key in enumerate(self.names)}

    def __len__(self) -> int:
        return 1 + 2 * len(self.names)

    def type_number(self, doc_type: str | None) -> int:
        """The number of a document type; 0 for None and for unknown ones."""
        return self.types.index(doc_type) if doc_type in self.fields else 0

    def hint(self, doc_type: str | None) -> int:
        """The number of a type that is asked for, from 1, as the network takes it; 0 for None (not known)."""
        return 0 if doc_type is None or doc_type not in self.types else 1 + self.types.index(doc_type)

    def begin(self, doc_type: str, name: str) -> int | None:
        """The tag of a field's first character; one more is the tag of the others. None for an unknown field."""
        number = self._number.get((doc_type, name))
        return None if number is None else 2 * number + 1

    def of_type(self, doc_type: str) -> list[tuple[str, int]]:
        """The fields of a type with their begin tags."""
        return [(name, 2 * self._number[doc_type, name] + 1) for name in self.fields.get(doc_type, ())]
