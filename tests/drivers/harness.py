#!/usr/bin/env python3
"""harness.py [--kill] [--auth | --tls] [--listen hbase|thrift] [--serve-option OPTION] WIDEROW PROJECT [NAME=VALUE...]: runs one driver project.

tests/drivers/README.md describes projects. The script starts `WIDEROW serve` on an empty data directory and any free port, and runs
PROJECT/run HOST PORT http=HOST:PORT restart=yes NAME=VALUE.... It restarts the server when the project asks for this, and stops it at
the end. It fails if a case is neither ok nor not applicable. The cases are those of PROJECT/cases.md, or else of the cases.md beside
this script. If the project's toolchain or registry is missing, it prints a line that says so and ends with status 77."""
import argparse
import os
import pathlib
import pwd
import re
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / 'bench' / 'load'))
from servers import wait_until_ready  # noqa: E402

SKIPPED = 77
STOP_SECONDS_MAX = 60
LISTEN_OPTIONS = {'hbase': '--hbase-port', 'thrift': '--hbase-thrift-port'}


class Server:
    """A `widerow serve` on one data directory. start() after stop() uses the same ports."""

    def __init__(self, widerow, directory, auth=False, options=()):
        self.widerow = widerow
        self.directory = directory
        self.auth = auth
        self.options = options
        self.cql = self.http = None
        self.others = {}  # The addresses for clients of HBase: 'hbase' or 'thrift' -> HOST:PORT. Empty text: any free port.
        self.process = None

    def start(self):
        def port(address):
            return address.rsplit(':', 1)[1] if address else '0'

        command = [self.widerow, 'serve', '--data', self.directory, '--port', port(self.cql), '--http-port', port(self.http)]
        if self.auth:
            command.append('--auth')
        for name, address in self.others.items():
            command += [LISTEN_OPTIONS[name], port(address)]
        if 'thrift' in self.others and 'hbase' not in self.others:
            command += [LISTEN_OPTIONS['hbase'], '0']  # The port for Thrift needs it.
        command += self.options
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            addresses = wait_until_ready(self.process)
        except ValueError as error:
            sys.exit(f'harness: {error}')
        self.cql, self.http = addresses['cql'], addresses.get('http')
        self.others = {name: addresses[name] for name in self.others}

    def client_address(self):
        """Returns the address that the project is given."""
        return next(iter(self.others.values()), self.cql)

    def shell_options(self):
        """Returns the options with which `widerow shell` connects."""
        return ['--user', 'cassandra'] if self.auth else []

    def stop(self, kill=False):
        """Stops the server. Returns True if it ended cleanly."""
        if self.process.poll() is not None:
            print(f'harness: the server ended by itself with status {self.process.returncode}', flush=True)
            return False
        self.process.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
        try:
            status = self.process.wait(timeout=STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            print(f'harness: the server did not stop in {STOP_SECONDS_MAX} s', flush=True)
            return False
        if status != (-signal.SIGKILL if kill else 0):
            print(f'harness: the server stopped with status {status}', flush=True)
            return False
        return True


class TlsServer(Server):
    """A server that takes only clients with TLS and a certificate. The identity of `ann` logs in as the superuser, that of
    `bob` as a role without permissions."""

    def __init__(self, widerow, directory, certificates):
        self.certificates = certificates
        super().__init__(widerow, directory, True, [*tls_options(certificates, 'server'), '--tls-ca', certificates / 'ca.pem'])

    def start(self):
        super().start()
        add = ("ADD IDENTITY IF NOT EXISTS 'spiffe://test/ann' TO ROLE 'cassandra'; CREATE ROLE IF NOT EXISTS bob WITH LOGIN = true; "
               "ADD IDENTITY IF NOT EXISTS 'spiffe://test/bob' TO ROLE 'bob'")
        subprocess.run([self.widerow, 'shell', self.http, *self.shell_options(), '-e', add],
                       env={**os.environ, 'WIDEROW_PASSWORD': 'cassandra'}, check=True)

    def shell_options(self):
        own = self.certificates / 'nameless'
        return [*super().shell_options(), '--tls', '--tls-ca', self.certificates / 'ca.pem', '--tls-certificate',
                own.with_suffix('.pem'), '--tls-key', own.with_suffix('.key')]


def make_certificates(parent):
    """Makes the certificates of tests/tls/make_certificates. Returns their folder."""
    certificates = pathlib.Path(parent) / 'certificates'
    subprocess.run([HERE.parent / 'tls' / 'make_certificates', certificates], check=True)
    return certificates


def tls_options(certificates, name):
    """Returns the options of `serve` for a server with the certificate `name`."""
    return ['--tls-port', 'none', '--tls-certificate', certificates / f'{name}.pem', '--tls-key', certificates / f'{name}.key']


def skip(what):
    """Ends the test as skipped, because a toolchain or a registry is missing."""
    required = os.environ.get('WIDEROW_DRIVERS_REQUIRED') == '1'
    print(f'{"FAILED, not to be skipped here" if required else "SKIPPED"}: {what}')
    sys.exit(1 if required else SKIPPED)


def run_python(widerow, command):
    """Runs `command(server)`, a script and its arguments, on a fresh server, with a Python that has cassandra-driver. Returns the status."""
    made = subprocess.run([HERE / 'python' / 'environment', 'cassandra-driver'], stdout=subprocess.PIPE, text=True, check=False)
    if made.returncode == SKIPPED:
        skip(made.stdout.strip().removeprefix('skip '))
    if made.returncode != 0:
        return made.returncode
    with tempfile.TemporaryDirectory(prefix='widerow-drivers-') as directory:
        server = Server(widerow, directory)
        server.start()
        try:
            status = subprocess.run([pathlib.Path(made.stdout.strip()) / 'bin' / 'python', *command(server)], check=False).returncode
        finally:
            stopped = server.stop()
    return status if stopped else 1


def make_partitioned(server):
    """Makes the tables of partitioned/schema.cql, which use clauses of Widerow only. Every driver's schema parser must read them."""
    schema = HERE / 'partitioned' / 'schema.cql'
    environment = {**os.environ, 'WIDEROW_PASSWORD': 'cassandra'}
    subprocess.run([server.widerow, 'shell', server.http, *server.shell_options(), '-f', schema], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def case_names(project):
    own = project / 'cases.md'
    if own.exists():
        text = own.read_text(encoding='utf-8')
    else:
        text = (HERE / 'cases.md').read_text(encoding='utf-8')
        text = text[:text.index('# The case with TLS')]
    if project.name != 'python' and not own.exists():
        text = text[:text.index('# The cases for the Python projects')]
    names = re.findall(r'^\| `(\w+)` \|', text, re.MULTILINE)
    assert len(names) == len(set(names)) and len(names) > 10, names
    return names


def run_project(project, server, arguments, kill):
    """Returns (status, case -> verdict, reason of a skip, True if all restarts were clean)."""
    host, port = server.client_address().rsplit(':', 1)
    command = [str(project / 'run'), host.strip('[]'), port, 'restart=yes', *arguments]
    if server.http:
        command.append(f'http={server.http}')
    verdicts, skipped, clean = {}, None, True
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            print(line, end='', flush=True)
            if line == 'RESTART\n':
                clean = server.stop(kill) and clean
                server.start()
                process.stdin.write('GO\n')
                process.stdin.flush()
            elif match := re.match(r'(ok|FAIL|not-applicable|not-run) (\w+)', line):
                verdict, case = match.groups()
                verdicts[case] = 'FAIL' if verdicts.get(case, verdict) != verdict else verdict
            elif line.startswith('skip '):
                skipped = line[5:].strip()
        status = process.wait()
    return status, verdicts, skipped, clean


def judge(status, verdicts, cases):
    """Returns the faults of a project's run, one sentence for each."""
    if status != 0:
        yield f'the project ended with status {status}'
    for case in cases:
        if verdicts.get(case) not in ('ok', 'not-applicable'):
            yield f'{case}: {verdicts.get(case, "never mentioned")}'
    for case, verdict in verdicts.items():
        if case not in cases and verdict != 'not-applicable':  # `tls` is not applicable without TLS.
            yield f'{case}: no such case in cases.md'
    if list(verdicts.values()).count('ok') < len(cases) // 2:
        yield 'fewer than half of the cases are ok'


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--kill', action='store_true', help='restart by SIGKILL instead of a clean stop')
    parser.add_argument('--auth', action='store_true', help='clients have to log in')
    parser.add_argument('--tls', action='store_true', help='clients have to use TLS and to show a certificate')
    parser.add_argument('--listen', choices=LISTEN_OPTIONS, help='the project is given the port for these clients in place of the port for CQL')
    parser.add_argument('--serve-option', action='append', default=[], help='another option of `serve`; may be given several times')
    parser.add_argument('widerow', type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument('project', type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument('arguments', nargs='*')
    options = parser.parse_args()
    cases = case_names(options.project)
    for argument in options.arguments:
        if argument.startswith('only='):
            cases = argument[5:].split(',')

    with tempfile.TemporaryDirectory(prefix='widerow-drivers-') as directory:
        others = []
        if options.tls:
            certificates = make_certificates(directory)
            server = TlsServer(options.widerow, f'{directory}/data', certificates)
            others = [Server(options.widerow, f'{directory}/{name}', False, tls_options(certificates, name))
                      for name in ('expired', 'wrong_host', 'unknown_server')]
        else:
            server = Server(options.widerow, directory, options.auth, options.serve_option)
        for one in (server, *others):
            if options.listen:
                one.others[options.listen] = ''
            one.start()
        if options.auth:
            options.arguments += ['user=cassandra', 'password=cassandra']
        if options.tls:
            refused = ','.join(f'{pathlib.Path(one.directory).name}:{one.client_address().rsplit(":", 1)[1]}' for one in others)
            options.arguments += [f'tls={certificates}', f'tls_refused={refused}']
        try:
            make_partitioned(server)
            status, verdicts, skipped, clean = run_project(options.project, server, options.arguments, options.kill)
        finally:
            stopped = all([one.stop() for one in (server, *others)])
    if status == SKIPPED and skipped and not verdicts:
        skip(f'{options.project.name}: {skipped}')
    problems = list(judge(status, verdicts, cases))
    if not clean or not stopped:
        problems.append('the server did not end cleanly')
    print('\n'.join(f'FAILED: {problem}' for problem in problems) or f'{list(verdicts.values()).count("ok")} cases ok, '
          f'{list(verdicts.values()).count("not-applicable")} not applicable')
    sys.exit(1 if problems else 0)


if __name__ == '__main__':
    os.environ.setdefault('HOME', pwd.getpwuid(os.getuid()).pw_dir)  # Toolchains keep their packages there.
    main()
