#!/usr/bin/env python3
"""Prints figures of the tree's shape, as a Markdown table: lines of files and functions, and rooms that include each other.

    tree_figures.py [--write]    --write stores the table in docs/internals/architecture.md, between two comments

Tests and measuring programs do not count. The lines of a function are those from its signature to its closing brace."""
import re
import statistics
import sys

from check_includes import INCLUDE, MAY_INCLUDE, ROOT, room_arrows, room_of

PAGE = ROOT / 'docs' / 'internals' / 'architecture.md'
BEGIN, END = '<!-- tree figures -->', '<!-- end of tree figures -->'
LONG_FUNCTION = 70
SIGNATURE = re.compile(r'[A-Za-z~].*\) ?(const ?)?(noexcept ?)?(override ?)?(: .*)?{$')


def functions(text):
    """Returns the number of lines of each function of a .cc file. It relies on the tree's format: the opening brace of a function is
    the last character of a line, and the closing brace is in the column in which the function begins."""
    start = None
    for number, line in enumerate(text.splitlines(), 1):
        if start is None and SIGNATURE.match(line):
            start = number
        elif start is not None and line == '}':
            yield number - start + 1
            start = None
    for match in re.finditer(r'^[A-Za-z].*\) ?(?:const ?)?{ .* }$', text, re.M):
        yield 1


def p90(values):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(0.9 * len(ordered)))] if ordered else 0


def row(name, folders):
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob('*')) if path.suffix in ('.h', '.cc')]
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding='utf-8') for path in paths}
    sources = sorted(len(text.splitlines()) for file, text in texts.items() if file.endswith('.cc'))
    headers = sorted(len(text.splitlines()) for file, text in texts.items() if file.endswith('.h'))
    bodies = [lines for file, text in texts.items() if file.endswith('.cc') for lines in functions(text)]
    long = sum(lines > LONG_FUNCTION for lines in bodies)
    arrows = room_arrows({file: INCLUDE.findall(text) for file, text in texts.items()})
    rooms = {room_of(file) for file in texts}
    pairs = {frozenset((a, b)) for a in arrows for b in arrows[a]}
    both = sum(b in arrows.get(a, ()) and a in arrows.get(b, ()) for a, b in map(tuple, pairs))
    return (f'| {name} | {statistics.median(sources):.0f} / {p90(sources):.0f} / {sources[-1]:,} '
            f'| {statistics.median(headers):.0f} / {p90(headers):.0f} '
            f'| {statistics.median(bodies):.0f} / {p90(bodies):.0f} / {100 * long / len(bodies):.1f} % '
            f'| {len(rooms)} | {both} of {len(pairs)} |')


def table():
    folders = [folder for folder in MAY_INCLUDE if folder != 'include']
    lines = ['| folder | .cc lines: median / p90 / largest | header: median / p90 '
             f'| function: median / p90 / over {LONG_FUNCTION} | rooms | pairs of rooms that include each other |',
             '|---|---|---|---|---|---|', row('all', folders)]
    return '\n'.join([*lines, *(row(f'`{folder}/`', [folder]) for folder in folders)])


def main():
    if '--write' not in sys.argv[1:]:
        print(table())
        return
    text = PAGE.read_text(encoding='utf-8')
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    PAGE.write_text(f'{before}{BEGIN}\n{table()}\n{END}{after}', encoding='utf-8')


if __name__ == '__main__':
    main()
