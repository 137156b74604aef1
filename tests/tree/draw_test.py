#!/usr/bin/env python3
"""Tests scripts/draw_for_reading.py: it finds every comment, and a seed draws the same each time."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'scripts'))
from draw_for_reading import comment_blocks, draw, tracked  # noqa: E402

TEXT = '''// First,
// in two lines.
#pragma once
int a = 0;  // Behind code.
const char* url = "http://host";
  // Alone.
}  // namespace widerow
'''


class DrawTest(unittest.TestCase):
    def test_comments(self):
        found = comment_blocks(TEXT)
        self.assertEqual([at for at, _ in found], [1, 4, 6])
        self.assertEqual(found[0][1], ['// First,', '// in two lines.'])

    def test_seed_draws_the_same(self):
        names = tracked()
        pages, blocks = draw(names, 7, 40, 10)
        self.assertEqual((pages, blocks), draw(names, 7, 40, 10))
        self.assertNotEqual((pages, blocks), draw(names, 8, 40, 10))
        self.assertEqual((len(set(pages)), len({block[:2] for block in blocks})), (10, 40))


if __name__ == '__main__':
    unittest.main()
