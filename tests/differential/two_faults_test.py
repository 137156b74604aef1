#!/usr/bin/env python3
"""Tests two_faults.py with stand-ins for servers. A stand-in is a list of faults (sentence, pattern), in the order in which it looks for
them."""
import re
import sys

from generate import Generator, Statement
from two_faults import found_alone, variants

_NO_COLUMN = ('Undefined column name nope', r'\bnope\b')
_OPERATOR = ("the '+' operation is not supported between 'a' and 1", r"'a' \+ 1")
_FILTERING = ('Use ALLOW FILTERING', r'^SELECT (?!.* ALLOW FILTERING)')
_NO_KEY = ('Some partition key parts are missing: p0', r'^(?!.*\bp0\b)')
_BOOLEAN = ('Expected an int value, but got a Boolean: true', r'"v0": true')
_TOO_SHORT = ('Expected 4 bytes', None)
_SHORT_BYTES = ('Expected 1 byte for a tinyint (0)', r'\b0x\b')  # Accepted if only Widerow refuses it (explained.py).
_ONLY_WIDEROW = ('This is refused', r'\bnope\b')

_BOTH = 'SELECT nope FROM t WHERE v0 = \'a\' + 1 ALLOW FILTERING'
# (name, Widerow's faults, Cassandra's, the statement, whether both faults are found alone)
_CASES = (
    ('another order', (_NO_COLUMN, _OPERATOR), (_OPERATOR, _NO_COLUMN), _BOTH, True),
    ('a clause to add', (_NO_COLUMN, _FILTERING), (_FILTERING, _NO_COLUMN), 'SELECT nope FROM t WHERE v0 = 1', True),
    ('a column of INSERT', (_NO_COLUMN, _OPERATOR), (_OPERATOR, _NO_COLUMN), "INSERT INTO t (p0, nope, v0) VALUES (1, 2, 'a' + 1)", True),
    ('a column to add to INSERT', (_OPERATOR, _NO_KEY), (_NO_KEY, _OPERATOR), "INSERT INTO t (v0) VALUES ('a' + 1)", True),
    ('a column to add to WHERE', (_NO_COLUMN, _NO_KEY), (_NO_KEY, _NO_COLUMN), 'SELECT nope FROM t WHERE v0 = 1', True),
    ('a statement of a batch', (_NO_COLUMN, _OPERATOR), (_OPERATOR, _NO_COLUMN),
     "BEGIN BATCH INSERT INTO t (v0) VALUES ('a' + 1) DELETE nope FROM t WHERE v0 = 1 APPLY BATCH", True),
    ('a member of a JSON object', (_BOOLEAN, _NO_COLUMN), (_NO_COLUMN, _BOOLEAN), 'INSERT INTO t JSON \'{"nope": 1, "a": "it\'\'s", "v0": true}\'', True),
    ('a fault that only Widerow knows', (_ONLY_WIDEROW, _OPERATOR), (_OPERATOR,), _BOTH, False),
    ('a fault that only Cassandra knows', (_NO_COLUMN,), (_OPERATOR, _NO_COLUMN), _BOTH, False),
    ('an accepted difference', (_SHORT_BYTES, _NO_COLUMN), (_NO_COLUMN,), 'SELECT nope FROM t WHERE v0 = 0x', True),
    ('one fault, two sentences', (_ONLY_WIDEROW,), (_NO_COLUMN,), 'SELECT nope FROM t', False),
    ('no fault for Cassandra', (_NO_COLUMN,), (), 'SELECT nope FROM t', False),
)


def refuse(faults, statement):
    found = next((sentence for sentence, pattern in faults if _has(statement, pattern)), None)
    return ('error', 'Invalid', found, '') if found else ('done', 1, [])


def _has(statement, pattern):
    if pattern is None:
        return any(value is not None and len(value) != 4 for value in statement.values)
    return re.search(pattern, statement.text) is not None


def faults():
    # The cases need a table with the key p0.
    table = next(t for t in (Generator(seed, 'ks', ('plain',)).table for seed in range(100)) if [c.name for c in t.key()] == ['p0'])

    def alone(servers, statement):
        answers = [refuse(server, statement) for server in servers]
        return found_alone(statement, answers, table, lambda server, variant: refuse(servers[server], variant))
    for name, widerow, cassandra, text, expected in _CASES:
        found = alone((widerow, cassandra), Statement(text, 0))
        if (found is not None) != expected:
            yield f'{name}: {found}'
    bound = alone(((_TOO_SHORT, _NO_COLUMN), (_NO_COLUMN, _TOO_SHORT)), Statement('SELECT nope FROM t WHERE p0 = ? AND v0 = ?', 0, (b'\0\0\0\1', b'\1')))
    if not bound or bound.widerow.text.count('?') != len(bound.widerow.values) or b'\1' not in bound.widerow.values:
        yield f'bound values do not follow their markers: {bound}'
    batch = Statement((0, [('INSERT INTO t (p0) VALUES (:x0)', (b'\1',), True), ('DELETE FROM t WHERE p0 = 1', (), False)]), 0, how='batch')
    if not any(variant.text[1] == batch.text[1][1:] for variant in variants(batch, table)):
        yield 'no variant of a batch leaves out its first statement'
    if any('ALLOW' in _BOTH and 'ALLOW' not in variant.text for variant in variants(Statement(_BOTH, 0), table)):
        yield 'a variant leaves out ALLOW FILTERING'


def main():
    found = list(faults())
    print('\n'.join(found) or f'{len(_CASES) + 3} cases')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
