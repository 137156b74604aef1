#!/usr/bin/env python3
"""install_test.py BUILD: installs each package in a Debian 12 of its own, made by mmdebstrap, without a compiler, and stores a row.

Needs root, mmdebstrap, and the packages that packages_test.py has built. Prints the sizes and the time from the first command to the
first row. The time on the processor is bounded, because other programs hardly change it. The service is run as its unit says: by its user, with its command, with NOTIFY_SOCKET, and again after a kill."""
import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
PACKAGES = BUILD / 'packages'
SECONDS_MAX = 10
SKIPPED = 77
FIRST_ROW = """CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
CREATE TABLE k.t (id int PRIMARY KEY, v text); INSERT INTO k.t (id, v) VALUES (1, 'one'); SELECT v FROM k.t;"""


def one(pattern):
    found = list(PACKAGES.glob(pattern))
    if len(found) != 1:
        sys.exit(f'{pattern}: {found}; build the packages first')
    return found[0]


def processor_seconds():
    """Returns the processor time of all programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class System:
    """A Debian 12 in a directory."""

    def __init__(self, *include):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix='widerow-system-'))
        self.root.chmod(0o755)
        subprocess.run(['mmdebstrap', '--quiet', '--variant=apt', f'--include={",".join(include)}', 'bookworm', str(self.root)], check=True)
        # Names of compilers that must not be there.
        assert not any((self.root / 'usr/bin' / name).exists() for name in ('cc', 'gcc', 'c++', 'g++', 'clang', 'cmake'))
        for name in ('proc', 'dev'):
            subprocess.run(['mount', '--bind', f'/{name}', str(self.root / name)], check=True)
        for source in (pathlib.Path('/etc/hosts'), pathlib.Path('/etc/resolv.conf'), *pathlib.Path('/etc/apt/apt.conf.d').iterdir()):
            if source.is_file() and not source.name.startswith('docker-'):
                shutil.copy(source, self.root / source.relative_to('/'))
        # As in an image of a system: installing a package starts no service.
        (self.root / 'usr/sbin/policy-rc.d').write_text('#!/bin/sh\nexit 101\n')
        (self.root / 'usr/sbin/policy-rc.d').chmod(0o755)

    def close(self):
        for name in ('proc', 'dev'):
            subprocess.run(['umount', '--lazy', str(self.root / name)], check=False)
        subprocess.run(['rm', '-rf', '--one-file-system', str(self.root)], check=False)

    def put(self, file):
        shutil.copy(file, self.root / 'tmp' / file.name)
        return f'/tmp/{file.name}'

    def run(self, command, check=True):
        done = subprocess.run(['chroot', str(self.root), 'sh', '-c', command], capture_output=True, text=True,
                              env={'PATH': '/usr/sbin:/usr/bin:/sbin:/bin', 'DEBIAN_FRONTEND': 'noninteractive', 'HOME': '/root'})
        if check and done.returncode != 0:
            raise AssertionError(f'{command}: {done.stdout}{done.stderr}')
        return done.stdout


class Service:
    """The server as systemd would start it from the unit: its user, its command, its directories, NOTIFY_SOCKET."""

    def __init__(self, system):
        self.unit = dict(re.findall(r'^(\w+)=(.*)$', (system.root / 'lib/systemd/system/widerow.service').read_text(), re.M))
        self.root = str(system.root)
        user, state, mode = self.unit['User'], self.unit['StateDirectory'], self.unit['StateDirectoryMode']
        system.run(f'install -d -o {user} -g {user} -m {mode} /var/lib/{state} && install -d -o {user} -g {user} /var/log/{state}')
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        name = f'widerow-service-{os.getpid()}-{time.monotonic_ns()}'
        self.listener.bind('\0' + name)
        self.listener.settimeout(60)
        command = ['chroot', f'--userspec={user}', str(system.root), *self.unit['ExecStart'].split(), '--port', '0', '--http-port', '0']
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        env={'PATH': '/usr/sbin:/usr/bin', 'NOTIFY_SOCKET': '@' + name})
        while not (text := self.listener.recv(4_096).decode()).startswith('READY=1'):
            pass
        self.http = re.search(r'http=(\S+)', text)[1]

    def reload(self):
        """Runs ExecReload. This system has no /bin/kill."""
        command = ['chroot', f'--userspec={self.unit["User"]}', self.root, *shlex.split(self.unit['ExecReload'])]
        subprocess.run(command, check=True, env={'PATH': '/usr/sbin:/usr/bin', 'MAINPID': str(self.process.pid)})

    def end(self, number):
        self.process.send_signal(number)
        self.process.wait(timeout=60)
        self.listener.close()
        self.process.stdout.close()
        return self.process.returncode


class Install(unittest.TestCase):
    def system(self, *include):
        made = System(*include)
        self.addCleanup(made.close)
        return made

    def timed(self, name, package, install):
        """Runs `install`, which ends with the first row, and checks its time."""
        begin, used = time.monotonic(), processor_seconds()
        output = install()
        seconds, on_processor = time.monotonic() - begin, processor_seconds() - used
        print(f'{name}: {package.stat().st_size / 1e6:.1f} MB; first row after {seconds:.1f} s, {on_processor:.1f} s of it on the processor',
              flush=True)
        self.assertIn('one', output)
        self.assertLessEqual(on_processor, SECONDS_MAX)

    def test_tarball(self):
        system, package = self.system('xz-utils'), one('widerow-*.tar.xz')
        file = system.put(package)
        self.timed('tarball', package, lambda: system.run(
            f'cd /root && tar xf {file} && cd widerow-*/ && ./widerow shell --data /root/data --format csv -e "{FIRST_ROW}"'))

    def test_wheel(self):
        system, package = self.system('python3-venv'), one('widerow-*.whl')
        file = system.put(package)
        system.run('python3 -m venv /root/environment')
        self.timed('wheel', package, lambda: system.run(
            f'/root/environment/bin/pip install --no-index {file} && '
            f'/root/environment/bin/widerow shell --data /root/data --format csv -e "{FIRST_ROW}"'))

    def test_debian_package(self):
        system, package = self.system('adduser'), one('widerow_*_amd64.deb')
        file = system.put(package)
        # The libraries that it needs are fetched before: their time depends on the network.
        system.run('apt-get update && apt-get install -y --no-install-recommends --download-only ' + file)
        self.timed('Debian package', package, lambda: system.run(
            f'apt-get install -y --no-install-recommends {file} && widerow shell --data /root/data --format csv -e "{FIRST_ROW}"'))
        self.assertIn('/var/lib/widerow', system.run('getent passwd widerow'))

        service = Service(system)
        ask = f'WIDEROW_PASSWORD=cassandra widerow shell {service.http} -u cassandra --format csv -e '
        self.assertIn('one', system.run(f'{ask} "{FIRST_ROW}"'))
        service.reload()
        self.assertIn('one', system.run(f'{ask} "SELECT v FROM k.t"'))
        self.assertEqual(service.end(signal.SIGKILL), -signal.SIGKILL)
        again = Service(system)  # Restart=on-failure
        ask = f'WIDEROW_PASSWORD=cassandra widerow shell {again.http} -u cassandra --format csv -e '
        self.assertIn('one', system.run(f'{ask} "SELECT v FROM k.t"'))
        self.assertEqual(again.end(signal.SIGTERM), 0)

        # An upgrade keeps the configuration and the data; removal and purge keep the data.
        system.run("sed -i 's/^# memtable = 64M/memtable = 32M/' /etc/widerow/widerow.conf")
        system.run(f'apt-get install -y --reinstall {file}')
        self.assertIn('\nmemtable = 32M', system.run('cat /etc/widerow/widerow.conf'))
        system.run('apt-get remove -y widerow')
        self.assertIn('data.mdb', system.run('ls /var/lib/widerow'))
        system.run('test ! -e /usr/bin/widerow && test -e /etc/widerow/widerow.conf')
        system.run('apt-get purge -y widerow')
        self.assertIn('data.mdb', system.run('ls /var/lib/widerow'))
        system.run('test ! -e /etc/widerow/widerow.conf')
        system.run(f'apt-get install -y --no-install-recommends {file}')
        service = Service(system)
        ask = f'WIDEROW_PASSWORD=cassandra widerow shell {service.http} -u cassandra --format csv -e '
        self.assertIn('one', system.run(f'{ask} "SELECT v FROM k.t"'))
        self.assertEqual(service.end(signal.SIGTERM), 0)


if __name__ == '__main__':
    if os.getuid() != 0 or shutil.which('mmdebstrap') is None:
        print('skipped: root and mmdebstrap are needed')
        sys.exit(SKIPPED)
    unittest.main()
