"""A server under test: runs statements over the native protocol and gives answers that can be compared byte by byte."""
import math
import struct
import time

from cassandra import ConsistencyLevel
from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile, NoHostAvailable
from cassandra.policies import WhiteListRoundRobinPolicy
from cassandra.protocol import ErrorMessage, ProtocolHandler, QueryMessage, ResultMessage, read_int
from cassandra.query import tuple_factory


class _RawResult(ResultMessage):
    """Keeps values as the bytes that were received."""

    def recv_results_rows(self, f, protocol_version, user_type_map, result_metadata, *rest):
        self.recv_results_metadata(f, user_type_map)
        columns = self.column_metadata or result_metadata
        self.column_names = [c[2] for c in columns]
        self.column_types = [c[3] for c in columns]
        rows = [self.recv_row(f, len(columns)) for _ in range(read_int(f))]
        self.parsed_rows = [[_one_nan(value, t) for value, t in zip(row, self.column_types)] for row in rows]


def _one_nan(value, cql_type):
    """Bytes of a real, of which NaN has many: which one a function of Cassandra's gives depends on how it was compiled."""
    name = cql_type.typename
    if value is not None and name in _REALS and len(value) == struct.calcsize(_REALS[name]) and math.isnan(struct.unpack(_REALS[name], value)[0]):
        return b'NaN'
    return value


_REALS = {'float': '>f', 'double': '>d'}


class _RawHandler(ProtocolHandler):
    message_types_by_opcode = {**ProtocolHandler.message_types_by_opcode, ResultMessage.opcode: _RawResult}


class _Frame:
    """Takes a request's parameters: the driver does not know protocol v5's "now in seconds", which goes behind them, with a flag."""

    def __init__(self):
        self.parts = []

    def write(self, part):
        self.parts.append(part)


def _write_query_params(message, f, protocol_version):
    now = _write_query_params.now
    if _write_query_params.values:
        message.query_params = list(_write_query_params.values)
    if now is None:
        return _plain_query_params(message, f, protocol_version)
    frame = _Frame()
    _plain_query_params(message, frame, protocol_version)
    consistency, flags = frame.parts[0], struct.unpack('>I', frame.parts[1])[0]
    for part in [consistency, struct.pack('>I', flags | 0x100), *frame.parts[2:], struct.pack('>i', now)]:
        f.write(part)


_write_query_params.now, _write_query_params.values = None, ()
_plain_query_params = QueryMessage._write_query_params
QueryMessage._write_query_params = _write_query_params


class Target:
    def __init__(self, name, host, port):
        self.name = name
        profile = ExecutionProfile(row_factory=tuple_factory, consistency_level=ConsistencyLevel.ONE, request_timeout=60,
                                   load_balancing_policy=WhiteListRoundRobinPolicy([host]))
        self.cluster = Cluster([host], port=port, execution_profiles={EXEC_PROFILE_DEFAULT: profile},
                               schema_metadata_enabled=False, token_metadata_enabled=False, protocol_version=5)
        self.session = self.cluster.connect()
        self.session.client_protocol_handler = _RawHandler
        self.session.default_fetch_size = None
        self.session.use_client_timestamp = False

    def run(self, statement, begun=None):
        """Returns _answer. Waits while an index is not available: Cassandra builds storage-attached indexes in the background."""
        until = time.monotonic() + 5
        answer = self._answer(statement, begun)
        while answer[0] == 'error' and 'INDEX_NOT_AVAILABLE' in answer[2] and time.monotonic() < until:
            time.sleep(0.2)
            answer = self._answer(statement, begun)
        return answer

    def _answer(self, statement, begun):
        """('rows', names, types, rows), or ('error', class): what two servers must agree on. It is `statement.seconds` after `begun`
        for the server, or its own clock's time."""
        try:
            _write_query_params.now = None if begun is None else begun + statement.seconds
            _write_query_params.values = () if begun is None else statement.values
            result = self.session.execute(statement if begun is None else statement.text)
        except Exception as error:  # The driver's classes follow the protocol's codes.
            if isinstance(error, NoHostAvailable) and error.errors:  # Its only host has failed: how.
                error = next(iter(error.errors.values()))
            message = error.args[0] if error.args else ''
            kind = type(message).__name__ if isinstance(message, ErrorMessage) else type(error).__name__
            return ('error', kind, str(error))
        if result.column_names is None:
            return ('done',)
        types = [t.cql_parameterized_type() for t in result.column_types]
        return ('rows', list(result.column_names), types, list(result))

    def close(self):
        self.cluster.shutdown()
