#!/usr/bin/env python3
"""cqlsh_test.py WIDEROW VENV: runs Cassandra's own shell, from PyPI, against a fresh server (support.py)."""
import pathlib
import re

from support import CqlshTest, harness, main

DATA = pathlib.Path(__file__).resolve().parent.parent / 'data' / 'flights'
KEYSPACE = "CREATE KEYSPACE shop WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};"
SCHEMA = KEYSPACE + """
CREATE TYPE shop.part (n int, label text);
CREATE TYPE shop."Whole" (parts frozen<list<frozen<part>>>, "select" uuid);
CREATE TABLE shop.orders (id int, seq int, s text static, v text, m map<text, int>, p frozen<part>, w frozen<"Whole">,
  PRIMARY KEY (id, seq))
  WITH CLUSTERING ORDER BY (seq DESC) AND comment = 'it''s';
CREATE TABLE shop."Mixed" (k int PRIMARY KEY, "V" list<text>, e vector<float, 2>);
"""
class Describe(CqlshTest):
    def test_every_form(self):
        self.execute(SCHEMA)
        for form, expected in {
                'DESCRIBE CLUSTER': ['Cluster: Widerow', 'Partitioner: Murmur3Partitioner', 'Snitch: SimpleSnitch'],
                'DESCRIBE KEYSPACES': ['shop', 'system_virtual_schema'],
                'DESCRIBE TABLES': ['Keyspace shop', '"Mixed"  orders', 'Keyspace system_schema', 'peers_v2'],
                'DESCRIBE TYPES': ['Keyspace shop', 'part  "Whole"'],
                'USE shop; DESCRIBE TABLES': ['"Mixed"  orders'],
                'USE shop; DESCRIBE TYPES': ['part  "Whole"'],
                'DESCRIBE KEYSPACE shop': ['CREATE KEYSPACE shop', 'CREATE TYPE shop.part', 'CREATE TABLE shop.orders'],
                'DESCRIBE shop': ['CREATE TYPE shop."Whole"', 'CREATE TABLE shop."Mixed"'],
                'DESCRIBE TABLE shop.orders': ["comment = 'it''s'", 'CLUSTERING ORDER BY (seq DESC)', 's text static'],
                'DESC shop.orders': ['CREATE TABLE shop.orders'],
                'USE shop; DESC orders': ['CREATE TABLE shop.orders'],
                'DESCRIBE TYPE shop."Whole"': ['parts frozen<list<frozen<part>>>', '"select" uuid'],
                'DESCRIBE TABLE system_views.clients': ['VIRTUAL TABLE system_views.clients'],
                'DESCRIBE FULL SCHEMA': ['CREATE TABLE system.local', 'VIRTUAL KEYSPACE system_views', 'CREATE TYPE shop.part'],
        }.items():
            with self.subTest(form):
                shown = self.execute(form)
                for text in expected:
                    self.assertIn(text, shown)
        for form, message in {'DESCRIBE TABLE shop.nix': "Table 'nix' not found in keyspace 'shop'",
                              'DESCRIBE nix': "'nix' not found in keyspaces"}.items():
            self.assertIn(message, self.execute(form, status=2))

    def test_the_described_schema_makes_itself_again(self):
        self.execute(SCHEMA)
        for form in ('DESCRIBE SCHEMA', 'DESCRIBE KEYSPACE shop WITH INTERNALS'):
            before = self.execute(form)
            script = self.path / 'schema.cql'
            script.write_text(''.join(line for line in before.splitlines(True) if not line.startswith('WARNING')))
            self.execute('DROP KEYSPACE shop')
            self.run_cqlsh('-f', str(script))
            self.assertEqual(self.execute(form), before)

    def test_versions(self):
        self.assertRegex(self.execute('SHOW VERSION'), r'\| Cassandra 5\.0\.9 \| CQL spec 3\.4\.7 \| Native protocol v5\]')
        self.assertIn('Connected to Widerow at ' + ':'.join(self.address), self.execute('SHOW HOST'))

    def test_the_server_lists_the_shell_among_its_clients(self):
        shown = self.execute('SELECT driver_name, connection_stage, protocol_version, ssl_enabled FROM system_views.clients')
        self.assertRegex(shown, r'DataStax Python Driver|Apache Cassandra Python Driver')
        self.assertRegex(shown, r'\| +ready \| +5 \| +False')


class Interactive(CqlshTest):
    def test_tab_completes_what_the_schema_holds(self):
        self.execute(SCHEMA)
        terminal = self.open_terminal()
        for typed, completed in {'SELECT * FROM sho\t': r'shop\.', 'SELECT * FROM shop.or\t': 'shop.orders ',
                                 'DESCRIBE KEYSPACE sh\t': 'shop ?', 'DROP TYPE shop.pa\t': r'shop\.part ?',
                                 'SELECT * FROM shop.orders WHERE \t\t': 'TOKEN', 'CREATE TA\t': 'CREATE TABLE ',
                                 'SELECT release_version FROM system.lo\t': r'system\.local '}.items():
            with self.subTest(typed):
                terminal.type(typed)
                terminal.expect(completed)
                terminal.type('\x15')  # Ctrl-U: forget the line.
        terminal.type('\nUSE shop;\n')
        terminal.expect(r'^cqlsh:shop> ')
        terminal.type('INSERT INTO or\t')
        terminal.expect('INSERT INTO orders')
        terminal.type('\x15EXIT\n')
        self.assertEqual(terminal.close(), 0)

    def test_expand_paging_tracing(self):
        self.execute(SCHEMA + ''.join(f"INSERT INTO shop.orders (id, seq, v) VALUES (1, {i}, 'v{i}');" for i in range(5)))
        terminal = self.open_terminal()
        prompt = r'^cqlsh> '
        terminal.run('EXPAND ON', prompt)
        expanded = terminal.run('SELECT v FROM shop.orders WHERE id = 1 AND seq = 3;', prompt)
        self.assertRegex(expanded, r'@ Row 1\n-+\+-+\n v \| v3')
        terminal.run('EXPAND OFF', prompt)

        terminal.run('PAGING 2', prompt)
        pages = [terminal.run('SELECT seq FROM shop.orders WHERE id = 1;', '---MORE---'), terminal.run('', '---MORE---'),
                 terminal.run('', prompt)]
        self.assertEqual([re.findall(r'^ +(\d)$', page, re.MULTILINE) for page in pages], [['4', '3'], ['2', '1'], ['0']])
        self.assertIn('(5 rows)', pages[2])
        self.assertNotIn('MORE', terminal.run('PAGING OFF', prompt) + terminal.run('SELECT seq FROM shop.orders;', prompt))

        terminal.run('TRACING ON', prompt)
        traced = terminal.run('SELECT v FROM shop.orders WHERE id = 1 AND seq = 2;', prompt)
        self.assertRegex(traced, r'Tracing session: [0-9a-f-]{36}')
        self.assertRegex(traced, r'activity +\| timestamp +\| source +\| source_elapsed \| client')
        self.assertRegex(traced, r'Execute CQL3 query \|.*\| 127\.0\.0\.1 \| +0 \| 127\.0\.0\.1')
        self.assertIn('Request complete', traced)
        session = re.search(r'Tracing session: (\S+)', traced).group(1)
        terminal.run('TRACING OFF', prompt)
        self.assertIn('Execute CQL3 query', terminal.run(f'SHOW SESSION {session}', prompt))
        terminal.type('EXIT\n')
        self.assertEqual(terminal.close(), 0)

    def test_errors_leave_the_session_usable(self):
        terminal = self.open_terminal()
        prompt = r'^cqlsh> '
        self.assertIn('SyntaxException', terminal.run('SELEC 1;', prompt))
        self.assertIn('InvalidRequest', terminal.run('SELECT * FROM system.nix;', prompt))
        terminal.run('CONSISTENCY QUORUM', prompt)
        self.assertIn('COMPLETED', terminal.run('SELECT bootstrapped FROM system.local;', prompt))
        terminal.type('\x04')  # Ctrl-D ends the shell.
        self.assertEqual(terminal.close(), 0)


class Copy(CqlshTest):
    def test_flights_go_in_and_out_without_a_difference(self):
        self.assertGreater(self.copy_flights(DATA / 'flights.csv'), 100)

    # There is no value of "Whole": cqlsh 6.2.2 cannot read types with quoted names as it writes them, on Cassandra either.
    def test_a_range_partitioned_table_goes_out_with_each_row_once(self):
        """COPY TO divides every table by token, also a table that is stored in key order."""
        self.execute("CREATE KEYSPACE r WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};"
                     'CREATE TABLE r.t (k int, c text, v text, PRIMARY KEY (k, c)) PARTITION BY RANGE (k) '
                     '(PARTITION p0 VALUES LESS THAN (500), PARTITION p1 VALUES LESS THAN MAXVALUE);')
        rows = {f'{k},c{c},value {k * c}' for k in range(-700, 1_300) for c in range(2)}
        (self.path / 'in.csv').write_text('\n'.join(sorted(rows)) + '\n')
        shown = self.execute("COPY r.t (k, c, v) FROM 'in.csv'")
        self.assertIn(f'{len(rows)} rows imported from 1 files', shown)
        shown = self.execute("COPY r.t (k, c, v) TO 'out.csv'")
        self.assertIn(f'{len(rows)} rows exported to 1 files', shown)
        lines = (self.path / 'out.csv').read_text().split('\n')
        self.assertEqual(sorted(line.strip() for line in lines if line), sorted(rows))

    def test_counters_are_added_to(self):
        self.execute("CREATE KEYSPACE n WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};"
                     'CREATE TABLE n.hits (page text, day int, views counter, errors counter, PRIMARY KEY (page, day));'
                     "UPDATE n.hits SET views = views + 5, errors = errors - 2 WHERE page = 'a' AND day = 1;"
                     "BEGIN COUNTER BATCH UPDATE n.hits SET views += 7, errors += 1 WHERE page = 'b' AND day = 2; "
                     "UPDATE n.hits SET views += 1, errors -= 0 WHERE page = 'c' AND day = 3; APPLY BATCH;")
        file = self.path / 'hits.csv'
        self.assertIn('3 rows exported', self.execute(f"COPY n.hits TO '{file}'"))
        self.assertIn('3 rows imported', self.execute(f"COPY n.hits FROM '{file}'"))
        shown = self.execute('SELECT page, day, views, errors FROM n.hits')
        for page, day, views, errors in (('a', 1, 10, -4), ('b', 2, 14, 2), ('c', 3, 2, 0)):
            self.assertRegex(shown, rf'{page} \| +{day} \| +{views} \| +{errors}')
        self.assertIn('n.hits', self.execute('DESCRIBE TABLE n.hits'))

    def test_collections_and_types(self):
        self.execute(SCHEMA + """
INSERT INTO shop.orders (id, seq, s, v, m, p) VALUES (1, 2, 'st', 'a,"b"', {'x': 1, 'y': 2}, {n: 1, label: 'one, two'});
INSERT INTO shop."Mixed" (k, "V", e) VALUES (1, ['p', 'q'], [1.5, 2.5]);""")
        for table in ('orders', '"Mixed"'):
            before = self.execute(f'SELECT * FROM shop.{table}')
            file = self.path / 'copy.csv'
            self.assertIn('1 rows exported', self.execute(f"COPY shop.{table} TO '{file}'"))
            self.execute(f'TRUNCATE shop.{table}')
            self.assertIn('1 rows imported', self.execute(f"COPY shop.{table} FROM '{file}'"))
            self.assertEqual(self.execute(f'SELECT * FROM shop.{table}'), before)


class Tls(CqlshTest):
    """The driver in cqlsh 6.2.2 accepts any certificate of a server, whatever cqlshrc says. So only the client's is tested."""

    def make_server(self):
        self.certificates = harness.make_certificates(self.path)
        return harness.TlsServer(self.widerow, str(self.path / 'data'), self.certificates)

    def connect(self, authority, client, status):
        settings = self.path / f'cqlshrc-{authority}-{client}'
        file = self.certificates / client
        settings.write_text(f'[ssl]\nvalidate = true\ncertfile = {self.certificates / authority}.pem\n'
                            f'usercert = {file}.pem\nuserkey = {file}.key\n')
        return self.run_cqlsh('--ssl', '--cqlshrc', str(settings), '-e', 'SELECT ssl_enabled, username FROM system_views.clients',
                              status=status)

    def test_a_certificate_logs_in(self):
        self.assertRegex(self.connect('ca', 'ann', 0), r'True \| cassandra')
        self.connect('ca', 'unknown_client', 1)
        self.assertIn('This port requires TLS', self.execute('SELECT * FROM system.local', status=1))


if __name__ == '__main__':
    main()
