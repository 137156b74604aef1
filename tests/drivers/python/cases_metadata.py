"""Cases of the schema in the driver's own API, and of its updates after changes by other sessions."""
from support import REPLICATION, case, check, equal, wait_until

TABLE = '''CREATE TABLE {ks}.readings (
    site text, day date, at timestamp, sensor int, "Value" double, place frozen<place>, note text STATIC,
    tags map<text, frozen<list<int>>>, pair tuple<int, text>,
    PRIMARY KEY ((site, day), at, sensor))
  WITH CLUSTERING ORDER BY (at DESC, sensor ASC) AND comment = 'what it''s for'
  AND default_time_to_live = 86400 AND gc_grace_seconds = 1000'''
COLUMNS = {'site': 'text', 'day': 'date', 'at': 'timestamp', 'sensor': 'int', 'Value': 'double', 'place': 'frozen<place>',
           'note': 'text', 'tags': 'map<text, frozen<list<int>>>', 'pair': 'frozen<tuple<int, text>>'}


@case
def metadata(context):
    keyspace = context.prefix + '_meta'
    with context.connect() as session:
        session.execute(f'CREATE KEYSPACE {keyspace} WITH replication = {REPLICATION} AND durable_writes = false')
        session.execute(f'CREATE TYPE {keyspace}.place (street text, door int, codes frozen<set<ascii>>)')
        session.execute(TABLE.format(ks=keyspace))
        session.execute(f'CREATE TABLE {keyspace}.plain (k uuid PRIMARY KEY)')
    with context.connect() as session:  # This session reads the whole schema at its start.
        known = session.cluster.metadata.keyspaces[keyspace]
        equal(known.durable_writes, False, 'durable_writes')
        equal(known.replication_strategy.name, 'SimpleStrategy', 'the replication strategy')
        equal(known.replication_strategy.replication_factor, 1, 'the replication factor')
        equal(sorted(known.tables), ['plain', 'readings'], 'the tables')
        check_table(known.tables['readings'])
        equal(list(known.tables['plain'].columns), ['k'], 'columns of the plain table')
        equal(known.tables['plain'].clustering_key, [], 'clustering columns of the plain table')
        place = known.user_types['place']
        equal(list(zip(place.field_names, place.field_types)),
              [('street', 'text'), ('door', 'int'), ('codes', 'frozen<set<ascii>>')], 'fields of the type')
        check('nothing' not in known.tables and known.tables.get('nothing') is None, 'no table that is not there')
        check_recreation(session, keyspace, known)


def check_table(table):
    equal([c.name for c in table.partition_key], ['site', 'day'], 'the partition key')
    equal([(c.name, c.is_reversed) for c in table.clustering_key], [('at', True), ('sensor', False)], 'clustering columns')
    equal({name: c.cql_type for name, c in table.columns.items()}, COLUMNS, 'columns')
    equal(list(table.columns)[:4], ['site', 'day', 'at', 'sensor'], 'the primary key comes first')
    equal([name for name, c in table.columns.items() if c.is_static], ['note'], 'static columns')
    options = table.options
    for name, value in {'comment': "what it's for", 'default_time_to_live': 86400, 'gc_grace_seconds': 1000}.items():
        equal(options[name], value, name)
    for name, key in {'compaction': 'class', 'compression': 'class', 'caching': 'keys'}.items():
        check(options[name].get(key), f'{name} has {key}: {options[name]}')
    for name in ('speculative_retry', 'bloom_filter_fp_chance', 'crc_check_chance', 'min_index_interval', 'memtable_flush_period_in_ms'):
        check(options[name] is not None, f'{name} is filled')


def check_recreation(session, keyspace, known):
    """The CREATE statements that the driver makes must make the same keyspace again."""
    text = known.export_as_string()
    session.execute(f'DROP KEYSPACE {keyspace}')
    for statement in text.split(';'):
        if statement.strip():
            session.execute(statement)
    again = session.cluster.metadata.keyspaces[keyspace]
    check(again is not known, 'the metadata was read again')
    equal(again.export_as_string(), text, 'the keyspace made from its own text')
    check_table(again.tables['readings'])


@case
def metadata_system(context):
    with context.connect() as session:
        cluster_metadata = session.cluster.metadata
        check(cluster_metadata.cluster_name, 'the cluster has a name')
        equal(cluster_metadata.partitioner, 'org.apache.cassandra.dht.Murmur3Partitioner', 'the partitioner')
        for keyspace in ('system', 'system_schema', 'system_virtual_schema', 'system_traces', 'system_auth', 'system_views'):
            check(keyspace in cluster_metadata.keyspaces, f'{keyspace} is there')
        system = cluster_metadata.keyspaces['system'].tables
        for table in ('local', 'peers', 'peers_v2'):
            check(table in system, f'system.{table} is there')
        check('tables' in cluster_metadata.keyspaces['system_schema'].tables, 'system_schema.tables is there')
        check(cluster_metadata.keyspaces['system_virtual_schema'].virtual, 'system_virtual_schema is virtual')
        hosts = cluster_metadata.all_hosts()
        equal(len(hosts), 1, 'hosts')
        host = hosts[0]
        check(host.is_up, 'the host is up')
        check(host.datacenter and host.rack and host.host_id, 'data centre, rack and host id')
        check(int(host.release_version.split('.')[0]) >= 4, f'release version {host.release_version}')
        check(cluster_metadata.token_map and cluster_metadata.token_map.ring, 'tokens')
        check(cluster_metadata.get_replicas(context.prefix, b'key') == hosts, 'replicas of a key')
        with context.connect() as other:
            equal(other.cluster.metadata.all_hosts()[0].host_id, host.host_id, 'the host id stays')


@case
def schema_events(context):
    keyspace = context.prefix + '_events'
    with context.connect(schema_event_refresh_window=0) as watcher, context.connect(schema_metadata_enabled=False) as actor:
        keyspaces = watcher.cluster.metadata.keyspaces

        def table():
            return keyspaces[keyspace].tables.get('t')

        actor.execute(f'CREATE KEYSPACE {keyspace} WITH replication = {REPLICATION}')
        wait_until(lambda: keyspace in keyspaces, 'the keyspace is made')
        actor.execute(f'ALTER KEYSPACE {keyspace} WITH durable_writes = false')
        wait_until(lambda: not keyspaces[keyspace].durable_writes, 'the keyspace is altered')
        actor.execute(f'CREATE TYPE {keyspace}.ty (a int)')
        wait_until(lambda: 'ty' in keyspaces[keyspace].user_types, 'the type is made')
        actor.execute(f'ALTER TYPE {keyspace}.ty ADD b text')
        wait_until(lambda: keyspaces[keyspace].user_types['ty'].field_names == ['a', 'b'], 'the type is altered')
        actor.execute(f'CREATE TABLE {keyspace}.t (k int PRIMARY KEY, v int)')
        wait_until(table, 'the table is made')
        actor.execute(f'ALTER TABLE {keyspace}.t ADD w text')
        wait_until(lambda: 'w' in table().columns, 'the table is altered')
        actor.execute(f'DROP TABLE {keyspace}.t')
        wait_until(lambda: not table(), 'the table is dropped')
        actor.execute(f'DROP TYPE {keyspace}.ty')
        wait_until(lambda: 'ty' not in keyspaces[keyspace].user_types, 'the type is dropped')
        actor.execute(f'DROP KEYSPACE {keyspace}')
        wait_until(lambda: keyspace not in keyspaces, 'the keyspace is dropped')
