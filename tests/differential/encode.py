"""Makes the bytes of CQL literals, as a client sends them for bind markers."""
import datetime
import decimal
import ipaddress
import re
import struct
import uuid

import values

_TOKEN = re.compile(r"\s*('(?:[^']|'')*'|[\[\]{}(),:]|[^\s\[\]{}(),:']+)")
_INTEGERS = {'tinyint': '>b', 'smallint': '>h', 'int': '>i', 'bigint': '>q', 'counter': '>q'}
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
_UNITS = {'y': (12, 0, 0), 'mo': (1, 0, 0), 'w': (0, 7, 0), 'd': (0, 1, 0), 'h': (0, 0, 3600 * 10**9), 'm': (0, 0, 60 * 10**9),
          's': (0, 0, 10**9), 'ms': (0, 0, 10**6), 'us': (0, 0, 1000), 'ns': (0, 0, 1)}


def encode(literal, cql_type, fields=values.FIELDS, in_order=False):
    """Returns the bytes of a literal, or None for null. `fields` has (name, type) of each field of the user-defined type. `in_order` sorts
    the elements of a set or map of texts, for places where Cassandra does not sort them."""
    value = parse(literal)
    return _value(_in_order(value) if in_order else value, cql_type, fields)


def encode_tuple(literals, types, fields=values.FIELDS):
    """Returns the bytes of a tuple of key values."""
    return b''.join(_sized(encode(literal, t, fields, in_order=True)) for literal, t in zip(literals, types))


def _in_order(value):
    if not isinstance(value, tuple) or value[0] != '{':
        return value
    return '{', sorted(value[1], key=lambda item: (item[0] if isinstance(item, tuple) else item).strip("'").encode())


def parse(literal):
    """Returns a literal as text, ('[', items), ('(', items), or ('{', items), where a map's or a type's items are pairs."""
    return _tree([m.group(1) for m in _TOKEN.finditer(literal)])


def _tree(tokens):
    first = tokens.pop(0)
    if first not in ('[', '(', '{'):
        return first
    items = []
    while tokens[0] not in (']', ')', '}'):
        item = _tree(tokens)
        if tokens[0] == ':':
            tokens.pop(0)
            item = (item, _tree(tokens))
        items.append(item)
        if tokens[0] == ',':
            tokens.pop(0)
    tokens.pop(0)
    return first, items


def _value(value, cql_type, fields):
    if value == 'null':
        return None
    inner = values.unfrozen(cql_type)
    if values.is_vector(inner):
        return _vector(value[1], inner, fields)
    if inner.startswith(('list<', 'set<')):
        return _items([(item,) for item in value[1]], [inner[inner.index('<') + 1:-1]], fields)
    if inner.startswith('map<'):
        return _items(value[1], values.arguments(inner), fields)
    if inner.startswith('tuple<'):
        return b''.join(_sized(_value(item, t, fields)) for item, t in zip(value[1], values.arguments(inner)))
    if inner not in values.SCALARS and inner not in _INTEGERS:  # The user-defined type.
        given = dict(value[1])
        return b''.join(_sized(_value(given.get(name, 'null'), t, fields)) for name, t in fields)
    return _scalar(value, inner)


def _items(rows, types, fields):
    return struct.pack('>i', len(rows)) + b''.join(_sized(_value(item, t, fields)) for row in rows for item, t in zip(row, types))


def _vector(items, cql_type, fields):
    element = values.arguments(cql_type)[0]
    parts = [_value(item, element, fields) for item in items]
    if element in _FIXED:
        return b''.join(parts)
    return b''.join(_unsigned_vint(len(part)) + part for part in parts)


# Types whose elements in a vector have no length before them.
_FIXED = ('boolean', 'bigint', 'double', 'float', 'int', 'timestamp', 'timeuuid', 'uuid')


def _sized(data):
    return struct.pack('>i', -1) if data is None else struct.pack('>i', len(data)) + data


def _scalar(value, cql_type):
    text = value[1:-1].replace("''", "'") if value.startswith("'") else value
    if cql_type in _INTEGERS:
        return struct.pack(_INTEGERS[cql_type], int(text))
    if cql_type in ('ascii', 'text'):
        return text.encode()
    if cql_type == 'blob':
        return bytes.fromhex(text[2:])
    if cql_type == 'boolean':
        return b'\1' if text.lower() == 'true' else b'\0'
    if cql_type in ('float', 'double'):
        return struct.pack('>f' if cql_type == 'float' else '>d', float(text))
    if cql_type == 'varint':
        return _varint(int(text))
    if cql_type == 'decimal':
        sign, digits, exponent = decimal.Decimal(text).as_tuple()
        return struct.pack('>i', -exponent) + _varint((-1 if sign else 1) * int(''.join(map(str, digits))))
    if cql_type in ('uuid', 'timeuuid'):
        return uuid.UUID(text).bytes
    if cql_type == 'inet':
        return ipaddress.ip_address(text).packed
    return _time(text, cql_type)


def _time(text, cql_type):
    if cql_type == 'duration':
        return _duration(text)
    if cql_type == 'date':
        return struct.pack('>I', int(text) if text.isdigit() else (datetime.date.fromisoformat(text) - _EPOCH.date()).days + 2**31)
    if cql_type == 'time':
        hours, minutes, seconds = text.split(':')
        whole, _, fraction = seconds.partition('.')
        return struct.pack('>q', (int(hours) * 3600 + int(minutes) * 60 + int(whole)) * 10**9 + int(fraction.ljust(9, '0') or 0))
    if re.fullmatch(r'-?\d+', text):
        return struct.pack('>q', int(text))
    whole = datetime.datetime.strptime(text, '%Y-%m-%d %H:%M:%S.%f%z' if '.' in text else '%Y-%m-%d %H:%M:%S%z')
    return struct.pack('>q', (whole - _EPOCH) // datetime.timedelta(milliseconds=1))


def _duration(text):
    sign, total = (-1 if text.startswith('-') else 1), [0, 0, 0]
    for count, unit in re.findall(r'(\d+)([a-z]+)', text):
        total = [sum_ + int(count) * part for sum_, part in zip(total, _UNITS[unit])]
    return b''.join(_unsigned_vint(_zigzag(sign * part)) for part in total)


def _zigzag(number):
    return number * 2 if number >= 0 else -number * 2 - 1


def _unsigned_vint(number):
    extra = 0
    while extra < 8 and number >= 1 << (7 * (extra + 1)):
        extra += 1
    data = bytearray(number.to_bytes(extra + 1 if extra < 8 else 8, 'big'))
    if extra == 8:
        return b'\xff' + bytes(data)
    data[0] |= (0xFF00 >> extra) & 0xFF
    return bytes(data)


def _varint(number):
    return number.to_bytes((number + (number < 0)).bit_length() // 8 + 1, 'big', signed=True)
