#!/usr/bin/env python3
"""application_test.py tests how application.py reads the lines that a project prints, and when it fails."""
import pathlib
import sys
import tempfile
import unittest

from application import judge, run_project, without_groups


class FakeServer:
    cql, http = '127.0.0.1:1', '127.0.0.1:2'

    class process:
        pid = 3

    def __init__(self):
        self.calls = []

    def stop(self):
        self.calls.append('stop')
        return True

    def start(self):
        self.calls.append('start')


class ApplicationTest(unittest.TestCase):
    def run_script(self, text):
        with tempfile.TemporaryDirectory() as directory:
            script = pathlib.Path(directory) / 'run'
            script.write_text(f'#!/bin/sh\n{text}\n', encoding='utf-8')
            script.chmod(0o755)
            server = FakeServer()
            return (*run_project(pathlib.Path(directory), server), server)

    def test_lines(self):
        status, verdicts, skipped, clean, _ = self.run_script('echo "ok a/b 0.1s"; echo "FAIL c: why"; echo "not-run d: e"; echo "okay f"; echo "$@"; exit 1')
        self.assertEqual((status, skipped, clean), (1, None, True))
        self.assertEqual(verdicts, {'a/b': 'ok', 'c': 'FAIL', 'd': 'not-run'})

    def test_restart(self):
        _, verdicts, _, _, server = self.run_script('echo RESTART; read answer; echo "ok $answer"')
        self.assertEqual((verdicts, server.calls), ({'GO': 'ok'}, ['stop', 'start']))

    def test_skip(self):
        status, verdicts, skipped, _, _ = self.run_script('echo "skip no network"; exit 77')
        self.assertEqual((status, verdicts, skipped), (77, {}, 'no network'))

    def test_one_name_twice(self):
        self.assertEqual(self.run_script('echo "ok a"; echo "FAIL a: why"')[1], {'a': 'FAIL'})

    def test_groups_are_not_counted(self):
        self.assertEqual(without_groups({'a': 'ok', 'a/b': 'ok', 'a/b/c': 'ok', 'd': 'FAIL', 'd/e': 'FAIL', 'f': 'ok'}),
                         {'a/b/c': 'ok', 'd': 'FAIL', 'd/e': 'FAIL', 'f': 'ok'})

    def test_judge(self):
        self.assertEqual(list(judge(0, {'a': 'ok', 'b': 'not-run'}, 1)), [])
        self.assertEqual(list(judge(1, {'a': 'ok'}, 1)), ['the project ended with status 1'])
        self.assertEqual(list(judge(0, {'a': 'ok', 'b': 'FAIL'}, 1)), ['b'])
        self.assertEqual(list(judge(0, {'a': 'ok', 'b': 'not-run'}, 2)), ['1 tests passed, at least 2 should'])


if __name__ == '__main__':
    sys.exit(unittest.main())
