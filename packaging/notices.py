#!/usr/bin/env python3
"""notices.py debian|portable: prints the notices that a binary package must carry.

These are NOTICE, the licence of LMDB, and the copyright files of Debian's packages of the libraries in the binary. `debian`: the libraries
that the program of the Debian package has in itself. `portable`: all libraries, as in the tarball and the wheel."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
DEBIAN = ('libabsl-dev', 'libantlr4-runtime-dev', 'libboost1.81-dev', 'libcli11-dev', 'libspdlog-dev', 'libfmt-dev',
          'libprotobuf-dev', 'libthrift-dev', 'libboost-json1.81-dev', 'libsnappy-dev', 'libedit-dev', 'libbsd-dev', 'libmd-dev',
          'libicu-dev', 'libstemmer-dev', 'uuid-dev')
PORTABLE = (*DEBIAN, 'libxxhash-dev', 'liblz4-dev', 'zlib1g-dev', 'libssl-dev', 'libncurses-dev', 'libcrypt-dev',
            'libstdc++-12-dev')


def copyright_of(package):
    text = pathlib.Path(f'/usr/share/doc/{package}/copyright').read_text(encoding='utf-8', errors='replace')
    # Boost's file has two megabytes about all of its libraries, which have one licence. Only the licence is printed.
    return text if not package.startswith('libboost') else re.search(r'^License: BSL-1\.0\n(?: .*\n)+', text, re.M).group()


def main():
    packages = {'debian': DEBIAN, 'portable': PORTABLE}[sys.argv[1]]
    print((ROOT / 'NOTICE').read_text())
    for name in ('COPYRIGHT', 'LICENSE'):
        print(f'{"-" * 78}\nLMDB, {name}\n{"-" * 78}\n\n' + (ROOT / 'third_party/lmdb' / name).read_text())
    for package in packages:
        print(f'{"-" * 78}\n{package}\n{"-" * 78}\n\n{copyright_of(package)}')


if __name__ == '__main__':
    main()
