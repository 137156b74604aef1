"""Differences that are meant, each with its reason in docs/cql-support.md. None at present."""


def why(statement, widerow):
    """The reason why Widerow's answer to the statement may differ, or None."""
    return None
