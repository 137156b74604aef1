"""Compares many tables in several processes. A table is compared to its last statement or to its first difference. Counts the results,
and the clauses of the compared statements."""
import multiprocessing
import sys
import time
from collections import Counter

from coverage import Coverage
from generate import Generator
from shrink import Replay, answers_text, report, shown, shrink, two_faults_text
from target import Target


_UNSTEADY = 'an answer that Cassandra did not give again'


def run(options, addresses):
    """Returns True if no table differs and every clause was met often enough. `addresses` are those of Widerow and of Cassandra."""
    begun, totals, by_shape, reasons, coverage = time.monotonic(), Counter(), Counter(), Counter(), Coverage()
    tables = 0
    with multiprocessing.Pool(options.processes, _connect, (addresses, options)) as pool:
        for shape, counts, explained, text, covered in _results(pool, options, totals):
            tables += 1
            totals.update(counts)
            reasons.update(explained)
            by_shape[shape] += counts['statements']
            coverage.include(covered)
            if text:
                print(text)
            if text or tables % options.processes == 0:
                print(f'{tables} tables, {time.monotonic() - begun:.0f} s: {_counted(totals)}', flush=True)
            if totals['differences'] >= options.differences_max:
                pool.terminate()
                break
    print(coverage.table())
    if options.clauses:
        with open(options.clauses, 'w') as out:
            out.write(coverage.of_clauses())
    rare = coverage.fewer_than(options.clauses_least)
    print(f'clauses met fewer than {options.clauses_least} times: ' + ('; '.join(rare) or 'none'))
    print('explained differences: ' + ('; '.join(f'{reason} {count}' for reason, count in reasons.most_common()) or 'none'))
    print('statements by shape: ' + ', '.join(f'{name} {count}' for name, count in sorted(by_shape.items())))
    print(f'{tables} tables, {_counted(totals)}, in {time.monotonic() - begun:.0f} s')
    return totals['differences'] == 0 and not rare


def _results(pool, options, totals):
    """Yields the results of tables until they have the statements asked for: a table may end early."""
    seed = options.seed
    while totals['statements'] < options.statements:
        count = -(-(options.statements - totals['statements']) // options.per_table)
        yield from pool.imap_unordered(_one_table, range(seed, seed + count))
        seed += count


def _counted(totals):
    compared, failed = totals['compared'], totals['failed']
    return (f'{totals["statements"]} statements, {compared} compared ({totals["rows"]} with rows, {totals["errors"]} refused), '
            f'{totals["explained"]} explained differences, '
            f'{failed} failed in Cassandra ({100 * failed / max(1, compared + failed):.2f} %), {totals["differences"]} tables differ')


def _connect(addresses, options):
    global _targets, _options  # Each process has its own.
    _options = options
    _targets = [Target(name, *address) for name, address in zip(('widerow', 'cassandra'), addresses)]


def _one_table(seed):
    replay, coverage = Replay(seed, _options.shapes, *_targets), Coverage()
    shape = Generator(seed, 'ks', _options.shapes).table.shape
    tags = []

    def make(generator):
        tags.extend(coverage.tags(statement, generator.table) for statement in generator.schema())
        statements = []
        for _ in range(_options.per_table):
            statements.append(generator.statement())
            tags.append(coverage.tags(statements[-1], generator.table))
        return statements
    try:
        found = replay.first_difference(make, lambda index: coverage.add(tags[index]))
        text = ''
        counts, reasons, two_faults = Counter(replay.counts), Counter(replay.reasons), list(replay.two_faults)
        if found and found[0] >= 0 and replay.unsteady(lambda generator: [generator.statement() for _ in range(found[0] + 1)], found):
            counts['explained'] += 1
            reasons[_UNSTEADY] += 1
            text = f'-- seed {seed}, {shape}: Cassandra answered otherwise when this was run again:\n{shown(found[1])}\n' + answers_text(found)
        elif found:
            counts['differences'] += 1
            kept, shrunk = shrink(replay, found[0] + 1) if found[0] >= 0 and not _options.no_shrink else (range(found[0] + 1), found)
            text = report(seed, replay, kept, shrunk or found)
            if not shrunk and not _options.no_shrink:
                text += '\n--   (not again, when these were run alone)'
        text = '\n'.join([*(f'-- seed {seed}, {shape}: {two_faults_text(*each)}' for each in two_faults), text]).strip()
        return shape, counts, reasons, text, coverage
    except Exception as error:  # This table cannot continue: it is reported as a failure. The next one has connections of its own.
        for target in _targets:
            target.reconnect()
        return shape, Counter(differences=1), Counter(), f'\n-- seed {seed} broke off: {type(error).__name__}: {error}', coverage
    finally:
        sys.stdout.flush()
