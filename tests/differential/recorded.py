#!/usr/bin/env python3
"""Stores digests of Cassandra's answers, so that a test needs no Cassandra.

  recorded.py record CASSANDRA_HOST:PORT FILE --tables 40 --seed 5000 --beside WIDEROW_HOST:PORT   writes digests to FILE
  recorded.py replay WIDEROW_HOST:PORT FILE                             compares Widerow's answers with them

The file has one line for each table: the generator's version, the seed, and 8 hexadecimal digits for each statement. A statement has
dashes instead if Cassandra failed, or if Cassandra may answer differently another time (explained.py). A digest shows only that an
answer differs. `run.py` with this seed and a Cassandra shows both answers."""
import argparse
import hashlib
import sys
import time

from explained import never_compared, normal
from generate import VERSION, Generator, Statement
from run import split_address
from shrink import shown
from target import Target

STATEMENTS = 150
DIGITS = 8
NOT_COMPARED = '-' * DIGITS


def digest(answer):
    if never_compared(answer):
        return NOT_COMPARED
    return hashlib.sha256(repr(normal(answer)).encode()).hexdigest()[:DIGITS]


def answers(target, seed):
    generator, begun = Generator(seed, f'recorded_{seed}'), int(time.time())

    def drop():
        target.forget()
        for name in generator.keyspaces():
            target.run(Statement(f'DROP KEYSPACE IF EXISTS {name}', 0), begun)
    drop()
    for statement in generator.schema() + [generator.statement() for _ in range(STATEMENTS)]:
        yield shown(statement), target.run(statement, begun)
    drop()


def record(target, options):
    beside = Target('widerow', *split_address(options.beside)) if options.beside else None
    with open(options.file, 'w') as out:
        for seed in range(options.seed, options.seed + options.tables):
            recorded = list(answers(target, seed))
            different = beside and first_difference(recorded, answers(beside, seed))
            if different:
                print(f'seed {seed} is left out: {different}')
            else:
                print(VERSION, seed, ''.join(digest(answer) for _, answer in recorded), file=out, flush=True)
    return 0


def first_difference(recorded, others):
    """Returns the first statement to which the other server gives another answer, or None."""
    pairs = zip(recorded, list(others))
    return next((text for (text, answer), (_, other) in pairs if digest(answer) not in (NOT_COMPARED, digest(other))), None)


def replay(target, options):
    compared = differences = 0
    for line in open(options.file):
        version, seed, digests = line.split()
        if int(version) != VERSION:
            sys.exit(f'{options.file} was recorded with version {version} of the generator, this is {VERSION}: record it again')
        for i, (statement, answer) in enumerate(answers(target, int(seed))):
            expected = digests[DIGITS * i:DIGITS * i + DIGITS]
            compared += expected != NOT_COMPARED
            if expected not in (NOT_COMPARED, digest(answer)):
                differences += 1
                print(f'seed {seed}, statement {i}: {statement}\n  answered {str(answer)[:500]}')
    print(f'{compared} answers compared, {differences} differ')
    return 1 if differences or compared == 0 else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('what', choices=('record', 'replay'))
    parser.add_argument('address')
    parser.add_argument('file')
    parser.add_argument('--tables', type=int, default=40)
    parser.add_argument('--seed', type=int, default=5000)
    parser.add_argument('--beside', help='record: a Widerow; tables on which it differs are left out and printed')
    options = parser.parse_args()
    target = Target(options.what, *split_address(options.address))
    status = (record if options.what == 'record' else replay)(target, options)
    target.close()
    return status


if __name__ == '__main__':
    sys.exit(main())
