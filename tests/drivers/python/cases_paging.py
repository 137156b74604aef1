"""Cases of pages, and of many requests in flight."""
from cassandra.concurrent import execute_concurrent_with_args
from cassandra.protocol import ProtocolException
from cassandra.query import SimpleStatement, tuple_factory
from support import case, check, equal, refused

ROWS = 10_000


def pages(result):
    yield result.current_rows
    while result.has_more_pages:
        result.fetch_next_page()
        yield result.current_rows


@case
def paging(context):
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TABLE pages (k int, c int, v text, PRIMARY KEY (k, c)) WITH CLUSTERING ORDER BY (c DESC)')
        insert = session.prepare('INSERT INTO pages (k, c, v) VALUES (?, ?, ?)')
        execute_concurrent_with_args(session, insert, [(1, i, f'value {i}') for i in range(ROWS)], concurrency=200)
        expected = [(i, f'value {i}') for i in reversed(range(ROWS))]
        text = 'SELECT c, v FROM pages WHERE k = 1'
        small = list(pages(session.execute(SimpleStatement(text, fetch_size=100))))
        check(len(small) in (100, 101), f'{len(small)} pages')
        equal([row for page in small for row in page], expected, 'rows in pages of 100')
        check(all(len(page) == 100 for page in small[:100]), 'full pages')
        default = list(pages(session.execute(text)))
        equal([len(page) for page in default if page], [5000, 5000], 'default pages')
        prepared = session.prepare('SELECT c, v FROM pages WHERE k = ?')
        prepared.fetch_size = 777
        equal(list(session.execute(prepared, (1,))), expected, 'automatic iteration of a prepared statement')
        equal(list(session.execute(SimpleStatement('SELECT c, v FROM pages', fetch_size=333))), expected, 'a whole table')
        prepared.fetch_size = None
        result = session.execute(prepared, (1,))
        equal((len(result.current_rows), result.has_more_pages), (ROWS, False), 'no paging')
        limit = session.execute(SimpleStatement(text + ' LIMIT 250', fetch_size=100))
        equal([len(page) for page in pages(limit)], [100, 100, 50], 'pages of a LIMIT')
        resumed(context, session, text, expected)


def resumed(context, session, text, expected):
    statement = SimpleStatement(text, fetch_size=1000)
    first = session.execute(statement)
    state = first.paging_state
    equal(first.current_rows, expected[:1000], 'the first page')
    with context.session(row_factory=tuple_factory) as other:
        second = other.execute(statement, paging_state=state)
        equal(second.current_rows, expected[1000:2000], 'the second page, elsewhere')
        equal(list(second), expected[1000:], 'the rest')
    changed = SimpleStatement(text + ' AND c < 5000 LIMIT 7', fetch_size=1000)
    equal([row[0] for row in session.execute(changed, paging_state=state)], list(range(4999, 4992, -1)),
          'a state continues with another restriction and a limit')
    prepared = session.prepare('SELECT v, c FROM pages WHERE k = ? AND c = ?')
    equal(list(session.execute(prepared, (1, 8000), paging_state=state)), [('value 8000', 8000)],
          'a state continues with other columns and a whole key')
    broken = bytes(byte ^ 0xff for byte in state)
    refused(ProtocolException, 'Invalid value for the paging state', session.execute, statement,
            paging_state=broken)


@case
def concurrent(context):
    count = 1000
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TABLE flight (k int PRIMARY KEY, v text)')
        insert = session.prepare('INSERT INTO flight (k, v) VALUES (?, ?)')
        select = session.prepare('SELECT k, v FROM flight WHERE k = ?')
        for future in [session.execute_async(insert, (i, f'v{i}')) for i in range(count)]:
            future.result()
        futures = [session.execute_async(select, (i,)) for i in range(count)]
        for i, future in enumerate(futures):
            equal(future.result().one(), (i, f'v{i}'), f'row {i}')
        mixed = [session.execute_async(select, (i,)) if i % 3 else
                 session.execute_async(f'SELECT k, v FROM flight WHERE k = {i}') for i in range(count)]
        for i, future in enumerate(mixed):
            equal(future.result().one(), (i, f'v{i}'), f'row {i} again')
        results = execute_concurrent_with_args(session, select, [(i,) for i in range(5 * count)], concurrency=count)
        for i, (good, result) in enumerate(results):
            check(good, f'request {i}')
            equal(result.one(), (i, f'v{i}') if i < count else None, f'row {i} of many')
