"""Asks both servers again about a statement that both refuse, each with another sentence. If the statement has two faults, each server
may have found another one first. Such a difference is accepted only if both faults are found alone. That is, both servers refuse one
variant of the statement with Widerow's sentence, and another variant with Cassandra's. In a variant, parts of the statement are left
out, or replaced by simple ones, so that one of its faults is repaired. For a single fault, explained.py may accept that one server does
not refuse it, or refuses it with another sentence. Then this is also accepted in the variant."""
import heapq
import json
import random
import re
from collections import namedtuple

import values
from explained import explained, normal
from grammar import Grammar, every

_ASKED_MAX = 500  # The most variants that are asked for one sentence.
# ALLOW FILTERING is never left out, because a statement without it has a new fault.
_OMITTED = ('whereClause', 'ifClause', 'orderByClause', 'groupByClause', 'limitClause', 'perPartitionLimitClause', 'usingClause', 'usingTimestamp',
            'ifNotExists', 'ifExists', 'tableOptions', 'columnMask', 'batchItem')
_WORDS = ('DISTINCT', 'STATIC', 'JSON')
_SEPARATORS = (',', ';', 'AND')
_TERMS = ('term', 'product', 'signedTerm', 'postfixTerm', 'simpleTerm', 'braceTerm', 'functionCall')
_SIMPLE = {'compareOperator': ('=',), 'intValue': ('1',), 'type': ('int', 'text'), 'propertyValue': ('1', "'1'", 'true')}
_NAMED_MARKER = re.compile(r':x\d+\b')
_PLACE = re.compile(r':m(\d+)_')

# The two variants that show the faults, each with the sentence of one of the servers.
Alone = namedtuple('Alone', 'widerow cassandra')
_grammar = None


def found_alone(statement, answers, table, ask):
    """Returns the variants that show each fault alone as an Alone, or None. `answers` are those of Widerow and Cassandra to the statement.
    `ask(server, variant)` returns the answer of server 0 (Widerow) or 1 (Cassandra). Variants may change data."""
    sentences = [_refusal(answer) for answer in answers]
    if None in sentences:
        return None
    statement = statement._replace(page=None, then=None, how='query' if statement.page else statement.how)
    variants = [_with_sentence(statement, sentences[server], server, table, ask) for server in (0, 1)]
    return Alone(*variants) if all(variants) else None


def _refusal(answer):
    """Returns the class and the sentence of an error, also if the error is the first page, or None."""
    if answer[0] == 'pages' and len(answer[1]) == 1:
        answer = answer[1][0]
    return normal(answer) if answer[0] == 'error' else None


def _with_sentence(statement, sentence, server, table, ask):
    """Returns a variant that both servers refuse with the sentence, or None. `server` is the one that gave it. It must give it again; an
    accepted difference of the other one counts too. Takes the shortest variants first."""
    waiting, seen, asked = [(0, 0, statement)], {repr(statement)}, 0
    while waiting:
        for variant in variants(heapq.heappop(waiting)[-1], table):
            if repr(variant) in seen:
                continue
            if asked == _ASKED_MAX:
                return None
            seen.add(repr(variant))
            asked += 1
            answer = ask(server, variant)
            if _refusal(answer) != sentence:
                continue
            other = ask(1 - server, variant)
            if _refusal(other) == sentence or explained(variant, *((answer, other) if server == 0 else (other, answer)), table):
                return variant
            heapq.heappush(waiting, (len(repr(variant.text)), asked, variant))
    return None


def variants(statement, table):
    """Yields statements that have one change."""
    if statement.how != 'batch':
        for text, bound in _of_text(statement.text, statement.values, table):
            yield statement._replace(text=text, values=bound)
        return
    kind, parts = statement.text
    for i in range(len(parts)) if len(parts) > 1 else ():
        yield statement._replace(text=(kind, parts[:i] + parts[i + 1:]))
    for i, (text, bound, prepared) in enumerate(parts):
        for changed, kept in _of_text(text, bound, table):
            yield statement._replace(text=(kind, parts[:i] + [(changed, kept, prepared)] + parts[i + 1:]))


def _of_text(text, bound, table):
    """Yields (text, bound values) with one change each. During the change the markers have names, as in Markers."""
    global _grammar
    _grammar = _grammar or Grammar()
    names = _markers(text) if bound else []
    if len(names) != len(bound):
        return
    numbers = iter(range(len(names)))
    placed = _replace_markers(text, lambda _: f':m{next(numbers)}_') if bound else text
    for changed in _changed(placed, table):
        places = [int(place) for place in _PLACE.findall(changed)] if bound else []
        yield _PLACE.sub(lambda found: names[int(found[1])], changed) if bound else changed, tuple(bound[place] for place in places)


def _markers(text):
    found = []
    _replace_markers(text, lambda words: found.append(words) or words)
    return found


def _replace_markers(text, new):
    """Returns the text with other words for its bind markers."""
    made, at = '', 0
    for name, words, place in _grammar.tokens(text):
        named = _NAMED_MARKER.match(text, place) if words == ':' else None
        if named or name == 'QMARK':
            words = named.group() if named else words
            made += text[at:place] + new(words)
            at = place + len(words)
    return made + text[at:]


def _changed(text, table):
    """Yields texts with one change each: first those that leave out something."""
    match, tokens = _grammar.parse(text)
    if match is None:
        return
    begins = [place for _, _, place in tokens] + [len(text)]
    ends = [place + len(words) for _, words, place in tokens]

    def without(begin, end):
        return text[:begins[begin]] + text[begins[end]:]

    def replaced(part, words):
        return text[:begins[part.begin]] + words + text[ends[part.end - 1]:]
    parts = [part for part in every(match) if part.end > part.begin]
    yield from (without(i, i + 1) for i, (_, words, _) in enumerate(tokens) if words.upper() in _WORDS)
    for part in parts:
        if part.rule in _OMITTED:
            yield without(part.begin, part.end)
        if part.rule == 'braceTerm' and part.inner and part.inner[-1].rule == 'mapEntry':
            yield without(part.inner[0].begin, part.inner[2].begin)
        if part.rule == 'insertValues':
            yield from _without_pairs(text, tokens, begins, part)
        for one, other in zip(part.inner, part.inner[1:]):
            if other.begin == one.end + 1 and tokens[one.end][1].upper() in _SEPARATORS:
                yield without(one.begin, other.begin)
                yield without(one.end, other.end)
    for name, words, place in tokens:
        if name == 'STRING_LITERAL' and words.startswith("'{"):
            for document in _with_nulls(words[1:-1].replace("''", "'")):
                quoted = document.replace("'", "''")
                yield f"{text[:place]}'{quoted}'{text[place + len(words):]}"
    yield from _with_columns(text, parts, table, ends)
    if text.startswith('SELECT') and not any(part.rule == 'allowClause' for part in parts):
        yield text.rstrip(' ;') + ' ALLOW FILTERING'
    for part in parts:
        if part.rule in _TERMS:
            for inner in every(part):
                if inner.rule in _TERMS and inner.end - inner.begin < part.end - part.begin:
                    yield replaced(part, text[begins[inner.begin]:ends[inner.end - 1]])
    yield from _with_simple(parts, table, replaced)


def _without_pairs(text, tokens, begins, insert):
    """Yields the INSERT without a column and its value."""
    names = [part for part in insert.inner if part.rule == 'columnName']
    terms = [part for part in insert.inner if part.rule == 'term']
    if len(names) != len(terms) or len(names) < 2:
        return
    for i in range(len(names)):
        (a, b), (c, d) = (_with_comma(parts, i) for parts in (names, terms))
        yield text[:begins[a]] + text[begins[b]:begins[c]] + text[begins[d]:]


def _with_comma(parts, i):
    return (parts[i].begin, parts[i + 1].begin) if i + 1 < len(parts) else (parts[i - 1].end, parts[i].end)


def _with_nulls(document):
    """Yields the JSON object with one member less, and with null as the value of one member."""
    try:
        members = json.loads(document)
    except ValueError:
        return
    for name in members:
        yield json.dumps({other: value for other, value in members.items() if other != name}, ensure_ascii=False)
        yield json.dumps({**members, name: None}, ensure_ascii=False)


def _with_columns(text, parts, table, ends):
    """Yields texts with one more column in INSERT or WHERE: a statement that lacks a part of the key has a fault."""
    literals = _literals(table)
    for part in parts:
        if part.rule == 'insertValues':
            names, terms = ([inner for inner in part.inner if inner.rule == rule] for rule in ('columnName', 'term'))
            at, then = ends[names[-1].end - 1], ends[terms[-1].end - 1]
            for column in table.key():
                yield f'{text[:at]}, {column.name}{text[at:then]}, {literals[column.name]}{text[then:]}'
        elif part.rule == 'whereClause' or part.rule in ('updateStatement', 'deleteStatement'):
            where = next((inner for inner in (part, *part.inner) if inner.rule in ('whereClause', 'condition')), None)
            for column in table.key() if where else ():
                at = ends[where.end - 1]
                yield f'{text[:at]} AND {column.name} = {literals[column.name]}{text[at:]}'


def _literals(table):
    """Returns a literal for each column, by its name."""
    r = random.Random(1)
    return {column.name: values.literal(r, column.type, table.fields) for column in table.columns() if column.type != 'counter'}


def _with_simple(parts, table, replaced):
    """Yields texts in which one part is replaced by a simple one: a term by a literal of the type of a column, or by a column."""
    literals = list(dict.fromkeys(_literals(table).values()))
    names = [column.name for column in table.columns()]
    for part in parts:
        simple = _SIMPLE.get(part.rule, ())
        if part.rule == 'columnName':
            simple = names
        elif part.rule == 'simpleTerm':
            simple = ['1', "'a'"] + literals + names
        for words in simple:
            yield replaced(part, words)
