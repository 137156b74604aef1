"""A random table: its columns, its indexes and its view."""
import values


class Column:
    def __init__(self, name, cql_type, kind, descending=False):
        self.name, self.type, self.kind, self.descending = name, cql_type, kind, descending

    def is_multi_cell(self):
        return values.is_multi_cell(self.type)


class Table:
    """`shape` says which statements it is for: plain; conditional (IF …); counter; indexed ('' or 'sai'); viewed."""

    def __init__(self, random, keyspace, shape):
        r = random
        self.random, self.keyspace, self.shape, self.name, self.udt = r, keyspace, shape, f'{keyspace}.t', 'pair'
        self.view = f'{keyspace}.v'
        self.partition = [Column(f'p{i}', values.scalar(r, True), 'partition') for i in range(r.choice((1, 1, 2)))]
        self.clustering = [Column(f'c{i}', values.scalar(r, True), 'clustering', r.random() < 0.4)
                           for i in range(r.choice((0, 1, 1, 2, 3)))]
        statics = self.clustering and r.random() < 0.5 and shape != 'viewed'
        self.static = [Column('s', self._value_type(), 'static')] if statics else []
        self.regular = [Column(f'v{i}', self._value_type(), 'regular') for i in range(r.choice((1, 2, 3, 4)))]
        # Few key values, so that statements meet the same rows.
        self.key_values = {c.name: [values.literal(r, c.type) for _ in range(3)] for c in self.partition + self.clustering}
        self.indexed = self._indexed()
        self._fill_descending()
        self.view_key = self._view_key() if shape == 'viewed' else []
        self.dropped = []
        self.changes = r.random() < 0.5  # True: statements include ALTER TABLE and TRUNCATE.
        self.expires = self._expires()

    # The writes that may have a TTL. An index on a key column uses Cassandra's own clock and not the request's, and so do views and
    # filters of storage-attached indexes. See also Writes._written. Columns that are added later have no TTL.
    def _expires(self):
        if self.shape in ('sai', 'viewed') or self.has_indexed_key():
            return ()
        return ('UPDATE',) if self.changes else ('INSERT', 'UPDATE')

    def has_indexed_key(self):
        return any(column in self.key() for column, _ in self.indexed)

    def has_indexed_map_keys(self):
        return any(target.startswith('KEYS') for _, target in self.indexed)

    def has_entries_by_element(self):
        """A plain index on a list's or a map's values. When Cassandra meets the remains of a deleted partition or range in it, it also
        removes entries of the same row."""
        return self.shape == 'indexed' and any(target.startswith('VALUES') and not column.type.startswith('set<')
                                               for column, target in self.indexed)

    def _value_type(self):
        return 'counter' if self.shape == 'counter' else values.any_type(self.random, self.udt)

    def columns(self):
        return self.partition + self.clustering + self.static + self.regular

    def key(self):
        return self.partition + self.clustering

    def key_value(self, column):
        return self.random.choice(self.key_values[column.name])

    def statements(self):
        columns = ', '.join(f'{c.name} {c.type}' + (' static' if c.kind == 'static' else '') for c in self.columns())
        key = '(' + ', '.join(c.name for c in self.partition) + ')' + ''.join(f', {c.name}' for c in self.clustering)
        order = ', '.join(f'{c.name} {"DESC" if c.descending else "ASC"}' for c in self.clustering)
        made = [f"CREATE KEYSPACE {self.keyspace} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}",
                f'CREATE TYPE {self.keyspace}.{self.udt} (a int, b text)',
                f'CREATE TABLE {self.name} ({self._qualified(columns)}, PRIMARY KEY ({key}))'
                + (f' WITH CLUSTERING ORDER BY ({order})' if order else '')]
        for i, (column, target) in enumerate(self.indexed):
            custom, using = ('CUSTOM ', " USING 'sai'") if self.shape == 'sai' else ('', '')
            made.append(f'CREATE {custom}INDEX i{i} ON {self.name} ({target}){using}')
        if self.view_key:
            made.append(self._create_view())
        return made

    def _qualified(self, text):
        return text.replace(self.udt, f'{self.keyspace}.{self.udt}')

    # (column, its indexed part), for types that can be indexed.
    def _indexed(self):
        r, kept = self.random, []
        if self.shape not in ('indexed', 'sai'):
            return kept
        # Cassandra's plain index on a static column finds no row if WHERE also restricts the clustering, and
        # its plain index on a part of the partition key loses a partition that has only static columns left.
        candidates = (self.regular + (self.static if self.shape == 'sai' else []) + self.clustering
                      + (self.partition if len(self.partition) > 1 and not (self.static and self.shape == 'indexed') else []))
        for column in r.sample(candidates, min(len(candidates), r.randint(1, 3))):
            if column.type == 'duration' or values.is_vector(column.type):
                continue
            if not column.is_multi_cell():
                target = f'FULL({column.name})' if column.type.startswith('frozen<') and '<' in column.type[7:] and 'tuple' not in column.type \
                    else column.name
                if self.shape == 'sai' and column.type.startswith('frozen<') and not target.startswith('FULL'):
                    continue
            elif column.type.startswith('map<'):
                target = r.choice((f'KEYS({column.name})', f'VALUES({column.name})', f'ENTRIES({column.name})'))
            elif column.type == self.udt:
                continue
            else:
                target = f'VALUES({column.name})'
            kept.append((column, target))
        return kept

    def _fill_descending(self):
        """Cassandra's storage-attached indexes have no entries for empty values of descending columns."""
        for column, _ in self.indexed if self.shape == 'sai' else []:
            if column.descending and column.type in ('text', 'ascii'):
                self.key_values[column.name] = ["'a'" if value == "''" else value for value in self.key_values[column.name]]

    # The view's key is the table's in another order, at times with one more column in front.
    def _view_key(self):
        r = self.random
        extra = [c for c in self.regular if not c.is_multi_cell() and c.type != 'duration']
        rest = list(self.key())
        r.shuffle(rest)
        if extra and r.random() < 0.7:
            return [r.choice(extra)] + rest
        return rest

    def _create_view(self):
        where = ' AND '.join(f'{c.name} IS NOT NULL' for c in self.view_key)
        key = ', '.join(c.name for c in self.view_key)
        selected = '*' if self.random.random() < 0.6 else ', '.join(
            dict.fromkeys([c.name for c in self.view_key] + [c.name for c in self.regular if self.random.random() < 0.6]))
        return f'CREATE MATERIALIZED VIEW {self.view} AS SELECT {selected} FROM {self.name} WHERE {where} PRIMARY KEY ({key})'
