"""Batches and timestamps."""
import time

from cassandra import InvalidRequest
from cassandra.query import BatchStatement, BatchType, SimpleStatement, tuple_factory
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
    for _ in range(2):  # The columns that came with a refusal are not taken for those of the next answer.
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
        session.execute(BatchStatement())  # Nothing to do.
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
def batches_over_partitions(context):
    """O5: what a batch writes to several partitions is seen together."""
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
