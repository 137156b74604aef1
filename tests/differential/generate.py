"""Random schemas and statements from a seed. A seed gives the same ones as long as VERSION is the same."""
import random as random_module
from collections import namedtuple

from assignments import Assignments
from batches import Batches
from changes import Changes
from conditions import Conditions
from ddl import Schema
from expressions import Expressions
from markers import Markers
from mistakes import Mistakes, is_write
from reads import Reads
from schema import Table
from terms import Terms
from where import Where
from writes import Writes

VERSION = 12
SHAPES = ('plain', 'plain', 'plain', 'conditional', 'conditional', 'counter', 'indexed', 'sai', 'sasi', 'viewed', 'schema', 'schema')

# The fields of a statement:
# - `seconds`: its "now in seconds", counted from the table's beginning. Time passes only by this number; nothing sleeps.
# - `values`: bytes, None or UNSET, one for each bind marker.
# - `how`: 'query', 'prepared' (each text is prepared only once) or 'batch'; a batch has the `text` (kind, [(text, values, prepared)]).
# - `page`: the number of rows in a page, or None.
# - `then`: a text that continues after the first page, or None.
Statement = namedtuple('Statement', ('text', 'seconds', 'values', 'how', 'page', 'then'), defaults=((), 'query', None, None))


class Generator:
    """Makes one table: first its `schema` statements, then as many results of `statement()` as are wanted.

    `keyspace` stands for the name of the keyspace, which is chosen when the statements run."""

    def __init__(self, seed, keyspace, shapes=SHAPES):
        self.random = r = random_module.Random(f'{VERSION}/{seed}')
        shape = r.choice(shapes)
        self.table = table = Table(r, keyspace, shape)
        # Without timestamps in the statements, the server's clock decides. Timestamps must not go back if statements are conditional,
        # or if the table has a view or an index on a key column, because Cassandra's view rows and index entries follow a row only to
        # later times. With an index on a map's keys, timestamps must not be equal either.
        table.clocked = (shape in ('conditional', 'viewed', 'counter') or r.random() < 0.3
                         or shape == 'indexed' and (table.has_indexed_key() or table.has_indexed_map_keys()))
        self.markers = Markers(r)
        terms = Terms(r, table, self.markers)
        where = Where(r, table, terms)
        self.assignments, self.conditions = Assignments(r, table, terms), Conditions(r, table, terms)
        self.writes = Writes(r, table, terms, where, self.assignments, self.conditions)
        self.batches = Batches(r, table, self.writes)
        self.reads = Reads(r, table, terms, where, Expressions(r, table, terms))
        self.mistakes = Mistakes(r, table, terms, where, self.writes)
        self.changes = Changes(r, table)
        self.ddl = Schema(r, table)
        self.seconds, self.made_schema = 0, None
        self.prepared = []  # (text, values) of statements that may be executed again.

    def keyspaces(self):
        """Returns the names of the keyspaces that may exist after the statements."""
        return [self.table.keyspace] + ([self.ddl.other] if self.table.shape == 'schema' else [])

    def schema(self):
        """The same statements at every call: making them draws random numbers."""
        if self.made_schema is None:
            self.made_schema = [Statement(text, 0) for text in self.table.statements()]
        return self.made_schema

    def statement(self):
        r, kind = self.random, self.random.random()
        self.seconds += r.choice((0, 0, 0, 1, 2, 30))
        self.markers.begin()
        self.assignments.reads = self.conditions.elsewhere = False
        if self.table.shape == 'schema' and kind < 0.75:
            return Statement(self.ddl.statement(), self.seconds)
        if self.changes.readd and r.random() < 0.6:
            return Statement(self.changes.add_again(), self.seconds)
        if kind < 0.08:
            return self._batch()
        if kind < 0.13:
            return self._paged()
        if kind < 0.15 and self.prepared:
            return self._again()
        if kind < 0.48:
            text = self._checked(self.writes.statement())
        elif kind < 0.87:
            text = self.reads.statement()
        elif kind < 0.92:
            text = self.mistakes.listed()
        elif kind < 0.988 or not self.table.changes:
            text = self._mistaken()
        else:
            return Statement(self.changes.statement(), self.seconds)
        return self._made(self._worded(text))

    def _made(self, text):
        text, bound = self.markers.finish(text)
        if self.random.random() < (0.5 if bound else 0.06):
            if not is_write(text) or self.table.shape != 'counter':
                self.prepared = self.prepared[-9:] + [(text, bound)]
            return Statement(text, self.seconds, bound, 'prepared')
        return Statement(text, self.seconds, bound)

    def _checked(self, text):
        """Leaves out statements that read a column if Cassandra does not read the row for them."""
        if self.assignments.reads and self.conditions.elsewhere:
            return f'SELECT * FROM {self.table.name}'
        return text

    def _mistaken(self):
        made = self.reads.statement() if self.random.random() < 0.6 or self.table.shape == 'counter' else self._checked(self.writes.statement())
        return self.mistakes.changed(made)

    # Adds comments, blanks and capitals, which do not change the meaning.
    def _worded(self, text):
        r = self.random
        if r.random() < 0.97:
            return text
        word = r.choice((' FROM ', ' WHERE ', ' SET ', ' VALUES ', ' AND '))
        return r.choice((text.replace(word, word.lower(), 1), text.replace(word, f' /* {word} */{word}', 1), text.replace(word, f'\n--{word}\n{word}', 1),
                         text.replace(word, f' // x\n{word}', 1), text + ';', '  ' + text + ' ; '))

    def _batch(self):
        r = self.random
        if r.random() < 0.5:
            return self._made(self._checked(self.batches.text()))
        kind, parts = self.batches.message()
        if self.assignments.reads and self.conditions.elsewhere:
            return Statement(f'SELECT * FROM {self.table.name}', self.seconds)
        made = [(*self.markers.finish(part), r.random() < 0.5) for part in parts]
        return Statement((kind, made), self.seconds, how='batch')

    def _paged(self):
        first, then = self.reads.pages()
        if then:
            self.markers.begin()  # Only texts without markers continue another.
        if then and ':m' in first + then:
            then = None
            first = f'SELECT * FROM {self.table.name}'
        text, bound = self.markers.finish(first)
        return Statement(text, self.seconds, bound, self.random.choice(('query', 'prepared')) if not then else 'query', self.random.randint(1, 4), then)

    def _again(self):
        """Returns a prepared statement once more, perhaps after a change of the table."""
        text, bound = self.random.choice(self.prepared)
        return Statement(text, self.seconds, bound, 'prepared')
