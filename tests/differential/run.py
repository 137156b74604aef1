#!/usr/bin/env python3
"""Runs random schemas and statements on Widerow and on Apache Cassandra and compares every answer: rows, their order, names and
types of columns, class of errors. Time goes by what requests say (protocol v5's
"now in seconds"), so TTLs pass without waiting. A difference is shrunk to the few statements that show it.

  run.py WIDEROW_HOST:PORT CASSANDRA_HOST:PORT [--statements 20000] [--seed 1] [--per-table 200] [--shapes plain,counter]

Ends with 1 and prints each shrunk case if there is a difference that is not among the explained ones (explained.py)."""
import argparse
import os
import sys
import time

from explained import normal
from generate import SHAPES, Generator
from target import Target


class Replay:
    """One table's statements, run on both from the beginning, each time in a keyspace of its own."""
    count = 0

    def __init__(self, seed, shapes, widerow, cassandra):
        self.seed, self.shapes, self.targets = seed, shapes, (widerow, cassandra)

    def first_difference(self, make):
        """make(generator) gives the statements after the schema. (index, statement, answers) of the first that differs, or None."""
        Replay.count += 1
        keyspace = f'diff_{os.getpid()}_{Replay.count}'
        generator = Generator(self.seed, keyspace, self.shapes)
        try:
            schema, begun = generator.schema(), int(time.time())
            for i, statement in enumerate(schema + make(generator)):
                answers = [target.run(statement, begun) for target in self.targets]
                if normal(answers[0]) != normal(answers[1]):
                    return i - len(schema), statement, answers
            return None
        finally:
            for target in self.targets:
                target.run(f'DROP KEYSPACE {keyspace}')


def shrink(replay, count):
    """The fewest of the table's first `count` statements that still end in a difference: halves, quarters, … are left out."""
    kept = list(range(count))

    def differs(indices):
        def make(generator):
            statements = [generator.statement() for _ in range(count)]
            return [statements[i] for i in indices]
        return replay.first_difference(make)

    step = len(kept) // 2
    while step >= 1:
        at = 0
        while at < len(kept):
            fewer = kept[:at] + kept[at + step:]
            found = differs(fewer) if fewer else None
            if found:
                kept = fewer[:found[0] + 1]
            else:
                at += step
        step //= 2
    return kept, differs(kept)


def report(seed, replay, kept, found):
    generator = Generator(seed, 'ks', replay.shapes)
    print(f'\n-- seed {seed}, shrunk to {len(kept)} statements')
    for statement in generator.schema()[1:]:
        print(statement.text + ';')
    statements = [generator.statement() for _ in range(max(kept) + 1)] if kept else []
    for i in kept:
        print(f'{statements[i].text};  -- at {statements[i].seconds} s')
    if found:
        widerow, cassandra = (strip(answer, other) for answer, other in (found[2], found[2][::-1]))
        print(f'--   {found[1].text}\n--   widerow:   {widerow}\n--   cassandra: {cassandra}')
    sys.stdout.flush()


def strip(answer, other):
    """Only the rows in which two answers of one shape differ."""
    if answer[0] != 'rows' or other[0] != 'rows' or answer[1:3] != other[1:3] or len(answer[3]) != len(other[3]):
        return answer
    return [row for row, others in zip(answer[3], other[3]) if row != others]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('widerow')
    parser.add_argument('cassandra')
    parser.add_argument('--statements', type=int, default=20_000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--per-table', type=int, default=200)
    parser.add_argument('--differences-max', type=int, default=10)
    parser.add_argument('--shapes', type=lambda names: tuple(names.split(',')), default=SHAPES)
    options = parser.parse_args()
    targets = [Target(name, *split_address(address))
               for name, address in (('widerow', options.widerow), ('cassandra', options.cassandra))]
    ran = differences = 0
    seed = options.seed
    while ran < options.statements and differences < options.differences_max:
        replay = Replay(seed, options.shapes, *targets)
        found = replay.first_difference(lambda g: [g.statement() for _ in range(options.per_table)])
        if found is None:
            ran += options.per_table
        else:
            ran += max(found[0], 0)
            differences += 1
            kept, shrunk = shrink(replay, found[0] + 1) if found[0] >= 0 else ([], found)
            report(seed, replay, kept, shrunk or found)
        seed += 1
    print(f'{ran} statements on {seed - options.seed} tables, {differences} tables with a difference')
    for target in targets:
        target.close()
    return 1 if differences else 0


def split_address(address):
    host, port = address.rsplit(':', 1)
    return host, int(port)


if __name__ == '__main__':
    sys.exit(main())
