"""A running server for the tests of this folder, with a directory of its own."""
import base64
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

WAIT_SECONDS = 60


class Server:
    """Runs `WIDEROW serve` on free ports until close(). Standard error goes to the file `errors`."""

    def __init__(self, widerow, *options, environment=None, before=(), data='data'):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix='widerow-operate-'))
        self.errors = self.directory / 'errors'
        command = [*before, widerow, 'serve', '--data', str(data), '--port', '0', '--http-port', '0', *options]
        with self.errors.open('w') as errors:
            self.process = subprocess.Popen(command, cwd=self.directory, stdout=subprocess.PIPE, stderr=errors, text=True,
                                            env={**os.environ, **(environment or {})})
        ready = self.process.stdout.readline()
        found = re.search(r'cql=(\S+):(\d+) http=(\S+)', ready)
        if not found:
            self.close()
            raise RuntimeError(f'the server did not start: {ready!r}')
        self.port, self.http = int(found[2]), found[3]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=WAIT_SECONDS)

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def ask(self, query, role=None, password=None, **more):
        """Runs a query over HTTP. Returns (status, answer)."""
        headers = {'Content-Type': 'application/json'}
        if role is not None:
            headers['Authorization'] = 'Basic ' + base64.b64encode(f'{role}:{password}'.encode()).decode()
        request = urllib.request.Request(f'http://{self.http}/v1/query', json.dumps({'query': query, **more}).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=WAIT_SECONDS) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def must(self, query, *login, **more):
        status, answer = self.ask(query, *login, **more)
        if status != 200:
            raise AssertionError(f'{query}: {answer}')
        return answer

    def file(self, name):
        return (self.directory / name).read_text()


def wait_until(condition):
    end = time.monotonic() + WAIT_SECONDS
    while not condition():
        if time.monotonic() > end:
            raise AssertionError('it did not happen in time')
        time.sleep(0.02)
