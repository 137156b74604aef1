#!/usr/bin/env python3
"""Runs many attacks at once against a server, beside honest clients.

  zoo.py WIDEROW [--seconds 20] [--only ATTACK,ATTACK] [--stall-max 5] [--private-max 2048] [--directory DIR]

The server runs with its default limits. Each attack of attacks.py runs in a process of its own, again and again. Meanwhile honest
clients write rows and read them back, connect anew, read pages, and send HTTP requests. A *bystander* does nothing but sleep, and
so measures how long this machine makes any process wait. This time is added to --stall-max.

The script prints how the attacks ended, the requests, failures and waits of the honest clients, and the server's memory and
descriptors. It fails in each of these cases:

- a request of an honest client failed, or took longer than --stall-max seconds;
- an attack succeeded;
- the server's private memory was greater than --private-max MiB;
- the server kept descriptors, ended by itself, or did not stop cleanly."""
import argparse
import collections
import http.client
import multiprocessing
import os
import pathlib
import random
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from attacks import ATTACKS, Target, make_tables
from hostile_reads import ROWS, Client, load_rows

MIB = 1 << 10  # In KiB, which is the unit of /proc.
SETTLE_SECONDS = 3
ATTACKERS_NICE = 15  # The waits should show what the server does. Real attackers would not use its processors.
DESCRIPTORS_KEPT_MAX = 40  # After the attacks, the server may have this many descriptors more than before.


class Bystander(threading.Thread):
    """Sleeps 5 ms at a time, and keeps the longest delay with which it was woken."""

    def __init__(self, end):
        super().__init__(daemon=True)
        self.end, self.longest = end, 0.0

    def run(self):
        while time.monotonic() < self.end:
            begin = time.monotonic()
            time.sleep(0.005)
            self.longest = max(self.longest, time.monotonic() - begin - 0.005)


def attack_until(name, target, end, results):
    """Runs one attack in a process of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    os.nice(ATTACKERS_NICE)
    function, pause = ATTACKS[name]
    counts, error = collections.Counter(), ''
    while time.monotonic() < end:
        try:
            counts[function(target)] += 1
        except (OSError, http.client.HTTPException) as closed:
            counts['closed'] += 1
            error = repr(closed)
        except Exception as unexpected:  # pylint: disable=broad-except
            counts['failed'] += 1
            error = repr(unexpected)
        time.sleep(min(random.uniform(0, pause), max(0, end - time.monotonic())))
    results.put((name, counts, error))


def write_and_read(target, state):
    client, number = state or (Client(target.native), 0)
    if client.ask(f"INSERT INTO k.honest (id, v) VALUES ({number % 1000}, 'n{number}')")[0] != 0:
        raise RuntimeError('an INSERT has rows')
    if client.ask(f"SELECT v FROM k.honest WHERE id = {number % 1000} AND v = 'n{number}' ALLOW FILTERING")[0] != 1:
        raise RuntimeError(f'the row {number} is not there')
    return client, number + 1


def connect_anew(target, _):
    client = Client(target.native)
    client.ask('SELECT v FROM k.honest WHERE id = 1')
    client.socket.close()


def read_pages(target, state):
    client, paging, before = state or (Client(target.native), b'', 0)
    rows, paging = client.ask('SELECT * FROM k.t', 1_000, paging)
    if paging == b'' and before + rows != ROWS:
        raise RuntimeError(f'all pages together have {before + rows} rows')
    return client, paging, before + rows if paging else 0


def health(target, _):
    connection = http.client.HTTPConnection(*target.http, timeout=60)
    connection.request('GET', '/healthz')
    status = connection.getresponse().status
    connection.close()
    if status != 200:
        raise RuntimeError(f'status {status}')


def ask_http(target, _):
    if (status := target.post('SELECT v FROM k.honest WHERE id = 1')) != 200:
        raise RuntimeError(f'status {status}')


HONEST = {'write and read back': (write_and_read, 0.005), 'new connection': (connect_anew, 0.1), 'page of 1,000 rows': (read_pages, 0.1),
          'HTTP /healthz': (health, 0.05), 'HTTP query': (ask_http, 0.05)}


def honest_until(name, target, end, results):
    """Runs one honest client in a process of its own. Reports its waits in seconds, and its failures."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    step, pause = HONEST[name]
    waits, failures, state = [], [], None
    while time.monotonic() < end:
        begin = time.monotonic()
        try:
            state = step(target, state)
        except (OSError, RuntimeError, AssertionError, http.client.HTTPException) as error:
            failures.append(f'{begin - end:.1f} s: {error!r}')
            state = None
        waits.append(time.monotonic() - begin)
        time.sleep(pause)
    results.put((name, waits, failures))


def memory_of(pid):
    """Returns the resident memory and the private memory in MiB."""
    fields = dict(line.split(':', 1) for line in pathlib.Path(f'/proc/{pid}/status').read_text(encoding='ascii').splitlines())
    return [int(fields[name].split()[0]) / MIB for name in ('VmRSS', 'RssAnon')]


def descriptors_of(pid):
    return len(os.listdir(f'/proc/{pid}/fd'))


def watch(server, end):
    """Returns the greatest resident memory, private memory and number of descriptors until `end`."""
    most = [0, 0, 0]
    while time.monotonic() < end and server.poll() is None:
        most = [max(old, new) for old, new in zip(most, [*memory_of(server.pid), descriptors_of(server.pid)])]
        time.sleep(0.1)
    return most


def run_all(server, target, names, seconds):
    """Runs attacks and honest clients. Returns their reports, the result of watch(), and the bystander's longest delay."""
    end = time.monotonic() + seconds
    attacks, honest = multiprocessing.Queue(), multiprocessing.Queue()
    processes = [multiprocessing.Process(target=attack_until, args=(name, target, end, attacks), daemon=True) for name in names]
    processes += [multiprocessing.Process(target=honest_until, args=(name, target, end, honest), daemon=True) for name in HONEST]
    for process in processes:
        process.start()
    bystander = Bystander(end)
    bystander.start()
    most = watch(server, end)
    attack_reports = [attacks.get(timeout=180) for _ in names]
    honest_reports = [honest.get(timeout=180) for _ in HONEST]
    return attack_reports, honest_reports, most, bystander.longest


def judge_attacks(reports):
    print(f'{"attack":26} {"rounds":>7} {"answered":>9} {"refused":>8} {"closed":>7}')
    for name, counts, error in sorted(reports):
        print(f'{name:26} {sum(counts.values()):7} {counts["answered"]:9} {counts["refused"]:8} {counts["closed"]:7}  {error[:80]}')
        if counts['breach']:
            yield f'{name}: {counts["breach"]} times the server let the attack through'
        if counts['failed']:
            yield f'{name}: {error}'
        if not counts:
            yield f'{name} did not finish one round'


def judge_honest(reports, stall_max):
    print(f'{"honest client":26} {"requests":>9} {"failures":>9} {"median":>10} {"longest":>9}')
    for name, waits, failures in sorted(reports):
        longest = max(waits, default=0)
        median = statistics.median(waits) if waits else 0
        print(f'{name:26} {len(waits):9} {len(failures):9} {median * 1000:7.1f} ms {longest:7.2f} s')
        if failures:
            yield f'{name}: {len(failures)} failures, for example {failures[0]}'
        if longest > stall_max:
            yield f'{name}: waited {longest:.1f} s'
        if len(waits) < 2:
            yield f'{name}: too few requests'


def settle(server, before):
    """Waits until the server has closed the attackers' connections. Returns its memory and its number of descriptors."""
    time.sleep(SETTLE_SECONDS)
    end = time.monotonic() + 90
    while descriptors_of(server.pid) > before + DESCRIPTORS_KEPT_MAX and time.monotonic() < end:
        time.sleep(0.5)
    return *memory_of(server.pid), descriptors_of(server.pid)


def campaign(server, target, names, options):
    """Yields one sentence for each fault."""
    load_rows(target.http)
    make_tables(target)
    before = (*memory_of(server.pid), descriptors_of(server.pid))
    attack_reports, honest_reports, most, bystander = run_all(server, target, names, options.seconds)
    if server.poll() is not None:
        yield f'the server ended with status {server.returncode}'
        return
    yield from judge_attacks(attack_reports)
    yield from judge_honest(honest_reports, options.stall_max + bystander)
    after = settle(server, before[2])
    most = [max(pair) for pair in zip(most, after)]
    print(f'the longest time that the machine let a sleeping process wait: {bystander:.2f} s')
    for index, what in enumerate(('resident memory, MiB', 'private memory, MiB', 'descriptors')):
        print(f'{what:21} before {before[index]:6.0f}, at most {most[index]:6.0f}, after {after[index]:6.0f}')
    if most[1] > options.private_max:
        yield f'{most[1]:.0f} MiB of private memory'
    if after[2] > before[2] + DESCRIPTORS_KEPT_MAX:
        yield f'{after[2]} descriptors are still open'
    if target.post('SELECT v FROM k.honest WHERE id = 1') != 200:
        yield 'a read failed after the attacks'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('widerow')
    parser.add_argument('--seconds', type=float, default=20)
    parser.add_argument('--only', help='these attacks', default=','.join(ATTACKS))
    parser.add_argument('--stall-max', type=float, default=5)
    parser.add_argument('--private-max', type=float, default=2_048)
    parser.add_argument('--directory', type=pathlib.Path)
    options = parser.parse_args()
    directory = pathlib.Path(tempfile.mkdtemp(prefix='widerow-zoo-', dir=options.directory))
    begin = time.monotonic()
    problems = []
    with subprocess.Popen([options.widerow, 'serve', '--data', directory, '--port', '0', '--http-port', '0'],
                          stdout=subprocess.PIPE, text=True) as server:
        try:
            ready = dict(part.split('=', 1) for part in server.stdout.readline().split()[1:])
            addresses = [(host, int(port)) for host, port in (ready[name].rsplit(':', 1) for name in ('cql', 'http'))]
            problems += campaign(server, Target(*addresses), options.only.split(','), options)
            server.terminate()
            if server.wait(timeout=120) != 0:
                problems.append(f'the server stopped with status {server.returncode}')
        finally:
            server.kill()
    shutil.rmtree(directory, ignore_errors=True)
    print('\n'.join(f'FAILED: {problem}' for problem in problems) or f'nothing failed in {time.monotonic() - begin:.0f} s')
    sys.exit(1 if problems else 0)


if __name__ == '__main__':
    main()
