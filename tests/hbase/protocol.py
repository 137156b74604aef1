"""The messages of HBase's protocol, as far as tests need them (docs/internals/decisions/0027-hbase.md)."""
import struct


def varint(number):
    out = b''
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def message(*fields):
    """Encodes (number, value) pairs. A value is an int, or bytes or a text."""
    out = b''
    for number, value in fields:
        if isinstance(value, int):
            out += varint(number << 3) + varint(value)
        else:
            value = value.encode() if isinstance(value, str) else value
            out += varint(number << 3 | 2) + varint(len(value)) + value
    return out


def request(method, parameter, call=7):
    header = message((1, call), (3, method), (4, 1))
    body = varint(len(header)) + header + varint(len(parameter)) + parameter
    return struct.pack('>I', len(body)) + body


def greeting(service):
    header = message((1, message((1, 'test'))), (2, service))
    return b'HBas\x00\x50' + struct.pack('>I', len(header)) + header


def exactly(connection, size):
    data = b''
    while len(data) < size:
        part = connection.recv(size - len(data))
        if not part:
            raise OSError('the server has closed the connection')
        data += part
    return data


def receive(connection):
    """Reads the frame of an answer."""
    return exactly(connection, struct.unpack('>I', exactly(connection, 4))[0])


def take_varint(data):
    number = shift = 0
    for at, byte in enumerate(data):
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return number, data[at + 1:]
    raise ValueError('a number without an end')


def take_sized(data):
    size, data = take_varint(data)
    return data[:size], data[size:]


def fields(data):
    """Decodes a message without fixed-size fields: number -> the values."""
    found = {}
    while data:
        key, data = take_varint(data)
        if key & 7 == 0:
            value, data = take_varint(data)
        elif key & 7 == 2:
            value, data = take_sized(data)
        else:
            raise ValueError(f'a field of type {key & 7}')
        found.setdefault(key >> 3, []).append(value)
    return found


def decode(frame):
    """Returns (exception, message) of an answer: the exception is (class, text), or None."""
    header, rest = take_sized(frame)
    exception = fields(header).get(2)
    if exception:
        parts = fields(exception[0])
        return (parts[1][0].decode(), parts.get(2, [b''])[0].decode()), b''
    return None, take_sized(rest)[0] if rest else b''


def region(name):
    return message((1, 1), (2, name))
