"""A server under test: runs statements over the native protocol and gives answers that can be compared byte by byte."""
import math
import struct
import time

import protocol
from protocol import Connection, Metadata, parameters

_CODES = {0x0000: 'ServerError', 0x000A: 'ProtocolError', 0x0100: 'BadCredentials', 0x1000: 'Unavailable', 0x1001: 'Overloaded',
          0x1002: 'Bootstrapping', 0x1003: 'TruncateError', 0x1100: 'WriteTimeout', 0x1200: 'ReadTimeout', 0x1300: 'ReadFailure',
          0x1400: 'FunctionFailure', 0x1500: 'WriteFailure', 0x2000: 'SyntaxError', 0x2100: 'Unauthorized', 0x2200: 'Invalid',
          0x2300: 'ConfigError', 0x2400: 'AlreadyExists', 0x2500: 'Unprepared'}
_VOID, _ROWS, _SET_KEYSPACE, _PREPARED, _SCHEMA_CHANGE = range(1, 6)
_REALS = {'float': '>f', 'double': '>d'}
_PAGES_MAX = 60


class Target:
    """A connection to a server. start(…) sends a statement and finish() waits for its answer, so two servers can work at the same time."""

    def __init__(self, name, host, port):
        self.name, self.address = name, (host, port)
        self.connection = Connection(host, port)
        self.prepared = {}  # Text -> (id, id of the metadata, columns of its rows).

    def reconnect(self):
        """Opens a new connection. Answers that were not read stay on the old one."""
        self.close()
        self.connection = Connection(*self.address)
        self.prepared = {}

    def forget(self):
        """Forgets all prepared statements. They are prepared again when they are used."""
        self.prepared = {}

    def run(self, statement, begun):
        self.start(statement, begun)
        return self.finish()

    def start(self, statement, begun):
        self.again = lambda: self._steps(statement, begun + statement.seconds)
        self.steps = self.again()
        self.connection.send(*next(self.steps))

    def finish(self):
        """Returns the answer. Waits while an index is not available: Cassandra builds storage-attached indexes in the background."""
        until = time.monotonic() + 5
        answer = self._finish()
        while answer[0] == 'error' and 'INDEX_NOT_AVAILABLE' in answer[2] and time.monotonic() < until:
            time.sleep(0.2)
            self.steps = self.again()
            self.connection.send(*next(self.steps))
            answer = self._finish()
        return answer

    def _finish(self):
        try:
            while True:
                self.connection.send(*self.steps.send(self.connection.receive()))
        except StopIteration as done:
            return done.value

    # A generator that yields requests, receives the responses, and returns the answer.
    def _steps(self, statement, now):
        if statement.how == 'batch':
            return self._batch(statement, now)
        if statement.page:
            return self._pages(statement, now)
        return self._single(statement, now)

    def _single(self, statement, now):
        answer, _ = yield from self._run(statement.text, statement.how, statement.values, now)
        return answer

    # Returns (answer, paging state).
    def _run(self, text, how, values, now, page=None, state=None):
        given = parameters(values, now, page, state)
        if how == 'query':
            return _answer((yield protocol.query(text, given)))
        for attempt in range(3):
            refused = yield from self._prepare(text)
            if refused:
                return refused, None
            prepared_id, metadata_id, columns = self.prepared[text][:3]
            answer, after = _answer((yield protocol.execute(prepared_id, metadata_id, given)), columns)
            if answer[:2] != ('error', 'Unprepared') or attempt == 2:
                break
            del self.prepared[text]
        return (*answer, self.prepared[text][3] if text in self.prepared else None), after

    # Prepares a text that is not prepared yet. Returns the error, or None.
    def _prepare(self, text):
        if text in self.prepared:
            return None
        opcode, warnings, body = yield protocol.prepare(text)
        if opcode == protocol.ERROR:
            return _error(body, 'prepare')
        body.int()
        prepared_id, metadata_id = body.short_bytes(), body.short_bytes()
        markers = Metadata(body, of_markers=True)
        columns = Metadata(body).columns
        self.prepared[text] = prepared_id, metadata_id, columns, ('prepared', markers.key, markers.columns, columns,
                                                                 [text for text in warnings if not text.startswith('`USE')])
        return None

    def _pages(self, statement, now):
        pages, state, text, how = [], None, statement.text, statement.how
        while len(pages) < _PAGES_MAX:
            answer, state = yield from self._run(text, how, statement.values if text == statement.text else (), now, statement.page, state)
            pages.append(answer)
            text = statement.then or text
            if state is None:
                break
        return ('pages', pages)

    def _batch(self, statement, now):
        kind, parts = statement.text
        sent = []
        for text, values, prepared in parts:
            if prepared:
                refused = yield from self._prepare(text)
                if refused:
                    return refused
            sent.append((text, values, prepared))
        while True:
            body = [(self.prepared[text][0] if prepared else text, values) for text, values, prepared in sent]
            answer, _ = _answer((yield protocol.batch(kind, body, now)))
            if answer[:2] != ('error', 'Unprepared'):
                return answer
            again = {text for text, _, prepared in sent if prepared}
            for text in again:
                self.prepared.pop(text, None)
            for text in sorted(again):
                refused = yield from self._prepare(text)
                if refused:
                    return refused

    def close(self):
        self.connection.close()


def _answer(response, known_columns=None):
    """Returns the answer and the paging state. An answer is ('rows', columns, rows, warnings), ('done', kind, warnings) or
    ('error', class, text)."""
    opcode, warnings, body = response
    if opcode == protocol.ERROR:
        return _error(body, ''), None
    kind = body.int()
    if kind == _ROWS:
        metadata = Metadata(body)
        columns = metadata.columns if metadata.columns is not None else known_columns
        types = [t for _, _, t in columns]
        rows = [[_one_nan(body.bytes(), t) for t in types] for _ in range(body.int())]
        return ('rows', columns, rows, warnings), metadata.state
    if kind == _SCHEMA_CHANGE:
        change, what = body.string(), body.string()
        return ('done', (change, what, [body.string() for _ in range(1 if what == 'KEYSPACE' else 2)]), ()), None
    return ('done', body.string() if kind == _SET_KEYSPACE else kind, warnings), None


def _error(body, where):
    code = body.int()
    return ('error', _CODES.get(code, hex(code)), body.string(), where)


def _one_nan(value, name):
    """Returns the bytes of a value, and the same bytes for every NaN. Which NaN a function of Cassandra returns depends on how it was
    compiled."""
    if value is not None and name in _REALS and len(value) == struct.calcsize(_REALS[name]) and math.isnan(struct.unpack(_REALS[name], value)[0]):
        return b'NaN'
    return value
