"""Cases of indexes, as a program with a driver sees them: metadata, prepared statements by index, pages."""
from cassandra import InvalidRequest
from cassandra.query import SimpleStatement, tuple_factory
from support import case, check, equal, refused


@case
def indexes(context):
    """The metadata must have plain and storage-attached indexes. Prepared statements must find rows by them, in pages."""
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TABLE indexed (p int, c int, v int, w int, m map<text, int>, PRIMARY KEY (p, c))')
        session.execute('CREATE INDEX indexed_by_v ON indexed (v)')
        session.execute("CREATE INDEX indexed_by_w ON indexed (w) USING 'sai'")
        session.execute('CREATE INDEX indexed_by_k ON indexed (KEYS(m))')
        session.cluster.refresh_table_metadata(context.prefix, 'indexed')
        made = session.cluster.metadata.keyspaces[context.prefix].tables['indexed'].indexes
        equal({(name, index.kind, index.index_options['target']) for name, index in made.items()},
              {('indexed_by_v', 'COMPOSITES', 'v'), ('indexed_by_w', 'CUSTOM', 'w'), ('indexed_by_k', 'COMPOSITES', 'keys(m)')}, 'indexes')
        check("USING 'sai'" in made['indexed_by_w'].as_cql_query(), made['indexed_by_w'].as_cql_query())
        insert = session.prepare('INSERT INTO indexed (p, c, v, w, m) VALUES (?, ?, ?, ?, ?)')
        for i in range(60):
            session.execute(insert, (i, 1, i % 3, i, {f'k{i % 2}': i}))
        by_v = session.prepare('SELECT p FROM indexed WHERE v = ?')
        equal([column.name for column in by_v.column_metadata], ['v'], 'markers')
        equal(sorted(p for (p,) in session.execute(by_v, (1,))), list(range(1, 60, 3)), 'rows by an index')
        between = session.prepare('SELECT p FROM indexed WHERE w >= ? AND w < ?')
        equal(sorted(p for (p,) in session.execute(between, (10, 20))), list(range(10, 20)), 'rows by a range of an index')
        equal(sum(1 for _ in session.execute(session.prepare('SELECT p FROM indexed WHERE m CONTAINS KEY ?'), ('k1',))), 30, 'rows by a key')
        paged = [p for (p,) in session.execute(SimpleStatement('SELECT p FROM indexed WHERE w >= 0', fetch_size=7))]
        equal((len(paged), sorted(paged)), (60, list(range(60))), 'rows in pages')
        session.execute('DELETE FROM indexed WHERE p = 1')
        equal(sorted(p for (p,) in session.execute(by_v, (1,))), list(range(4, 60, 3)), 'rows after a deletion')
        refused(InvalidRequest, 'Error from server', session.execute, 'SELECT p FROM indexed WHERE v > 1')
        session.execute('DROP INDEX indexed_by_v')
        refused(InvalidRequest, 'Error from server', session.execute, by_v, (1,))
