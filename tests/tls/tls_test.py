#!/usr/bin/env python3
"""tls_test.py WIDEROW: tests TLS with programs that people use: `widerow serve` and its messages, `widerow shell`, and curl."""
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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'drivers'))
import harness  # noqa: E402

SECONDS_MAX = 60
QUERY = '{"query": "SELECT release_version FROM system.local"}'


class TlsTest(unittest.TestCase):
    widerow = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix='widerow-tls-')
        cls.certificates = harness.make_certificates(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(prefix='widerow-tls-')
        self.servers = []

    def tearDown(self):
        for server in self.servers:
            server.kill()
            server.wait()
            server.stdout.close()
        self.directory.cleanup()

    def file(self, name):
        return str(self.certificates / name)

    def run_program(self, *command, status=0, **environment):
        done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=SECONDS_MAX, check=False)
        self.assertEqual(done.returncode, status, f'{command}: {done.stdout}{done.stderr}')
        return done.stdout + done.stderr

    def shell(self, address, *options, status=0, **environment):
        return self.run_program(self.widerow, 'shell', address, *options, '-e', 'SELECT release_version FROM system.local',
                                status=status, **environment)

    def curl(self, port, *options, status=0, host='localhost'):
        return self.run_program('curl', '-sS', '--noproxy', '*', '--max-time', '20', f'https://{host}:{port}/v1/query', '-d', QUERY,
                                '-H', 'Content-Type: application/json', *options, status=status)

    def serve(self, *options, certificate='server'):
        """Starts a server on the data directory. Returns it and its ports by name."""
        command = [self.widerow, 'serve', '--data', f'{self.directory.name}/{len(self.servers)}', '--port', '0', '--http-port', '0']
        if certificate:
            command += ['--tls-certificate', self.file(f'{certificate}.pem'), '--tls-key', self.file(f'{certificate}.key'), '--tls-port', '0']
        self.errors = pathlib.Path(self.directory.name) / f'errors{len(self.servers)}'
        with open(self.errors, 'wb') as errors:
            server = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=errors, text=True)
        self.servers.append(server)
        line = server.stdout.readline()
        self.assertRegex(line, '^ready ', self.errors.read_text())
        return server, {name: int(port) for name, port in re.findall(r'\b(cqls|cql|http)=[0-9.]+:(\d+)', line)}

    def wait_for_message(self, text):
        end = time.monotonic() + SECONDS_MAX
        while text not in self.errors.read_text():
            self.assertLess(time.monotonic(), end, f'no {text!r} in {self.errors.read_text()}')
            time.sleep(0.02)

    def subject(self, port):
        """Returns the common name of a server's certificate."""
        context = ssl.create_default_context(cafile=self.file('ca.pem'))
        with context.wrap_socket(socket.create_connection(('127.0.0.1', port), 20), server_hostname='localhost') as secured:
            return dict(pair[0] for pair in secured.getpeercert()['subject'])['commonName']

    def test_curl_and_the_shell_check_the_server(self):
        _, ports = self.serve()
        self.assertEqual(set(ports), {'cql', 'cqls', 'http'})
        for host in ('localhost', '127.0.0.1'):
            self.assertIn('"5.0.9"', self.curl(ports['http'], '--cacert', self.file('ca.pem'), host=host))
            self.assertIn('5.0.9', self.shell(f'{host}:{ports["http"]}', '--tls', '--tls-ca', self.file('ca.pem')))
        self.assertIn('5.0.9', self.curl(ports['http'], '--cacert', self.file('ca.pem'), '--tls-max', '1.2'))
        self.curl(ports['http'], '--cacert', self.file('ca.pem'), '--tls-max', '1.1', status=35)
        self.curl(ports['http'], status=60)
        self.assertIn("the server's certificate is refused", self.shell(f'localhost:{ports["http"]}', '--tls', status=2))
        backup = ['backup', '--server', f'localhost:{ports["http"]}', '--to', f'{self.directory.name}/backup']
        for said in (self.shell(f'localhost:{ports["http"]}', status=2), self.run_program(self.widerow, *backup, status=1)):
            self.assertIn('this port requires TLS\nhint: add --tls, and --tls-ca FILE', said)
        self.assertFalse(os.path.exists(backup[-1]), 'a refused backup leaves no directory behind')
        for name, reason in (('expired', 'certificate has expired'), ('wrong_host', 'hostname mismatch'),
                             ('unknown_server', 'unable to get local issuer certificate')):
            _, ports = self.serve(certificate=name)
            self.curl(ports['http'], '--cacert', self.file('ca.pem'), status=60)
            refused = self.shell(f'localhost:{ports["http"]}', '--tls', '--tls-ca', self.file('ca.pem'), status=2)
            self.assertIn(f"the server's certificate is refused: {reason}", refused)
        self.assertIn('IP address mismatch', self.shell(f'127.0.0.1:{self.serve(certificate="wrong_host")[1]["http"]}', '--tls',
                                                        '--tls-ca', self.file('ca.pem'), status=2))
        _, ports = self.serve(certificate=None)
        self.assertIn('Cannot connect', self.shell(f'localhost:{ports["http"]}', '--tls', '--tls-ca', self.file('ca.pem'), status=2))

    def test_certificates_log_in(self):
        _, ports = self.serve('--auth', '--tls-ca', self.file('ca.pem'))
        address = f'localhost:{ports["http"]}'

        def shell_options(name):
            return ['--tls', '--tls-ca', self.file('ca.pem'), '--tls-certificate', self.file(f'{name}.pem'), '--tls-key', self.file(f'{name}.key')]

        def curl_options(name):
            return ['--cacert', self.file('ca.pem'), '--cert', self.file(f'{name}.pem'), '--key', self.file(f'{name}.key')]

        self.assertIn("Certificate identity 'spiffe://test/ann' not authorized", self.shell(address, *shell_options('ann'), status=2))
        self.run_program(self.widerow, 'shell', address, *shell_options('nameless'), '-u', 'cassandra', '-e',
                         "CREATE ROLE ann WITH LOGIN = true; ADD IDENTITY 'spiffe://test/ann' TO ROLE 'ann'", WIDEROW_PASSWORD='cassandra')
        self.assertIn('5.0.9', self.shell(address, *shell_options('ann')))
        self.assertIn('"5.0.9"', self.curl(ports['http'], *curl_options('ann')))
        self.assertIn('You have not logged in', self.curl(ports['http'], *curl_options('nameless')))
        for name in ('expired_client', 'unknown_client'):
            self.curl(ports['http'], *curl_options(name), status=56)
            self.assertIn('alert', self.shell(address, *shell_options(name), status=2))
        self.curl(ports['http'], '--cacert', self.file('ca.pem'), status=56)
        self.wait_for_message('TLS handshake with 127.0.0.1:')

    def test_a_signal_reads_the_certificate_again(self):
        files = pathlib.Path(self.directory.name)

        def use(certificate, key):
            for name, kind in ((certificate, 'pem'), (key, 'key')):
                (files / kind).write_bytes((self.certificates / f'{name}.{kind}').read_bytes())
            os.chmod(files / 'key', 0o600)

        use('server', 'server')
        server, ports = self.serve('--tls-certificate', str(files / 'pem'), '--tls-key', str(files / 'key'), '--tls-port', '0', certificate=None)
        context = ssl.create_default_context(cafile=self.file('ca.pem'))
        with context.wrap_socket(socket.create_connection(('127.0.0.1', ports['http']), 20), server_hostname='localhost') as before:
            use('renewed', 'renewed')
            server.send_signal(signal.SIGHUP)
            self.wait_for_message('SIGHUP: new connections use the certificate that has been read again')
            self.assertEqual([self.subject(ports[name]) for name in ('cql', 'cqls', 'http')], ['renewed'] * 3)
            use('server', 'ann')
            server.send_signal(signal.SIGHUP)
            self.wait_for_message(f'SIGHUP: the certificate stays as it was: the key {files}/key does not belong to the certificate {files}/pem')
            self.assertEqual(self.subject(ports['cqls']), 'renewed')
            before.sendall(b'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
            self.assertIn(b'200 OK', before.recv(4096), 'the connection from before is open')
        server.send_signal(signal.SIGTERM)
        self.assertEqual(server.wait(SECONDS_MAX), 0)

    def test_messages_at_the_start(self):
        def refused(*options):
            return self.run_program(self.widerow, 'serve', '--data', f'{self.directory.name}/none', '--port', '0', '--http-port', '0',
                                    '--tls-port', '0', *options, status=1)

        self.assertIn('cannot read the key /nowhere.key: No such file or directory',
                      refused('--tls-certificate', self.file('server.pem'), '--tls-key', '/nowhere.key'))
        self.assertIn(f'the key {self.file("ann.key")} does not belong to the certificate {self.file("server.pem")}',
                      refused('--tls-certificate', self.file('server.pem'), '--tls-key', self.file('ann.key')))
        self.serve(certificate='expired')
        self.assertIn('expired.pem expired on ', self.errors.read_text())
        open_to_all = ['--listen', '0.0.0.0', '--auth']
        self.serve_beyond(*open_to_all, certificate=None)
        self.assertIn('clients of other machines can connect without TLS: passwords and data cross the network unencrypted', self.errors.read_text())
        self.serve_beyond(*open_to_all, '--tls', 'optional')
        self.assertIn('--tls required would prevent this', self.errors.read_text())
        self.serve_beyond(*open_to_all)
        self.assertNotIn('without TLS', self.errors.read_text())

    def serve_beyond(self, *options, certificate='server'):
        with self.subTest(options):
            self.serve(*options, certificate=certificate)

    def test_a_flood_of_handshakes_leaves_others_their_turn(self):
        """Clients of 127.0.0.2 begin handshakes as fast as they can. A client of another address still gets in, and requests on
        connections that are open are answered."""
        _, ports = self.serve()
        context = ssl.create_default_context(cafile=self.file('ca.pem'))
        hello = ssl.MemoryBIO()
        begun = context.wrap_bio(ssl.MemoryBIO(), hello, server_hostname='localhost')
        with self.assertRaises(ssl.SSLWantReadError):
            begun.do_handshake()
        first_message = hello.read()
        with context.wrap_socket(socket.create_connection(('127.0.0.1', ports['http']), 20), server_hostname='localhost') as is_open:
            flood, slowest = [], 0
            for _ in range(100):
                one = socket.create_connection(('127.0.0.1', ports['http']), 20, source_address=('127.0.0.2', 0))
                one.sendall(first_message)
                flood.append(one)
            for _ in range(5):
                begin = time.monotonic()
                is_open.sendall(b'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
                self.assertIn(b'200 OK', is_open.recv(4096))
                self.assertEqual(self.subject(ports['cqls']), 'server')
                slowest = max(slowest, time.monotonic() - begin)
            for one in flood:
                one.close()
        self.assertLess(slowest, 5)


if __name__ == '__main__':
    TlsTest.widerow = str(pathlib.Path(sys.argv[1]).resolve())
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)
