#!/usr/bin/env python3
"""Runs random schemas and statements on Widerow and on Apache Cassandra and compares every answer: rows, their order and pages,
names and types of columns, bind markers, warnings, class and first sentence of errors. Time goes by what requests say (protocol v5's
"now in seconds"), so TTLs pass without waiting. A difference is shrunk to the few statements that show it. In the end it prints how often
each clause of the grammar was met.

  run.py WIDEROW_HOST:PORT CASSANDRA_HOST:PORT [--statements 20000] [--seed 1] [--per-table 200] [--shapes plain,counter] [--processes 4]

Ends with 1 and prints each shrunk case if there is a difference that is not among the explained ones (explained.py), or if a clause was
met fewer than --clauses-least times."""
import argparse
import sys

import campaign
from generate import SHAPES


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('widerow')
    parser.add_argument('cassandra')
    parser.add_argument('--statements', type=int, default=20_000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--per-table', type=int, default=200)
    parser.add_argument('--differences-max', type=int, default=10)
    parser.add_argument('--shapes', type=lambda names: tuple(names.split(',')), default=SHAPES)
    parser.add_argument('--processes', type=int, default=1)
    parser.add_argument('--clauses-least', type=int, default=0, help='how often every clause must be met')
    parser.add_argument('--no-shrink', action='store_true', help='print differing tables as they are')
    options = parser.parse_args()
    same = campaign.run(options, [split_address(options.widerow), split_address(options.cassandra)])
    return 0 if same else 1


def split_address(address):
    host, port = address.rsplit(':', 1)
    return host, int(port)


if __name__ == '__main__':
    sys.exit(main())
