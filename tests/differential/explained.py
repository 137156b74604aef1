"""Differences that are meant. Each has its reason in docs/cql-support.md."""

count = 0


def why(statement, generator, widerow, cassandra):
    """The reason, or None."""
    return None
