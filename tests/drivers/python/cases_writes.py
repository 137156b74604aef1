"""Cases of batches, counters, conditions and timestamps."""
import time

from cassandra import ConsistencyLevel, InvalidRequest
from cassandra.query import UNSET_VALUE, BatchStatement, BatchType, SimpleStatement, tuple_factory
from support import case, check, equal, refused


def conditional(session):
    session.execute('CREATE TABLE conditional (k int, c int, v text, PRIMARY KEY (k, c))')
    insert = session.prepare('INSERT INTO conditional (k, c, v) VALUES (?, ?, ?) IF NOT EXISTS')
    update = session.prepare('UPDATE conditional SET v = ? WHERE k = ? AND c = ? IF EXISTS')
    remove = session.prepare('DELETE FROM conditional WHERE k = ? AND c = ? IF EXISTS')

    def answer(statement, values=None):
        result = session.execute(statement, values)
        return result.was_applied, result.column_names, result.all()

    applied, missing = (True, ['[applied]'], [(True,)]), (False, ['[applied]'], [(False,)])
    row = ['[applied]', 'k', 'c', 'v']
    equal(answer(update, ('a', 1, 1)), missing, 'no row to update')
    equal(answer(insert, (1, 1, 'a')), applied, 'inserted')
    for _ in range(2):  # The driver must not use the columns of a refusal for the next answer.
        equal(answer(insert, (1, 1, 'b')), (False, row, [(False, 1, 1, 'a')]), 'the row that is there')
        equal(answer(update, ('a', 1, 1)), applied, 'updated')
    equal(answer("INSERT INTO conditional (k, c, v) VALUES (1, 1, 'x') IF NOT EXISTS"),
          (False, row, [(False, 1, 1, 'a')]), 'a simple statement')
    batch = BatchStatement()
    batch.add(insert, (1, 2, 'c'))
    batch.add(update, ('d', 1, 1))
    equal(answer(batch), applied, 'a batch')
    batch.add(remove, (1, 3))
    equal(session.execute(batch).all(), [(False, 1, 1, 'd'), (False, 1, 2, 'c')], 'a batch of which nothing is applied')
    equal(answer(remove, (1, 1)), applied, 'deleted')
    equal(answer(remove, (1, 1)), missing, 'deleted before')
    equal(session.execute('SELECT * FROM conditional').all(), [(1, 2, 'c')], 'what is left')
    batch = BatchStatement()
    batch.add(insert, (1, 4, 'e'))
    batch.add(insert, (2, 4, 'e'))
    refused(InvalidRequest, 'Batch with conditions cannot span multiple partitions', session.execute, batch)


@case
def batches(context):
    with context.session(row_factory=tuple_factory) as session:
        conditional(session)
        session.execute('CREATE TABLE batched (k int, c int, v text, PRIMARY KEY (k, c))')
        insert = session.prepare('INSERT INTO batched (k, c, v) VALUES (?, ?, ?)')
        remove = session.prepare('DELETE FROM batched WHERE k = ? AND c = ?')

        def rows(k):
            return session.execute('SELECT c, v FROM batched WHERE k = %s', (k,)).all()

        for k, kind in enumerate((BatchType.LOGGED, BatchType.UNLOGGED)):
            batch = BatchStatement(batch_type=kind)
            batch.add(insert, (k, 1, 'prepared'))
            batch.add(SimpleStatement("INSERT INTO batched (k, c, v) VALUES (%s, 2, 'simple')"), (k,))
            batch.add(f"INSERT INTO batched (k, c, v) VALUES ({k}, 3, 'text')")
            batch.add(insert, {'v': 'named', 'c': 4, 'k': k})
            batch.add(insert, (k, 5, None))
            equal(session.execute(batch).all(), [], 'a batch has no rows')
            equal(rows(k), [(1, 'prepared'), (2, 'simple'), (3, 'text'), (4, 'named'), (5, None)], f'rows of batch {kind}')
        batch = BatchStatement()
        batch.add(remove, (0, 1))
        batch.add(insert, (0, 6, 'six'))
        session.execute(batch)
        equal([c for c, _ in rows(0)], [2, 3, 4, 5, 6], 'insert and delete')

        batch = BatchStatement()
        batch.add("INSERT INTO batched (k, c, v) VALUES (7, 1, 'a') USING TIMESTAMP 1000")
        batch.add("INSERT INTO batched (k, c, v) VALUES (7, 2, 'b') USING TIMESTAMP 2000")
        session.execute(batch)
        equal(session.execute('SELECT writetime(v) FROM batched WHERE k = 7').all(), [(1000,), (2000,)], 'timestamps of each')
        session.execute("BEGIN BATCH USING TIMESTAMP 3000 INSERT INTO batched (k, c, v) VALUES (8, 1, 'a'); "
                        "INSERT INTO batched (k, c, v) VALUES (8, 2, 'b'); APPLY BATCH")
        equal(session.execute('SELECT writetime(v) FROM batched WHERE k = 8').all(), [(3000,), (3000,)], 'timestamp of all')
        prepared = session.prepare('BEGIN BATCH INSERT INTO batched (k, c, v) VALUES (?, ?, ?); '
                                   'DELETE FROM batched WHERE k = ? AND c = ?; APPLY BATCH')
        session.execute(prepared, (8, 3, 'c', 8, 1))
        equal([c for c, _ in rows(8)], [2, 3], 'a prepared BATCH')
        batch = BatchStatement(batch_type=BatchType.UNLOGGED)
        for i in range(1000):
            batch.add(insert, (9, i, f'v{i}'))
        session.execute(batch)
        equal(rows(9), [(i, f'v{i}') for i in range(1000)], 'a batch of 1,000')
        session.execute(BatchStatement())  # The batch is empty.
        one_bad = BatchStatement()
        one_bad.add(insert, (10, 1, 'x'))
        one_bad.add('INSERT INTO batched (k, c, nothing) VALUES (10, 2, 0)')
        refused(InvalidRequest, 'Undefined column name nothing', session.execute, one_bad)
        equal(rows(10), [], 'nothing of a batch that was refused')
        select = BatchStatement()
        select.add(session.prepare('SELECT * FROM batched'))
        refused(InvalidRequest, 'Invalid statement in batch: only UPDATE, INSERT and DELETE statements are allowed.',
                session.execute, select)


@case
def counters(context):
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TABLE counted (k int, c int, s counter static, n counter, m counter, PRIMARY KEY (k, c))')
        add = session.prepare('UPDATE counted SET n = n + ?, m = m - ? WHERE k = ? AND c = ?')
        equal([(column.name, column.type.typename) for column in add.column_metadata],
              [('n', 'counter'), ('m', 'counter'), ('k', 'int'), ('c', 'int')], 'markers')
        session.execute('UPDATE counted SET n = n + 5 WHERE k = 1 AND c = 1')
        session.execute('UPDATE counted SET m -= %s WHERE k = 1 AND c = 1', (1,))
        session.execute(add, (1 << 40, 1, 1, 1))
        batch = BatchStatement(batch_type=BatchType.COUNTER)
        batch.add(add, (10, 20, 1, 1))
        batch.add(add, (-1, 1, 1, 2))
        batch.add('UPDATE counted SET s = s + 3 WHERE k = 1')
        equal(session.execute(batch).all(), [], 'a counter batch')
        equal(session.execute('SELECT c, s, n, m FROM counted WHERE k = 1').all(), [(1, 3, (1 << 40) + 15, -22), (2, 3, -1, -1)], 'rows')
        for answer in [session.execute_async(add, (i, 0, 2, i % 3)) for i in range(600)]:
            answer.result()
        equal(session.execute('SELECT sum(n), count(*) FROM counted WHERE k = 2').all(), [(600 * 599 // 2, 3)], 'added at a time')
        session.execute(add, (UNSET_VALUE, 1, 1, 2))
        session.execute('DELETE n FROM counted WHERE k = 1 AND c = 1')
        equal(session.execute('SELECT n, m FROM counted WHERE k = 1').all(), [(None, -22), (-1, -2)], 'deleted and unset')
        refused(InvalidRequest, 'Invalid null value for counter increment', session.execute, add, (None, 1, 1, 1))
        refused(InvalidRequest, 'Consistency level ANY is not yet supported for counter table counted', session.execute,
                SimpleStatement('UPDATE counted SET n = n + 1 WHERE k = 1 AND c = 1', consistency_level=ConsistencyLevel.ANY))
        logged = BatchStatement()
        logged.add(add, (1, 1, 1, 1))
        refused(InvalidRequest, 'Cannot include a counter statement in a logged batch', session.execute, logged)
        table = context_table(session, 'counted')
        equal(table.columns['n'].cql_type, 'counter', 'the type in the metadata')


def context_table(session, name):
    session.cluster.refresh_schema_metadata()
    return session.cluster.metadata.keyspaces[session.keyspace].tables[name]


@case
def conditions(context):
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TABLE asked (k int, c int, v int, s int static, m map<text, int>, PRIMARY KEY (k, c))')
        put = session.prepare('UPDATE asked SET v = ? WHERE k = ? AND c = ? IF v = ?')
        element = session.prepare('UPDATE asked SET m[?] = ? WHERE k = ? AND c = ? IF m[?] = ? AND v IN ? AND s > ?')
        equal([column.name for column in element.column_metadata],
              ['key(m)', 'value(m)', 'k', 'c', 'key(m)', 'value(m)', 'in(v)', 's'], 'markers')

        def answer(statement, values=None):
            result = session.execute(statement, values)
            return result.was_applied, result.column_names, result.all()

        applied = (True, ['[applied]'], [(True,)])
        equal(answer(put, (1, 1, 1, None)), applied, 'null is null')
        for _ in range(2):
            equal(answer(put, (2, 1, 1, 7)), (False, ['[applied]', 'v'], [(False, 1)]), 'the value that was found')
            equal(answer(put, (1, 1, 1, 1)), applied, 'the value that was asked for')
        equal(answer(put, (2, 5, 1, 7)), (False, ['[applied]'], [(False,)]), 'no row')
        equal(answer(element, ('a', 1, 1, 1, 'a', None, [1, 2], 0)),
              (False, ['[applied]', 'm', 'v', 's'], [(False, None, 1, None)]), 'columns in the order of the conditions, static ones last')
        equal(answer('UPDATE asked SET s = 1 WHERE k = 1 IF s = null'), applied, 'a static column')
        equal(answer(element, ('a', 1, 1, 1, 'a', None, [1, 2], 0)), applied, 'an element, IN and a static column')
        half, whole = BatchStatement(), BatchStatement()
        for batch, expected in ((half, 5), (whole, None)):
            batch.add(put, (3, 1, 1, 1))
            batch.add(put, (3, 1, 2, expected))
        equal(session.execute(half).all(), [(False, 1, 1, 1)], 'half a batch: keys and conditions')
        equal(answer(whole), applied, 'a batch')
        equal(answer('DELETE FROM asked WHERE k = 1 AND c = 2 IF v IN (3, 4)'), applied, 'deleted')
        equal(session.execute('SELECT c, v FROM asked').all(), [(1, 3)], 'rows')
        refused(InvalidRequest, "Invalid 'unset' value in condition", session.execute, put, (1, 1, 1, UNSET_VALUE))


@case
def batches_over_partitions(context):
    """A SELECT of several partitions must see a whole batch, or nothing of it."""
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TABLE sides (side text PRIMARY KEY, v int)')
        insert = session.prepare('INSERT INTO sides (side, v) VALUES (?, ?)')
        both = session.prepare("SELECT v FROM sides WHERE side IN ('left', 'right')")

        def write(number):
            batch = BatchStatement()
            batch.add(insert, ('left', number))
            batch.add(insert, ('right', number))
            return session.execute_async(batch)

        write(0).result()
        for number in range(1, 301):
            written = write(number)
            values = [value for (value,) in session.execute(both)]
            equal(len(values), 2, 'rows')
            equal(values[0], values[1], 'both sides of the batch')
            written.result()


@case
def timestamps(context):
    made = [1]
    with context.session(row_factory=tuple_factory, timestamp_generator=lambda: made[-1]) as session:
        session.execute('CREATE TABLE stamped (k int PRIMARY KEY, v int)')
        insert = session.prepare('INSERT INTO stamped (k, v) VALUES (?, ?)')
        select = session.prepare('SELECT v, writetime(v) FROM stamped WHERE k = ?')
        for stamp in (1_000_000, 2_000_000, 1_500_000):
            made.append(stamp)
            session.execute(insert, (1, stamp))
        equal(session.execute(select, (1,)).one(), (2_000_000, 2_000_000), 'the program\'s own timestamps; the older loses')
        session.execute('INSERT INTO stamped (k, v) VALUES (2, 2)')
        equal(session.execute(select, (2,)).one(), (2, 1_500_000), 'a simple statement')
        batch = BatchStatement()
        batch.add(insert, (3, 3))
        session.execute(batch)
        equal(session.execute(select, (3,)).one(), (3, 1_500_000), 'a batch')
        session.execute('INSERT INTO stamped (k, v) VALUES (4, 4) USING TIMESTAMP 77')
        equal(session.execute(select, (4,)).one(), (4, 77), 'USING TIMESTAMP goes first')
        made.append(2_000_001)
        session.execute('DELETE FROM stamped WHERE k = 1')
        equal(session.execute(select, (1,)).one(), None, 'a deletion with a timestamp')
    for client_side in (True, False):
        with context.session(row_factory=tuple_factory) as session:
            session.use_client_timestamp = client_side
            before = time.time_ns() // 1000
            session.execute(insert_again(session), (5, 5))
            after = time.time_ns() // 1000
            written = session.execute(session.prepare('SELECT writetime(v) FROM stamped WHERE k = 5')).one()[0]
            check(before - 1000 <= written <= after + 1000, f'the default timestamp: {before} {written} {after}')


def insert_again(session):
    return session.prepare('INSERT INTO stamped (k, v) VALUES (?, ?)')
