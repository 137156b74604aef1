"""Random WHERE clauses: for rows to write, for ranges to delete, for slices to read, and for filters."""
import struct

import values
from encode import encode, encode_tuple


_EMPTY = ("''", '0x')
_FULL = {'text': "'a'", 'ascii': "'a'", 'blob': '0x00'}


class Where:
    def __init__(self, random, table, terms):
        self.random, self.table, self.terms = random, table, terms

    # Keys.
    def some_key(self, columns):
        return {c.name: self.table.key_value(c) for c in columns}

    def joined(self, relations):
        """Returns relations in random order, because the order of relations does not matter."""
        if self.random.random() < 0.15:
            self.random.shuffle(relations)
        return ' AND '.join(relations)

    def of_key(self, key, columns):
        """Restricts columns to the values of one key, one by one or several together."""
        return self._equal_partition(key, [c for c in columns if c.kind == 'partition']) \
            + self._equal_clustering(key, [c for c in columns if c.kind == 'clustering'])

    def whole_key(self, columns):
        return self.joined(self.of_key(self.some_key(columns), columns))

    def _equal_partition(self, key, columns):
        return [self._equal(c, key[c.name]) for c in columns]

    def _equal(self, column, literal):
        term = self.terms.of_column(column, literal)
        kind = 1.0 if self.terms.plain else self.random.random()
        if kind < 0.03:
            return f'{column.name} IN ({term})'
        return f'({column.name}) = ({term})' if kind < 0.05 and column.kind == 'clustering' else f'{column.name} = {term}'

    # Sometimes uses `(c0, c1) = (…)` in place of the single columns.
    def _equal_clustering(self, key, columns):
        r = self.random
        if len(columns) > 1 and not self.terms.plain and r.random() < 0.3:
            start = r.randint(0, len(columns) - 2)
            end = r.randint(start + 2, len(columns))
            group = columns[start:end]
            empty = any(key[c.name] in _EMPTY for c in group)  # See _row.
            together = self.multi(group, '=' if empty or r.random() < 0.7 else 'IN', [[key[c.name] for c in group]])
            return self._equal_clustering(key, columns[:start]) + [together] + self._equal_clustering(key, columns[end:])
        return [self._equal(c, key[c.name]) for c in columns]

    def multi(self, columns, operator, rows):
        """Returns a relation of several columns with tuples of literals. `rows` has one tuple if the operator is not IN."""
        r, names = self.random, ', '.join(c.name for c in columns)
        kind = 0.0 if self.terms.plain else r.random()

        def as_tuple(row):
            return encode_tuple(row, [c.type for c in columns], self.table.fields)

        def written(row):
            if kind > 0.85:
                return self.terms.markers.add(as_tuple(row))
            return '(' + ', '.join(self.terms.of_column(c, literal) for c, literal in zip(columns, row)) + ')'
        if operator != 'IN':
            return f'({names}) {operator} {written(rows[0])}'
        if 0.75 < kind < 0.85:
            packed = struct.pack('>i', len(rows)) + b''.join(_sized(as_tuple(row)) for row in rows)
            return f'({names}) IN {self.terms.markers.add(packed)}'
        return f'({names}) IN ({", ".join(map(written, rows))})'

    def within(self, column, literals):
        """Returns `column IN …`."""
        r = self.random
        if not self.terms.plain and r.random() < 0.2:
            parts = [encode(literal, column.type, self.table.fields, column.descending) for literal in literals]
            packed = struct.pack('>i', len(parts)) + b''.join(map(_sized, parts))
            return f'{column.name} IN {self.terms.markers.add(packed)}'
        return f'{column.name} IN ({", ".join(self.terms.of_column(column, literal) for literal in literals)})'

    def rows(self, columns, several=0.15):
        """Restricts the columns of a key to rows that may exist: by =, or sometimes by IN for any of the columns, alone or together."""
        r = self.random
        if r.random() >= several or not columns:
            return self.whole_key(columns)
        key, relations = self.some_key(columns), []
        partition = [c for c in columns if c.kind == 'partition']
        clustering = [c for c in columns if c.kind == 'clustering']
        for column in partition:
            relations.append(self._some_of(column) if r.random() < 0.4 else self._equal(column, key[column.name]))
        at = 0
        while at < len(clustering):
            width = r.randint(1, len(clustering) - at)
            group = clustering[at:at + width]
            at += width
            if width == 1:
                relations.append(self._some_of(group[0]) if r.random() < 0.5 else self._equal(group[0], key[group[0].name]))
            else:
                relations.append(self.multi(group, 'IN', [self._row(group) for _ in range(r.choice((1, 2, 2, 3)))]))
        return self.joined(relations)

    def _some_of(self, column):
        return self.within(column, [self.table.key_value(column) for _ in range(self.random.choice((0, 1, 2, 2, 3)))])

    def _row(self, columns):
        """Returns a tuple of values. In `(a, b) IN (…) AND c = 1`, Cassandra takes an empty value for an unset one."""
        full = {c.name: [value for value in self.table.key_values[c.name] if value not in _EMPTY] for c in columns}
        return [self.random.choice(full[c.name] or [_FULL.get(c.type) or self.terms.literal(c.type)]) for c in columns]

    # Slices of a partition.
    def slice(self, within=True):
        """Returns restrictions of the clustering columns, from none to a whole key. `within` says if IN is allowed."""
        r, clustering = self.random, self.table.clustering
        fixed = r.randint(0, len(clustering))
        relations = self._equal_clustering(self.some_key(clustering[:fixed]), clustering[:fixed])
        rest = clustering[fixed:]
        kind = r.random()
        if rest and kind < 0.5:
            relations += self._bounds(rest)
        elif rest and kind < 0.75 and within:
            width = r.randint(1, len(rest))
            if width == 1:
                relations.append(self._some_of(rest[0]))
            else:
                relations.append(self.multi(rest[:width], 'IN', [self._row(rest[:width]) for _ in range(r.randint(1, 3))]))
            if len(rest) > width and r.random() < 0.3:
                relations += self._bounds(rest[width:])
        return relations

    def _bounds(self, columns):
        r, relations = self.random, []
        # If one bound has several columns and the other one column, Cassandra takes the fields of a tuple for values of columns.
        alone = 'tuple<' in columns[0].type
        for sides in r.choice(((('>', '>='),), (('<', '<='),), (('>', '>='), ('<', '<=')), (('>', '>='), ('<', '<=')))):
            width = 1 if alone else r.randint(1, len(columns))
            group, operator = columns[:width], r.choice(sides)
            if alone or width == 1 and r.random() < 0.9:
                relations.append(f'{group[0].name} {operator} {self.terms.of_column(group[0], self.table.key_value(group[0]))}')
            else:
                relations.append(self.multi(group, operator, [self._row(group)]))
        return relations

    def token(self):
        """Returns a range of tokens, between keys or numbers."""
        r, partition = self.random, self.table.partition
        names = ', '.join(c.name for c in partition)

        def bound():
            if r.random() < 0.25:
                return r.choice(('0', '-9223372036854775808', '9223372036854775807', '4611686018427387904', '-1'))
            if r.random() < 0.1:
                return self.terms.markers.add(struct.pack('>q', r.choice((0, -2**62, 2**62))))
            return 'token(' + ', '.join(self.terms.of(literal, c.type) for c, literal in zip(partition, self._row(partition))) + ')'
        relations = [f'token({names}) {r.choice((">", ">="))} {bound()}', f'token({names}) {r.choice(("<", "<="))} {bound()}',
                     f'token({names}) = {bound()}']
        return r.choice((relations[:1], relations[1:2], relations[:2], relations[:2], relations[2:]))

    # Filters.
    def filter(self, column):
        """Returns a condition on any column, for ALLOW FILTERING or an index."""
        r, t, name = self.random, column.type, column.name
        inner = values.unfrozen(t)
        # Beside a storage-attached index, Cassandra finds nothing by CONTAINS on a frozen collection. It does not see that a
        # descending column is a collection.
        by_element = column.is_multi_cell() or self.table.shape != 'sai' and not column.descending
        if values.is_collection(inner) and by_element and r.random() < (0.98 if column.is_multi_cell() else 0.5):
            return self.of_element(column)
        if column.name in self.table.key_values and r.random() < 0.7:
            literal = self.table.key_value(column)
        else:
            literal = self.table.findable(column, self.terms.literal(t))
        # Beside a SASI index, Cassandra does not filter by IN.
        if r.random() < 0.12 and self.table.shape != 'sasi':
            return self.within(column, [literal] + [self.table.findable(column, self.terms.literal(t)) for _ in range(r.randint(0, 2))])
        # Beside a SASI index, Cassandra finds nothing by a range of texts.
        only_equal = column.is_multi_cell() or t == 'duration' or values.is_vector(t) or self.table.shape == 'sasi' and t in ('text', 'ascii')
        operator = '=' if only_equal and (r.random() < 0.98 or self.table.shape == 'sasi') else r.choice(('=', '=', '>', '<=', '<', '>='))
        return f'{name} {operator} {self.terms.of_column(column, literal)}'

    def of_element(self, column):
        r, name, inner = self.random, column.name, values.unfrozen(column.type)
        types = values.arguments(inner)
        if not inner.startswith('map<'):
            return f'{name} CONTAINS {self.terms.term(types[0])}'
        key, value = types
        return r.choice((f'{name} CONTAINS KEY {self.terms.term(key)}', f'{name} CONTAINS {self.terms.term(value)}',
                         f'{name}[{self.terms.term(key)}] = {self.terms.term(value)}'))


def _sized(data):
    return struct.pack('>i', -1) if data is None else struct.pack('>i', len(data)) + data
