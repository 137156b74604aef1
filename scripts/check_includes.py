#!/usr/bin/env python3
"""Fails if an include points the wrong way.

- Folders: each top folder includes only certain others (MAY_INCLUDE).
- Rooms: each folder with sources is a room. Rooms must not include each other in a circle.
- Storage: files outside storage/ include only the headers directly in storage/. These headers are its seam.
- Libraries: the headers of some libraries may be included only in certain places (CONFINED).
- Size: a room has at most 25 modules. x.h and x.cc are one module.

The script is the test `tree_includes`. `--rooms` prints the rooms of each folder. Each room comes after the rooms that it
includes."""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Folder -> the project's folders that it may include. `widerow` is include/widerow/, the public API.
MAY_INCLUDE = {
    'base': set(),
    'types': {'base'},
    'parser': {'base', 'types'},
    'planner': {'base', 'types', 'parser'},
    'advise': {'base', 'types', 'parser', 'planner'},
    'storage': {'base', 'types'},
    'exec': {'base', 'types', 'parser', 'planner', 'advise', 'storage'},
    'net': {'base', 'types', 'parser', 'exec', 'storage', 'planner', 'advise'},
    'embedded': {'base', 'types', 'parser', 'planner', 'storage', 'exec', 'net', 'widerow'},
    'shell': {'base', 'types', 'parser', 'planner', 'storage', 'exec', 'net', 'widerow'},
    'server': {'base', 'types', 'parser', 'planner', 'storage', 'exec', 'net', 'shell', 'widerow'},
    'include': {'widerow'},
}
# In these folders, a room has at most ROOM_MODULES_MAX modules.
ROOMED = {'storage', 'exec', 'planner', 'net'}
ROOM_MODULES_MAX = 25
# (file, header of a room of storage/) -> why the file needs this header although it is not in the seam.
BEYOND_THE_SEAM = {
    ('exec/derived/index_cursor.cc', 'storage/format/key_codec.h'): 'entries of indexes are stored by the keys of their rows',
    ('exec/derived/index_entries.cc', 'storage/format/key_codec.h'): 'as above',
    ('exec/derived/stale_entries.cc', 'storage/format/key_codec.h'): 'as above',
    ('exec/engine/analyze.cc', 'storage/format/key_codec.h'): 'partitions touched are counted by their positions',
    ('exec/heat/heat_history.cc', 'storage/format/key_codec.h'): 'heat is drawn by the order of stored keys',
    ('exec/heat/heat_picture.cc', 'storage/format/key_codec.h'): 'as above',
    ('exec/write/batch_guards.cc', 'storage/reconcile/merge.h'): 'Cassandra counts the bytes of a batch after its rows are merged',
    ('server/compact_command.cc', 'storage/engine/compact.h'): '`widerow compact` works on files that no engine has open',
    ('server/backup_command.cc', 'storage/backup/write_backup.h'): 'backups are files of their own',
    ('server/backup_command.cc', 'storage/engine/compact.h'): 'it asks if there is a database before it opens one',
    ('server/backup_command.cc', 'storage/engine/restore_backup.h'): '`widerow restore` works on files that no engine has open',
    ('server/check_command.cc', 'storage/backup/verify_backup.h'): 'backups are files of their own',
    ('server/check_command.cc', 'storage/check/check_storage.h'): '`widerow check` opens no engine',
    ('server/check_command.cc', 'storage/check/salvage.h'): 'as above',
    ('server/dump_command.cc', 'storage/engine/compact.h'): 'it asks if there is a database before it opens one',
}
# Header -> where it may be included.
CONFINED = {
    r'lmdb\.h': r'^(storage/lmdb/|bench/)',
    r'page_hooks\.h': r'^storage/lmdb/',
    r'antlr4-runtime\.h|Cql(Lexer|Parser)\.h': r'^parser/',
    r'boost/(asio|beast)(/|\.hpp).*': r'^(net/|server/|shell/|embedded/)',
    r'histedit\.h|editline/.*': r'^shell/',
    r'CLI/.*': r'^(server|shell)/',
    r'(spdlog|fmt)/.*': r'^server/server_log\.cc$',
}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)


def check_file(name, headers):
    folder = name.split('/')[0]
    for header in headers:
        target = header.split('/')[0]
        if folder in MAY_INCLUDE and target in (MAY_INCLUDE.keys() | {'widerow'}) and '/' in header:
            if target != folder and target not in MAY_INCLUDE[folder] and not (folder == 'include' and target == 'widerow'):
                yield f'{name}: {folder} must not include {header}'
        if target == 'storage' and folder not in ('storage', 'bench') and header.count('/') > 1:
            if (name, header) not in BEYOND_THE_SEAM:
                yield f'{name}: only the headers directly in storage/ are for other folders, not {header}'
        for pattern, places in CONFINED.items():
            if re.fullmatch(pattern, header) and not re.search(places, name) and not name.startswith('tests/'):
                yield f'{name}: {header} belongs to {places}'


def room_of(name):
    return name.rsplit('/', 1)[0]


def room_arrows(sources):
    """Returns room -> the rooms of the same top folder that it includes, each with an include as an example."""
    arrows = collections.defaultdict(dict)
    for name, headers in sources.items():
        for header in headers:
            if '/' in header and header.split('/')[0] == name.split('/')[0] and room_of(header) != room_of(name):
                arrows[room_of(name)].setdefault(room_of(header), f'{name} includes {header}')
    return arrows


def order_of(rooms, arrows):
    """Returns the rooms, each after those that it includes, and a circle of rooms if there is one."""
    order, state = [], {}

    def visit(room, path):
        if state.get(room) == 'done':
            return None
        if state.get(room) == 'open':
            return path[path.index(room):] + [room]
        state[room] = 'open'
        for target in sorted(arrows.get(room, ())):
            if circle := visit(target, path + [room]):
                return circle
        state[room] = 'done'
        order.append(room)
        return None

    for room in sorted(rooms):
        if circle := visit(room, []):
            return order, circle
    return order, None


def check_rooms(sources, arrows):
    modules = collections.defaultdict(set)
    for name in sources:
        if name.split('/')[0] in MAY_INCLUDE:
            modules[room_of(name)].add(name.rsplit('.', 1)[0])
    for room, members in sorted(modules.items()):
        if room.split('/')[0] in ROOMED and len(members) > ROOM_MODULES_MAX:
            yield f'{room}: {len(members)} modules lie directly in it; at most {ROOM_MODULES_MAX} may'
    _, circle = order_of(modules, arrows)
    if circle:
        yield 'rooms include each other: ' + ' -> '.join(circle)
        yield from ('  ' + arrows[a][b] for a, b in zip(circle, circle[1:]))


def main():
    sources = {path.relative_to(ROOT).as_posix(): INCLUDE.findall(path.read_text(encoding='utf-8'))
               for folder in [*MAY_INCLUDE, 'bench'] for suffix in ('*.h', '*.cc') for path in sorted((ROOT / folder).rglob(suffix))}
    arrows = room_arrows(sources)
    if '--rooms' in sys.argv[1:]:
        order, _ = order_of({room_of(name) for name in sources}, arrows)
        for room in sorted(order, key=lambda room: list(MAY_INCLUDE).index(room.split('/')[0]) if room.split('/')[0] in MAY_INCLUDE else 99):
            print(f'{room:24} -> {" ".join(sorted(arrows.get(room, ())))}')
        return
    problems = [problem for name, headers in sources.items() for problem in check_file(name, headers)]
    used = {(name, header) for name, headers in sources.items() for header in headers}
    problems += [f'{name} does not include {header} any more: take it off the list' for name, header in BEYOND_THE_SEAM
                 if (name, header) not in used]
    problems += check_rooms(sources, arrows)
    print('\n'.join(problems) or 'all includes point down')
    sys.exit(1 if problems else 0)


if __name__ == '__main__':
    main()
