#!/usr/bin/env python3
"""docs_test.py [WIDEROW] [PAGE…]: tests the documents.

Each relative link and anchor of a .md file must lead somewhere. Each path in docs/ that a text file names must exist. The lines
of docs/ have at most 100 columns, outside tables, code blocks, links and headings. A page whose name begins with a number, such as
0017-one-door.md, has this number in its title, and no other page of its folder has it.

With WIDEROW, the built program, the test also runs the marked code blocks. The word after the language is the mark:

    ```sh run           bash -e, in the page's directory; the exit status must be 0
    ```sh fails         bash -e; the exit status must not be 0
    ```sql run          widerow shell --data ./data; each statement must succeed
    ```sql fails        widerow shell --data ./data; each statement must be refused
    ```text output      what the previous block must have printed; "…" stands for any characters

The blocks of a page run in order in one fresh directory. WIDEROW is on PATH as `widerow`. A page with the text `<!-- server -->`
has a server of its own on free ports. With `<!-- server hbase -->`, the server also has a port for HBase's clients. The sql blocks of
such a page go to its server, and in its blocks, 127.0.0.1:8042 and 127.0.0.1:9042 are replaced by the server's addresses. USE holds
for all later sql blocks of a page."""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'tree'))
from tracked_files import ROOT, tracked  # noqa: E402: found by the line above

COLUMNS_MAX = 100
FENCE = re.compile(r'^( *)```(.*)$')
LINK = re.compile(r'!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)')
DOCS_PATH = re.compile(r'(?<![\w./-])docs/[\w./-]*\w')
BLOCK_SECONDS_MAX = 120


def prose(text):
    """Yields (number, line) for the lines outside code blocks."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if FENCE.match(line):
            inside = not inside
        elif not inside:
            yield number, line


def anchors(text):
    """Returns the anchors of a page: those that GitHub gives to its headings, and those that the page sets itself."""
    seen, found = {}, set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    for _, line in prose(text):
        if heading := re.match(r'#{1,6} +(.*?) *#*$', line):
            words = re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', heading.group(1)).replace('`', '').lower()
            anchor = re.sub(r'[^\w\- ]', '', words).replace(' ', '-')
            count = seen.get(anchor, 0)
            seen[anchor] = count + 1
            found.add(f'{anchor}-{count}' if count else anchor)
    return found


def bad_links(name, text):
    for number, line in prose(text):
        for target in LINK.findall(re.sub(r'`[^`]*`', '``', line)):
            if re.match(r'[a-z]+:', target):
                continue
            path, _, anchor = target.partition('#')
            file = ((ROOT / name).parent / path).resolve() if path else ROOT / name
            if not file.exists():
                yield f'{name}:{number}: leads to {target}, which does not exist'
            elif anchor and (file.suffix != '.md' or anchor not in anchors(file.read_text(encoding='utf-8'))):
                yield f'{name}:{number}: {target} has no such heading'


def bad_paths(name, text):
    for number, line in enumerate(text.splitlines(), 1):
        # Files of test data name documents of other projects.
        for path in () if name.startswith('tests/data/') else DOCS_PATH.findall(line):
            if not (ROOT / path).exists():
                yield f'{name}:{number}: names {path}, which does not exist'


def long_lines(name, text):
    for number, line in prose(text):
        if len(line) > COLUMNS_MAX and not line.lstrip().startswith(('|', '#', '[', '<!--')) and ' ' in line[:COLUMNS_MAX].strip():
            if not re.fullmatch(r'\s*[-*]? ?!?\[.*\]\(.*\)[.,;]?', line):
                yield f'{name}:{number}: {len(line)} columns; {COLUMNS_MAX} are the most'


def bad_numbers(names):
    seen = {}
    for name in names:
        folder, _, file = name.rpartition('/')
        if numbered := re.match(r'(\d{4})-.*\.md$', file):
            number = numbered.group(1)
            if not (ROOT / name).read_text(encoding='utf-8').startswith(f'# {number} '):
                yield f'{name}:1: the title does not begin with "# {number} "'
            if (folder, number) in seen:
                yield f'{name}: has the number of {seen[folder, number]}'
            seen[folder, number] = name


def blocks(text):
    """Yields (line, language, mark, code) for the marked blocks of a page."""
    opened = None
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if opened is None and fence:
            opened = (number, fence.group(2).split(), len(fence.group(1)), [])
        elif fence:
            start, words, _, code = opened
            opened = None
            if len(words) == 2:
                yield start, words[0], words[1], '\n'.join(code) + '\n'
        elif opened is not None:
            opened[3].append(line[opened[2]:])


class Server:
    """Runs `widerow serve` on free ports in a directory, until the block of `with` ends."""

    def __init__(self, directory, environment, options):
        command = ['widerow', 'serve', '--data', 'data', '--port', '0', '--http-port', '0', *options]
        self.process = subprocess.Popen(command, cwd=directory, env=environment,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        ready = self.process.stdout.readline()
        found = re.search(r'cql=(\S+) http=(\S+)', ready)
        if not found:
            self.stop()
            raise RuntimeError(f'the server did not become ready: {ready!r}')
        self.cql, self.http = found.groups()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


def statements(code):
    """Returns the statements of an sql block, which are to run one by one."""
    without_comments = re.sub(r'--[^\n]*', '', code)
    return [part.strip() + ';' for part in without_comments.split(';') if part.strip()]


class Page:
    def __init__(self, name, text, widerow):
        self.name, self.text, self.keyspace, self.output = name, text, '', ''
        self.environment = {**os.environ, 'PATH': f'{widerow.parent}:{os.environ["PATH"]}', 'HOME': '/nonexistent'}

    def run(self):
        marked = list(blocks(self.text))
        if not any(mode in ('run', 'fails') for _, _, mode, _ in marked):
            return
        with tempfile.TemporaryDirectory(prefix='widerow-docs-') as directory:
            self.directory = directory
            marks = {'<!-- server -->': [], '<!-- server hbase -->': ['--hbase-port', '0']}
            options = [options for mark, options in marks.items() if mark in self.text]
            self.server = Server(directory, self.environment, options[0]) if options else None
            try:
                for line, language, mode, code in marked:
                    if problem := self.run_block(language, mode, code):
                        yield f'{self.name}:{line}: {problem}'
                        return
            finally:
                if self.server:
                    self.server.stop()

    def run_block(self, language, mode, code):
        if self.server:
            code = code.replace('127.0.0.1:8042', self.server.http).replace('127.0.0.1:9042', self.server.cql)
        if mode == 'output':
            pattern = '.*?'.join(re.escape(part) for part in code.strip().split('…'))
            if not re.search(pattern, self.output, re.DOTALL):
                return f'the output is another one:\n{self.output}'
        elif language == 'sh':
            status = self.call(['bash', '-euo', 'pipefail', '-c', code])
            if (status == 0) != (mode == 'run'):
                return f'exit status {status}:\n{self.output}'
        elif mode == 'run':
            if self.shell(code) != 0:
                return f'a statement failed:\n{self.output}'
        else:
            for statement in statements(code):
                if self.shell(statement) == 0:
                    return f'this was not refused: {statement}'
        return None

    def shell(self, code):
        target = [self.server.http] if self.server else ['--data', 'data']
        keyspace = ['-k', self.keyspace] if self.keyspace else []
        status = self.call(['widerow', 'shell', *target, *keyspace, '-f', '-'], code)
        for used in re.findall(r'^\s*USE\s+(\w+)', code, re.MULTILINE | re.IGNORECASE):
            self.keyspace = used
        return status

    def call(self, command, stdin=''):
        # The block runs in a process group of its own. So programs that it leaves running can be ended.
        process = subprocess.Popen(command, cwd=self.directory, env=self.environment, text=True, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            self.output, _ = process.communicate(stdin, timeout=BLOCK_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.output = f'no end after {BLOCK_SECONDS_MAX} s'
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        return process.wait()


def bad_options(widerow):
    """Yields the differences between docs/reference/options.md and the program's help."""
    page = (ROOT / 'docs/reference/options.md').read_text(encoding='utf-8')
    for command in ('serve', 'shell', 'compact', 'backup', 'restore', 'check', 'dump'):
        done = subprocess.run([widerow, command, '--help'], capture_output=True, text=True, timeout=BLOCK_SECONDS_MAX, check=True)
        section = page.partition(f'## widerow {command}\n')[2].partition('\n## ')[0] + ' --help'
        described = done.stdout.partition('\nOPTIONS\n')[2].partition('\nEXAMPLES\n')[0]
        helped, written = (set(re.findall(r'(?<![\w-])--[a-z][\w-]+', text)) for text in (described, section))
        for option in sorted(helped - written):
            yield f'docs/reference/options.md: widerow {command} has {option}, which the page does not name'
        for option in sorted(written - helped):
            yield f'docs/reference/options.md: names {option}, which widerow {command} --help does not'


def main():
    widerow = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None
    only = sys.argv[2:]
    problems, pages, run = list(bad_numbers(tracked())), 0, 0
    for name in tracked():
        try:
            text = (ROOT / name).read_text(encoding='utf-8')
        except UnicodeDecodeError:
            continue
        if name != 'tests/docs/docs_test.py' and not name.endswith('.svg'):
            problems += bad_paths(name, text)
        if not name.endswith('.md'):
            continue
        pages += 1
        problems += bad_links(name, text)
        if name.startswith('docs/') or name == 'README.md':
            problems += long_lines(name, text)
        if widerow and (not only or name in only):
            run += sum(mode in ('run', 'fails') for _, _, mode, _ in blocks(text))
            problems += Page(name, text, widerow).run()
    if widerow:
        problems += bad_options(widerow)
    print('\n'.join(problems) or f'{pages} pages are in order, {run} blocks ran')
    sys.exit(1 if problems else 0)


if __name__ == '__main__':
    main()
