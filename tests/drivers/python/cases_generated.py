"""Cases of generated key columns, as a program with a driver sees them."""
import datetime
import hashlib

from cassandra import InvalidRequest
from cassandra.query import UNSET_VALUE, BatchStatement, SimpleStatement, tuple_factory
from support import case, check, equal, refused


@case
def declared_keys(context):
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TABLE orders (prefix text GENERATED ALWAYS AS (hash_prefix(order_no, 4)), order_no text, v int, '
                        'PRIMARY KEY ((prefix, order_no)))')
        table = session.cluster.metadata.keyspaces[context.prefix].tables['orders']
        equal([(c.name, c.cql_type) for c in table.partition_key], [('prefix', 'text'), ('order_no', 'text')], 'plain columns')
        insert = session.prepare('INSERT INTO orders (order_no, v) VALUES (?, ?)')
        select = session.prepare('SELECT * FROM orders WHERE order_no = ?')
        # The driver must not make a routing key of columns outside the partition key.
        equal((insert.routing_key_indexes or None, select.routing_key_indexes or None), (None, None), 'no key among the markers')
        for i in range(200):
            session.execute(insert, (f'o{i}', i))
        for i in range(0, 200, 7):
            prefix = hashlib.md5(f'o{i}'.encode()).hexdigest()[:4]
            equal(session.execute(select, (f'o{i}',)).all(), [(prefix, f'o{i}', i)], 'found by the original value')
        # Object mappers write all columns: the generated one with the right value, with null, or with a wrong value. No case sets it to
        # unset, because drivers refuse unset in columns that they take for the partition key. ScyllaDB's driver also refuses null there.
        whole = session.prepare('INSERT INTO orders (prefix, order_no, v) VALUES (?, ?, ?)')
        right = hashlib.md5(b'whole').hexdigest()[:4]
        session.execute(whole, (right, 'whole', 0))
        equal(session.execute(select, ('whole',)).all(), [(right, 'whole', 0)], 'given')
        session.execute("INSERT INTO orders (prefix, order_no, v) VALUES (null, 'whole', 1)")
        equal(session.execute(select, ('whole',)).all(), [(right, 'whole', 1)], 'null')
        refused(InvalidRequest, 'Generated column prefix is', session.execute, whole, ('0000', 'whole', 9))
        some = session.prepare('SELECT order_no FROM orders WHERE order_no IN ?')
        equal(session.execute(some, (['o2', 'o1', 'none'],)).all(), [('o1',), ('o2',)], 'IN ?')


@case
def bucket_writes(context):
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TABLE logs (bucket int GENERATED ALWAYS AS (bucket(ts, 16)), ts bigint, host text, '
                        'PRIMARY KEY ((bucket), ts, host))')
        insert = session.prepare('INSERT INTO logs (ts, host) VALUES (?, ?)')
        batch = BatchStatement()
        for ts in range(1000, 1040):
            batch.add(insert, (ts, 'a'))
        session.execute(batch)
        for ts in range(1040, 1500):
            session.execute(insert, (ts, 'a'))
        for order, expected in (('', list(range(1010, 1490))), (' ORDER BY ts DESC', list(range(1489, 1009, -1)))):
            text = f'SELECT ts FROM logs WHERE ts >= 1010 AND ts < 1490{order}'
            rows = session.execute(SimpleStatement(text, fetch_size=37))
            equal([ts for ts, in rows], expected, f'pages in order{order}')
        first = session.prepare('SELECT ts FROM logs WHERE ts >= ? LIMIT ?')
        equal([ts for ts, in session.execute(first, (1100, 5))], [1100, 1101, 1102, 1103, 1104], 'LIMIT over all buckets')
        equal(session.execute('SELECT count(*) FROM logs WHERE ts >= 1000').one(), (500,), 'an aggregate')


@case
def spliced_keys(context):
    with context.session(row_factory=tuple_factory) as session:
        session.execute("CREATE TABLE purchases (campus int, k text GENERATED ALWAYS AS (splice(',', zero_pad(device_id, 6), "
                        'seller_id, zero_pad(card_id, 8))), device_id int, seller_id text, card_id int, PRIMARY KEY (campus, k))')
        insert = session.prepare('INSERT INTO purchases (campus, device_id, seller_id, card_id) VALUES (1, ?, ?, ?)')
        for row in ((54, 'a1001', 6777), (16, 'a100', 6777), (54, 'a100', 6777), (167, 'a100', 6777)):
            session.execute(insert, row)
        ordered = [(16, 'a100'), (54, 'a100'), (54, 'a1001'), (167, 'a100')]
        equal(session.execute('SELECT device_id, seller_id FROM purchases WHERE campus = 1').all(), ordered, 'in order')
        some = session.prepare('SELECT device_id, seller_id FROM purchases WHERE campus = 1 AND device_id >= ? AND device_id < ?')
        equal(session.execute(some, (54, 167)).all(), ordered[1:3], 'a range of the first part')
        refused(InvalidRequest, 'is wider than 6 digits', session.execute, insert, (1_000_000, 'a', 1))
        refused(InvalidRequest, 'contains the connector', session.execute, insert, (1, 'a,b', 1))


@case
def hash_prefix(context):
    with context.session(row_factory=tuple_factory) as session:
        session.execute("CREATE TABLE cards (k text GENERATED ALWAYS AS (splice('', hash_prefix(card, 4), card)), card text, ts int, "
                        'PRIMARY KEY (k, ts))')
        insert = session.prepare('INSERT INTO cards (card, ts) VALUES (?, ?)')
        for ts in range(5):
            session.execute(insert, ('200001', ts))
        select = session.prepare('SELECT k, ts FROM cards WHERE card = ? AND ts > ? ORDER BY ts DESC')
        equal(session.execute(select, ('200001', 2)).all(), [('ee8f200001', 4), ('ee8f200001', 3)], 'by the original value')


@case
def scatter_designs(context):
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TABLE by_reverse (r text GENERATED ALWAYS AS (reverse(userid)), userid text, orderid bigint, '
                        'PRIMARY KEY (r, orderid))')
        session.execute('CREATE TABLE by_random (shard int GENERATED ALWAYS AS (random(8)), k text, ts int, PRIMARY KEY ((k, shard), ts))')
        session.execute(session.prepare('INSERT INTO by_reverse (userid, orderid) VALUES (?, ?)'), ('13800001', 1))
        select = session.prepare('SELECT r, orderid FROM by_reverse WHERE userid = ?')
        equal(session.execute(select, ('13800001',)).all(), [('10000831', 1)], 'reversed')
        insert = session.prepare('INSERT INTO by_random (k, ts) VALUES (?, ?)')
        for ts in range(100):
            session.execute(insert, ('hot', ts))
        equal([ts for ts, in session.execute("SELECT ts FROM by_random WHERE k = 'hot'")], list(range(100)), 'all shards, in order')
        shards = {shard for shard, in session.execute("SELECT shard FROM by_random WHERE k = 'hot'")}
        check(len(shards) > 1, f'one shard only: {shards}')
        session.execute(session.prepare('DELETE FROM by_random WHERE k = ? AND ts < ?'), ('hot', 90))
        equal(session.execute("SELECT count(*) FROM by_random WHERE k = 'hot'").one(), (10,), 'deleted from all shards')


@case
def time_windows(context):
    with context.session(row_factory=tuple_factory) as session:
        session.execute("CREATE TABLE readings (device text, day timestamp GENERATED ALWAYS AS (window(ts, '1d')), ts timestamp, v int, "
                        'PRIMARY KEY ((device, day), ts)) WITH CLUSTERING ORDER BY (ts DESC)')
        insert = session.prepare('INSERT INTO readings (device, ts, v) VALUES (?, ?, ?)')
        begin = datetime.datetime(2026, 11, 20)
        for hour in range(96):
            session.execute(insert, ('a', begin + datetime.timedelta(hours=hour), hour))
        select = session.prepare('SELECT v FROM readings WHERE device = ? AND ts >= ? AND ts < ?')
        values = ('a', begin + datetime.timedelta(hours=10), begin + datetime.timedelta(hours=80))
        select.fetch_size = 7
        equal([v for v, in session.execute(select, values)], list(range(79, 9, -1)), 'newest first over four days')
        days = session.execute("SELECT DISTINCT device, day FROM readings").all()
        equal(len(days), 4, 'a partition a day')


@case
def bounded_values(context):
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TABLE bounded (k varbinary(8) PRIMARY KEY, v varbinary(16) NOT NULL, l longblob)')
        table = session.cluster.metadata.keyspaces[context.prefix].tables['bounded']
        equal({name: c.cql_type for name, c in table.columns.items()}, {'k': 'blob', 'v': 'blob', 'l': 'blob'}, 'blobs to a driver')
        insert = session.prepare('INSERT INTO bounded (k, v, l) VALUES (?, ?, ?)')
        session.execute(insert, (b'k', b'v', b'l' * 1_000_000))
        equal(session.execute('SELECT v, l FROM bounded').all(), [(b'v', b'l' * 1_000_000)], 'read back')
        refused(InvalidRequest, 'Expected at most 8 bytes', session.execute, insert, (b'k' * 9, b'v', None))
        refused(InvalidRequest, 'Expected at most 16 bytes', session.execute, insert, (b'k', b'v' * 17, None))
        refused(InvalidRequest, 'Invalid null value for column v: it is NOT NULL', session.execute, insert, (b'k', None, None))
        refused(InvalidRequest, 'Invalid unset value for column v: it is NOT NULL', session.execute, insert, (b'k', UNSET_VALUE, None))
