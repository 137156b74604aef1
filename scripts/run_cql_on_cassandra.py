#!/usr/bin/env python3
"""Runs test scripts through the Python driver against a real Cassandra, to check their expected answers.

    run_cql_on_cassandra.py [--rewrite] [--messages] [--all] [--auth] HOST:PORT FILE.cql…

Runs only files whose header says `# runs-on: … cassandra`. It skips `ast` and `plan` blocks. `reopen` and `clock` blocks do
nothing; files that need them are not marked. Rows must be equal, and errors must have the same code.

--messages  also compares the first line of error messages
--rewrite   stores Cassandra's rows and the first lines of its errors in the files, where they differ
--all       for a server that is not Cassandra: also runs files that are not marked, unless they need a clock, an option of
            the server or a language profile
--auth      logs in as cassandra, and runs only the files marked `# auth: on`

Needs the package cassandra-driver (python -m venv, then pip install cassandra-driver)."""
import re
import sys

from cassandra import protocol
from cassandra.auth import PlainTextAuthProvider
from cassandra.cluster import Cluster, ExecutionProfile, EXEC_PROFILE_DEFAULT
from cassandra.query import SimpleStatement

from cql_values import format_value

ERROR_NAMES = {0x0000: 'ServerError', 0x000A: 'ProtocolError', 0x1000: 'Unavailable', 0x1300: 'ReadFailure', 0x1400: 'FunctionFailure',
               0x1500: 'WriteFailure', 0x2000: 'SyntaxError', 0x2100: 'Unauthorized', 0x2200: 'Invalid',
               0x2300: 'ConfigError', 0x2400: 'AlreadyExists', 0x2500: 'Unprepared', 0x1003: 'TruncateError'}


# --- The script format (tests/cql_runner/script.h) -------------------------------------------------------------------

class Block:
    def __init__(self, words, line):
        self.kind, self.options, self.line = words[0], words[1:], line
        self.statements, self.answer, self.span = '', '', (0, 0)  # span: the numbers of the answer's lines; the first line of the file is 0

    @property
    def page_rows(self):
        return next((int(o[5:]) for o in self.options if o.startswith('page=')), None)


def read_script(text):
    lines, blocks, i = text.split('\n'), [], 0
    if lines and lines[-1] == '':
        lines.pop()
    while i < len(lines):
        if not lines[i] or lines[i].startswith('#'):
            i += 1
            continue
        block = Block(lines[i].split(), i + 1)
        i += 1
        if block.kind not in ('reopen', 'clock', 'login'):
            start = i
            while lines[i] != '----':
                i += 1
            block.statements = '\n'.join(lines[start:i])
            i += 1
            begin = i
            if i < len(lines) and lines[i] == '----':
                i += 1
                while lines[i:i + 2] != ['----', '----']:
                    i += 1
                block.answer = '\n'.join(lines[begin + 1:i])
                i += 2
            else:
                while i < len(lines) and lines[i]:
                    i += 1
                block.answer = '\n'.join(lines[begin:i])
            block.span = (begin, i)
        blocks.append(block)
    return lines, blocks


def split_statements(text):
    """Splits at semicolons outside strings, comments, $$…$$ and BEGIN … APPLY BATCH."""
    token = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\$\$.*?\$\$|--[^\n]*|//[^\n]*|/\*.*?\*/|;|\bAPPLY\s+BATCH\b|"
                       r"\bBEGIN\b", re.S | re.I)
    out, start, batch = [], 0, False
    for match in token.finditer(text):
        word = match.group().upper()
        if word == 'BEGIN':
            batch = True
        elif word.startswith('APPLY'):
            batch = False
        elif word == ';' and not batch:
            out.append(text[start:match.start()].strip())
            start = match.end()
    out.append(text[start:].strip())
    return [statement for statement in out if statement]


# --- Talking to Cassandra ----------------------------------------------------------------------------------------------

class RawResult(protocol.ResultMessage):
    """Makes the driver return values as bytes, without decoding them."""

    def recv_results_rows(self, f, protocol_version, user_type_map, result_metadata, column_encryption_policy):
        self.recv_results_metadata(f, user_type_map)
        columns = self.column_metadata or result_metadata
        count = protocol.read_int(f)
        self.column_names = [column[2] for column in columns]
        self.column_types = [column[3] for column in columns]
        self.parsed_rows = [self.recv_row(f, len(columns)) for _ in range(count)]


class RawHandler(protocol._ProtocolHandler):
    message_types_by_opcode = dict(protocol._ProtocolHandler.message_types_by_opcode)
    message_types_by_opcode[RawResult.opcode] = RawResult


protocol.AlreadyExistsException.to_exception = lambda self: self  # The driver's own exception drops the message.


class Peer:
    def __init__(self, address, role=None, password=None):
        host, port = address.rsplit(':', 1)
        self.address, login = address, PlainTextAuthProvider(role, password) if role else None
        profile = ExecutionProfile(row_factory=lambda names, rows: rows, request_timeout=60)
        self.cluster = Cluster([host], port=int(port), protocol_version=5, auth_provider=login, schema_metadata_enabled=False,
                               token_metadata_enabled=False, execution_profiles={EXEC_PROFILE_DEFAULT: profile})
        self.session = self.cluster.connect()
        self.session.client_protocol_handler = RawHandler

    def run(self, statement, page_rows=None, options=()):
        """Returns (header, rows), or an error in the form of test scripts."""
        try:
            state = self.kept_state if 'after' in options else None
            future = self.session.execute_async(SimpleStatement(statement, fetch_size=page_rows), paging_state=state)
            result = future.result()
            names, types = future._col_names, future._col_types
            rows = []
            if names:
                while True:
                    rows += [' | '.join(format_value(k, v) for k, v in zip(types, row)) for row in result.current_rows]
                    if 'pages' in options and result.has_more_pages:
                        rows.append('more')
                    if 'first' in options:
                        self.kept_state = result.paging_state
                    if 'first' in options or not result.has_more_pages:
                        break
                    result.fetch_next_page()
            return ' | '.join(names or []), rows
        except Exception as error:  # The driver raises a dozen unrelated classes.
            return error_text(error), None


def error_text(error):
    match = re.search(r'code=([0-9a-f]{4}) \[.*?\] message="(.*)"', str(error), re.S)
    if match:
        code, message = int(match.group(1), 16), match.group(2)
    elif isinstance(error, protocol.ErrorMessage):
        code, message = error.code, error.message
    else:
        raise error
    return '%s %s' % (ERROR_NAMES.get(code, hex(code)), message)


def answer(peer, block):
    if block.kind == 'exec':
        for statement in split_statements(block.statements):
            header, rows = peer.run(statement)
            if rows is None:
                return header
        return 'ok'
    header, rows = peer.run(block.statements, block.page_rows, block.options)
    if block.kind == 'error':
        return header.split('\n')[0] if rows is None else 'no error'
    if rows is None:
        return header
    if not header and not rows:
        return 'no rows'
    return '\n'.join([header] + (sorted(rows) if 'unordered' in block.options else rows))


def without_warnings(text):
    return '\n'.join(line for line in text.split('\n') if not line.startswith('warning: '))


def agrees(block, actual, compare_messages):
    expected = without_warnings(block.answer)
    if block.statements.upper().startswith('EXPLAIN ANALYZE'):  # Its answer has times, which differ from run to run.
        actual = re.sub(r'^  time .*', lambda line: re.sub(r'\d+(\.\d+)?', '#', line.group()), actual, flags=re.M)
    if block.kind == 'error':
        if compare_messages:
            return expected.split('\n')[0] == actual
        return expected.split(' ')[0] == actual.split(' ')[0]
    if 'unordered' in block.options:
        lines = expected.split('\n')
        expected = '\n'.join(lines[:1] + sorted(lines[1:]))
    return expected == actual


def may_run(text, everything, auth):
    if auth != bool(re.search(r'^# auth: on', text, re.M)):
        return False
    if everything:
        return not re.search(r'^(clock \d|# profile:|# capacity:|# guardrails:|# needs: )', text, re.M)
    return re.search(r'^# runs-on:.*\bcassandra\b', text, re.M)


def clean_up(peer, keyspaces, roles):
    for keyspace in keyspaces:
        peer.run('DROP KEYSPACE IF EXISTS %s' % keyspace)
    for role in roles:
        peer.run('DROP ROLE IF EXISTS %s' % role)


def run_file(peer, path, rewrite, compare_messages, everything, auth):
    with open(path, encoding='utf-8') as file:
        text = file.read()
    if not may_run(text, everything, auth):
        print('%s: not run here' % path)
        return 0, 0
    lines, blocks = read_script(text)
    keyspaces = {'ks'} | set(re.findall(r'CREATE KEYSPACE (?:IF NOT EXISTS )?(\w+)', text))
    roles = set(re.findall(r"CREATE (?:ROLE|USER) (?:IF NOT EXISTS )?(\w+|'[^']+'|\"[^\"]+\")", text)) if auth else set()
    clean_up(peer, keyspaces, roles)
    peer.run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
    peer.run('USE ks')
    ran, different, replaced, superuser, others = 0, 0, [], peer, {'cassandra': peer}
    for block in blocks:
        if block.kind == 'login':
            role, password = block.options
            if role not in others:
                others[role] = Peer(peer.address, role, password)
                others[role].run('USE ks')
            peer = others[role]
        if block.kind not in ('exec', 'query', 'error'):
            continue
        actual = answer(peer, block)
        ran += 1
        if agrees(block, actual, compare_messages):
            continue
        different += 1
        if rewrite:
            replaced.append((block.span, actual))
            continue
        print('%s:%d: the server answers otherwise\n%s' % (path, block.line, block.statements))
        for sign, side in (('-', block.answer), ('+', actual)):
            print('\n'.join('  %s %s' % (sign, line) for line in side.split('\n')))
    for (begin, end), actual in reversed(replaced):
        fenced = '\n\n' in actual or actual.endswith('\n')
        lines[begin:end] = ['----', *actual.split('\n'), '----', '----'] if fenced else actual.split('\n')
    if replaced:
        with open(path, 'w', encoding='utf-8') as file:
            file.write('\n'.join(lines) + '\n')
    clean_up(superuser, keyspaces, roles)
    for role, other in others.items():
        if other is not superuser:
            other.cluster.shutdown()
    return ran, different


def main():
    options = {argument for argument in sys.argv[1:] if argument.startswith('--')}
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith('--')]
    if len(arguments) < 2 or options - {'--rewrite', '--messages', '--all', '--auth'}:
        sys.exit(__doc__)
    auth = '--auth' in options
    peer, ran, different = Peer(arguments[0], *(['cassandra', 'cassandra'] if auth else [])), 0, 0
    for path in arguments[1:]:
        counts = run_file(peer, path, '--rewrite' in options, '--messages' in options, '--all' in options, auth)
        ran, different = ran + counts[0], different + counts[1]
    print('%d blocks, %d %s' % (ran, different, 'rewritten' if '--rewrite' in options else 'different'))
    peer.cluster.shutdown()
    sys.exit(1 if different and '--rewrite' not in options else 0)


if __name__ == '__main__':
    main()
