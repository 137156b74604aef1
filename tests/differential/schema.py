"""A random table: its columns, its indexes and its view."""
import re

import values
from names import Names, shown


class Column:
    def __init__(self, name, cql_type, kind, descending=False):
        self.name, self.type, self.kind, self.descending = name, cql_type, kind, descending

    def is_multi_cell(self):
        return values.is_multi_cell(self.type)


class Table:
    """`shape` says for which statements the table is made: plain; conditional (IF …); counter; indexed; sai; sasi; viewed; schema (DDL)."""

    def __init__(self, random, keyspace, shape):
        r, names = random, Names(random)
        self.random, self.keyspace, self.shape, self.name = r, keyspace, shape, r.choice((f'{keyspace}.t', 't'))
        self.names = names
        self.udt, self.fields = r.choice(('pair', 'pair', 'key', '"Pair"')), list(values.FIELDS)
        self.view = f'{keyspace}.v'
        self.partition = [Column(names.of(f'p{i}'), self._key_type(), 'partition') for i in range(r.choice((1, 1, 2)))]
        self.clustering = [Column(names.of(f'c{i}'), self._key_type(), 'clustering', r.random() < 0.4)
                           for i in range(r.choice((0, 1, 1, 2, 2, 3)))]
        statics = self.clustering and r.random() < 0.5 and shape != 'viewed'
        self.static = [Column(names.of('s'), self._value_type(), 'static')] if statics else []
        self.regular = [Column(names.of(f'v{i}'), self._value_type(), 'regular') for i in range(r.choice((1, 2, 3, 4)))]
        # There are few key values, so that statements often use the same rows.
        self.key_values = {c.name: self._domain(c) for c in self.partition + self.clustering}
        self.indexed = self._indexed()
        self.sasi_modes = {}  # By the name of a column with a SASI index.
        self._fill_descending()
        self.view_key = self._view_key() if shape == 'viewed' else []
        self.dropped = []
        self.changes = r.random() < 0.5  # True: statements include ALTER TABLE and TRUNCATE.
        self.expires = self._expires()

    # Returns the kinds of writes that may have a TTL. An index on a key column expires by Cassandra's own clock instead of the request's.
    # So do views, and filters of storage-attached and SASI indexes. See also Writes._written. Columns that are added later have no TTL.
    def _expires(self):
        if self.shape in ('sai', 'sasi', 'viewed') or self.has_indexed_key():
            return ()
        return ('UPDATE',) if self.changes else ('INSERT', 'UPDATE')

    def has_indexed_key(self):
        return any(column in self.key() for column, _ in self.indexed)

    def has_indexed_map_keys(self):
        return any(target.startswith('KEYS') for _, target in self.indexed)

    def has_entries_by_element(self):
        """Returns True if there is a plain index on the values of a list or map. If Cassandra finds the marks of a deleted partition or range in
        such an index, it also removes entries of other elements of the same row."""
        return self.shape == 'indexed' and any(target.startswith('VALUES') and not column.type.startswith('set<')
                                               for column, target in self.indexed)

    def _key_type(self):
        return values.key_type(self.random, self.udt) if self.shape in ('plain', 'conditional') else values.scalar(self.random, True)

    def _value_type(self):
        if self.shape == 'sasi' and self.random.random() < 0.6:
            return self.random.choice(('text', 'text', 'ascii', 'int', 'bigint'))
        return 'counter' if self.shape == 'counter' else values.any_type(self.random, self.udt)

    def _domain(self, column):
        return [values.literal(self.random, column.type, self.fields) for _ in range(3)]

    def columns(self):
        return self.partition + self.clustering + self.static + self.regular

    def key(self):
        return self.partition + self.clustering

    def findable(self, column, literal):
        """Returns a literal that an index on the column can find. Cassandra's SASI indexes have no empty values."""
        indexed = self.shape == 'sasi' and any(column is each for each, _ in self.indexed)
        return "'a'" if indexed and literal == "''" else literal

    def key_value(self, column):
        return self.random.choice(self.key_values[column.name])

    def statements(self):
        r = self.random
        single = len(self.partition) == 1 and not self.clustering and r.random() < 0.5
        columns = ', '.join(f'{c.name} {c.type}' + (' static' if c.kind == 'static' else '')
                            + (' PRIMARY KEY' if single and c.kind == 'partition' else '') for c in self.columns())
        partition = ', '.join(c.name for c in self.partition)
        key = (f'({partition})' if len(self.partition) > 1 or r.random() < 0.5 else partition) + ''.join(f', {c.name}' for c in self.clustering)
        order = ', '.join(f'{c.name} {"DESC" if c.descending else "ASC"}' for c in self.clustering)
        made = [f"CREATE KEYSPACE {self.keyspace} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}",
                f'USE {self.keyspace}',
                f'CREATE TYPE {self.udt} ({", ".join(f"{name} {t}" for name, t in self.fields)})',
                f'CREATE TABLE {self.name} ({columns}{"" if single else f", PRIMARY KEY ({key})"})'
                + (f' WITH CLUSTERING ORDER BY ({order})' if order else '')]
        made += [self.create_index(i, column, target) for i, (column, target) in enumerate(self.indexed)]
        if self.view_key:
            made.append(self._create_view())
        return made

    def create_index(self, number, column, target):
        r = self.random
        name = f'i{number}'
        if self.shape == 'sai':
            using = r.choice(("'sai'", "'sai'", "'StorageAttachedIndex'"))
            options = r.choice(('', '', " WITH OPTIONS = {'case_sensitive': 'true'}")) if column.type in ('text', 'ascii') else ''
            return f'CREATE {"CUSTOM " if "Stor" in using else r.choice(("", "CUSTOM "))}INDEX {name} ON {self.name} ({target}) USING {using}{options}'
        if self.shape == 'sasi':
            mode = r.choice(('PREFIX', 'CONTAINS')) if column.type in ('text', 'ascii') else r.choice(('PREFIX', 'SPARSE'))
            self.sasi_modes[column.name] = mode
            return (f"CREATE CUSTOM INDEX {name} ON {self.name} ({target}) USING 'org.apache.cassandra.index.sasi.SASIIndex' "
                    f"WITH OPTIONS = {{'mode': '{mode}'}}")
        return f'CREATE INDEX {r.choice((name, name, ""))} ON {self.name} ({target})' + r.choice(('', '', " USING 'legacy_local_table'"))

    # Returns (column, its indexed part) for each index. Columns of some types cannot be indexed.
    def _indexed(self):
        r, kept = self.random, []
        if self.shape == 'sasi':
            candidates = [c for c in self.regular if c.type in ('text', 'ascii', 'int', 'bigint') and self.index_target(c)]
            return [(column, column.name) for column in r.sample(candidates, min(len(candidates), 2))]
        if self.shape not in ('indexed', 'sai'):
            return kept
        # Cassandra's plain index on a static column finds no row if WHERE also restricts the clustering, and
        # its plain index on a part of the partition key loses a partition that has only static columns left.
        candidates = (self.regular + (self.static if self.shape == 'sai' else []) + self.clustering
                      + (self.partition if len(self.partition) > 1 and not (self.static and self.shape == 'indexed') else []))
        for column in r.sample(candidates, min(len(candidates), r.randint(1, 3))):
            target = self.index_target(column)
            if target:
                kept.append((column, target))
        return kept

    def index_target(self, column):
        """Returns what CREATE INDEX names for a column, or None if it cannot be indexed."""
        r, name = self.random, column.name
        # Cassandra's indexes refuse names with other characters, or find nothing by them.
        if not re.fullmatch(r'\w+', shown(name), re.ASCII):
            return None
        if column.type == 'duration' or values.is_vector(column.type) or column.type == self.udt:
            return None
        if column.is_multi_cell():
            if column.type.startswith('map<'):
                return r.choice((f'KEYS({name})', f'VALUES({name})', f'ENTRIES({name})', name))
            return r.choice((f'VALUES({name})', name))
        if values.is_collection(values.unfrozen(column.type)):
            return f'FULL({name})'
        frozen = column.type.startswith('frozen<')
        return None if self.shape == 'sai' and frozen else name

    def _fill_descending(self):
        """Replaces empty values of descending columns, for which Cassandra's storage-attached indexes have no entries."""
        for column, _ in self.indexed if self.shape == 'sai' else []:
            if column.descending and column.type in ('text', 'ascii'):
                self.key_values[column.name] = ["'a'" if value == "''" else value for value in self.key_values[column.name]]

    # The key of the view is the key of the table in another order, sometimes with one more column at its beginning.
    def _view_key(self):
        r = self.random
        extra = [c for c in self.regular if not c.is_multi_cell() and c.type != 'duration']
        rest = list(self.key())
        r.shuffle(rest)
        if extra and r.random() < 0.7:
            return [r.choice(extra)] + rest
        return rest

    def _create_view(self):
        r = self.random
        where = ' AND '.join(f'{c.name} IS NOT NULL' for c in self.view_key)
        first, rest = self.view_key[0].name, ''.join(f', {c.name}' for c in self.view_key[1:])
        key = f'({first}){rest}' if r.random() < 0.5 else first + rest
        selected = '*' if r.random() < 0.6 else ', '.join(
            dict.fromkeys([c.name for c in self.view_key] + [c.name for c in self.regular if r.random() < 0.6]))
        order = ', '.join(f'{c.name} {r.choice(("ASC", "DESC"))}' for c in self.view_key[1:])
        ordered = f' WITH CLUSTERING ORDER BY ({order})' if order and r.random() < 0.3 else ''
        return f'CREATE MATERIALIZED VIEW {self.view} AS SELECT {selected} FROM {self.name} WHERE {where} PRIMARY KEY ({key}){ordered}'
