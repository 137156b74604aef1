"""A server under test: runs statements over the native protocol and gives answers that can be compared byte by byte."""
from cassandra import ConsistencyLevel
from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile
from cassandra.policies import WhiteListRoundRobinPolicy
from cassandra.protocol import ErrorMessage, ProtocolHandler, ResultMessage, read_int
from cassandra.query import tuple_factory


class _RawResult(ResultMessage):
    """Values stay the bytes they came as."""

    def recv_results_rows(self, f, protocol_version, user_type_map, result_metadata, *rest):
        self.recv_results_metadata(f, user_type_map)
        columns = self.column_metadata or result_metadata
        self.column_names = [c[2] for c in columns]
        self.column_types = [c[3] for c in columns]
        self.parsed_rows = [self.recv_row(f, len(columns)) for _ in range(read_int(f))]


class _RawHandler(ProtocolHandler):
    message_types_by_opcode = {**ProtocolHandler.message_types_by_opcode, ResultMessage.opcode: _RawResult}


class Target:
    def __init__(self, name, host, port):
        self.name = name
        profile = ExecutionProfile(row_factory=tuple_factory, consistency_level=ConsistencyLevel.ONE, request_timeout=60,
                                   load_balancing_policy=WhiteListRoundRobinPolicy([host]))
        self.cluster = Cluster([host], port=port, execution_profiles={EXEC_PROFILE_DEFAULT: profile},
                               schema_metadata_enabled=False, token_metadata_enabled=False, protocol_version=4)
        self.session = self.cluster.connect()
        self.session.client_protocol_handler = _RawHandler
        self.session.default_fetch_size = None

    def run(self, statement):
        """('rows', names, types, rows), or ('error', class): what two servers must agree on."""
        try:
            result = self.session.execute(statement)
        except Exception as error:  # The driver's classes follow the protocol's codes.
            message = error.args[0] if error.args else ''
            kind = type(message).__name__ if isinstance(message, ErrorMessage) else type(error).__name__
            return ('error', kind, str(error))
        if result.column_names is None:
            return ('done',)
        types = [t.cql_parameterized_type() for t in result.column_types]
        return ('rows', list(result.column_names), types, list(result))

    def close(self):
        self.cluster.shutdown()


def same(a, b):
    return a[:2] == b[:2] if a[0] == 'error' and b[0] == 'error' else a == b
