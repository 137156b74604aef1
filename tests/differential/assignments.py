"""Random assignments of UPDATE and targets of DELETE: whole columns, additions, elements, fields, several of one collection."""
import values

ADDABLE = ('tinyint', 'smallint', 'int', 'bigint', 'varint', 'float', 'double', 'decimal', 'text', 'ascii')


class Assignments:
    def __init__(self, random, table, terms):
        self.random, self.table, self.terms = random, table, terms
        # True if an assignment reads a list, a number or a text before it writes. Cassandra reads only the rows with conditions, and the partition's
        # first row if the conditions are on static columns.
        self.reads = False

    def list(self, columns, conditional=False):
        """Assignments to the columns, at times several to one collection. Only conditional statements can add to numbers and texts."""
        made = []
        for column in columns:
            if column.type in ADDABLE and self.random.random() < (0.25 if conditional else 0.005):
                self.reads = True
                made += [self.addition(column) for _ in range(self.random.choice((1, 1, 1, 2)))]
                continue
            times = 2 if column.is_multi_cell() and self.random.random() < 0.15 else 1
            made += [self.one(column) if times == 1 else self.part(column) for _ in range(times)]
        return ', '.join(made)

    def one(self, column):
        if not column.is_multi_cell() or self.random.random() < 0.3:
            return f'{column.name} = {self.terms.value(column.type)}'
        return self.part(column)

    def addition(self, column):
        name, term = column.name, self.terms.term(column.type)
        return self.random.choice((f'{name} = {name} + {term}', f'{name} += {term}'))

    def part(self, column):
        """An operation on a part of a collection or of a user-defined type."""
        r, t, name, term = self.random, column.type, column.name, self.terms.term
        if t.startswith('map<'):
            key, value = values.arguments(t)
            some = f'{{{self.terms.literal(key)}}}' if r.random() < 0.7 else self.terms.of('{' + self.terms.literal(key) + '}', f'set<{key}>')
            return r.choice((f'{name} = {name} + {term(t)}', f'{name} += {term(t)}', f'{name}[{term(key)}] = {self.terms.value(value)}',
                             f'{name}[{term(key)}] = {self.terms.value(value)}', f'{name} = {name} - {some}', f'{name} -= {some}'))
        if t.startswith('set<'):
            return r.choice((f'{name} = {name} + {term(t)}', f'{name} = {name} - {term(t)}', f'{name} += {term(t)}', f'{name} -= {term(t)}'))
        if t.startswith('list<'):
            kind = r.randint(0, 5)
            self.reads |= kind >= 3
            element = self.terms.value(values.arguments(t)[0])
            return (f'{name} = {name} + {term(t)}', f'{name} = {self.terms.literal(t)} + {name}', f'{name} += {term(t)}',
                    f'{name} = {name} - {term(t)}', f'{name} -= {term(t)}', f'{name}[{self.terms.count(r.randint(0, 1))}] = {element}')[kind]
        field, field_type = r.choice(self.table.fields)
        return f'{name}.{field} = {self.terms.value(field_type)}'

    def target(self, column):
        """Returns a part that DELETE may name: the column, an element, a field."""
        r, t = self.random, column.type
        if not column.is_multi_cell() or r.random() < 0.4:
            return column.name
        if t.startswith('map<') or t.startswith('set<'):
            return f'{column.name}[{self.terms.term(values.arguments(t)[0])}]'
        if t.startswith('list<'):
            self.reads = True
            return f'{column.name}[{self.terms.count(r.randint(0, 1))}]'
        return f'{column.name}.{r.choice(self.table.fields)[0]}'
