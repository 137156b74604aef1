"""Runs one table's statements on both servers, and finds the fewest statements that still show a difference."""
import os
import re
import time
from collections import Counter

from explained import explained, failed, normal
from generate import Generator, Statement
from mistakes import is_write
from two_faults import found_alone

_TWO_FAULTS = 'which of two faults, each of which both servers find alone'


class Replay:
    """Runs a table from the beginning, each time in a new keyspace. `counts` has the numbers of answers of each kind so far."""
    runs = 0

    def __init__(self, seed, shapes, widerow, cassandra):
        self.seed, self.shapes, self.targets, self.counts = seed, shapes, (widerow, cassandra), Counter()
        self.reasons = Counter()
        self.two_faults = []  # (statement, answers, Alone) of each statement with two faults.

    def first_difference(self, make, seen=None):
        """Runs the schema and the statements of make(generator). Returns (index, statement, answers) of the first difference, or None. Calls
        `seen(index)` for each statement whose answers did not differ. The index also counts the schema's statements, which come first."""
        Replay.runs += 1
        self.keyspace = keyspace = f'diff_{os.getpid()}_{Replay.runs}'
        generator = Generator(self.seed, keyspace, self.shapes)
        try:
            schema, begun = generator.schema(), int(time.time())
            for i, statement in enumerate(schema + make(generator)):
                for target in self.targets:
                    target.start(statement, begun)
                self.last = answers = [target.finish() for target in self.targets]
                result = self._compare(statement, answers, generator.table)
                if result == 'different':
                    if not self._has_two_faults(statement, answers, generator.table, begun):
                        return i - len(schema), statement, answers
                    if self.variant_done and not _is_select(statement):
                        return None
                if result != 'failed' and seen:
                    seen(i)
                if result != 'same' and _part(statement, answers):
                    return None
            return None
        finally:
            for target in self.targets:
                target.forget()
                for name in generator.keyspaces():
                    target.run(Statement(f'DROP KEYSPACE IF EXISTS {name}', 0), int(time.time()))

    def unsteady(self, make, found):
        """Runs the table again up to the difference that was found. Returns True if Widerow answers as before, and Cassandra now does too:
        then Cassandra's answer depends on more than the statements, such as what it has flushed."""
        before = self._unnamed(found[2][0])
        if self.first_difference(lambda generator: make(generator)[:found[0] + 1]):
            return False
        return before == self._unnamed(self.last[0]) and before == self._unnamed(self.last[1])

    def _has_two_faults(self, statement, answers, table, begun):
        self.variant_done = False  # True if a server has carried out a variant: then the servers may have other data.

        def ask(server, variant):
            answer = self.targets[server].run(variant, begun)
            self.variant_done = self.variant_done or answer[0] != 'error'
            return answer
        alone = found_alone(statement, answers, table, ask)
        if not alone:
            return False
        self.counts['explained'] += 1
        self.reasons[_TWO_FAULTS] += 1
        self.two_faults.append((statement, answers, alone))
        return True

    # An answer without the name of the keyspace, which each run has for itself.
    def _unnamed(self, answer):
        return repr(normal(answer)).replace(self.keyspace, 'ks')

    def _compare(self, statement, answers, table):
        widerow, cassandra = answers
        self.counts['statements'] += 1
        if failed(cassandra):
            self.counts['failed'] += 1
            return 'failed'
        self.counts['compared'] += 1
        self.counts['rows'] += _has_rows(cassandra)
        self.counts['errors'] += cassandra[0] == 'error'
        if normal(widerow) == normal(cassandra):
            return 'same'
        reason = explained(statement, widerow, cassandra, table)
        if not reason:
            return 'different'
        self.counts['explained'] += 1
        self.reasons[reason] += 1
        return 'explained'


def _part(statement, answers):
    """Returns True if the servers may have other data after a statement whose answers differ. Then nothing later can be compared."""
    if statement.how == 'batch' or is_write(statement.text):
        return failed(answers[1]) or not all(answer[0] == 'error' for answer in answers)
    return not _is_select(statement) and answers[0][0] != 'error'


def _is_select(statement):
    return statement.how != 'batch' and re.match(r'\s*(/\*.*?\*/|--.*\n)?\s*SELECT', statement.text) is not None


def _has_rows(answer):
    if answer[0] == 'pages':
        return any(map(_has_rows, answer[1]))
    return answer[0] == 'rows' and len(answer[2]) > 0


def shrink(replay, count):
    """Returns the fewest of the table's first `count` statements that still show a difference. Tries to omit halves, then quarters, …."""
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
    """Returns the statements as a text that a person can read and run."""
    generator = Generator(seed, 'ks', replay.shapes)
    lines = [f'\n-- seed {seed}, {generator.table.shape}, shrunk to {len(kept)} statements']
    lines += [statement.text + ';' for statement in generator.schema()[1:]]
    statements = [generator.statement() for _ in range(max(kept) + 1)] if kept else []
    lines += [shown(statements[i]) for i in kept]
    return '\n'.join(lines + [answers_text(found)])


def answers_text(found):
    """Returns what differs in the two answers."""
    widerow, cassandra = (_strip(answer, other) for answer, other in (found[2], found[2][::-1]))
    return f'--   widerow:   {widerow}\n--   cassandra: {cassandra}'


def two_faults_text(statement, answers, alone):
    lines = ['two faults', shown(statement), answers_text((0, statement, answers))]
    lines += [f'--   {name} finds first what both find in: {shown(variant)}' for name, variant in zip(alone._fields, alone)]
    return '\n'.join(lines)


def shown(statement):
    """Returns a statement as text, with everything that is sent beside it."""
    if statement.how == 'batch':
        kind, parts = statement.text
        inside = '; '.join(text + _bound(values) + (' (prepared)' if prepared else '') for text, values, prepared in parts)
        return f'-- message BATCH {("LOGGED", "UNLOGGED", "COUNTER")[kind]} at {statement.seconds} s: {inside}'
    page = f', pages of {statement.page}' if statement.page else ''
    then = f', then {statement.then}' if statement.then else ''
    prepared = ', prepared' if statement.how == 'prepared' else ''
    return f'{statement.text};  -- at {statement.seconds} s{prepared}{_bound(statement.values)}{page}{then}'


def _bound(values):
    return ''.join(', ' + ('null' if value is None else '0x' + value.hex() if isinstance(value, bytes) else 'unset') for value in values)


def _strip(answer, other):
    """Returns only the rows in which two answers of one shape differ."""
    if answer[0] != 'rows' or other[0] != 'rows' or answer[1] != other[1] or len(answer[2]) != len(other[2]) or answer[2] == other[2]:
        return answer
    return [row for row, others in zip(answer[2], other[2]) if row != others]
