"""Makes the Markdown of bench/report.py from the JSON that it has gathered. Figures that were not measured stay empty."""

PROTOCOL_FIGURES = (('ops/s', 'rate', '{:,.0f}'), ('p50 ms', 'p50', '{:.2f}'), ('p99 ms', 'p99', '{:.2f}'), ('p99.9 ms', 'p999', '{:.2f}'),
                    ('server CPU µs/op', 'server_cpu', '{:.1f}'), ('bytes to disk/op', 'written_bytes', '{:,.0f}'),
                    ('resident MiB', 'resident_mib', '{:,.0f}'), ('private MiB', 'private_mib', '{:,.0f}'),
                    ('cores used by others', 'other_cores', '{:.2f}'))
WITHOUT_RATIO = ('bytes to disk/op', 'resident MiB', 'private MiB', 'cores used by others')
DATA_BYTES = 112  # The bytes of a row of load/table.rn: key 4, clustering 8, value 100.


class Content:
    """Finds the figures of the report by name. A figure that was not measured is None."""

    def __init__(self, content):
        self.content = content

    def get(self, part, name):
        return (self.content.get(part) or {}).get(name)

    def embedded(self, what, state, subject):
        lines = [line['cpu_us'] for line in self.content.get('embedded') or []
                 if (line['what'], line['state'], line['subject']) == (what, state, subject)]
        return lines[0] if lines else None

    def load(self, part, phase, server, figure):
        """Returns the median of a phase. A phase whose name ends in " at" ran at a fixed rate."""
        medians = (self.content.get(part) or {}).get('medians', {})
        found = [servers for name, servers in medians.items() if name == phase or (phase.endswith(' at') and name.startswith(phase + ' '))]
        return found[0].get(server, {}).get(figure) if found else None


def ratio(a, b):
    return a / b if a is not None and b else None


def aims(content):
    """Returns a tuple for each goal: (figure's name, goal as text, figure or None, whether smaller is better, limit, format)."""
    c = Content(content)
    records, sqlite = 'lmdb, same records', 'sqlite'
    memory, two = 'data file', 'two memtables'

    def cpu(part, phase, server):
        return c.load(part, phase, server, 'server_cpu')

    def against(what, state, subject, base=None):
        return ratio(c.embedded(what, state, 'widerow'), c.embedded(what, base or state, subject))

    point, slice_ = 'point read', 'slice of 100 rows'
    yield 'durable write, CPU / durable Cassandra', '≤ 1/8', ratio(cpu('durable', 'write', 'widerow'), cpu('durable', 'write', 'durable')), True, 1 / 8, '{:.3f}'
    yield 'durable write, CPU / periodic Cassandra', '≤ 1/2.5', ratio(cpu('protocol', 'write', 'widerow'), cpu('protocol', 'write', 'cassandra')), True, 1 / 2.5, '{:.3f}'
    yield ('durable write, ops/s / durable Cassandra', '≥ 3', ratio(c.load('durable', 'write', 'widerow', 'rate'), c.load('durable', 'write', 'durable', 'rate')),
           False, 3, '{:.2f}')
    yield 'point read over the protocol, CPU / Cassandra', '≤ 1/9', ratio(cpu('protocol', 'read_row', 'widerow'), cpu('protocol', 'read_row', 'cassandra')), True, 1 / 9, '{:.3f}'
    yield 'page of 100 rows, CPU / Cassandra', '≤ 1/6', ratio(cpu('protocol', 'read_range', 'widerow'), cpu('protocol', 'read_range', 'cassandra')), True, 1 / 6, '{:.3f}'
    for phase, name in (('write', 'write'), ('read_row', 'point read'), ('read_range', 'page of 100 rows')):
        tail, middle = c.load('protocol', phase + ' at', 'widerow', 'p99'), c.load('protocol', phase + ' at', 'cassandra', 'p50')
        yield f'{name} at half of Cassandra\'s rate, p99 / Cassandra\'s p50', '≤ 1', ratio(tail, middle), True, 1, '{:.2f}'
    yield 'embedded point read / LMDB, empty memtables', '≤ 1.5', against(point, memory, records), True, 1.5, '{:.2f}'
    yield 'embedded point read / LMDB, two memtables', '≤ 2.2', against(point, two, records, memory), True, 2.2, '{:.2f}'
    yield 'embedded point read / SQLite', '≤ 0.4', against(point, memory, sqlite), True, 0.4, '{:.2f}'
    yield 'embedded slice of 100 rows / LMDB', '≤ 3', against(slice_, memory, records), True, 3, '{:.2f}'
    yield 'embedded slice of 100 rows / SQLite', '≤ 0.6', against(slice_, memory, sqlite), True, 0.6, '{:.2f}'
    yield 'INSERT as text / prepared, CPU of the server', '≤ 2', ratio(cpu('text', 'write_text', 'widerow'), cpu('text', 'write', 'widerow')), True, 2, '{:.2f}'
    yield 'start to first answer, empty, ms', '≤ 30', c.get('start', 'empty_ms'), True, 30, '{:.1f}'
    yield 'start to first answer, 10 M rows, ms', '≤ 60', c.get('start', 'rows_ms'), True, 60, '{:.1f}'
    yield 'resident memory, idle, MiB', '≤ 28.6 (30 MB)', c.get('start', 'empty_resident_mib'), True, 28.6, '{:.1f}'
    yield 'bulk import of 10 M rows, rows/s', '≥ 500,000', c.get('bulk', 'rows_second'), False, 500_000, '{:,.0f}'
    scan = c.embedded('filtered scan, a row', memory, 'widerow')
    yield 'token scan with a filter, M rows/s a core', '≥ 3', ratio(1, scan), False, 3, '{:.1f}'


def aims_table(content):
    yield from ('| what | aim | seen | |', '|---|---|---|---|')
    for what, aim, figure, smaller, bound, form in aims(content):
        seen, met = ('not measured', '') if figure is None else (form.format(figure), 'met' if (figure <= bound) == smaller or figure == bound else '**missed**')
        yield f'| {what} | {aim} | {seen} | {met} |'


def embedded_table(lines):
    yield from ('| what | state | store | µs CPU | µs | Widerow / it, CPU |', '|---|---|---|---|---|---|')
    base = {(line['what'], line['state']): line['cpu_us'] for line in lines if line['subject'] == 'widerow'}
    for line in lines:
        share = '' if line['subject'] == 'widerow' else f'{ratio(base[line["what"], line["state"]], line["cpu_us"]) or 0:.2f}'
        yield f'| {line["what"]} | {line["state"]} | {line["subject"]} | {line["cpu_us"]:.2f} | {line["wall_us"]:.2f} | {share} |'


def load_table(medians):
    """Returns a table of load.py's phases: the median of each server, and the first server's divided by that of each other one."""
    names = list(dict.fromkeys(name for servers in medians.values() for name in servers))
    yield '| ' + ' | '.join(['', '', *names, *(f'{names[0]} / {name}' for name in names[1:])]) + ' |'
    yield '|---' * (2 * len(names) + 1) + '|'
    for phase, servers in medians.items():
        for title, figure, form in PROTOCOL_FIGURES:
            values = [servers.get(name, {}).get(figure) for name in names]
            shown = ['' if value is None else form.format(value) for value in values]
            ratios = ['' if title in WITHOUT_RATIO or not value else f'{ratio(values[0], value):.3g}' for value in values[1:]]
            yield '| ' + ' | '.join([phase, title, *shown, *ratios]) + ' |'
        if phase in ('load', 'write'):
            shown = [f'{servers[name]["written_bytes"] / DATA_BYTES:.1f}' if name in servers else '' for name in names]
            yield '| ' + ' | '.join([phase, 'bytes to disk/byte of data', *shown, *[''] * (len(names) - 1)]) + ' |'


def write(content, plots_problem):
    """Returns the whole report."""
    about = content['surroundings']
    lines = ['# Widerow, measured', '',
             f'{about["time"]}, commit {about["commit"]}, {about["cores"]} cores of {about["processor"]}, {about["system"]}; load average at the '
             f'beginning {about["load_average"]:.1f}.', '']
    if content['quick']:
        lines += ['**Of a quick run: whether it works, not what it costs.**', '']
    for verb in ('left_out', 'failed'):
        lines += [f'- {name}: {verb.replace("_", " ")}, {why}' for name, why in content[verb].items()]
    lines += ['', '## Aims', '', *aims_table(content)]
    if content.get('embedded'):
        lines += ['', '## Embedded', '', *embedded_table(content['embedded'])]
    for part, title in (('protocol', 'Native protocol'), ('durable', 'Durable writes'), ('text', 'INSERT as text')):
        if content.get(part):
            lines += ['', f'## {title}', '', *load_table(content[part]['medians'])]
    if content.get('instructions'):
        lines += ['', '## Instructions', '', '| operation | instructions |', '|---|---|']
        lines += [f'| {name} | {count:,} |' for name, count in content['instructions'].items()]
    for part, title in (('log', 'Commit log'), ('bulk', 'Bulk import'), ('start', 'Start and memory')):
        if content.get(part):
            lines += ['', f'## {title}', '', '| | |', '|---|---|', *(f'| {name.replace("_", " ")} | {value:,.6g} |' for name, value in content[part].items())]
    if plots_problem:
        lines += ['', plots_problem]
    else:
        names = (['embedded'] if content.get('embedded') else []) + ([f'protocol-{name}' for name in ('cpu', 'p99', 'rate')] if content.get('protocol') else [])
        lines += ['', *(f'![{name}]({name}.svg)' for name in names)]
    return '\n'.join(lines) + '\n'
