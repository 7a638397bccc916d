"""The entries of a tar archive in memory."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from fingerpost.stores.archive_entries import ArchiveError, Entry, Kind, Meter, no_content

_BLOCK = 512
_MOST_NAME = 1 << 16
_MOST_HEADERS = 1 << 20
_CHUNK_BYTES = 1 << 16
_GZIP = 31
_END = bytes(_BLOCK)
_CUT_OFF = "is damaged, or not yet written to its end"
_FILES = b"0\x007"
_LONG_NAME, _LONG_LINK, _SPARSE = b"L", b"K", b"S"
_HEADERS, _HEADERS_FOR_ALL = (b"x", b"X"), b"g"
_KINDS: dict[bytes, Kind] = {b"1": "hard link", b"2": "symbolic link", b"5": "folder"}
_WITHOUT_CONTENT = b"123456"


@dataclass(slots=True)
class _Said:
    """What entries say of the one that follows them."""

    name: bytes | None = None
    size: int | None = None
    sparse_size: int | None = None
    headers: dict[bytes, bytes] = field(default_factory=dict[bytes, bytes])


def unpacked_gzip(data: bytes, meter: Meter) -> bytes:
    """What a gzip file holds.

    Raises:
        ArchiveError: It is damaged, or holds too much.
    """
    chunks: list[bytes] = []
    at = 0
    while data[at : at + _BLOCK].strip(b"\0"):  # several may follow each other, and zeros the last one
        unpacker = zlib.decompressobj(_GZIP)
        while not unpacker.eof:
            packed = unpacker.unconsumed_tail
            if not packed:
                packed = data[at : at + _CHUNK_BYTES]
                at += len(packed)
            try:
                chunk = unpacker.decompress(packed, _CHUNK_BYTES)
            except zlib.error:
                raise ArchiveError(_CUT_OFF) from None
            if not (chunk or packed or unpacker.eof):
                raise ArchiveError(_CUT_OFF)
            meter.count_bytes(len(chunk))
            chunks.append(chunk)
        at -= len(unpacker.unused_data)
    return b"".join(chunks)


def is_tar(data: bytes) -> bool:
    """Whether data starts like a tar archive; an empty one is but zeros."""
    return len(data) >= _BLOCK and (data.startswith(_END) or _has_checksum(data[:_BLOCK]))


def tar_entries(data: bytes, meter: Meter) -> Iterator[Entry]:
    """The entries of an archive.

    Args:
        data: The archive, unpacked.
        meter: Counts them.

    Raises:
        ArchiveError: It is damaged or cut off, or holds too much.
    """
    at, said = 0, _Said()
    while True:
        header = data[at : at + _BLOCK]
        if header == _END:
            return
        if len(header) < _BLOCK or not _has_checksum(header):
            raise ArchiveError(_CUT_OFF)
        meter.count_entry()
        at += _BLOCK
        kind = header[156:157]
        size = said.size if said.size is not None else _number(header[124:136])
        if kind in _WITHOUT_CONTENT:
            size = 0
        start, at = at, at + size + -size % _BLOCK
        if start + size > len(data):
            raise ArchiveError(_CUT_OFF)
        if kind in (_LONG_NAME, _LONG_LINK, *_HEADERS, _HEADERS_FOR_ALL):
            _take(said, kind, data, start, size)
            continue
        name = said.name if said.name is not None else _name(header)
        if kind == _SPARSE:
            said.sparse_size = _number(header[483:495])
            at += _BLOCK * _sparse_blocks(data, header, start)
        if said.sparse_size is not None:
            meter.count_bytes(said.sparse_size)
            yield Entry(name, "sparse file", no_content)
        elif kind in _FILES and not (kind == b"\0" and name.endswith(b"/")):
            yield Entry(name, "file", partial(data.__getitem__, slice(start, start + size)))
        else:
            yield Entry(name, "folder" if kind == b"\0" else _KINDS.get(kind, "special file"), no_content)
        said = _Said()


def _take(said: _Said, kind: bytes, data: bytes, start: int, size: int) -> None:
    """Note what an entry says of the next one."""
    if size > (_MOST_NAME if kind in (_LONG_NAME, _LONG_LINK) else _MOST_HEADERS):
        raise ArchiveError(f"describes an entry in {size:,} bytes, which is no description")
    content = data[start : start + size]
    if kind == _LONG_NAME:
        said.name = content.partition(b"\0")[0]
    elif kind in _HEADERS:
        headers = _headers(content)
        name = headers.get(b"GNU.sparse.name", headers.get(b"path"))
        said.name = name if name is not None else said.name
        if b"size" in headers:
            said.size = _decimal(headers[b"size"])
        if any(key.startswith(b"GNU.sparse.") for key in headers):
            real = headers.get(b"GNU.sparse.realsize", headers.get(b"GNU.sparse.size", b"0"))
            said.sparse_size = _decimal(real)


def _headers(content: bytes) -> dict[bytes, bytes]:
    """Records of the form b"<their length> <key>=<value>" and a line break."""
    found: dict[bytes, bytes] = {}
    at = 0
    while at < len(content) and content[at] != 0:
        space = content.find(b" ", at, at + 20)
        length = _decimal(content[at:space]) if space > 0 else 0
        record = content[space + 1 : at + length]
        key, separator, value = record.partition(b"=")
        if at + length <= space or not record.endswith(b"\n") or not separator:
            raise ArchiveError(_CUT_OFF)
        found[key] = value[:-1]
        at += length
    return found


def _sparse_blocks(data: bytes, header: bytes, start: int) -> int:
    """How many blocks of a map follow the header of a sparse file, before its content."""
    count, is_more = 0, header[482] != 0
    while is_more:
        end = start + (count + 1) * _BLOCK
        if end > len(data):
            raise ArchiveError(_CUT_OFF)
        is_more = data[end - _BLOCK + 504] != 0
        count += 1
    return count


def _name(header: bytes) -> bytes:
    name = header[:100].partition(b"\0")[0]
    prefix = header[345:500].partition(b"\0")[0] if header[257:263] == b"ustar\0" else b""
    return prefix + b"/" + name if prefix else name


def _has_checksum(header: bytes) -> bool:
    """Whether the checksum of a header is right; some programs summed up signed bytes."""
    try:
        told = _number(header[148:156])
    except ArchiveError:
        return False
    total = sum(header) - sum(header[148:156]) + 8 * ord(" ")
    return told == total or told == total - 256 * sum(byte > 127 for byte in header[:148] + header[156:])


def _number(text: bytes) -> int:
    """A number in octal digits, or in bytes after one that says so."""
    if text[0] == 0x80:
        return int.from_bytes(text[1:], "big")
    digits = text.partition(b"\0")[0].strip()
    if digits.strip(b"01234567"):
        raise ArchiveError(_CUT_OFF)
    return int(digits or b"0", 8)


def _decimal(text: bytes) -> int:
    if not text.isdigit() or len(text) > 20:
        raise ArchiveError(_CUT_OFF)
    return int(text)
