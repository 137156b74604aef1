"""Uses a program in a pseudo-terminal as a person does: types, presses keys, reads the screen."""
import os
import pty
import re
import select
import signal
import time

ESCAPES = re.compile(r'\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\x07|\r')


class Terminal:
    def __init__(self, command, environment, seconds_max=60):
        self.seconds_max = seconds_max
        self.shown = ''  # The output after the last match of expect().
        self.process, self.screen = pty.fork()
        if self.process == 0:
            os.execvpe(command[0], command, environment)

    def type(self, text):
        os.write(self.screen, text.encode())

    def expect(self, pattern):
        """Returns the output up to the end of the first match of `pattern`, without control sequences."""
        deadline = time.monotonic() + self.seconds_max
        while True:
            match = re.search(pattern, self.shown, re.MULTILINE)
            if match:
                seen, self.shown = self.shown[:match.end()], self.shown[match.end():]
                return seen
            left = deadline - time.monotonic()
            if left <= 0 or not self._read(left):
                raise AssertionError(f'{pattern!r} did not appear; on the screen:\n{self.shown}')

    def run(self, line, prompt):
        """Types a line and returns what it prints before the next prompt."""
        self.type(line + '\n')
        return self.expect(prompt)

    def close(self):
        """Returns the exit status of the program, which must have been told to end."""
        deadline = time.monotonic() + self.seconds_max
        while time.monotonic() < deadline and self._read(0.1):
            pass
        os.close(self.screen)
        while time.monotonic() < deadline:
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.05)
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        raise AssertionError('the program did not end')

    def _read(self, seconds):
        """Returns False if the program has closed the terminal."""
        ready, _, _ = select.select([self.screen], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self.screen, 65536)
        except OSError:
            return False
        self.shown = ESCAPES.sub('', self.shown + data.decode(errors='replace'))
        return bool(data)
