#!/usr/bin/env python3
"""Checks that no code uses the storage for a client without a permit (exec/access/permit.h).

- Calls: each file that calls a function of the storage is listed here, with the reason why a permit cannot be missing.
- Engine: each public function of Engine is in the table of tests/unit/exec/permit_test.cc, or is listed here with the
  reason why it needs no permit.
- Users: only the files listed here give a role more permissions than it has (exec/access/user.h).
- Parts: each public function of the engine's parts takes an admitted request or a permit, or is listed here."""
import re
import sys

from tracked_files import ROOT, tracked

STORAGE_CALL = re.compile(r'\bstorage(?:_|\(\))?(?:->|\.)(Apply|Submit|OpenView|HoldSnapshot|ReadRow|OpenBulk|BeginLargeObject|OpenLargeObject|CommitSchema|WriteNotes|BeginBackup)\(')
FOLDERS = ('exec/', 'embedded/', 'shell/', 'net/', 'server/')
# (file, function of the storage) -> why no request can get there without a permit.
CALLS = {
    ('exec/engine/write_runner.cc', 'Apply'): 'a BuiltWrite is made by BuildWrite alone, which takes a permit',
    ('exec/engine/write_runner.cc', 'Submit'): 'as above',
    ('exec/engine/optimistic_transaction.cc', 'Apply'): 'the writes were admitted when the transaction got them',
    ('exec/engine/bulk_insert.cc', 'OpenBulk'): 'Open takes a permit',
    ('exec/engine/blob_write.cc', 'BeginLargeObject'): 'Open takes a permit',
    ('exec/engine/blob_read.cc', 'OpenLargeObject'): 'opens what SelectRunner::OpenBlob has read, within an admitted request',
    ('exec/engine/select_runner.cc', 'OpenView'): 'within an admitted request',
    ('exec/engine/select_runner.cc', 'HoldSnapshot'): 'within an admitted request',
    ('exec/select/point_read.cc', 'ReadRow'): 'Run, Show and ReadCell take a permit',
    ('exec/engine/schema_changes.cc', 'CommitSchema'): 'within an admitted request, or for the balancer and the builder',
    ('exec/engine/schema_changes.cc', 'HoldSnapshot'): 'a snapshot shows nothing; each statement on it is admitted',
    ('exec/engine/role_changes.cc', 'CommitSchema'): 'within an admitted request, or for the first superuser',
    ('exec/virtual/estimates_table.cc', 'OpenView'): 'makes rows of a virtual table, for an admitted request',
    ('exec/advise/sample.cc', 'OpenView'): 'samples for ADVISE, which is admitted',
    ('exec/balance/partition_middle.cc', 'OpenView'): "the balancer's thread, or an admitted ALTER TABLE",
    ('exec/derived/logged_load.cc', 'Apply'): 'a part of an admitted bulk insert',
    ('exec/derived/derived_builder.cc', 'Apply'): "the builder's thread: entries of existing rows",
    ('exec/derived/derived_builder.cc', 'WriteNotes'): "the builder's thread",
    ('exec/derived/stale_entries.cc', 'OpenView'): "the builder's thread",
    ('exec/derived/stale_entries.cc', 'Apply'): "the builder's thread: entries of rows that are gone",
    ('exec/heat/heat_map.cc', 'WriteNotes'): "the server's own counts",
    ('exec/engine/engine.cc', 'BeginBackup'): 'after the permit to read system_views.backups',
    ('server/backup_command.cc', 'BeginBackup'): 'of a data directory that the process has opened itself',
}
# Class -> (its header, its public functions that need no permit, each with the reason).
ENGINE = ('exec/engine/engine.h', {
    'Prepare': 'runs nothing',
    'planner': 'runs nothing',
    'OpenSnapshot': 'shows nothing; each statement on it is admitted',
    'FindSnapshot': 'shows nothing; each statement on it is admitted',
    'snapshots': 'closes snapshots of its caller',
    'backups': 'closes backups that FindBackup has returned',
    'logins': 'asks for passwords itself',
    'EnsureSuperuser': 'called at start, before anybody can log in',
    'AddSchemaListener': 'tells of changes, not of rows',
    'connections': "the server's own connections",
    'schema': 'names and types, which every role may read',
    'storage': 'const: measurements alone',
    'clock': 'the time',
    'TakesWrites': 'the state of the disk',
    'Flush': 'writes what is acknowledged',
    'request_counts': 'numbers of requests, for metrics',
    'statement_times': 'times of statements, for metrics',
    'statement_log': 'receives statements that have run',
})
PARTS = {
    'SelectRunner': ('exec/engine/select_runner.h', {}),
    'WriteRunner': ('exec/engine/write_runner.h', {'Batch': 'admits each entry'}),
    'Analyzer': ('exec/engine/analyze.h', {}),
    'BulkInsert': ('exec/engine/bulk_insert.h', {
        name: 'of an object that Open made with a permit' for name in ('NextTimestamp', 'Add', 'full', 'Store', 'markers')}),
    'SchemaChanges': ('exec/engine/schema_changes.h', {
        'EnsureSuperuser': 'called at start', 'OpenSnapshot': 'shows nothing', 'AddListener': 'tells of changes',
        'ContinueBuilds': "wakes the builder's thread", 'StaleRowsLeft': "wakes the builder's thread",
        'builder': 'const'}),
    'BlobWrite': ('exec/engine/blob_write.h', {
        name: 'of an object that Open made with a permit' for name in ('Append', 'Finish', 'bytes')}),
    'OptimisticTransaction': ('exec/engine/optimistic_transaction.h', {
        'Execute': 'admits each statement', 'Commit': 'runs statements that were admitted'}),
}
# Makes a user of an existing one, with further permissions.
ADDED = re.compile(r'\bAddedPermissions\b')
# File -> why the added permissions let no client do what its role may not do.
MORE = {
    'exec/access/rights.h': 'declares it',
    'exec/access/rights.cc': 'adds them',
    'exec/access/user.h': 'keeps them',
    'net/hbase/store/caller.cc': "the server's own tables, which HBase's clients cannot name, and reads that no client sees",
}
VERBS = 'tests/unit/exec/permit_test.cc'
DECLARATION = re.compile(r'(?<![\w:.>])([A-Za-z_]\w*)\(((?:[^()]|\([^()]*\))*)\)\s*(?:const)?\s*(?:WR_\w+\([^)]*\)\s*)?(?:;|\{)')


def public_functions(header, name):
    """Yields (name, parameters) for each public function of the class."""
    text = re.sub(r'//[^\n]*', '', (ROOT / header).read_text())
    body = re.search(rf'^class {name} (?:final )?{{(.*?)^}};', text, re.MULTILINE | re.DOTALL).group(1)
    public = body.split(' public:', 1)[1].split(' private:', 1)[0]
    found = [(function, parameters) for function, parameters in DECLARATION.findall(public)
             if function != name and not function.endswith('_')]
    if not found:
        raise RuntimeError(f'{header}: no public functions of {name} found')
    return found


def check():
    wrong = []
    calls, more = set(), set()
    for path in tracked():
        if path.startswith(FOLDERS) and path.endswith(('.cc', '.h')):
            text = (ROOT / path).read_text()
            calls |= {(path, verb) for verb in STORAGE_CALL.findall(text)}
            if ADDED.search(text):
                more.add(path)
    wrong += [f'{path}: adds permissions to a role: give the reason here' for path in more - MORE.keys()]
    wrong += [f'{path}: does not add permissions any more: remove it here' for path in MORE.keys() - more]
    wrong += [f'{path}: calls the storage\'s {verb}: give the function a permit, and the reason here' for path, verb in calls - CALLS.keys()]
    wrong += [f'{path}: does not call {verb} any more: remove it here' for path, verb in CALLS.keys() - calls]

    header, free = ENGINE
    verbs = set(re.findall(r'^    \{"(\w+)"', (ROOT / VERBS).read_text(), re.MULTILINE))
    functions = {function for function, _ in public_functions(header, 'Engine')}
    wrong += [f'{header}: {one} is not in the table of {VERBS}' for one in functions - verbs - free.keys()]
    wrong += [f'{header}: has no function {one}' for one in (verbs | free.keys()) - functions]

    for name, (header, free) in PARTS.items():
        functions = public_functions(header, name)
        for function, parameters in functions:
            if not re.search(r'\b(AdmittedRequest|Permit)&', parameters) and function not in free:
                wrong.append(f'{header}: {name}::{function} takes no permit')
        wrong += [f'{header}: {name} has no function {one}' for one in free.keys() - {function for function, _ in functions}]
    return wrong


def main():
    wrong = check()
    print('\n'.join(wrong) if wrong else 'every path of execution takes a permit')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
