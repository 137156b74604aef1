"""Random schema statements over a few names: keyspaces, tables, types, indexes, views, functions, triggers. SELECTs from system_schema
show their effects."""
import values
from names import KEYWORDS

_SHOWN = {
    'keyspaces': 'keyspace_name, durable_writes, replication',
    'tables': ('table_name, additional_write_policy, bloom_filter_fp_chance, caching, cdc, comment, compaction, compression, '
               'crc_check_chance, default_time_to_live, flags, gc_grace_seconds, max_index_interval, memtable_flush_period_in_ms, '
               'min_index_interval, read_repair, speculative_retry'),
    'columns': 'table_name, column_name, clustering_order, column_name_bytes, kind, position, type',
    'types': 'type_name, field_names, field_types',
    'indexes': 'table_name, index_name, kind, options',
    'views': 'view_name, base_table_name, where_clause, include_all_columns, comment, compaction, gc_grace_seconds, caching',
    'dropped_columns': 'table_name, column_name, kind, type',
    'functions': 'function_name, argument_types', 'aggregates': 'aggregate_name, argument_types', 'triggers': 'table_name, trigger_name',
}
_REPLICATIONS = ("{'class': 'SimpleStrategy', 'replication_factor': 1}", "{'class': 'SimpleStrategy', 'replication_factor': '1'}",
                 "{'class': 'NetworkTopologyStrategy', 'datacenter1': 1}", "{'class': 'nope'}", "{'replication_factor': 1}", '{}', "'x'", '1',
                 "{'class': 'org.apache.cassandra.locator.SimpleStrategy', 'replication_factor': 1}")
_OPTIONS = ("comment = 'x'", "comment = $$it's$$", 'bloom_filter_fp_chance = 0.2', 'bloom_filter_fp_chance = 2', 'gc_grace_seconds = 10',
            'gc_grace_seconds = -1', "gc_grace_seconds = 'x'", 'default_time_to_live = 100', 'default_time_to_live = -1',
            "caching = {'keys': 'NONE', 'rows_per_partition': '10'}", "caching = {'keys': 'x'}", "compaction = {'class': 'LeveledCompactionStrategy'}",
            "compaction = {'class': 'SizeTieredCompactionStrategy', 'min_threshold': 2}", "compaction = {'class': 'nope'}",
            "compaction = {'class': 'UnifiedCompactionStrategy'}", "compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': 16}",
            "compression = {'enabled': false}", 'compression = {}', "compression = {'class': 'nope'}", 'crc_check_chance = 0.5', 'crc_check_chance = -0.5', 'bloom_filter_fp_chance = -0.2',
            'min_index_interval = 64', 'max_index_interval = 64', 'memtable_flush_period_in_ms = 0', "read_repair = 'NONE'", "read_repair = 'x'",
            "speculative_retry = '90p'", 'speculative_retry = NONE', "speculative_retry = '10ms'", 'speculative_retry = always',
            "additional_write_policy = '99p'", 'cdc = true', 'cdc = 1', 'nope = 1', 'nope = {}', 'durable_writes = false', "comment = 0xff", 'gc_grace_seconds = 0xff',
            'comment = 1d', 'comment = -1d', 'gc_grace_seconds = 1d', 'gc_grace_seconds = -1d', 'comment = 50554d6e-29bb-11e5-b345-feff819cdc9f', 'gc_grace_seconds = NaN', 'gc_grace_seconds = -NaN',
            'crc_check_chance = Infinity', 'crc_check_chance = -Infinity', "id = 50554d6e-29bb-11e5-b345-feff819cdc9f",
            'default_time_to_live = 630720001', "memtable = 'default'", "memtable = 'nope'", 'comment = tuple')
_FUNCTION = "LANGUAGE java AS 'return 1;'"


class Schema:
    """Statements over two keyspaces; `other` is the second one's name."""

    def __init__(self, random, table):
        self.random, self.table, self.keyspace, self.other = random, table, table.keyspace, f'{table.keyspace}_x'

    def statement(self):
        r = self.random
        if r.random() < 0.2:
            return self._shown()
        kinds = (self._keyspace, self._create_table, self._create_table, self._alter_table, self._alter_table, self._alter_table, self._drop_table,
                 self._create_type, self._alter_type, self._alter_type, self._drop_type, self._create_index, self._create_index, self._drop_index,
                 self._create_view, self._create_view, self._alter_view, self._drop_view, self._function, self._function, self._use)
        return r.choice(kinds)()

    def _shown(self):
        r = self.random
        name = r.choice(tuple(_SHOWN))
        keyspace = r.choice((self.keyspace, self.keyspace, self.other))
        if name == 'keyspaces':
            return f"SELECT {_SHOWN[name]} FROM system_schema.keyspaces WHERE keyspace_name = '{keyspace}'"
        return f"SELECT {_SHOWN[name]} FROM system_schema.{name} WHERE keyspace_name = '{keyspace}'"

    # Names.
    def _in(self, name):
        r = self.random
        return r.choice((name, name, name, f'{self.keyspace}.{name}', f'{self.other}.{name}', f'{self.keyspace}_nope.{name}' if r.random() < 0.2 else name))

    def _table(self):
        return self._in(self.random.choice(('t', 't', 't2', 't3', '"T"', 'tables', 'columns')))

    def _type_name(self):
        return self.random.choice(('u', 'u', 'u2', 'key', '"U"', 'type', f'{self.keyspace}.u', 'int'))

    def _column(self):
        r = self.random
        return r.choice(('k', 'c', 'd', 'v', 'w', 's', 'm', '"V"', 'key', 'ttl', 'nope', r.choice(KEYWORDS), *(c.name for c in self.table.columns())))

    def _if_absent(self):
        return 'IF NOT EXISTS ' if self.random.random() < 0.3 else ''

    def _if_there(self):
        return 'IF EXISTS ' if self.random.random() < 0.3 else ''

    def _type(self):
        r = self.random
        return r.choice((values.scalar(r), values.scalar(r), values.any_type(r, 'u'), 'u', 'frozen<u>', 'list<frozen<u>>', 'list<u>', 'list<list<int>>',
                         'frozen<list<list<int>>>', 'nope', 'counter', 'varchar', 'set<counter>', 'map<duration, int>', 'vector<int, 0>', 'tuple<u>', 'frozen<int>',
                         'set<duration>', 'timestamp', "'org.apache.cassandra.db.marshal.Int32Type'", "'Int32Type'", "'nope'", 'map<int>'))

    def _options(self, most=2, special=()):
        r = self.random
        chosen = r.sample(_OPTIONS + tuple(special), r.randint(1, most))
        return ' AND '.join(chosen)

    # Statements.
    def _keyspace(self):
        r = self.random
        durable = r.choice(('', '', ' AND durable_writes = false', ' AND durable_writes = 1', ' AND nope = 1'))
        replication = r.choice(_REPLICATIONS[:3] + _REPLICATIONS)
        return r.choice((f'CREATE KEYSPACE {self._if_absent()}{self.other} WITH replication = {replication}{durable}',
                         f'CREATE KEYSPACE {self._if_absent()}{self.other} WITH replication = {replication}{durable}',
                         f'ALTER KEYSPACE {self._if_there()}{r.choice((self.other, self.keyspace))} WITH replication = {replication}{durable}',
                         f'ALTER KEYSPACE {self._if_there()}{self.other} WITH durable_writes = {r.choice(("true", "false", "FALSE"))}',
                         f'DROP KEYSPACE {"IF EXISTS " if r.random() < 0.9 else ""}{self.other}'))

    def _create_table(self):
        r = self.random
        names = list(dict.fromkeys(r.sample(('k', 'c', 'd', 'v', 'w', 's', 'm', '"V"', 'key', 'ttl'), r.randint(1, 5)) + r.sample(KEYWORDS, r.choice((0, 1, 2, 3)))))
        types = [values.scalar(r, i < 3) if r.random() < 0.75 else self._type() for i in range(len(names))]
        columns = [f'{name} {t}' + (' static' if r.random() < 0.1 else '') + (' MASKED WITH DEFAULT' if r.random() < 0.04 else '')
                   + (f' MASKED WITH mask_inner(1, {r.choice(("1", "null"))})' if r.random() < 0.03 else '')
                   + (' MASKED WITH mask_null()' if r.random() < 0.02 else '') for name, t in zip(names, types)]
        count = min(len(names), r.choice((1, 1, 2, 3)))
        key, order = names[:count], ''
        if count == 1 and r.random() < 0.3:
            columns[0] += ' PRIMARY KEY'
        else:
            split = r.randint(1, count)
            first = f'({", ".join(key[:split])})' if split > 1 or r.random() < 0.5 else key[0]
            columns.append(f'PRIMARY KEY ({first}{"".join(f", {name}" for name in key[split:])})')
            if key[split:] and r.random() < 0.4:
                order = f'CLUSTERING ORDER BY ({", ".join(name + r.choice((" ASC", " DESC")) for name in key[split:])})'
        if r.random() < 0.08:
            columns.append(r.choice(('PRIMARY KEY (nope)', 'k int', 'PRIMARY KEY ((nope, k))', 'x int PRIMARY KEY')))
        parts = [order] if order else []
        parts += [self._options()] if r.random() < 0.35 else []
        r.shuffle(parts)
        extra = r.choice(('', '', '', ','))
        return f'CREATE {r.choice(("TABLE", "TABLE", "COLUMNFAMILY"))} {self._if_absent()}{self._table()} ({", ".join(columns)}{extra})' \
            + (f' WITH {" AND ".join(parts)}' if parts else '')

    def _alter_table(self):
        r = self.random
        column, other, t = self._column(), self._column(), self._type()
        often = r.choice(('', 'IF EXISTS '))
        action = r.choice((
            f'ADD {self._if_absent()}{column} {t}', f'ADD {self._if_absent()}{column} {t}', f'ADD ({column} {t}, {other} int)', f'ADD {column} {t} static',
            f'ADD {column} {t} PRIMARY KEY', f'DROP {self._if_there()}{column}', f'DROP {often}{column}', f'DROP ({column}, {other})',
            f'DROP {column} USING TIMESTAMP {r.choice(("1", "1700000000000000"))}', f'DROP {column} USING TIMESTAMP -1', f'DROP {column} USING TIMESTAMP -2', f'RENAME {often}{column} TO {r.choice(("x1", "x2", other))}',
            f'RENAME {self._if_there()}{column} TO x3 AND {other} TO x4', f'WITH {self._options()}', f'WITH {self._options()}', f'ALTER {column} TYPE {t}',
            f'ALTER {self._if_there()}{column} MASKED WITH DEFAULT', f'ALTER {often}{column} MASKED WITH mask_null()',
            f'ALTER {column} MASKED WITH mask_inner(1, null)', f'ALTER {column} DROP MASKED', f'ALTER IF EXISTS {column} DROP MASKED', f'ALTER IF EXISTS {column} MASKED WITH mask_null()', 'DROP COMPACT STORAGE', 'WITH CLUSTERING ORDER BY (c DESC)'))
        return f'ALTER TABLE {self._if_there()}{self._table()} {action}'

    def _drop_table(self):
        return f'DROP TABLE {self._if_there()}{self._table()}'

    def _create_type(self):
        r = self.random
        fields = ', '.join(f'{name} {self._type() if r.random() < 0.4 else values.scalar(r)}' for name in r.sample(('a', 'b', 'c', '"D"', 'key'), r.choice((1, 2, 3))))
        return f'CREATE TYPE {self._if_absent()}{self._type_name()} ({fields}{r.choice(("", "", "", ","))})'

    def _alter_type(self):
        r = self.random
        field, other = r.choice(('a', 'b', 'c', 'x', '"D"')), r.choice(('a', 'b', 'x', 'y', 'z'))
        action = r.choice((f'ADD {self._if_absent()}{field} {self._type()}', f'ADD {self._if_absent()}{field} int', f'RENAME {self._if_there()}{field} TO {other}',
                           f'RENAME {field} TO {other} AND b TO y', f'ALTER {field} TYPE {self._type()}'))
        return f'ALTER TYPE {self._if_there()}{self._type_name()} {action}'

    def _drop_type(self):
        return f'DROP TYPE {self._if_there()}{self._type_name()}'

    def _create_index(self):
        r = self.random
        column = self._column()
        target = r.choice((column, column, column, f'VALUES({column})', f'KEYS({column})', f'ENTRIES({column})', f'FULL({column})', f'{column}, {self._column()}', ''))
        using = r.choice(('', '', '', " USING 'sai'", " USING 'legacy_local_table'", " USING 'nope'", " USING 'org.apache.cassandra.index.sasi.SASIIndex'"))
        options = r.choice(('', '', '', " WITH OPTIONS = {'case_sensitive': 'false'}", " WITH OPTIONS = {'nope': 'x'}", " WITH nope = 1",
                            " WITH OPTIONS = {'mode': 'CONTAINS'}", " WITH OPTIONS = {'class_name': 'x'}", ' WITH OPTIONS = {}'))
        custom = 'CUSTOM ' if 'SASI' in using or r.random() < 0.15 else ''
        name = r.choice(('', 'i1 ', 'i2 ', 'i3 ', '"I" '))
        return f'CREATE {custom}INDEX {self._if_absent()}{name}ON {self._table()} ({target}){using}{options}'

    def _drop_index(self):
        r = self.random
        return f'DROP INDEX {self._if_there()}{self._in(r.choice(("i1", "i2", "i3", "t_v_idx", "nope")))}'

    def _create_view(self):
        r = self.random
        table, names = self._table(), ['k', 'c', 'd', 'v', 'w']
        if r.random() < 0.5:
            table, names = self.table.name, [c.name for c in self.table.columns()]
            key = [c.name for c in self.table.key()]
        else:
            key = r.sample(names, 2)
        r.shuffle(key)
        key += [r.choice(names)] if r.random() < 0.3 else []
        where = ' AND '.join(f'{name} {r.choice(("IS NOT NULL", "IS NOT NULL", "IS NOT NULL", "IS NOT NULL", "> 0", "= 1"))}' for name in key)
        where = f' WHERE {where}' if r.random() < 0.95 else ''
        selected = '*' if r.random() < 0.5 else ', '.join(key + r.sample(names, 1)) if r.random() < 0.8 else r.choice(('count(*)', 'k AS x', 'JSON k'))
        shape = f'({key[0]}){"".join(f", {name}" for name in key[1:])}' if r.random() < 0.5 else ', '.join(key)
        options = []
        if r.random() < 0.3 and len(key) > 1:
            options.append(f'CLUSTERING ORDER BY ({", ".join(f"{name} DESC" for name in key[1:])})')
        if r.random() < 0.25:
            options = options + [self._options(1)] if r.random() < 0.7 else ['COMPACT STORAGE']
        tail = f' WITH {" AND ".join(options)}' if options else ''
        return (f'CREATE MATERIALIZED VIEW {self._if_absent()}{r.choice(("mv", "mv2", self.keyspace + ".mv"))} AS SELECT {selected} FROM {table}{where} '
                f'PRIMARY KEY ({shape}){tail}')

    def _alter_view(self):
        return f'ALTER MATERIALIZED VIEW {self._if_there()}{self.random.choice(("mv", "mv2", "nope", "t"))} WITH {self._options()}'

    def _drop_view(self):
        return f'DROP MATERIALIZED VIEW {self._if_there()}{self.random.choice(("mv", "mv", "mv2", "t", self.keyspace + ".mv"))}'

    def _function(self):
        r = self.random
        replace, name = r.choice(('', 'OR REPLACE ')), r.choice(('f', 'g', f'{self.keyspace}.f', f'{self.other}.f'))
        arguments = r.choice(('', 'a int', 'a int, b text'))
        types = r.choice(('', '()', '(int)', '(int, text)', '(nope)'))
        absent = r.choice(('', 'IF NOT EXISTS ', 'IF NOT EXISTS ')) if not replace or r.random() < 0.1 else ''
        return r.choice((
            f'CREATE {replace}FUNCTION {absent}{name} ({arguments}) {r.choice(("RETURNS NULL", "CALLED"))} ON NULL INPUT RETURNS int {_FUNCTION}',
            f'DROP FUNCTION {self._if_there()}{name}{types}', f'DROP AGGREGATE {self._if_there()}{name}{types}',
            f'CREATE {replace}AGGREGATE {absent}{name} ({r.choice(("", "int", "int, text"))}) SFUNC f STYPE int{r.choice(("", " FINALFUNC g"))}'
            f'{r.choice(("", " INITCOND 0", " INITCOND null"))}',
            f'DROP TRIGGER {self._if_there()}tr ON {self._table()}'))

    def _use(self):
        return f'USE {self.random.choice((self.keyspace, self.keyspace, self.keyspace, self.other, "nope"))}'
