#!/usr/bin/env python3
"""large.py CQL HTTP VALUES: writes VALUES longblobs of 1 MB through the driver, and as many over HTTP. Reads each of them back in both
ways: through the driver and over HTTP."""
import hashlib
import http.client
import sys

from cassandra.cluster import Cluster

BYTES = 1_000_000


def value(number):
    return hashlib.shake_128(number.to_bytes(4, 'big')).digest(BYTES)


def over_http(address, method, number, body=None):
    connection = http.client.HTTPConnection(address, timeout=60)
    connection.request(method, f'/v1/blob/large/objects/data?key=[{number}]', body)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    assert answer.status == 200, (answer.status, content[:500])
    return content


def main():
    cql, address, values = sys.argv[1], sys.argv[2], int(sys.argv[3])
    host, port = cql.rsplit(':', 1)
    with Cluster([host], port=int(port)) as cluster:
        session = cluster.connect()
        session.default_timeout = 120
        session.execute("CREATE KEYSPACE large WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
        session.execute('CREATE TABLE large.objects (id int PRIMARY KEY, data longblob)')
        insert = session.prepare('INSERT INTO large.objects (id, data) VALUES (?, ?)')
        select = session.prepare('SELECT data FROM large.objects WHERE id = ?')
        # One after the other: the driver refuses a request while the socket cannot take the previous ones.
        for number in range(values):
            session.execute(insert, (number, value(number)))
        for number in range(values):
            assert session.execute(select, (number,)).one().data == value(number), number
        assert session.execute('SELECT count(*) FROM large.objects').one()[0] == values
        assert over_http(address, 'GET', 3) == value(3)
        over_http(address, 'PUT', 3, value(10_000))
        assert session.execute(select, (3,)).one().data == value(10_000)
        rows = {row.id: row.data for row in session.execute('SELECT id, data FROM large.objects')}
        assert len(rows) == values and rows[3] == value(10_000) and rows[4] == value(4)
    print(f'{values} values of {BYTES} bytes')


if __name__ == '__main__':
    main()
