"""Reads Widerow's grammar (grammar/CqlParser.g4, CqlLexer.g4) and parses statements with it, in order to find the clauses of a statement.
A clause is an alternative of a choice, or a part that may be absent or repeated. So a new alternative in the grammar is a clause that
no statement has."""
import pathlib
import re
from collections import namedtuple

FOLDER = pathlib.Path(__file__).resolve().parents[2] / 'grammar'

# The nodes of a rule. `clause` is the clause's name, or '' if the node is no clause. `first` is the set of tokens that it can begin with.
Token = namedtuple('Token', 'name')
Rule = namedtuple('Rule', 'name')
Sequence = namedtuple('Sequence', 'items')
Choice = namedtuple('Choice', 'options')        # Options are Clauses.
Repeat = namedtuple('Repeat', 'body least most')  # `body` is a Clause if it may be absent.
Clause = namedtuple('Clause', 'name body')
# The match of a rule: its tokens from `begin` to `end`, the clauses that it has, and the matches of rules inside.
Match = namedtuple('Match', 'rule begin end clauses inner')

_PIECE = re.compile(r"\s*(?:(//[^\n]*)|('(?:[^'\\]|\\.)*')|(\w+)|([:;|()?*+#]))")


class Grammar:
    def __init__(self):
        self.rules, self.clauses, self.rule_of = {}, [], {}
        self.literals, self.keywords = _lexer((FOLDER / 'CqlLexer.g4').read_text())
        self.operators = re.compile('|'.join(re.escape(text) for text in sorted(self.literals, key=len, reverse=True)))
        _RuleReader(self, (FOLDER / 'CqlParser.g4').read_text()).read()
        self.first, self.nullable = {}, set()
        self._find_first()

    # Computes FIRST sets (the tokens that a node can begin with), to leave out alternatives that cannot match.
    def _find_first(self):
        changed = True
        while changed:
            changed = False
            for name, body in self.rules.items():
                tokens, empty = self._first_of(body)
                if tokens != self.first.get(name) or empty != (name in self.nullable):
                    self.first[name] = tokens
                    self.nullable |= {name} if empty else set()
                    changed = True
        self.known = {}

        def remember(node):
            self.known[node] = self._first_of(node)
            for inner in _inside(node):
                remember(inner)
        for body in self.rules.values():
            remember(body)

    def _first_of(self, node):
        if isinstance(node, Token):
            return frozenset([node.name]), False
        if isinstance(node, Rule):
            return self.first.get(node.name, frozenset()), node.name in self.nullable
        if isinstance(node, Clause):
            return self._first_of(node.body)
        if isinstance(node, Choice):
            parts = [self._first_of(option) for option in node.options]
            return frozenset().union(*(tokens for tokens, _ in parts)), any(empty for _, empty in parts)
        if isinstance(node, Repeat):
            tokens, empty = self._first_of(node.body)
            return tokens, empty or node.least == 0
        found = frozenset()
        for item in node.items:
            tokens, empty = self._first_of(item)
            found |= tokens
            if not empty:
                return found, False
        return found, True

    def parse(self, text, rule='statementInput'):
        """Returns (the Match of a whole statement or None if the grammar refuses it, its tokens as (name, text, place))."""
        tokens = self.tokens(text)
        return _Parse(self, [name for name, _, _ in tokens] + ['EOF']).whole(rule), tokens

    def tokens(self, text):
        found, at = [], 0
        while at < len(text):
            match = _TEXT_TOKEN.match(text, at)
            if match:
                name, words = match.lastgroup, match.group()
                if name == 'HIDDEN':
                    at = match.end()
                    continue
                if name == 'WORD':
                    name = 'BOOLEAN' if words.upper() in ('TRUE', 'FALSE') else self.keywords.get(words.upper(), 'IDENT')
            elif match := self.operators.match(text, at):
                words = match.group()
                name = self.literals[words]
            else:
                name, words = 'UNEXPECTED', text[at]
            if found and name in ('K_POSITIVE_NAN', 'K_POSITIVE_INFINITY') and found[-1][1:] == ('-', at - 1):
                found[-1] = ('SIGN', '-', at - 1)  # As parser/parse.cc does.
            found.append((name, words, at))
            at += len(words)
        return found

    def reachable(self, excluded, start='statementInput'):
        """Returns the clauses that a statement can have without one of the `excluded`."""
        found, waiting, done = set(), [self.rules[start]], {start}
        while waiting:
            node = waiting.pop()
            if isinstance(node, Clause):
                if node.name in excluded:
                    continue
                found.add(node.name)
            if isinstance(node, Rule) and node.name not in done:
                done.add(node.name)
                waiting.append(self.rules[node.name])
            waiting += _inside(node)
        return found


def _inside(node):
    if isinstance(node, Sequence):
        return list(node.items)
    if isinstance(node, Choice):
        return list(node.options)
    return [node.body] if isinstance(node, (Repeat, Clause)) else []


_UNIT = r'(?:y|mo|w|d|h|ms|m|s|us|µs|ns)'
_ISO_TIME = r'T(?:\d+H(?:\d+M)?(?:\d+S)?|\d+M(?:\d+S)?|\d+S)'
_DURATION = (rf'(?:(?i:(?:\d+{_UNIT})+)(?![A-Za-z0-9_])|P\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\d|P{_ISO_TIME}|P\d+W'
             rf'|P(?:\d+Y(?:\d+M)?(?:\d+D)?|\d+M(?:\d+D)?|\d+D)(?:{_ISO_TIME})?)')
_FLOAT = r'(?:\d+\.(?!\.)\d*(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)'
# The tokens that have no fixed text, the longest first, as CqlLexer.g4 has them (coverage_test.py compares the names).
_TEXT_TOKEN = re.compile('|'.join(f'(?P<{name}>{pattern})' for name, pattern in (
    ('HIDDEN', r"\s+|(?:--|//)[^\r\n]*|/\*.*?\*/"),
    ('UUID', r'[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'),
    ('STRING_LITERAL', r"'(?:[^']|'')*'|\$\$.*?\$\$"),
    ('EMPTY_QUOTED_NAME', r'""'),
    ('QUOTED_NAME', r'"(?:[^"]|"")+"'),
    ('NUMBER_RANGE', r'-?\d+\.?\.\.'),
    ('HEXNUMBER', r'0[xX][0-9a-fA-F]*'),
    ('DURATION', _DURATION), ('NEGATIVE_DURATION', '-' + _DURATION),
    ('FLOAT', _FLOAT), ('NEGATIVE_FLOAT', '-' + _FLOAT),
    ('INTEGER', r'\d+'), ('NEGATIVE_INTEGER', r'-\d+'),
    ('EXPR_OPEN', r'(?i:expr)\('),
    ('WORD', r'[A-Za-z](?:[A-Za-z0-9_]|\$[A-Za-z0-9_])*'),
)), re.DOTALL)


def _lexer(text):
    """Returns {text: token} of operators and {WORD: token} of keywords."""
    literals, keywords = {}, {}
    for name, body in re.findall(r"^([A-Z]\w*): (.*);$", text, re.MULTILINE):
        if fixed := re.fullmatch(r"'([^']+)'", body):
            literals[fixed[1]] = name
        elif name.startswith('K_'):
            for word in body.split(' | '):
                keywords[re.sub(r"[ ']", '', word)] = name
    return literals, keywords


class _RuleReader:
    """Reads the rules of a parser grammar."""

    def __init__(self, grammar, text):
        self.grammar, self.names = grammar, {}
        self.pieces = []
        text = re.sub(r'//[^\n]*', '', text[text.index('statementInput'):])
        while text.strip():
            piece = _PIECE.match(text)
            self.pieces.append(piece.group().strip())
            text = text[piece.end():]

    def read(self):
        while self.pieces:
            self.rule = self.pieces.pop(0)
            assert self.pieces.pop(0) == ':', self.rule
            self.grammar.rules[self.rule] = self._choice()
            assert self.pieces.pop(0) == ';', self.rule

    def _choice(self):
        options = [self._sequence()]
        while self.pieces[0] == '|':
            self.pieces.pop(0)
            options.append(self._sequence())
        if len(options) == 1:
            return options[0]
        return Choice(tuple(self._clause(option) for option in options))

    def _sequence(self):
        items = []
        while self.pieces[0] not in '|;)':
            if self.pieces[0] == '#':  # The label of an alternative follows.
                del self.pieces[:2]
                continue
            items.append(self._item())
        return items[0] if len(items) == 1 else Sequence(tuple(items))

    def _item(self):
        piece = self.pieces.pop(0)
        if piece == '(':
            node = self._choice()
            assert self.pieces.pop(0) == ')', self.rule
        elif piece.startswith("'"):
            node = Token(self.grammar.literals[piece[1:-1]])
        else:
            node = Token(piece) if piece[0].isupper() else Rule(piece)
        if self.pieces[0] in '?*+':
            suffix = self.pieces.pop(0)
            if suffix == '+':
                return Repeat(node, 1, None)
            # If the whole choice may be absent, its alternatives are the clauses.
            return Repeat(node if isinstance(node, Choice) else self._clause(node), 0, 1 if suffix == '?' else None)
        return node

    def _clause(self, node):
        name = f'{self.rule}: {self._text(node)}'
        self.names[name] = self.names.get(name, 0) + 1
        if self.names[name] > 1:
            name += f' (place {self.names[name]})'
        self.grammar.clauses.append(name)
        return Clause(name, node)

    def _text(self, node):
        if isinstance(node, Token):
            fixed = [text for text, name in self.grammar.literals.items() if name == node.name]
            return f"'{fixed[0]}'" if fixed else node.name.removeprefix('K_')
        if isinstance(node, Rule):
            return node.name
        if isinstance(node, Clause):
            return self._text(node.body)
        if isinstance(node, Choice):
            return '(' + ' | '.join(map(self._text, node.options)) + ')'
        if isinstance(node, Repeat):
            inner = self._text(node.body)
            inner = f'({inner})' if ' ' in inner and not inner.startswith('(') else inner
            return inner + ('+' if node.least else '?' if node.most else '*')
        return ' '.join(map(self._text, node.items))


class _Parse:
    """Finds all ways to read the tokens. It reads each rule at each place once. If two ways have one end, it keeps the way of the first
    alternative."""

    def __init__(self, grammar, tokens):
        self.grammar, self.tokens, self.memory = grammar, tokens, {}

    def whole(self, rule):
        for end, trace in self._rule(rule, 0).items():
            if end >= len(self.tokens):
                return _match_of(trace)
        return None

    def _rule(self, name, at):
        known = self.memory.get((name, at))
        if known is None:
            known = {end: ('rule', name, at, end, trace) for end, trace in self._ends(self.grammar.rules[name], at).items()}
            self.memory[name, at] = known
        return known

    def _possible(self, node, at):
        tokens, empty = self.grammar.known[node]
        return empty or (at < len(self.tokens) and self.tokens[at] in tokens)

    # Returns {end: trace}. A trace is a tree of tuples of the nodes that were read.
    def _ends(self, node, at):
        if isinstance(node, Token):
            return {at + 1: ()} if at < len(self.tokens) and self.tokens[at] == node.name else {}
        if not self._possible(node, at):
            return {}
        if isinstance(node, Rule):
            return self._rule(node.name, at)
        if isinstance(node, Clause):
            return {end: ('clause', node.name, trace) for end, trace in self._ends(node.body, at).items()}
        if isinstance(node, Choice):
            found = {}
            for option in node.options:
                for end, trace in self._ends(option, at).items():
                    found.setdefault(end, trace)
            return found
        if isinstance(node, Sequence):
            return self._all_of(node.items, at)
        return self._repeated(node, at)

    def _all_of(self, items, at):
        reached = {at: ()}
        for item in items:
            further = {}
            for place, before in reached.items():
                for end, trace in self._ends(item, place).items():
                    further.setdefault(end, ('both', before, trace) if before else trace)
            reached = further
            if not reached:
                break
        return reached

    def _repeated(self, node, at):
        found = {at: ()} if node.least == 0 else {}
        reached, times = {at: ()}, 0
        while reached and (node.most is None or times < node.most):
            further = {}
            for place, before in reached.items():
                for end, trace in self._ends(node.body, place).items():
                    if end > place:
                        further.setdefault(end, ('both', before, trace) if before else trace)
            # The longest reading comes first, as in a generated parser.
            found = {**further, **found} if times == 0 and node.least == 0 else {**found, **{e: t for e, t in further.items() if e not in found}}
            reached, times = further, times + 1
        return found


def _match_of(trace):
    """Turns a trace into a Match."""
    _, name, begin, end, inside = trace
    clauses, inner = [], []

    def gather(part):
        if not part:
            return
        if part[0] == 'both':
            gather(part[1])
            gather(part[2])
        elif part[0] == 'clause':
            clauses.append(part[1])
            gather(part[2])
        else:
            inner.append(_match_of(part))
    gather(inside)
    return Match(name, begin, end, clauses, inner)


def every(match):
    """Yields a match and all matches inside of it."""
    yield match
    for inner in match.inner:
        yield from every(inner)
