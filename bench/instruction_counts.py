#!/usr/bin/env python3
"""Counts the instructions of the most frequent operations with valgrind's callgrind.

  instruction_counts.py PROGRAM                     compares the counts with bench/instruction_counts.json; fails if one is
                                                    more than 10 % greater or smaller
  instruction_counts.py PROGRAM --update            stores the counts and their spreads there
  instruction_counts.py --compare BEFORE AFTER      compares two programs and prints a table; fails if AFTER takes more
    instruction_counts.py PROGRAM --operations bulk_row,folded_row     counts only these operations

  PROGRAM is build/release/bench/instruction_counts. The exit status is 77 if valgrind is not installed.

How the script counts. Each operation runs in a process of its own, on a copy of one database. The program does the operation
many times and prints how many times; the script divides by this number. callgrind counts a thread while it is in one of the
functions that OPERATIONS lists for the operation (--toggle-collect). So a write is counted in three operations: on the calling
thread (prepared_insert), on the writer's thread (writer_mutation) and on the folder's thread (folded_row). bulk_row counts all
three threads that work for a bulk load. If a listed function was never entered, for example because it has another name now,
counting fails.

Why the counts repeat. Rows, their order and both clocks are fixed. bench/counting_clock.h advances the monotonic clock with
each reading, so a fold or a bulk load is cut into transactions at the same rows in every run. Groups of writes have a fixed
size: the program stops the writer's thread until the next group is queued, and this wait is not counted. The fold is started by
Flush(). Counts do not depend on how busy the machine is. They depend a little on the compiler and the C library.

The spread of an operation is (greatest - smallest) / median over several runs. Two counts differ if their difference is greater
than the bar. The bar is --bar, or twice the greatest spread of the two counts if this is more. With --compare, the stored spread
is considered too."""
import argparse
import dataclasses
import fnmatch
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

STORED = pathlib.Path(__file__).with_name("instruction_counts.json")
CALLER = "widerow::bench::CountedOperations(*)"
# For each operation, the functions in which callgrind counts. Entering one of them turns counting on (or off, if it is on), and
# leaving it turns counting back. The patterns end with the parenthesis of the parameters. So they do not match the parts named
# "[clone .cold]", which are entered by jumps.
OPERATIONS = {
    "point_read": [CALLER],
    "slice_100_rows": [CALLER],
    "range_scan_100": [CALLER],
    "token_scan_100": [CALLER],
    "prepared_insert": [CALLER],
    "marker_insert": [CALLER],
    "text_insert": [CALLER],
    "native_point_read": [CALLER],
    "bulk_row": [CALLER, "widerow::BulkPipe::Run()", "widerow::StoreWriter::Apply(std::function<*const&)"],
    "writer_mutation": ["widerow::WriterThread::Loop()"],
    "folded_row": ["widerow::Folder::Fold()"],
}
NOT_COUNTED = "widerow::bench::HoldWriter(*)"  # WriterThread::Loop() calls this function, which only waits.
RUNS = 5  # The number of runs with --update and --compare.
UNKNOWN_OPERATION = 2  # The exit status of a program that does not know the operation.
# The number of operations that a program has done if it does not print a number.
REPEATS_UNSAID = 200
STORED_BAR, COMPARE_BAR = 10, 2  # In percent.


class Unknown(Exception):
    """The program does not know the operation. The program may be of another commit."""


@dataclasses.dataclass
class Count:
    """The instructions of one operation, and their spread."""
    instructions: int
    spread: float

    @classmethod
    def of(cls, runs):
        middle = statistics.median(runs)
        return cls(round(middle), round((max(runs) - min(runs)) / middle, 6))


def available():
    return shutil.which("valgrind") is not None


def count(program, operation, filled):
    """Returns the instructions of one operation in one run, on a copy of the database `filled`."""
    with tempfile.TemporaryDirectory(prefix="widerow-counts-") as scratch:
        directory = pathlib.Path(scratch) / "data"
        shutil.copytree(filled, directory)
        out = pathlib.Path(scratch) / "callgrind.out"
        functions = OPERATIONS[operation]
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *(f"--toggle-collect={name}" for name in [*functions, NOT_COUNTED]),
             program, operation, directory], capture_output=True, text=True, timeout=600, check=False)
        if done.returncode == UNKNOWN_OPERATION:
            raise Unknown(operation)
        if done.returncode != 0:
            raise RuntimeError(f"{operation} failed ({done.returncode}):\n{done.stderr[-2000:]}")
        text = out.read_text()
    collected = set(re.findall(r"^c?fn=\(\d+\) (.*)$", text, re.MULTILINE))
    for function in functions:
        if not fnmatch.filter(collected, function):
            raise RuntimeError(f"{operation}: callgrind has found no function {function}; its name in OPERATIONS may be old")
    total = re.search(r"^(?:summary|totals): (\d+)", text, re.MULTILINE)
    return int(total.group(1)) / int(done.stdout or REPEATS_UNSAID)


def measure(programs, operations, runs):
    """Runs the programs in turn, `runs` times each. Returns for each program: operation -> Count. An operation that a program
    does not have is left out."""
    counts = [{} for _ in programs]
    with tempfile.TemporaryDirectory(prefix="widerow-counts-") as scratch:
        filled = [pathlib.Path(scratch) / f"data{index}" for index in range(len(programs))]
        for program, directory in zip(programs, filled):
            subprocess.run([program, "fill", directory], check=True, timeout=300)
        for operation in operations:
            values = [[] for _ in programs]
            for _ in range(runs):
                for index, program in enumerate(programs):
                    try:
                        values[index].append(count(program, operation, filled[index]))
                    except Unknown:
                        pass
            for index, program in enumerate(programs):
                if values[index]:
                    counts[index][operation] = Count.of(values[index])
                else:
                    print(f"{operation}: left out, {program} does not have it", flush=True)
    return counts


def count_all(program, operations=tuple(OPERATIONS)):
    """Runs each operation once. Returns operation -> instructions."""
    return {operation: counted.instructions for operation, counted in measure([program], operations, 1)[0].items()}


def bar_of(percent, *counts):
    """Returns the bar: two counts differ if their difference is a greater share than this."""
    return max(percent / 100, 2 * max(counted.spread for counted in counts))


def read_stored():
    if not STORED.exists():
        return {}
    return {operation: Count(**stored) for operation, stored in json.loads(STORED.read_text()).items()}


def check(counts, stored, operations, percent):
    """Compares the counts with the stored ones. Returns one line for each fault."""
    wrong = []
    for operation in operations:
        now, before = counts.get(operation), stored.get(operation)
        if now is None:
            wrong.append(f"{operation}: was not counted")
        elif before is None:
            wrong.append(f"{operation}: nothing is stored; store it with --update")
        else:
            change = now.instructions / before.instructions - 1
            if abs(change) > bar_of(percent, before, now):
                wrong.append(f"{operation}: {now.instructions:,} instructions, {change:+.1%} of the {before.instructions:,} stored" +
                             ("" if change > 0 else ": better; store it with --update"))
    return wrong


def against_stored(program, options):
    stored = read_stored()
    runs = options.runs or (RUNS if options.update else 1)
    counts = measure([program], options.operations, runs)[0]
    for operation, now in counts.items():
        line = f"{operation:20} {now.instructions:>10,}"
        if runs > 1:
            line += f"   spread {now.spread:.4%}"
        if operation in stored:
            before = stored[operation].instructions
            line += f"   stored {before:>10,}   {now.instructions / before - 1:+.1%}"
        print(line)
    if options.update:
        STORED.write_text(json.dumps({operation: dataclasses.asdict(counted) for operation, counted in (stored | counts).items()
                                      if operation in OPERATIONS}, indent=2) + "\n")
        return 0
    wrong = check(counts, stored, options.operations, STORED_BAR if options.bar is None else options.bar)
    print("\n".join(wrong))
    return 1 if wrong else 0


def against_each_other(programs, options):
    percent = COMPARE_BAR if options.bar is None else options.bar
    stored = read_stored()
    before, after = measure(programs, options.operations, options.runs or RUNS)
    print("| operation | before | after | after / before | spread | bar | verdict |\n|---|---|---|---|---|---|---|")
    verdicts = []
    for operation in options.operations:
        if operation not in before or operation not in after:
            continue
        was, now = before[operation], after[operation]
        ratio = now.instructions / was.instructions
        bar = bar_of(percent, was, now, stored.get(operation, now))
        verdicts.append("more" if ratio > 1 + bar else "fewer" if ratio < 1 - bar else "same")
        print(f"| {operation} | {was.instructions:,} | {now.instructions:,} | {ratio:.4f} | {max(was.spread, now.spread):.4%} | "
              f"{bar:.1%} | {verdicts[-1]} |")
    return 1 if "more" in verdicts or not verdicts else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--compare", nargs=2, metavar=("BEFORE", "AFTER"))
    parser.add_argument("--operations", type=lambda names: names.split(","), default=list(OPERATIONS), help=",".join(OPERATIONS))
    parser.add_argument("--runs", type=int, help=f"of each operation; {RUNS} for --update and --compare, else 1")
    parser.add_argument("--bar", type=float, metavar="PERCENT",
                        help=f"what two counts may differ by, or twice the spread if that is more; {COMPARE_BAR} for --compare, "
                             f"else {STORED_BAR}")
    options = parser.parse_args()
    if (options.program is None) == (options.compare is None) or (options.compare and options.update):
        parser.error("name one PROGRAM, or two with --compare")
    if set(options.operations) - set(OPERATIONS):
        parser.error(f"operations are {', '.join(OPERATIONS)}")
    if not available():
        print("skipped: valgrind is not installed")
        return 77
    if options.compare:
        return against_each_other(options.compare, options)
    return against_stored(options.program, options)


if __name__ == "__main__":
    sys.exit(main())
