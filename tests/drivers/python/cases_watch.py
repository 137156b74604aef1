"""Cases of keys and load, as a program with a driver sees them: EXPLAIN ANALYZE, heat, guardrail warnings, table throughput."""
from cassandra.cluster import NoHostAvailable
from cassandra.protocol import ErrorMessage
from cassandra.query import tuple_factory
from support import case, check, equal, refused, wait_until


def warnings_of(session, statement, values=None):
    future = session.execute_async(statement, values)
    future.result()
    return future.warnings or []


@case
def explain_analyze(context):
    """EXPLAIN ANALYZE must show rows examined and returned, partitions touched, bytes and time. Bind markers are allowed."""
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TABLE examined (k int, c int, v int, PRIMARY KEY (k, c))')
        insert = session.prepare('INSERT INTO examined (k, c, v) VALUES (?, ?, ?)')
        for c in range(100):
            session.execute(insert, (1, c, c % 10))
        analyze = session.prepare('EXPLAIN ANALYZE SELECT c FROM examined WHERE k = ? AND v = ? ALLOW FILTERING')
        lines = [line for (line,) in session.execute(analyze, (1, 3))]
        check(any('rows     100 examined, 10 returned (10.0 %)' in line for line in lines), f'{lines}')
        check(any('partitions 1 touched, 15 pruned, 16 in all; 1 partition key' in line for line in lines), f'{lines}')
        check(any(line.startswith('  time') and 'read' in line for line in lines), f'{lines}')
        rows = session.execute("SELECT executions, rows_written FROM system_views.statements WHERE keyspace_name = %s AND "
                               "table_name = 'examined' AND kind = 'INSERT' ALLOW FILTERING", (context.prefix,)).all()
        equal(rows[0][0], 100, 'how often the INSERT was run')


@case
def heat_of_keys(context):
    """The heat map must show which keys are read and written, and must name the shape of the load."""
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TABLE warm (id int PRIMARY KEY, v text)')
        insert = session.prepare('INSERT INTO warm (id, v) VALUES (?, ?)')
        for first in range(0, 6_400, 64):  # There must be enough operations, because the map records only one of 64.
            for written in [session.execute_async(insert, (i, 'x')) for i in range(first, first + 64)]:
                written.result()
        of_table = f"WHERE keyspace_name = '{context.prefix}' AND table_name = 'warm'"
        writes = sum(row[0] for row in session.execute(f"SELECT writes FROM system_views.heat {of_table} AND axis = 'token'"))
        check(3_200 <= writes <= 12_800, f'{writes} writes on the map')
        shapes = {(axis, operation): shape for axis, operation, shape in
                  session.execute(f'SELECT axis, operation, shape FROM system_views.heat_shapes {of_table}')}
        equal(shapes['key', 'writes'], 'sequential', 'the shape of sequential keys')
        busy = session.execute(f'SELECT partition_key FROM system_views.busy_partitions {of_table}').all()
        check(len(busy) > 10, f'{len(busy)} busy partitions')


@case
def large_partitions(context):
    """The list of the largest partitions must have this partition."""
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TABLE lumpy (k int, c int, v text, PRIMARY KEY (k, c))')
        insert = session.prepare('INSERT INTO lumpy (k, c, v) VALUES (?, ?, ?)')
        for c in range(500):
            session.execute(insert, (7, c, 'v' * 200))
        session.execute(insert, (8, 1, 'small'))
        context.restart_server()  # A restart counts the rows in the data file.

        def listed():
            try:
                return session.execute('SELECT partition_key, rows FROM system_views.large_partitions WHERE keyspace_name = %s '
                                       "AND table_name = 'lumpy' AND rank = 1", (context.prefix,)).one()
            except NoHostAvailable:
                return None

        wait_until(listed, 'the session answers again', seconds=60)
        equal(listed(), ('7', 500), 'the largest partition')


@case
def guardrail_warnings(context):
    """Long keys, many key columns and large values must work, and must give a warning."""
    with context.session(row_factory=tuple_factory) as session:
        warnings = warnings_of(session, 'CREATE TABLE four (a int, b int, c int, d int, PRIMARY KEY (a, b, c, d))')
        check(any('has 4 columns' in warning for warning in warnings), f'{warnings}')
        check(not warnings_of(session, 'CREATE TABLE guarded (k text PRIMARY KEY, v blob)'), 'a table that is as it should be')
        insert = session.prepare('INSERT INTO guarded (k, v) VALUES (?, ?)')
        check(not warnings_of(session, insert, ('k' * 1024, b'v')), 'a key of 1 KiB')
        warnings = warnings_of(session, insert, ('k' * 2048, b'v'))
        check(any('Key value of column k' in warning and '2,048 bytes' in warning for warning in warnings), f'{warnings}')
        equal(session.execute('SELECT v FROM guarded WHERE k = %s', ('k' * 2048,)).one(), (b'v',), 'the row with the long key')
        warnings = warnings_of(session, insert, ('large', b'x' * 2_000_000))
        check(any('Value of column v' in warning and '2,000,000 bytes' in warning for warning in warnings), f'{warnings}')
        equal(len(session.execute("SELECT v FROM guarded WHERE k = 'large'").one()[0]), 2_000_000, 'the large value')


@case
def table_throughput(context):
    """Writes above a table's limit must be refused with Overloaded, and the meter must show the load."""
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TABLE narrow (k int PRIMARY KEY, v text) WITH write_limit = 5')
        insert = session.prepare('INSERT INTO narrow (k, v) VALUES (?, ?)')

        def write_many():
            for k in range(1000):
                session.execute(insert, (k, 'v'))

        refused((NoHostAvailable, ErrorMessage), 'has used its write_limit of 5 units a second', write_many)
        row = session.execute("SELECT write_limit, write_units, writes_refused FROM system_views.table_throughput WHERE "
                              "keyspace_name = %s AND table_name = 'narrow'", (context.prefix,)).one()
        equal(row[0], 5, 'the limit')
        check(row[1] >= 5 and row[2] >= 1, f'units and refusals: {row}')
        session.execute('ALTER TABLE narrow WITH write_limit = 0')
        write_many()
