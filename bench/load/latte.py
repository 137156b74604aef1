"""Builds the load client `latte` (crate latte-cli) by cargo, runs it on table.rn, and reads its reports."""
import dataclasses
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile
import time

from servers import machine_busy_seconds

VERSION = '0.29.0'
WORKLOAD = pathlib.Path(__file__).resolve().parent / 'table.rn'
BUILD = pathlib.Path(os.environ.get('WIDEROW_TOOLS_BUILD', WORKLOAD.parents[2] / 'build/tools')) / 'latte'
REQUEST_SECONDS_MAX = 60  # A request that takes longer counts as failed; the client's own limit is 5 s.
UNREACHABLE = re.compile(r'download|registry|index|network|resolve host|timed out|connect', re.I)


class Unavailable(Exception):
    """latte cannot be built here. The message says why."""


@dataclasses.dataclass
class Measurement:
    """The figures of one function of the workload on one server. Latencies are in ms, and costs in µs for one operation."""
    server: str
    phase: str
    round: int
    operations: int
    rows: int
    errors: int
    error_texts: list
    seconds: float
    rate: float
    p50: float
    p99: float
    p999: float
    server_cpu: float
    client_cpu: float
    other_cores: float  # Cores kept busy by programs that are neither the server nor the client.
    resident_mib: float
    private_mib: float  # Resident memory that is not mapped from files.
    written_bytes: float  # Bytes written to disk for each operation.


def find_or_build():
    """Returns the path of latte. Builds it if this version has not been built yet."""
    binary = BUILD / 'bin' / 'latte'
    if binary.exists() and VERSION in subprocess.run([binary, '--version'], capture_output=True, text=True, check=False).stdout:
        return binary
    if not shutil.which('cargo'):
        raise Unavailable('cargo is not installed')
    BUILD.mkdir(parents=True, exist_ok=True)
    print(f'building latte-cli {VERSION} in {BUILD}: minutes, once', flush=True)
    log = BUILD / 'build.log'
    command = ['nice', 'cargo', 'install', 'latte-cli', '--version', VERSION, '--locked', '--force', '--root', BUILD]
    with open(log, 'w', encoding='utf-8') as output:
        status = subprocess.run(command, stdout=output, stderr=output, check=False).returncode
    if status != 0:
        lines = log.read_text(encoding='utf-8').splitlines()
        print('\n'.join(lines[-20:]))
        if not any('Compiling' in line for line in lines) and UNREACHABLE.search('\n'.join(lines)):
            raise Unavailable(f'latte-cli {VERSION} cannot be fetched')
        raise SystemExit(f'latte-cli {VERSION} cannot be built: {log}')
    return binary


def client_cpu_seconds():
    """Returns the CPU time of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Latte:
    """Runs functions of table.rn. `keyspace` and `rows` go to all of them."""

    def __init__(self, binary, keyspace, rows, rows_per_partition, connections, threads):
        self.binary, self.rows, self.connections, self.threads = binary, rows, connections, threads
        self.parameters = [f'keyspace="{keyspace}"', f'rows={rows}', f'per={rows_per_partition}']
        self.directory = tempfile.TemporaryDirectory(prefix='widerow-latte-')  # Reports and logs.

    def _call(self, server, command, *arguments):
        parameters = [word for parameter in self.parameters for word in ('-P', parameter)]
        done = subprocess.run([self.binary, command, *arguments, *parameters, '--request-timeout', str(REQUEST_SECONDS_MAX),
                               '--retries', '0', '--consistency', 'ONE', WORKLOAD, server.address], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False, cwd=self.directory.name)
        if done.returncode != 0:
            raise RuntimeError(f'{server.name}: latte {command} ended with status {done.returncode}:\n{done.stdout[-3000:]}')

    def schema(self, server):
        self._call(server, 'schema')

    def run(self, server, phase, *, duration, in_flight, first_cycle=0, salt=0, rate=None, number=0):
        """Runs one function. `duration` is a number of operations, or seconds such as '10s'. With `rate`, in operations a second,
        requests are sent at fixed times and do not wait for each other."""
        report = pathlib.Path(self.directory.name) / 'report.json'
        report.unlink(missing_ok=True)
        arguments = ['-q', '-f', phase, '-w', '0', '-d', str(duration), '-t', str(self.threads), '-c', str(self.connections),
                     '-p', str(max(1, in_flight // self.threads)), '--start-cycle', str(first_cycle), '-P', f'salt={salt}',
                     '-o', report]
        if rate:
            arguments += ['-r', f'{rate:.0f}']
        cpu, written, busy = server.cpu_seconds(), server.written_bytes(), machine_busy_seconds()
        client, begin = client_cpu_seconds(), time.monotonic()
        self._call(server, 'run', *arguments)
        elapsed = time.monotonic() - begin
        client, cpu = client_cpu_seconds() - client, server.cpu_seconds() - cpu
        busy, written = machine_busy_seconds() - busy, server.written_bytes() - written
        with open(report, encoding='utf-8') as file:
            content = json.load(file)
        result = content['result']
        operations = result['cycle_count']
        latency = dict(zip(content['percentiles'], (p['value'] for p in result['cycle_latency']['percentiles'])))
        each = 1e6 / max(operations, 1)
        return Measurement(
            server=server.name, phase=phase, round=number, operations=operations, rows=result['row_count'],
            errors=result['error_count'], error_texts=[str(error) for error in result['errors'][:3]],
            seconds=result['elapsed_time_s'], rate=operations / result['elapsed_time_s'], p50=latency[50.0], p99=latency[99.0],
            p999=latency[99.9], server_cpu=cpu * each, client_cpu=client * each, other_cores=(busy - cpu - client) / elapsed,
            resident_mib=server.resident_mib(), private_mib=server.private_mib(),
            written_bytes=written / max(operations, 1))
