#!/usr/bin/env python3
"""run_measured.py LOG COMMAND…: runs a libFuzzer program and measures it.

The output of the program goes to LOG. At the end, prints the inputs that were tried, the CPU time, the number of edges of the
control flow that were reached, and how much CPU time has passed since the last new one. Two variables of the environment make
the program run as long as a campaign needs it: it ends when it has used FUZZ_CPU_SECONDS of CPU time and has reached no new edge
for the last FUZZ_FLAT_SECONDS of them. COMMAND must then set no other end. If the program fails, prints the end of LOG and exits
with status 1."""
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

LINES_SHOWN = 60
PROGRESS = re.compile(rb'#(\d+)\s.*\bcov: (\d+)')
FINAL = re.compile(rb'stat::number_of_executed_units: (\d+)')


class Run:
    """A fuzzer that runs, and what it has reached."""

    def __init__(self, log, command):
        self.log, self.inputs, self.edges, self.used, self.used_at_last_new = log, 0, 0, 0.0, 0.0
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def measure(self):
        """Notes the CPU time of all threads until now."""
        try:
            fields = pathlib.Path(f'/proc/{self.process.pid}/stat').read_text().rsplit(')', 1)[1].split()
        except (FileNotFoundError, ProcessLookupError):
            return
        self.used = max(self.used, (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK'))

    def flat(self):
        """Returns the CPU time since the last new edge."""
        return self.used - self.used_at_last_new

    def end_when_done(self, used_least, flat_least):
        while self.process.poll() is None:
            self.measure()
            if self.used >= used_least and self.flat() >= flat_least:
                # libFuzzer then ends with status 0 after the current input.
                self.process.send_signal(signal.SIGUSR1)
                return
            time.sleep(1)

    def read(self):
        with open(self.log, 'wb') as log:
            for line in self.process.stdout:
                log.write(line)
                log.flush()
                if progress := PROGRESS.match(line):
                    self.inputs = int(progress[1])
                    self.measure()
                    if int(progress[2]) > self.edges:
                        self.edges, self.used_at_last_new = int(progress[2]), self.used
                elif final := FINAL.match(line):
                    self.inputs = int(final[1])
        return self.process.wait()


def main():
    log = pathlib.Path(sys.argv[1])
    run = Run(log, sys.argv[2:])
    if used_least := os.environ.get('FUZZ_CPU_SECONDS'):
        arguments = (float(used_least), float(os.environ.get('FUZZ_FLAT_SECONDS', 0)))
        threading.Thread(target=run.end_when_done, args=arguments, daemon=True).start()
    status = run.read()
    used = os.times()
    run.used = used.children_user + used.children_system
    print(f'{run.inputs:,} inputs, {run.used:,.0f} s of CPU, {run.edges:,} edges, the last new one {run.flat():,.0f} s before '
          'the end', flush=True)
    if status != 0:
        print('\n'.join(log.read_text(errors='replace').splitlines()[-LINES_SHOWN:]), file=sys.stderr)
        sys.exit(1)


if __name__ == '__main__':
    main()
