#!/usr/bin/env python3
"""link_portable.py ICU_DATA COMMAND…: runs a command that links a program, with static libraries in place of shared ones.

The program then needs only the C library, so it runs on each Linux with glibc 2.34 or newer. CMake runs this script in front of the
link command of the target widerow_portable (packaging/CMakeLists.txt). ICU_DATA is an object file that replaces ICU's data
(packaging/cut_icu_data.sh). Fails if a library has no static form."""
import os
import pathlib
import re
import sys

SHARED = re.compile(r'(/.*/lib[^/]+?)\.so[\d.]*$')
# Parts of the C library. -l:NAME is the name of a file.
KEPT = ('m', 'c', 'dl', 'rt', 'pthread')
# A shared library names the libraries that it needs, but a static one does not. They are listed here. Without an entry, the linker
# reports missing symbols.
NEEDED_BY = {'libedit': ['-l:libtinfo.a', '-l:libbsd.a', '-l:libmd.a']}


def static_form(argument, icu_data):
    """Returns the arguments in place of one argument."""
    shared = SHARED.match(argument)
    if shared is None:
        # Libraries that are named without their paths.
        return ['-l:lib' + argument[2:] + '.a'] if re.fullmatch(r'-l[^:]+', argument) and argument[2:] not in KEPT else [argument]
    name = os.path.basename(shared[1])
    if name == 'libicudata':
        return [icu_data]
    archive = pathlib.Path(shared[1] + '.a')
    if not archive.is_file():
        sys.exit(f'link_portable.py: {argument} has no static form ({archive})')
    return [str(archive), *NEEDED_BY.get(name, [])]


def main():
    icu_data, command = sys.argv[1], sys.argv[2:]
    linked = [part for argument in command for part in static_form(argument, icu_data)]
    os.execvp(linked[0], [*linked, '-static-libstdc++', '-static-libgcc'])


if __name__ == '__main__':
    main()
