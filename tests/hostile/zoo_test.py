#!/usr/bin/env python3
"""zoo_test.py tests the zoo. It must notice a server that answers twice, and clients that failed, waited or did nothing."""
import collections
import contextlib
import http.server
import io
import threading
import unittest

import attacks
import zoo


class Naive(http.server.BaseHTTPRequestHandler):
    """A faulty HTTP server. It takes every body as chunked and empty, so the bytes of the body become the next request."""
    protocol_version = 'HTTP/1.1'

    def do_GET(self):
        self.send_response(400)
        self.send_header('Content-Length', '0')
        self.end_headers()
        self.close_connection = self.command == 'GET'

    def do_POST(self):
        self.rfile.read(len(b'0\r\n\r\n'))
        self.do_GET()

    def log_message(self, *_):  # pylint: disable=arguments-differ
        pass


def problems(judge, *arguments):
    """Returns the complaints of a judge, without its table."""
    with contextlib.redirect_stdout(io.StringIO()):
        return list(judge(*arguments))


class ZooTest(unittest.TestCase):
    def test_a_server_that_answers_twice_is_found(self):
        with http.server.ThreadingHTTPServer(('127.0.0.1', 0), Naive) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(attacks.smuggling(attacks.Target(None, server.server_address)), 'breach')
            server.shutdown()

    def test_attacks(self):
        good = ('garbage', collections.Counter(answered=3, refused=1, closed=1), '')
        self.assertEqual(problems(zoo.judge_attacks, [good]), [])
        for counts in ({'breach': 1, 'refused': 5}, {'failed': 1, 'answered': 1}, {}):
            self.assertEqual(len(problems(zoo.judge_attacks, [good, ('smuggling', collections.Counter(counts), 'why')])), 1)

    def test_honest_clients(self):
        good = ('health', [0.1, 4.9, 0.1], [])
        self.assertEqual(problems(zoo.judge_honest, [good], 5), [])
        for report in (('slow', [0.1, 5.1], []), ('failed', [0.1, 0.1], ['no answer']), ('silent', [0.1], [])):
            self.assertEqual(len(problems(zoo.judge_honest, [good, report], 5)), 1)


if __name__ == '__main__':
    unittest.main()
