#!/usr/bin/env python3
"""man_page.py PROGRAM: prints widerow(1). The help pages of the program and of its commands are its sections."""
import subprocess
import sys


def help_of(program, *command):
    return subprocess.run([program, *command, '--help'], capture_output=True, text=True, check=True).stdout


def roff(text):
    """Returns lines without meaning for roff."""
    return '\n'.join('\\&' + line if line[:1] in ('.', "'") else line for line in text.replace('\\', '\\e').replace('-', '\\-').splitlines())


def main():
    program = sys.argv[1]
    version = subprocess.run([program, '--version'], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    main_page = help_of(program)
    name = main_page.splitlines()[1].strip().split(' - ', 1)[1]
    commands = [line.split()[0] for line in main_page.partition('COMMANDS\n')[2].partition('\n\n')[0].splitlines()]
    print(f'.TH WIDEROW 1 "" "{version}"\n.SH NAME\nwiderow \\- {roff(name)}')
    for title, page in [('DESCRIPTION', main_page.partition('\n\n')[2]),
                        *((f'widerow {command}'.upper(), help_of(program, command)) for command in commands)]:
        print(f'.SH "{title}"\n.nf\n{roff(page)}\n.fi')


if __name__ == '__main__':
    main()
