"""The functions that all cases share: the list of cases, sessions that are closed automatically, comparisons that show both values."""
import contextlib
import pathlib
import ssl
import sys
import time
import traceback

from cassandra.auth import PlainTextAuthProvider
from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile
from cassandra.policies import ConstantReconnectionPolicy, RoundRobinPolicy

REPLICATION = "{'class': 'SimpleStrategy', 'replication_factor': 1}"

_cases = []


def case(function):
    """Marks a function of a Context as the case with its name. If it returns a text, the text is printed as a remark."""
    _cases.append(function)
    return function


class NotApplicable(Exception):
    """A case raises this if the driver has no such feature."""


class NotRun(Exception):
    """The case `reconnect` raises this if nobody restarts the server."""


class Context:
    """The server's address, and its sessions. All cases use the keyspace `prefix`."""

    def __init__(self, host, port, prefix, may_restart, user=None, password=None, is_widerow=False, tls=None,
                 tls_refused=None):
        self.host = host
        self.port = port
        self.prefix = prefix
        self.may_restart = may_restart
        self.credentials = (user, password) if user else None
        self.is_widerow = is_widerow  # The server has an HTTP address.
        self.certificates = pathlib.Path(tls) if tls else None
        # The servers whose certificates must be refused: {'expired': 4711, ...}.
        self.tls_refused = {kind: int(at) for kind, at in (one.split(':') for one in tls_refused.split(','))} if tls_refused else {}

    def tls_context(self, certificate):
        """Returns a context of TLS with this client's certificate, or with none."""
        context = ssl.create_default_context(cafile=self.certificates / 'ca.pem')
        if certificate:
            context.load_cert_chain(self.certificates / f'{certificate}.pem', self.certificates / f'{certificate}.key')
        return context

    @contextlib.contextmanager
    def connect(self, keyspace=None, row_factory=None, port=None, certificate='ann', **settings):
        """Returns a session that is closed at the end of the block. `compression` is off unless it is given."""
        settings.setdefault('compression', False)
        if self.credentials:
            settings.setdefault('auth_provider', PlainTextAuthProvider(*self.credentials))
        if self.certificates:
            settings.setdefault('ssl_context', self.tls_context(certificate))
        profile = ExecutionProfile(load_balancing_policy=RoundRobinPolicy(), request_timeout=60)
        if row_factory:
            profile.row_factory = row_factory
        cluster = Cluster([self.host], port=port or self.port, execution_profiles={EXEC_PROFILE_DEFAULT: profile},
                          reconnection_policy=ConstantReconnectionPolicy(0.2, None), connect_timeout=20, **settings)
        try:
            yield cluster.connect(keyspace)
        finally:
            cluster.shutdown()

    def session(self, **settings):
        """Returns a session in the keyspace of all cases."""
        return self.connect(keyspace=self.prefix, **settings)

    def restart_server(self):
        if not self.may_restart:
            raise NotRun('nobody restarts the server')
        print('RESTART', flush=True)
        answer = sys.stdin.readline()
        equal(answer, 'GO\n', 'the answer to RESTART')


def drop_keyspaces(context):
    with context.connect(schema_metadata_enabled=False) as session:
        for row in session.execute('SELECT keyspace_name FROM system_schema.keyspaces'):
            if row.keyspace_name.startswith(context.prefix):
                session.execute(f'DROP KEYSPACE "{row.keyspace_name}"')


def run_cases(context, only):
    drop_keyspaces(context)
    with context.connect() as session:
        session.execute(f'CREATE KEYSPACE {context.prefix} WITH replication = {REPLICATION}')
    well = True
    for function in _cases:
        if only and function.__name__ not in only:
            continue
        name, begin = function.__name__, time.monotonic()
        try:
            remark = function(context)
            print('ok', name, remark or '', f'({time.monotonic() - begin:.1f} s)', flush=True)
        except NotApplicable as why:
            print(f'not-applicable {name}: {why}', flush=True)
        except NotRun as why:
            print(f'not-run {name}: {why}', flush=True)
        except Exception as error:  # A case may fail in any way; the others still run.
            well = False
            traceback.print_exc()
            print(f'FAIL {name}: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ""}', flush=True)
    drop_keyspaces(context)
    return well


def equal(actual, expected, what):
    if type(actual) is not type(expected) and not (isinstance(actual, (int, float)) and isinstance(expected, (int, float))):
        actual_type = type(actual).__name__
        if actual != expected:
            raise AssertionError(f'{what}: expected {expected!r:.500}, got {actual_type} {actual!r:.500}')
    elif actual != expected:
        raise AssertionError(f'{what}: expected {expected!r:.500}, got {actual!r:.500}')


def check(holds, what):
    if not holds:
        raise AssertionError(what)


def refused(kind, begin, action, *arguments, **named):
    """Checks that `action` raises an exception of class `kind` whose text contains `begin`. Returns the exception."""
    try:
        action(*arguments, **named)
    except kind as error:
        check(begin in str(error), f'{type(error).__name__} says {error}, expected: {begin}')
        return error
    raise AssertionError(f'not refused: expected {kind}: {begin}')


def wait_until(holds, what, seconds=10):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f'{what}: not within {seconds} s')
        time.sleep(0.02)
