"""Requests of HBase's clients for the table shop:orders with the families f and g, as pairs of method and parameter. Those of the master
service also make shop:made and the namespace made, and delete the namespace empty."""
import struct

from protocol import message, region

TABLE = message((1, 'shop'), (2, 'orders'))
REGION = region(b'shop:orders,,1.0123456789abcdef0123456789abcdef.')


def cells(*columns):
    """The column_value of a mutation, from (family, qualifier, value…) with the further fields of QualifierValue."""
    return [(3, message((1, family), (2, message((1, qualifier), *more)))) for family, qualifier, *more in columns]


def put(row, value, family=b'f'):
    return message((1, row), (2, 2), *cells((family, b'q', (2, value))))


def get(row):
    return ('Get', message((1, REGION), (2, message((1, row)))))


def mutate(mutation, *more):
    return ('Mutate', message((1, REGION), (2, mutation), *more))


def family(name):
    return message((1, name))


DELETE = message((1, b'row'), (2, 3), *cells((b'f', b'q', (3, 9_000_000_000_000), (4, 1))))
DELETE_ROW = message((1, b'row'), (2, 3))
INCREMENT = message((1, b'count'), (2, 1), *cells((b'f', b'n', (2, struct.pack('>q', 3)))))
APPEND = message((1, b'text'), (2, 0), *cells((b'f', b'q', (2, b'x'))))
BINARY = message((1, 'org.apache.hadoop.hbase.filter.BinaryComparator'), (2, message((1, message((1, b'other'))))))
# A condition that does not hold.
CONDITION = (3, message((1, b'row'), (2, b'f'), (3, b'q'), (4, 2), (5, BINARY)))
SCAN = ('Scan', message((1, REGION), (2, message((7, 1))), (4, 10)))
READS = {'Get': get(b'row'), 'Scan': SCAN}
WRITES = {'put': mutate(put(b'row', b'new')), 'delete': mutate(DELETE), 'delete a row': mutate(DELETE_ROW)}
READING_WRITES = {'increment': mutate(INCREMENT), 'append': mutate(APPEND), 'condition': mutate(put(b'row', b'new'), CONDITION)}
ADMIN = {
    'create': ('CreateTable', message((1, message((1, message((1, 'shop'), (2, 'made'))), (3, family(b'f')))))),
    'modify': ('ModifyTable', message((1, TABLE), (2, message((1, TABLE), (3, family(b'f')))))),
    'add a family': ('AddColumn', message((1, TABLE), (2, family(b'more')))),
    'modify a family': ('ModifyColumn', message((1, TABLE), (2, family(b'f')))),
    'delete a family': ('DeleteColumn', message((1, TABLE), (2, b'g'))),
    'disable': ('DisableTable', message((1, TABLE))),
    'create a namespace': ('CreateNamespace', message((1, message((1, 'made'))))),
    'delete a namespace': ('DeleteNamespace', message((1, 'empty'))),
}
# These need a disabled table.
ADMIN_LATER = {
    'enable': ('EnableTable', message((1, TABLE))),
    'truncate': ('truncateTable', message((1, TABLE))),
    'delete': ('DeleteTable', message((1, TABLE))),
}
