"""partitioned.py HOST:PORT: tests tables with PARTITION BY through the Python driver, with one function for each kind of partitioning.

The schema is schema.cql. If something is wrong, the script prints it and ends with status 1."""
import pathlib
import random
import sys
import traceback

from cassandra.cluster import Cluster
from cassandra.query import SimpleStatement

HERE = pathlib.Path(__file__).resolve().parent
ROWS = 3_000


def statements():
    text = '\n'.join(line for line in (HERE / 'schema.cql').read_text(encoding='utf-8').splitlines() if not line.startswith('--'))
    return [statement.strip() for statement in text.split(';') if statement.strip()]


def make(session):
    for statement in statements():
        session.execute(statement)
    insert = session.prepare('INSERT INTO by_range (device, ordernumber, card) VALUES (?, ?, ?)')
    keys = [(device, order) for device in range(-50, 100) for order in range(ROWS // 150)]
    random.Random(1).shuffle(keys)
    for device, order in keys:
        session.execute(insert, (device, order, device * order))
    return sorted(keys, key=lambda key: (key[0], -key[1]))


def plain_tables_in_metadata(session, _):
    """The driver must read the schema and find ordinary tables."""
    tables = session.cluster.metadata.keyspaces['partitioned'].tables
    assert set(tables) == {'htable1$family1', 'by_range', 'by_hash', 'by_list'}, tables.keys()
    family = tables['htable1$family1']
    assert [(c.name, c.cql_type) for c in family.columns.values()] == [('k', 'blob'), ('q', 'blob'), ('t', 'bigint'), ('v', 'blob')]
    assert [c.name for c in family.partition_key] == ['k'] and [c.name for c in family.clustering_key] == ['q', 't']
    assert [c.name for c in tables['by_list'].partition_key] == ['region', 'id']
    for table in tables.values():
        assert 'PARTITION BY' not in table.as_cql_query() and 'split' not in table.as_cql_query()


def ordered_pages(session, keys):
    """Reads DeviceID in [15, 100) in both directions, in pages of several sizes."""
    wanted = [key for key in keys if 15 <= key[0] < 100]
    query = 'SELECT device, ordernumber FROM by_range WHERE device >= 15 AND device < 100'
    for order, rows in (('', wanted), (' ORDER BY device', wanted), (' ORDER BY device DESC', wanted[::-1])):
        for page in (1_000, 37):
            found = session.execute(SimpleStatement(query + order, fetch_size=page))
            assert [tuple(row) for row in found] == rows, (order, page)
    prepared = session.prepare('SELECT device, ordernumber FROM by_range WHERE device > ? ORDER BY device LIMIT ?')
    prepared.fetch_size = 5
    assert [tuple(row) for row in session.execute(prepared, (15, 12))] == [key for key in keys if key[0] > 15][:12]


def split_while_paging(session, keys):
    """The next page must be right, even if partitions were split or merged after the previous one."""
    result = session.execute(SimpleStatement('SELECT device, ordernumber FROM by_range', fetch_size=500))
    found = list(result.current_rows)
    session.execute('ALTER TABLE by_range SPLIT PARTITION p1 AT (40) INTO (PARTITION p1, PARTITION p1b)')
    session.execute('ALTER TABLE by_range SPLIT PARTITION p2')
    while result.has_more_pages:
        result.fetch_next_page()
        found += result.current_rows
    assert [tuple(row) for row in found] == keys
    session.execute('ALTER TABLE by_range MERGE PARTITION p1, p1b INTO (PARTITION p1)')
    rows = session.execute("SELECT name, first_key FROM system_views.partitions WHERE keyspace_name = 'partitioned' AND table_name = 'by_range'")
    assert [row.first_key for row in rows][:3] == [None, '20', '60']


def points_and_partitions(session, _):
    """Writes and reads KEY, HASH and LIST partitions by prepared statements, and empties one of them."""
    insert = session.prepare('INSERT INTO by_hash (id, v) VALUES (?, ?)')
    for number in range(-20, 20):
        session.execute(insert, (number, str(number)))
    select = session.prepare('SELECT v FROM by_hash WHERE id = ?')
    assert all(session.execute(select, (number,)).one().v == str(number) for number in range(-20, 20))
    session.execute('ALTER TABLE by_hash TRUNCATE PARTITION p3')
    left = [number for number in range(-20, 20) if number % 7 != 3]
    assert [row.id for row in session.execute(SimpleStatement('SELECT id FROM by_hash ORDER BY id', fetch_size=4))] == left


def token_ranges_16_way(session, keys):
    """Reads a RANGE table by 16 ranges of token(). Each row must appear once."""
    found = []
    step = 2**64 // 16
    select = session.prepare('SELECT device, ordernumber FROM by_range WHERE token(device) > ? AND token(device) <= ?')
    select.fetch_size = 100
    for part in range(16):
        low = -2**63 + part * step
        found += session.execute(select, (low, 2**63 - 1 if part == 15 else low + step))
    assert sorted(map(tuple, found)) == sorted(keys), (len(found), len(keys))


def main(address):
    host, port = address.rsplit(':', 1)
    with Cluster([host.strip('[]')], port=int(port)) as cluster:
        session = cluster.connect()
        keys = make(session)
        failed = 0
        for case in (plain_tables_in_metadata, ordered_pages, split_while_paging, points_and_partitions, token_ranges_16_way):
            try:
                case(session, keys)
                print(f'ok {case.__name__}', flush=True)
            except Exception:  # pylint: disable=broad-exception-caught
                failed += 1
                print(f'FAIL {case.__name__}\n{traceback.format_exc()}', flush=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
