#!/usr/bin/env python3
"""Tests the files of the tree:

- Each path that a document names must exist.
- There are no big files and no marks of unfinished work.
- Build files have no paths of a machine and no addresses of registries.
- No two types have the same name.
- Only one page has requirement codes.

It also prints the longest files and functions."""
import pathlib
import re
import sys

from tracked_files import ROOT, tracked

BLOB_BYTES_MAX = 512 * 1024
SOURCE = {'.cc', '.h', '.g4', '.py', '.sh', '.cmake', '.cql'}
# The words are joined here, so that the test does not find them in this file.
MARKS = re.compile(r'\b(TO' r'DO|FIX' r'ME|XX' r'X|HA' r'CK)\b|GTEST_' r'SKIP\(\);|\bDISABLED' r'_')
BUILD_FILES = re.compile(r'(CMakeLists\.txt|CMakePresets\.json|\.cmake|\.sh|^run|^test|^\.ci/.*|\.ya?ml)$')
ADDRESS = re.compile(r'https?://(?!localhost|127\.0\.0\.1)[a-z]|(?<![\w.$}"])/(?:home|work|root)/')
PATH = re.compile(r'`((?:\.?[\w-]+/)+[\w.-]+|[\w-]+\.(?:md|txt|json))`')
TOP_FOLDERS = {'base', 'types', 'grammar', 'parser', 'planner', 'advise', 'storage', 'exec', 'net', 'embedded', 'shell', 'server',
               'include', 'tests', 'bench', 'docs', 'scripts', 'cmake', 'demo', 'third_party', 'examples', '.ci'}
REQUIREMENTS = 'docs/internals/requirements.md'
CODES = [f'{letter}{number}' for letter, last in (('D', 9), ('G', 11), ('T', 12), ('O', 8), ('X', 12)) for number in range(1, last + 1)]
CODE = f'(?:{"|".join(sorted(CODES, key=len, reverse=True))})'
CODE_LIST = rf'{CODE}(?:, {CODE})*'
# A code is found in a file's name, and in text in brackets, after "row" or "requirement", and at the start of a comment.
CODE_IN_NAME = re.compile(rf'(?:^|[/_.-]){CODE}(?=[/_.-]|$)')
CODE_IN_TEXT = re.compile(rf'(?<!\w)\({CODE_LIST}\)|\b(?:[Rr]ows?|[Rr]equirements?) {CODE}\b|(?:#|//|--|"""|\|) ?{CODE_LIST}(?::|\.?$)')
CODELESS = {'.md', '.txt', '.cmake', *SOURCE}  # Files whose text is searched for codes.
CODES_ALLOWED = ('tests/data/',)  # Recorded answers have such names by chance.


def missing_paths(name, text):
    for path in PATH.findall(text):
        if '/' in path and path.split('/')[0] not in TOP_FOLDERS:
            continue
        if not (ROOT / path).exists() and not ((ROOT / name).parent / path).exists():
            yield f'{name}: names {path}, which does not exist'


def codes(name, text):
    """Finds requirement codes: files and comments are named after what they show, and one page maps the codes to them."""
    if CODE_IN_NAME.search(name):
        yield f'{name}: has a requirement code in its name'
    if pathlib.PurePath(name).suffix in CODELESS and name != REQUIREMENTS and not name.startswith(CODES_ALLOWED):
        for number, line in enumerate(text.splitlines(), 1):
            if CODE_IN_TEXT.search(line):
                yield f'{name}:{number}: names a requirement code: {line.strip()}'


def requirements():
    """Checks that each requirement has one row, which names a test or says that it is not built yet."""
    rows = re.findall(r'^\| (\w+) \|.*\| ([^|]*) \|$', (ROOT / REQUIREMENTS).read_text(encoding='utf-8'), re.MULTILINE)
    rows = [(code, shown) for code, shown in rows if code != 'code']
    if sorted(code for code, _ in rows) != sorted(CODES):
        wrong = sorted(set(CODES) ^ {code for code, _ in rows}) or 'a code twice'
        yield f'{REQUIREMENTS}: rows are missing or unknown: {wrong}'
    for code, shown in rows:
        if not PATH.search(shown) and 'not built yet' not in shown:
            yield f'{REQUIREMENTS}: {code} names no test and does not say that it is not built yet'


def check(name):
    path = ROOT / name
    if path.stat().st_size > BLOB_BYTES_MAX:
        yield f'{name}: {path.stat().st_size} bytes; at most {BLOB_BYTES_MAX} belong in the tree'
        return
    try:
        text = path.read_text(encoding='utf-8')
    except UnicodeDecodeError:
        return
    if path.suffix == '.md':
        yield from missing_paths(name, text)
    yield from codes(name, text)
    for number, line in enumerate(text.splitlines(), 1):
        if path.suffix in SOURCE and MARKS.search(line):
            yield f'{name}:{number}: a mark of unfinished work: {line.strip()}'
        if BUILD_FILES.search(name) and ADDRESS.search(line):
            yield f'{name}:{number}: a machine path or an address in a build file: {line.strip()}'


def types_defined_twice(names):
    """Finds two types with one name in one namespace. The linker would use the functions of one of them for both."""
    seen = {}
    for name in names:
        if not name.endswith('.h') or name.split('/')[0] in ('tests', 'bench', 'examples'):
            continue
        namespaces = []
        for line in (ROOT / name).read_text(encoding='utf-8').splitlines():
            if opened := re.match(r'namespace ([\w:]+) {$', line):
                namespaces.append(opened.group(1))
            elif line.startswith('}  // namespace'):
                namespaces.pop()
            elif defined := re.match(r'(?:struct|class|enum class) (\w+)(?: final)?(?: : [^;]*)? {', line):
                type_name = '::'.join([*namespaces, defined.group(1)])
                if type_name in seen:
                    yield f'{name}: defines {type_name}, as {seen[type_name]} does'
                seen[type_name] = name


def functions(name):
    """Yields (number of lines, name) for the functions in a .cc file. A function's brace opens at the end of a line and closes in
    column 0."""
    start, signature = None, ''
    for number, line in enumerate((ROOT / name).read_text(encoding='utf-8').splitlines(), 1):
        if start is None and re.match(r'[A-Za-z].*\) ?(const ?)?(noexcept ?)?(override ?)?(: .*)?{$', line):
            start, signature = number, line
        elif start is not None and line == '}':
            yield number - start + 1, f'{name}:{start} {signature[:70]}'
            start = None


def print_longest(names):
    sources = [name for name in names if name.endswith(('.cc', '.h')) and not name.startswith('tests/')]
    files = sorted(((len((ROOT / name).read_text(encoding='utf-8').splitlines()), name) for name in sources), reverse=True)
    bodies = sorted((body for name in sources if name.endswith('.cc') for body in functions(name)), reverse=True)
    for title, rows in (('longest files', files), ('longest functions', bodies)):
        print(title)
        for lines, what in rows[:10]:
            print(f'  {lines:5} {what}')


def main():
    names = tracked()
    problems = [problem for name in names for problem in check(name)] + [*types_defined_twice(names), *requirements()]
    print_longest(names)
    print('\n'.join(problems) or f'{len(names)} files are in order')
    sys.exit(1 if problems else 0)


if __name__ == '__main__':
    main()
