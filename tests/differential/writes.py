"""Random INSERT, UPDATE and DELETE statements of a table, and statements of counters."""
import json
import math

import json_form
from encode import encode
from names import in_json


class Writes:
    def __init__(self, random, table, terms, where, assignments, conditions):
        self.random, self.table, self.terms, self.where = random, table, terms, where
        self.assignments, self.conditions = assignments, conditions
        self.forgotten = set()  # The keys of deleted counters, as tuples of bytes: one value has several literals.

    def statement(self):
        r, shape = self.random, self.table.shape
        if shape == 'counter':
            return r.choice((self.count, self.count, self.count, self._forget))()
        if shape == 'conditional' and r.random() < 0.5:
            return r.choice((self.conditional_insert, self.conditional_update, self.conditional_update, self.conditional_delete))()
        return r.choice((self.insert, self.insert, self.insert, self.update, self.update, self.delete, self.delete, self.insert_json))()

    # Pieces.
    def using(self, of):
        r = self.random
        # Timestamps are small, so that many are equal and some are older than those of earlier writes.
        parts = [] if self.table.clocked or self.table.shape == 'counter' else [f'TIMESTAMP {self.terms.count(r.randint(1, 12), "bigint")}']
        if of in self.table.expires and r.random() < 0.25:
            parts.append(f'TTL {self.terms.count(r.choice((0, 1, 3, 10, 30, 100, 1000)))}')
            r.shuffle(parts)
        return f' USING {" AND ".join(parts)}' if parts else ''

    # Statements.
    def _written(self, using):
        """Returns the columns that an INSERT names. With a TTL these are all columns: if only newer parts of a row have expired, the answer
        depends on which parts Cassandra has flushed."""
        return [c for c in self.table.static + self.table.regular if self.random.random() < 0.7 or ('TTL' in using and c.kind == 'regular')]

    def insert(self, using=None, condition='', key=None):
        """`key` has literals for the key columns that are given."""
        table, using = self.table, self.using('INSERT') if using is None else using
        pairs = [(c.name, self.terms.of_column(c, (key or {}).get(c.name) or table.key_value(c))) for c in table.key()]
        pairs += [(c.name, self.terms.value(c.type)) for c in self._written(using)]
        if self.random.random() < 0.1:
            self.random.shuffle(pairs)
        names, terms = ', '.join(n for n, _ in pairs), ', '.join(v for _, v in pairs)
        return f'INSERT INTO {table.name} ({names}) VALUES ({terms}){condition}{using}'

    def insert_json(self, condition=''):
        r, using = self.random, self.using('INSERT')
        given = [(c.name, self.table.key_value(c), c.type) for c in self.table.key()]
        given += [(c.name, 'null' if r.random() < 0.15 else self.terms.literal(c.type), c.type) for c in self._written(using)]
        document = '{' + ', '.join(f'{json.dumps(in_json(name), ensure_ascii=False)}: {json_form.of(literal, cql_type, self.table.fields)}'
                                   for name, literal, cql_type in given) + '}'
        default = r.choice(('', '', ' DEFAULT NULL', ' DEFAULT UNSET'))
        quoted = document.replace("'", "''")
        shown = f"'{quoted}'" if r.random() < 0.75 else self.terms.markers.add(document.encode())
        return f'INSERT INTO {self.table.name} JSON {shown}{default}{condition}{using}'

    def update(self, using=None, condition=None, where=None):
        r, table = self.random, self.table
        statics_only = bool(table.static) and r.random() < 0.2 and where is None
        pool = table.static if statics_only else table.regular
        columns = r.sample(pool, r.randint(1, len(pool)))
        if where is None:
            where = self.where.rows(table.partition + ([] if statics_only else table.clustering), 0.0 if condition and r.random() < 0.9 else 0.2)
        using = self.using('UPDATE') if using is None else using
        assigned = self.assignments.list(columns, condition is not None)
        return f'UPDATE {table.name}{using} SET {assigned} WHERE {where}' + (condition(statics_only) if condition else '')

    def delete(self, using=None, key=None):
        r, table = self.random, self.table
        using = self.using('DELETE') if using is None else using
        kind = r.random()
        single_rows = table.has_entries_by_element()
        if kind < 0.3 or single_rows and not table.clustering:  # Columns, elements, fields.
            statics_only = bool(table.static) and r.random() < 0.3
            pool = table.static if statics_only else table.regular
            targets = ', '.join(self.assignments.target(c) for c in r.sample(pool, min(len(pool), r.choice((1, 1, 2)))))
            where = self._rows(table.partition if statics_only else table.key(), key)
            return f'DELETE {targets} FROM {table.name}{using} WHERE {where}'
        if kind < 0.55 or not table.clustering or single_rows:
            where = self._rows(table.key(), key)
        elif kind < 0.65:
            where = self._rows(table.partition, key)
        else:
            where = ' AND '.join([self._rows(table.partition, key)] + self.where.slice())
        return f'DELETE FROM {table.name}{using} WHERE {where}'

    def _rows(self, columns, key):
        if key is None:
            return self.where.rows(columns, 0.2)
        return ' AND '.join(self.where.of_key({**self.where.some_key(columns), **key}, columns))

    # Conditions.
    def conditional_insert(self, key=None):
        if key is None and self.random.random() < 0.15:
            return self.insert_json(' IF NOT EXISTS')
        return self.insert(using='', condition=' IF NOT EXISTS', key=key)

    def conditional_update(self, where=None):
        using = self.random.choice(('', '', '', ' USING TTL 1000'))
        return self.update(using=using if 'UPDATE' in self.table.expires else '', condition=self.conditions.clause, where=where)

    def conditional_delete(self, where=None):
        r, table = self.random, self.table
        statics_only = bool(table.static) and r.random() < 0.2 and where is None
        pool = table.static if statics_only else table.regular
        target = '' if r.random() < 0.4 and not statics_only else self.assignments.target(r.choice(pool)) + ' '
        where = where or self.where.rows(table.partition if statics_only else table.key(), 0.05)
        return f'DELETE {target}FROM {table.name} WHERE {where}{self.conditions.clause(statics_only)}'

    # Counters. A deleted counter is never changed again, because Cassandra's result would depend on its memtables.
    def count(self):
        r, table = self.random, self.table
        statics_only = table.static and r.random() < 0.3
        pool = table.static if statics_only else table.regular
        changes = ', '.join(self._change(c) for c in r.sample(pool, r.randint(1, len(pool))))
        where = self.where.whole_key(table.partition) if statics_only else self.living_key()
        return f'UPDATE {table.name} SET {changes} WHERE {where}'

    def _change(self, column):
        r, name = self.random, column.name
        by = self.terms.count(r.choice((0, 1, 2, 7, 9223372036854775807)), 'counter')
        return r.choice((f'{name} = {name} + {by}', f'{name} = {name} - {by}', f'{name} += {by}', f'{name} -= {by}'))

    def living_key(self):
        columns = self.table.key()
        while True:
            key = self.where.some_key(columns)
            if self._bytes_of(key) not in self.forgotten:
                return self.where.joined(self.where.of_key(key, columns))

    def _bytes_of(self, key):
        return tuple(encode(key[c.name], c.type, self.table.fields) for c in self.table.key())

    def _forget(self):
        r, table = self.random, self.table
        keys = math.prod(len({encode(value, c.type, table.fields) for value in table.key_values[c.name]}) for c in table.key())
        if r.random() < 0.8 or len(self.forgotten) * 2 >= keys - 1:
            return self.count()
        key = self.where.some_key(table.key())
        self.forgotten.add(self._bytes_of(key))
        what = r.choice(table.regular).name + ' ' if r.random() < 0.3 else ''
        return f'DELETE {what}FROM {table.name} WHERE {self.where.joined(self.where.of_key(key, table.key()))}'
