"""main.py HOST PORT [NAME=VALUE...]: runs every case of tests/drivers/cases.md with the Python driver of this environment."""
import sys

import cases_altered
import cases_connect
import cases_errors
import cases_expressions
import cases_generated
import cases_indexes
import cases_login
import cases_metadata
import cases_paging
import cases_statements
import cases_tls
import cases_types
import cases_views
import cases_watch
import cases_writes
from support import Context, run_cases

MODULES = [cases_connect, cases_metadata, cases_statements, cases_altered, cases_types, cases_paging, cases_writes, cases_errors,
           cases_generated, cases_expressions, cases_indexes, cases_login, cases_tls, cases_views, cases_watch]


def parse(arguments):
    settings = {'driver': 'cassandra-driver', 'http': None, 'keyspace': None, 'restart': 'no', 'only': None, 'user': None,
                'password': None, 'tls': None, 'tls_refused': None}
    for argument in arguments:
        name, equals, value = argument.partition('=')
        if not equals or name not in settings:
            sys.exit(f'unknown argument: {argument}')
        settings[name] = value
    return settings


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    settings = parse(sys.argv[3:])
    prefix = settings['keyspace'] or 'drivers_' + settings['driver'].replace('-', '_')
    context = Context(host=sys.argv[1], port=int(sys.argv[2]), prefix=prefix, may_restart=settings['restart'] == 'yes',
                      user=settings['user'], password=settings['password'], is_widerow=settings['http'] is not None,
                      tls=settings['tls'], tls_refused=settings['tls_refused'])
    only = settings['only'].split(',') if settings['only'] else None
    sys.exit(0 if run_cases(context, only) else 1)


if __name__ == '__main__':
    main()
