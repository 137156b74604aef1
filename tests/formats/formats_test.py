#!/usr/bin/env python3
"""Opens data directories that earlier versions have written (tests/data/formats), and compares what they have with what was
written into them. `version-N-closed` was closed, and the process of `version-N-killed` was killed, so its writes are in the
commit log only. To add a format: run fill.cql with the last program that writes it, and pack the directory.

tests/unit/storage/open_test.cc tests that a newer format is refused."""
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent.parent / 'data' / 'formats'


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def check_one(program, archive, directory):
    name = archive.name.removesuffix('.tar.gz')
    with tarfile.open(archive) as tar:
        tar.extractall(directory)
    data = directory / name
    wrong = []
    code, out, errors = run(program, 'check', '--data', data)
    if code != 0:
        wrong.append(f'{name}: check says: {out}{errors}')
    code, out, errors = run(program, 'backup', '--data', data, '--to', directory / f'{name}-backup')
    if code != 0:
        wrong.append(f'{name}: backup says: {errors}')
    code, out, errors = run(program, 'restore', '--from', directory / f'{name}-backup', '--to', directory / f'{name}-restored')
    if code != 0:
        wrong.append(f'{name}: restore says: {errors}')
    for place in (data, directory / f'{name}-restored'):
        code, out, errors = run(program, 'shell', '--data', place, '-f', FOLDER / 'ask.cql', '--format', 'csv')
        if code != 0 or out != (FOLDER / 'answers.csv').read_text():
            wrong.append(f'{place.name} has other rows: {errors}{out}')
    return wrong


def main():
    program = sys.argv[1]
    directory = pathlib.Path(tempfile.mkdtemp(prefix='widerow-formats-'))
    try:
        archives = sorted(FOLDER.glob('version-*.tar.gz'))
        wrong = [] if archives else ['there are no directories of earlier versions']
        for archive in archives:
            wrong += check_one(program, archive, directory)
        code, out, _ = run(program, '--version')
        if 'reads data formats' not in out:
            wrong.append(f'--version does not say which formats are read: {out}')
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    print('\n'.join(wrong) if wrong else f'{len(archives)} directories of earlier versions are read')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
