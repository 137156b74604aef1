"""Statements that will probably be refused. Some are from a list. The others are valid statements with one part changed."""
import re

import values
from grammar import Grammar, every

_CASTS = ('int', 'uuid', 'date', 'text', 'boolean')
_OPERATORS = ('=', '<', '<=', '>', '>=', '!=')
_OMITTED = ('whereClause', 'ifClause', 'orderByClause', 'groupByClause', 'limitClause', 'allowClause', 'perPartitionLimitClause')
_REPEATED = {'selector': ', ', 'assignment': ', ', 'deleteTarget': ', ', 'notCondition': ' AND ', 'ordering': ', '}
_CHANGED = ('columnName', 'compareOperator', 'literal', 'simpleTerm', 'relation', 'intValue', 'inValues', 'type', *_OMITTED, *_REPEATED)
_FUNCTIONS = ('abs', 'min', 'nope', 'to_date', 'collection_count', 'system.abs', 'ks.nope', 'int_as_blob', '"abs"', '"Abs"', 'map', 'frozen')
_grammar = None


class Mistakes:
    def __init__(self, random, table, terms, where, writes):
        self.random, self.table, self.terms, self.where, self.writes = random, table, terms, where, writes
        self.deletes = False  # True while a DELETE is changed.

    def listed(self):
        r, table = self.random, self.table
        column, other = r.choice(table.columns()), r.choice(table.columns())
        name, literal = column.name, table.findable(column, self.terms.literal(column.type))
        using = self.writes.using('')
        row, partition = self.where.whole_key(table.key()), self.where.whole_key(table.partition)
        # Not used for tables of counters: Writes makes their deletions, and remembers the deleted counters.
        deletion = f'DELETE {name} FROM {table.name}{using} WHERE {partition}'
        return r.choice((
            f'SELECT nope FROM {table.name}',
            f'SELECT * FROM {table.keyspace}.nope',
            f'SELECT * FROM {table.name} WHERE {name} = {literal}',
            f'SELECT * FROM {table.name} WHERE {name} = {values.wrong_literal(r)} ALLOW FILTERING',
            f'SELECT * FROM {table.name} WHERE {name} != {literal} ALLOW FILTERING',
            f'SELECT * FROM {table.name} WHERE {name} IS NOT NULL',
            f'SELECT * FROM {table.name} WHERE {name} LIKE {values.wrong_literal(r)} ALLOW FILTERING',
            f'SELECT * FROM {table.name} WHERE {name} CONTAINS {values.wrong_literal(r)} ALLOW FILTERING',
            f'SELECT * FROM {table.name} WHERE {name} CONTAINS KEY {values.wrong_literal(r)} ALLOW FILTERING',
            f'SELECT * FROM {table.name} WHERE {name}[{values.wrong_literal(r)}] = {values.wrong_literal(r)} ALLOW FILTERING',
            f'SELECT * FROM {table.name} WHERE ({name}, {other.name}) = ({literal}, {self.terms.literal(other.type)})',
            f'SELECT * FROM {table.name} WHERE ({name}, {other.name}) IN (({literal}, 1)) ALLOW FILTERING',
            f'SELECT * FROM {table.name} WHERE token({name}) > 1',
            f'SELECT * FROM {table.name} WHERE {partition} AND token({name}) > 1',
            f'SELECT * FROM {table.name} WHERE {name} = {literal} AND {name} = {literal} ALLOW FILTERING',
            f'SELECT * FROM {table.name} WHERE {name} > {literal} AND {name} >= {literal} ALLOW FILTERING',
            f'INSERT INTO {table.name} ({name}) VALUES ({literal}){using}',
            f'INSERT INTO {table.name} ({name}, {other.name}) VALUES ({literal}){using}',
            f"INSERT INTO {table.name} JSON '{{\"nope\": 1}}'{using}",
            f"INSERT INTO {table.name} JSON '[1]'{using}",
            f'UPDATE {table.name}{using} SET {name} = {values.wrong_literal(r)} WHERE {row}',
            f'UPDATE {table.name}{using} SET {name}[{values.wrong_literal(r)}] = {values.wrong_literal(r)} WHERE {row}',
            f'UPDATE {table.name}{using} SET {name}.a = 1 WHERE {self.writes.living_key()}',
            f'UPDATE {table.name}{using} SET {name} = {literal}, {name} = {literal} WHERE {row}',
            f'UPDATE {table.name}{using} SET {name} = {other.name} + 1 WHERE {self.writes.living_key()}',
            deletion if table.shape != 'counter' else f'DELETE FROM {table.name}',
            f'SELECT * FROM {table.name} WHERE {partition} ORDER BY {name}',
            f'SELECT * FROM {table.name} WHERE {partition} ORDER BY {name} ANN OF {values.wrong_literal(r)}',
            f'SELECT * FROM {table.name} LIMIT {r.choice(("0", "-1", "99999999999"))}',
            f'SELECT * FROM {table.name} PER PARTITION LIMIT {r.choice(("0", "-1"))}',
            f'SELECT {name} {name} FROM {table.name} WHERE',
            f'SELECT DISTINCT {name} FROM {table.name}',
            f'SELECT DISTINCT {name} FROM {table.name} WHERE {row}',
            f'INSERT INTO {table.name} ({name}, {name}) VALUES (1, 1){using}',
            f'SELECT {name}, count(*) FROM {table.name} GROUP BY {other.name}',
            f'UPDATE {table.name}{using} SET {name} = {name} + 1 WHERE {self.writes.living_key()}',
            f'SELECT {name} + {other.name} FROM {table.name}',
            f'SELECT CAST({name} AS {r.choice([t for t in _CASTS if t != column.type])}) FROM {table.name}',
            f'SELECT {r.choice(("collection_sum", "collection_avg", "map_keys", "collection_min", "floor"))}({name}) FROM {table.name}',
            f'SELECT {r.choice(("map", "values", "as", "key", "list"))}({name}) FROM {table.name}',
            f'SELECT {name}[0] FROM {table.name}', f'SELECT {name}[0..1] FROM {table.name}', f'SELECT {name}.a FROM {table.name}',
            f'SELECT {r.choice(_FUNCTIONS)}({name}, {literal}) FROM {table.name}',
            f'SELECT {r.choice(("writetime", "ttl", "maxwritetime", "count", "token", "to_json"))}({name}, {name}) FROM {table.name}',
            f'SELECT ttl({r.choice(table.key()).name}) FROM {table.name}',
            f"SELECT * FROM {table.name} WHERE expr(i0, 'x')",
            f'SELECT * FROM {table.name} WHERE "" = 1',
            f'TRUNCATE {table.keyspace}.nope',
            f'USE {table.keyspace}_nope', 'USE ?', f'SELECT * FROM {table.keyspace}.?', f'CREATE INDEX ? ON {table.name} ({name})', 'DROP INDEX ?',
            f'INSERT INTO {table.name} ({name}) VALUES ({literal}) USING TTL {r.choice(("-1", "630720001"))}' if table.shape != 'counter' else f'SELECT {name}.a FROM {table.name}',
            f'BEGIN BATCH APPLY BATCH', 'BEGIN UNLOGGED BATCH APPLY BATCH',
        ))

    def changed(self, statement):
        """Returns a statement with one part replaced, omitted, repeated or swapped. Its markers are still at their places."""
        global _grammar
        _grammar = _grammar or Grammar()
        self.deletes = statement.startswith(('DELETE', 'BEGIN'))
        match, tokens = _grammar.parse(statement)
        if match is None:
            return statement
        # After a minus, no part may be changed that would become a part of a number.
        parts = [part for part in _changeable(match) if part.end > part.begin and not statement[:tokens[part.begin][2]].endswith('-')]
        if not parts:
            return statement
        kind = self.random.choice(sorted({part.rule for part in parts}))
        part = self.random.choice([part for part in parts if part.rule == kind])
        begin = tokens[part.begin][2]
        end = tokens[part.end - 1][2] + len(tokens[part.end - 1][1])
        made = statement[:begin] + self._instead(part, statement[begin:end]) + statement[end:]
        return statement if repeats_a_key(made) else made

    def _instead(self, part, text):
        r, rule = self.random, part.rule
        name = r.choice([c.name for c in self.table.columns()] + ['nope'])
        if rule in _OMITTED:
            return ''
        if rule in _REPEATED and r.random() < 0.5:
            return text + _REPEATED[rule] + (text if r.random() < 0.6 or rule in ('notCondition', 'assignment') else name)
        if rule == 'compareOperator':
            return r.choice(_OPERATORS)
        if rule in ('columnName', 'selector', 'deleteTarget', 'ordering'):
            return name
        if rule in ('relation', 'notCondition'):
            column = r.choice(self.table.columns())
            return r.choice((self.where.filter(column), f'{column.name} IS NOT NULL', f'{column.name} IN ({values.wrong_literal(r)})',
                             *([self.where.of_element(column)] if values.is_collection(values.unfrozen(column.type)) else [])))
        if rule == 'intValue':
            return r.choice(('0', '-1', '2147483648', self.terms.markers.add(None), self.terms.markers.add(b'')))
        if rule == 'inValues':
            return r.choice(('()', '()') if self.deletes else ('()', self.terms.markers.add(None), f'({values.wrong_literal(r)})'))
        if rule == 'type':
            return r.choice((*values.SCALARS, 'nope', 'list<int>', 'frozen<nope>', 'counter', "'Int32Type'"))
        if rule == 'assignment':
            return f'{name} = {self._instead_of_term(values.wrong_literal(r))}'
        return self._instead_of_term(text)

    def _instead_of_term(self, text):
        r = self.random
        column = r.choice(self.table.columns())
        # Nulls are left out of deletions: Cassandra ignores null bounds of a slice, and so deletes more.
        null = 'nope' if self.deletes else r.choice(('null', self.terms.markers.add(None)))
        made = r.choice((values.wrong_literal(r), values.wrong_literal(r), null, column.name, self.terms.literal(column.type),
                         self.terms.literal(values.scalar(r)), f'({text})', f'({text}, {text})', f'[{text}]',
                         null, self.terms.markers.add(b'\0'), 'nope', 'nope(1)'))
        if made == 'null' and self.deletes:
            return 'nope'
        if made.startswith('0x') and len(made) > 4:  # Cassandra takes longer bytes for a tinyint, and then cannot read it.
            return '0xff'
        return "'a'" if made == "''" and self.table.shape in ('sasi', 'sai') else made


def _changeable(match, left=False, tuples=False):
    """Yields the parts that can be replaced. On the left of a relation these are only column names, and directly inside of
    `(a, b) IN (…)` only literals: the grammars of the two servers allow different things there."""
    for i, part in enumerate(match.inner):
        inside_left, of_tuples = left, tuples
        if match.rule == 'relation':
            inside_left, of_tuples = left or i == 0, i > 0 and _is_tuple(match.inner[0])
        if part.rule in (('columnName',) if inside_left else ('literal',) if of_tuples else _CHANGED):
            yield part
        if part.rule == 'functionCall' or any("'(' type ')'" in clause for clause in part.clauses):
            continue  # If one mistake is inside of another, each server may report another one of them.
        yield from _changeable(part, inside_left, of_tuples and not (part.rule == 'simpleTerm' and _in_parentheses(part)))


def _in_parentheses(part):
    return any("'(' term" in clause for clause in part.clauses)


def _is_tuple(term):
    return any(_in_parentheses(part) for part in every(term) if part.rule == 'simpleTerm') \
        or any(part.rule == 'functionCall' for part in every(term))


def repeats_a_key(text):
    """True if a literal of a map has a key twice. Cassandra then keeps any of the two values (values.py)."""
    keys, key_begin, depths = [], [], ''
    for token in re.finditer(r"'[^']*'|[][(){}]|[:,]|[^][(){}:,']+", text):
        part = token[0]
        if part in '([{':
            depths += part
            keys.append(set())
            key_begin.append(token.end())
        elif part in ')]}' and depths:
            depths = depths[:-1]
            keys.pop()
            key_begin.pop()
        elif part == ',' and depths:
            key_begin[-1] = token.end()
        elif part == ':' and depths.endswith('{'):
            key = text[key_begin[-1]:token.start()].strip()
            if key in keys[-1]:
                return True
            keys[-1].add(key)
    return False


def is_write(text):
    return re.match(r'\s*(INSERT|UPDATE|DELETE|BEGIN)', text) is not None
