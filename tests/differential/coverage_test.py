#!/usr/bin/env python3
"""Generates many statements. Together they must have every clause of the grammar, except those that clauses.py excludes. So a new clause
in grammar/CqlParser.g4 must be made by the generator, or get a reason there. Also checks that the parser knows every token."""
import re
import sys

from clauses import EXCLUDED
from coverage import Coverage
from generate import SHAPES, Generator
from grammar import _TEXT_TOKEN, FOLDER, Grammar

# (shapes, tables, statements of each table). Schema statements have the most clauses. Names of columns vary only between tables.
_RUNS = ((SHAPES, 150, 50), (('schema',), 90, 45), (SHAPES, 500, 0))
_HIDDEN = {'WS', 'COMMENT', 'MULTILINE_COMMENT'}
_NEVER_MADE = {'UNEXPECTED', 'REFUSED', 'IDENT', 'BOOLEAN', 'SIGN'}  # These tokens have no pattern of their own.


def faults():
    grammar = Grammar()
    yield from (f'clauses.py excludes "{clause}", which is not in the grammar' for clause in EXCLUDED if clause not in grammar.clauses)
    tokens = set(re.findall(r'^([A-Z]\w*):', (FOLDER / 'CqlLexer.g4').read_text(), re.MULTILINE))
    known = set(grammar.literals.values()) | set(grammar.keywords.values()) | set(_TEXT_TOKEN.groupindex) | _HIDDEN | _NEVER_MADE
    yield from (f'grammar.py does not know the token {name}' for name in sorted(tokens - known))
    coverage = Coverage()
    for shapes, tables, statements in _RUNS:
        for seed in range(tables):
            generator = Generator(1000 * statements + seed, 'ks', shapes)
            for statement in generator.schema() + [generator.statement() for _ in range(statements)]:
                coverage.add(coverage.tags(statement, generator.table))
    yield from (f'the generator does not make "{clause}"; if Cassandra has it, generate it, else exclude it in clauses.py with the reason'
                for clause in coverage.fewer_than(1))
    yield from (f'the generator makes "{clause}", which clauses.py excludes' for clause in coverage.unexpected())


def main():
    found = list(faults())
    print('\n'.join(found) or f'{len(Grammar().clauses)} clauses, {len(EXCLUDED)} excluded')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
