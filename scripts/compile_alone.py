#!/usr/bin/env python3
"""Compiles each source file and each header of the project by itself, without precompiled headers. So it finds files that do not
include what they use. The usual builds do not find them, because they compile several files together.

    compile_alone.py [-j N] [FOLDER…]    folders of the tree (default: all)

Configures build/separate and generates the parser there. Prints the first errors of each file that fails."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / 'build' / 'separate'
HEADER_FOLDERS = ('base', 'types', 'parser', 'planner', 'advise', 'storage', 'exec', 'net', 'embedded', 'shell', 'server')


def commands():
    """Returns file -> arguments of the compiler, without the arguments for output files."""
    subprocess.run(['cmake', '--preset', 'separate'], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(['cmake', '--build', BUILD, '--target', 'widerow_grammar'], check=True, stdout=subprocess.DEVNULL)
    out = {}
    for entry in json.loads((BUILD / 'compile_commands.json').read_text()):
        path = pathlib.Path(entry['file'])
        if BUILD in path.parents:
            continue
        words = shlex.split(entry['command'])
        while '=' in words[0] or words[0] in ('-E', 'env') or words[0].endswith(('ccache', 'cmake')):
            words.pop(0)  # A launcher, such as ccache, and its settings come before the compiler.
        at = words.index('-o')
        del words[at:at + 2]
        words = [word for word in words if word not in ('-c', entry['file'])]
        out[path.relative_to(ROOT).as_posix()] = words
    return out


def headers(sources):
    """Returns header -> the arguments with which a source file of its folder is compiled."""
    for path in sorted(ROOT.rglob('*.h')):
        name = path.relative_to(ROOT).as_posix()
        folder = name.split('/')[0]
        if folder not in HEADER_FOLDERS:
            continue
        example = next((words for source, words in sources.items() if source.startswith(folder + '/')), None)
        if example is not None:
            yield name, example


def check(name, words):
    kind = ['-x', 'c++'] if name.endswith('.h') else []
    done = subprocess.run([*words, '-Wno-pragma-once-outside-header', '-fsyntax-only', *kind, str(ROOT / name)], cwd=BUILD,
                          capture_output=True, text=True, check=False)
    errors = [line for line in done.stderr.splitlines() if 'error' in line]
    return name, done.returncode, errors[:3]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folders', nargs='*')
    parser.add_argument('-j', type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    sources = commands()
    work = [*sources.items(), *headers(sources)]
    if arguments.folders:
        work = [(name, words) for name, words in work if name.startswith(tuple(folder.rstrip('/') + '/' for folder in arguments.folders))]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        for name, code, errors in pool.map(lambda one: check(*one), work):
            if code != 0:
                failed += 1
                print('\n  '.join([name, *errors]))
    print(f'{len(work)} files compiled alone, {failed} failed')
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
