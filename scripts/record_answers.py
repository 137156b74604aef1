#!/usr/bin/env python3
"""Records what a real Cassandra answers to the statements of tests/data/profiles and tests/data/refusals.

    record_answers.py HOST:PORT FILE…

A file is a list of cases (docs/internals/test-scripts.md). Each case runs in a keyspace of its own, which is created for it and
dropped afterwards. Statements and answers call this keyspace `ks`. In the files, Cassandra's answers replace the old ones;
everything else stays. Needs the package cassandra-driver (python -m venv, then pip install cassandra-driver)."""
import re
import sys

from cassandra import ConsistencyLevel
from cassandra.cluster import NoHostAvailable
from cassandra.query import BatchStatement, BatchType, BoundStatement, SimpleStatement, UNSET_VALUE

from run_cql_on_cassandra import Peer, error_text

KEYSPACE = 'profiles_recorded'
LEVELS = {**ConsistencyLevel.name_to_value, 'NODE_LOCAL': 11}
BATCH_TYPES = {'logged': BatchType.LOGGED, 'unlogged': BatchType.UNLOGGED, 'counter': BatchType.COUNTER}


def value_of(word):
    return {'null': None, 'unset': UNSET_VALUE}[word] if not word.startswith('0x') else bytes.fromhex(word[2:])


def as_sent(text):
    text = re.sub(r'\{(\d+) (\w)\}', lambda repeated: repeated[2] * int(repeated[1]), text)
    return re.sub(r'\bks\b', KEYSPACE, text.replace('\\n', '\n'))


def make(session, statement, values):
    batch = re.fullmatch(r'batch (logged|unlogged|counter): (.*)', statement)
    if batch:
        together = BatchStatement(batch_type=BATCH_TYPES[batch[1]])
        for part in batch[2].split('; '):
            together.add(SimpleStatement(as_sent(part)))
        return together
    if values is None:
        return SimpleStatement(as_sent(statement))
    bound = BoundStatement(session.prepare(as_sent(statement)))
    bound.values = [value_of(word) for word in values]
    bound._routing_key = b''  # Otherwise the driver computes a routing key, which fails if a value does not fit its type.
    return bound


def answer(session, statement, values):
    """Returns the lines of the answer: `ok` and warnings, or the error."""
    try:
        level = re.match(r'at ([A-Z_]+)(?: serial ([A-Z_]+))?: ', statement)
        sent = make(session, statement[level.end():] if level else statement, values)
        if level:
            sent.consistency_level = LEVELS[level[1]]
        if level and level[2]:  # Bypasses the driver's own check; a batch has a plain attribute.
            name = 'serial_consistency_level' if isinstance(sent, BatchStatement) else '_serial_consistency_level'
            setattr(sent, name, LEVELS[level[2]])
        future = session.execute_async(sent)
        future.result()
        lines = ['ok'] + ['warning: ' + warning for warning in future.warnings or []]
    except NoHostAvailable as error:  # The driver tries another host after some refusals, but there is none.
        lines = [error_text(next(iter(error.errors.values()))).split('\n')[0]]
    except Exception as error:  # The driver raises a dozen unrelated classes.
        lines = [error_text(error).split('\n')[0]]
    return ['  ' + line.replace(KEYSPACE, 'ks') for line in lines]


def record(peer, path):
    session, out, cases, statement = peer.session, [], 0, ''
    session.execute('DROP KEYSPACE IF EXISTS ' + KEYSPACE)
    session.execute("CREATE KEYSPACE %s WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}" % KEYSPACE)
    session.set_keyspace(KEYSPACE)
    lines = open(path).read().split('\n')
    for i, line in enumerate(lines):
        if line.startswith('schema '):
            session.execute(as_sent(line[len('schema '):]))
        if line.startswith('  ') and not line.startswith(('  values', '  ours', '  why')):
            continue  # This line belongs to the old answer.
        out.append(line)
        if not line or line.startswith(('#', 'schema ', 'profile ', '  ours', '  why')):
            continue
        if line.startswith('  values'):
            out += answer(session, statement, line.split()[1:])
        elif not (i + 1 < len(lines) and lines[i + 1].startswith('  values')):
            out += answer(session, line, None)
        else:
            statement = line
            continue
        cases += 1
    session.execute('DROP KEYSPACE ' + KEYSPACE)
    with open(path, 'w') as file:
        file.write('\n'.join(out))
    print('%s: %d cases' % (path, cases))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    peer = Peer(sys.argv[1])
    for path in sys.argv[2:]:
        record(peer, path)
    peer.cluster.shutdown()


if __name__ == '__main__':
    main()
