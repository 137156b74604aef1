#!/usr/bin/env python3
"""metrics_test.py WIDEROW BUILD: tests GET /metrics, and the alert rules and the dashboard of docs/operate/monitoring.

exposition.py checks the format and the names. If Debian's package `prometheus` can be fetched, or promtool is installed, promtool
checks them too. The package is not installed: promtool is unpacked below BUILD."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

import exposition

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'drivers'))
import harness  # noqa: E402

MONITORING = HERE.parents[1] / 'docs' / 'operate' / 'monitoring'
# Functions, keywords and labels of PromQL in the rules and in the dashboard.
NO_METRICS = set('and sum by rate le topk histogram_quantile time changes count unless on instance kind job error stage protocol result keyspace table '
                 'version data_format'.split())

NO_BACKUP = """
rule_files: ['RULES']
evaluation_interval: 10m
tests:
  - interval: 10m
    input_series:
      - {series: 'up{job="widerow", instance="with"}', values: '1x200'}
      - {series: 'up{job="widerow", instance="without"}', values: '1x200'}
      - {series: 'widerow_backup_last_timestamp_seconds{job="widerow", instance="with"}', values: '_x11 7200x188'}
    alert_rule_test:
      - {eval_time: 23h, alertname: WiderowNoBackup, exp_alerts: []}
      - eval_time: 25h
        alertname: WiderowNoBackup
        exp_alerts:
          - exp_labels: {job: widerow, instance: without, severity: critical}
            exp_annotations:
              summary: without has made no backup for a day after its start
              remedy: Look whether the schedule of widerow backup still runs, and at the output of the command.
"""


def find_promtool(build):
    """Returns the path of promtool, or None."""
    installed = shutil.which('promtool')
    folder = build / 'promtool'
    unpacked = folder / 'usr' / 'bin' / 'promtool'
    if installed or unpacked.exists():
        return installed or str(unpacked)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        subprocess.run(['apt-get', 'download', 'prometheus'], cwd=folder, check=True, capture_output=True, timeout=300)
        package = next(folder.glob('prometheus_*.deb'))
        subprocess.run(['dpkg-deb', '-x', package, folder], check=True, capture_output=True)
    except (OSError, StopIteration, subprocess.SubprocessError):
        return None
    return str(unpacked)


class MetricsTest(unittest.TestCase):
    widerow = build = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix='widerow-metrics-')
        certificates = harness.make_certificates(cls.folder.name)
        options = [*harness.tls_options(certificates, 'server'), '--tls', 'optional']
        cls.began = time.time()
        cls.server = harness.Server(cls.widerow, f'{cls.folder.name}/data', False, options)
        cls.server.start()
        # The metrics of backups exist after the first one.
        subprocess.run([cls.widerow, 'backup', '--server', cls.server.http, '--to', f'{cls.folder.name}/backup'], check=True, capture_output=True)
        cls.promtool = find_promtool(cls.build)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.folder.cleanup()

    def query(self, text, status=200):
        request = urllib.request.Request(f'http://{self.server.http}/v1/query', json.dumps({'query': text}).encode(),
                                         {'Content-Type': 'application/json'})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                got = answer.status
        except urllib.error.HTTPError as error:
            got = error.code
        self.assertEqual(got, status, text)

    def text(self):
        with urllib.request.urlopen(f'http://{self.server.http}/metrics', timeout=30) as answer:
            self.assertEqual(answer.headers['Content-Type'], 'text/plain; version=0.0.4; charset=utf-8')
            return answer.read().decode()

    def value(self, metrics, name, suffix='', **labels):
        return metrics[name].samples[suffix, tuple(sorted(labels.items()))]

    def run_promtool(self, *arguments, **options):
        if self.promtool is None:
            self.skipTest('promtool is not installed, and its package cannot be fetched')
        done = subprocess.run([self.promtool, *arguments], capture_output=True, text=True, timeout=60, check=False, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ''), done.stdout)
        return done.stdout

    def test_requests_errors_and_times_are_counted(self):
        self.query("CREATE KEYSPACE m WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
        self.query('CREATE TABLE m.t (k int PRIMARY KEY, v text)')
        before = exposition.parse(self.text())
        for key in range(20):
            self.query(f"INSERT INTO m.t (k, v) VALUES ({key}, 'x')")
        for _ in range(10):
            self.query('SELECT * FROM m.t WHERE k = 1')
        for _ in range(3):
            self.query('SELEC', status=400)
        self.query('SELECT * FROM m.missing', status=400)
        after = exposition.parse(self.text())

        def grown(name, suffix='', **labels):
            return self.value(after, name, suffix, **labels) - self.value(before, name, suffix, **labels)

        self.assertEqual(grown('widerow_requests_total', protocol='http', kind='http'), 35, 'with one of /metrics')
        self.assertEqual(grown('widerow_request_errors_total', protocol='http', error='SyntaxError'), 3)
        self.assertEqual(grown('widerow_request_errors_total', protocol='http', error='Invalid'), 1)
        self.assertEqual(grown('widerow_statement_seconds', '_count', kind='write'), 20)
        self.assertEqual(grown('widerow_statement_seconds', '_count', kind='read'), 10)
        self.assertGreater(grown('widerow_statement_seconds', '_sum', kind='write'), 0)
        self.assertEqual(grown('widerow_table_writes_total', keyspace='m', table='t'), 20)

    def test_the_native_protocol_is_counted(self):
        subprocess.run([sys.executable, HERE / 'native_requests.py', self.server.cql], check=True)
        metrics = exposition.parse(self.text())
        for kind, count in {'query': 3, 'prepare': 1, 'execute': 2, 'batch': 1}.items():
            self.assertEqual(self.value(metrics, 'widerow_requests_total', protocol='cql', kind=kind), count, kind)
        for error, count in {'SyntaxError': 1, 'Invalid': 1, 'Unprepared': 1, 'ProtocolError': 1}.items():
            self.assertEqual(self.value(metrics, 'widerow_request_errors_total', protocol='cql', error=error), count, error)

    def test_the_process_and_the_build(self):
        metrics = exposition.parse(self.text())
        version = subprocess.run([self.widerow, '--version'], capture_output=True, text=True, check=True).stdout
        data_format = re.search(r'data format (\d+)', version)[1]
        self.assertEqual(self.value(metrics, 'widerow_build_info', version=version.split()[1], data_format=data_format), 1)
        self.assertEqual(self.value(metrics, 'widerow_accepts_writes'), 1)
        self.assertLess(abs(self.value(metrics, 'process_start_time_seconds') - self.began), 30)
        self.assertGreater(self.value(metrics, 'process_cpu_seconds_total'), 0)
        resident, virtual = (self.value(metrics, f'process_{kind}_memory_bytes') for kind in ('resident', 'virtual'))
        self.assertTrue(1 << 20 < self.value(metrics, 'widerow_private_bytes') <= resident < virtual)
        fds = len(list(pathlib.Path(f'/proc/{self.server.process.pid}/fd').iterdir()))
        self.assertLess(abs(self.value(metrics, 'process_open_fds') - fds), 5)
        self.assertGreaterEqual(self.value(metrics, 'process_max_fds'), fds)

    def test_promtool_finds_nothing(self):
        self.assertEqual(self.run_promtool('check', 'metrics', input=self.text()), '')
        self.assertIn('SUCCESS', self.run_promtool('check', 'rules', str(MONITORING / 'alerts.yml')))

    def test_a_server_without_backups_is_noticed(self):
        """Of two servers, `with` makes a backup after two hours, and `without` makes none."""
        test = pathlib.Path(self.folder.name) / 'no_backup.yml'
        test.write_text(NO_BACKUP.replace('RULES', str(MONITORING / 'alerts.yml')))
        self.assertIn('SUCCESS', self.run_promtool('test', 'rules', str(test)))

    def test_rules_and_dashboard_name_metrics_that_exist(self):
        known = exposition.parse(self.text())
        rules = (MONITORING / 'alerts.yml').read_text()
        expressions = re.findall(r'^ +expr: (?:>-\n +)?(.*)', rules, re.MULTILINE)
        self.assertGreater(len(expressions), 8)
        dashboard = json.loads((MONITORING / 'dashboard.json').read_text())
        panels = [panel for panel in dashboard['panels'] if panel['type'] != 'row']
        self.assertEqual(len({panel['id'] for panel in dashboard['panels']}), len(dashboard['panels']))
        expressions += [target['expr'] for panel in panels for target in panel['targets']]
        used = set()
        for expression in expressions:
            names = set(re.findall(r'[a-z_]{2,}', re.sub(r'\{[^}]*\}|\[[^\]]*\]', '', expression))) - NO_METRICS
            self.assertTrue(names, expression)
            used |= {re.sub(r'_(bucket|sum|count)$', '', name) for name in names}
        self.assertEqual(used - known.keys() - {'up'}, set())  # Prometheus itself makes `up`.
        for name, labels in re.findall(r'(widerow_\w+)\{([^}]*)\}', rules):
            for label, value in re.findall(r'(\w+)=~?"([^"]*)"', labels):
                values = {dict(key[1]).get(label) for key in known[re.sub(r'_(bucket|sum|count)$', '', name)].samples}
                self.assertLessEqual(set(value.split('|')), values, f'{name}{{{labels}}}')


class ExpositionTest(unittest.TestCase):
    """The parser refuses what Prometheus would refuse or promtool would complain of."""

    def test_wrong_texts(self):
        good = '# HELP a_total Good.\n# TYPE a_total counter\na_total{x="1"} 1\n'
        exposition.parse(good)
        for old, new in (('a_total', 'a'), ('counter', 'gauge'), ('x="1"', 'x="1'), ('} 1', '} one'), ('# HELP a_total Good.\n', ''),
                         ('a_total{x="1"} 1\n', 'a_total{x="1"} 1\na_total{x="1"} 2\n'), ('a_total{', 'b_total{'), ('} 1', '} -1'),
                         ('a_total', 'a_ms_total'), ('x=', 'total=')):
            with self.subTest(new), self.assertRaises((AssertionError, ValueError, AttributeError)):
                exposition.parse(good.replace(old, new))


if __name__ == '__main__':
    MetricsTest.widerow = str(pathlib.Path(sys.argv[1]).resolve())
    MetricsTest.build = pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
