"""Random selectors over a table's columns: arithmetic, casts, functions, elements, times."""
import values

NUMBERS = ('tinyint', 'smallint', 'int', 'bigint', 'varint', 'float', 'double', 'decimal')
CASTS = {
    **{number: NUMBERS + ('text',) for number in NUMBERS},
    'ascii': ('text',), 'boolean': ('text',), 'date': ('timestamp', 'text'), 'inet': ('text',), 'time': ('text',),
    'timestamp': ('date', 'text'), 'timeuuid': ('timestamp', 'date', 'text'), 'uuid': ('text',),
}


class Expressions:
    def __init__(self, random, table):
        self.random, self.table = random, table

    def selector(self):
        """Returns an expression over any column that can be a whole selection."""
        r = self.random
        column = r.choice(self.table.columns())
        made = self._of(column)
        return made + (f' AS x{r.randint(0, 3)}' if r.random() < 0.1 else '')

    def aggregate(self):
        r = self.random
        column = r.choice(self.table.columns())
        if r.random() < 0.3:
            return r.choice(('count(*)', f'count({column.name})'))
        if column.type in NUMBERS and r.random() < 0.6:
            # Sums of reals depend only on the order of the rows, which is the same.
            inner = self._arithmetic(column) if r.random() < 0.2 else column.name
            return f'{r.choice(("sum", "avg", "min", "max", "count"))}({inner})'
        return f'{r.choice(("min", "max", "count"))}({column.name})'

    def _of(self, column):
        r, name, t = self.random, column.name, column.type
        kind = r.random()
        if kind < 0.08:
            return f'to_json({name})'
        if kind < 0.12:
            return self._masked(column)
        if kind < 0.30 and column.kind in ('static', 'regular'):
            return self._time_of(column)
        if t in NUMBERS and kind < 0.75:
            # The number of final zeros in log10 of a decimal power of ten depends on Cassandra's algorithm.
            functions = ('abs', 'round', 'exp', 'log') + (() if t in ('decimal', 'varint') else ('log10',))
            return self._arithmetic(column) if r.random() < 0.6 else f'{r.choice(functions)}({name})'
        if t in ('timestamp', 'date') and kind < 0.6:
            return r.choice((f'{name} + 1d', f'{name} - 1mo', f'{name} + 2h', f'to_timestamp({name})', f'to_date({name})', f'to_unix_timestamp({name})'))
        if t == 'timeuuid' and kind < 0.6:
            return f'{r.choice(("to_timestamp", "to_date", "to_unix_timestamp"))}({name})'
        if values.is_vector(t) and kind < 0.75:
            return self._similarity(column)
        if column.is_multi_cell() or '<' in t:
            return self._of_collection(column)
        if kind < 0.88:
            return self._cast(column)
        return r.choice((name, f'{t}_as_blob({name})', f'blob_as_{t}({t}_as_blob({name}))'))

    def _cast(self, column):
        r = self.random
        to = r.choice(CASTS.get(column.type, ('text',)) if r.random() < 0.9 else NUMBERS)
        # Cassandra refuses the cast of a descending column to its own type, because it takes the column's type for another one.
        return column.name if column.descending and to == column.type else f'CAST({column.name} AS {to})'

    def _arithmetic(self, column):
        r = self.random
        others = [c for c in self.table.columns() if c.type in NUMBERS]
        right = r.choice(others).name if r.random() < 0.4 else r.choice(('0', '1', '2', '3', '-1', '1.5', '0.1', '10'))
        operator = r.choice('++--**/%')
        if r.random() < 0.15:
            return f'-{column.name}'
        made = f'{column.name} {operator} {right}'
        return made if r.random() < 0.8 else f'({made}) {r.choice("+-*")} {r.choice(others).name}'

    def _time_of(self, column):
        functions = ['ttl'] + ([] if self.table.clocked else ['writetime', 'maxwritetime'])
        name = column.name
        if column.is_multi_cell() and column.type.startswith('map<') and self.random.random() < 0.3:
            name += f'[{values.literal(self.random, column.type[4:-1].split(", ", 1)[0])}]'
        elif column.type == self.table.udt and self.random.random() < 0.4:
            name += '.a'
        return f'{self.random.choice(functions)}({name})'

    def _masked(self, column):
        r, name = self.random, column.name
        masks = [f'mask_null({name})', f'mask_default({name})', f'mask_hash({name})']
        replacement = values.literal(r, column.type)
        if column.kind != 'static' or '{' not in replacement:  # In braces, Cassandra accepts it for columns that are not static.
            masks.append(f'mask_replace({name}, {replacement})')
        if column.type != 'text':  # Cassandra cuts a character in two that is a pair in UTF-16.
            masks += [f'mask_inner({name}, 1, 1)', f"mask_outer({name}, 1, null, '#')"]
        return r.choice(masks)

    def _similarity(self, column):
        r = self.random
        others = [c.name for c in self.table.columns() if c.type == column.type]
        right = r.choice(others + [values.literal(r, column.type)])
        return f'similarity_{r.choice(("cosine", "euclidean", "dot_product"))}({column.name}, {right})'

    def _of_collection(self, column):
        r, name, t = self.random, column.name, column.type
        inner = t[7:-1] if t.startswith('frozen<') else t
        if inner.startswith('map<'):
            key = values.literal(r, inner[4:-1].split(', ', 1)[0])
            return r.choice((f'{name}[{key}]', f'{name}[{key}..]', f'map_keys({name})', f'map_values({name})', f'collection_count({name})'))
        if inner.startswith('set<'):
            element = values.literal(r, inner[4:-1])
            return r.choice((f'{name}[{element}]', f'{name}[..{element}]', f'collection_count({name})', f'collection_min({name})', f'collection_max({name})'))
        if inner.startswith('list<'):
            return f'{r.choice(("collection_count", "collection_min", "collection_max", "collection_sum", "collection_avg"))}({name})'
        if inner == self.table.udt:
            return f'{name}.{r.choice("ab")}'
        return name
