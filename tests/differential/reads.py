"""Random SELECTs from a table, its indexes and its view, and statements that will probably be refused."""
import values
from writes import clustering_slice

_CASTS = ('int', 'uuid', 'date', 'text', 'boolean')


class Reads:
    def __init__(self, random, table, writes, expressions):
        self.random, self.table, self.writes, self.expressions = random, table, writes, expressions

    def statement(self):
        r, shape = self.random, self.table.shape
        if shape in ('indexed', 'sai') and self.table.indexed and r.random() < 0.5:
            return self._by_index()
        if shape == 'viewed' and r.random() < 0.5:
            return self._of_view()
        return self._select()

    def selection(self):
        r = self.random
        kind = r.random()
        if kind < 0.40:
            return '*'
        if kind < 0.47:
            return 'JSON ' + ('*' if r.random() < 0.5 else ', '.join(self._names()))
        if kind < 0.70:
            return ', '.join(self._names())
        if kind < 0.80:
            return ', '.join(self.expressions.aggregate() for _ in range(r.randint(1, 3)))
        return ', '.join(self.expressions.selector() for _ in range(r.randint(1, 3)))

    def _names(self):
        pool = [c.name for c in self.table.columns()]
        return self.random.sample(pool, self.random.randint(1, len(pool)))

    def _limits(self):
        r = self.random
        per = f' PER PARTITION LIMIT {r.randint(1, 2)}' if r.random() < 0.15 else ''
        return per + (f' LIMIT {r.randint(1, 4)}' if r.random() < 0.25 else '')

    def _order(self):
        r, clustering = self.random, self.table.clustering
        if not clustering or r.random() < 0.6:
            return ''
        turned = r.random() < 0.5
        return ' ORDER BY ' + ', '.join(f'{c.name} {"DESC" if c.descending != turned else "ASC"}' for c in clustering)

    def _select(self):
        r, table = self.random, self.table
        kind = r.random()
        partition = self.writes.whole_key(table.partition)
        if kind < 0.40:
            return f'SELECT {self.selection()} FROM {table.name} WHERE {partition}{clustering_slice(r, table)}{self._order()}{self._limits()}'
        if kind < 0.54:
            return f'SELECT {self.selection()} FROM {table.name}{self._limits()}'
        if kind < 0.61:
            names = ', '.join(c.name for c in table.partition)
            token = 'token(' + ', '.join(table.key_value(c) for c in table.partition) + ')'
            return f'SELECT {self.selection()} FROM {table.name} WHERE token({names}) {r.choice((">", ">=", "<", "<="))} {token}'
        if kind < 0.67:
            return f'SELECT DISTINCT {", ".join(c.name for c in table.partition + table.static)} FROM {table.name}'
        if kind < 0.72:
            return f'SELECT count(*) FROM {table.name}' + r.choice(('', f' WHERE {partition}'))
        if kind < 0.82:
            return self._grouped(partition)
        last = table.partition[-1]
        if kind < 0.90:
            where = ' AND '.join([f'{c.name} = {table.key_value(c)}' for c in table.partition[:-1]]
                                 + [f'{last.name} IN ({table.key_value(last)}, {table.key_value(last)})'])
            selection = self.selection()
            order = '' if selection == 'JSON *' else self._order()  # Cassandra orders the texts, not the rows.
            return f'SELECT {selection} FROM {table.name} WHERE {where}{clustering_slice(r, table)}{order}{self._limits()}'
        return f'SELECT {self.selection()} FROM {table.name} WHERE {self._filter()} ALLOW FILTERING'

    def _grouped(self, partition):
        r, table = self.random, self.table
        width = r.randint(len(table.partition), len(table.key()))
        groups = [c.name for c in table.key()[:width]]
        where = r.choice(('', f' WHERE {partition}', f' WHERE {partition}{clustering_slice(r, table)}'))
        shown = r.sample(groups, r.randint(0, len(groups))) + [self.expressions.aggregate() for _ in range(r.randint(1, 2))]
        order = self._order() if where else ''
        return f'SELECT {", ".join(shown)} FROM {table.name}{where} GROUP BY {", ".join(groups)}{order}{self._limits()}'

    def _filter(self):
        r = self.random
        # With a storage-attached index Cassandra's limits count rows that a filter on a vector then removes.
        pool = [c for c in self.table.static + self.table.regular + self.table.clustering
                if self.table.shape != 'sai' or not values.is_vector(c.type)]
        return self._restriction(r.choice(pool or self.table.partition))

    def _restriction(self, column):
        r = self.random
        if column.type.startswith('set<') or column.type.startswith('list<'):
            return f'{column.name} CONTAINS {values.literal(r, column.type[column.type.index("<") + 1:-1])}'
        if column.type.startswith('map<'):
            key, value = column.type[4:-1].split(', ', 1)
            return r.choice((f'{column.name} CONTAINS KEY {values.literal(r, key)}', f'{column.name} CONTAINS {values.literal(r, value)}',
                             f'{column.name}[{values.literal(r, key)}] = {values.literal(r, value)}'))
        operator = '=' if column.is_multi_cell() else r.choice(('=', '>', '<=', '<'))
        domain = [self.table.key_value(column)] if column.name in self.table.key_values else []
        return f'{column.name} {operator} {r.choice(domain + [values.literal(r, column.type)])}'

    def _by_index(self):
        r, table = self.random, self.table
        column, target = r.choice(table.indexed)
        restriction = self._indexed_restriction(column, target)
        if r.random() < 0.2:
            restriction += ' AND ' + self._filter()
        if r.random() < 0.2:
            restriction = f'{self.writes.whole_key(table.partition)} AND {restriction}'
        filtering = ' ALLOW FILTERING' if r.random() < 0.3 else ''
        return f'SELECT {self.selection()} FROM {table.name} WHERE {restriction}{self._limits()}{filtering}'

    def _indexed_restriction(self, column, target):
        r, t, name = self.random, column.type, column.name
        if target.startswith('FULL'):
            return f'{name} = {values.literal(r, t)}'
        if target.startswith('VALUES') or target.startswith('KEYS') or target.startswith('ENTRIES'):
            if not t.startswith('map<'):
                return f'{name} CONTAINS {values.literal(r, t[t.index("<") + 1:-1])}'
            key, value = t[4:-1].split(', ', 1)
            if target.startswith('KEYS'):
                return f'{name} CONTAINS KEY {values.literal(r, key)}'
            if target.startswith('VALUES'):
                return f'{name} CONTAINS {values.literal(r, value)}'
            return f'{name}[{values.literal(r, key)}] = {values.literal(r, value)}'
        domain = [table_value for table_value in self.table.key_values.get(name, [])]
        operator = r.choice(('=', '=', '>', '<=')) if self.table.shape == 'sai' else '='
        return f'{name} {operator} {r.choice(domain or [values.literal(r, t)])}'

    def _of_view(self):
        r, table = self.random, self.table
        if r.random() < 0.4:
            return f'SELECT * FROM {table.view}{self._limits()}'
        leading = table.view_key[0]

        def value():
            return table.key_value(leading) if leading.name in table.key_values else values.literal(r, leading.type)
        restriction = f'= {value()}' if r.random() < 0.6 else f'IN ({", ".join(value() for _ in range(r.randint(1, 3)))})'
        selection = r.choice(('*', 'count(*)', ', '.join(c.name for c in table.view_key)))
        return f'SELECT {selection} FROM {table.view} WHERE {leading.name} {restriction}{self._limits()}'

    def mistaken(self):
        """Returns a statement that will probably be refused."""
        r, table = self.random, self.table
        column = r.choice(table.columns())
        using = self.writes.using('')
        # writes.py makes deletions of counters.
        deletion = f'DELETE {column.name} FROM {table.name}{using} WHERE {self.writes.whole_key(table.partition)}'
        return r.choice((
            f'SELECT nope FROM {table.name}',
            f'SELECT * FROM {table.keyspace}.nope',
            f'SELECT * FROM {table.name} WHERE {column.name} = {values.literal(r, column.type)}',
            f'SELECT * FROM {table.name} WHERE {column.name} = {values.wrong_literal(r)} ALLOW FILTERING',
            f'INSERT INTO {table.name} ({column.name}) VALUES ({values.literal(r, column.type)}){using}',
            f'UPDATE {table.name}{using} SET {column.name} = {values.wrong_literal(r)} WHERE {self.writes.whole_key(table.key())}',
            deletion if table.shape != 'counter' else f'DELETE FROM {table.name}',
            f'SELECT * FROM {table.name} WHERE {self.writes.whole_key(table.partition)} ORDER BY {column.name}',
            f'SELECT * FROM {table.name} LIMIT 0',
            f'SELECT {column.name} {column.name} FROM {table.name} WHERE',
            f'INSERT INTO {table.name} ({column.name}, {column.name}) VALUES (1, 1){using}',
            f'SELECT {column.name}, count(*) FROM {table.name} GROUP BY {r.choice(table.columns()).name}',
            f'UPDATE {table.name}{using} SET {column.name} = {column.name} + 1 WHERE {self.writes.living_key()}',
            f'SELECT {column.name} + {r.choice(table.columns()).name} FROM {table.name}',
            f'SELECT CAST({column.name} AS {r.choice([t for t in _CASTS if t != column.type])}) FROM {table.name}',
            f'ALTER TABLE {table.name} ADD {column.name} int',
            f'ALTER TABLE {table.name} DROP {column.name if column.kind in ("partition", "clustering") else "nope"}',
        ))
