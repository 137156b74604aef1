#!/usr/bin/env python3
"""hostile_test.py WIDEROW [--requests=N] [--seed=N]: broken requests at the port for HBase's clients.

Sends valid requests with changed, missing and added bytes, wrong lengths and wrong preambles. Whatever it gets, the server must go on
to answer valid requests of other connections, must not grow by more than 64 MiB, and must end cleanly.

Some requests make the server work or remember much for few bytes (costly_attacks). During these its memory may grow to the bound
of its requests and answers, and it must go on to answer others."""
import contextlib
import pathlib
import random
import re
import socket
import struct
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'drivers'))
from harness import Server  # noqa: E402
from protocol import greeting, message, receive, region, request, varint  # noqa: E402

sys.path.insert(0, str(HERE.parents[1] / 'bench' / 'load'))
from servers import Server as Costs  # noqa: E402

SCHEMA = '''
CREATE KEYSPACE IF NOT EXISTS "default" WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
USE "default";
CREATE TABLEGROUP hostile;
CREATE TABLE hostile$f (K varbinary(1024), Q varbinary(256), T bigint, V varbinary(1048576), PRIMARY KEY (K, Q, T))
  TABLEGROUP = hostile PARTITION BY KEY (K) PARTITIONS 7;
'''
GROWTH_MIB_MAX = 64
PEAK_MIB_MAX = 900  # The bound of requests and answers is 512 MiB. The allocator and the kernel add to it.
FILTERS = 'org.apache.hadoop.hbase.filter.'


def connect(server):
    host, port = server.others['hbase'].rsplit(':', 1)
    return socket.create_connection((host.strip('[]'), int(port)), timeout=20)


def ask(server, service, *requests):
    """Returns the answers to valid requests, sent one after the other."""
    answers = []
    with connect(server) as connection:
        connection.sendall(greeting(service))
        for each in requests:
            connection.sendall(each)
            answers.append(receive(connection))
    return answers


def valid_requests(name):
    """One request of each kind, for the region of a table."""
    put = message((1, b'row'), (2, 2), (3, message((1, b'f'), (2, message((1, b'q'), (2, b'value'), (3, 5))))))
    delete = message((1, b'other'), (2, 3), (3, message((1, b'f'), (2, message((1, b'q'), (3, 5), (4, 1))))))
    increment = message((1, b'count'), (2, 1), (3, message((1, b'f'), (2, message((1, b'n'), (2, struct.pack('>q', 3)))))))
    append = message((1, b'text'), (2, 0), (3, message((1, b'f'), (2, message((1, b'q'), (2, b'x'))))))
    binary = message((1, FILTERS + 'BinaryComparator'), (2, message((1, message((1, b'v'))))))
    compare = message((1, message((1, 2), (2, binary))))
    value = message((1, FILTERS + 'ValueFilter'), (2, compare))
    prefix = message((1, FILTERS + 'PrefixFilter'), (2, message((1, b'r'))))
    both = message((1, FILTERS + 'FilterList'), (2, message((1, 1), (2, prefix), (2, value))))
    get = message((1, b'row'), (2, message((1, b'f'), (2, b'q'))), (4, both), (5, message((1, 0), (2, 100))), (6, 3))
    scan = message((1, message((1, b'f'))), (3, b'a'), (4, b'z'), (5, both), (7, 2), (9, 3), (10, 1000))
    condition = message((1, b'row'), (2, b'f'), (3, b'q'), (4, 2), (5, binary))
    actions = message((1, region(name)), (3, message((1, 0), (2, put))), (3, message((1, 1), (3, get))), (3, message((1, 2), (2, delete))))
    client = [('Get', message((1, region(name)), (2, get))), ('Multi', message((1, actions))),
              ('Scan', message((1, region(name)), (2, scan), (4, 10), (7, 1)))]
    client += [('Mutate', message((1, region(name)), (2, mutation))) for mutation in (put, delete, increment, append)]
    client += [('Mutate', message((1, region(name)), (2, put), (3, condition)))]
    table = message((1, b'default'), (2, b'hostile'))
    master = [('GetTableDescriptors', message((1, table))), ('GetTableState', message((1, table))), ('GetTableNames', message((1, 'host.*'))),
              ('IsMasterRunning', b''), ('GetClusterStatus', b'')]
    registry = [('GetClusterId', b''), ('GetActiveMaster', b''), ('GetMetaRegionLocations', b''), ('GetBootstrapNodes', b'')]
    return ([('ClientService', request(*each)) for each in client] + [('MasterService', request(*each)) for each in master]
            + [('ClientMetaService', request(*each)) for each in registry])


def changed(data, rng):
    """A request with a few faults."""
    data = bytearray(data)
    for _ in range(1 + rng.randrange(4)):
        at = rng.randrange(len(data)) if data else 0
        match rng.randrange(8):
            case 0 | 1 | 2 if data:
                data[at] = rng.randrange(256)
            case 3:
                data[at:at] = rng.randbytes(rng.randrange(1, 9))
            case 4:
                del data[at:at + rng.randrange(1, 9)]
            case 5:
                del data[at:]
            case 6:
                data[at:at] = varint(rng.choice([0xffffffff, 0x7fffffff, 1 << 40, (1 << 64) - 1]))
            case _:
                data[at:at] = data[rng.randrange(len(data) or 1):][:rng.randrange(1, 200)]
    return bytes(data)


def attack(server, valid, rng):
    """One connection that sends a few requests with faults, and perhaps reads an answer."""
    service, frame = rng.choice(valid)
    begin = greeting(service) if rng.randrange(10) else changed(greeting(service), rng)
    try:
        with connect(server) as connection:
            connection.settimeout(0.02)
            connection.sendall(begin)
            for _ in range(rng.randrange(1, 6)):
                body = changed(frame[4:], rng)
                length = len(body) if rng.randrange(8) else rng.choice([0, 1, len(body) + 100, 1 << 31, (1 << 32) - 1, 100 << 20])
                connection.sendall(struct.pack('>I', length) + body)
            connection.recv(1000)
    except OSError:
        pass  # The server may close the connection.


def flood_of_preambles(server):
    """Asks for the registry again and again, and reads no answer."""
    with connect(server) as connection:
        connection.settimeout(5)
        for _ in range(400):
            connection.sendall(b'Regist' * 20_000)


def empty_actions(server, name):
    """Sends a Multi with 30 million actions, which have two bytes each."""
    body = message((1, region(name))) + b'\x1a\x00' * 30_000_000
    with connect(server) as connection:
        connection.sendall(greeting('ClientService') + request('Multi', message((1, body))))
        connection.settimeout(60)
        receive(connection)


def thrift(server, call):
    host, port = server.others['thrift'].rsplit(':', 1)
    with socket.create_connection((host.strip('[]'), int(port)), timeout=20) as connection:
        connection.sendall(call)
        connection.recv(1000)


def thrift_call(name, *fields):
    """Begins a call of Thrift's binary protocol, whose arguments are (type, number, bytes)."""
    arguments = b''.join(struct.pack('>bh', kind, number) + value for kind, number, value in fields)
    return struct.pack('>II', 0x80010001, len(name)) + name.encode() + struct.pack('>I', 1) + arguments


def costly_attacks(server, name):
    """Yields each attack's name and a function for it."""
    table = struct.pack('>I', 7) + b'hostile'
    yield 'preambles without reading', lambda: flood_of_preambles(server)
    yield 'a Multi of empty actions', lambda: empty_actions(server, name)
    yield 'a Thrift list that says it is long', lambda: thrift(
        server, thrift_call('mutateRows', (11, 1, table), (15, 2, struct.pack('>bI', 12, 90_000_000))))
    yield 'a Thrift text that says it is long', lambda: thrift(
        server, thrift_call('get', (11, 1, table), (11, 2, struct.pack('>I', 0x7fffffff))))
    yield 'a Thrift name that says it is long', lambda: thrift(server, struct.pack('>II', 0x80010001, 0x7fffffff))


def costly_faults(server, name):
    for attack_name, run in costly_attacks(server, name):
        costs = Costs('widerow', '', server.process.pid)
        pathlib.Path(f'/proc/{server.process.pid}/clear_refs').write_text('5', encoding='ascii')  # Begins a new peak.
        before = costs.resident_mib()
        # Several at once, as a hostile client would.
        attackers = [threading.Thread(target=suppressed, args=(run,)) for _ in range(3)]
        for attacker in attackers:
            attacker.start()
        for attacker in attackers:
            attacker.join()
        peak = costs.peak_mib() - before
        print(f'{attack_name}: the server grew by up to {peak:.0f} MiB')
        if peak > PEAK_MIB_MAX:
            yield f'{attack_name}: the server grew by up to {peak:.0f} MiB'
        if b'Exception' in ask(server, 'MasterService', request('IsMasterRunning', b''))[0]:
            yield f'after {attack_name}, a valid request is refused'


def suppressed(run):
    with contextlib.suppress(OSError):  # The server may close the connection.
        run()


def faults(server, requests, seed):
    rng = random.Random(seed)
    meta = ask(server, 'ClientService', request('Scan', message((1, region(b'hbase:meta,,1')), (2, message((7, 1))), (4, 10))))[0]
    name = re.search(rb'hostile,,\d+\.[0-9a-f]{32}\.', meta)
    if name is None:
        yield f'hbase:meta has no region of the table: {meta[:300]!r}'
        return
    valid = valid_requests(name.group())
    for service, frame in valid:
        answer = ask(server, service, frame)[0]
        if b'Exception' in answer:
            yield f'a valid request of {service} is refused: {frame!r}: {answer[:300]!r}'
    costs = Costs('widerow', '', server.process.pid)
    before = costs.resident_mib()
    for i in range(requests):
        attack(server, valid, rng)
        if i % 100 == 99:
            # A row of its own, since an attack may have deleted the others.
            row = b'fresh%d' % i
            put = message((1, row), (2, 2), (3, message((1, b'f'), (2, message((1, b'q'), (2, b'found'))))))
            answers = ask(server, 'ClientService', request('Mutate', message((1, region(name.group())), (2, put))),
                          request('Get', message((1, region(name.group())), (2, message((1, row))))))
            if b'found' not in answers[1]:
                yield f'after {i + 1} attacks, a valid Get found {answers[1][:300]!r}'
    growth = costs.resident_mib() - before
    print(f'{requests} attacks: the server has grown by {growth:.1f} MiB')
    if growth > GROWTH_MIB_MAX:
        yield f'the server has grown by {growth:.1f} MiB'
    yield from costly_faults(server, name.group())


def main():
    options = dict(argument.removeprefix('--').split('=') for argument in sys.argv[2:])
    with tempfile.TemporaryDirectory(prefix='widerow-hbase-') as directory:
        server = Server(sys.argv[1], directory)
        server.others = {'hbase': '', 'thrift': ''}
        server.start()
        try:
            schema = pathlib.Path(directory) / 'schema.cql'
            schema.write_text(SCHEMA, encoding='utf-8')
            subprocess.run([server.widerow, 'shell', server.http, '-f', schema], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            found = list(faults(server, int(options.get('requests', 2000)), int(options.get('seed', 1))))
        except OSError as error:
            found = [f'the server does not answer a valid request: {error}']
        finally:
            stopped = server.stop()
    if not stopped:
        found.append('the server did not end cleanly')
    print('\n'.join(f'FAILED: {fault}' for fault in found) or 'the server has answered all valid requests')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
