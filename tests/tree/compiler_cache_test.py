#!/usr/bin/env python3
"""compiler_cache_test.py COMPILER [LAUNCHER WORD…]: a build with a used compiler cache is right after a comment changed.

A precompiled header stores a checksum of each header in it, which `#pragma once` compares. If only a comment changes,
the preprocessor's output stays the same. A cache that compares this output returns the precompiled header of the old
text, and the compiler then reads the changed header a second time. Without a launcher the test is skipped.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

COMPILER, LAUNCHER = sys.argv[1], sys.argv[2:]
SKIPPED = 77


class CompilerCacheTest(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.tree = pathlib.Path(made.name) / 'tree'
        self.build_folder = self.tree / 'build'
        self.build_folder.mkdir(parents=True)
        self.environment = {**os.environ, 'CCACHE_DIR': made.name + '/cache', 'CCACHE_NOHASHDIR': '1',
                            'CCACHE_BASEDIR': str(self.tree)}
        (self.build_folder / 'pch.hxx').write_text(f'#include "{self.tree}/a.h"\n')
        (self.build_folder / 'pch.hxx.cxx').write_text('')

    def compile(self, output, *arguments):
        done = subprocess.run([*LAUNCHER, COMPILER, f'-I{self.tree}', '-Winvalid-pch', *arguments, '-MD', '-MT', output,
                               '-MF', output + '.d', '-o', output], cwd=self.build_folder, env=self.environment,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def build(self, comment, returned):
        (self.tree / 'a.h').write_text(f'#pragma once\n// {comment}\nstruct A {{ int x; }};\n')
        (self.tree / 'b.cc').write_text(f'#include "a.h"\nint F() {{ return A{{{returned}}}.x; }}\n')
        time.sleep(1.1)  # ccache stores nothing that is compiled from a file of the same second.
        (self.build_folder / 'pch.hxx.gch').unlink(missing_ok=True)
        header = self.build_folder / 'pch.hxx'
        self.compile('pch.hxx.gch', '-x', 'c++-header', '-include', str(header), '-c', 'pch.hxx.cxx')
        self.compile('b.o', '-include', str(header), '-c', str(self.tree / 'b.cc'))

    def test_comment_of_a_precompiled_header(self):
        self.build('One text.', 1)
        self.build('Another text, which is longer.', 2)


if __name__ == '__main__':
    if not any('ccache' in word for word in LAUNCHER):
        print('no compiler cache')
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1])
