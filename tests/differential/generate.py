"""Random schemas and statements from a seed. What a seed gives changes only with VERSION."""
import random as random_module

import values

VERSION = 1


class Column:
    def __init__(self, name, cql_type, kind, descending=False):
        self.name, self.type, self.kind, self.descending = name, cql_type, kind, descending


class Generator:
    """One table's life: `schema` statements first, then any number of `statement()`s. `keyspace` is a name to be put in."""

    def __init__(self, seed, keyspace):
        self.random = random_module.Random(f'{VERSION}/{seed}')
        self.keyspace = keyspace
        self.udt = 'pair'
        r = self.random
        self.partition = [Column(f'p{i}', values.scalar(r, True), 'partition') for i in range(r.choice((1, 1, 2)))]
        self.clustering = [Column(f'c{i}', values.scalar(r, True), 'clustering', r.random() < 0.4)
                           for i in range(r.choice((0, 1, 1, 2, 3)))]
        self.static = [Column('s', values.any_type(r, self.udt), 'static')] if self.clustering and r.random() < 0.5 else []
        self.regular = [Column(f'v{i}', values.any_type(r, self.udt), 'regular') for i in range(r.choice((1, 2, 3, 4)))]
        # Few key values: rows are met again.
        self.key_values = {c.name: [values.key_literal(r, c.type) for _ in range(3)] for c in self.partition + self.clustering}
        self.table = f'{keyspace}.t'
        self.clocked = r.random() < 0.3  # No timestamps given: the server's own decide.

    def schema(self):
        columns = ', '.join(f'{c.name} {c.type}' + (' static' if c.kind == 'static' else '') for c in self.columns())
        key = '(' + ', '.join(c.name for c in self.partition) + ')' + ''.join(f', {c.name}' for c in self.clustering)
        order = ', '.join(f'{c.name} {"DESC" if c.descending else "ASC"}' for c in self.clustering)
        return [f"CREATE KEYSPACE {self.keyspace} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}",
                f'CREATE TYPE {self.keyspace}.{self.udt} (a int, b text)',
                f'CREATE TABLE {self.table} ({columns.replace(self.udt, self.keyspace + "." + self.udt)}, PRIMARY KEY ({key}))'
                + (f' WITH CLUSTERING ORDER BY ({order})' if order else '')]

    def columns(self):
        return self.partition + self.clustering + self.static + self.regular

    def statement(self):
        kind = self.random.random()
        if kind < 0.25:
            return self.insert()
        if kind < 0.40:
            return self.update()
        if kind < 0.52:
            return self.delete()
        if kind < 0.56:
            return self.batch()
        if kind < 0.95:
            return self.select()
        return self.mistaken()

    # Writes.
    def key_value(self, column):
        return self.random.choice(self.key_values[column.name])

    def using(self):
        # Small timestamps, so that they tie and go back.
        return '' if self.clocked else f' USING TIMESTAMP {self.random.randint(1, 12)}'

    def value(self, column):
        return 'null' if self.random.random() < 0.15 else values.literal(self.random, column.type)

    def insert(self, using=None):
        given = [c for c in self.static + self.regular if self.random.random() < 0.7]
        pairs = [(c.name, self.key_value(c)) for c in self.partition + self.clustering] + [(c.name, self.value(c)) for c in given]
        names, literals = ', '.join(n for n, _ in pairs), ', '.join(v for _, v in pairs)
        return f'INSERT INTO {self.table} ({names}) VALUES ({literals})' + (self.using() if using is None else using)

    def whole_key(self, columns):
        return ' AND '.join(f'{c.name} = {self.key_value(c)}' for c in columns)

    def assignment(self, column):
        r, t = self.random, column.type
        if not values.is_multi_cell(t) or r.random() < 0.3:
            return f'{column.name} = {self.value(column)}'
        name, literal = column.name, values.literal(r, t)
        if t.startswith('map<'):
            key, value = t[4:-1].split(', ', 1)
            return r.choice((f'{name} = {name} + {literal}', f'{name}[{values.literal(r, key)}] = {values.literal(r, value)}',
                             f'{name} = {name} - {{{values.literal(r, key)}}}'))
        if t.startswith('set<'):
            return r.choice((f'{name} = {name} + {literal}', f'{name} = {name} - {literal}'))
        if t.startswith('list<'):
            return r.choice((f'{name} = {name} + {literal}', f'{name} = {literal} + {name}', f'{name} = {name} - {literal}'))
        return r.choice((f'{name}.a = {values.literal(r, "int")}', f"{name}.b = 'x'", f'{name}.b = null'))

    def update(self, using=None):
        statics_only = self.static and self.random.random() < 0.2
        pool = self.static if statics_only else self.regular
        columns = self.random.sample(pool, self.random.randint(1, len(pool)))
        where = self.whole_key(self.partition + ([] if statics_only else self.clustering))
        return (f'UPDATE {self.table}{self.using() if using is None else using} SET '
                + ', '.join(self.assignment(c) for c in columns) + f' WHERE {where}')

    def delete(self, using=None):
        r = self.random
        using = self.using() if using is None else using
        kind = r.random()
        if kind < 0.3:  # Columns, elements, fields.
            column = r.choice(self.regular)
            target = column.name
            if values.is_multi_cell(column.type) and r.random() < 0.5:
                if column.type.startswith('map<'):
                    target += f'[{values.literal(r, column.type[4:-1].split(", ", 1)[0])}]'
                elif column.type.startswith('set<'):
                    target += f'[{values.literal(r, column.type[4:-1])}]'
                elif not column.type.startswith('list<'):
                    target += '.a'
            return f'DELETE {target} FROM {self.table}{using} WHERE {self.whole_key(self.partition + self.clustering)}'
        if kind < 0.55 or not self.clustering:
            where = self.whole_key(self.partition + self.clustering)
        elif kind < 0.65:
            where = self.whole_key(self.partition)
        else:
            where = self.whole_key(self.partition) + self.clustering_slice()
        return f'DELETE FROM {self.table}{using} WHERE {where}'

    def batch(self):
        parts = [self.random.choice((self.insert, self.update, self.delete))(using='') for _ in range(self.random.randint(1, 3))]
        return 'BEGIN ' + self.random.choice(('', 'UNLOGGED ')) + f'BATCH{self.using()} ' + '; '.join(parts) + '; APPLY BATCH'

    # Reads.
    def clustering_slice(self):
        """A restriction of the clustering, from nothing to a whole key, that Cassandra takes."""
        r = self.random
        fixed = r.randint(0, len(self.clustering))
        terms = [f'{c.name} = {self.key_value(c)}' for c in self.clustering[:fixed]]
        rest = self.clustering[fixed:]
        if rest and r.random() < 0.6:
            width = r.randint(1, len(rest)) if not terms or r.random() < 0.5 else 1
            names = ', '.join(c.name for c in rest[:width])
            for sides in r.choice(((('>', '>='),), (('<', '<='),), (('>', '>='), ('<', '<=')))):
                bound = ', '.join(self.key_value(c) for c in rest[:width])
                many = width > 1
                terms.append(f'({names}) {r.choice(sides)} ({bound})' if many else f'{names} {r.choice(sides)} {bound}')
        elif rest and r.random() < 0.3:
            column = rest[0]
            terms.append(f'{column.name} IN ({", ".join(self.key_value(column) for _ in range(r.randint(0, 3)))})')
        return ''.join(f' AND {t}' for t in terms)

    def selection(self):
        r = self.random
        if r.random() < 0.5:
            return '*'
        pool = [c.name for c in self.columns()]
        times = [f'writetime({c.name})' for c in self.static + self.regular
                 if not self.clocked and not values.is_multi_cell(c.type)]
        return ', '.join(r.sample(pool, r.randint(1, len(pool))) + ([r.choice(times)] if times and r.random() < 0.4 else []))

    def select(self):
        r = self.random
        kind = r.random()
        partition = self.whole_key(self.partition)
        if kind < 0.45:
            where = partition + self.clustering_slice()
            order = ''
            if self.clustering and r.random() < 0.4:
                turned = r.random() < 0.5
                order = ' ORDER BY ' + ', '.join(
                    f'{c.name} {"DESC" if c.descending != turned else "ASC"}' for c in self.clustering)
            return f'SELECT {self.selection()} FROM {self.table} WHERE {where}{order}{self.limits()}'
        if kind < 0.60:
            return f'SELECT {self.selection()} FROM {self.table}{self.limits()}'
        if kind < 0.68:
            names = ', '.join(c.name for c in self.partition)
            token = 'token(' + ', '.join(self.key_value(c) for c in self.partition) + ')'
            return f'SELECT {self.selection()} FROM {self.table} WHERE token({names}) {r.choice((">", ">=", "<", "<="))} {token}'
        if kind < 0.76:
            names = ', '.join(c.name for c in self.partition + self.static)
            return f'SELECT DISTINCT {names} FROM {self.table}'
        if kind < 0.84:
            return f'SELECT count(*) FROM {self.table}' + r.choice(('', f' WHERE {partition}'))
        last = self.partition[-1]
        if kind < 0.92:
            where = ' AND '.join([f'{c.name} = {self.key_value(c)}' for c in self.partition[:-1]]
                                 + [f'{last.name} IN ({self.key_value(last)}, {self.key_value(last)})'])
            return f'SELECT {self.selection()} FROM {self.table} WHERE {where}{self.clustering_slice()}{self.limits()}'
        return f'SELECT {self.selection()} FROM {self.table} WHERE {self.filter()} ALLOW FILTERING'

    def filter(self):
        r = self.random
        column = r.choice(self.static + self.regular + self.clustering)
        if column.type.startswith('set<') or column.type.startswith('list<'):
            return f'{column.name} CONTAINS {values.literal(r, column.type[column.type.index("<") + 1:-1])}'
        if column.type.startswith('map<'):
            key, value = column.type[4:-1].split(', ', 1)
            return r.choice((f'{column.name} CONTAINS KEY {values.literal(r, key)}',
                             f'{column.name} CONTAINS {values.literal(r, value)}'))
        operator = '=' if values.is_multi_cell(column.type) else r.choice(('=', '>', '<=', '<'))
        return f'{column.name} {operator} {values.literal(r, column.type)}'

    def limits(self):
        r = self.random
        per = f' PER PARTITION LIMIT {r.randint(1, 2)}' if r.random() < 0.15 else ''
        return per + (f' LIMIT {r.randint(1, 4)}' if r.random() < 0.25 else '')

    def mistaken(self):
        """A statement that is probably refused."""
        r = self.random
        column = r.choice(self.columns())
        return r.choice((
            f'SELECT nope FROM {self.table}',
            f'SELECT * FROM {self.keyspace}.nope',
            f'SELECT * FROM {self.table} WHERE {column.name} = {values.literal(r, column.type)}',
            f'SELECT * FROM {self.table} WHERE {column.name} = {values.wrong_literal(r)} ALLOW FILTERING',
            f'INSERT INTO {self.table} ({column.name}) VALUES ({values.literal(r, column.type)})',
            f'UPDATE {self.table} SET {column.name} = {values.wrong_literal(r)} WHERE {self.whole_key(self.partition + self.clustering)}',
            f'DELETE {column.name} FROM {self.table} WHERE {self.whole_key(self.partition)}',
            f'SELECT * FROM {self.table} WHERE {self.whole_key(self.partition)} ORDER BY {column.name}',
            f'SELECT * FROM {self.table} LIMIT 0',
            f'SELECT {column.name} {column.name} FROM {self.table} WHERE',
            f'INSERT INTO {self.table} ({column.name}, {column.name}) VALUES (1, 1)',
        ))
