#!/usr/bin/env python3
"""Fails if an include points up. Each folder may include only the folders below it, and some libraries' headers may be
included in one place only. Runs as the test `tree_includes`."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Folder -> the project's folders that it may include. `widerow` is include/widerow/, the public API.
MAY_INCLUDE = {
    'base': set(),
    'types': {'base'},
    'parser': {'base', 'types'},
    'planner': {'base', 'types', 'parser'},
    'advise': {'base', 'types', 'parser', 'planner'},
    'storage': {'base', 'types'},
    'exec': {'base', 'types', 'parser', 'planner', 'advise', 'storage'},
    'net': {'base', 'types', 'parser', 'exec', 'storage', 'planner', 'advise'},
    'embedded': {'base', 'types', 'parser', 'planner', 'storage', 'exec', 'net', 'widerow'},
    'shell': {'base', 'types', 'parser', 'planner', 'storage', 'exec', 'net', 'widerow'},
    'server': {'base', 'types', 'parser', 'planner', 'storage', 'exec', 'net', 'shell', 'widerow'},
    'include': {'widerow'},
}
# Header -> the only places that may include it.
CONFINED = {
    r'lmdb\.h': r'^(storage/lmdb/|bench/)',
    r'antlr4-runtime\.h|Cql(Lexer|Parser)\.h': r'^parser/',
    r'boost/(asio|beast)(/|\.hpp).*': r'^(net/|server/|shell/|embedded/)',
    r'histedit\.h|editline/.*': r'^shell/',
    r'CLI/.*': r'^(server|shell)/',
}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)


def check_file(path):
    name = path.relative_to(ROOT).as_posix()
    folder = name.split('/')[0]
    for header in INCLUDE.findall(path.read_text(encoding='utf-8')):
        target = header.split('/')[0]
        if folder in MAY_INCLUDE and target in (MAY_INCLUDE.keys() | {'widerow'}) and '/' in header:
            if target != folder and target not in MAY_INCLUDE[folder] and not (folder == 'include' and target == 'widerow'):
                yield f'{name}: {folder} must not include {header}'
        for pattern, places in CONFINED.items():
            if re.fullmatch(pattern, header) and not re.search(places, name) and not name.startswith('tests/'):
                yield f'{name}: {header} belongs to {places}'


def main():
    problems = [problem for folder in [*MAY_INCLUDE, 'bench'] for suffix in ('*.h', '*.cc')
                for path in sorted((ROOT / folder).rglob(suffix)) for problem in check_file(path)]
    print('\n'.join(problems) or 'all includes point down')
    sys.exit(1 if problems else 0)


if __name__ == '__main__':
    main()
