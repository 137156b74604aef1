#!/usr/bin/env python3
"""packages_test.py BUILD: builds the packages (scripts/package.sh) and checks what is in them."""
import gzip
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'packaging'))
import link_portable  # noqa: E402
import notices  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
PACKAGES = BUILD / 'packages'
# The C library, and what the kernel adds.
GLIBC = {'libc.so.6', 'libm.so.6', 'ld-linux-x86-64.so.2', 'linux-vdso.so.1'}
GLIBC_NEWEST = (2, 34)
WORDS = """
CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
CREATE TABLE k.t (id int PRIMARY KEY, name text, body text);
CREATE INDEX ON k.t (name) USING 'sai' WITH OPTIONS = {'case_sensitive': 'false', 'normalize': 'true', 'ascii': 'true'};
CREATE INDEX ON k.t (body) USING 'sai' WITH OPTIONS = {'index_analyzer': 'standard'};
INSERT INTO k.t (id, name, body) VALUES (1, 'Ærøskøbing', 'Über den Wolken');
INSERT INTO k.t (id, name, body) VALUES (2, 'Łódź', 'ภาษาไทย 東京タワー don''t');
INSERT INTO k.t (id, name, body) VALUES (3, 'plain', 'plain words, only');
SELECT id FROM k.t WHERE name = 'AEROSKOBING';
SELECT id FROM k.t WHERE name = 'lodz';
SELECT id FROM k.t WHERE body : 'über';
SELECT id FROM k.t WHERE body : 'タワー';
SELECT id FROM k.t WHERE body : 'ภาษาไทย';
"""


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=True, **options).stdout


def one(pattern):
    found = list(PACKAGES.glob(pattern))
    assert len(found) == 1, f'{pattern}: {found}'
    return found[0]


def packages_of_static_libraries(target, kept):
    """Returns Debian's packages of the libraries that a target links statically. The libraries of Boost count as one."""
    command = run('ninja', '-C', BUILD, '-t', 'commands', target).splitlines()[-1].split()
    arguments = (part for argument in command for part in link_portable.static_form(argument, 'icudata.o', kept))
    names = {part.removeprefix('-l:') for part in arguments if re.fullmatch(r'(-l:lib|/usr/lib/).*\.a', part)}
    paths = [run('c++', '-print-file-name=' + os.path.basename(name)).strip() for name in names]
    owners = {line.split(':')[0] for line in run('dpkg', '-S', *(os.path.realpath(path) for path in paths)).splitlines()}
    return {'libboost1.81-dev' if owner.startswith('libboost') else owner for owner in owners}


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for old in (*PACKAGES.glob('*.deb'), *PACKAGES.glob('*.whl'), *PACKAGES.glob('*.xz')):
            old.unlink()
        print(run(ROOT / 'scripts/package.sh', BUILD, env={**os.environ, 'XZ_OPT': '-0'}))  # Compresses fast.
        cls.scratch = tempfile.TemporaryDirectory()
        with tarfile.open(one('widerow-*.tar.xz')) as tarball:
            cls.names = tarball.getnames()
            tarball.extractall(cls.scratch.name)
        cls.portable = next(pathlib.Path(cls.scratch.name).glob('*/widerow'))

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_notices(self):
        for target, kept, named in (('widerow_portable', link_portable.KEPT, notices.PORTABLE),
                                    ('widerow_debian', (*link_portable.KEPT, *link_portable.DEBIAN), notices.DEBIAN)):
            found = packages_of_static_libraries(target, kept)
            self.assertIn('libthrift-dev', found)
            self.assertLessEqual(found, set(named), target)

    def test_debian_package(self):
        package = one('widerow_*_amd64.deb')
        files = {line.split()[5]: line.split()[0] for line in run('dpkg-deb', '-c', package).splitlines()}
        for name, mode in (('./usr/bin/widerow', '-rwxr-xr-x'), ('./etc/widerow/widerow.conf', '-rw-r--r--'),
                           ('./lib/systemd/system/widerow.service', '-rw-r--r--'), ('./usr/share/doc/widerow/copyright', '-rw-r--r--'),
                           ('./usr/share/man/man1/widerow.1.gz', '-rw-r--r--')):
            self.assertEqual(files.get(name), mode, name)
        self.assertFalse([name for name in files if 'var/lib' in name], 'the data directory must not belong to the package')
        fields = run('dpkg-deb', '-f', package)
        # Each further library makes the installation longer: apt-get writes and syncs its files.
        depends = re.findall(r'([\w.+-]+)(?: \([^)]*\))?(?:, |$)', re.search(r'(?m)^Depends: (.*)$', fields)[1])
        present = {'adduser', 'libc6', 'libcrypt1', 'libgcc-s1', 'liblz4-1', 'libstdc++6', 'libtinfo6', 'libxxhash0', 'zlib1g'}
        self.assertEqual(set(depends) - present, {'libssl3'})
        with tempfile.TemporaryDirectory() as control:
            run('dpkg-deb', '-e', package, control)
            self.assertEqual(pathlib.Path(control, 'conffiles').read_text(), '/etc/widerow/widerow.conf\n')
            for script in ('postinst', 'prerm', 'postrm'):
                run('sh', '-n', pathlib.Path(control, script))
        with tempfile.TemporaryDirectory() as root:
            run('dpkg-deb', '-x', package, root)
            page = gzip.decompress(pathlib.Path(root, 'usr/share/man/man1/widerow.1.gz').read_bytes()).decode()
            self.assertIn('slow\\-statement\\-ms', page)

    def test_lintian_has_nothing_to_say(self):
        done = subprocess.run(['lintian', '--fail-on', 'error,warning', one('widerow_*_amd64.deb')], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, ''))

    def test_service_and_configuration(self):
        unit = (ROOT / 'packaging/widerow.service').read_text()
        for setting in ('Type=notify', 'ProtectSystem=strict', 'CapabilityBoundingSet=\n', 'NoNewPrivileges=yes', 'StateDirectory=widerow'):
            self.assertIn(setting, unit)
        # A reload needs no program but the shell: the package procps may be absent.
        reload = shlex.split(re.search(r'(?m)^ExecReload=(.*)$', unit)[1])
        self.assertEqual(reload[0], '/bin/sh')
        with subprocess.Popen(['sleep', '60']) as process:
            run(*reload, env={'MAINPID': str(process.pid), 'PATH': '/nowhere'})
            self.assertEqual(process.wait(timeout=60), -signal.SIGHUP)
        self.assertIn('no problem', run(self.portable, 'serve', '--config', ROOT / 'packaging/widerow.conf', '--check-config'))
        if has('systemd-analyze'):
            rating = run('systemd-analyze', 'security', '--offline=yes', '--threshold=20', ROOT / 'packaging/widerow.service')
            self.assertRegex(rating, r'Overall exposure level for widerow.service: [01]\.\d')
            # As on a machine that has the package.
            installed = pathlib.Path(self.scratch.name, 'widerow.service')
            installed.write_text(unit.replace('/usr/bin/widerow', str(self.portable)))
            done = subprocess.run(['systemd-analyze', 'verify', '--man=no', installed], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ''))

    def test_portable_program_needs_only_the_c_library(self):
        needed = set(re.findall(r'^\s*(?:/\S*/)?([\w.-]+\.so[\w.]*)', run('ldd', self.portable), re.M))
        self.assertLessEqual(needed, GLIBC)
        versions = {tuple(map(int, version.split('.'))) for version in re.findall(r'GLIBC_([\d.]+)', run('objdump', '-T', self.portable))}
        self.assertLessEqual(max(versions), GLIBC_NEWEST)
        prefix = self.names[0].split('/')[0]
        self.assertLessEqual({f'{prefix}/{name}' for name in ('widerow', 'NOTICE', 'LICENSE', 'README.md', 'widerow.service')}, set(self.names))
        notice = (self.portable.parent / 'NOTICE').read_text()
        for library in ('Abseil', 'OpenLDAP Public License', 'ICU', 'libxcrypt', 'spdlog', 'OpenSSL', 'Boost Software License'):
            self.assertIn(library, notice)

    def test_portable_program_knows_characters_as_the_built_one_does(self):
        """Its ICU has only a part of the data (packaging/cut_icu_data.sh)."""
        answers = []
        for program in (BUILD / 'widerow', self.portable):
            with tempfile.TemporaryDirectory() as data:
                answers.append(run(program, 'shell', '--data', data, '--format', 'csv', '--no-extension-warnings', '-e', WORDS))
        self.assertEqual(answers[0], answers[1])
        self.assertEqual(re.findall(r'^\d$', answers[1], re.M)[:3], ['1', '2', '1'])

    def test_errors_reach_the_user_of_the_portable_program(self):
        """The parser throws exceptions, and the program has its own _dl_find_object for them."""
        with tempfile.TemporaryDirectory() as data:
            done = subprocess.run([self.portable, 'shell', '--data', data, '-e', 'SELEC 1'], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn('no viable alternative', done.stdout + done.stderr)

    def test_wheel(self):
        wheel = one('widerow-*.whl')
        version = wheel.name.split('-')[1]
        self.assertEqual(wheel.name, f'widerow-{version}-py3-none-manylinux_2_34_x86_64.whl')
        with zipfile.ZipFile(wheel) as content:
            names = content.namelist()
            program = f'widerow-{version}.data/scripts/widerow'
            self.assertEqual(content.read(program), self.portable.read_bytes())
            self.assertTrue(content.getinfo(program).external_attr >> 16 & 0o111, 'the program is executable')
            self.assertIn(f'Version: {version}\n', content.read(f'widerow-{version}.dist-info/METADATA').decode())
            self.assertIn('Tag: py3-none-manylinux_2_34_x86_64\n', content.read(f'widerow-{version}.dist-info/WHEEL').decode())
            self.assertIn(program, content.read(f'widerow-{version}.dist-info/RECORD').decode())
            self.assertIn(f'widerow-{version}.dist-info/NOTICE', names)
        with tempfile.TemporaryDirectory() as environment:
            run(sys.executable, '-m', 'venv', environment)
            run(f'{environment}/bin/pip', 'install', '--no-index', '--disable-pip-version-check', wheel)
            self.assertEqual(run(f'{environment}/bin/widerow', '--version').splitlines()[0], f'widerow {version}')


def has(program):
    return subprocess.run(['which', program], capture_output=True).returncode == 0


if __name__ == '__main__':
    unittest.main()
