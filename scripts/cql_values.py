"""Formats the bytes of values as text, as FormatText of types/text_form.h does."""
import datetime
import decimal
import ipaddress
import struct
import uuid

from cassandra import cqltypes


def integer(raw):
    return int.from_bytes(raw, 'big', signed=True)


def format_float(value):
    """Returns the shortest text that reads back as the value, as std::to_chars does. The text has no exponent if a text without
    exponent is not longer."""
    if value != value:
        return 'NaN'
    if value in (float('inf'), float('-inf')):
        return 'Infinity' if value > 0 else '-Infinity'
    number = decimal.Decimal(repr(value))
    sign = '-' if number.is_signed() else ''
    if number == 0:
        return sign + '0'
    number = number.normalize()
    digits, exponent = ''.join(map(str, number.as_tuple().digits)), number.adjusted()
    scientific = digits[0] + ('.' + digits[1:] if digits[1:] else '') + 'e%s%02d' % ('-' if exponent < 0 else '+', abs(exponent))
    fixed = format(abs(number), 'f')
    return sign + (fixed if len(fixed) <= len(scientific) else scientific)


def shortest_float32(raw):
    value = struct.unpack('>f', raw)[0]
    for digits in range(1, 10):
        text = '%.*g' % (digits, value)
        if struct.pack('>f', float(text)) == raw:
            return format_float(float(text))
    return format_float(value)


def unsigned_vint(raw, at):
    extra = 0
    while extra < 8 and raw[at] & (0x80 >> extra):
        extra += 1
    value = raw[at] & (0xFF >> (extra + 1)) if extra < 8 else 0
    for byte in raw[at + 1:at + 1 + extra]:
        value = value << 8 | byte
    return value, at + 1 + extra


def format_duration(raw):
    numbers, at = [], 0
    for _ in range(3):
        value, at = unsigned_vint(raw, at)
        numbers.append(value >> 1 ^ -(value & 1))
    months, days, nanos = map(abs, numbers)
    text = '-' if min(numbers) < 0 else ''
    for amount, units in ((months, (('y', 12), ('mo', 1))), (days, (('d', 1),)),
                          (nanos, (('h', 3600 * 10**9), ('m', 60 * 10**9), ('s', 10**9), ('ms', 10**6), ('us', 1000),
                                   ('ns', 1)))):
        for unit, size in units:
            if amount >= size:
                text += '%d%s' % (amount // size, unit)
                amount %= size
    return text or '0s'


def format_timestamp(raw):
    millis = integer(raw)
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=millis)
    return moment.strftime('%Y-%m-%d %H:%M:%S.') + '%06d+0000' % moment.microsecond


def format_date(raw):
    # datetime.date ends with the year 9999. The calendar repeats after 400 years, which have 146,097 days.
    periods, days = divmod(int.from_bytes(raw, 'big') - 2**31, 146_097)
    day = datetime.date(1970, 1, 1) + datetime.timedelta(days=days)
    year = day.year + 400 * periods
    return ('+' if year > 9999 else '-' if year < 0 else '') + '%04d-%02d-%02d' % (abs(year), day.month, day.day)


def format_time(raw):
    nanos = integer(raw)
    seconds, nanos = divmod(nanos, 10**9)
    return '%02d:%02d:%02d.%09d' % (seconds // 3600, seconds // 60 % 60, seconds % 60, nanos)


SCALARS = {
    'ascii': lambda raw: raw.decode(), 'text': lambda raw: raw.decode(), 'varchar': lambda raw: raw.decode(),
    'bigint': lambda raw: str(integer(raw)), 'int': lambda raw: str(integer(raw)),
    'smallint': lambda raw: str(integer(raw)), 'tinyint': lambda raw: str(integer(raw)),
    'counter': lambda raw: str(integer(raw)), 'varint': lambda raw: str(integer(raw)),
    'decimal': lambda raw: str(decimal.Decimal(integer(raw[4:])).scaleb(-integer(raw[:4]), decimal.Context(prec=9999))),
    'boolean': lambda raw: 'true' if raw != b'\0' else 'false',
    'blob': lambda raw: '0x' + raw.hex(),
    'double': lambda raw: format_float(struct.unpack('>d', raw)[0]), 'float': shortest_float32,
    'inet': lambda raw: str(ipaddress.ip_address(raw)),
    'uuid': lambda raw: str(uuid.UUID(bytes=raw)), 'timeuuid': lambda raw: str(uuid.UUID(bytes=raw)),
    'timestamp': format_timestamp, 'date': format_date, 'time': format_time, 'duration': format_duration,
}
QUOTED = {'ascii', 'text', 'varchar', 'timestamp', 'date', 'time', 'inet'}


def elements(raw, count):
    at, out = 0, []
    for _ in range(count):
        size = struct.unpack_from('>i', raw, at)[0] if at < len(raw) else -1
        at += 4
        out.append(raw[at:at + size] if size >= 0 else None)
        at += max(size, 0)
    return out


def format_value(kind, raw, nested=False):
    if raw is None:
        return 'null'
    if issubclass(kind, cqltypes.UserType):
        parts = elements(raw, len(kind.subtypes))
        return '{' + ', '.join('%s: %s' % (name, format_value(part_kind, part, True)) for name, part_kind, part in
                               zip(kind.fieldnames, kind.subtypes, parts)) + '}'
    name = kind.typename
    if name == 'frozen':
        return format_value(kind.subtypes[0], raw, nested)
    if name == 'tuple':
        parts = elements(raw, len(kind.subtypes))
        return '(' + ', '.join(format_value(k, p, True) for k, p in zip(kind.subtypes, parts)) + ')'
    if name in ('list', 'set'):
        parts = elements(raw[4:], integer(raw[:4]))
        text = ', '.join(format_value(kind.subtypes[0], part, True) for part in parts)
        return '[' + text + ']' if name == 'list' else '{' + text + '}'
    if name == 'map':
        parts = elements(raw[4:], 2 * integer(raw[:4]))
        return '{' + ', '.join('%s: %s' % (format_value(kind.subtypes[0], k, True),
                                           format_value(kind.subtypes[1], v, True))
                               for k, v in zip(parts[::2], parts[1::2])) + '}'
    if name == 'org.apache.cassandra.db.marshal.VectorType':  # Every element has the same number of bytes.
        size = len(raw) // kind.vector_size
        parts = [raw[i * size:(i + 1) * size] for i in range(kind.vector_size)]
        return '[' + ', '.join(format_value(kind.subtype, part, True) for part in parts) + ']'
    if name not in SCALARS:
        raise ValueError('no text form for ' + name)
    if not raw and name not in ('ascii', 'text', 'varchar', 'blob'):
        return ''
    text = SCALARS[name](raw)
    return "'" + text.replace("'", "''") + "'" if nested and name in QUOTED else text
