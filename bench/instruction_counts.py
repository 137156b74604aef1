#!/usr/bin/env python3
"""Counts the instructions of the hottest operations with callgrind and compares them with bench/instruction_counts.json.

  instruction_counts.py PROGRAM             fails above +10 % of what is stored; below -10 % it asks for an update, and fails too
  instruction_counts.py PROGRAM --update    stores what it counts

PROGRAM is build/release/bench/instruction_counts. Counts are those of the calling thread, an operation; they do not depend on how
busy the machine is, but a little on compiler and C library. Exit status 77: there is no valgrind here.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

STORED = pathlib.Path(__file__).with_name("instruction_counts.json")
OPERATIONS = ["point_read", "slice_100_rows", "prepared_insert", "marker_insert", "text_insert", "native_point_read"]
REPEATS = 200  # As the program's.
TOLERANCE = 0.10


def count(program, operation, filled):
    """Instructions of one operation, on a copy of the database `filled`."""
    with tempfile.TemporaryDirectory(prefix="widerow-counts-") as scratch:
        directory = pathlib.Path(scratch) / "data"
        shutil.copytree(filled, directory)
        out = pathlib.Path(scratch) / "callgrind.out"
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}",
             "--toggle-collect=widerow::bench::CountedOperations*", program, operation, directory],
            capture_output=True, text=True, timeout=600, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{operation} failed ({done.returncode}):\n{done.stderr[-2000:]}")
        total = re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.MULTILINE)
        if total is None or int(total.group(1)) < REPEATS:
            raise RuntimeError(f"{operation}: callgrind has counted nothing")
        return round(int(total.group(1)) / REPEATS)


def available():
    return shutil.which("valgrind") is not None


def count_all(program, operations=OPERATIONS):
    """Operation -> instructions, on one database that PROGRAM fills."""
    with tempfile.TemporaryDirectory(prefix="widerow-counts-") as scratch:
        filled = pathlib.Path(scratch) / "data"
        subprocess.run([program, "fill", filled], check=True, timeout=300)
        return {operation: count(program, operation, filled) for operation in operations}


def compare(counts, stored):
    """What is wrong, a line each."""
    wrong = []
    for operation, now in counts.items():
        before = stored.get(operation)
        if before is None:
            wrong.append(f"{operation}: nothing is stored; store it with --update")
        elif now > before * (1 + TOLERANCE):
            wrong.append(f"{operation}: {now:,} instructions, {now / before - 1:+.1%} of the {before:,} stored")
        elif now < before * (1 - TOLERANCE):
            wrong.append(f"{operation}: {now:,} instructions, {now / before - 1:+.1%} of the {before:,} stored: better; "
                         "store it with --update")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    if not available():
        print("skipped: valgrind is not installed")
        return 77
    stored = json.loads(STORED.read_text()) if STORED.exists() else {}
    counts = count_all(arguments.program)
    for operation, now in counts.items():
        before = stored.get(operation)
        print(f"{operation:20} {now:>10,}" + (f"   stored {before:>10,}   {now / before - 1:+.1%}" if before else ""))
    if arguments.update:
        STORED.write_text(json.dumps(counts, indent=2) + "\n")
        return 0
    wrong = compare(counts, stored)
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
