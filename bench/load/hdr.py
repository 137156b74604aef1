"""Reads the HdrHistograms of latte's reports. They are base64 of the compressed form, version 2 (github.com/HdrHistogram, "V2
encoding")."""
import base64
import collections
import struct
import zlib

COMPRESSED, PLAIN = 0x1c849314, 0x1c849313  # The first bytes. The lower half of the last one has the size of a word.


def decode(text):
    """Returns the counts by value. For each bucket, the value is the greatest of the bucket."""
    raw = base64.b64decode(text)
    cookie, length = struct.unpack_from('>II', raw)
    if cookie != COMPRESSED:
        raise ValueError(f'not a compressed HdrHistogram: it begins with {cookie:#x}')
    plain = zlib.decompress(raw[8:8 + length])
    cookie, payload, _, digits, _, _, _ = struct.unpack_from('>IIIIQQd', plain)
    if cookie != PLAIN:
        raise ValueError(f'not a HdrHistogram: it begins with {cookie:#x}')
    magnitude = (2 * 10 ** digits - 1).bit_length()  # Bits of the number of buckets of one power of two.
    half = 1 << (magnitude - 1)
    counts, index = collections.Counter(), 0
    for number in _zigzag(plain[40:40 + payload]):
        if number < 0:
            index -= number  # A negative number counts empty buckets.
            continue
        shift = max(0, (index >> (magnitude - 1)) - 1)
        lowest = (index if index < 2 * half else half + (index & (half - 1))) << shift
        if number:
            counts[lowest + (1 << shift) - 1] += number
        index += 1
    return counts


def _zigzag(data):
    """Yields the signed numbers in `data`. A number is a sequence of bytes with 7 bits each, the lowest bits first; a ninth byte has 8
    bits."""
    value = shift = 0
    for byte in data:
        value |= (byte if shift == 56 else byte & 0x7f) << shift
        if byte & 0x80 and shift < 56:
            shift += 7
            continue
        yield (value >> 1) ^ -(value & 1)
        value = shift = 0


def at(counts, share):
    """Returns the least value that is greater than or equal to `share` of the values. Returns 0 if there are no values."""
    left = share * sum(counts.values())
    for value in sorted(counts):
        left -= counts[value]
        if left <= 0:
            return value
    return 0
