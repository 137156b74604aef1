#!/usr/bin/env python3
"""Draws comments and pages at random and prints them, for somebody who reads each of them once.

    draw_for_reading.py --seed N [--blocks 40] [--pages 10]

One reading of a comment or of a page should be enough for a stranger. A comment of the .h and .cc files is printed with
its place and the three lines of code that follow it. Pages are README.md, DEVELOPERS.md and those of docs/. In the same tree,
a seed always draws the same. Count what needs a second reading, rewrite it, and look for the same fault elsewhere."""
import argparse
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'tests' / 'tree'))
from tracked_files import ROOT, tracked  # noqa: E402

CONTEXT_LINES = 3
FULL_LINE = re.compile(r'\s*//')
TRAILING = re.compile(r'\S.*  //')
# Comments for tools and the ends of namespaces are not read as prose.
NOT_PROSE = re.compile(r'}  // namespace|// NOLINT|// clang-format')


def comment_blocks(text):
    """Returns (line number, lines) of each comment: the `//` lines that follow each other, or a line with code and `//`."""
    lines = text.splitlines()
    blocks = []
    number = 0
    while number < len(lines):
        begin = number
        while number < len(lines) and FULL_LINE.match(lines[number]):
            number += 1
        if number > begin:
            blocks.append((begin + 1, lines[begin:number]))
            continue
        if TRAILING.search(lines[number]):
            blocks.append((number + 1, [lines[number]]))
        number += 1
    return [(at, block) for at, block in blocks if not NOT_PROSE.search(block[0])]


def draw(names, seed, blocks, pages):
    """Returns the names of pages and the comments as (file, line number, lines) that `seed` draws, both sorted."""
    found = [(name, *block) for name in names if name.endswith(('.h', '.cc'))
             for block in comment_blocks((ROOT / name).read_text(encoding='utf-8'))]
    documents = [name for name in names if name.endswith('.md') and (name.startswith('docs/') or '/' not in name)]
    dice = random.Random(seed)
    drawn_pages = sorted(dice.sample(documents, min(pages, len(documents))))
    return drawn_pages, sorted(dice.sample(found, min(blocks, len(found))))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--seed', type=int, required=True)
    parser.add_argument('--blocks', type=int, default=40, help='number of comments (default: %(default)s)')
    parser.add_argument('--pages', type=int, default=10, help='number of pages (default: %(default)s)')
    options = parser.parse_args()
    pages, blocks = draw(tracked(), options.seed, options.blocks, options.pages)
    for name, at, block in blocks:
        code = (ROOT / name).read_text(encoding='utf-8').splitlines()[at - 1 + len(block):][:CONTEXT_LINES]
        print('\n'.join([f'=== {name}:{at}', *block, *(f'    | {line}' for line in code), '']))
    for name in pages:
        print(f'=== {name}\n{(ROOT / name).read_text(encoding="utf-8")}')


if __name__ == '__main__':
    main()
