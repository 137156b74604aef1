"""Random schemas and statements from a seed. A seed gives the same ones as long as VERSION is the same."""
import random as random_module
import re
from collections import namedtuple

import values
from expressions import Expressions
from reads import Reads
from schema import Column, Table
from writes import Writes

VERSION = 7
SHAPES = ('plain', 'plain', 'plain', 'conditional', 'counter', 'indexed', 'sai', 'viewed')

# `seconds`: the statement's "now in seconds" after the table's beginning. Time passes by this number alone; nothing sleeps.
# `values`: bytes, one for each bind marker.
Statement = namedtuple('Statement', ('text', 'seconds', 'values'), defaults=((),))

# Types that a dropped column may have when it is added again, besides its own. Cassandra refuses user-defined types.
_READ_AS = {'ascii': 'text', 'text': 'blob', 'timestamp': 'bigint', 'bigint': 'timestamp', 'timeuuid': 'uuid', 'varint': 'blob',
            'list<text>': 'list<blob>', 'set<text>': 'set<blob>'}

# Lists that are read before they are written, in a statement with conditions: Cassandra reads only the rows with conditions, and
# the partition's first row if the conditions are on static columns.
_READS_LIST = re.compile(r"(SET|,|DELETE) v\d+(\[\d+\]| = v\d+ - \[)")
_ELSEWHERE = re.compile(r"^BEGIN .* IF | IF (.* AND )?s\b")


class Generator:
    """One table: first the `schema` statements, then any number of `statement()`s. `keyspace` is a placeholder for the name."""

    def __init__(self, seed, keyspace, shapes=SHAPES):
        self.random = random_module.Random(f'{VERSION}/{seed}')
        shape = self.random.choice(shapes)
        self.table = Table(self.random, keyspace, shape)
        # Without timestamps the server's own decide. Timestamps must not go back where statements are conditional, or where the
        # table has a view or an index on a key column: Cassandra's entries follow a row only forwards. Under an index on a map's
        # keys they must not be equal either.
        self.table.clocked = (shape in ('conditional', 'viewed', 'counter') or self.random.random() < 0.3
                              or shape == 'indexed' and (self.table.has_indexed_key() or self.table.has_indexed_map_keys()))
        self.writes = Writes(self.random, self.table)
        self.reads = Reads(self.random, self.table, self.writes, Expressions(self.random, self.table))
        self.seconds = 0
        self.dropped_at = {}  # By column, the greatest time it was dropped at: an earlier one brings back what Cassandra has not compacted.
        self.readd = None     # A column that was dropped and is to be back soon: without it Cassandra fails where its memtable has values of it.

    def schema(self):
        return [Statement(text, 0) for text in self.table.statements()]

    def statement(self):
        self.seconds += self.random.choice((0, 0, 0, 1, 2, 30))
        kind = self.random.random()
        self.writes.bound = []
        if self.readd and self.random.random() < 0.6:
            text = self._add_again()
        elif kind < 0.50:
            text = self.writes.statement()
            if _READS_LIST.search(text) and _ELSEWHERE.search(text):
                text = f'SELECT * FROM {self.table.name}'
                self.writes.bound = []
        elif kind < 0.94:
            text = self.reads.statement()
        elif kind < 0.992 or not self.table.changes:
            text = self.reads.mistaken()
        else:
            text = self._change()
        return Statement(text, self.seconds, tuple(self.writes.bound))

    def _change(self):
        """Returns a change of the table. Changes are rare because they are slow."""
        r, table = self.random, self.table
        kind = r.random()
        if kind < 0.2:
            return f'TRUNCATE {table.name}'
        if kind < 0.6 or len(table.regular) < 2 or table.shape in ('counter', 'indexed', 'sai', 'viewed'):
            name = f'v{len(table.regular) + len(table.dropped) + bool(self.readd)}'
            column = Column(name, 'counter' if table.shape == 'counter' else values.any_type(r, table.udt), 'regular')
            table.regular.append(column)
            return f'ALTER TABLE {table.name} ADD {name} {column.type.replace(table.udt, table.keyspace + "." + table.udt)}'
        column = table.regular.pop(r.randrange(len(table.regular)))
        if table.udt not in column.type and not self.readd and r.random() < 0.8:
            self.readd = column
        else:
            table.dropped.append(column)
        if table.clocked:
            return f'ALTER TABLE {table.name} DROP {column.name}'
        at = self.dropped_at[column.name] = max(r.randint(1, 12), self.dropped_at.get(column.name, 0))
        return f'ALTER TABLE {table.name} DROP {column.name} USING TIMESTAMP {at}'

    def _add_again(self):
        column, self.readd = self.readd, None
        if column.type in _READ_AS and self.random.random() < 0.3:
            column.type = _READ_AS[column.type]
        self.table.regular.append(column)
        return f'ALTER TABLE {self.table.name} ADD {column.name} {column.type}'
