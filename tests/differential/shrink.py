"""Runs one table's statements on both servers, and finds the fewest statements that still show a difference."""
import os
import time
from collections import Counter

from explained import explained, failed, normal
from generate import Generator


class Replay:
    """Runs a table from the beginning, each time in a new keyspace. `counts` has the numbers of answers so far."""
    runs = 0

    def __init__(self, seed, shapes, widerow, cassandra):
        self.seed, self.shapes, self.targets, self.counts = seed, shapes, (widerow, cassandra), Counter()

    def first_difference(self, make):
        """Runs the schema and the statements of make(generator). Returns (index, statement, answers) of the first difference, or None."""
        Replay.runs += 1
        keyspace = f'diff_{os.getpid()}_{Replay.runs}'
        generator = Generator(self.seed, keyspace, self.shapes)
        try:
            schema, begun = generator.schema(), int(time.time())
            for i, statement in enumerate(schema + make(generator)):
                answers = [target.run(statement, begun) for target in self.targets]
                if self._differ(answers):
                    return i - len(schema), statement, answers
            return None
        finally:
            for target in self.targets:
                target.run(f'DROP KEYSPACE {keyspace}')

    def _differ(self, answers):
        widerow, cassandra = answers
        self.counts['statements'] += 1
        if failed(cassandra):
            self.counts['failed'] += 1
            return False
        self.counts['compared'] += 1
        self.counts['rows'] += cassandra[0] == 'rows' and len(cassandra[3]) > 0
        self.counts['errors'] += cassandra[0] == 'error'
        if normal(widerow) == normal(cassandra):
            return False
        self.counts['explained'] += explained(widerow, cassandra)
        return not explained(widerow, cassandra)


def shrink(replay, count):
    """Returns the fewest of the table's first `count` statements that still end in a difference; tries to omit halves, quarters, …."""
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
    """Returns the case as text, to be read and run by hand."""
    generator = Generator(seed, 'ks', replay.shapes)
    lines = [f'\n-- seed {seed}, shrunk to {len(kept)} statements']
    lines += [statement.text + ';' for statement in generator.schema()[1:]]
    statements = [generator.statement() for _ in range(max(kept) + 1)] if kept else []
    lines += [f'{statements[i].text};  -- at {statements[i].seconds} s' + ''.join(f', 0x{value.hex()}' for value in statements[i].values)
              for i in kept]
    widerow, cassandra = (_strip(answer, other) for answer, other in (found[2], found[2][::-1]))
    return '\n'.join(lines + [f'--   {found[1].text}', f'--   widerow:   {widerow}', f'--   cassandra: {cassandra}'])


def _strip(answer, other):
    """Returns only the rows in which two answers of one shape differ."""
    if answer[0] != 'rows' or other[0] != 'rows' or answer[1:3] != other[1:3] or len(answer[3]) != len(other[3]):
        return answer
    return [row for row, others in zip(answer[3], other[3]) if row != others]
