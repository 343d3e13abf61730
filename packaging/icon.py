#!/usr/bin/env python3
"""Draws the icon of uncask.exe, the shapes of src/browse/page/icon.svg, into src/bin/uncask/windows/uncask.ico."""

import struct
import zlib
from pathlib import Path

BODY = [(6, 5), (26, 5), (28, 10), (28, 22), (26, 27), (6, 27), (4, 22), (4, 10)]
BROWN, DARK = (0xB5, 0x65, 0x1D), (0x5A, 0x2F, 0x0A)
SIZES = [16, 24, 32, 48, 256]
# Samples per pixel and axis.
FINE = 8


def colour(x, y):
    """The colour at a point of the 32 by 32 drawing; None outside."""
    edges = zip(BODY, BODY[1:] + BODY[:1])
    if any((bx - ax) * (y - ay) - (by - ay) * (x - ax) < 0 for (ax, ay), (bx, by) in edges):
        return None
    is_hoop = abs(y - 10) <= 1 or abs(y - 22) <= 1
    return DARK if is_hoop or (x - 16) ** 2 + (y - 16) ** 2 <= 9 else BROWN


def pixels(size):
    """Rows of (red, green, blue, alpha)."""
    def pixel(column, row):
        at = [(index + 0.5) / FINE for index in range(FINE)]
        found = [colour((column + dx) * 32 / size, (row + dy) * 32 / size) for dy in at for dx in at]
        inside = [one for one in found if one]
        mean = [round(sum(one[channel] for one in inside) / len(inside)) for channel in range(3)] if inside else [0] * 3
        return (*mean, round(255 * len(inside) / len(found)))

    return [[pixel(column, row) for column in range(size)] for row in range(size)]


def bitmap(size):
    """A bitmap as icons have it: upside down, blue first, followed by a mask that nobody needs."""
    rows = reversed(pixels(size))
    body = b"".join(bytes((blue, green, red, alpha)) for row in rows for red, green, blue, alpha in row)
    mask = bytes((size + 31) // 32 * 4 * size)
    return struct.pack("<IiiHHIIiiII", 40, size, size * 2, 1, 32, 0, len(body), 0, 0, 0, 0) + body + mask


def png(size):
    raw = b"".join(b"\0" + b"".join(bytes(pixel) for pixel in row) for row in pixels(size))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b"")


images = [png(size) if size == 256 else bitmap(size) for size in SIZES]
offset, entries = 6 + 16 * len(images), b""
for size, image in zip(SIZES, images):
    entries += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(image), offset)
    offset += len(image)
icon = struct.pack("<HHH", 0, 1, len(images)) + entries + b"".join(images)
(Path(__file__).parents[1] / "src/bin/uncask/windows/uncask.ico").write_bytes(icon)
