#!/usr/bin/env python3
"""Counts the instructions of the hottest operations with valgrind's callgrind.

  instruction_counts.py PROGRAM                     compares with bench/instruction_counts.json: fails above +10 %, and below
                                                    -10 % too, asking for --update
  instruction_counts.py PROGRAM --update            stores the counts and how well they repeat
  instruction_counts.py --compare BEFORE AFTER      compares two programs: a table; fails if AFTER takes more
  instruction_counts.py PROGRAM --operations bulk_row,folded_row

PROGRAM is build/release/bench/instruction_counts. Exit status 77: valgrind is not installed.

How it counts. Each operation runs in a process of its own, on a copy of one database. The program does the operation many
times and prints the number; the script divides by it. callgrind collects on a thread while this thread is in one of the
functions that OPERATIONS lists for the operation (--toggle-collect; the state is kept for each thread). So a write is
counted on the calling thread (prepared_insert), on the writer's thread (writer_mutation) and on the folder's thread
(folded_row), each alone. bulk_row counts all three threads that work for a bulk load. If one of the functions has not been
collected, for example because it has another name now, counting fails.

Why it repeats. Rows, their order and both clocks are fixed: bench/counting_clock.h advances the monotonic clock with each
reading, so a fold or a bulk load is cut into transactions at the same rows in every run. Groups of writes have a fixed size:
the program holds the writer's thread until the next group is queued, and the wait is left out. The fold is started by
Flush(). Counts do not depend on how busy the machine is; they depend a little on compiler and C library.

The spread of an operation is (greatest - smallest) / median over several runs. Two counts differ if they are further apart
than the bar, which is the greater of --bar and twice the greatest spread: of both, and with --compare of the stored one."""
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
# Entering one of these functions turns collecting on, or off if it is on; leaving it turns collecting back. The patterns end
# with the parameters' parenthesis, so "[clone .cold]" parts, which are jumped to, do not match.
OPERATIONS = {
    "point_read": [CALLER],
    "slice_100_rows": [CALLER],
    "prepared_insert": [CALLER],
    "marker_insert": [CALLER],
    "text_insert": [CALLER],
    "native_point_read": [CALLER],
    "bulk_row": [CALLER, "widerow::BulkPipe::Run()", "widerow::StoreWriter::Apply(std::function<*const&)"],
    "writer_mutation": ["widerow::WriterThread::Loop()"],
    "folded_row": ["widerow::Folder::Fold()"],
}
NOT_COUNTED = "widerow::bench::HoldWriter(*)"  # Inside WriterThread::Loop().
RUNS = 5  # For --update and --compare.
UNKNOWN_OPERATION = 2  # The program's exit status.
# A program that does not print how many operations it has done has done this many.
REPEATS_UNSAID = 200
STORED_BAR, COMPARE_BAR = 10, 2  # Percent.


class Unknown(Exception):
    """The program, which may be of another commit, does not have the operation."""


@dataclasses.dataclass
class Count:
    """Instructions of one operation, and the share by which runs differ."""
    instructions: int
    spread: float

    @classmethod
    def of(cls, runs):
        middle = statistics.median(runs)
        return cls(round(middle), round((max(runs) - min(runs)) / middle, 6))


def available():
    return shutil.which("valgrind") is not None


def count(program, operation, filled):
    """Instructions of one operation in one run, on a copy of the database `filled`."""
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
    """For each program: operation -> Count, over `runs` runs that the programs take in turn. What a program does not have is
    left out."""
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
    """Operation -> instructions, in one run each."""
    return {operation: counted.instructions for operation, counted in measure([program], operations, 1)[0].items()}


def bar_of(percent, *counts):
    """The share by which two counts have to differ."""
    return max(percent / 100, 2 * max(counted.spread for counted in counts))


def read_stored():
    if not STORED.exists():
        return {}
    return {operation: Count(**stored) for operation, stored in json.loads(STORED.read_text()).items()}


def check(counts, stored, operations, percent):
    """What is wrong with the counts beside the stored ones, a line each."""
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
