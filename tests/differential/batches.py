"""Random batches: as text, and as the protocol's message."""

LOGGED, UNLOGGED, COUNTER = range(3)
_WORDS = {LOGGED: '', UNLOGGED: 'UNLOGGED ', COUNTER: 'COUNTER '}


class Batches:
    def __init__(self, random, table, writes):
        self.random, self.table, self.writes = random, table, writes

    def text(self):
        kind, using, parts = self._make(True)
        r = self.random
        separator = '; ' if r.random() < 0.8 else ' '
        return f'BEGIN {_WORDS[kind]}BATCH{using} {separator.join(parts)}{separator}APPLY BATCH'

    def message(self):
        """Returns (kind, statements) for a BATCH message."""
        kind, _, parts = self._make(False)
        return kind, parts

    def _make(self, as_text):
        r, shape, writes = self.random, self.table.shape, self.writes
        if shape == 'counter':
            kind = COUNTER if r.random() < 0.9 else LOGGED
            return kind, '', [writes.count() for _ in range(r.randint(1, 3))]
        kind = r.choice((LOGGED, UNLOGGED))
        if shape == 'conditional' and r.random() < 0.6:
            return kind, '', self._conditional()
        # Either the batch has a timestamp, or its statements have.
        outside = as_text and r.random() < 0.6
        using = writes.using('BATCH') if outside else ''
        made = [r.choice((writes.insert, writes.update, writes.delete))(using=('' if outside else None)) for _ in range(r.choice((1, 2, 2, 3, 4)))]
        return kind, using, made

    # A conditional batch has statements of one partition only, because Cassandra refuses others.
    def _conditional(self):
        r, table, writes = self.random, self.table, self.writes
        key = {c.name: table.key_value(c) for c in table.partition}
        made = []
        for _ in range(r.choice((1, 2, 2, 3))):
            whole = {**key, **writes.where.some_key(table.clustering)}
            where = ' AND '.join(writes.where.of_key(whole, table.key()))
            conditional = r.random() < 0.6 or not made
            if r.random() < 0.4:
                made.append(writes.conditional_insert(whole) if conditional else writes.insert(using='', key=whole))
            elif r.random() < 0.7:
                made.append(writes.conditional_update(where) if conditional else writes.update(using='', where=where))
            else:
                made.append(writes.conditional_delete(where) if conditional else writes.delete(using='', key=whole))
        writes.conditions.elsewhere = True
        r.shuffle(made)
        return made
