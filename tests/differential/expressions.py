"""Random selectors over a table's columns: arithmetic, casts, functions, elements, times, hints, tuples, nested calls."""
import values
from values import NUMBERS

CASTS = {
    **{number: NUMBERS + ('text',) for number in NUMBERS},
    'ascii': ('text',), 'boolean': ('text',), 'date': ('timestamp', 'text'), 'inet': ('text',), 'time': ('text',),
    'timestamp': ('date', 'text'), 'timeuuid': ('timestamp', 'date', 'text'), 'uuid': ('text',),
}
# The old names of functions.
_OLD = {'to_timestamp': 'toTimestamp', 'to_date': 'toDate', 'to_unix_timestamp': 'toUnixTimestamp', 'to_json': 'toJson'}


class Expressions:
    def __init__(self, random, table, terms):
        self.random, self.table, self.terms = random, table, terms

    def selector(self):
        """Returns an expression over any column that can be a whole selection."""
        r = self.random
        made = self._of(r.choice(self.table.columns())) if r.random() < 0.93 else self._of_constants()
        return made + (f' AS x{r.randint(0, 3)}' if r.random() < 0.1 else '')

    def aggregate(self):
        r = self.random
        column = r.choice(self.table.columns())
        if r.random() < 0.3:
            return r.choice(('count(*)', 'count(*)', 'count(1)', f'count({column.name})', 'COUNT(*) AS n'))
        if column.type in NUMBERS and r.random() < 0.6:
            # Sums of reals depend only on the order of the rows, which is the same.
            inner = self._arithmetic(column) if r.random() < 0.2 else column.name
            made = r.choice(('sum', 'avg', 'min', 'max', 'count', '"avg"')) + f'({inner})'
            return made if r.random() < 0.85 else r.choice((f'{made} + 1', f'CAST({made} AS text)', f'abs({made})'))
        return f'{r.choice(("min", "max", "count"))}({column.name})'

    def _of(self, column):
        r, name, t = self.random, column.name, column.type
        kind = r.random()
        if kind < 0.08:
            return f'{self._named("to_json")}({name})'
        if kind < 0.12:
            return self._masked(column)
        if kind < 0.15 and column.kind == 'partition':
            return f'token({", ".join(c.name for c in self.table.partition)})'
        if kind < 0.30 and column.kind in ('static', 'regular'):
            return self._time_of(column)
        if t in NUMBERS and kind < 0.75:
            # The number of final zeros in log10 of a decimal power of ten depends on Cassandra's algorithm.
            functions = ('abs', 'round', 'exp', 'log') + (() if t in ('decimal', 'varint') else ('log10',))
            return self._arithmetic(column) if r.random() < 0.6 else f'{r.choice(functions)}({name})'
        if t in ('timestamp', 'date') and kind < 0.6:
            return r.choice((f'{name} + 1d', f'{name} - 1mo', f'{name} + 2h', f'{name} + {self.terms.spelling("1d", "duration")}',
                             f'{self._named("to_timestamp")}({name})', f'{self._named("to_date")}({name})',
                             f'{self._named("to_unix_timestamp")}({name})', f'floor({name}, {r.choice(("1h", "2d", "1mo", "10m"))})',
                             f"floor({name}, 1d, '2013-01-01')"))
        if t == 'timeuuid' and kind < 0.6:
            return f'{self._named(r.choice(("to_timestamp", "to_date", "to_unix_timestamp")))}({name})'
        if t in ('text', 'ascii') and kind < 0.5:
            return r.choice((f"{name} + 'x'", f"'x' + {name}", f'{name} + {name}'))
        if values.is_vector(t) and kind < 0.75:
            return self._similarity(column)
        if column.is_multi_cell() or '<' in t:
            return self._of_parts(column)
        if kind < 0.85:
            return self._cast(column)
        bytes_of = f'{t}_as_blob({name})' if r.random() < 0.8 else f'{t}AsBlob({name})'
        return r.choice((name, bytes_of, f'blob_as_{t}({bytes_of})', f'({name}, {r.choice(self.table.columns()).name})', f'[{name}]',
                         f'{{{name}}}'))

    def _named(self, function):
        return _OLD[function] if self.random.random() < 0.2 else function

    def _of_constants(self):
        r = self.random
        t = r.choice(('int', 'text', 'bigint', 'double', 'timestamp', 'uuid', 'date', 'boolean', 'blob', 'duration', 'float', 'list<int>', 'set<text>',
                      'map<int, text>', 'tuple<int, text>'))
        literal = self.terms.literal(t)
        return r.choice((f'({t}) {literal}', f'({t}) {literal}', f'({t}) {self.terms.marker(literal, t)}', f'to_json(({t}) {literal})',
                         f"system.token({self.terms.literal('int')})", "text_as_blob('a')", f'(int) -1', f'to_json(({t}) {literal})',
                         f'blob_as_int({self.terms.marker("0x00000001", "blob")})', f'(int) 3 * 2 + 1', '(frozen<list<int>>) [1, 2]',
                         f"'{t}'", literal))

    def _cast(self, column):
        r = self.random
        to = r.choice(CASTS.get(column.type, ('text',)) if r.random() < 0.9 else NUMBERS)
        # Cassandra refuses the cast of a descending column to its own type, because it takes the column's type for another one.
        return column.name if column.descending and to == column.type else f'CAST({column.name} AS {to})'

    def _arithmetic(self, column):
        r = self.random
        others = [c for c in self.table.columns() if c.type in NUMBERS]
        right = r.choice(others).name if r.random() < 0.4 else r.choice(('0', '1', '2', '3', '-1', '1.5', '0.1', '10', '-2.5', '1e2', '(int) ?'))
        if right == '(int) ?':
            right = f'(int) {self.terms.marker(self.terms.literal("int"), "int")}'
        operator = r.choice('++--**/%')
        if r.random() < 0.15:
            # Cassandra takes -n for the beginning of -NaN, and -i for that of -Infinity.
            name = f' {column.name}' if column.name[0] in 'ni' else column.name
            return r.choice((f'-{name}', f'- -{name}', f'-({column.name})'))
        made = f'{column.name} {operator} {right}'
        return made if r.random() < 0.8 else f'({made}) {r.choice("+-*")} {r.choice(others).name}'

    def _time_of(self, column):
        functions = ['ttl'] + ([] if self.table.clocked else ['writetime', 'maxwritetime'])
        name, t = column.name, column.type
        kind = self.random.random()
        if column.is_multi_cell() and t.startswith(('map<', 'set<')) and kind < 0.4:
            element = self.terms.literal(values.arguments(t)[0])
            name += f'[{element}]' if kind < 0.2 else f'[{element}..]' if kind < 0.3 else f'[..{element}]'
        elif t == self.table.udt and kind < 0.4:
            name += f'.{self.random.choice(self.table.fields)[0]}'
        return f'{self.random.choice(functions)}({name})'

    def _masked(self, column):
        r, name = self.random, column.name
        masks = [f'mask_null({name})', f'mask_default({name})', f'mask_hash({name})']
        replacement = self.terms.literal(column.type)
        if column.kind != 'static' or '{' not in replacement:  # In braces, Cassandra accepts it for columns that are not static.
            masks.append(f'mask_replace({name}, {replacement})')
        if column.type != 'text':  # Cassandra cuts a character in two that is a pair in UTF-16.
            masks += [f'mask_inner({name}, 1, 1)', f"mask_outer({name}, 1, null, '#')"]
        return r.choice(masks)

    def _similarity(self, column):
        r = self.random
        others = [c.name for c in self.table.columns() if c.type == column.type]
        right = r.choice(others + [self.terms.literal(column.type)])
        return f'similarity_{r.choice(("cosine", "euclidean", "dot_product"))}({column.name}, {right})'

    def _of_parts(self, column):
        r, name = self.random, column.name
        inner = values.unfrozen(column.type)
        if values.is_vector(inner) or inner.startswith('tuple<'):
            return name
        if column.descending:  # Cassandra takes its type for another one.
            return name
        if inner == self.table.udt:
            return f'{name}.{r.choice(self.table.fields)[0]}'
        types = values.arguments(inner)
        if inner.startswith('list<'):
            functions = ('count', 'min', 'max', *(('sum', 'avg') if types[0] in NUMBERS else ()))
            return r.choice((*(f'collection_{what}({name})' for what in functions), name))
        element = self.terms.literal(types[0]) if r.random() < 0.85 else self.terms.marker(self.terms.literal(types[0]), types[0])
        other = self.terms.literal(types[0])
        parts = [f'{name}[{element}]', f'{name}[{element}]', f'{name}[{element}..]', f'{name}[..{element}]', f'{name}[{element}..{other}]',
                 f'collection_count({name})']
        if inner.startswith('map<'):
            return r.choice((*parts, f'map_keys({name})', f'map_values({name})'))
        return r.choice((*parts, f'collection_min({name})', f'collection_max({name})'))
