#!/usr/bin/env python3
"""logs_test.py WIDEROW: tests the log, slow statements, audits, SIGHUP and the service manager's messages over a real server."""
import http.client
import json
import pathlib
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import unittest
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'differential'))
import protocol  # noqa: E402: found by the line above
from server import Server, wait_until  # noqa: E402

WIDEROW = str(pathlib.Path(sys.argv.pop(1)).resolve())
KEYSPACE = "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"
TEXT_LINE = re.compile(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (debug|info|warning|error) \w+: .+')


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def login_v4(port, role, password):
    """Logs in over the native protocol, version 4. Returns the opcode of the answer."""
    with socket.create_connection(('127.0.0.1', port), timeout=60) as client:
        def call(opcode, body):
            client.sendall(struct.pack('>BBHBI', 4, 0, 1, opcode, len(body)) + body)
            head = client.recv(9, socket.MSG_WAITALL)
            client.recv(struct.unpack('>I', head[5:])[0], socket.MSG_WAITALL)
            return head[4]
        call(0x01, struct.pack('>H', 1) + b'\0\x0bCQL_VERSION\0\x053.0.0')
        token = f'\0{role}\0{password}'.encode()
        return call(0x0F, struct.pack('>i', len(token)) + token)


class Slow(unittest.TestCase):
    def test_slow_statements_have_rows_and_no_constants(self):
        with Server(WIDEROW, '--log-format', 'json', '--slow-statement-ms', '1', '--log-file', 'log') as server:
            server.must(KEYSPACE)
            server.must('CREATE TABLE k.t (p int, c int, v text, PRIMARY KEY (p, c))')
            for begin in range(0, 20_000, 5_000):
                rows = ''.join(f"INSERT INTO k.t (p, c, v) VALUES (1, {c}, 'v{c}');" for c in range(begin, begin + 5_000))
                server.must(f'BEGIN UNLOGGED BATCH {rows} APPLY BATCH')
            server.must("SELECT * FROM k.t WHERE v = 'v19999' ALLOW FILTERING", page_size=10)
            server.must('SELECT * FROM k.t WHERE v = ? ALLOW FILTERING', params=['v19999'], page_size=10, keyspace='k')
            slow = [line for line in lines(server.file('log')) if line['component'] == 'slow']
            reads = [line for line in slow if line['message'] == 'SELECT * FROM k.t WHERE v = ? ALLOW FILTERING']
            self.assertEqual(len(reads), 2, slow)
            for read in reads:
                self.assertEqual((read['rows_examined'], read['rows_returned'], read['keyspace'], read['role'], read['level']),
                                 (20_000, 1, 'k', 'anonymous', 'warning'))
                self.assertGreaterEqual(read['duration_ms'], 1)
                self.assertRegex(read['client'], r'^127\.0\.0\.1:\d+$')
            self.assertTrue(any('INSERT INTO k.t (p, c, v) VALUES (?, ?, ?)' in line['message'] for line in slow))
            self.assertNotIn('v19999', server.file('log'))

    def test_no_bound_no_slow_statements(self):
        with Server(WIDEROW, '--slow-statement-ms', '0') as server:
            server.must(KEYSPACE)
            self.assertNotIn(' slow: ', server.file('errors'))


class Faults(unittest.TestCase):
    def test_a_damaged_page_is_in_the_log_and_counted(self):
        with tempfile.TemporaryDirectory(prefix='widerow-damaged-') as directory:
            data = pathlib.Path(directory) / 'data'
            rows = ''.join(f"INSERT INTO k.t (p, c, v) VALUES (1, {c}, 'v{c:06}{'x' * 200}');\n" for c in range(2_000))
            subprocess.run([WIDEROW, 'shell', '--data', str(data)], check=True, stdout=subprocess.DEVNULL, text=True,
                           input=f'{KEYSPACE}; CREATE TABLE k.t (p int, c int, v text, PRIMARY KEY (p, c));\n'
                                 f'BEGIN UNLOGGED BATCH\n{rows}APPLY BATCH;\n')
            file = data / 'data.mdb'
            content = bytearray(file.read_bytes())
            at = content.find(b'v001900x')
            self.assertGreater(at, 0)
            while at > 0:  # Copies of the page may be free; all are damaged.
                content[at + 20] ^= 1
                at = content.find(b'v001900x', at + 1)
            file.write_bytes(content)
            with Server(WIDEROW, '--log-format', 'json', '--log-file', 'log', data=data) as server:
                with self.assertRaises(http.client.IncompleteRead) as cut:  # The first rows have been sent.
                    server.ask('SELECT * FROM k.t')
                self.assertIn(b'"error":{', cut.exception.partial)
                self.assertEqual(server.ask('SELECT count(*) FROM k.t')[0], 500)
                faults = [line for line in lines(server.file('log')) if line['component'] == 'statement']
                self.assertEqual([(fault['level'], fault['statement']) for fault in faults],
                                 [('error', 'SELECT * FROM k.t'), ('error', 'SELECT count(*) FROM k.t')])
                for fault in faults:
                    self.assertIn('k.t', fault['message'])
                with urllib.request.urlopen(f'http://{server.http}/metrics', timeout=60) as metrics:
                    self.assertRegex(metrics.read().decode(),
                                     r'widerow_request_errors_total\{protocol="http",error="ServerError"\} 2\n')


class Audit(unittest.TestCase):
    def audits(self, server):
        return [(line['category'], line['result'], line['message']) for line in lines(server.file('audit'))]

    def test_each_request_once_on_each_path(self):
        """The native protocol has short ways for texts of a known shape, for writes and for reads of one row."""
        with Server(WIDEROW, '--log-format', 'json', '--audit', 'all', '--audit-file', 'audit') as server:
            client = protocol.Connection('127.0.0.1', server.port)

            def call(message):
                client.send(*message)
                return client.receive()

            call(protocol.query(KEYSPACE, protocol.parameters()))
            call(protocol.query('CREATE TABLE k.t (p int PRIMARY KEY, v text)', protocol.parameters()))
            for i in range(3):
                call(protocol.query(f"INSERT INTO k.t (p, v) VALUES ({i}, 'secret{i}')", protocol.parameters()))
            call(protocol.query("INSERT INTO k.t (p, v) VALUES ('secret3', 'x')", protocol.parameters()))
            for i in range(2):
                call(protocol.query(f'SELECT v FROM k.t WHERE p = {i}', protocol.parameters()))
            for text, values in (('INSERT INTO k.t (p, v) VALUES (?, ?)', [struct.pack('>i', 7), b'secret7']),
                                 ('SELECT v FROM k.t WHERE p = ?', [struct.pack('>i', 7)])):
                body = call(protocol.prepare(text))[2]
                body.int()
                prepared, metadata = body.short_bytes(), body.short_bytes()
                call(protocol.execute(prepared, metadata, protocol.parameters(values)))
            call(protocol.batch(0, [("INSERT INTO k.t (p, v) VALUES (8, 'secret8')", [])] * 2, now=None or 0))
            call(protocol.query("SELEC 'secret9'", protocol.parameters()))
            client.close()
            wait_until(lambda: len(self.audits(server)) >= 12)
            insert, select = 'INSERT INTO k.t (p, v) VALUES (?, ?)', 'SELECT v FROM k.t WHERE p = ?'
            self.assertEqual(self.audits(server)[2:], [
                ('dml', 'ok', insert), ('dml', 'ok', insert), ('dml', 'ok', insert), ('error', 'failed', insert),
                ('query', 'ok', select), ('query', 'ok', select), ('dml', 'ok', insert), ('query', 'ok', select),
                ('dml', 'ok', f'BEGIN BATCH {insert}; APPLY BATCH'), ('error', 'failed', 'SELEC ?')])
            self.assertNotIn('secret', server.file('audit') + server.file('errors'))
            for line in lines(server.file('audit')):
                self.assertRegex(line['client'], r'^127\.0\.0\.1:\d+$')

    def test_constants_on_request(self):
        with Server(WIDEROW, '--log-format', 'json', '--audit', 'dml,query', '--audit-file', 'audit', '--log-literals') as server:
            server.must(KEYSPACE)
            server.must('CREATE TABLE k.t (p int PRIMARY KEY, v text)')
            client = protocol.Connection('127.0.0.1', server.port)
            for i in range(3):
                client.send(*protocol.query(f"INSERT INTO k.t (p, v) VALUES ({i}, 'v{i}')", protocol.parameters()))
                client.receive()
            client.close()
            wait_until(lambda: len(self.audits(server)) >= 3)
            self.assertEqual([text for _, _, text in self.audits(server)],
                             [f"INSERT INTO k.t (p, v) VALUES ({i}, 'v{i}')" for i in range(3)])

    def test_logins_refusals_and_passwords(self):
        options = ('--auth', '--log-format', 'json', '--audit', 'auth,dcl', '--audit-file', 'audit', '--log-literals',
                   '--slow-statement-ms', '1')
        with Server(WIDEROW, *options, environment={'WIDEROW_SUPERUSER_PASSWORD': 'Top-5ecret'}) as server:
            root = ('cassandra', 'Top-5ecret')
            server.must("CREATE ROLE ann WITH PASSWORD = 'Her-5ecret' AND LOGIN = true", *root)
            server.must(KEYSPACE, *root)
            server.must('CREATE TABLE k.t (p int PRIMARY KEY)', *root)
            self.assertEqual(server.ask('SELECT * FROM k.t', 'ann', 'Her-5ecret')[0], 403)
            self.assertEqual(server.ask('SELECT * FROM k.t', 'ann', 'Wrong-5ecret')[0], 401)
            server.ask("CREATE ROLE bob WITH PASSWORD = 'Bad-5ecret", *root)
            self.assertEqual(login_v4(server.port, 'ann', 'Her-5ecret'), 0x10)
            self.assertEqual(login_v4(server.port, 'ann', 'Wrong-5ecret'), 0x00)
            wait_until(lambda: len(self.audits(server)) >= 5)
            self.assertEqual(self.audits(server), [
                ('dcl', 'ok', 'CREATE ROLE ann WITH PASSWORD = ? AND LOGIN = true'),
                ('query', 'refused', 'SELECT * FROM k.t'),
                ('auth', 'refused', 'login'),
                ('auth', 'ok', 'login'),
                ('auth', 'refused', 'login')])
            roles = [line['role'] for line in lines(server.file('audit'))]
            self.assertEqual(roles, ['cassandra', 'ann', 'ann', 'ann', 'ann'])
            self.assertNotIn('5ecret', server.file('audit') + server.file('errors'))


class Signals(unittest.TestCase):
    def test_sighup_opens_the_files_again(self):
        with Server(WIDEROW, '--log-file', 'log', '--audit', 'ddl', '--audit-file', 'audit') as server:
            for name in ('log', 'audit'):
                (server.directory / name).rename(server.directory / f'{name}.1')
            server.process.send_signal(signal.SIGHUP)
            wait_until(lambda: (server.directory / 'log').exists() and 'SIGHUP' in server.file('log'))
            server.must(KEYSPACE)
            self.assertIn('CREATE KEYSPACE', server.file('audit'))
            self.assertNotIn('CREATE KEYSPACE', server.file('audit.1'))
            self.assertEqual(server.stop(), 0)
            self.assertIn('SIGTERM: stopping', server.file('log'))
            for line in (server.file('log.1') + server.file('log') + server.file('audit')).splitlines():
                self.assertRegex(line, TEXT_LINE)

    def test_service_manager(self):
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(listener.close)
        listener.bind(f'\0widerow-test-{socket.gethostname()}-{id(listener)}')
        listener.settimeout(60)
        name = '@' + listener.getsockname()[1:].decode()
        with Server(WIDEROW, environment={'NOTIFY_SOCKET': name}) as server:
            self.assertEqual(listener.recv(4_096).decode(), 'STATUS=opening the data directory')
            self.assertEqual(listener.recv(4_096).decode(), f'READY=1\nSTATUS=cql=127.0.0.1:{server.port} http={server.http}')
            self.assertEqual(server.stop(), 0)
            self.assertEqual(listener.recv(4_096).decode(), 'STOPPING=1\nSTATUS=bringing all writes into the data file')


class Start(unittest.TestCase):
    def test_low_limits_are_named(self):
        with Server(WIDEROW, '--log-format', 'json', '--map-size', '64G', before=['prlimit', '--as=16000000000']) as server:
            warnings = [line['message'] for line in lines(server.file('errors')) if line['level'] == 'warning']
            self.assertTrue(any('LimitAS=infinity' in message for message in warnings), warnings)

    def test_level(self):
        with Server(WIDEROW, '--log-level', 'error') as server:
            self.assertEqual(server.stop(), 0)
            self.assertEqual(server.file('errors'), '')
        with Server(WIDEROW, '--log-level', 'debug') as server:
            self.assertIn(' debug server: limits: open files ', server.file('errors'))


if __name__ == '__main__':
    unittest.main()
