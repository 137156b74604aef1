"""A session alters tables and types about which other sessions have prepared statements."""
from cassandra import ProtocolVersion
from cassandra.query import BatchStatement, dict_factory
from support import case, equal


@case
def altered_tables(context):
    for version in (ProtocolVersion.V3, ProtocolVersion.V4, ProtocolVersion.V5):
        altered(context, version)


def altered(context, version):
    table = f'altering_v{version}'
    with (context.session(row_factory=dict_factory, protocol_version=version) as session,
          context.session(row_factory=dict_factory, protocol_version=version) as second, context.session() as other):
        def change(*statements):
            for statement in statements:
                other.execute(statement)

        def reads(expected, what):
            """Checks that each session that has prepared the SELECT reads this row, several times."""
            for who in (session, second) if context.is_widerow or version >= ProtocolVersion.V5 else (session,):
                for _ in range(2):
                    rows = who.execute(selects[who], ('u1',)).all()
                    equal(rows, [expected], f'{what}, v{version}, {"second" if who is second else "first"} session')

        change(f'CREATE TYPE place_v{version} (street text)',
               f'CREATE TABLE {table} (id text PRIMARY KEY, role text, home frozen<place_v{version}>)')
        selects = {who: who.prepare(f'SELECT * FROM {table} WHERE id = ?') for who in (session, second)}
        insert = session.prepare(f'INSERT INTO {table} (id, role) VALUES (?, ?)')
        session.execute(insert, ('u1', 'ann'))
        reads({'id': 'u1', 'home': None, 'role': 'ann'}, 'before')
        known = selects[session].result_metadata_id

        change(f'ALTER TABLE {table} ADD email text', f"UPDATE {table} SET email = 'a@x' WHERE id = 'u1'")
        reads({'id': 'u1', 'email': 'a@x', 'home': None, 'role': 'ann'}, 'after ADD')
        if version >= ProtocolVersion.V5:
            equal(selects[session].result_metadata_id == known, False, 'the id of the columns is the old one')
        session.execute(insert, ('u1', 'ben'))
        reads({'id': 'u1', 'email': 'a@x', 'home': None, 'role': 'ben'}, 'a write after ADD')

        change(f'ALTER TYPE place_v{version} ADD number int',
               f"UPDATE {table} SET home = {{street: 'x', number: 2}} WHERE id = 'u1'")
        reads({'id': 'u1', 'email': 'a@x', 'home': ('x', 2), 'role': 'ben'}, 'after ALTER TYPE')

        change(f'ALTER TABLE {table} DROP email')
        reads({'id': 'u1', 'home': ('x', 2), 'role': 'ben'}, 'after DROP')
        change(f'ALTER TABLE {table} ADD extra text')
        batch = BatchStatement()
        batch.add(insert, ('u1', 'carl'))
        batch.add(insert, ('u2', 'dora'))
        session.execute(batch)
        reads({'id': 'u1', 'extra': None, 'home': ('x', 2), 'role': 'carl'}, 'a batch after ADD')

        change(f'DROP TABLE {table}', f'CREATE TABLE {table} (id text PRIMARY KEY, added int, role text)')
        session.execute(insert, ('u1', 'ann'))
        reads({'id': 'u1', 'added': None, 'role': 'ann'}, 'after the table was made again')
