"""The functions that the tests of Java tools share. They fetch a tool with Maven, and start a server for it."""
import json
import os
import pathlib
import pwd
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / 'bench' / 'load'))
from servers import StartedServer  # noqa: E402

SKIPPED = 77
RUN_SECONDS_MAX = 900
# These tools were written for Java 8 and use its internals.
JAVA = ['java', *(word for package in ('java.io', 'java.lang', 'sun.nio.ch')
                  for word in ('--add-opens', f'java.base/{package}=ALL-UNNAMED'))]


def skip(why):
    required = os.environ.get('WIDEROW_DRIVERS_REQUIRED') == '1'
    print(f'{"FAILED, not to be skipped here" if required else "SKIPPED"}: {why}')
    sys.exit(1 if required else SKIPPED)


def fetch(name, goal):
    """Returns the folder build/tools/NAME. Maven's `goal` fills it after each change of NAME.pom.xml. If this fails, the test ends."""
    os.environ.setdefault('HOME', pwd.getpwuid(os.getuid()).pw_dir)  # Maven keeps its packages there.
    pom = HERE / f'{name}.pom.xml'
    build = pathlib.Path(os.environ.get('WIDEROW_TOOLS_BUILD', HERE.parents[1] / 'build/tools')) / name
    fetched = build / 'fetched'
    if fetched.exists() and fetched.read_bytes() == pom.read_bytes():
        return build
    for tool in ('java', 'mvn'):
        if not shutil.which(tool):
            skip(f'{tool} is not installed')
    shutil.rmtree(build, ignore_errors=True)
    done = subprocess.run(['mvn', '--batch-mode', '--quiet', '-Dstyle.color=never', '-f', pom, f'-Dtool.build={build}', goal],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        print(done.stdout[-3000:])
        skip(f'the Maven artifacts of {name} cannot be fetched')
    fetched.write_bytes(pom.read_bytes())
    return build


class JavaToolTest(unittest.TestCase):
    """Runs a tool from a temporary directory against a fresh server; `WIDEROW` is the binary."""
    WIDEROW = None

    def setUp(self):
        self.server = StartedServer(f'widerow={self.WIDEROW}')
        self.addCleanup(lambda: self.assertIsNone(self.server.stop()))
        directory = tempfile.TemporaryDirectory(prefix='widerow-tool-')
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)
        self.host, self.port = self.server.address.rsplit(':', 1)

    def java(self, *arguments):
        """Returns the tool's output; it must end with status 0."""
        done = subprocess.run([*JAVA, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                              timeout=RUN_SECONDS_MAX, cwd=self.directory)
        self.assertEqual(done.returncode, 0, done.stdout[-5000:])
        return done.stdout

    def query(self, text):
        """Returns the rows of one statement, over HTTP."""
        request = urllib.request.Request(f'http://{self.server.http}/v1/query', json.dumps({'query': text}).encode(),
                                         {'Content-Type': 'application/json'})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer).get('rows')


def main():
    """NAME_test.py WIDEROW"""
    JavaToolTest.WIDEROW = sys.argv.pop(1)
    unittest.main()
