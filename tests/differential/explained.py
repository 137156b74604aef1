"""What may differ, each with its reason in docs/reference/cql-support.md, and which of the peer's answers say nothing."""
_TYPES = {"'org.apache.cassandra.db.marshal.LegacyTimeUUIDType'": 'timeuuid'}  # min and max of a timeuuid.
# Faults and delays of a server's own, not answers to a statement.
_FAILURES = ('ServerError', 'ReadFailure', 'WriteFailure', 'ReadTimeout', 'WriteTimeout', 'OperationTimedOut', 'Overloaded')


def normal(answer):
    """The answer, of either server, without what may differ: two are the same if these are. Of errors the class counts; their texts
    are compared elsewhere (tests/data/refusals)."""
    if answer[0] == 'error':
        return answer[:2]
    if answer[0] == 'rows':
        return ('rows', answer[1], [_TYPES.get(name, name) for name in answer[2]], answer[3])
    return answer


def explained(widerow, cassandra):
    """Whether two answers that are not the same may stand beside each other."""
    return _of_empty_key(cassandra) and widerow[0] == 'rows' and not any(any(value and any(value) for value in row) for row in widerow[3])


def never_compared(cassandra):
    """Whether an answer has to be left out where there is but one to look at: Cassandra's own fault, or one to be explained."""
    return failed(cassandra) or _of_empty_key(cassandra)


def _of_empty_key(answer):
    """A SELECT of an empty key that can match no row: which of both is noticed first differs."""
    return answer[0] == 'error' and 'Key may not be empty' in answer[2]


def failed(answer):
    """Whether the peer has answered with a fault of its own: there is nothing to compare with. Widerow's own faults are differences."""
    return answer[0] == 'error' and answer[1] in _FAILURES
