#!/usr/bin/env python3
"""make_seeds.py DIRECTORY DICTIONARY: writes the inputs with which connection_fuzz begins, and its dictionary.

The inputs are statements of tests/cql, a few in each input, in the form in which connection_fuzz.cc reads messages. Others have an
EXECUTE of each prepared statement of connection_fuzz.cc. The dictionary has the lexer's keywords. The folder
tests/fuzz/seeds/connection has other inputs, which a real driver has sent."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
STATEMENTS_AN_INPUT = 4
STATEMENT_BYTES_MAX = 400
QUERY, PREPARE, EXECUTE = b"\x01", b"\x02", b"\x03"
RUN = b"\x05\x00"
NO_PARAMETERS = b"\x00\x00"


def statements(path):
    """Yields the statements of one script: the lines after `exec`, `query` or `error` of each block, up to `----` or an empty line."""
    text = path.read_text(encoding="utf-8")
    for block in re.split(r"\n\s*\n", text):
        lines = block.split("\n")
        while lines and lines[0].startswith("#"):
            lines.pop(0)
        if not lines or lines[0].split(" ")[0] not in ("exec", "query", "error"):
            continue
        body = "\n".join(lines[1:]).split("\n----")[0]
        for statement in body.split(";\n"):
            statement = statement.strip().encode()
            if 0 < len(statement) <= STATEMENT_BYTES_MAX:
                yield statement


def main():
    directory, dictionary = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    directory.mkdir(parents=True, exist_ok=True)
    versions = [bytes([version + compressed]) for version in (0, 1, 2) for compressed in (0, 4)]
    count = 0
    for path in sorted((ROOT / "tests/cql").glob("*/*.cql")):
        found = list(statements(path))
        create = b"USE e"  # The last CREATE TABLE so far. The next statements probably use its table.
        for first in range(0, len(found), STATEMENTS_AN_INPUT):
            some = found[first:first + STATEMENTS_AN_INPUT]
            parts = [QUERY + statement + b"\0" + NO_PARAMETERS + RUN for statement in [b"USE e", create] + some]
            create = ([create] + [statement for statement in some if statement.upper().startswith(b"CREATE TABLE")])[-1]
            data = versions[count % len(versions)] + b"".join(parts)
            (directory / f"cql_{count}").write_bytes(data)
            count += 1
    value = b"\x04\x00\x00\x00\x01"
    for which in range(32):
        for values in range(6):
            execute = EXECUTE + bytes([which, 6, 1, values]) + value * values + RUN
            data = versions[values] + execute + execute  # The second EXECUTE continues after the last row of the first one's page.
            (directory / f"execute_{which}_{values}").write_bytes(data)
    keywords = re.findall(r"^K_\w+: (.+);", (ROOT / "grammar/CqlLexer.g4").read_text(), re.M)
    words = {alternative.replace(" ", "") for rule in keywords for alternative in rule.split("|")}
    dictionary.write_text("".join(f'"{word} "\n' for word in sorted(words) if re.fullmatch(r"[A-Z_]+", word)))


main()
