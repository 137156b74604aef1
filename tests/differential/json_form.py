"""Turns the CQL literals of values.py into the form that INSERT JSON takes."""
import json
import re

_TOKEN = re.compile(r"\s*('(?:[^']|'')*'|[\[\]{}(),:]|[^\s\[\]{}(),:']+)")
# Decimals are quoted: Cassandra reads an unquoted decimal as a double first, and 1.00 becomes 1.0.
_PLAIN = ('tinyint', 'smallint', 'int', 'bigint', 'varint', 'float', 'double', 'boolean')


def of(literal, cql_type):
    tokens = [m.group(1) for m in _TOKEN.finditer(literal)]
    return _value(tokens, cql_type)


def _value(tokens, cql_type):
    first = tokens.pop(0)
    if first == 'null':
        return 'null'
    if cql_type.startswith('frozen<'):
        cql_type = cql_type[7:-1]
    if first == '[' or first == '(' or (first == '{' and cql_type.startswith('set<')):
        return '[' + ', '.join(_items(tokens, _element_types(cql_type))) + ']'
    if first == '{':
        return '{' + ', '.join(_entries(tokens, cql_type)) + '}'
    if first.startswith("'"):
        return json.dumps(first[1:-1].replace("''", "'"))
    # Timestamps are quoted: Cassandra accepts plain numbers only if they are too large for an int.
    return first if cql_type in _PLAIN and first not in ('NaN', 'Infinity', '-Infinity') else json.dumps(first)


def _element_types(cql_type):
    if cql_type.startswith('tuple<'):
        return cql_type[6:-1].split(', ', 1)
    if cql_type.startswith('vector<'):
        return [cql_type[7:-1].split(', ')[0]]
    return [cql_type[cql_type.index('<') + 1:-1]]


def _items(tokens, types):
    items = []
    while tokens[0] not in (']', ')', '}'):
        if tokens[0] == ',':
            tokens.pop(0)
            continue
        items.append(_value(tokens, types[min(len(items), len(types) - 1)]))
    tokens.pop(0)
    return items


def _entries(tokens, cql_type):
    entries = []
    while tokens[0] != '}':
        if tokens[0] == ',':
            tokens.pop(0)
            continue
        if cql_type.startswith('map<'):
            key_type, value_type = cql_type[4:-1].split(', ', 1)
            key = _value(tokens, key_type)
        else:  # The user-defined type.
            name = tokens.pop(0)
            key, value_type = json.dumps(name), {'a': 'int', 'b': 'text'}[name]
        if tokens[0] == ':':
            tokens.pop(0)
        entries.append(f'{key if key.startswith(chr(34)) else json.dumps(key)}: {_value(tokens, value_type)}')
    tokens.pop(0)
    return entries
