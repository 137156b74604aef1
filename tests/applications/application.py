#!/usr/bin/env python3
"""application.py WIDEROW PROJECT TESTS_MIN: runs one application's project against a fresh server.

tests/applications/README.md describes projects. The script starts `WIDEROW serve` on an empty data directory and any free port, and
runs PROJECT/run HOST PORT http=HOST:PORT pid=PID. It restarts the server when the project asks for this, and stops it at the end. It
prints how many tests ran and failed. It fails if a test failed, or if fewer than TESTS_MIN tests passed. If a toolchain or a package
is missing, it prints a line that says so and ends with status 77."""
import argparse
import os
import pathlib
import pwd
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'drivers'))
from harness import SKIPPED, Server, skip  # noqa: E402


def run_project(project, server):
    """Returns (status, test -> verdict, reason of a skip, True if all restarts were clean)."""
    host, port = server.cql.rsplit(':', 1)
    command = [project / 'run', host.strip('[]'), port, f'http={server.http}', f'pid={server.process.pid}']
    verdicts, skipped, clean = {}, None, True
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, errors='replace') as process:
        for line in process.stdout:
            print(line, end='', flush=True)
            if line == 'RESTART\n':
                clean = server.stop() and clean
                server.start()
                process.stdin.write('GO\n')
                process.stdin.flush()
            elif match := re.match(r'(ok|FAIL|not-run) ([^\s:]+)', line):
                verdict, test = match.groups()
                verdicts[test] = 'FAIL' if verdicts.get(test, verdict) != verdict else verdict
            elif line.startswith('skip '):
                skipped = line[5:].strip()
        status = process.wait()
    return status, verdicts, skipped, clean


def without_groups(verdicts):
    """Leaves out each passed test that has parts, because Go reports the parts as tests of their own."""
    groups = {test[:end.start()] for test in verdicts for end in re.finditer('/', test)}
    return {test: verdict for test, verdict in verdicts.items() if test not in groups or verdict == 'FAIL'}


def judge(status, verdicts, tests_min):
    """Returns the faults of a project's run, one sentence for each."""
    if status != 0:
        yield f'the project ended with status {status}'
    for test, verdict in verdicts.items():
        if verdict == 'FAIL':
            yield test
    if (passed := list(verdicts.values()).count('ok')) < tests_min:
        yield f'{passed} tests passed, at least {tests_min} should'


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('widerow', type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument('project', type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument('tests_min', type=int)
    options = parser.parse_args()

    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix='widerow-applications-') as directory:
        server = Server(options.widerow, directory)
        server.start()
        try:
            status, verdicts, skipped, clean = run_project(options.project, server)
        finally:
            stopped = server.stop()
    if status == SKIPPED and skipped and not verdicts:
        skip(f'{options.project.name}: {skipped}')
    verdicts = without_groups(verdicts)
    problems = list(judge(status, verdicts, options.tests_min))
    if not clean or not stopped:
        problems.append('the server did not end cleanly')
    for problem in problems:
        print(f'FAILED: {problem}')
    counts = {verdict: list(verdicts.values()).count(verdict) for verdict in ('ok', 'FAIL', 'not-run')}
    print(f'{options.project.name}: {counts["ok"] + counts["FAIL"]} tests run, {counts["FAIL"]} failed, {counts["not-run"]} not run, '
          f'{time.monotonic() - begin:.0f} s')
    sys.exit(1 if problems else 0)


if __name__ == '__main__':
    os.environ.setdefault('HOME', pwd.getpwuid(os.getuid()).pw_dir)  # Toolchains keep their packages there.
    main()
