#!/usr/bin/env python3
"""tls_test.py WIDEROW: the port for HBase's clients with TLS. Certificates log in as roles, and roles may do what they have been granted.

The requests are those of HBase's protocol, without HBase's client (tests/drivers/hbase has it)."""
import contextlib
import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'drivers'))
import harness  # noqa: E402
from operations import ADMIN, ADMIN_LATER, DELETE, INCREMENT, READING_WRITES, READS, REGION, TABLE, WRITES, family, get, mutate, put  # noqa: E402
from protocol import decode, fields, greeting, message, receive, region, request  # noqa: E402

SECONDS_MAX = 60
PASSWORD = 'first'
DENIED = 'org.apache.hadoop.hbase.security.AccessDeniedException'
DO_NOT_RETRY = 'org.apache.hadoop.hbase.DoNotRetryIOException'
SCHEMA = '''
CREATE KEYSPACE "default" WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
CREATE KEYSPACE shop WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
CREATE ROLE ann WITH LOGIN = true;
CREATE ROLE bob WITH LOGIN = true;
ADD IDENTITY 'spiffe://test/ann' TO ROLE 'ann';
ADD IDENTITY 'spiffe://test/bob' TO ROLE 'bob';
'''


class Client:
    """A connection. `service` is that of all its requests."""

    def __init__(self, connection, service):
        self.connection = connection
        connection.sendall(greeting(service))

    def ask(self, method, parameter):
        self.connection.sendall(request(method, parameter))
        return decode(receive(self.connection))


class HBaseTlsTest(unittest.TestCase):
    widerow = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix='widerow-hbase-tls-')
        cls.certificates = harness.make_certificates(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(prefix='widerow-hbase-tls-')
        self.server = None

    def tearDown(self):
        if self.server is not None:
            self.server.kill()
            self.server.wait()
            self.server.stdout.close()
        self.directory.cleanup()

    def file(self, name):
        return str(self.certificates / name)

    def serve(self, *options, certificate='server', auth=True):
        command = [self.widerow, 'serve', '--data', f'{self.directory.name}/data', '--port', '0', '--http-port', '0', '--hbase-port', '0']
        if certificate:
            command += ['--tls-certificate', self.file(f'{certificate}.pem'), '--tls-key', self.file(f'{certificate}.key'), '--tls-port', 'none']
        if auth:
            command += ['--auth', '--tls-ca', self.file('ca.pem'), '--tls-clients', 'optional']
        self.errors = pathlib.Path(self.directory.name) / 'errors'
        with open(self.errors, 'wb') as errors:
            self.server = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=errors, text=True,
                                           env={**os.environ, 'WIDEROW_SUPERUSER_PASSWORD': PASSWORD})
        line = self.server.stdout.readline()
        self.assertRegex(line, '^ready ', self.errors.read_text())
        self.ports = {name: int(port) for name, port in re.findall(r'\b(http|hbase)=[0-9.]+:(\d+)', line)}

    def wait_for_message(self, text):
        end = time.monotonic() + SECONDS_MAX
        while text not in self.errors.read_text():
            self.assertLess(time.monotonic(), end, f'no {text!r} in {self.errors.read_text()}')
            time.sleep(0.02)

    def cql(self, text):
        done = subprocess.run([self.widerow, 'shell', f'localhost:{self.ports["http"]}', '--tls', '--tls-ca', self.file('ca.pem'), '-u', 'cassandra',
                               '-e', text], env={**os.environ, 'WIDEROW_PASSWORD': PASSWORD}, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def socket(self, certificate=None, tls=True, newest=None, port='hbase'):
        plain = socket.create_connection(('127.0.0.1', self.ports[port]), SECONDS_MAX)
        if not tls:
            return plain
        context = ssl.create_default_context(cafile=self.file('ca.pem'))
        if newest:
            context.maximum_version = newest
        if certificate:
            context.load_cert_chain(self.file(f'{certificate}.pem'), self.file(f'{certificate}.key'))
        try:
            return context.wrap_socket(plain, server_hostname='localhost')
        except BaseException:
            plain.close()
            raise

    @contextlib.contextmanager
    def client(self, certificate, service='ClientService', **options):
        with self.socket(certificate, **options) as connection:
            yield Client(connection, service)

    def ask(self, certificate, method, parameter, service='ClientService'):
        with self.client(certificate, service) as client:
            return client.ask(method, parameter)

    def check(self, certificate, requests, allowed, service='ClientService'):
        """Sends each request, and checks whether it is refused."""
        for name, one in requests.items():
            with self.subTest(name, certificate=certificate):
                exception, answer = self.ask(certificate, *one, service=service)
                if allowed:
                    self.assertIsNone(exception)
                    self.assertNotIn(b'Exception', answer)
                else:
                    self.assertEqual(exception and exception[0], DENIED, exception)
                    self.assertRegex(exception[1], 'User ann has no [A-Z]+ permission on .* or any of its parents')

    def start_with_a_table(self):
        """Starts a server whose role `bob` has made the table shop:orders with the families f and g, and a row."""
        self.serve()
        self.cql(SCHEMA + "CREATE KEYSPACE empty WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};"
                          'GRANT CREATE ON KEYSPACE shop TO bob')
        table = message((1, TABLE), (3, family(b'f')), (3, family(b'g')))
        self.assertIsNone(self.ask('bob', 'CreateTable', message((1, table), (2, b'm')), 'MasterService')[0])
        self.assertIsNone(self.ask('bob', *mutate(put(b'row', b'stored')))[0])

    def test_clients_without_a_right_certificate(self):
        self.serve()
        self.cql(SCHEMA)
        for name in (None, 'expired_client', 'unknown_client'):
            for newest in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
                with self.subTest(name, newest=newest), self.assertRaises(OSError):
                    with self.client(name, 'ClientMetaService', newest=newest) as client:
                        client.ask('GetClusterId', b'')
        self.wait_for_message('TLS handshake with 127.0.0.1:')
        exception, _ = self.ask('nameless', 'GetClusterId', b'', 'ClientMetaService')
        self.assertEqual(exception[0], DENIED)
        self.assertIn('this one has no identity', exception[1])
        with self.client(None, tls=False) as client:
            exception, _ = client.ask('GetClusterId', b'')
            self.assertEqual(exception, ('org.apache.hadoop.hbase.ipc.FatalConnectionException',
                                         'This port requires TLS: set hbase.client.netty.tls.enabled to true'))
        self.cql("DROP IDENTITY 'spiffe://test/ann'")
        exception, _ = self.ask('ann', 'GetClusterId', b'', 'ClientMetaService')
        self.assertEqual(exception[0], DENIED)
        self.assertIn("Certificate identity 'spiffe://test/ann' not authorized", exception[1])
        # The other ports take clients without a certificate, because of --tls-clients optional.
        self.assertIn('bob', self.cql('LIST ROLES'))

    def test_large_requests_and_answers(self):
        self.start_with_a_table()
        for newest in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            with self.client('bob', newest=newest) as client:
                for size in (1, 4_095, 16_383, 16_384, 16_385, 70_000, 5_000_000):
                    value = os.urandom(size)
                    self.assertIsNone(client.ask(*mutate(put(b'large', value)))[0])
                    exception, answer = client.ask(*get(b'large'))
                    self.assertIsNone(exception)
                    self.assertIn(value, answer)
                # Many requests in one record, and requests in parts.
                requests = b''.join(request(*get(b'row'), call) for call in range(200))
                client.connection.sendall(requests)
                self.assertTrue(all(b'stored' in receive(client.connection) for _ in range(200)))
                for at in range(0, 700, 7):
                    client.connection.sendall(requests[at:at + 7])
                client.connection.sendall(requests[700:])
                self.assertTrue(all(b'stored' in receive(client.connection) for _ in range(200)))

    def test_permissions_of_rows(self):
        self.start_with_a_table()
        self.check('ann', READS | WRITES | READING_WRITES, allowed=False)
        self.check('bob', READS | READING_WRITES, allowed=True)
        actions = message((1, REGION), (3, message((1, 0), (2, put(b'row', b'new')))), (3, message((1, 1), (3, message((1, b'row'))))))
        answer = self.ask('ann', 'Multi', message((1, actions)))[1]
        self.assertEqual(answer.count(DENIED.encode()), 2, answer)
        atomic = message((1, REGION), (2, 1), (3, message((1, 0), (2, DELETE))))
        self.assertIn(DENIED.encode(), self.ask('ann', 'Multi', message((1, atomic)))[1])
        for tables in ('"orders$f"', '"orders$g"'):
            self.cql(f'GRANT SELECT ON shop.{tables} TO ann')
        self.check('ann', READS, allowed=True)
        self.check('ann', WRITES | READING_WRITES, allowed=False)
        self.assertIn(b'stored', self.ask('ann', *get(b'row'))[1])
        # MODIFY alone is enough to delete, although a delete reads the row.
        self.cql('REVOKE SELECT ON shop."orders$f" FROM ann; REVOKE SELECT ON shop."orders$g" FROM ann; '
                 'GRANT MODIFY ON shop."orders$f" TO ann')
        self.check('ann', READS | READING_WRITES | {'delete a row': WRITES['delete a row']}, allowed=False)
        both = message((1, REGION), (2, 1), (3, message((1, 0), (2, put(b'count', b'new')))), (3, message((1, 1), (2, INCREMENT))))
        self.assertIn(DENIED.encode(), self.ask('ann', 'Multi', message((1, both)))[1])
        self.check('ann', {'put': WRITES['put'], 'delete': WRITES['delete']}, allowed=True)
        self.assertNotIn(b'stored', self.ask('bob', *get(b'row'))[1])
        self.cql('GRANT MODIFY ON shop."orders$g" TO ann')
        self.check('ann', WRITES, allowed=True)
        self.cql('GRANT SELECT ON ALL TABLES IN KEYSPACE shop TO ann')
        self.check('ann', READS | WRITES | READING_WRITES, allowed=True)

    def test_an_open_connection_follows_the_permissions(self):
        self.start_with_a_table()
        self.cql('GRANT SELECT ON KEYSPACE shop TO ann')
        with self.client('ann') as client:
            self.assertIsNone(client.ask(*get(b'row'))[0])
            self.assertRegex(self.cql('SELECT username, ssl_protocol FROM system_views.clients'), r'ann *\| *TLSv1\.3')
            self.cql('REVOKE SELECT ON KEYSPACE shop FROM ann')
            self.assertEqual(client.ask(*get(b'row'))[0][0], DENIED)
            self.cql('GRANT SELECT ON KEYSPACE shop TO ann')
            self.assertIsNone(client.ask(*get(b'row'))[0])
            self.cql('DROP ROLE ann')
            self.assertEqual(client.ask(*get(b'row'))[0][0], DENIED)

    def test_scanners_belong_to_roles(self):
        self.start_with_a_table()
        for row in range(20):
            self.assertIsNone(self.ask('bob', *mutate(put(b'row%d' % row, b'stored')))[0])
        with self.client('bob') as client:
            exception, answer = client.ask('Scan', message((1, REGION), (2, message((7, 1))), (4, 1)))
            self.assertIsNone(exception)
            scanner = fields(answer)[2][0]
            exception, _ = self.ask('ann', 'Scan', message((3, scanner), (4, 10)))
            self.assertEqual(exception[0], 'org.apache.hadoop.hbase.UnknownScannerException')
            self.ask('ann', 'Scan', message((3, scanner), (5, 1)))
            self.assertIn(b'stored', client.ask('Scan', message((3, scanner), (4, 10)))[1])

    def test_permissions_of_tables(self):
        self.start_with_a_table()

        def admin(certificate, requests, allowed):
            self.check(certificate, requests, allowed, 'MasterService')

        admin('ann', ADMIN, allowed=False)
        # As in CQL, everybody sees names, but the bounds of regions are keys of rows.
        for method in ('GetTableNames', 'GetTableDescriptors'):
            self.assertIn(b'orders', self.ask('ann', method, b'', 'MasterService')[1])
        meta = ('Scan', message((1, region(b'hbase:meta,,1')), (2, message((7, 1))), (4, 100)))

        def starts(certificate):
            """Returns the first keys of the table's regions."""
            return set(re.findall(rb'shop:orders,([^,]*),1\.[0-9a-f]{32}\.', self.ask(certificate, *meta)[1]))

        self.assertEqual(len(starts('bob')), 2)
        self.assertEqual(starts('ann'), {b''})
        self.cql('GRANT SELECT ON shop."orders$f" TO ann')
        self.assertEqual(starts('ann'), starts('bob'))
        self.cql('GRANT ALTER ON shop."orders$f" TO ann')
        admin('ann', {name: ADMIN[name] for name in ('modify', 'disable', 'delete a family')}, allowed=False)
        admin('ann', {name: ADMIN[name] for name in ('modify a family',)}, allowed=True)
        self.cql('GRANT ALTER ON KEYSPACE shop TO ann')
        admin('ann', {name: ADMIN[name] for name in ('modify', 'add a family', 'delete a family')}, allowed=False)
        admin('ann', {'disable': ADMIN['disable']}, allowed=True)
        admin('ann', {name: ADMIN_LATER[name] for name in ('truncate', 'delete')}, allowed=False)
        self.cql('GRANT DROP ON shop."orders$f" TO ann; GRANT MODIFY ON shop."orders$f" TO ann')
        admin('ann', {name: ADMIN_LATER[name] for name in ('truncate', 'delete')}, allowed=False)
        described = self.ask('bob', 'GetTableDescriptors', message((1, TABLE)), 'MasterService')[1]
        self.assertEqual(len(fields(fields(described)[1][0])[3]), 2, 'no family was dropped')
        self.cql('GRANT MODIFY ON KEYSPACE shop TO ann')
        admin('ann', {'truncate': ADMIN_LATER['truncate'], 'disable': ADMIN['disable']}, allowed=True)
        # Without a permission on all tables of the keyspace.
        self.cql('GRANT DROP ON shop."orders$g" TO ann')
        admin('ann', {'delete': ADMIN_LATER['delete']}, allowed=True)
        self.assertNotIn('orders', self.cql('DESCRIBE KEYSPACE shop'))
        self.cql('GRANT CREATE ON ALL KEYSPACES TO ann; GRANT DROP ON KEYSPACE empty TO ann')
        admin('ann', {name: ADMIN[name] for name in ('create', 'create a namespace', 'delete a namespace')}, allowed=True)
        made = message((1, 'shop'), (2, 'made'))
        admin('ann', {'disable': ('DisableTable', message((1, made))), 'delete': ('DeleteTable', message((1, made)))}, allowed=True)

    def test_the_servers_own_tables(self):
        """A role needs no permissions on the keyspace hbase, and gets none."""
        self.start_with_a_table()
        self.assertIsNone(self.ask('bob', *mutate(DELETE))[0])
        self.assertIsNone(self.ask('bob', 'ModifyColumn', message((1, TABLE), (2, family(b'f'))), 'MasterService')[0])
        self.assertNotIn('hbase', self.cql('LIST ALL PERMISSIONS OF bob'))
        for method, name in (('DeleteNamespace', 'hbase'), ('CreateNamespace', message((1, 'hbase')))):
            self.assertIsNotNone(self.ask('bob', method, message((1, name)), 'MasterService')[0])
        own = message((1, message((1, message((1, 'hbase'), (2, 'mine'))), (3, family(b'f')))))
        self.assertEqual(self.ask('bob', 'CreateTable', own, 'MasterService')[0][0], DO_NOT_RETRY)

    def http(self, method, path, certificate, body=b''):
        with self.socket(certificate, port='http') as connection:
            connection.sendall(f'{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {len(body)}\r\n'
                               'Content-Type: application/json\r\n\r\n'.encode() + body)
            answer = b''
            while part := connection.recv(65_536):
                answer += part
        return int(answer.split(b' ')[1]), answer

    def test_the_same_over_http(self):
        self.start_with_a_table()
        row = '/v1/hbase/shop:orders/row'
        scan = ('POST', '/v1/hbase/shop:orders')
        self.assertEqual(self.http('GET', row, None)[0], 401)
        self.assertEqual(self.http('GET', row, 'bob')[0], 200)
        refused = self.http('GET', row, 'ann')
        self.assertEqual(refused[0], 403)
        self.assertIn(b'User ann has no SELECT permission on <table shop.orders$f>', refused[1])
        self.assertEqual(self.http('PUT', f'{row}/f:q', 'ann', b'new')[0], 403)
        self.assertEqual(self.http('DELETE', f'{row}/f:q', 'ann')[0], 403)
        self.assertEqual(self.http(*scan, 'ann', b'{"scan": {}}')[0], 403)
        batch = b'{"batch": [{"row": "r", "increment": [{"family": "f", "qualifier": "n", "amount": 1}]}]}'
        self.assertEqual(self.http(*scan, 'ann', batch)[0], 403)
        self.cql('GRANT SELECT ON KEYSPACE shop TO ann; GRANT MODIFY ON KEYSPACE shop TO ann')
        for one in (('GET', row, 'ann'), (*scan, 'ann', b'{"scan": {}}'), (*scan, 'ann', batch), ('DELETE', f'{row}/f:q', 'ann')):
            self.assertEqual(self.http(*one)[0], 200, one)

    def test_tls_without_logins(self):
        self.serve('--tls', 'optional', auth=False)
        for options in ({'tls': False}, {}):
            with self.client(None, 'MasterService', **options) as client:
                name = b'tls' if options == {} else b'plain'
                table = message((1, message((1, message((1, 'default'), (2, name))), (3, family(b'f')))))
                self.assertIsNone(client.ask('CreateTable', table)[0])
                self.assertIn(name, client.ask('GetTableNames', b'')[1])

    def test_a_signal_reads_the_certificate_again(self):
        files = pathlib.Path(self.directory.name)

        def use(name):
            for kind in ('pem', 'key'):
                (files / kind).write_bytes((self.certificates / f'{name}.{kind}').read_bytes())
            os.chmod(files / 'key', 0o600)

        def subject():
            with self.socket() as connection:
                return dict(pair[0] for pair in connection.getpeercert()['subject'])['commonName']

        use('server')
        self.serve('--tls-certificate', str(files / 'pem'), '--tls-key', str(files / 'key'), '--tls-port', 'none', certificate=None, auth=False)
        with self.client(None, 'MasterService') as before:
            self.assertEqual(subject(), 'server')
            use('renewed')
            self.server.send_signal(signal.SIGHUP)
            self.wait_for_message('SIGHUP: new connections use the certificate that has been read again')
            self.assertEqual(subject(), 'renewed')
            self.assertIsNone(before.ask('IsMasterRunning', b'')[0])
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(SECONDS_MAX), 0)

    def test_audits(self):
        self.serve('--audit', 'auth,dml')
        self.cql(SCHEMA + 'GRANT CREATE ON KEYSPACE shop TO bob')
        table = ('CreateTable', message((1, message((1, TABLE), (3, family(b'f'))))))
        self.ask('ann', *table, 'MasterService')
        self.assertIsNone(self.ask('bob', *table, 'MasterService')[0])
        self.ask('bob', *mutate(put(b'row', b'stored')))
        self.ask('ann', 'DisableTable', message((1, TABLE)), 'MasterService')
        log = self.errors.read_text()
        for one in ('login category=auth result=ok client=127.0.0.1 role=bob',
                    'CREATE TABLEGROUP "orders" category=ddl result=refused error=Unauthorized .*role=ann',
                    r'INSERT INTO "shop"\."orders\$f" \(k, q, t, v\) .* client=127.0.0.1:[0-9]+ role=bob',
                    'INSERT INTO hbase.tables .* keyspace=hbase role=.server.',
                    r'ALTER TABLE "shop"\."orders\$f" .* result=refused error=Unauthorized .*role=ann'):
            self.assertRegex(log, one)

    def test_messages_at_the_start(self):
        def refused(*options):
            done = subprocess.run([self.widerow, 'serve', '--data', f'{self.directory.name}/none', '--port', '0', '--http-port', '0', '--hbase-port', '0',
                                   *options], capture_output=True, text=True, timeout=SECONDS_MAX, check=False)
            self.assertNotEqual(done.returncode, 0)
            return done.stderr

        tls = ('--tls-port', 'none', '--tls-certificate', self.file('server.pem'), '--tls-key', self.file('server.key'))
        for options in ((), tls):
            self.assertIn('--hbase-port with --auth needs TLS and certificates of clients', refused('--auth', *options))
        self.assertIn('exclude each other', refused('--auth', *tls, '--tls-ca', self.file('ca.pem'), '--hbase-thrift-port', '0'))
        self.assertIn('--hbase-thrift-port needs --tls optional', refused(*tls, '--hbase-thrift-port', '0'))
        self.serve('--listen', '0.0.0.0', '--insecure', '--hbase-thrift-port', '0', certificate=None, auth=False)
        self.assertIn('clients of other machines can connect without TLS, also to --hbase-port: data crosses the network unencrypted; '
                      '--tls required without --hbase-thrift-port, which has no TLS, would prevent this', self.errors.read_text())


if __name__ == '__main__':
    HBaseTlsTest.widerow = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
