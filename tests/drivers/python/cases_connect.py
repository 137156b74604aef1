"""Cases of protocol versions, of compression, of the time of a new connection, and of an idle connection."""
import statistics
import time

import cassandra.connection
from cassandra import ProtocolVersion
from support import case, check, equal

BIG = {False: 'a row that is not big', 'lz4': 'big ' * 25_000}


def connects(context, version, compression, text):
    with context.session(protocol_version=version, compression=compression) as session:
        cluster = session.cluster
        equal(cluster.protocol_version, version, 'the version of the session')
        connection = next(iter(cluster.get_connection_holders())).get_connections()[0]
        equal(connection.protocol_version, version, 'the version of the connection')
        equal(connection._compressor is not None or (version >= ProtocolVersion.V5 and bool(connection.compressor)),
              bool(compression), 'whether requests are compressed')
        session.execute('CREATE TABLE IF NOT EXISTS greeting (k int PRIMARY KEY, v text)')
        session.execute('INSERT INTO greeting (k, v) VALUES (%s, %s)', (version, text))
        row = session.execute('SELECT k, v FROM greeting WHERE k = %s', (version,)).one()
        equal((row.k, row.v), (version, text), 'the row')


@case
def connect_v3(context):
    connects(context, ProtocolVersion.V3, False, BIG[False])


@case
def connect_v3_lz4(context):
    connects(context, ProtocolVersion.V3, 'lz4', BIG['lz4'])


@case
def connect_v4(context):
    connects(context, ProtocolVersion.V4, False, BIG[False])


@case
def connect_v4_lz4(context):
    connects(context, ProtocolVersion.V4, 'lz4', BIG['lz4'])


@case
def connect_v5(context):
    connects(context, ProtocolVersion.V5, False, 'segments ' * 33_000)
    connects(context, ProtocolVersion.V5, False, BIG[False])


@case
def connect_v5_lz4(context):
    text = ''.join(map(str, range(60_000)))  # 289 kB, which do not fit into one segment even when compressed.
    connects(context, ProtocolVersion.V5, 'lz4', text)
    connects(context, ProtocolVersion.V5, 'lz4', 'a' * 300_000)
    connects(context, ProtocolVersion.V5, 'lz4', BIG[False])


@case
def connect_default(context):
    milliseconds = []
    for _ in range(10):
        begin = time.perf_counter()
        with context.connect(compression=True) as session:
            milliseconds.append((time.perf_counter() - begin) * 1000)
            version = session.cluster.protocol_version
            equal(version, ProtocolVersion.V5, 'the version that was agreed on')
            check('lz4' in cassandra.connection.locally_supported_compressions, 'lz4 is there')
            check(session.execute("SELECT cluster_name FROM system.local WHERE key = 'local'").one(), 'a row')
    print(f'time connect {statistics.median(milliseconds):.1f}')
    return f'v{version}'


@case
def idle_heartbeat(context):
    with context.session(idle_heartbeat_interval=1, idle_heartbeat_timeout=5) as session:
        connections = [c for holder in session.cluster.get_connection_holders() for c in holder.get_connections()]
        time.sleep(3.5)
        for connection in connections:
            check(not connection.is_defunct and not connection.is_closed, 'the connection lives')
        check(session.execute("SELECT key FROM system.local WHERE key = 'local'").one(), 'a row')
        after = [c for holder in session.cluster.get_connection_holders() for c in holder.get_connections()]
        check(set(map(id, connections)) == set(map(id, after)), 'the same connections')
