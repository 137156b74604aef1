"""Random SELECTs from a table, its indexes and its view."""
import values


class Reads:
    def __init__(self, random, table, terms, where, expressions):
        self.random, self.table, self.terms, self.where, self.expressions = random, table, terms, where, expressions

    def statement(self):
        r, shape = self.random, self.table.shape
        if shape in ('indexed', 'sai', 'sasi') and self.table.indexed and r.random() < 0.5:
            return self._by_index()
        if shape == 'viewed' and r.random() < 0.5:
            return self._of_view()
        return self._select()

    def pages(self):
        """Returns (a SELECT to be read in pages, a SELECT that continues it or None)."""
        r, table = self.random, self.table
        kind = r.random()
        partition = self.where.whole_key(table.partition)
        if kind < 0.5:
            return self._select(), None
        if kind < 0.6 and table.shape in ('indexed', 'sai', 'viewed'):
            return self.statement(), None
        where, order = ('', '') if kind < 0.75 else (f' WHERE {partition}', self._order())

        limit = f' LIMIT {r.randint(3, 6)}' if r.random() < 0.2 else ''

        def one():
            return f'SELECT {r.choice(("*", ", ".join(self._names())))} FROM {table.name}{where}{order}{limit}'
        return one(), one() if r.random() < 0.6 else None

    def selection(self):
        r = self.random
        kind = r.random()
        if kind < 0.40:
            return '*'
        if kind < 0.47:
            selector = self.expressions.selector() if r.random() < 0.3 else 'to_json'
            # Cassandra has one object for both names of to_json. It shows the name that was used first.
            named = '*' if r.random() < 0.5 else ', '.join(self._names())
            return 'JSON ' + (named if 'json' in selector.lower() else selector)
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
        per = f' PER PARTITION LIMIT {self.terms.count(r.randint(1, 2))}' if r.random() < 0.15 else ''
        return per + (f' LIMIT {self.terms.count(r.randint(1, 4))}' if r.random() < 0.25 else '')

    def _order(self):
        r, clustering = self.random, self.table.clustering
        if not clustering or r.random() < 0.6:
            return ''
        turned = r.random() < 0.5
        ordered = clustering[:r.randint(1, len(clustering))]
        named = [(c.name, 'DESC' if c.descending != turned else 'ASC') for c in ordered]
        return ' ORDER BY ' + ', '.join(name if way == 'ASC' and r.random() < 0.3 else f'{name} {way}' for name, way in named)

    def _select(self):
        r, table = self.random, self.table
        kind = r.random()
        partition = self.where.whole_key(table.partition)

        def within():
            return ' AND '.join([partition] + self.where.slice())
        if kind < 0.40:
            return f'SELECT {self.selection()} FROM {table.name} WHERE {within()}{self._order()}{self._limits()}'
        if kind < 0.50:
            return f'SELECT {self.selection()} FROM {table.name}{self._limits()}'
        if kind < 0.58:
            return f'SELECT {self.selection()} FROM {table.name} WHERE {" AND ".join(self.where.token())}{self._limits()}'
        if kind < 0.65:
            return self._distinct(partition)
        if kind < 0.69:
            return f'SELECT count(*) FROM {table.name}' + r.choice(('', f' WHERE {partition}'))
        if kind < 0.79:
            return self._grouped(partition)
        if kind < 0.88:
            return self._of_partitions()
        return self._filtered(within)

    def _distinct(self, partition):
        r, table = self.random, self.table
        names = [c.name for c in table.partition + (table.static if r.random() < 0.6 else [])]
        where = r.choice(('', '', f' WHERE {partition}', f' WHERE {" AND ".join(self.where.token())}'))
        json = 'JSON ' if r.random() < 0.1 else ''
        return f'SELECT {json}DISTINCT {", ".join(names)} FROM {table.name}{where}{self._limits() if r.random() < 0.5 else ""}'

    def _of_partitions(self):
        r, table = self.random, self.table
        selection = self.selection()
        where = ' AND '.join([self.where.rows(table.partition, 1.0)] + self.where.slice())
        order = '' if selection == 'JSON *' else self._order()  # With JSON, Cassandra orders the texts, not the rows.
        return f'SELECT {selection} FROM {table.name} WHERE {where}{order}{self._limits()}'

    def _filtered(self, within):
        r, table = self.random, self.table
        relations = [self.filter() for _ in range(r.choice((1, 1, 2)))]
        if r.random() < 0.3:
            relations.insert(0, within())
        elif r.random() < 0.1:
            relations += self.where.token()
        return f'SELECT {self.selection()} FROM {table.name} WHERE {" AND ".join(relations)}{self._limits()} ALLOW FILTERING'

    def _grouped(self, partition):
        r, table = self.random, self.table
        width = r.randint(len(table.partition), len(table.key()))
        groups = [c.name for c in table.key()[:width]]
        if table.key()[width - 1].type in ('timestamp', 'date', 'timeuuid') and width > len(table.partition) and r.random() < 0.5:
            last = table.key()[width - 1]
            groups[-1] = f'floor({"to_timestamp(" + last.name + ")" if last.type == "timeuuid" else last.name}, {r.choice(("1h", "1d", "1mo"))})'
        where = r.choice(('', f' WHERE {partition}', f' WHERE {" AND ".join([partition] + self.where.slice())}'))
        shown = r.sample(groups, r.randint(0, len(groups))) + [self.expressions.aggregate() for _ in range(r.randint(1, 2))]
        order = self._order() if where else ''
        return f'SELECT {", ".join(shown)} FROM {table.name}{where} GROUP BY {", ".join(groups)}{order}{self._limits()}'

    def filter(self):
        r = self.random
        # With a storage-attached index Cassandra's limits count rows that a filter on a vector then removes. With two SASI indexes it
        # finds nothing by a range of texts.
        second = [c for c, _ in self.table.indexed if self.table.shape == 'sasi']
        pool = [c for c in self.table.static + self.table.regular + self.table.clustering if c not in second
                and (self.table.shape != 'sai' or not values.is_vector(c.type)) and (c.type != self.table.udt or r.random() < 0.02)]
        return self.where.filter(r.choice(pool or self.table.partition))

    def _by_index(self):
        r, table = self.random, self.table
        column, target = r.choice(table.indexed)
        restriction = self._indexed_restriction(column, target)
        if r.random() < 0.2:
            restriction += ' AND ' + self.filter()
        if r.random() < 0.2:
            restriction = f'{self.where.whole_key(table.partition)} AND {restriction}'
        filtering = ' ALLOW FILTERING' if r.random() < 0.3 else ''
        return f'SELECT {self.selection()} FROM {table.name} WHERE {restriction}{self._limits()}{filtering}'

    def _indexed_restriction(self, column, target):
        r, t, name, term = self.random, column.type, column.name, self.terms.term
        if target.startswith('FULL'):
            return f'{name} = {term(t)}'
        if column.is_multi_cell():
            types = values.arguments(t)
            if target.startswith('KEYS'):
                return f'{name} CONTAINS KEY {term(types[0])}'
            if target.startswith('ENTRIES'):
                return f'{name}[{term(types[0])}] = {term(types[1])}'
            return f'{name} CONTAINS {term(types[-1])}'
        if self.table.shape == 'sasi' and t in ('text', 'ascii') and r.random() < 0.6:
            # With the mode CONTAINS, Cassandra does not find a flushed value by its beginning if it is the end of another one.
            if self.table.sasi_modes[name] == 'CONTAINS':
                pattern = r.choice(("'%a'", "'%a%'", "'a'", "'%'", "'%b%'", self.terms.markers.add(b'%a%')))
                return f'{name} LIKE {pattern}'
            pattern = r.choice(("'a%'", "'%a'", "'%a%'", "'a'", "'%'", "'aa%'", "'b%'", self.terms.markers.add(b'a%')))
            return f'{name} LIKE {pattern}'
        domain = self.table.key_values.get(name)
        operator = r.choice(('=', '=', '>', '<=', '<', '>=')) if self.table.shape in ('sai', 'sasi') else '='
        literal = r.choice(domain) if domain else self.table.findable(column, self.terms.literal(t))
        if self.table.shape == 'sai' and r.random() < 0.1:
            return self.where.within(column, [literal, self.terms.literal(t)])
        restriction = f'{name} {operator} {self.terms.of_column(column, literal)}'
        if operator in ('>', '>=') and r.random() < 0.4:
            restriction += f' AND {name} {r.choice(("<", "<="))} {term(t)}'
        return restriction

    def _of_view(self):
        r, table = self.random, self.table
        if r.random() < 0.4:
            return f'SELECT * FROM {table.view}{self._limits()}'
        leading = table.view_key[0]

        def value():
            return self.terms.of_column(leading, table.key_value(leading) if leading.name in table.key_values else self.terms.literal(leading.type))
        restriction = f'= {value()}' if r.random() < 0.6 else f'IN ({", ".join(value() for _ in range(r.randint(1, 3)))})'
        selection = r.choice(('*', 'count(*)', ', '.join(c.name for c in table.view_key)))
        return f'SELECT {selection} FROM {table.view} WHERE {leading.name} {restriction}{self._limits()}'
