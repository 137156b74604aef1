#!/usr/bin/env python3
"""Runs random schemas and statements on Widerow and on Apache Cassandra, and compares every answer. An answer has rows with their order
and pages, names and types of columns, bind markers, warnings, or the class and the first sentence of an error. Each request tells the
server the time ("now in seconds" of protocol v5), so TTLs end without waiting. If two answers differ, the script looks for the few
statements that cause the difference. At the end it prints how often statements had each clause of the grammar.

  run.py WIDEROW_HOST:PORT CASSANDRA_HOST:PORT [--statements 20000] [--seed 1] [--per-table 200] [--shapes plain,counter] [--processes 4]

The exit status is 1 if there is a difference that explained.py does not accept, or if statements had a clause fewer than
--clauses-least times. The script then prints each difference with its few statements."""
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
    parser.add_argument('--clauses', metavar='FILE', help='write the count of every clause to this file')
    parser.add_argument('--no-shrink', action='store_true', help='print differing tables as they are')
    options = parser.parse_args()
    same = campaign.run(options, [split_address(options.widerow), split_address(options.cassandra)])
    return 0 if same else 1


def split_address(address):
    host, port = address.rsplit(':', 1)
    return host, int(port)


if __name__ == '__main__':
    sys.exit(main())
