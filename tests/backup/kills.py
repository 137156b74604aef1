"""Kills of backups, restores and servers (backup_test.py).

- *Kills.* Backups, incremental backups and restores are killed after random times. The directory of a backup must have a whole
  backup, the earlier one or the new one, or say that it is incomplete. A whole backup is restored. It must have all imported rows. Of
  the rows that are written one after the other, it must have the first ones up to some row, and all that were there before the backup
  began. The directory of a restore must have the rows of an undisturbed restore, or be refused by `widerow shell`; then the next
  restore must have them.
- *Killed servers.* A server that keeps its log is killed under load, also while a backup is made, and started again. Incremental
  backups go on after each kill, and what is restored at the end has exactly the rows of the server."""
import random
import shutil
import signal
import subprocess
import time

from support import IMPORTED, Client, Failure, Sequence, Server, Writers, compare, make_tables, rows_in, rows_of, run, write_csv

IMPORTED_ROWS = 3000


def killed(program, chance, longest, *arguments):
    """Runs a command and kills it after a random time. Returns True if it was killed."""
    process = subprocess.Popen([program, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(chance.random() * longest)
    process.kill()
    return process.wait() == -signal.SIGKILL


class Kills:
    def __init__(self, options, directory):
        self.options, self.program = options, options.program
        self.chance = random.Random(options.seed)
        self.data, self.backup, self.restored = directory / 'killed', directory / 'kill-backup', directory / 'kill-restored'
        self.other = directory / 'undisturbed'
        self.counts = dict.fromkeys(('backups killed', 'restores killed', 'ended before', 'incomplete', 'whole', 'unchanged', 'refused',
                                     'not begun', 'restored'), 0)
        self.server = Server(self.program, self.data, '--keep-log', '256M', '--memtable', '4M')
        make_tables(Client(self.server.address))
        write_csv(directory / 'rows.csv', IMPORTED_ROWS, 'x' * 300)
        run(self.program, 'shell', self.server.address, '-e', f"COPY k.t FROM '{directory / 'rows.csv'}'")
        self.manifest, self.stored_before = None, 0  # Of the backup that is there: the bytes, and the sequence when it began.
        self.rows_of_manifest = None  # What a restore of this backup has.

    def run(self):
        writers, self.sequence = Writers(self.server.address, self.options.seed, 1), Sequence(self.server.address)
        full_seconds, increment_seconds, restore_seconds = self.measure()
        number = 0
        while self.counts['backups killed'] + self.counts['restores killed'] < self.options.kills:
            if number % 2 == 0:
                if number % 8 == 0:
                    shutil.rmtree(self.backup, ignore_errors=True)
                self.kill_backup(1.2 * (increment_seconds if (self.backup / 'manifest.json').exists() else full_seconds))
            else:
                self.kill_restore(1.2 * restore_seconds)
            number += 1
            if number > 20 * self.options.kills + 20:
                raise Failure(f'too few commands can be killed: {self.counts}')
        writers.stop()
        self.sequence.stop()
        self.server.stop()
        run(self.program, 'check', '--data', self.data)
        print(f'{self.options.kills} kills:', ', '.join(f'{count} {name}' for name, count in self.counts.items()))

    def make_backup(self):
        """Makes a backup. The server has four open backups at most, and notices after ten seconds that one was killed."""
        until = time.monotonic() + 30
        while (done := subprocess.run([self.program, 'backup', '--server', self.server.address, '--to', self.backup],
                                      capture_output=True, text=True)).returncode != 0:
            if 'open backups already' not in done.stderr or time.monotonic() > until:
                raise Failure(f'a backup after a kill: {done.stderr}')
            time.sleep(0.5)

    def measure(self):
        """Returns the seconds of an undisturbed full backup, of an incremental one, and of a restore."""
        times = [time.monotonic()]
        for arguments in (('backup', '--server', self.server.address, '--to', self.backup),
                          ('backup', '--server', self.server.address, '--to', self.backup),
                          ('restore', '--from', self.backup, '--to', self.restored)):
            run(self.program, *arguments)
            times.append(time.monotonic())
        shutil.rmtree(self.restored)
        return [after - before for before, after in zip(times, times[1:])]

    def kill_backup(self, longest):
        stored = self.sequence.stored
        was_killed = killed(self.program, self.chance, longest, 'backup', '--server', self.server.address, '--to', self.backup)
        self.counts['backups killed' if was_killed else 'ended before'] += 1
        manifest = self.backup / 'manifest.json'
        if not manifest.exists():
            self.counts['incomplete'] += 1
            said = run(self.program, 'restore', '--from', self.backup, '--to', self.restored, fails=True)
            if 'no complete backup' not in said and 'There is no backup' not in said:
                raise Failure(f'an incomplete backup was not refused clearly: {said}')
            return
        self.counts['whole'] += 1
        if manifest.read_bytes() == self.manifest:
            self.counts['unchanged'] += 1
        else:
            self.note_manifest(stored)
        run(self.program, 'check', '--backup', self.backup)
        self.restore_undisturbed()

    def note_manifest(self, stored):
        self.manifest, self.stored_before, self.rows_of_manifest = (self.backup / 'manifest.json').read_bytes(), stored, None

    def restore_undisturbed(self):
        """Restores the backup that is there, and checks that it is one moment."""
        if self.rows_of_manifest is not None:
            return
        run(self.program, 'restore', '--from', self.backup, '--to', self.other)
        rows = rows_in(self.program, self.other)
        shutil.rmtree(self.other)
        numbers = sorted(int(line.split(',')[1]) for line in rows['s'])
        if numbers != list(range(1, len(numbers) + 1)) or len(numbers) < self.stored_before:
            raise Failure(f'the sequence of a backup is {numbers[:5]} … {numbers[-5:]}, with {len(numbers)} numbers; '
                          f'{self.stored_before} were stored before it began')
        imported = sum(int(line.split(',')[0]) >= IMPORTED for line in rows['t'])
        if imported != IMPORTED_ROWS:
            raise Failure(f'a backup has {imported} of {IMPORTED_ROWS} imported rows')
        self.rows_of_manifest = rows

    def kill_restore(self, longest):
        if not (self.backup / 'manifest.json').exists():
            stored = self.sequence.stored
            self.make_backup()
            self.note_manifest(stored)
        self.restore_undisturbed()
        was_killed = killed(self.program, self.chance, longest, 'restore', '--from', self.backup, '--to', self.restored)
        self.counts['restores killed' if was_killed else 'ended before'] += 1
        if (self.restored / 'widerow.restoring').exists():
            self.counts['refused'] += 1
            said = run(self.program, 'shell', '--data', self.restored, '-e', 'SELECT count(*) FROM k.t', fails=True)
            if 'was not finished' not in said:
                raise Failure(f'an unfinished restore was not refused clearly: {said}')
            run(self.program, 'restore', '--from', self.backup, '--to', self.restored)
        elif not self.restored.exists() or not any(self.restored.iterdir()):
            self.counts['not begun'] += 1
            return
        else:
            self.counts['restored'] += 1
        run(self.program, 'check', '--data', self.restored)
        compare(rows_in(self.program, self.restored), self.rows_of_manifest, 'a restore after a kill')
        shutil.rmtree(self.restored)


def test_kills(options, directory):
    Kills(options, directory).run()


def test_killed_servers(options, directory):
    chance = random.Random(options.seed + 7)
    data, backup, csv = directory / 'crashed', directory / 'crashed-backup', directory / 'crashed.csv'
    write_csv(csv, 2000, 'imported')
    server = Server(options.program, data, '--keep-log', '256M', '--memtable', '1M')
    client = Client(server.address)
    make_tables(client)
    client.query('ALTER TABLE k.t WITH gc_grace_seconds = 0')  # So that tombstones are purged at once.
    run(options.program, 'backup', '--server', server.address, '--to', backup)
    rounds, interrupted = max(3, options.kills // 8), 0
    for number in range(rounds):
        writers = Writers(server.address, options.seed + 1000 * number)
        load = subprocess.Popen([options.program, 'shell', server.address, '-e', f"COPY k.t FROM '{csv}'"],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.2 + chance.random())
        process = None
        if number % 2 == 0:
            run(options.program, 'backup', '--server', server.address, '--to', backup)
        else:  # The server ends while the backup reads.
            process = subprocess.Popen([options.program, 'backup', '--server', server.address, '--to', backup],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.1 * chance.random())
        server.process.kill()
        server.process.wait()
        if process is not None:
            interrupted += process.wait() != 0
        run(options.program, 'check', '--backup', backup)
        load.wait()
        try:
            writers.stop()
        except Failure:
            pass  # The writers have lost their server.
        run(options.program, 'check', '--data', data)
        # An import into the directory is a bulk load. Every second one is killed.
        arguments = ('shell', '--data', data, '-e', f"COPY k.t FROM '{csv}'")
        if number % 2 == 0:
            killed(options.program, chance, 0.2, *arguments)
        else:
            run(options.program, *arguments)
        server = Server(options.program, data, '--keep-log', '256M', '--memtable', '1M')
        run(options.program, 'backup', '--server', server.address, '--to', backup)
    rows = rows_of(options.program, server.address, directory)
    run(options.program, 'backup', '--server', server.address, '--to', backup)
    run(options.program, 'restore', '--from', backup, '--to', directory / 'crashed-restored')
    found = rows_in(options.program, directory / 'crashed-restored')
    server.stop()
    compare(found, rows, f'after {rounds} kills of the server')
    print(f'{rounds} kills of the server, {interrupted} of them with a backup that failed: {len(rows["t"])} rows and '
          f'{len(rows["c"])} counters are right')
