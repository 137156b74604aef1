"""Servers under load. A server is started here in a fresh directory, or it runs already. Its costs are read from /proc."""
import os
import re
import shlex
import signal
import subprocess
import tempfile
import threading

START_SECONDS_MAX = 60
STOP_SECONDS_MAX = 120
TICKS_PER_SECOND = os.sysconf('SC_CLK_TCK')


class Server:
    """A server of the native protocol: its name in the printed tables, its address and its process."""

    def __init__(self, name, address, pid):
        self.name, self.address, self.pid = name, address, pid

    @classmethod
    def running(cls, text):
        """Makes a server from a text of the form NAME=HOST:PORT,PID."""
        match = re.fullmatch(r'([\w.-]+)=([^,]+:\d+),(\d+)', text)
        if match is None or not os.path.isdir(f'/proc/{match[3]}'):
            raise ValueError(f'{text}: not NAME=HOST:PORT,PID of a running process')
        return cls(match[1], match[2], int(match[3]))

    def _proc(self, name):
        """Returns the text of a file of the process in /proc. Raises RuntimeError if the process has ended."""
        try:
            with open(f'/proc/{self.pid}/{name}', encoding='utf-8') as file:
                return file.read()
        except OSError as error:
            raise RuntimeError(f'{self.name}: process {self.pid} is gone') from error

    def cpu_seconds(self):
        """Returns the user and system time of the process so far."""
        state, *fields = self._proc('stat').rsplit(')', 1)[1].split()
        if state == 'Z':
            raise RuntimeError(f'{self.name}: process {self.pid} has ended')
        return (int(fields[10]) + int(fields[11])) / TICKS_PER_SECOND

    def resident_mib(self):
        return self._memory_mib('VmRSS')

    def peak_mib(self):
        """Returns the greatest resident memory since the process began, or since 5 was written to its clear_refs."""
        return self._memory_mib('VmHWM')

    def private_mib(self):
        """Returns the resident memory that does not belong to a file. Mapped pages of LMDB's file do not count."""
        return self._memory_mib('RssAnon')

    def _memory_mib(self, name):
        return int(re.search(rf'^{name}:\s+(\d+)', self._proc('status'), re.M)[1]) / 1024

    def written_bytes(self):
        """Returns the number of bytes that the process has sent to the disk."""
        return int(re.search(r'^write_bytes: (\d+)', self._proc('io'), re.M)[1])

    def stop(self):
        """Does nothing, because the server was running already. Returns a message if a server failed, or None."""


def wait_until_ready(process):
    """Waits until `widerow serve` is ready. Its output must be a pipe. Returns its addresses, {'cql': HOST:PORT, 'http': HOST:PORT},
    and 'hbase' and 'thrift' if it listens for clients of HBase. If the server does not get ready, the function kills it and raises ValueError."""
    impatience = threading.Timer(START_SECONDS_MAX, process.kill)
    impatience.start()
    line = process.stdout.readline()
    impatience.cancel()
    addresses = dict(re.findall(r'\b(cql|http|hbase|thrift)=(\S+)', line)) if line.startswith('ready ') else {}
    if 'cql' not in addresses:
        process.kill()
        raise ValueError(f'the server did not get ready: {line!r}')
    return addresses


class StartedServer(Server):
    """A server that runs `COMMAND serve` on free ports. Its data directory is `data`, or a new one that is removed at the end."""

    def __init__(self, text, parent_directory=None, data=None):
        """`text` is NAME=COMMAND. COMMAND is the path of a `widerow` and options of `serve`, written as in a shell."""
        name, _, command = text.partition('=')
        if not name or not command:
            raise ValueError(f'{text}: not NAME=COMMAND')
        program, *options = shlex.split(command)
        self.directory = tempfile.TemporaryDirectory(prefix='widerow-load-', dir=parent_directory)
        self.process = subprocess.Popen([program, 'serve', '--data', str(data or self.directory.name), '--port', '0', '--http-port', '0',
                                         *options], stdout=subprocess.PIPE, text=True)
        addresses = wait_until_ready(self.process)
        self.http = addresses.get('http')
        super().__init__(name, addresses['cql'], self.process.pid)

    def stop(self):
        status = self.process.poll()
        if status is not None:
            return f'{self.name}: the server ended by itself with status {status}'
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return f'{self.name}: the server did not stop in {STOP_SECONDS_MAX} s'
        finally:
            self.process.stdout.close()
            self.directory.cleanup()
        return None if status == 0 else f'{self.name}: the server stopped with status {status}'


def machine_busy_seconds():
    """Returns the CPU time that all programs of the machine have used, on all cores together."""
    with open('/proc/stat', encoding='utf-8') as stat:
        fields = [int(field) for field in stat.readline().split()[1:]]
    return (sum(fields[:3]) + sum(fields[5:8])) / TICKS_PER_SECOND  # Without the time that cores are idle or wait for a disk.
