"""Differences that are meant, each with its reason in docs/cql-support.md."""
_TYPES = {"'org.apache.cassandra.db.marshal.LegacyTimeUUIDType'": 'timeuuid'}  # min and max of a timeuuid.


def normal(answer):
    """The answer, of either server, without what may differ: two are the same if these are. Of errors the class counts; their texts
    are compared elsewhere (tests/data/refusals)."""
    if answer[0] == 'error':
        return answer[:2]
    if answer[0] == 'rows':
        return ('rows', answer[1], [_TYPES.get(name, name) for name in answer[2]], answer[3])
    return answer
