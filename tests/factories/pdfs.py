"""PDF files, written by hand and in memory, down to their encryption."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

_PAD = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")  # ISO 32000-1, 7.6.3.3
_ID = b"0123456789abcdef"


@dataclass
class PdfPage:
    """One page: what its dictionary says beside the usual, and what is drawn."""

    box: str = "0 0 200 100"
    entries: str = ""
    content: bytes = b"0 g 0 70 60 30 re f"  # the top left corner


@dataclass
class _Writer:
    objects: list[bytes] = field(default_factory=list)

    def add(self, body: bytes) -> int:
        self.objects.append(body)
        return len(self.objects)


def pdf(
    pages: list[PdfPage],
    *,
    user: str | None = None,
    owner: str | None = None,
    extra: list[bytes] | None = None,
    catalog: str = "",
) -> bytes:
    """A PDF. ``user`` and ``owner`` are passwords (40-bit RC4); ``extra`` are objects numbered from 3."""
    secured = user is not None or owner is not None
    key, o_entry = _key(user or "", owner or user or "") if secured else (b"", b"")
    writer = _Writer()
    writer.add(f"<< /Type /Catalog /Pages 2 0 R {catalog} >>".encode())
    writer.add(b"")
    for body in extra or []:
        writer.add(body)
    kids = []
    for page in pages:
        content = page.content
        number = len(writer.objects) + 1
        if secured:
            content = _rc4(hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0").digest()[:10], content)
        writer.add(b"<< /Length %d >>\nstream\n" % len(content) + content + b"\nendstream")
        kids.append(
            writer.add(
                f"<< /Type /Page /Parent 2 0 R /MediaBox [{page.box}] /Contents {number} 0 R {page.entries} >>".encode()
            )
        )
    listed = " ".join(f"{kid} 0 R" for kid in kids)
    writer.objects[1] = f"<< /Type /Pages /Kids [{listed}] /Count {len(kids)} >>".encode()
    trailer = f"/Root 1 0 R /ID [<{_ID.hex()}> <{_ID.hex()}>]"
    if secured:
        u_entry = _rc4(key, _PAD)
        number = writer.add(
            f"<< /Filter /Standard /V 1 /R 2 /P -44 /O <{o_entry.hex()}> /U <{u_entry.hex()}> >>".encode()
        )
        trailer += f" /Encrypt {number} 0 R"
    out = bytearray(b"%PDF-1.6\n")
    offsets = []
    for number, body in enumerate(writer.objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += f"trailer\n<< /Size {len(offsets) + 1} {trailer} >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)


def image_object(data: bytes, width: int, height: int, entries: str) -> bytes:
    """An image XObject."""
    head = f"<< /Type /XObject /Subtype /Image /Width {width} /Height {height} {entries} /Length {len(data)} >>"
    return head.encode() + b"\nstream\n" + data + b"\nendstream"


def _padded(password: str) -> bytes:
    return (password.encode("latin-1") + _PAD)[:32]


def _key(user: str, owner: str) -> tuple[bytes, bytes]:
    """The file's key and its /O entry (ISO 32000-1, algorithms 2 and 3, revision 2)."""
    o_entry = _rc4(hashlib.md5(_padded(owner)).digest()[:5], _padded(user))
    permissions = (-44).to_bytes(4, "little", signed=True)
    return hashlib.md5(_padded(user) + o_entry + permissions + _ID).digest()[:5], o_entry


def _rc4(key: bytes, data: bytes) -> bytes:
    box = list(range(256))
    swap = 0
    for index in range(256):
        swap = (swap + box[index] + key[index % len(key)]) & 255
        box[index], box[swap] = box[swap], box[index]
    out = bytearray()
    first = second = 0
    for value in data:
        first = (first + 1) & 255
        second = (second + box[first]) & 255
        box[first], box[second] = box[second], box[first]
        out.append(value ^ box[(box[first] + box[second]) & 255])
    return bytes(out)
