"""Lists the differences that are accepted, and the answers of the peer that cannot be compared. docs/reference/cql-support.md has the
reasons."""
import json
import re

from protocol import UNSET

# Faults and delays of a server; they are no answers to a statement.
_FAILURES = ('ServerError', 'ReadFailure', 'WriteFailure', 'ReadTimeout', 'WriteTimeout', 'Overloaded', 'TruncateError')
_SYNTAX = re.compile(r"(line -?\d+:-?\d+) [^']*'(.*?)'.*", re.DOTALL)
# The list of a function's signatures. Cassandra prints it in the order of a hash table.
_SIGNATURES = re.compile(r'(?<=: )system\.\S+ : .*(?=\))')
# The type that Cassandra names for min and max of a timeuuid.
_LEGACY = 'org.apache.cassandra.db.marshal.LegacyTimeUUIDType'
# Old -> new name of a function. Cassandra has one object for both, and prints the name by which a client first called it.
_OLD_NAMES = {'tojson': 'to_json', 'fromjson': 'from_json'}
_OLD_NAME = re.compile(r'\bsystem\.(tojson|fromjson)\b')
_NULL_BOUND = re.compile(r'[<>]=? (null|\?|:|\()')
# Errors about bytes that are not a value of their type. Cassandra checks the bytes only where it uses the value.
_NO_VALUE = re.compile(r"(Not enough bytes to read|Unexpected \d* ?extraneous bytes|Invalid (empty vector value|remaining data|byte for ascii|version for TimeUUID"
                       r"|UDT value)|UUID should be 16 or 0 bytes|Expected \d+ (or \d+ )?byte|Expected (at (least|most)|0 or at least) \d+|The (duration|data cannot)|String didn't validate"
                       r"|Null value read when not allowed)")
_NOT_LOOKED_AT = re.compile(r'(Invalid tuple type literal for|null is not supported inside (vectors|collections)|A TTL must be greater or equal to 0|Invalid comparison with null|Invalid null (map key|set element|value for list index)|Invalid comparison with an empty )')
_NO_COLLECTION = re.compile(r'Cannot use CONTAINS (KEY )?on non-(collection|map) column (?P<column>\S+)')
_NO_NUMBERS = re.compile(r'Function \S+ requires a numeric set/list argument, but found argument (?P<column>\S+) of type')
_OF_RELATIONS = re.compile(r'Clustering columns can only be restricted with CONTAINS|Collection column \S+ can only be restricted by CONTAINS|\S+ cannot be restricted by more than one relation')
_NULL_IN_LIST = re.compile(r' IN \([^)]*\bnull\b[^)]*\).* ALLOW FILTERING')
_SMALL_TIMESTAMP = re.compile(r'a datestring representation of a timestamp value, but got a Integer: ')
_REVERSED_CAST = re.compile(r'(?:Invalid call to function system\.cast_as_|\S+ cannot be cast to )(\w+)')
# An error that only a row can give: Cassandra has read one.
_OF_A_ROW = re.compile(r'The floor function starting time is greater than the provided time')
_LIMITED_GROUPS = re.compile(r' GROUP BY .*\bfloor\(.* LIMIT ')
_BRACES = re.compile(r'\s*SELECT [^{]*\{.* FROM ', re.IGNORECASE)
_EMPTY_BYTES = re.compile(r'\b0[xX]\b')
_NULLS = re.compile(rb'(?<=[\[ ])null(?=[\],])')
_ELEMENT_IN_ORDER = re.compile(r' (IF|AND) \S+\[[^]]*\] [<>]', re.IGNORECASE)
_AGGREGATE = re.compile(r'(^|\.)(count|max|min|sum|avg)(\(|$)')
_FILTERING = re.compile(r'ALLOW FILTERING', re.IGNORECASE)
_JSON_TIMES = re.compile(r'\s*SELECT json \*', re.IGNORECASE)
_USER_TYPE = re.compile(r'\w+\.[^<]*\(')
# Faults of CREATE TABLE that Cassandra finds while it parses. There can be a syntax error behind them.
_FOUND_BY_PARSER = re.compile(r'Multiple PRIMARY KEY specified for table|Duplicate column ')
# This sentence lists tables in the order in which they were made or changed, or after a restart in the order of their names.
_USED_TYPE = re.compile(r"Cannot drop user type '.*' as it is still used by tables .*, ")
_TRAILING_NULLS = re.compile(rb'(\xff\xff\xff\xff)+\Z')
# "m['a'..'b']" and "m['a']" of one column, in either order.
_SLICE_AND_ELEMENT = re.compile(r'SELECT (?=.*?(?P<column>[\w"]+)\[[^]]*\.\.).*?(?<![\w"])(?P=column)\[(?![^]]*\.\.)')
_BETWEEN = re.compile(r' > .* AND \S+ < ')
_TUPLES_IN = re.compile(r'\) IN [(:?]')
# The text of a timestamp, and Widerow's text of a timestamp before the year 1.
_TIMESTAMP = re.compile(rb'"-\d{14,}"|"?[+-]?\d{4,9}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\.\d{3}Z"?')
_EARLY_TIMESTAMP = re.compile(rb'"-\d{14,}"|(-\d{4,9}|\b0000)-\d\d-\d\dT')
# Warnings that only Widerow has (docs/operate/guardrails.md).
_GUARDRAIL = '(guardrail '

# Errors that may differ: (reason, a pattern of Cassandra's sentence, a pattern of Widerow's). docs/reference/cql-support.md has each
# reason.
_ERRORS = (
    ('the words of a JSON parser', r'.*(Could not decode JSON string|Error decoding JSON string: ).*', r'.*Could not decode JSON string.*'),
    ('names in the order of a hash table', r'(\S+ ,\S+.* cannot be restricted by more than one relation|Primary key columns .*, .* must be restricted).*',
     r'(\S+ ,\S+.* cannot be restricted by more than one relation|Primary key columns .*, .* must be restricted).*'),
    ('names in the order of a hash table', r'More than one restriction was found for the (start|end) bound on \S+ ,.*',
     r'More than one restriction was found for the (start|end) bound on \S+ ,.*'),
    ('names in the order of a hash table', r'Cannot include more than one non-primary key column .* \(got .*\)',
     r'Cannot include more than one non-primary key column .* \(got .*\)'),
    ('the column that an error of CAST names', r'.+ cannot be cast to \S+', r'.+ cannot be cast to \S+'),
    ('the type that an error about a list names', r"Unexpected receiver type '.*'; only list and vector are expected",
     r"(Invalid call to function|Ambiguous|the '.' operation|Type error|Function ).*"),
    ('the Java class of a JSON value', r'.* is not a valid blob representation: (class java\.\S+ cannot be cast to .*|null)',
     r'.* is not a valid blob representation: a JSON string .*'),
    ('the Java class of a type', r"Invalid non-frozen (collection|user-defined) type 'org\.apache\..*", r'Invalid non-frozen (collection|user-defined) type .*'),
    ('the Java class of a type', r"CQL type 'org\.apache\..*' cannot be analyzed\.", r"CQL type 'entries of .*' cannot be analyzed\."),
    ('the static column that an error names', r'Cannot include static column .* in materialized view .*', r'Cannot include static column .* in materialized view .*'),
    ('Java objects in a sentence about views', r'(Can only select columns|Cannot use aliases) .*@\w+\)', r'(Can only select columns|Cannot use aliases) .*'),
)
# More errors that may differ. Statements with these errors are not left out of the recorded answers.
_COMPARED_ALONE = (
    ('which of an unknown column and an operator', r'Undefined column name .*', r"the '.' operation is not supported between .*"),
    ('which of an unknown function and an operator or cast', r"(Ambiguous ('.' operation|call to function system\.cast_as_)|the '.' operation is not supported between) ?.*",
     r'Unknown function .*'),
)


def normal(answer):
    """Returns the parts of an answer that both servers must share. An error is reduced to its class and its first sentence, and a syntax
    error to its place and its token."""
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


def explained(statement, widerow, cassandra, table=None):
    """Returns the reason why the difference of two answers is accepted, or None. `table` is that of the statement, if it is known."""
    if widerow[0] == cassandra[0] == 'pages':
        rows = [[row for page in answer[1] for row in page[2]] for answer in (widerow, cassandra) if all(page[0] == 'rows' for page in answer[1])]
        if table and len(rows) == 2 and _filters_static(str(statement.text), table) and all(row in rows[0] for row in rows[1]):
            return 'a filter on a static column beside LIMIT or pages'
        if table and table.static and rows == [[], []] and ' IN ()' in str(statement.text):
            return 'empty pages of partitions with static values'
        if cassandra[1][0][0] == 'error' and widerow[1][0][0] != 'error':  # Then Cassandra has one page only.
            return explained(statement, widerow[1][0], cassandra[1][0], table)
        reasons = [explained(statement, *pages, table) for pages in zip(widerow[1], cassandra[1]) if normal(pages[0]) != normal(pages[1])]
        return reasons[0] if reasons and all(reasons) and len(widerow[1]) == len(cassandra[1]) else None
    if _of_empty_key(cassandra) and widerow[0] == 'rows' and not any(any(value and any(value) for value in row) for row in widerow[2]):
        return 'an empty key that no row has'
    if widerow[0] == cassandra[0] == 'rows':
        if table and table.shape == 'sasi' and _has_range_of_texts(str(statement.text), table):
            return 'a range of texts beside a SASI index'
        empty = table and table.shape == 'sasi' and any(text in str(statement.text) for text in ("''", '$$$$'))
        if empty and all(row in widerow[2] for row in cassandra[2]):
            return 'an empty value by a SASI index'
        parts = [re.escape(c.name) + ' [<>=]' for c in table.partition] + [r'token\('] if table else []
        filters_key = any(re.search(rf'(WHERE|AND) {part}', str(statement.text)) for part in parts)
        if filters_key and table.shape == 'sasi' and _FILTERING.search(str(statement.text)):
            # Cassandra does not look at the condition, so it has more rows. With LIMIT, its first rows may be others.
            more = len(widerow[2]) <= len(cassandra[2]) if ' LIMIT ' in str(statement.text) else all(row in cassandra[2] for row in widerow[2])
            if more or _counts_fewer(widerow, cassandra):
                return 'a part of the partition key beside a SASI index'
        after_token = table and table.shape == 'sasi' and re.search(r'token\([^)]*\) >(?!=)|< token\(', str(statement.text))
        if after_token and all(row in cassandra[2] for row in widerow[2]):
            return 'the partition at an excluded bound of tokens, by a SASI index'
        sparse = table and 'SPARSE' in table.sasi_modes.values() and re.search(r' [<>]=? ', str(statement.text))
        if sparse and all(row in widerow[2] for row in cassandra[2]):
            return 'a value of more than five rows by a SASI index of mode SPARSE'
        if table and table.shape == 'sasi' and ' CONTAINS ' in str(statement.text) and all(row in cassandra[2] for row in widerow[2]):
            return 'CONTAINS beside a SASI index'
        if table and table.shape == 'indexed' and ' CONTAINS ' in str(statement.text) and all(row in widerow[2] for row in cassandra[2]):
            return 'an element that was deleted and written again, under a plain index'
        if table and table.shape == 'sai' and _by_user_type(str(statement.text), table) and all(row in widerow[2] for row in cassandra[2]):
            return 'values written before their type got a field, by a storage-attached index'
        if table and _finds_static_element(str(statement.text), table) and all(row in cassandra[2] for row in widerow[2]):
            return 'a deleted element of a static column'
        if _SLICE_AND_ELEMENT.search(str(statement.text)) and len(widerow[2]) == len(cassandra[2]):
            return 'an element beside a slice of its collection'
        if table and ' LIMIT ' in str(statement.text) and _filters_static(str(statement.text), table) and widerow[2][:len(cassandra[2])] == cassandra[2]:
            return 'a filter on a static column beside LIMIT or pages'
        return _of_rows(statement, widerow, cassandra, table)
    if widerow[0] != 'error' and cassandra[0] == 'error':
        if table and any(c.descending for c in table.clustering) and '{' in str(statement.text) and cassandra[2].startswith(('Undefined column name', 'Type error: {')):
            return 'a literal in braces for a descending column'
        refused = _NO_COLLECTION.match(cassandra[2]) or _NO_NUMBERS.match(cassandra[2])
        if refused and table and any(c.descending and c.name.strip('"') == refused['column'] for c in table.clustering):
            return 'a collection in descending order'
        if _SMALL_TIMESTAMP.search(cassandra[2]):
            return 'a small number for a timestamp in JSON'
        if cassandra[1] == 'SyntaxError' and _JSON_TIMES.match(str(statement.text)):
            return 'a column named json, times a number'
        refused = _REVERSED_CAST.match(cassandra[2])
        descending = [c.type for c in table.clustering if c.descending] if table else []
        if refused and widerow[0] == 'rows' and refused[1] in [t for _, _, t in widerow[1]] + descending:
            return 'CAST of a descending column to its own type'
        if widerow[0] == 'rows' and not widerow[2] and cassandra[2].startswith('Cannot page queries with both ORDER BY') and _BETWEEN.search(str(statement.text)):
            return 'whole numbers between two neighbours'
        if widerow[0] == 'rows' and table and any(c.descending for c in table.clustering) and cassandra[2].startswith('Ambiguous '):
            return 'a constant with operators for a descending column'
    if widerow[0] != 'error':
        unset = cassandra[0] == 'error' and cassandra[2].startswith('Invalid unset value for column')
        return 'an empty value in a list of tuples' if unset and _TUPLES_IN.search(str(statement.text)) and not _has_unset(statement) else None
    if table and any(c.descending for c in table.clustering) and cassandra[0] == 'error' and cassandra[2].startswith('Ambiguous ') \
            and widerow[2].startswith('Invalid null value in condition'):
        return 'a constant with operators for a descending column'
    if widerow[2].startswith('Expected 1 byte for a tinyint') and '0x' in str(statement.text):
        return 'a constant of bytes that is no tinyint'
    if (widerow[1] == 'FunctionFailure' or _NOT_LOOKED_AT.match(widerow[2])) and _not_applied(cassandra):
        return 'a condition or value that Cassandra does not evaluate'
    if _of_empty_key(widerow) and cassandra[0] == 'rows' and not cassandra[2] and 'token(' in str(statement.text):
        return 'an empty key beside a range of tokens'
    if _OF_A_ROW.match(widerow[2]) and cassandra[0] == 'rows' and _LIMITED_GROUPS.search(str(statement.text)):
        return 'a deleted row that ends the last group'
    if widerow[2].startswith('Range deletions are not supported for specific columns') and (cassandra[0] == 'done' or _of_empty_key(cassandra)):
        return 'a deletion of columns that names no rows'
    if widerow[1] == 'Invalid' and _NO_VALUE.match(widerow[2]) and '0x' in str(statement.text).lower():
        return 'a constant of bytes that is no value of its type'
    if _has_bound(statement) and widerow[1] == 'Invalid' and _NO_VALUE.match(widerow[2]):
        return 'bound bytes that are no value of their type'
    if cassandra[0] == 'rows' and widerow[2].startswith('Ambiguous ') and _EMPTY_BYTES.search(str(statement.text)):
        return 'a constant of no bytes as a number'
    braces = cassandra[0] == 'rows' or cassandra[0] == 'error' and cassandra[2].startswith('Cannot infer type for term {')
    if braces and widerow[2].startswith('Cannot restrict clustering columns when') and _BRACES.match(str(statement.text)):
        return 'a literal in braces beside static columns'
    if cassandra[0] != 'error' or _OF_A_ROW.match(cassandra[2]):
        null = re.match(r'(Unsupported|Invalid) null value (in condition )?for column', widerow[2])
        return 'a null bound in a slice' if null and _NULL_BOUND.search(str(statement.text)) else None
    if widerow[1] == cassandra[1] == 'SyntaxError':
        return 'the token at which a parser gives up'
    no_value = _has_bound(statement) and _NO_VALUE.match(cassandra[2]) or cassandra[1] == 'FunctionFailure'
    if widerow[2].startswith('Invalid tuple type literal for') and no_value:
        return 'a tuple for a user-defined type'
    if re.match(r'Column \S+ cannot be used as a map', cassandra[2]) and widerow[2].startswith('Indexes on list entries'):
        return 'a collection in descending order'
    ordered = '{' not in cassandra[2] and not _USED_TYPE.match(cassandra[2])
    if widerow[1] == cassandra[1] == 'Invalid' and not ordered and sorted(widerow[2].split('\n')[0]) == sorted(cassandra[2]):
        return 'names in the order of a hash table'
    if _NO_COLLECTION.match(cassandra[2]) and (_OF_RELATIONS.match(widerow[2]) or table and any(c.descending for c in table.clustering)):
        return 'a collection in descending order'
    if widerow[1] == 'SyntaxError' and _SYNTAX.match(widerow[2]) and _FOUND_BY_PARSER.match(cassandra[2]):
        return 'which of a second key or column and a syntax error'
    return next((reason for reason, theirs, ours in _ERRORS + _COMPARED_ALONE
                 if re.fullmatch(theirs, cassandra[2].split('\n')[0]) and re.fullmatch(ours, widerow[2].split('\n')[0])), None)


def _filters_static(text, table):
    condition = text.partition(' WHERE ')[2]
    return _FILTERING.search(text) and any(re.search(rf'(^|[ (]){re.escape(c.name)}[ \[]', condition) for c in table.static)


def _finds_static_element(text, table):
    """Returns True if WHERE has CONTAINS of a static set or CONTAINS KEY of a static map, and fixes the partition key."""
    condition = text.partition(' WHERE ')[2]
    partitions = all(re.search(rf'(^|AND ){re.escape(c.name)} (=|IN) ', condition) for c in table.partition)
    return partitions and any(f'{c.name} CONTAINS {"KEY " if c.type.startswith("map<") else ""}' in condition for c in table.static if c.is_multi_cell())


def _of_rows(statement, widerow, cassandra, table):
    """Returns the reason why two answers with rows may differ, or None."""
    names, others = ([name for _, name, _ in answer[1]] for answer in (widerow, cassandra))
    if table and table.expires and _lacks_rows_of_keys(widerow, cassandra, table):
        return 'a row of which only a cell that is not named is left'
    if names != others and sorted(names) == sorted(others) and not ''.join(names).isascii() and len(widerow[2]) == len(cassandra[2]):
        places = [names.index(name) for name in others]
        if [[row[i] for i in places] for row in widerow[2]] == cassandra[2]:
            return 'the order of columns whose names are not ASCII'
    if names == others == ['[json]'] and _same_documents(widerow[2], cassandra[2]):
        return 'the order of columns whose names are not ASCII'
    if names == others and 'cdc' in names and len(widerow[2]) == len(cassandra[2]):
        at = names.index('cdc')
        if all(row[:at] + row[at + 1:] == other[:at] + other[at + 1:] and other[at] is None for row, other in zip(widerow[2], cassandra[2])):
            return 'change data capture is off in Cassandra'
    if names == others and '[' in str(statement.text) and _with_empty_texts(widerow[2]) == cassandra[2]:
        return 'a null number in a list of the selectors, as JSON'
    early = any(value and _EARLY_TIMESTAMP.search(value) for row in widerow[2] for value in row)
    if names == others and early and _without_timestamps(widerow[2]) == _without_timestamps(cassandra[2]):
        return 'the text of a timestamp before the year 1'
    if names == others and _without_added_fields(widerow) == _without_added_fields(cassandra):
        return 'fields added later to the type of a key'
    if names[:1] == others[:1] == ['[applied]'] and _ELEMENT_IN_ORDER.search(str(statement.text)):
        return 'an element of a map, compared as a key'
    if _NULL_IN_LIST.search(str(statement.text)) and all(row in widerow[2] for row in cassandra[2]):
        return 'a null in an IN list of a filter'
    return None


def _lacks_rows_of_keys(widerow, cassandra, table):
    """Returns True if Widerow has fewer rows than Cassandra, and they differ only in rows whose columns are null but for key columns. At
    least one column must not be a key column."""
    keys = {c.name for c in (*table.partition, *table.clustering)}
    others = [i for i, (_, name, _) in enumerate(widerow[1]) if name not in keys]
    rows = [[row for row in answer[2] if any(row[i] for i in others)] for answer in (widerow, cassandra)]
    return bool(others) and rows[0] == rows[1] and len(widerow[2]) < len(cassandra[2])


def _without_added_fields(answer):
    """Returns the rows. Values of user-defined types do not have the nulls at their end."""
    of_types = [i for i, (_, _, cql_type) in enumerate(answer[1]) if _USER_TYPE.match(cql_type)]
    return [[_TRAILING_NULLS.sub(b'', value) if i in of_types and value else value for i, value in enumerate(row)] for row in answer[2]]


def _without_timestamps(rows):
    return [[_TIMESTAMP.sub(b'', value) if value else value for value in row] for row in rows]


def _with_empty_texts(rows):
    """Returns the rows. In JSON texts, the nulls inside of lists are empty texts."""
    return [[_NULLS.sub(b'""', value) if value and b'[' in value else value for value in row] for row in rows]


def _has_range_of_texts(text, table):
    """Returns True if WHERE has an index's column, and < or > of another column that is a text."""
    indexed = [column.name for column, _ in table.indexed]
    compared = [name for name, operator in re.findall(r'("[^"]+"|\w+) (=|[<>]=?|LIKE) ', text.partition(' WHERE ')[2])]
    ranges = [c.name for c in table.columns() if c.type in ('text', 'ascii') and re.search(rf'(WHERE|AND) {re.escape(c.name)} [<>]', text)]
    return any(name in indexed for name in compared) and any(name not in indexed or len(set(compared)) > 1 for name in ranges)


def _by_user_type(text, table):
    """Returns True if WHERE has an index's column with a user-defined type that ALTER TYPE has changed."""
    where = text.partition(' WHERE ')[2]
    changed = len(table.fields) > 2
    return changed and any(table.udt in column.type and re.search(rf'{re.escape(column.name)} (CONTAINS|=)', where) for column, _ in table.indexed)


def _same_documents(rows, others):
    """Returns True if rows of JSON texts with names beyond ASCII differ only in the order of the members."""
    if len(rows) != len(others) or b''.join(text for [text] in rows).isascii():
        return False
    members = [[sorted(json.loads(text).items(), key=lambda member: member[0]) for [text] in each] for each in (rows, others)]
    return repr(members[0]) == repr(members[1])


def _has_bound(statement):
    return any(isinstance(value, bytes) for value in _bound(statement))


def _has_unset(statement):
    return any(value is UNSET for value in _bound(statement))


def _bound(statement):
    return statement.values if statement.how != 'batch' else [value for _, bound, _ in statement.text[1] for value in bound]


def _not_applied(answer):
    """Returns True for the answer of a conditional statement whose condition does not hold."""
    return answer[0] == 'rows' and bool(answer[1]) and answer[1][0][1] == '[applied]' and answer[2][0][0] == b'\0'


def never_compared(cassandra):
    """Returns True if a single answer cannot be recorded: it is Cassandra's own fault, or its difference is accepted."""
    if cassandra[0] == 'pages':
        return any(map(never_compared, cassandra[1]))
    if failed(cassandra) or _of_empty_key(cassandra):
        return True
    return cassandra[0] == 'error' and (cassandra[1] == 'SyntaxError' or any(re.fullmatch(theirs, cassandra[2].split('\n')[0]) for _, theirs, _ in _ERRORS))


def _counts_fewer(widerow, cassandra):
    """Returns True if both answers are one row of aggregates, and no count of Widerow's is greater than that of Cassandra's."""
    names = [name for _, name, _ in widerow[1] or ()]
    if not all(_AGGREGATE.search(name) for name in names) or not len(widerow[2]) == len(cassandra[2]) == 1:
        return False
    counts = [i for i, name in enumerate(names) if 'count(' in name or name == 'count']
    return all(int.from_bytes(widerow[2][0][i], 'big') <= int.from_bytes(cassandra[2][0][i], 'big') for i in counts)


def _of_empty_key(answer):
    """Returns True for a SELECT of an empty key that can match no row: the servers find these two facts in different order."""
    return answer[0] == 'error' and 'Key may not be empty' in answer[2]


def failed(answer):
    """Returns True if the peer has failed by its own fault, so that there is nothing to compare. Widerow's faults are differences."""
    if answer[0] == 'pages':
        return any(map(failed, answer[1]))
    # Cassandra sometimes refuses a paging state that it has given out itself.
    return answer[0] == 'error' and (answer[1] in _FAILURES or answer[2] == 'Invalid value for the paging state')
