"""Cases of refusals, tracing, USE, warnings, and a restart of the server."""
from cassandra import AlreadyExists, ConsistencyLevel, InvalidRequest, Unauthorized
from cassandra.cluster import NoHostAvailable
from cassandra.protocol import SyntaxException
from cassandra.query import BatchStatement, SimpleStatement, tuple_factory
from support import REPLICATION, case, check, equal, refused, wait_until

CODES = {SyntaxException: 0x2000, Unauthorized: 0x2100, InvalidRequest: 0x2200}


@case
def errors(context):
    keyspace = context.prefix
    with context.session() as session:
        session.execute('CREATE TABLE strict (k int, c int, v int, t text, PRIMARY KEY (k, c))')
        for statement, kind, begin in (
                ('SELEC * FROM strict', SyntaxException, "line 1:0 no viable alternative at input 'SELEC'"),
                ('SELECT * FROM strict WHERE k = 1 2', SyntaxException, "line 1:33 no viable alternative at input '2'"),
                ('SELECT * FROM nothing', InvalidRequest, 'table nothing does not exist'),
                ('SELECT * FROM nowhere.strict', InvalidRequest, 'keyspace nowhere does not exist'),
                ('SELECT x FROM strict', InvalidRequest, 'Undefined column name x in table'),
                ("INSERT INTO strict (k, c, v) VALUES (1, 1, 'a')", InvalidRequest, 'Invalid STRING constant (a) for "v" of type int'),
                ('INSERT INTO strict (k, v) VALUES (1, 1)', InvalidRequest, 'Some clustering keys are missing: c'),
                ('INSERT INTO strict (c, v) VALUES (1, 1)', InvalidRequest, 'Some partition key parts are missing: k'),
                ('SELECT * FROM strict WHERE v = 1', InvalidRequest,
                 'Cannot execute this query as it might involve data filtering'),
                ('SELECT * FROM strict ORDER BY c', InvalidRequest, 'ORDER BY is only supported when the partition key'),
                ('DROP TABLE nothing', InvalidRequest, f"'{keyspace}.nothing' doesn't exist"),
                ('DROP TABLE system.local', Unauthorized, 'system keyspace is not user-modifiable')):
            error = refused(kind, begin, session.execute, statement)
            check(f'code={CODES[kind]:04x}' in str(error), f'the code in {error}')
            if kind is not Unauthorized and not statement.startswith('DROP'):
                refused(kind, begin, session.prepare, statement)
        error = refused(AlreadyExists, f"'{keyspace}.strict' already exists", session.execute, 'CREATE TABLE strict (k int PRIMARY KEY)')
        equal((error.keyspace, error.table), (keyspace, 'strict'), 'what exists already')
        error = refused(AlreadyExists, f"'{keyspace}' already exists", session.execute,
                        f'CREATE KEYSPACE {keyspace} WITH replication = {REPLICATION}')
        equal((error.keyspace, error.table or None), (keyspace, None), 'which keyspace exists already')
        lengths(session)
        equal(session.execute('SELECT * FROM strict').all(), [], 'nothing was written; the session still works')


def lengths(session):
    """Sends a value of the wrong length, which the driver itself would not send."""
    insert = session.prepare('INSERT INTO strict (k, c, v) VALUES (?, ?, ?)')
    bound = insert.bind((1, 1, 1))
    bound.values[2] = b'\x01\x02\x03'
    refused(InvalidRequest, 'Expected 4 or 0 byte int (3)', session.execute, bound)
    bound = insert.bind((1, 1, 1))
    del bound.values[2]
    refused(InvalidRequest, 'there were 3 markers(?) in CQL but 2 bound variables', session.execute, bound)
    bound = session.prepare('INSERT INTO strict (k, c, t) VALUES (?, ?, ?)').bind((1, 1, 'x'))
    bound.values[2] = b'\xff\xfe'
    refused(InvalidRequest, 'String didn\'t validate', session.execute, bound)


@case
def tracing(context):
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TABLE traced (k int PRIMARY KEY, v int)')
        insert = session.prepare('INSERT INTO traced (k, v) VALUES (?, ?)')
        count = 0
        for statement, values in ((insert, (1, 2)), ('SELECT * FROM traced WHERE k = 1', None), ('SELECT * FROM traced', None)):
            result = session.execute(statement, values, trace=True)
            trace = result.get_query_trace(max_wait_sec=10)
            check(trace.coordinator and trace.started_at and trace.request_type, 'coordinator, start and kind')
            check(trace.duration is not None and trace.duration.total_seconds() < 60, f'duration {trace.duration}')
            check(trace.events, 'events')
            for event in trace.events:
                check(event.description and event.source and event.thread_name, f'an event: {event}')
            count += len(trace.events)
        equal(session.execute('SELECT * FROM traced').get_query_trace(), None, 'no trace that was not asked for')
        batch = BatchStatement()
        batch.add(insert, (3, 4))
        check(session.execute(batch, trace=True).get_query_trace(max_wait_sec=10).events, 'a traced batch')
    return f'{count} events'


@case
def use_keyspace(context):
    one, two = context.prefix + '_one', context.prefix + '_Two'
    with context.session(row_factory=tuple_factory) as session:
        for keyspace in (one, two):
            session.execute(f'CREATE KEYSPACE "{keyspace}" WITH replication = {REPLICATION}')
            session.execute(f'CREATE TABLE "{keyspace}".t (k text PRIMARY KEY)')
            session.execute(f'INSERT INTO "{keyspace}".t (k) VALUES (%s)', (keyspace,))
        session.set_keyspace(one)
        equal(session.keyspace, one, 'the session\'s keyspace')
        equal(session.execute('SELECT k FROM t').all(), [(one,)], 'set_keyspace')
        kept = session.prepare('SELECT k FROM t')
        session.execute(f'USE "{two}"')
        equal(session.keyspace, two, 'the session\'s keyspace after USE')
        equal(session.execute('SELECT k FROM t').all(), [(two,)], 'USE')
        equal(session.execute(kept).all(), [(one,)], 'a statement keeps the keyspace it was prepared in')
        refused(InvalidRequest, "Keyspace 'nowhere' does not exist", session.execute, 'USE nowhere')
        equal(session.execute('SELECT k FROM t').all(), [(two,)], 'after a USE that was refused')
        with context.connect(keyspace=two, row_factory=tuple_factory) as other:
            equal(other.execute('SELECT k FROM t').all(), [(two,)], 'connected with a keyspace')
            in_one = other.execute(SimpleStatement('SELECT k FROM t', keyspace=one)).all()  # v5 has a field for the keyspace.
            equal(in_one, [(one,)], 'the keyspace of one request')
            equal(other.execute(other.prepare('SELECT k FROM t', keyspace=one)).all(), [(one,)], 'prepared in a keyspace')

    def connect_nowhere():
        with context.connect(keyspace='nowhere'):
            pass

    refused((InvalidRequest, NoHostAvailable), '', connect_nowhere)


@case
def warnings_payload(context):
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TABLE warned (k int PRIMARY KEY, v text)')
        for level in (ConsistencyLevel.ONE, ConsistencyLevel.QUORUM, ConsistencyLevel.ALL, ConsistencyLevel.LOCAL_ONE):
            statement = SimpleStatement('INSERT INTO warned (k, v) VALUES (1, %s)', consistency_level=level,
                                        serial_consistency_level=ConsistencyLevel.LOCAL_SERIAL)
            session.execute(statement, ('x',))
        future = session.execute_async(f"CREATE KEYSPACE {context.prefix}_many WITH replication = "
                                       "{'class': 'SimpleStrategy', 'replication_factor': 3}")
        future.result()
        check(future.warnings and 'Your replication factor 3 for keyspace' in future.warnings[0], f'{future.warnings}')
        quiet = session.execute_async('SELECT v FROM warned WHERE k = 1')
        quiet.result()
        check(not quiet.warnings, f'no warnings: {quiet.warnings}')
        equal(session.execute('SELECT k FROM warned WHERE k = 1', custom_payload={'key': b'value', 'none': None}).all(), [(1,)],
              'a custom payload')


@case
def reconnect(context):
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TABLE lasting (k int PRIMARY KEY, v text)')
        insert = session.prepare('INSERT INTO lasting (k, v) VALUES (?, ?)')
        select = session.prepare('SELECT v FROM lasting WHERE k = ?')
        for k in range(100):
            session.execute(insert, (k, f'before {k}'))
        session.cluster.reprepare_on_up = False  # The driver then learns of the restart by UNPREPARED.
        context.restart_server()

        def answers():
            try:
                return session.execute(select, (1,), timeout=5).one() == ('before 1',)
            except NoHostAvailable:
                return False

        wait_until(answers, 'the session answers again', seconds=30)
        for k in range(100, 200):
            session.execute(insert, (k, f'after {k}'))
        for k in range(200):
            equal(session.execute(select, (k,)).one(), (f'{"before" if k < 100 else "after"} {k}',), f'row {k}')
        batch = BatchStatement()
        again = session.prepare('INSERT INTO lasting (k, v) VALUES (?, ?)')
        batch.add(again, (1, 'batch'))
        session.execute(batch)
        equal(session.execute(select, (1,)).one(), ('batch',), 'a batch')
        session.execute('CREATE TABLE later (k int PRIMARY KEY)')
        wait_until(lambda: 'later' in session.cluster.metadata.keyspaces[context.prefix].tables, 'events come again')
