"""Random terms of a type: literals in several spellings, bind markers, hints, casts, functions and operators. All are constant."""
import json_form
import values
from encode import encode
from markers import unset_or_null

_DURATIONS = {'1d': ('P1D', 'P0000-00-01T00:00:00', '1D'), '24h': ('PT24H', '1440m', '86400s', '86400000ms'), '-1y': ('-P1Y', '-12mo'),
              '1mo2d3h': ('P1M2DT3H', 'P0000-01-02T03:00:00', '1mo2d10800000000us', '1mo2d10800000000000ns'), '0s': ('PT0S', '0d', '0us')}
_HINTED = ('int', 'bigint', 'varint', 'text', 'float', 'double', 'tinyint', 'smallint', 'decimal', 'blob', 'uuid', 'timeuuid', 'inet', 'date')
_TIME = "'2013-07-04 12:00:00+0000'"


class Terms:
    def __init__(self, random, table, markers):
        self.random, self.table, self.markers = random, table, markers
        self.plain = False  # If True, terms are literals only.
        self.operators = True  # If False, terms have no operators and no casts.
        self.in_order = False  # If True, bound sets and maps are sorted.
        self.exact = table.shape == 'counter'  # If True, a term has the value of its literal.

    def literal(self, cql_type):
        return values.literal(self.random, cql_type, self.table.fields)

    def value(self, cql_type, null=0.12):
        """Returns a term for the value of a column: a value, null, or a marker with null or unset."""
        r = self.random
        if r.random() < null:
            return 'null' if self.plain or r.random() < 0.75 else self.markers.add(unset_or_null(r))
        if cql_type in values.WITH_SETS and not self.plain and r.random() < 0.4:
            return self.markers.add(values.bound_in_any_order(r, cql_type))
        return self.term(cql_type)

    def term(self, cql_type):
        return self.of(self.literal(cql_type), cql_type)

    def of(self, literal, cql_type):
        """Returns a term. In most cases it has the literal's value, and sometimes the value of a function or of an operator."""
        r = self.random
        kind = r.random()
        if self.plain or kind < 0.62:
            return literal if self.plain else self.spelling(literal, cql_type)
        if kind < 0.80:
            return self.marker(literal, cql_type)
        if kind < 0.90 or self.exact:
            return self.same(literal, cql_type)
        if kind < 0.95 or values.is_multi_cell(cql_type):
            return self.nested(literal, cql_type)
        return self.computed(literal, cql_type)

    def of_column(self, column, literal):
        """Returns a term for a key column. For a descending column, Cassandra finds no operators, and does not sort the elements of sets."""
        self.operators, self.in_order = not column.descending, column.descending
        made = self.of(literal, column.type)
        self.operators, self.in_order = True, False
        return made

    def marker(self, literal, cql_type):
        return self.markers.add(encode(literal, cql_type, self.table.fields, self.in_order))

    def spelling(self, literal, cql_type):
        """Returns another text of the same literal."""
        r = self.random
        if r.random() < 0.7:
            return literal
        if cql_type in ('text', 'ascii') and "''" not in literal[1:-1]:
            return f'$${literal[1:-1]}$$'
        if cql_type in ('uuid', 'timeuuid', 'boolean'):
            return literal.upper()
        if cql_type == 'blob':
            return literal.replace('f', 'F').replace('0x', '0X') if r.random() < 0.5 else literal
        if cql_type == 'duration':
            return r.choice(_DURATIONS.get(literal, (literal,)))
        if cql_type in ('double', 'float') and literal[-1].isdigit() and 'e' not in literal:
            return literal + 'E0'
        if literal in ('NaN', 'Infinity', '-Infinity'):
            return literal.upper()
        return literal

    def same(self, literal, cql_type):
        """Returns an expression with the literal's value."""
        r = self.random
        forms = []
        if cql_type in _HINTED:
            forms += [f'({cql_type}) {literal}', f'({cql_type}) {self.marker(literal, cql_type)}']
        if cql_type == 'text' or cql_type in _HINTED:
            data = encode(literal, cql_type, self.table.fields)
            forms.append(f'blob_as_{cql_type}(0x{data.hex()})' if cql_type != 'blob' else literal)
        if not values.is_vector(cql_type) and cql_type not in ('timestamp',):
            document = json_form.of(literal, cql_type, self.table.fields).replace("'", "''")
            forms.append(f"from_json('{document}')")
        if cql_type in ('int', 'bigint', 'smallint') and self.operators:
            forms += [f'{literal} + 0', f'({cql_type}) {literal} * ({cql_type}) 1']
        return r.choice(forms or [literal])

    def nested(self, literal, cql_type):
        """Returns a collection, tuple or value of a user-defined type whose elements are terms themselves."""
        if cql_type in values.SCALARS or 'set<' in cql_type:
            return literal
        return values.literal(self.random, cql_type, self.table.fields, self._part)

    def _part(self, cql_type):
        r = self.random
        literal = self.literal(cql_type)
        if r.random() < 0.4 and not cql_type.startswith('frozen<set'):
            return self.marker(literal, cql_type)
        return self.same(literal, cql_type) if r.random() < 0.2 and cql_type in _HINTED else literal

    def computed(self, literal, cql_type):
        r = self.random
        if cql_type in values.NUMBERS and cql_type not in ('decimal', 'varint') and self.operators:  # Decimals are left out, because equal ones can have different bytes.
            return r.choice((f'{literal} + 1', f'2 * {literal}', f'{literal} - 1', f'-({cql_type}) {literal}' if literal != 'NaN' else literal, f'abs(({cql_type}) {literal})',
                             '7 % 4', '7 / 2', '1 + 2 * 3', f'{literal} * ({cql_type}) 2', f'round(({cql_type}) {literal})',
                             f'CAST(({"smallint" if cql_type != "smallint" else "int"}) 3 AS {cql_type})'))
        by_type = {
            'timestamp': (f'to_timestamp(13814000-1dd2-11b2-8080-808080808080)', f'{_TIME} + 1d', f"(timestamp) {_TIME} - 1mo"),
            'date': ('to_date(13814000-1dd2-11b2-8080-808080808080)', f"'2013-07-04' + 1d", f'to_date((timestamp) {_TIME})'),
            'timeuuid': (f"min_timeuuid({_TIME})", f'max_timeuuid({_TIME})'),
            'text': ("'a' + 'b'", "CAST(1 AS text)", "blob_as_text(text_as_blob('a'))"),
            'blob': ('int_as_blob(1)', "text_as_blob('a')", 'bigint_as_blob(-1)', f'int_as_blob({self.marker("3", "int")})'),
            'boolean': ('blob_as_boolean(0x01)',),
        }
        return r.choice(by_type.get(cql_type, (literal,)))

    def count(self, number, cql_type='int'):
        """Returns a number after LIMIT, TTL or TIMESTAMP: an integer or a marker."""
        return str(number) if self.plain or self.random.random() < 0.8 else self.marker(str(number), cql_type)
