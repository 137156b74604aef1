"""Random INSERT, UPDATE, DELETE and BATCH statements of a table."""
import math

import json_form
import values


class Writes:
    def __init__(self, random, table):
        self.random, self.table = random, table
        self.forgotten = set()  # Keys of counters, as WHERE has them, that have been deleted.
        self.bound = []  # Values of the bind markers of the statement that is being made.

    def statement(self):
        r, shape = self.random, self.table.shape
        if shape == 'counter':
            return r.choice((self._count, self._count, self._count, self._count_batch, self._forget))()
        kinds = [self.insert, self.insert, self.insert, self.update, self.update, self.delete, self.delete, self.batch, self.insert_json]
        made = r.choice(kinds)
        if shape == 'conditional' and r.random() < 0.5:
            return r.choice((self._conditional_insert, self._conditional_update, self._conditional_update, self._conditional_delete,
                             self._conditional_batch))()
        return made()

    # Pieces.
    def using(self, of):
        r = self.random
        # Small timestamps, so that they tie and go back.
        parts = [] if self.table.clocked or self.table.shape == 'counter' else [f'TIMESTAMP {r.randint(1, 12)}']
        if of in self.table.expires and r.random() < 0.25:
            parts.append(f'TTL {r.choice((0, 1, 3, 10, 30, 100, 1000))}')
        return f' USING {" AND ".join(parts)}' if parts else ''

    def whole_key(self, columns):
        return ' AND '.join(f'{c.name} = {self.table.key_value(c)}' for c in columns)

    def value(self, column):
        return 'null' if self.random.random() < 0.15 else values.literal(self.random, column.type)

    # Statements.
    def _written(self, using):
        """The columns that an INSERT names. If it expires, all: where a newer part of a row has expired, what else of the row shows
        depends on which parts Cassandra has flushed."""
        return [c for c in self.table.static + self.table.regular if self.random.random() < 0.7 or ('TTL' in using and c.kind == 'regular')]

    def insert(self, using=None, condition=''):
        alone = using is None
        using = self.using('INSERT') if alone else using
        given = self._written(using)
        pairs = [(c.name, self.table.key_value(c)) for c in self.table.key()] + [(c.name, self._value_or_marker(c, alone)) for c in given]
        names, literals = ', '.join(n for n, _ in pairs), ', '.join(v for _, v in pairs)
        return f'INSERT INTO {self.table.name} ({names}) VALUES ({literals}){condition}{using}'

    def _value_or_marker(self, column, alone):
        if not alone or column.type not in values.WITH_SETS or self.random.random() < 0.5:
            return self.value(column)
        self.bound.append(values.bound(self.random, column.type))
        return '?'

    def insert_json(self):
        r, using = self.random, self.using('INSERT')
        given = [(c.name, self.table.key_value(c), c.type) for c in self.table.key()]
        given += [(c.name, self.value(c), c.type) for c in self._written(using)]
        document = ', '.join(f'"{name}": {json_form.of(literal, cql_type)}' for name, literal, cql_type in given)
        default = r.choice(('', '', ' DEFAULT NULL', ' DEFAULT UNSET'))
        quoted = ('{' + document + '}').replace("'", "''")
        return f"INSERT INTO {self.table.name} JSON '{quoted}'{default}{using}"

    def assignment(self, column):
        r, t, name = self.random, column.type, column.name
        if not column.is_multi_cell() or r.random() < 0.3:
            return f'{name} = {self.value(column)}'
        literal = values.literal(r, t)
        if t.startswith('map<'):
            key, value = t[4:-1].split(', ', 1)
            return r.choice((f'{name} = {name} + {literal}', f'{name}[{values.literal(r, key)}] = {values.literal(r, value)}',
                             f'{name} = {name} - {{{values.literal(r, key)}}}'))
        if t.startswith('set<'):
            return r.choice((f'{name} = {name} + {literal}', f'{name} = {name} - {literal}'))
        if t.startswith('list<'):
            return r.choice((f'{name} = {name} + {literal}', f'{name} = {literal} + {name}', f'{name} = {name} - {literal}',
                             f'{name}[{r.randint(0, 1)}] = {values.literal(r, t[5:-1])}'))
        return r.choice((f'{name}.a = {values.literal(r, "int")}', f"{name}.b = 'x'", f'{name}.b = null'))

    def update(self, using=None, condition=None):
        r = self.random
        statics_only = self.table.static and r.random() < 0.2
        pool = self.table.static if statics_only else self.table.regular
        columns = r.sample(pool, r.randint(1, len(pool)))
        where = self.whole_key(self.table.partition + ([] if statics_only else self.table.clustering))
        tail = '' if condition is None else condition(statics_only)
        return (f'UPDATE {self.table.name}{self.using("UPDATE") if using is None else using} SET '
                + ', '.join(self.assignment(c) for c in columns) + f' WHERE {where}{tail}')

    def delete(self, using=None):
        r, table = self.random, self.table
        using = self.using('DELETE') if using is None else using
        kind = r.random()
        single_rows = table.has_entries_by_element()
        if kind < 0.3 or single_rows and not table.clustering:  # Columns, elements, fields.
            return f'DELETE {self._part(r.choice(table.regular))} FROM {table.name}{using} WHERE {self.whole_key(table.key())}'
        if kind < 0.55 or not table.clustering or single_rows:
            where = self.whole_key(table.key())
        elif kind < 0.65:
            where = self.whole_key(table.partition)
        else:
            where = self.whole_key(table.partition) + clustering_slice(r, table)
        return f'DELETE FROM {table.name}{using} WHERE {where}'

    def _part(self, column):
        r, t = self.random, column.type
        if not column.is_multi_cell() or r.random() < 0.5:
            return column.name
        if t.startswith('map<'):
            return f'{column.name}[{values.literal(r, t[4:-1].split(", ", 1)[0])}]'
        if t.startswith('set<'):
            return f'{column.name}[{values.literal(r, t[4:-1])}]'
        if t.startswith('list<'):
            return f'{column.name}[0]'
        return f'{column.name}.a'

    def batch(self):
        parts = [self.random.choice((self.insert, self.update, self.delete))(using='') for _ in range(self.random.randint(1, 3))]
        using = self.using('BATCH')
        return 'BEGIN ' + self.random.choice(('', 'UNLOGGED ')) + f'BATCH{using} ' + '; '.join(parts) + '; APPLY BATCH'

    # Conditions.
    def _condition(self, statics_only=False):
        r = self.random
        if r.random() < 0.2 and not statics_only:
            return ' IF EXISTS'
        pool = self.table.static if statics_only else self.table.static + self.table.regular
        chosen = r.sample(pool, min(len(pool), r.choice((1, 1, 2))))
        return ' IF ' + ' AND '.join(self._comparison(c) for c in chosen)

    def _comparison(self, column):
        r, t, name = self.random, column.type, column.name
        inner = t[7:-1] if t.startswith('frozen<') else t
        if inner.startswith('map<') and r.random() < 0.5:
            key, value = inner[4:-1].split(', ', 1)
            # Only = and !=: for < and >, Cassandra compares a map's values as if they were keys.
            return f'{name}[{values.literal(r, key)}] {r.choice(("=", "!="))} {values.literal(r, value)}'
        elif inner.startswith('list<') and r.random() < 0.5:
            name, t = f'{name}[{r.randint(0, 2)}]', inner[5:-1]
        elif inner == self.table.udt and r.random() < 0.5:
            name, t = f'{name}.a', 'int'
        if r.random() < 0.2:
            return f'{name} IN ({", ".join(values.literal(r, t) for _ in range(r.randint(0, 2)))})'
        if r.random() < 0.2:
            return f'{name} {r.choice(("=", "!="))} null'
        operator, literal = r.choice(('=', '=', '!=', '<', '<=', '>', '>=')), values.literal(r, t)
        if literal in ('[]', '{}'):  # No order with an empty collection; Cassandra says so only where it comes to look.
            operator = r.choice(('=', '!='))
        return f'{name} {operator} {literal}'

    def _conditional_insert(self):
        return self.insert(using='', condition=' IF NOT EXISTS')

    def _conditional_update(self):
        return self.update(using='', condition=self._condition)

    def _conditional_delete(self):
        r, table = self.random, self.table
        target = '' if r.random() < 0.5 else self._part(r.choice(table.regular)) + ' '
        return f'DELETE {target}FROM {table.name} WHERE {self.whole_key(table.key())}{self._condition()}'

    def _conditional_batch(self):
        r, table = self.random, self.table
        partition = {c.name: table.key_value(c) for c in table.partition}
        kept = dict(table.key_values)
        table.key_values.update({name: [value] for name, value in partition.items()})
        parts = [r.choice((self._conditional_insert, self._conditional_update, self._conditional_delete))()]
        parts += [r.choice((self.insert, self.update))(using='') for _ in range(r.randint(0, 2))]
        table.key_values.update(kept)
        r.shuffle(parts)
        return 'BEGIN BATCH ' + '; '.join(parts) + '; APPLY BATCH'

    # Counters. One that has been deleted is never added to again: what Cassandra makes of it depends on its memtables.
    def _count(self):
        r, table = self.random, self.table
        statics_only = table.static and r.random() < 0.3
        pool = table.static if statics_only else table.regular
        changes = ', '.join(f'{c.name} = {c.name} {r.choice("+-")} {r.choice((0, 1, 2, 7, 9223372036854775807))}'
                            for c in r.sample(pool, r.randint(1, len(pool))))
        where = self.whole_key(table.partition) if statics_only else self.living_key()
        return f'UPDATE {table.name} SET {changes} WHERE {where}'

    def living_key(self):
        while True:
            where = self.whole_key(self.table.key())
            if where not in self.forgotten:
                return where

    def _count_batch(self):
        return 'BEGIN COUNTER BATCH ' + '; '.join(self._count() for _ in range(self.random.randint(1, 3))) + '; APPLY BATCH'

    def _forget(self):
        r, table = self.random, self.table
        keys = math.prod(len(set(table.key_values[c.name])) for c in table.key())
        if r.random() < 0.8 or len(self.forgotten) * 2 >= keys - 1:
            return self._count()
        where = self.whole_key(table.key())
        self.forgotten.add(where)
        what = r.choice(table.regular).name + ' ' if r.random() < 0.3 else ''
        return f'DELETE {what}FROM {table.name} WHERE {where}'


def clustering_slice(random, table):
    """A restriction of the clustering, from nothing to a whole key, that Cassandra takes."""
    r = random
    fixed = r.randint(0, len(table.clustering))
    terms = [f'{c.name} = {table.key_value(c)}' for c in table.clustering[:fixed]]
    rest = table.clustering[fixed:]
    if rest and r.random() < 0.6:
        width = r.randint(1, len(rest)) if not terms or r.random() < 0.5 else 1
        names = ', '.join(c.name for c in rest[:width])
        for sides in r.choice(((('>', '>='),), (('<', '<='),), (('>', '>='), ('<', '<=')))):
            bound = ', '.join(table.key_value(c) for c in rest[:width])
            terms.append(f'({names}) {r.choice(sides)} ({bound})' if width > 1 else f'{names} {r.choice(sides)} {bound}')
    elif rest and r.random() < 0.3:
        column = rest[0]
        terms.append(f'{column.name} IN ({", ".join(table.key_value(column) for _ in range(r.randint(0, 3)))})')
    return ''.join(f' AND {t}' for t in terms)
