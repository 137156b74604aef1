#!/usr/bin/env python3
"""link_portable.py [--debian] ICU_DATA COMMAND…: runs a command that links a program, with static libraries in place of shared ones.

The program then needs only the C library, so it runs on each Linux with glibc 2.34 or newer. With --debian, the libraries that each
Debian has stay shared, and so does OpenSSL, whose security updates must reach the program. CMake runs this script in front of the link
commands of the targets widerow_portable and widerow_debian (packaging/CMakeLists.txt). ICU_DATA is an object file that replaces ICU's
data (packaging/cut_icu_data.sh). Fails if a library has no static form."""
import os
import pathlib
import re
import sys

SHARED = re.compile(r'(/.*/lib[^/]+?)\.so[\d.]*$')
# Parts of the C library. -l:NAME is the name of a file.
KEPT = ('m', 'c', 'dl', 'rt', 'pthread')
# A shared library names the libraries that it needs, but a static one does not. They are listed here. Without an entry, the linker
# reports missing symbols.
NEEDED_BY = {'libedit': ['-ltinfo', '-lbsd', '-lmd']}
# Libraries that stay shared with --debian. Apart from OpenSSL, dpkg, apt and bash need them too.
DEBIAN = ('ssl', 'crypto', 'crypt', 'lz4', 'tinfo', 'xxhash', 'z')


def static_form(argument, icu_data, kept):
    """Returns the arguments in place of one argument. The libraries `kept` stay shared."""
    shared = SHARED.match(argument)
    if shared is None:
        # Libraries that are named without their paths.
        return ['-l:lib' + argument[2:] + '.a'] if re.fullmatch(r'-l[^:]+', argument) and argument[2:] not in kept else [argument]
    name = os.path.basename(shared[1])
    if name[len('lib'):] in kept:
        return [argument]
    if name == 'libicudata':
        return [icu_data]
    archive = pathlib.Path(shared[1] + '.a')
    if not archive.is_file():
        sys.exit(f'link_portable.py: {argument} has no static form ({archive})')
    return [str(archive), *(part for needed in NEEDED_BY.get(name, []) for part in static_form(needed, icu_data, kept))]


def main():
    debian = sys.argv[1] == '--debian'
    icu_data, *command = sys.argv[2 if debian else 1:]
    kept = (*KEPT, *DEBIAN) if debian else KEPT
    linked = [part for argument in command for part in static_form(argument, icu_data, kept)]
    os.execvp(linked[0], linked if debian else [*linked, '-static-libstdc++', '-static-libgcc'])


if __name__ == '__main__':
    main()
