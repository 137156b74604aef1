"""Differences that are accepted (docs/reference/cql-support.md has the reasons), and answers of the peer that cannot be compared."""
_TYPES = {"'org.apache.cassandra.db.marshal.LegacyTimeUUIDType'": 'timeuuid'}  # min and max of a timeuuid.
# Faults and delays of a server; they are no answers to a statement.
_FAILURES = ('ServerError', 'ReadFailure', 'WriteFailure', 'ReadTimeout', 'WriteTimeout', 'OperationTimedOut', 'Overloaded')


def normal(answer):
    """Returns an answer of either server without the parts that may differ, for comparison. Errors are compared by class; their
    texts are compared elsewhere (tests/data/refusals)."""
    if answer[0] == 'error':
        return answer[:2]
    if answer[0] == 'rows':
        return ('rows', answer[1], [_TYPES.get(name, name) for name in answer[2]], answer[3])
    return answer


def explained(widerow, cassandra):
    """Returns True if the difference of two answers is accepted."""
    return _of_empty_key(cassandra) and widerow[0] == 'rows' and not any(any(value and any(value) for value in row) for row in widerow[3])


def never_compared(cassandra):
    """Returns True if a single answer cannot be recorded: it is Cassandra's own fault, or its difference is accepted."""
    return failed(cassandra) or _of_empty_key(cassandra)


def _of_empty_key(answer):
    """Returns True for a SELECT of an empty key that can match no row: the servers find these two facts in different order."""
    return answer[0] == 'error' and 'Key may not be empty' in answer[2]


def failed(answer):
    """Returns True if the peer has failed by its own fault, so that there is nothing to compare. Widerow's faults are differences."""
    return answer[0] == 'error' and answer[1] in _FAILURES
