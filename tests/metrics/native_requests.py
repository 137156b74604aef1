#!/usr/bin/env python3
"""native_requests.py HOST:PORT: sends three QUERY messages (one of them wrong in its syntax, one with an unknown table), a PREPARE, two
EXECUTE (one of an unknown id), a BATCH, and a message of an unknown kind. metrics_test.py checks how the server counts them."""
import socket
import struct
import sys

QUERY, PREPARE, EXECUTE, BATCH, ERROR, RESULT = 7, 9, 10, 13, 0, 8


class Client:
    def __init__(self, address):
        host, port = address.rsplit(':', 1)
        self.socket = socket.create_connection((host, int(port)), 30)
        self.ask(1, struct.pack('>H', 1) + b'\0\x0bCQL_VERSION\0\x053.0.0', 2)

    def read(self, size):
        data = b''
        while len(data) < size:
            received = self.socket.recv(size - len(data))
            assert received, 'the server has closed'
            data += received
        return data

    def ask(self, opcode, body, expected):
        self.socket.sendall(struct.pack('>BBHBI', 4, 0, 1, opcode, len(body)) + body)
        header = self.read(9)
        answer = self.read(struct.unpack('>I', header[5:])[0])
        assert header[4] == expected, (opcode, header, answer)
        return answer


def long_string(text):
    return struct.pack('>I', len(text)) + text


def main():
    client = Client(sys.argv[1])
    parameters = b'\0\1\0'
    text = b'SELECT key FROM system.local'
    client.ask(QUERY, long_string(text) + parameters, RESULT)
    client.ask(QUERY, long_string(b'SELEC') + parameters, ERROR)
    client.ask(QUERY, long_string(b'SELECT * FROM system.nothing') + parameters, ERROR)
    prepared = client.ask(PREPARE, long_string(text), RESULT)
    length = struct.unpack('>H', prepared[4:6])[0]
    client.ask(EXECUTE, prepared[4:6 + length] + parameters, RESULT)
    client.ask(EXECUTE, b'\0\4none' + parameters, ERROR)
    client.ask(BATCH, b'\0\0\0\0\1\0', RESULT)
    client.ask(0x77, b'', ERROR)


if __name__ == '__main__':
    main()
