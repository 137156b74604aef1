#!/usr/bin/env python3
"""copy_flights_test.py WIDEROW VENV: copies the whole flights table by cqlsh's COPY, in both directions. Nothing may differ
(support.py). The rows are those of ./run and are fetched in the same way. The exit status is 77 if this is not possible."""
import pathlib
import subprocess
import sys

from support import CqlshTest, harness, main

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'demo'))
import flights  # noqa: E402


class CopyFlights(CqlshTest):
    seconds_max = 3600

    def test_all_of_them(self):
        self.assertEqual(self.copy_flights(flights.CSV_DIR / 'flights.csv'), 336_776)


if __name__ == '__main__':
    try:
        flights.fetch_csv()
    except (OSError, subprocess.CalledProcessError) as error:
        harness.skip(f'the flights could not be fetched: {error}')
    main()
