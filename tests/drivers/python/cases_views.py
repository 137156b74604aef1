"""Cases of materialized views, as a program with a driver sees them."""
from cassandra import InvalidRequest
from cassandra.query import BatchStatement, tuple_factory
from support import case, check, equal, refused, wait_until

VIEW = '''CREATE MATERIALIZED VIEW seller_orders AS SELECT * FROM view_orders
    WHERE seller IS NOT NULL AND buyer IS NOT NULL AND number IS NOT NULL
    PRIMARY KEY (seller, number, buyer) WITH CLUSTERING ORDER BY (number DESC, buyer ASC) AND comment = 'by seller' '''


@case
def materialized_views(context):
    with context.session(row_factory=tuple_factory) as session, context.connect(schema_event_refresh_window=0) as watcher:
        session.execute('CREATE TABLE view_orders (buyer int, number int, seller int, note text, PRIMARY KEY (buyer, number))')
        made = session.execute_async(VIEW)
        made.result()
        check(any('experimental' in warning for warning in made.warnings or []), f'warned as by Cassandra: {made.warnings}')
        views = watcher.cluster.metadata.keyspaces[context.prefix].views
        wait_until(lambda: 'seller_orders' in views, 'the view is known to the other session')
        check_metadata(session.cluster.metadata.keyspaces[context.prefix])

        insert = session.prepare('INSERT INTO view_orders (buyer, number, seller, note) VALUES (?, ?, ?, ?)')
        select = session.prepare('SELECT number, buyer, note FROM seller_orders WHERE seller = ?')
        equal(select.routing_key_indexes, [0], "the view's partition key among the markers")
        for number in range(300):
            session.execute(insert, (number % 7, number, number % 3, f'n{number}'))
        rows = [(number, number % 7, f'n{number}') for number in range(299, -1, -1) if number % 3 == 1]
        equal(session.execute(select, (1,)).all(), rows, 'all orders of a seller, newest first')
        select.fetch_size = 7
        equal(list(session.execute(select, (1,))), rows, 'the same in pages')

        batch = BatchStatement()
        batch.add(insert, (1, 1, 2, 'moved'))
        batch.add(session.prepare('DELETE FROM view_orders WHERE buyer = ? AND number = ?'), (4, 4))
        session.execute(batch)
        equal(session.execute(select, (1,)).all(), [row for row in rows if row[0] not in (1, 4)], 'after a batch')
        moved = session.prepare('SELECT note FROM seller_orders WHERE seller = ? AND number = ? AND buyer = ?')
        equal(session.execute(moved, (2, 1, 1)).all(), [('moved',)], 'one row by its whole key')
        refused(InvalidRequest, 'Cannot directly modify a materialized view', session.execute,
                'UPDATE seller_orders SET note = null WHERE seller = 1 AND number = 1 AND buyer = 1')

        session.execute('ALTER TABLE view_orders ADD more int')
        wait_until(lambda: 'more' in views['seller_orders'].columns, 'the view has the new column')
        session.execute('DROP MATERIALIZED VIEW seller_orders')
        wait_until(lambda: 'seller_orders' not in views, 'the view is gone from the other session')


def check_metadata(keyspace):
    view = keyspace.views['seller_orders']
    check(keyspace.tables['view_orders'].views['seller_orders'] is view, 'its table has it')
    check('seller_orders' not in keyspace.tables, 'it is no table')
    equal(view.base_table_name, 'view_orders', 'its table')
    equal([c.name for c in view.partition_key], ['seller'], 'its partition key')
    equal([(c.name, c.is_reversed) for c in view.clustering_key], [('number', True), ('buyer', False)], 'its clustering')
    equal(list(view.columns), ['seller', 'number', 'buyer', 'note'], 'its columns')
    equal(view.include_all_columns, True, 'all columns')
    equal(view.where_clause, 'seller IS NOT NULL AND buyer IS NOT NULL AND number IS NOT NULL', 'its WHERE')
    check('CREATE MATERIALIZED VIEW' in view.as_cql_query(), 'its text')
