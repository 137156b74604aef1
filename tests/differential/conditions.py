"""Random IF clauses."""
import struct

import values
from encode import encode


class Conditions:
    def __init__(self, random, table, terms):
        self.random, self.table, self.terms = random, table, terms
        self.elsewhere = False  # True if a condition reads the static columns.

    def clause(self, statics_only=False):
        r = self.random
        if r.random() < 0.2 and not statics_only:
            return ' IF EXISTS'
        pool = self.table.static if statics_only else self.table.static + self.table.regular
        chosen = r.sample(pool, min(len(pool), r.choice((1, 1, 2))))
        self.elsewhere |= any(c.kind == 'static' for c in chosen)
        return ' IF ' + ' AND '.join(self._comparison(c) for c in chosen)

    def _comparison(self, column):
        r, t, name = self.random, column.type, column.name
        inner = values.unfrozen(t)
        if values.is_collection(inner) and r.random() < 0.2:
            return self._contains(column, inner)
        if inner.startswith('map<') and r.random() < 0.5:
            key, value = values.arguments(inner)
            # Only = and !=: for < and >, Cassandra compares a map's values as if they were keys.
            return f'{name}[{self.terms.term(key)}] {r.choice(("=", "!="))} {self.terms.term(value)}'
        if inner.startswith('list<') and r.random() < 0.5:
            name, t = f'{name}[{self.terms.count(r.randint(0, 2))}]', values.arguments(inner)[0]
        elif inner == self.table.udt and r.random() < 0.5:
            field, t = r.choice(self.table.fields)
            name = f'{name}.{field}'
        if r.random() < 0.25:
            return f'{name} IN {self._several(t)}'
        if r.random() < 0.2:
            return f'{name} {r.choice(("=", "!="))} {"null" if r.random() < 0.7 else self.terms.markers.add(None)}'
        operator, term = r.choice(('=', '=', '!=', '<', '<=', '>', '>=')), self.terms.term(t)
        if term in ('[]', '{}') or values.is_collection(values.unfrozen(t)) and term.startswith(':'):
            operator = r.choice(('=', '!='))  # Cassandra has no order for an empty collection, but refuses it only if it reads the value.
        return f'{name} {operator} {term}'

    def _contains(self, column, inner):
        types = values.arguments(inner)
        if inner.startswith('map<') and self.random.random() < 0.5:
            return f'{column.name} CONTAINS KEY {self.terms.term(types[0])}'
        return f'{column.name} CONTAINS {self.terms.term(types[-1])}'

    def _several(self, cql_type):
        r = self.random
        literals = [self.terms.literal(cql_type) for _ in range(r.randint(0, 3))]
        if r.random() < 0.25:
            parts = [encode(literal, cql_type, self.table.fields) for literal in literals]
            return self.terms.markers.add(struct.pack('>i', len(parts)) + b''.join(struct.pack('>i', len(part)) + part for part in parts))
        return f'({", ".join(self.terms.of(literal, cql_type) for literal in literals)})'
