"""Turns the CQL literals of values.py into the form that INSERT JSON and from_json take."""
import json

import values
from encode import parse
from names import in_json

# Decimals are quoted: Cassandra reads an unquoted decimal as a double first, and 1.00 becomes 1.0.
_PLAIN = ('tinyint', 'smallint', 'int', 'bigint', 'varint', 'float', 'double', 'boolean')


def of(literal, cql_type, fields=values.FIELDS):
    return _value(parse(literal), cql_type, fields)


def _value(value, cql_type, fields):
    if value == 'null':
        return 'null'
    inner = values.unfrozen(cql_type)
    if isinstance(value, str):
        if value.startswith("'"):
            return json.dumps(value[1:-1].replace("''", "'"))
        # Timestamps are quoted: Cassandra accepts plain numbers only if they are too large for an int.
        return value if inner in _PLAIN and value not in ('NaN', 'Infinity', '-Infinity') else json.dumps(value)
    items = value[1]
    if inner.startswith('map<'):
        types = values.arguments(inner)
        return _object((_value(k, types[0], fields), _value(v, types[1], fields)) for k, v in items)
    if inner.startswith('tuple<'):
        return _array(items, values.arguments(inner), fields)
    if '<' in inner:
        return _array(items, [values.arguments(inner)[0]] * len(items), fields)
    types = dict(fields)
    return _object((json.dumps(in_json(name)), _value(v, types.get(name, 'text'), fields)) for name, v in items)


def _array(items, types, fields):
    return '[' + ', '.join(_value(item, t, fields) for item, t in zip(items, types)) + ']'


def _object(pairs):
    return '{' + ', '.join(f'{key if key.startswith(chr(34)) else json.dumps(key)}: {value}' for key, value in pairs) + '}'
