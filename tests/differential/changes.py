"""Random changes of a table that is in use: ALTER TABLE, ALTER TYPE, indexes that come and go, TRUNCATE."""
import values
from schema import Column

# Types that a dropped column may have when it is added again, besides its own. Cassandra refuses user-defined types.
_READ_AS = {'ascii': 'text', 'text': 'blob', 'timestamp': 'bigint', 'bigint': 'timestamp', 'timeuuid': 'uuid', 'varint': 'blob',
            'list<text>': 'list<blob>', 'set<text>': 'set<blob>'}
# Options that do not change the answers of other statements.
_OPTIONS = ("comment = 'x'", 'bloom_filter_fp_chance = 0.2', "caching = {'keys': 'NONE'}", "speculative_retry = '90p'", 'min_index_interval = 64',
            "compression = {'class': 'LZ4Compressor'}", 'crc_check_chance = 0.5', 'gc_grace_seconds = 100000', 'nope = 1', "caching = 'x'",
            "compaction = {'class': 'LeveledCompactionStrategy'}", "read_repair = 'NONE'", "additional_write_policy = '99p'", 'cdc = true')


class Changes:
    def __init__(self, random, table):
        self.random, self.table = random, table
        self.dropped_at = {}  # Column -> the greatest time at which it was dropped. An earlier time would show values that Cassandra has not compacted.
        self.readd = None     # A dropped column that must soon be added again. Otherwise Cassandra fails if its memtable has values of the column.
        self.indexes = len(table.indexed)

    def statement(self):
        r, table = self.random, self.table
        kind = r.random()
        if kind < 0.15:
            return f'TRUNCATE {r.choice(("", "TABLE ", "COLUMNFAMILY "))}{table.name}'
        if kind < 0.22:
            return f'ALTER TABLE {table.name} WITH {" AND ".join(r.sample(_OPTIONS, r.choice((1, 1, 2))))}'
        if kind < 0.34:
            return self._type()
        if kind < 0.42 and table.shape in ('plain', 'conditional'):
            return self._rename()
        if kind < 0.55 and table.shape == 'indexed':
            return self._index()
        if kind < 0.75 or len(table.regular) < 2 or table.shape in ('counter', 'indexed', 'sai', 'sasi', 'viewed'):
            return self._add()
        return self._drop()

    def _add(self):
        r, table, added = self.random, self.table, []
        for _ in range(r.choice((1, 1, 1, 2))):
            name = table.names.of(f'v{len(table.regular) + len(table.dropped) + bool(self.readd)}')
            static = bool(table.clustering) and not table.static and table.shape not in ('viewed', 'indexed') and r.random() < 0.2
            cql_type = 'counter' if table.shape == 'counter' else values.any_type(r, table.udt)
            column = Column(name, cql_type, 'static' if static else 'regular')
            (table.static if static else table.regular).append(column)
            added.append(f'{name} {column.type}' + (' static' if static else ''))
        absent = r.choice(('', '', 'IF NOT EXISTS '))
        return f'ALTER TABLE {table.name} ADD {absent}' + (added[0] if len(added) == 1 and r.random() < 0.7 else f'({", ".join(added)})')

    def _drop(self):
        r, table = self.random, self.table
        count = 2 if len(table.regular) > 2 and r.random() < 0.2 else 1
        dropped = [table.regular.pop(r.randrange(len(table.regular))) for _ in range(count)]
        if count == 1 and table.udt not in dropped[0].type and not self.readd and r.random() < 0.8:
            self.readd = dropped[0]
        else:
            table.dropped += dropped
        names = ', '.join(c.name for c in dropped)
        made = f'ALTER TABLE {table.name} DROP {r.choice(("", "", "IF EXISTS "))}' + (names if count == 1 and r.random() < 0.7 else f'({names})')
        if table.clocked:
            return made
        at = max([r.randint(1, 12)] + [self.dropped_at.get(c.name, 0) for c in dropped])
        self.dropped_at.update({c.name: at for c in dropped})
        return f'{made} USING TIMESTAMP {at}'

    def add_again(self):
        column, self.readd = self.readd, None
        if column.type in _READ_AS and self.random.random() < 0.3:
            column.type = _READ_AS[column.type]
        self.table.regular.append(column)
        return f'ALTER TABLE {self.table.name} ADD {column.name} {column.type}'

    def _rename(self):
        r, table = self.random, self.table
        renamed = []
        for column in r.sample(table.key(), min(len(table.key()), r.choice((1, 1, 2)))):
            name = f'k{r.randint(0, 99)}_{column.name.strip(chr(34)).replace(" ", "_")[:6]}' if column.name.isascii() else f'k{r.randint(0, 99)}'
            name = ''.join(c for c in name if c.isalnum() or c == '_')
            if any(c.name == name for c in table.columns() + table.dropped):
                continue
            renamed.append(f'{column.name} TO {name}')
            table.key_values[name] = table.key_values.pop(column.name)
            column.name = name
        if not renamed:
            return f'ALTER TABLE {table.name} RENAME nope TO nope2'
        return f'ALTER TABLE {table.name} RENAME {r.choice(("", "", "IF EXISTS "))}{" AND ".join(renamed)}'

    def _type(self):
        r, table = self.random, self.table
        used_in_key = any(table.udt in c.type for c in table.partition)
        kind = r.random()
        name = f'f{len(table.fields)}'
        if kind < 0.5 and len(table.fields) < 5:
            if not used_in_key:
                table.fields.append((name, r.choice(('int', 'text', 'boolean', 'frozen<list<int>>'))))
            return f'ALTER TYPE {table.udt} ADD {r.choice(("", "IF NOT EXISTS "))}{name} {dict(table.fields).get(name, "int")}'
        if kind < 0.8:
            at = r.randrange(len(table.fields))
            old, cql_type = table.fields[at]
            new = f'{old[:1]}{r.randint(0, 99)}'
            if any(field == new for field, _ in table.fields):
                return f'ALTER TYPE {table.udt} RENAME {old} TO {old}'
            table.fields[at] = (new, cql_type)
            return f'ALTER TYPE {table.udt} RENAME {r.choice(("", "IF EXISTS "))}{old} TO {new}'
        return r.choice((f'ALTER TYPE {table.udt} ADD {table.fields[0][0]} int', f'ALTER TYPE {table.udt} RENAME nope TO nope2',
                         f'ALTER TYPE {table.udt} ALTER {table.fields[0][0]} TYPE bigint', f'DROP TYPE {table.udt}', 'ALTER TYPE nope ADD x int'))

    def _index(self):
        r, table = self.random, self.table
        free = [c for c in table.regular if not any(c is column for column, _ in table.indexed)]
        if free and r.random() < 0.6:
            column = r.choice(free)
            target = table.index_target(column)
            if target and not column.is_multi_cell():
                number, self.indexes = self.indexes, self.indexes + 1
                table.indexed.append((column, target))
                return f'CREATE INDEX {r.choice(("", "IF NOT EXISTS "))}j{number} ON {table.name} ({target})'
        return r.choice((f'DROP INDEX {table.keyspace}.nope', f'DROP INDEX IF EXISTS nope', f'CREATE INDEX i0 ON {table.name} (nope)',
                         f'CREATE INDEX IF NOT EXISTS i0 ON {table.name} ({table.regular[0].name})',
                         f'CREATE INDEX nope ON {table.name} ({table.partition[0].name})'))
