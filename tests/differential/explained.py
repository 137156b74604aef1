"""Differences that are accepted (docs/reference/cql-support.md has the reasons), and answers of the peer that cannot be compared."""
import re

# Faults and delays of a server; they are no answers to a statement.
_FAILURES = ('ServerError', 'ReadFailure', 'WriteFailure', 'ReadTimeout', 'WriteTimeout', 'Overloaded', 'TruncateError')
_SYNTAX = re.compile(r"(line -?\d+:-?\d+) [^']*'(.*?)'.*", re.DOTALL)
# The list of a function's signatures, which Cassandra has in the order of a hash table.
_SIGNATURES = re.compile(r'(?<=: )system\.\S+ : .*(?=\))')
# min and max of a timeuuid.
_LEGACY = 'org.apache.cassandra.db.marshal.LegacyTimeUUIDType'
# Cassandra has one object for both names of a function, with the name by which a client first called it.
_OLD_NAMES = {'tojson': 'to_json', 'fromjson': 'from_json'}
_OLD_NAME = re.compile(r'\bsystem\.(tojson|fromjson)\b')
_NULL_BOUND = re.compile(r'[<>]=? (null|\?|:|\()')
# Statements that name several columns or fields, which Cassandra keeps in a hash table, so that it finds any faulty one first.
_SEVERAL_NAMES = re.compile(r'ALTER (TABLE|TYPE) .* (RENAME .* AND|DROP .*\() ?')
# What is said of bytes that are no value of their type. Cassandra finds them only where it uses the value.
_NO_VALUE = re.compile(r"(Not enough bytes to read|Unexpected \d* ?extraneous bytes|Invalid (empty vector value|remaining data|byte for ascii|version for TimeUUID"
                       r"|UDT value)|Expected \d+ (or \d+ )?byte|Expected (at (least|most)|0 or at least) \d+|The (duration|data cannot)|String didn't validate)")
# Warnings that only Widerow has (docs/operate/guardrails.md).
_GUARDRAIL = '(guardrail '

# (reason, a pattern of Cassandra's sentence, one of Widerow's) of errors; docs/reference/cql-support.md has each reason.
_ERRORS = (
    ('the words of a JSON parser', r'.*Could not decode JSON string.*', r'.*Could not decode JSON string.*'),
    ('which of two members of a JSON document', r'Error decoding JSON value for .*', r'Error decoding JSON value for .*'),
    ('names in the order of a hash table', r'(\S+ ,\S+.* cannot be restricted by more than one relation|Primary key columns .*, .* must be restricted).*',
     r'(\S+ ,\S+.* cannot be restricted by more than one relation|Primary key columns .*, .* must be restricted).*'),
    ('names in the order of a hash table', r'More than one restriction was found for the (start|end) bound on \S+ ,.*',
     r'More than one restriction was found for the (start|end) bound on \S+ ,.*'),
    ('the column that an error of CAST names', r'\S+ cannot be cast to \S+', r'\S+ cannot be cast to \S+'),
    ('which type a list cannot be', r"Unexpected receiver type '.*'; only list and vector are expected",
     r"(Invalid call to function|Ambiguous|the '.' operation|Type error|Function ).*"),
    ('the Java class of a collection', r"Invalid non-frozen collection type 'org\.apache\..*", r'Invalid non-frozen collection type .*'),
    ('Java objects in a sentence about views', r'(Can only select columns|Cannot use aliases) .*@\w+\)', r'(Can only select columns|Cannot use aliases) .*'),
)


def normal(answer):
    """Returns an answer of either server without the parts that may differ, for comparison. Of an error this is its class and its
    first sentence; of a syntax error its place and its token."""
    if answer[0] == 'error':
        return ('error', answer[1], _sentence(answer[1], answer[2]))
    if answer[0] == 'pages':
        return ('pages', [normal(page) for page in answer[1]])
    if answer[0] == 'rows':
        return ('rows', _columns(answer[1]), answer[2], _warnings(answer[3]), *map(_prepared, answer[4:]))
    return ('done', answer[1], _warnings(answer[2]), *map(_prepared, answer[3:]))


def _prepared(found):
    return found and (found[0], found[1], _columns(found[2]), _columns(found[3]), _warnings(found[4]))


def _columns(columns):
    return columns and [(table, _OLD_NAME.sub(_new_name, name), t.replace(_LEGACY, 'timeuuid')) for table, name, t in columns]


def _new_name(found):
    return 'system.' + _OLD_NAMES[found[1]]


def _warnings(texts):
    return [text for text in texts if _GUARDRAIL not in text]


def _sentence(kind, text):
    if kind == 'SyntaxError' and (match := _SYNTAX.match(text)):
        return match[1], match[2]
    first = _OLD_NAME.sub(_new_name, text.split('\n')[0].strip())
    return _SIGNATURES.sub(lambda found: ', '.join(sorted(found.group().split(', system.'), key=lambda part: part.removeprefix('system.')))
                           .replace('system.', ''), first)


def explained(statement, widerow, cassandra):
    """Returns the reason why the difference of two answers is accepted, or None."""
    if widerow[0] == cassandra[0] == 'pages':
        return next(filter(None, (explained(statement, *pages) for pages in zip(widerow[1], cassandra[1]))), None)
    if _of_empty_key(cassandra) and widerow[0] == 'rows' and not any(any(value and any(value) for value in row) for row in widerow[2]):
        return 'an empty key that no row has'
    if widerow[0] != 'error':
        return None
    if _has_bound(statement) and widerow[1] == 'Invalid' and _NO_VALUE.match(widerow[2]):
        return 'bound bytes that are no value of their type'
    if cassandra[0] != 'error':
        null = re.match(r'(Unsupported|Invalid) null value (in condition )?for column', widerow[2])
        return 'a null bound in a slice' if null and _NULL_BOUND.search(str(statement.text)) else None
    if widerow[1] == cassandra[1] == 'SyntaxError':
        return 'the token at which a parser gives up'
    if widerow[1] == cassandra[1] == 'Invalid' and _SEVERAL_NAMES.match(str(statement.text)):
        return 'which of several names'
    return next((reason for reason, theirs, ours in _ERRORS
                 if re.fullmatch(theirs, cassandra[2].split('\n')[0]) and re.fullmatch(ours, widerow[2].split('\n')[0])), None)


def _has_bound(statement):
    values = statement.values if statement.how != 'batch' else [value for _, bound, _ in statement.text[1] for value in bound]
    return any(isinstance(value, bytes) for value in values)


def never_compared(cassandra):
    """Returns True if a single answer cannot be recorded: it is Cassandra's own fault, or its difference is accepted."""
    if cassandra[0] == 'pages':
        return any(map(never_compared, cassandra[1]))
    if failed(cassandra) or _of_empty_key(cassandra):
        return True
    return cassandra[0] == 'error' and (cassandra[1] == 'SyntaxError' or any(re.fullmatch(theirs, cassandra[2].split('\n')[0]) for _, theirs, _ in _ERRORS))


def _of_empty_key(answer):
    """Returns True for a SELECT of an empty key that can match no row: the servers find these two facts in different order."""
    return answer[0] == 'error' and 'Key may not be empty' in answer[2]


def failed(answer):
    """Returns True if the peer has failed by its own fault, so that there is nothing to compare. Widerow's faults are differences."""
    if answer[0] == 'pages':
        return any(map(failed, answer[1]))
    # It does not always take the paging state that it has given.
    return answer[0] == 'error' and (answer[1] in _FAILURES or answer[2] == 'Invalid value for the paging state')
