"""Counts the contents of statements: clauses of the grammar by statement, operations by column type, and functions. The counts of
several processes can be added."""
from collections import Counter

import values
from clauses import EXCLUDED
from grammar import Grammar, every

_STATEMENTS = {'selectStatement': 'SELECT', 'insertStatement': 'INSERT', 'updateStatement': 'UPDATE', 'deleteStatement': 'DELETE',
               'batchStatement': 'BATCH'}
COLUMNS = ('SELECT', 'INSERT', 'UPDATE', 'DELETE', 'BATCH', 'schema')


class Coverage:
    """Three counters. `clauses` counts (clause, statement), `operations` counts (operation, type), and `functions` counts names."""
    grammar = None

    def __init__(self):
        Coverage.grammar = Coverage.grammar or Grammar()
        self.clauses, self.operations, self.functions, self.unparsed = Counter(), Counter(), Counter(), 0

    def tags(self, statement, table):
        """Returns the contents of one statement, as counts that `add` takes. `table` is the table at the moment of the statement."""
        types = {column.name.lower(): column.type for column in table.columns()}
        texts = [part[0] for part in statement.text[1]] if statement.how == 'batch' else [statement.text, *filter(None, [statement.then])]
        return [self._of_text(text, types, 'BATCH' if statement.how == 'batch' else None) for text in texts]

    def add(self, tags):
        for found in tags:
            if found is None:
                self.unparsed += 1
                continue
            clauses, operations, functions = found
            self.clauses.update(clauses)
            self.operations.update(operations)
            self.functions.update(functions)

    def include(self, other):
        for name in ('clauses', 'operations', 'functions'):
            getattr(self, name).update(getattr(other, name))
        self.unparsed += other.unparsed

    def _of_text(self, text, types, kind):
        match, tokens = self.grammar.parse(text)
        if match is None:
            return None
        parts = list(every(match))
        kind = kind or next((_STATEMENTS[part.rule] for part in parts if part.rule in _STATEMENTS), 'schema')
        clauses = {(clause, kind) for part in parts for clause in part.clauses}
        words = [words for _, words, _ in tokens]
        functions = {words[part.begin].lower() for part in parts if part.rule == 'plainFunctionName'}
        return clauses, _Operations(words, types).of(match), functions

    def by_clause(self):
        """Returns {clause: total} of all clauses that the generator should make."""
        total = Counter()
        for (clause, _), count in self.clauses.items():
            total[clause] += count
        return {clause: total[clause] for clause in self.grammar.clauses if clause in self.grammar.reachable(EXCLUDED)}

    def fewer_than(self, count):
        return [clause for clause, met in self.by_clause().items() if met < count]

    def unexpected(self):
        """Returns clauses that are excluded but were met."""
        wanted = self.grammar.reachable(EXCLUDED)
        return sorted({clause for clause, _ in self.clauses} - wanted)

    def of_clauses(self):
        """Returns the counts of the clauses as text: how many statements had each, in all and by statement."""
        lines = [''.join(f'{name:>8}' for name in ('all', *COLUMNS)) + '  clause']
        for clause, total in self.by_clause().items():
            lines.append(''.join(f'{count or "-":>8}' for count in (total, *(self.clauses[clause, name] for name in COLUMNS))) + f'  {clause}')
        return '\n'.join(lines) + '\n'

    def table(self):
        """Returns all counts as text."""
        lines = [self.of_clauses(), 'operations by type of the column']
        for operation in sorted({operation for operation, _ in self.operations}):
            counts = sorted((t, count) for (name, t), count in self.operations.items() if name == operation)
            lines.append(f'{operation}: ' + ', '.join(f'{t} {count}' for t, count in counts))
        lines += ['', 'functions: ' + ', '.join(f'{name} {count}' for name, count in sorted(self.functions.items()))]
        lines += ['', f'excluded clauses: {len(self.grammar.clauses) - len(self.by_clause())}, of {len(self.grammar.clauses)}; '
                  f'statements that the grammar refuses: {self.unparsed}']
        return '\n'.join(lines)


class _Operations:
    """Finds the operations of a statement on columns, as pairs of an operation and the column's type."""

    def __init__(self, words, types):
        self.words, self.types = words, types

    def of(self, match, place=''):
        found = set()
        rule = match.rule
        if rule in _STATEMENTS:
            place = _STATEMENTS[rule]
        if rule == 'ifClause':
            place = 'IF'
        if rule == 'relation':
            found.add(self._relation(match, place))
        elif rule == 'assignment':
            found.add(self._assignment(match))
        elif rule == 'insertValues':
            found |= {('INSERT', self._type(part)) for part in match.inner if part.rule == 'columnName'}
        elif rule in ('deleteTarget', 'ordering', 'selector'):
            found.add(self._part(match, {'deleteTarget': 'DELETE', 'ordering': 'ORDER BY', 'selector': 'SELECT'}[rule]))
        elif rule == 'groupByClause':
            found |= {('GROUP BY', self._type(part)) for part in match.inner}
        for part in match.inner:
            found |= self.of(part, place)
        return {pair for pair in found if pair[1]}

    def _relation(self, match, place):
        left = match.inner[0]
        begin, after = left.begin, left.end
        form = 'c'
        if self.words[begin] == '(':
            form = '(c, …)'
        elif self.words[begin].lower() == 'token':
            form = 'token(c)'
        elif after - begin > 1:
            form = 'c[…]' if self.words[begin + 1] == '[' else 'c.f' if self.words[begin + 1] == '.' else 'expression'
        right = match.inner[-1]
        operator = ' '.join(self.words[after:right.begin]).upper() if right is not left else 'IS NOT NULL'
        marker = ' ?' if right.end - right.begin <= 2 and self.words[right.begin] in ('?', ':') else ''
        return f'{place} {form} {operator}{marker}', self._type(left)

    def _assignment(self, match):
        words = self.words[match.begin:match.end]
        column = match.inner[0]
        name = self.words[column.begin]
        operator = next((word for word in words if word in ('=', '+=', '-=')), '=')
        rest = self.words[match.begin + 1:match.end]
        form = 'c[…]' if rest[0] == '[' else 'c.f' if rest[0] == '.' else 'c'
        right = match.inner[-1]
        inside = self.words[right.begin:right.end]
        if form == 'c' and operator == '=' and name in inside:
            operator = f'= c {inside[1] if len(inside) > 1 else ""}' if inside[0] == name else '= … + c'
        return f'SET {form} {operator}', self._type(column)

    def _part(self, match, what):
        first = match.inner[0]
        length = first.end - first.begin
        if match.rule == 'deleteTarget' and match.end > first.end:
            return f'{what} {"c[…]" if self.words[first.end] == "[" else "c.f"}', self._type(first)
        form = 'c' if length == 1 else 'expression'
        if length > 1 and self.words[first.begin + 1] == '(':
            form = f'{self.words[first.begin].lower()}(…)'
        elif length > 1 and self.words[first.begin + 1] in '[.':
            form = 'c[…]' if self.words[first.begin + 1] == '[' else 'c.f'
        return f'{what} {form}', self._type(match)

    # The type of the first column that a part names, '' if it names none.
    def _type(self, match):
        for part in every(match):
            if part.rule == 'columnName' and (t := self.types.get(self.words[part.begin].lower())):
                return kind_of(t)
        return ''


def kind_of(cql_type):
    """Returns a type without its parameters, for example "frozen list"."""
    inner = values.unfrozen(cql_type)
    name = inner.split('<')[0]
    name = name if '<' in inner or inner in values.SCALARS + ('counter',) else 'udt'
    return ('frozen ' if cql_type != inner and name not in ('tuple', 'vector') else '') + name
