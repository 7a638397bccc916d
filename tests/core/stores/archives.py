"""Archives for tests, made in memory."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections.abc import Mapping
from typing import Any

FILES = {"a.md": b"The tower.", "sub/b.md": b"The bell.", "sub/deep/ملف.md": "灯台".encode()}


def zipped(
    files: Mapping[str, bytes] | None = None, method: int = zipfile.ZIP_DEFLATED, **attributes: int
) -> bytes:
    """A zip of some files; the external attributes of each may be given by its name."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in (FILES if files is None else files).items():
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            info.external_attr = attributes.get(name, 0o644 << 16)
            archive.writestr(info, content)
    return out.getvalue()


def member(
    name: str, content: bytes = b"", kind: bytes = tarfile.REGTYPE, **fields: Any
) -> tuple[tarfile.TarInfo, bytes]:
    """An entry of a tar."""
    info = tarfile.TarInfo(name)
    info.size, info.type = len(content), kind
    for field, value in fields.items():
        setattr(info, field, value)
    return info, content


def tarred(*members: tuple[tarfile.TarInfo, bytes], format: int = tarfile.PAX_FORMAT) -> bytes:  # noqa: A002 - theirs
    """A tar of some entries, by default of `FILES`."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=format) as archive:
        for info, content in members or [member(name, content) for name, content in FILES.items()]:
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def gzipped(data: bytes) -> bytes:
    return gzip.compress(data, 6, mtime=0)


def block(name: bytes, kind: bytes = b"0", size: bytes = b"00000000000", **_: int) -> bytes:
    """The header of an entry with whatever bytes in it."""
    head = bytearray(512)
    head[:100] = name.ljust(100, b"\0")[:100]
    head[100:108], head[108:116], head[116:124] = b"0000644\0", b"0000000\0", b"0000000\0"
    head[124:136], head[136:148] = size.ljust(12, b"\0"), b"00000000000\0"
    head[148:156], head[156:157], head[257:265] = b" " * 8, kind, b"ustar\x0000"
    head[148:156] = b"%06o\0 " % sum(head)
    return bytes(head)


END = bytes(1024)
