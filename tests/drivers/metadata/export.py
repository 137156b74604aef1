#!/usr/bin/env python3
"""Writes the schema of schema.cql in the form in which the Python driver's metadata exports it.

    export.py record HOST:PORT FILE    makes the schema on the server and stores the driver's export in FILE
    export.py compare HOST:PORT FILE   makes the schema too, and compares the export with FILE. If they differ, it prints the difference
                                       and ends with status 1

FILE is tests/data/metadata_export.txt. It was recorded from Cassandra 5.0.9. The script drops the keyspaces before and afterwards. It
needs the package cassandra-driver."""
import difflib
import pathlib
import re
import sys

from cassandra.cluster import Cluster, ExecutionProfile, EXEC_PROFILE_DEFAULT

HERE = pathlib.Path(__file__).resolve().parent
KEYSPACES = ('exported', 'Exported2')
WAIT_SECONDS_MAX = 60


def statements():
    text = re.sub(r'^--.*\n', '', (HERE / 'schema.cql').read_text(encoding='utf-8'), flags=re.MULTILINE)
    return [statement for statement in re.split(r';\s*\n', text) if statement.strip()]


def drop(session):
    for keyspace in KEYSPACES:
        session.execute(f'DROP KEYSPACE IF EXISTS "{keyspace}"')


def export(address):
    host, port = address.rsplit(':', 1)
    profile = ExecutionProfile(request_timeout=WAIT_SECONDS_MAX)
    with Cluster([host], port=int(port), max_schema_agreement_wait=WAIT_SECONDS_MAX,
                 execution_profiles={EXEC_PROFILE_DEFAULT: profile}) as cluster:
        session = cluster.connect()
        drop(session)
        for statement in statements():
            session.execute(statement)
        cluster.refresh_schema_metadata(max_schema_agreement_wait=WAIT_SECONDS_MAX)
        exported = [cluster.metadata.keyspaces[keyspace].export_as_string() for keyspace in KEYSPACES]
        drop(session)
    return '\n\n'.join(exported) + '\n'


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ('record', 'compare'):
        sys.exit(__doc__)
    exported, file = export(sys.argv[2]), pathlib.Path(sys.argv[3])
    if sys.argv[1] == 'record':
        file.write_text(exported, encoding='utf-8')
        return
    recorded = file.read_text(encoding='utf-8')
    difference = list(difflib.unified_diff(recorded.splitlines(), exported.splitlines(), str(file), sys.argv[2], lineterm=''))
    print('\n'.join(difference) or f'{len(recorded.splitlines())} lines equal')
    sys.exit(1 if difference else 0)


if __name__ == '__main__':
    main()
