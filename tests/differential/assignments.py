"""Random assignments of UPDATE and targets of DELETE: whole columns, elements, fields, several of one collection."""
import values


class Assignments:
    def __init__(self, random, table, terms):
        self.random, self.table, self.terms = random, table, terms
        # True if an assignment reads a list before it writes. Cassandra reads only the rows with conditions, and the partition's
        # first row if the conditions are on static columns.
        self.reads_list = False

    def list(self, columns):
        """Assignments to the columns, at times several to one collection."""
        made = []
        for column in columns:
            times = 2 if column.is_multi_cell() and self.random.random() < 0.15 else 1
            made += [self.one(column) if times == 1 else self.part(column) for _ in range(times)]
        return ', '.join(made)

    def one(self, column):
        if not column.is_multi_cell() or self.random.random() < 0.3:
            return f'{column.name} = {self.terms.value(column.type)}'
        return self.part(column)

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
            self.reads_list |= kind >= 3
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
            self.reads_list = True
            return f'{column.name}[{self.terms.count(r.randint(0, 1))}]'
        return f'{column.name}.{r.choice(self.table.fields)[0]}'
