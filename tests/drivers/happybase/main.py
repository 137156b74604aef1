"""main.py HOST PORT [NAME=VALUE...]: runs every case of cases.md with happybase."""
import contextlib
import sys
import threading
import time
import traceback

import happybase  # Makes the module Hbase_thrift.
from Hbase_thrift import AlreadyExists, IllegalArgument, IOError as ServerError

SETTINGS = {'transport': 'buffered', 'http': None, 'keyspace': 'drivers_happybase', 'restart': 'no', 'only': None}
_cases = []


def case(function):
    """Marks a function of an open connection and a name for its table as a case."""
    _cases.append(function)
    return function


def equal(actual, expected, what):
    if actual != expected:
        raise AssertionError(f'{what}: {actual!r} instead of {expected!r}')


def refused(kinds, action, what):
    try:
        action()
    except kinds as error:
        return error
    raise AssertionError(f'{what}: was not refused')


def connect():
    return happybase.Connection(sys.argv[1], int(sys.argv[2]), transport=SETTINGS['transport'], timeout=30000)


def drop(connection, name):
    if name.encode() in connection.tables():
        connection.delete_table(name, disable=True)


@contextlib.contextmanager
def made(connection, name, families=None):
    drop(connection, name)
    connection.create_table(name, families or {'f': {}})
    try:
        yield connection.table(name)
    finally:
        drop(connection, name)


def restart_server():
    print('RESTART', flush=True)
    equal(sys.stdin.readline(), 'GO\n', "the harness's answer")


@case
def tables(connection, name):
    drop(connection, name)
    connection.create_table(name, {'a': {'max_versions': 5}, 'b:': {}, 'c': {'max_versions': 1, 'time_to_live': 86400}})
    equal(name.encode() in connection.tables(), True, 'is listed')
    families = connection.table(name).families()
    equal(sorted(families), [b'a', b'b', b'c'], 'families')
    equal((families[b'a']['max_versions'], families[b'c']['time_to_live']), (5, 86400), 'options')
    refused((AlreadyExists, ServerError), lambda: connection.create_table(name, {'a': {}}), 'create twice')
    equal(connection.is_table_enabled(name), True, 'is enabled')
    refused(ServerError, lambda: connection.delete_table(name), 'delete while enabled')
    connection.disable_table(name)
    equal(connection.is_table_enabled(name), False, 'is disabled')
    connection.enable_table(name)
    connection.delete_table(name, disable=True)
    equal(name.encode() in connection.tables(), False, 'is listed after it was deleted')


@case
def regions(connection, name):
    with made(connection, name) as table:
        found = table.regions()
        equal((found[0]['start_key'], found[-1]['end_key']), (b'', b''), 'the regions cover all keys')
        equal(bool(found[0]['server_name']), True, "a region's server")


@case
def put_row_delete(connection, name):
    with made(connection, name, {'f': {'max_versions': 3}, 'g': {}}) as table:
        table.put(b'r', {b'f:a': b'1', b'f:b': b'2', b'g:': b'\x00\xff'})
        equal(table.row(b'r'), {b'f:a': b'1', b'f:b': b'2', b'g:': b'\x00\xff'}, 'row')
        equal(table.row(b'r', columns=[b'f:a', b'g']), {b'f:a': b'1', b'g:': b'\x00\xff'}, 'a column and a family')
        equal(table.row(b'none'), {}, 'a row that does not exist')
        table.put(b's', {b'f:a': b'old'}, timestamp=10)
        table.put(b's', {b'f:a': b'new'}, timestamp=20)
        equal(table.row(b's', include_timestamp=True), {b'f:a': (b'new', 20)}, 'a timestamp')
        equal(table.row(b's', timestamp=20), {b'f:a': b'old'}, 'before a timestamp')
        table.delete(b'r', columns=[b'f:a'])
        equal(table.row(b'r'), {b'f:b': b'2', b'g:': b'\x00\xff'}, 'after a column was deleted')
        table.delete(b'r', columns=[b'g'])
        equal(table.row(b'r'), {b'f:b': b'2'}, 'after a family was deleted')
        table.delete(b'r')
        equal(table.row(b'r'), {}, 'after the row was deleted')
        table.put(b't', {b'f:a': b'v'}, timestamp=20)
        table.delete(b't', timestamp=30)
        table.put(b't', {b'f:a': b'masked'}, timestamp=25)
        equal(table.row(b't'), {}, 'a put with an older time than a delete')


@case
def rows_and_cells(connection, name):
    with made(connection, name, {'f': {'max_versions': 4}}) as table:
        for time in range(1, 5):
            table.put(b'r', {b'f:q': b'v%d' % time}, timestamp=time)
        table.put(b's', {b'f:q': b'w'}, timestamp=1)
        equal(table.cells(b'r', b'f:q'), [b'v4', b'v3', b'v2', b'v1'], 'all versions')
        equal(table.cells(b'r', b'f:q', versions=2, include_timestamp=True), [(b'v4', 4), (b'v3', 3)], 'two versions')
        equal(table.cells(b'r', b'f:q', versions=9, timestamp=4), [b'v3', b'v2', b'v1'], 'before a timestamp')
        equal(table.rows([b's', b'none', b'r']), [(b's', {b'f:q': b'w'}), (b'r', {b'f:q': b'v4'})], 'rows')
        equal(table.rows([b'r'], columns=[b'f:q'], include_timestamp=True), [(b'r', {b'f:q': (b'v4', 4)})], 'rows with columns')


@case
def scans(connection, name):
    with made(connection, name, {'f': {}, 'g': {}}) as table:
        for i in range(25):
            table.put(b'row%02d' % i, {b'f:n': b'%d' % i, b'g:x': b'y'})
        table.put(b'other', {b'f:n': b'0'})
        every = [b'other'] + [b'row%02d' % i for i in range(25)]

        def keys(**arguments):
            return [key for key, _ in table.scan(**arguments)]
        equal(keys(), every, 'all')
        equal(keys(batch_size=3), every, 'batches')
        equal(keys(row_start=b'row05', row_stop=b'row08'), every[6:9], 'start and stop')
        equal(keys(row_prefix=b'row1'), every[11:21], 'a prefix')
        equal(keys(limit=4), every[:4], 'a limit')
        equal(keys(limit=7, batch_size=2), every[:7], 'a limit and batches')
        equal(keys(row_start=b'row03', row_stop=b'row00', reverse=True), every[4:1:-1], 'reversed')
        equal(list(table.scan(row_start=b'row24', columns=[b'f'])), [(b'row24', {b'f:n': b'24'})], 'a family')
        equal(list(table.scan(row_start=b'row24', columns=[b'f:n', b'g:x'])), [(b'row24', {b'f:n': b'24', b'g:x': b'y'})], 'columns')
        equal(keys(filter=b"PrefixFilter('row0')"), every[1:11], 'a filter string')
        equal(keys(filter="SingleColumnValueFilter('f', 'n', =, 'binary:7') AND PrefixFilter('row')"), [b'row07'], 'two filters')
        refused(Exception, lambda: keys(filter="NoSuchFilter('x')"), 'an unknown filter')
        equal(len(keys()), 26, 'after an unknown filter')
        sorted_columns = next(iter(table.scan(sorted_columns=True, row_start=b'row00')))[1]
        equal(list(sorted_columns), [b'f:n', b'g:x'], 'sorted columns')


@case
def counters(connection, name):
    with made(connection, name) as table:
        equal(table.counter_get(b'r', b'f:n'), 0, 'a new counter')
        equal(table.counter_inc(b'r', b'f:n'), 1, 'plus 1')
        equal(table.counter_inc(b'r', b'f:n', 41), 42, 'plus 41')
        equal(table.counter_dec(b'r', b'f:n', 2), 40, 'minus 2')
        time.sleep(0.02)  # Each increment is at least 1 ms newer than the one before, as in HBase; a Put has the time of the server.
        table.counter_set(b'r', b'f:n', 7)
        equal(table.counter_get(b'r', b'f:n'), 7, 'set')


@case
def batches(connection, name):
    with made(connection, name) as table:
        with table.batch(batch_size=100) as batch:
            for i in range(1000):
                batch.put(b'%04d' % i, {b'f:q': b'v%d' % i, b'f:r': b'w'})
        equal(sum(1 for _ in table.scan()), 1000, 'rows')
        with table.batch() as batch:
            batch.delete(b'0000')
            batch.delete(b'0001', columns=[b'f:q'])
            batch.put(b'0002', {b'f:q': b'new'})
        equal(table.rows([b'0000', b'0001', b'0002']), [(b'0001', {b'f:r': b'w'}), (b'0002', {b'f:q': b'new', b'f:r': b'w'})], 'rows after')
        with table.batch(timestamp=5) as batch:
            batch.put(b'timed', {b'f:q': b'v'})
        equal(table.row(b'timed', include_timestamp=True), {b'f:q': (b'v', 5)}, 'a timestamp')
        try:
            with table.batch(transaction=True) as batch:
                batch.put(b'never', {b'f:q': b'v'})
                raise ValueError
        except ValueError:
            pass
        equal(table.row(b'never'), {}, 'a batch that was given up')


@case
def bytes_and_sizes(connection, name):
    with made(connection, name) as table:
        every = bytes(range(256))
        table.put(every, {b'f:' + every: every})
        equal(table.row(every), {b'f:' + every: every}, 'all bytes')
        large = every * 8000
        table.put(b'large', {b'f:q': large})
        equal(table.row(b'large')[b'f:q'] == large, True, 'a value of 2 MB')
        table.put(b'wide', {b'f:%d' % i: b'v' for i in range(2000)})
        equal(len(table.row(b'wide')), 2000, '2,000 columns')


@case
def errors(connection, name):
    drop(connection, name)
    table = connection.table(name)
    refused((ServerError, IllegalArgument), lambda: table.put(b'r', {b'f:q': b'v'}), 'put to an unknown table')
    refused((ServerError, IllegalArgument), lambda: table.row(b'r'), 'row of an unknown table')
    refused((ServerError, IllegalArgument), lambda: list(table.scan()), 'scan of an unknown table')
    with made(connection, name) as table:
        refused((ServerError, IllegalArgument), lambda: table.put(b'r', {b'no:q': b'v'}), 'put to an unknown family')
        table.put(b'r', {b'f:q': b'v'})
        equal(table.row(b'r'), {b'f:q': b'v'}, 'the connection still works')


@case
def pool(connection, name):
    with made(connection, name) as table:
        connections = happybase.ConnectionPool(size=4, host=sys.argv[1], port=int(sys.argv[2]), transport=SETTINGS['transport'])
        failures = []

        def work(number):
            try:
                for i in range(50):
                    with connections.connection() as mine:
                        mine.table(name).put(b'%d-%d' % (number, i), {b'f:q': b'v'})
            except Exception as error:  # Any failure of a thread must reach the judge below.
                failures.append(error)
        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        equal(failures, [], 'failures')
        equal(sum(1 for _ in table.scan()), 400, 'rows of eight threads')


@case
def prefix_of_tables(connection, name):
    mine = happybase.Connection(sys.argv[1], int(sys.argv[2]), transport=SETTINGS['transport'], table_prefix=name)
    with made(connection, name + '_t'):
        equal(mine.tables(), [b't'], 'tables of the prefix')
        mine.table('t').put(b'r', {b'f:q': b'v'})
        equal(connection.table(name + '_t').row(b'r'), {b'f:q': b'v'}, 'the row')
    mine.close()


@case
def reconnect(connection, name):
    if SETTINGS['restart'] != 'yes':
        return 'not-run'
    drop(connection, name)
    connection.create_table(name, {'f': {}})
    connection.table(name).put(b'r', {b'f:q': b'v'})
    restart_server()
    again = connect()
    equal(again.table(name).row(b'r'), {b'f:q': b'v'}, 'the row after a restart')
    drop(again, name)
    again.close()
    return None


def run_case(function):
    name = function.__name__
    try:
        connection = connect()
        verdict = function(connection, f'{SETTINGS["keyspace"]}_{name}')
        connection.close()
    except Exception as error:  # A case that fails must not end the others.
        where = traceback.extract_tb(error.__traceback__)[1]
        text = ' / '.join(f'{type(error).__name__} {error}'.splitlines())[:400]
        print(f'FAIL {name}: {text} (line {where.lineno})', flush=True)
        return False
    print(f'not-run {name}: nobody restarts the server' if verdict else f'ok {name}', flush=True)
    return True


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for argument in sys.argv[3:]:
        name, equals, value = argument.partition('=')
        if not equals or name not in SETTINGS:
            sys.exit(f'unknown argument: {argument}')
        SETTINGS[name] = value
    only = SETTINGS['only'].split(',') if SETTINGS['only'] else None
    sys.exit(0 if all([run_case(function) for function in _cases if not only or function.__name__ in only]) else 1)


if __name__ == '__main__':
    main()
