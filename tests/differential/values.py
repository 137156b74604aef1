"""Random CQL types and literals. Domains are small, so that statements meet the same rows and the same values again and again."""
import struct

SCALARS = ('ascii', 'bigint', 'blob', 'boolean', 'date', 'decimal', 'double', 'duration', 'float', 'inet', 'int', 'smallint',
           'text', 'time', 'timestamp', 'timeuuid', 'tinyint', 'uuid', 'varint')
NUMBERS = ('tinyint', 'smallint', 'int', 'bigint', 'varint', 'float', 'double', 'decimal')
NO_KEY = ('duration',)
# Values with sets inside. A client may bind the elements of such a set in any order. Cassandra keeps tuples and UDTs as they were sent.
WITH_SETS = ('frozen<list<frozen<set<int>>>>', 'set<frozen<set<int>>>', 'map<int, frozen<set<int>>>', 'map<frozen<set<int>>, int>',
             'frozen<map<frozen<set<int>>, int>>')
# The user-defined type's fields when it is created.
FIELDS = (('a', 'int'), ('b', 'text'))

_DOMAIN = {
    'ascii': ["''", "'a'", "'ab'", "'B'", "'it''s'"],
    'bigint': ['0', '1', '-1', '9223372036854775807', '-9223372036854775808'],
    'blob': ['0x', '0x00', '0x0001', '0xff', '0xff00'],
    'boolean': ['true', 'false'],
    'counter': ['0', '1', '-1'],
    'date': ["'1970-01-01'", "'2013-07-04'", "'1900-02-28'", '2147483649'],
    # No two decimals are equal (as 1.0 and 1.00 are). Cassandra is not consistent in which of them it shows, finds and keeps.
    'decimal': ['0', '1.0', '2.50', '-1.5', '1E+3', '0.0000001'],
    'double': ['0.0', '-0.0', '1.5', '-1e300', 'NaN', 'Infinity', '-Infinity'],
    'duration': ['1d', '24h', '1mo2d3h', '-1y', '0s'],
    'float': ['0.0', '1.5', '-2.25', 'NaN', '-Infinity'],
    'inet': ["'127.0.0.1'", "'::1'", "'10.0.0.255'", "'fe80::2'"],
    'int': ['0', '1', '2', '3', '-1', '2147483647', '-2147483648'],
    'smallint': ['0', '1', '-1', '32767'],
    'text': ["''", "'a'", "'aa'", "'b'", "'ü'", "'\U0001F600'"],
    'time': ["'00:00:00'", "'12:30:00.000000001'", "'23:59:59.999999999'"],
    'timestamp': ['0', '1', "'2013-07-04 12:00:00+0000'", "'1969-12-31 23:59:59.999+0000'"],
    # The last three are 1970, 999.1 microseconds before 1970, and the day before 1970 less 100 ns.
    'timeuuid': ['50554d6e-29bb-11e5-b345-feff819cdc9f', '50554d6e-29bb-11e5-8080-808080808080', '00000000-0000-1000-8000-000000000000',
                 '13814000-1dd2-11b2-8080-808080808080', '138118f9-1dd2-11b2-8080-808080808080', 'e9178001-1d08-11b2-8080-808080808080'],
    'tinyint': ['0', '1', '-1', '127', '-128'],
    'uuid': ['50554d6e-29bb-11e5-b345-feff819cdc9f', '00000000-0000-4000-8000-000000000001',
             'ffffffff-ffff-4fff-bfff-ffffffffffff'],
    'varint': ['0', '1', '-1', '128', '-129', '123456789012345678901234567890'],
    'frozen<set<int>>': ['{}', '{1}', '{3, 1, 2}', '{-1, 2147483647}'],
}
_WRONG = ["'nonsense'", '99999999999999999999', 'true', '{1: 2}', '[1]', '1.5', "'2013-99-99'", '0xabc', '{1, 2}', '(1, 2)', 'null',
          '1d', '50554d6e-29bb-11e5-b345-feff819cdc9f', "''", '-1', 'NaN', '-NaN', "{a: 1}", '0x']


def scalar(random, key=False):
    return random.choice([t for t in SCALARS if not key or t not in NO_KEY])


def key_type(random, udt):
    """Returns a type for a key column: mostly a scalar type, else a frozen one."""
    if random.random() < 0.9:
        return scalar(random, True)
    return random.choice(('frozen<list<int>>', 'frozen<set<text>>', 'frozen<map<text, int>>', 'frozen<tuple<int, text>>',
                          f'frozen<{udt}>', 'vector<int, 2>'))


def any_type(random, udt):
    """Returns a type for a column: mostly a scalar type, else a collection, tuple, vector or the keyspace's UDT, frozen or not."""
    kind = random.random()
    if kind < 0.45:
        return scalar(random)
    inner = random.choice(('int', 'text', 'timeuuid', 'decimal', 'boolean', 'blob'))
    shape = random.choice(('list', 'set', 'map', 'map', 'tuple', 'udt', 'nested', 'vector'))
    if shape == 'vector':
        return f'vector<{random.choice(("float", "float", inner))}, {random.choice((1, 2, 3))}>'
    if shape == 'tuple':
        return random.choice((f'frozen<tuple<int, {inner}>>', f'tuple<{inner}, bigint, boolean>', f'tuple<text, frozen<list<{inner}>>>'))
    if shape == 'nested':
        return random.choice(('map<int, frozen<list<text>>>', f'list<frozen<{udt}>>', f'frozen<map<text, frozen<{udt}>>>',
                              'set<frozen<tuple<int, text>>>', 'map<text, frozen<map<int, text>>>', 'vector<frozen<list<int>>, 2>', *WITH_SETS))
    name = {'list': f'list<{inner}>', 'set': f'set<{inner}>', 'map': f'map<{random.choice(("text", "text", "int"))}, {inner}>', 'udt': udt}[shape]
    return f'frozen<{name}>' if random.random() < 0.3 else name


def bound_in_any_order(random, cql_type):
    """Returns the bytes of a value of one of WITH_SETS, as a client may send it: elements in any order, and sometimes twice."""
    if cql_type == 'int':
        return struct.pack('>i', random.choice((0, 1, 2, 3, -1, 2147483647)))
    if cql_type.startswith('frozen<'):
        return bound_in_any_order(random, cql_type[7:-1])
    count = random.choice((0, 1, 2, 3))
    parts = [bound_in_any_order(random, inner) for _ in range(count) for inner in arguments(cql_type)]
    return struct.pack('>i', count) + b''.join(struct.pack('>i', len(part)) + part for part in parts)


def literal(random, cql_type, fields=FIELDS, term=None):
    """Returns a literal of the type. `fields` are those of the user-defined type. `term(type)` makes the elements of collections; without
    it, they are literals."""
    if cql_type in _DOMAIN:
        return random.choice(_DOMAIN[cql_type])
    if cql_type.startswith('frozen<'):
        return literal(random, cql_type[7:-1], fields, term)
    part = term or (lambda inner: literal(random, inner, fields))
    types = arguments(cql_type) if '<' in cql_type else ()
    if is_vector(cql_type):
        return '[' + ', '.join(part(types[0]) for _ in range(int(types[1]) + (random.random() < 0.02))) + ']'
    count = random.choice((0, 1, 2, 3))
    if cql_type.startswith('list<'):
        return '[' + ', '.join(part(types[0]) for _ in range(count)) + ']'
    if cql_type.startswith('set<'):
        return '{' + ', '.join(_distinct(random, types[0], count, fields)) + '}'
    if cql_type.startswith('map<'):
        return '{' + ', '.join(f'{key}: {part(types[1])}' for key in _distinct(random, types[0], count, fields)) + '}'
    if cql_type.startswith('tuple<'):
        return '(' + ', '.join([part(types[0])] + [random.choice(('null', part(t), part(t))) for t in types[1:]]) + ')'
    given = [(name, t) for i, (name, t) in enumerate(fields) if i == 0 or random.random() < 0.8]
    return '{' + ', '.join(f'{name}: {"null" if i and random.random() < 0.2 else part(t)}' for i, (name, t) in enumerate(given)) + '}'


def _distinct(random, cql_type, count, fields):
    """Returns literals that all differ. If a literal had equal keys, Cassandra would keep any of them, because it compares the identity of
    objects."""
    if cql_type in _DOMAIN:
        pool = _DOMAIN[cql_type]
        return random.sample(pool, min(count, len(pool)))
    return list(dict.fromkeys(literal(random, cql_type, fields) for _ in range(count)))


def wrong_literal(random):
    return random.choice(_WRONG)


def unfrozen(cql_type):
    return cql_type[7:-1] if cql_type.startswith('frozen<') else cql_type


def arguments(cql_type):
    """Returns the types between the angles: for a map, for example ['text', 'frozen<map<int, text>>']."""
    parts, depth = [''], 0
    for character in cql_type[cql_type.index('<') + 1:-1]:
        depth += (character == '<') - (character == '>')
        if character == ',' and depth == 0:
            parts.append('')
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def is_collection(cql_type):
    return cql_type.startswith(('list<', 'set<', 'map<'))


def is_multi_cell(cql_type):
    return not cql_type.startswith(('frozen<', 'tuple<')) and cql_type not in _DOMAIN and not is_vector(cql_type)


def is_vector(cql_type):
    return cql_type.startswith('vector<')
