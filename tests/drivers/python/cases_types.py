"""Cases of types: a value of every CQL type is written by prepared and by simple statements and read back."""
import datetime
import decimal
import ipaddress
import math
import uuid

from cassandra import ProtocolVersion
from cassandra.query import tuple_factory
from cassandra.util import Date, Duration, OrderedMapSerializedKey, SortedSet, Time
from support import NotApplicable, case, check, equal

TIMEUUID = uuid.UUID('50554d6e-29bb-11e5-b345-feff819cdc9f')
UUID = uuid.UUID('e7f1a5c0-3d0c-4e0b-8f7b-0c4f5a8f9b11')
AT = datetime.datetime(2015, 5, 3, 13, 30, 54, 234000)

SCALARS = {
    'ascii': 'plain', 'bigint': -2**40, 'blob': b'\x00\xff\x10', 'boolean': True, 'date': Date('2015-05-03'),
    'decimal': decimal.Decimal('-123.45'), 'double': 1.1, 'duration': Duration(14, 3, 1_000_000_007), 'float': 0.5,
    'inet': '192.168.0.1', 'int': -7, 'smallint': 300, 'text': 'zürich 東京 🦆', 'time': Time('13:30:54.234567891'),
    'timestamp': AT, 'timeuuid': TIMEUUID, 'tinyint': -5, 'uuid': UUID, 'varchar': "quo'te", 'varint': -2**70,
}
LIMITS = {
    'ascii': ['', '\x00\x7f'],
    'bigint': [-2**63, 2**63 - 1, 0],
    'blob': [b'', b'\x00' * 70_000],
    'boolean': [False, True],
    'date': [Date(-2**31), Date(2**31 - 1), Date(0)],
    'decimal': [decimal.Decimal(0), decimal.Decimal('1e-300'), decimal.Decimal('-1.' + '7' * 60), decimal.Decimal('12e7'), decimal.Decimal('-123.4500')],
    'double': [math.inf, -math.inf, math.nan, -0.0, 5e-324, 1.7976931348623157e308],
    'duration': [Duration(2**31 - 1, 2**31 - 1, 2**63 - 1), Duration(-2**31 + 1, -2**31 + 1, -2**63 + 1), Duration(0, 0, 0)],
    'float': [math.inf, -math.inf, math.nan, -0.0, 2.0**-149, 3.4028234663852886e38],
    'inet': ['::1', '0.0.0.0', '255.255.255.255', '2001:db8::ff00:42:8329'],
    'int': [-2**31, 2**31 - 1, 0],
    'smallint': [-2**15, 2**15 - 1, 0],
    'text': ['', '\x00', '\U0001f986' * 100, 'a' * 70_000],
    'time': [Time(0), Time(86_399_999_999_999)],
    'timestamp': [datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31, 23, 59, 59), datetime.datetime(1970, 1, 1),
                  datetime.datetime(1969, 12, 31, 23, 59, 59, 999000)],
    'timeuuid': [uuid.UUID('00000000-0000-1000-8080-808080808080'), uuid.UUID('ffffffff-ffff-1fff-7f7f-7f7f7f7f7f7f')],
    'tinyint': [-128, 127, 0],
    'uuid': [uuid.UUID(int=0), uuid.UUID(int=2**128 - 1)],
    'varchar': [''],
    'varint': [0, -1, 127, 128, -128, -129, 2**64, -2**64, 10**400],
}


def same(actual, expected, what):
    """Compares values. Not-a-number equals itself, and the zeros +0 and -0 differ."""
    if isinstance(expected, float):
        check(isinstance(actual, float), f'{what}: a number, not {actual!r}')
        equal((math.isnan(actual), math.copysign(1, actual)), (math.isnan(expected), math.copysign(1, expected)), what)
        if math.isnan(expected):
            return
    if isinstance(expected, decimal.Decimal):
        equal(actual.as_tuple(), expected.as_tuple(), what)
    equal(actual, expected, what)


def plain(value):
    """Turns the driver's collections into Python's own, so that they can be compared."""
    if isinstance(value, (dict, OrderedMapSerializedKey)):
        return {tuple(k) if isinstance(k, list) else plain(k): plain(v) for k, v in value.items()}
    if isinstance(value, SortedSet):
        return tuple(plain(v) for v in value)
    if isinstance(value, (set, frozenset)):
        return tuple(sorted(plain(v) for v in value))
    if isinstance(value, tuple):
        return tuple(plain(v) for v in value)
    if isinstance(value, list):
        return [plain(v) for v in value]
    return value


def write_scalars(session, table, version):
    columns = [name for name in SCALARS if version >= ProtocolVersion.V5 or name != 'duration']
    names = ', '.join(f'c_{name}' for name in columns)
    prepared = session.prepare(f'INSERT INTO {table} (k, {names}) VALUES (?, {", ".join("?" * len(columns))})')
    session.execute(prepared, (1, *(SCALARS[name] for name in columns)))
    simple = f'INSERT INTO {table} (k, {names}) VALUES (%s, {", ".join(["%s"] * len(columns))})'
    session.execute(simple, (2, *(SCALARS[name] for name in columns)))
    for k in (1, 2):
        row = session.execute(f'SELECT {names} FROM {table} WHERE k = %s', (k,)).one()
        for name, value in zip(columns, row):
            same(value, SCALARS[name], f'{name}, row {k}')
    return columns, prepared, names


@case
def types_scalars(context):
    with context.session(row_factory=tuple_factory) as session:
        columns = ', '.join(f'c_{name} {name}' for name in SCALARS)
        session.execute(f'CREATE TABLE scalars (k int PRIMARY KEY, {columns})')
        names, prepared, selected = write_scalars(session, 'scalars', ProtocolVersion.V5)
        for m in prepared.column_metadata[1:]:
            equal({'varchar': 'text', 'list': 'list'}.get(m.type.typename, m.type.typename),
                  {'varchar': 'text'}.get(m.name[2:], m.name[2:]), 'the type of a marker')
        session.execute(prepared, (3, *[None] * len(names)))
        equal(session.execute(f'SELECT {selected} FROM scalars WHERE k = 3').one(), (None,) * len(names), 'nulls')
        for name, value in SCALARS.items():
            if name == 'duration':  # A key cannot have this type.
                continue
            session.execute(f'CREATE TABLE key_{name} (a {name}, b {name}, v int, PRIMARY KEY (a, b))')
            session.execute(session.prepare(f'INSERT INTO key_{name} (a, b, v) VALUES (?, ?, 1)'), (value, value))
            row = session.execute(session.prepare(f'SELECT a, b FROM key_{name} WHERE a = ? AND b = ?'), (value, value)).one()
            same(row[0], value, f'{name} as a partition key')
            same(row[1], value, f'{name} as a clustering column')


@case
def types_limits(context):
    checked = 0
    with context.session(row_factory=tuple_factory) as session:
        for name, values in LIMITS.items():
            session.execute(f'CREATE TABLE limits_{name} (k int PRIMARY KEY, v {name})')
            insert = session.prepare(f'INSERT INTO limits_{name} (k, v) VALUES (?, ?)')
            select = session.prepare(f'SELECT v FROM limits_{name} WHERE k = ?')
            for k, value in enumerate(values):
                session.execute(insert, (k, value))
                got = session.execute(select, (k,)).one()[0]
                expected = str(ipaddress.ip_address(value)) if name == 'inet' else value
                if name == 'date':
                    got, expected = got.days_from_epoch, value.days_from_epoch
                same(got, expected, f'{name} {value!r:.60}')
                checked += 1
            session.execute(insert, (99, None))
            equal(session.execute(select, (99,)).one(), (None,), f'{name} null')
    return f'{checked} values'


@case
def types_collections(context):
    with context.session(row_factory=tuple_factory) as session:
        session.execute('''CREATE TABLE collections (k int PRIMARY KEY, l list<int>, s set<text>, m map<text, timestamp>,
            fl frozen<list<int>>, fs frozen<set<uuid>>, fm frozen<map<int, blob>>,
            n list<frozen<map<text, frozen<set<int>>>>>, d map<frozen<list<int>>, frozen<map<int, frozen<list<text>>>>>)''')
        insert = session.prepare('INSERT INTO collections (k, l, s, m, fl, fs, fm, n, d) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
        values = ([3, 1, 3], {'b', 'a'}, {'x': AT, 'a': AT}, [2, 2], {UUID}, {7: b'seven', -7: b''},
                  [{'a': {1, 2}}, {}], {(1, 2): {5: ['x', 'y']}, (): {}})
        expected = ([3, 1, 3], ('a', 'b'), {'a': AT, 'x': AT}, [2, 2], (UUID,), {-7: b'', 7: b'seven'},
                    [{'a': (1, 2)}, {}], {(1, 2): {5: ['x', 'y']}, (): {}})
        session.execute(insert, (1, *values))

        def read(k, columns='l, s, m, fl, fs, fm, n, d'):
            row = session.execute(f'SELECT {columns} FROM collections WHERE k = %s', (k,)).one()
            return tuple(plain(value) for value in row)

        got = read(1)
        for i, (value, wanted) in enumerate(zip(got, expected)):
            equal(value, wanted, f'collection {i}')
        session.execute('INSERT INTO collections (k, l, s, m, fl) VALUES (%s, %s, %s, %s, %s)',
                        (2, [1], {'a'}, {'t': AT}, [9]))
        equal(read(2, 'l, s, m, fl'), ([1], ('a',), {'t': AT}, [9]), 'by a simple statement')
        session.execute(insert, (3, [], set(), {}, [], set(), {}, [], {}))
        equal(read(3), (None, None, None, [], (), {}, None, None), 'empty ones')
        changes(session, read)
        session.execute('CREATE TABLE by_list (k int, c frozen<list<int>>, v int, PRIMARY KEY (k, c))')
        by_list = session.prepare('INSERT INTO by_list (k, c, v) VALUES (1, ?, ?)')
        for i, key in enumerate(([2], [1, 5], [], [1])):
            session.execute(by_list, (key, i))
        equal([plain(c) for c, in session.execute('SELECT c FROM by_list WHERE k = 1')], [[], [1], [1, 5], [2]], 'in order')


def changes(session, read):
    def update(assignment, values, where='k = 1'):
        session.execute(session.prepare(f'UPDATE collections SET {assignment} WHERE {where}'), values)

    update('l = l + ?', ([4],))
    update('l = ? + l', ([0],))
    equal(read(1, 'l'), ([0, 3, 1, 3, 4],), 'appended and prepended')
    update('l[?] = ?', (1, 33))
    equal(read(1, 'l'), ([0, 33, 1, 3, 4],), 'set by index')
    update('l = l - ?', ([3, 4],))
    equal(read(1, 'l'), ([0, 33, 1],), 'removed')
    session.execute(session.prepare('DELETE l[?] FROM collections WHERE k = 1'), (0,))
    equal(read(1, 'l'), ([33, 1],), 'deleted by index')
    update('s = s + ?', ({'c'},))
    update('s = s - ?', ({'a'},))
    equal(read(1, 's'), (('b', 'c'),), 'set changed')
    update('m[?] = ?', ('new', AT))
    update('m = m - ?', ({'x'},))
    update('m = m + ?', ({'y': AT},))
    equal(read(1, 'm'), ({'a': AT, 'new': AT, 'y': AT},), 'map changed')
    equal(session.execute("SELECT m['new'] FROM collections WHERE k = 1").one(), (AT,), 'one element')


@case
def types_structured(context):
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TYPE inner_t (a int, b text)')
        session.execute('CREATE TYPE outer_t (name text, i frozen<inner_t>, l frozen<list<frozen<inner_t>>>)')
        session.execute('''CREATE TABLE structured (k int PRIMARY KEY, t tuple<int, text, frozen<list<int>>>, u outer_t,
            fu frozen<outer_t>, lu list<frozen<inner_t>>, mt map<text, frozen<tuple<int, int>>>, tu tuple<inner_t, int>,
            st frozen<set<frozen<tuple<text, int>>>>)''')
    with context.session(row_factory=tuple_factory) as session:
        insert = session.prepare('INSERT INTO structured (k, t, u, fu, lu, mt, tu, st) VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
        udt = ('n', (1, 'x'), [(2, 'y'), (3, None)])
        values = ((1, 'a', [4, 5]), udt, udt, [(7, 'seven'), (None, None)], {'p': (1, 2), 'q': (None, 3)}, ((1, 'b'), None),
                  {('z', 1), ('a', 2)})
        session.execute(insert, (1, *values))
        session.execute(insert, (2, (None, 'only', None), ('n', None, None), (None, (1, None), []), [], {}, (None, 5), set()))
        session.execute(insert, (3, (1,), ('short', None, None), ('short', (9, None), None), None, None, None, None))

        def read(k, columns='t, u, fu, lu, mt, tu, st'):
            return tuple(plain(v) for v in session.execute(f'SELECT {columns} FROM structured WHERE k = %s', (k,)).one())

        equal(read(1), (values[0], udt, udt, values[3], values[4], values[5], (('a', 2), ('z', 1))), 'row 1')
        equal(read(2), ((None, 'only', None), ('n', None, None), (None, (1, None), []), None, None, (None, 5), ()), 'row 2')
        equal(read(3), ((1, None, None), ('short', None, None), ('short', (9, None), None), None, None, None, None), 'row 3')
        row = session.execute('SELECT u FROM structured WHERE k = 1').one()
        equal((row[0].name, row[0].i.b, row[0].l[0].a), ('n', 'x', 2), 'fields by name')
        session.execute(session.prepare('UPDATE structured SET u.name = ?, u.i = ? WHERE k = 1'), ('changed', (8, 'e')))
        equal(read(1, 'u'), (('changed', (8, 'e'), udt[2]),), 'fields changed')
        equal(read(1, 'u.name, u.i.b'), ('changed', 'e'), 'fields selected')
        registered(context)
        extended(context, values)


class Inner:
    """Registers a class of the program for a UDT."""

    def __init__(self, a, b):
        self.a, self.b = a, b

    def __eq__(self, other):
        return (self.a, self.b) == (other.a, other.b)


def registered(context):
    with context.session(row_factory=tuple_factory) as session:
        session.cluster.register_user_type(context.prefix, 'inner_t', Inner)
        session.execute(session.prepare('INSERT INTO structured (k, lu) VALUES (4, ?)'), ([Inner(1, 'one'), Inner(2, None)],))
        session.execute('INSERT INTO structured (k, lu) VALUES (%s, %s)', (5, [Inner(1, 'one'), Inner(2, None)]))
        for k in (4, 5):
            got = session.execute('SELECT lu FROM structured WHERE k = %s', (k,)).one()[0]
            equal(list(got), [Inner(1, 'one'), Inner(2, None)], f'objects of a registered class, row {k}')


def extended(context, values):
    """Values that are older than a field of their type do not have the field."""
    with context.session() as session:
        session.execute('ALTER TYPE inner_t ADD c bigint')
    with context.session(row_factory=tuple_factory) as session:
        fu, lu = map(plain, session.execute('SELECT fu, lu FROM structured WHERE k = 1').one())
        equal(fu, ('n', (1, 'x', None), [(2, 'y', None), (3, None, None)]), 'a frozen value of before')
        equal(lu, [(*inner, None) for inner in values[3]], 'a list of before')
        session.execute(session.prepare('UPDATE structured SET lu = lu + ? WHERE k = 1'), ([(5, 'five', 2**40)],))
        equal(plain(session.execute('SELECT lu FROM structured WHERE k = 1').one()[0])[-1], (5, 'five', 2**40), 'one of after')


@case
def types_vectors(context):
    from cassandra import cqltypes
    if not hasattr(cqltypes, 'VectorType'):
        raise NotApplicable('the driver has no vectors')
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TABLE vectors (k int PRIMARY KEY, f vector<float, 3>, t vector<text, 2>, i vector<int, 2>, '
                        'l list<frozen<vector<float, 2>>>)')
        insert = session.prepare('INSERT INTO vectors (k, f, t, i, l) VALUES (?, ?, ?, ?, ?)')
        session.execute(insert, (1, [1.5, -2.0, 0.0], ['a', ''], [2**31 - 1, -2**31], [[1.0, 2.0], [3.0, 4.0]]))
        row = session.execute('SELECT f, t, i, l FROM vectors WHERE k = 1').one()
        equal(tuple(map(list, row[:3])), ([1.5, -2.0, 0.0], ['a', ''], [2**31 - 1, -2**31]), 'vectors')
        equal([list(v) for v in row[3]], [[1.0, 2.0], [3.0, 4.0]], 'vectors in a list')
        session.execute('INSERT INTO vectors (k, f) VALUES (%s, %s)', (2, [1.0, 2.0, 3.0]))
        equal(list(session.execute('SELECT f FROM vectors WHERE k = 2').one()[0]), [1.0, 2.0, 3.0], 'by a simple statement')
        session.execute(insert, (3, None, None, None, None))
        equal(session.execute('SELECT f, t, i, l FROM vectors WHERE k = 3').one(), (None,) * 4, 'nulls')


@case
def types_all_versions(context):
    with context.session() as session:
        columns = ', '.join(f'c_{name} {name}' for name in SCALARS)
        session.execute('CREATE TYPE udt_v (a int, b frozen<list<text>>)')
        session.execute(f'CREATE TABLE versions (k int PRIMARY KEY, {columns}, l list<int>, m map<text, frozen<set<int>>>, '
                        't tuple<int, text>, u udt_v)')
    tried = []
    for version in (ProtocolVersion.V3, ProtocolVersion.V4, ProtocolVersion.V5):
        for compression in (False, 'lz4'):
            with context.session(row_factory=tuple_factory, protocol_version=version, compression=compression) as session:
                write_scalars(session, 'versions', version)
                session.execute(session.prepare('INSERT INTO versions (k, l, m, t, u) VALUES (1, ?, ?, ?, ?)'),
                                ([1, 2], {'a': {1}}, (1, None), (5, ['x'])))
                row = session.execute('SELECT l, m, t, u FROM versions WHERE k = 1').one()
                equal(tuple(map(plain, row)), ([1, 2], {'a': (1,)}, (1, None), (5, ['x'])), f'v{version} {compression}')
                tried.append(f'v{version}{"+lz4" if compression else ""}')
    return ' '.join(tried)
