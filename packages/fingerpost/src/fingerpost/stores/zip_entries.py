"""The entries of a zip archive in memory."""

from __future__ import annotations

import stat
import struct
import zlib
from collections.abc import Iterator
from functools import partial

from fingerpost.stores.archive_entries import ArchiveError, Entry, Kind, Meter, no_content

_END = struct.Struct("<4s4H2LH")
_END_MARK = b"PK\x05\x06"
_END_64 = struct.Struct("<4sQ2H2L4Q")
_END_64_MARK = b"PK\x06\x06"
_PLACE_64 = struct.Struct("<4sLQL")
_PLACE_64_MARK = b"PK\x06\x07"
_LISTED = struct.Struct("<4s6H3L5H2L")
_LISTED_MARK = b"PK\x01\x02"
_LOCAL = struct.Struct("<4s5H3L2H")
_LOCAL_MARK = b"PK\x03\x04"
_MOST_COMMENT = 0xFFFF
_IN_EXTRA = 0xFFFFFFFF
_SIZES_64 = 1  # the extra field of sizes that do not fit
_ENCRYPTED = 0x1 | 0x40 | 0x2000
_FOLDER = 0x10  # of the attributes of MS-DOS
_STORED, _DEFLATED = 0, 8
_RAW = -15
_KINDS: dict[int, Kind] = {stat.S_IFDIR: "folder", stat.S_IFREG: "file", 0: "file"}
_DAMAGED = "is damaged, or not yet written to its end"


def zip_entries(data: bytes, meter: Meter) -> Iterator[Entry]:
    """The entries of an archive.

    Args:
        data: The archive.
        meter: Counts them and what is read of them.

    Raises:
        ArchiveError: It is damaged or encrypted, or holds too much.
    """
    count, at, end = _directory(data)
    found = 0
    while at < end:
        meter.count_entry()
        if at + _LISTED.size > end:
            raise ArchiveError(_DAMAGED)
        (mark, made_by, _, flags, method, _, _, crc, packed, size, name_size, extra_size, comment_size, _, _,
         attributes, offset) = _LISTED.unpack_from(data, at)  # fmt: skip
        at += _LISTED.size
        name, extra = data[at : at + name_size], data[at + name_size : at + name_size + extra_size]
        at += name_size + extra_size + comment_size
        if mark != _LISTED_MARK or at > end:
            raise ArchiveError(_DAMAGED)
        if flags & _ENCRYPTED:
            raise ArchiveError("is encrypted")
        size, packed, offset = _sizes(extra, size, packed, offset)
        kind = _kind(name, made_by, attributes)
        read = partial(_content, data, name, (method, crc, packed, size), offset, meter)
        yield Entry(name, kind, read if kind == "file" else no_content)
        found += 1
    if at != end or found & 0xFFFF != count & 0xFFFF:
        raise ArchiveError(_DAMAGED)


def _directory(data: bytes) -> tuple[int, int, int]:
    """How many entries the directory of an archive has, and where it starts and ends."""
    end = _end(data)
    _, _, _, _, count, size, offset, _ = _END.unpack_from(data, end)
    place = end - _PLACE_64.size
    if place >= 0 and data.startswith(_PLACE_64_MARK, place):
        end = place - _END_64.size
        if end < 0 or not data.startswith(_END_64_MARK, end):
            raise ArchiveError(_DAMAGED)
        _, _, _, _, _, _, _, count, size, offset = _END_64.unpack_from(data, end)
    if offset + size != end:
        raise ArchiveError(_DAMAGED)
    return count, offset, end


def _end(data: bytes) -> int:
    """Where the record stands that ends an archive; a comment of some length follows it."""
    earliest = max(len(data) - _MOST_COMMENT - _END.size, 0)
    at = data.rfind(_END_MARK, earliest)
    while at >= 0:
        if at + _END.size <= len(data) and at + _END.size + _END.unpack_from(data, at)[-1] == len(data):
            return at
        at = data.rfind(_END_MARK, earliest, at + len(_END_MARK) - 1)
    raise ArchiveError(_DAMAGED)


def _sizes(extra: bytes, size: int, packed: int, offset: int) -> tuple[int, int, int]:
    """The sizes of an entry and where it starts, which may stand in an extra field."""
    wanted = [value == _IN_EXTRA for value in (size, packed, offset)]
    if not any(wanted):
        return size, packed, offset
    at = 0
    while at + 4 <= len(extra):
        field, length = struct.unpack_from("<2H", extra, at)
        if field == _SIZES_64 and length >= 8 * sum(wanted) and at + 4 + length <= len(extra):
            held = iter(struct.unpack_from(f"<{sum(wanted)}Q", extra, at + 4))
            size, packed, offset = (
                next(held) if is_wanted else value
                for is_wanted, value in zip(wanted, (size, packed, offset), strict=True)
            )
            return size, packed, offset
        at += 4 + length
    raise ArchiveError(_DAMAGED)


def _kind(name: bytes, made_by: int, attributes: int) -> Kind:
    mode = attributes >> 16
    if stat.S_ISLNK(mode):
        return "symbolic link"
    if name.endswith(b"/"):
        return "folder"
    if made_by >> 8 == 0 and attributes & _FOLDER:
        return "folder"
    return _KINDS.get(stat.S_IFMT(mode), "special file")


def _content(data: bytes, name: bytes, about: tuple[int, int, int, int], at: int, meter: Meter) -> bytes:
    """What a file holds."""
    method, crc, packed, size = about
    meter.count_bytes(size)  # what comes of it must be just this
    if at + _LOCAL.size > len(data):
        raise ArchiveError(_DAMAGED)
    mark, *_, name_size, extra_size = _LOCAL.unpack_from(data, at)
    at += _LOCAL.size
    if mark != _LOCAL_MARK or data[at : at + name_size] != name:
        raise ArchiveError(_DAMAGED)
    at += name_size + extra_size
    if at + packed > len(data):
        raise ArchiveError(_DAMAGED)
    content = _unpacked(method, memoryview(data)[at : at + packed], size)
    if len(content) != size or zlib.crc32(content) != crc:
        raise ArchiveError(_DAMAGED)
    return content


def _unpacked(method: int, packed: memoryview, size: int) -> bytes:
    """What comes of packed bytes, of which more than the size is not unpacked."""
    if method == _STORED:
        return bytes(packed[: size + 1])
    if method != _DEFLATED:
        raise ArchiveError(f"is packed by method {method}; pack it by 'deflate'")
    unpacker = zlib.decompressobj(_RAW)
    try:
        return unpacker.decompress(packed, size + 1)
    except zlib.error:
        raise ArchiveError(_DAMAGED) from None
