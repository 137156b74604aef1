"""A small client of the native protocol, version 5. It sends and shows what drivers hide, such as "now in seconds", unset values, paging
states and the ids of prepared statements. It has one connection and one request at a time."""
import functools
import socket
import struct
import zlib

UNSET = object()  # This value stands for a value that is not set.

STARTUP, READY, QUERY, RESULT, PREPARE, EXECUTE, BATCH, ERROR = 0x01, 0x02, 0x07, 0x08, 0x09, 0x0A, 0x0D, 0x00
_SCALARS = {1: 'ascii', 2: 'bigint', 3: 'blob', 4: 'boolean', 5: 'counter', 6: 'decimal', 7: 'double', 8: 'float', 9: 'int',
            0x0B: 'timestamp', 0x0C: 'uuid', 0x0D: 'text', 0x0E: 'varint', 0x0F: 'timeuuid', 0x10: 'inet', 0x11: 'date', 0x12: 'time',
            0x13: 'smallint', 0x14: 'tinyint', 0x15: 'duration'}
_CONSISTENCY_ONE = 1
_PAYLOAD_MAX = 0x1FFFF


class Connection:
    def __init__(self, host, port):
        self.socket = socket.create_connection((host, port), timeout=90)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = b''
        self.framed = False
        self.send(STARTUP, struct.pack('>H', 1) + _string('CQL_VERSION') + _string('3.4.7'))
        if self.receive()[0] != READY:
            raise OSError('the server wants a login')
        self.framed = True

    def close(self):
        self.socket.close()

    def send(self, opcode, body):
        envelope = struct.pack('>BBHBI', 5, 0, 1, opcode, len(body)) + body
        if self.framed:
            whole = len(envelope) <= _PAYLOAD_MAX
            envelope = b''.join(_segment(envelope[at:at + _PAYLOAD_MAX], whole) for at in range(0, len(envelope), _PAYLOAD_MAX))
        self.socket.sendall(envelope)

    def receive(self):
        """Returns (opcode, warnings, body as a Reader)."""
        while True:
            envelope = self._payload(9)
            flags, opcode, length = envelope[1], envelope[4], struct.unpack('>I', envelope[5:9])[0]
            while len(envelope) < 9 + length:
                envelope += self._payload(9 + length - len(envelope))
            body = Reader(envelope[9:])
            warnings = [body.string() for _ in range(body.short())] if flags & 8 else []
            return opcode, warnings, body

    # Returns the next part of an envelope: `count` bytes, or, after version 5's segments have begun, the payload of the next segment.
    def _payload(self, count):
        if not self.framed:
            return self._read(count)
        length = int.from_bytes(self._read(6)[:3], 'little') & _PAYLOAD_MAX
        payload = self._read(length)
        self._read(4)  # The checksum of the segment is skipped, because TCP has checked the bytes.
        return payload

    def _read(self, count):
        while len(self.received) < count:
            more = self.socket.recv(1 << 16)
            if not more:
                raise OSError('the server closed the connection')
            self.received += more
        taken, self.received = self.received[:count], self.received[count:]
        return taken


class Reader:
    """Reads the data types of the protocol from a body."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        self.at += count
        return self.data[self.at - count:self.at]

    def int(self):
        return struct.unpack('>i', self.take(4))[0]

    def short(self):
        return struct.unpack('>H', self.take(2))[0]

    def string(self):
        return self.take(self.short()).decode()

    def short_bytes(self):
        return self.take(self.short())

    def bytes(self):
        length = self.int()
        return None if length < 0 else self.take(length)

    def type(self):
        code = self.short()
        if code in _SCALARS:
            return _SCALARS[code]
        if code == 0:
            return self.string()
        if code in (0x20, 0x22):
            return f'{"list" if code == 0x20 else "set"}<{self.type()}>'
        if code == 0x21:
            return f'map<{self.type()}, {self.type()}>'
        if code == 0x30:
            name = f'{self.string()}.{self.string()}'
            return f'{name}({", ".join(f"{self.string()} {self.type()}" for _ in range(self.short()))})'
        if code == 0x31:
            return f'tuple<{", ".join(self.type() for _ in range(self.short()))}>'
        raise ValueError(f'unknown type {code}')


class Metadata:
    """The metadata of rows or of bind markers. Each of `columns` is (keyspace.table, name, type)."""

    def __init__(self, body, of_markers=False):
        flags, count = body.int(), body.int()
        self.key = [body.short() for _ in range(body.int())] if of_markers else []
        self.state = body.bytes() if flags & 2 else None
        self.new_id = body.short_bytes() if flags & 8 else None
        self.columns = None
        if not flags & 4:
            table = f'{body.string()}.{body.string()}' if flags & 1 else ''
            self.columns = [(table or f'{body.string()}.{body.string()}', body.string(), body.type()) for _ in range(count)]
        self.count = count


def query(text, parameters):
    return QUERY, _long_string(text) + parameters


def prepare(text):
    return PREPARE, _long_string(text) + struct.pack('>I', 0)


def execute(prepared_id, metadata_id, parameters):
    return EXECUTE, _short_bytes(prepared_id) + _short_bytes(metadata_id) + parameters


def batch(kind, parts, now, timestamp=None):
    """Makes a BATCH message. Each of `parts` is (text or prepared id, values)."""
    body = struct.pack('>BH', kind, len(parts))
    for part, values in parts:
        body += (b'\0' + _long_string(part) if isinstance(part, str) else b'\1' + _short_bytes(part))
        body += struct.pack('>H', len(values)) + b''.join(map(_value, values))
    flags = 0x100 | (0x20 if timestamp is not None else 0)
    body += struct.pack('>HI', _CONSISTENCY_ONE, flags)
    return BATCH, body + (struct.pack('>q', timestamp) if timestamp is not None else b'') + struct.pack('>i', now)


def parameters(values=(), now=None, page_rows=None, state=None, names=None, timestamp=None):
    """Makes the parameters of a QUERY or EXECUTE. `names` are the names of the values, if values are sent by name."""
    present = ((0x01, values), (0x04, page_rows), (0x08, state), (0x20, timestamp is not None), (0x40, names), (0x100, now is not None))
    made = struct.pack('>HI', _CONSISTENCY_ONE, sum(flag for flag, given in present if given))
    if values:
        made += struct.pack('>H', len(values))
        made += b''.join((_string(names[i]) if names else b'') + _value(value) for i, value in enumerate(values))
    made += struct.pack('>i', page_rows) if page_rows else b''
    made += struct.pack('>I', len(state)) + state if state else b''
    made += struct.pack('>q', timestamp) if timestamp is not None else b''
    return made + (struct.pack('>i', now) if now is not None else b'')


def _value(value):
    if value is None or value is UNSET:
        return struct.pack('>i', -1 if value is None else -2)
    return struct.pack('>I', len(value)) + value


def _string(text):
    return struct.pack('>H', len(text.encode())) + text.encode()


def _long_string(text):
    return struct.pack('>I', len(text.encode())) + text.encode()


def _short_bytes(data):
    return struct.pack('>H', len(data)) + data


def _segment(payload, whole):
    header = len(payload) | (whole << 17)
    return header.to_bytes(3, 'little') + _crc24(header).to_bytes(3, 'little') + payload \
        + zlib.crc32(payload, zlib.crc32(b'\xfa\x2d\x55\xca')).to_bytes(4, 'little')


@functools.lru_cache(maxsize=4096)
def _crc24(header):
    crc = 0x875060
    for byte in header.to_bytes(3, 'little'):
        crc ^= byte << 16
        for _ in range(8):
            crc <<= 1
            if crc & 0x1000000:
                crc ^= 0x1974F0B
    return crc
