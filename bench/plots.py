#!/usr/bin/env python3
"""plots.py growth|report|amplification FILE.json DIRECTORY: draws the figures of growth.py, report.py or write_amplification.py as SVG files.
It needs matplotlib.

Other programs call draw(), which finds a Python that has matplotlib. Debian's package belongs to /usr/bin/python3."""
import json
import pathlib
import subprocess
import sys

MISSING = 'plots are left out: no Python here has matplotlib (package python3-matplotlib, see bench/packages.txt)'

# Curve -> (the title of its x axis, its panels). A panel has the title of its y axis, and a map from figures to labels.
GROWTH = {
    'rows': ('rows', [('µs CPU', {'point_read_cpu_us': 'point read', 'slice_cpu_us': 'slice of 100 rows', 'write_row_cpu_us': 'write, folded',
                                  'bulk_row_cpu_us': 'bulk load, a row', 'filtered_scan_row_cpu_us': 'filtered scan, a row'}),
                      ('bytes', {'file_bytes_row': 'file, a row', 'written_bytes_row': 'written to disk, a row overwritten'})]),
    'connections': ('connections', [('µs CPU of the server', {'read_row_cpu_us': 'point read', 'write_cpu_us': 'write'}),
                                    ('MiB', {'private_mib': 'private memory'})]),
    'tables': ('tables', [('µs CPU', {'create_table_cpu_us': 'CREATE TABLE', 'drop_table_cpu_us': 'DROP TABLE', 'prepare_cpu_us': 'PREPARE',
                                      'insert_cpu_us': 'insert', 'point_read_cpu_us': 'point read', 'schema_of_one_cpu_us': 'columns of one table'}),
                          ('ms or MiB', {'open_wall_ms': 'open, ms', 'open_private_mib': 'private memory after it, MiB'})]),
    'row_bytes': ('bytes of a row', [('µs CPU', {'point_read_cpu_us': 'point read', 'slice_cpu_us': 'slice of 10 rows',
                                                 'write_row_cpu_us': 'write, folded', 'bulk_row_cpu_us': 'bulk load, a row'}),
                                     ('bytes written for each byte of data', {'written_bytes_data_byte': 'overwritten at random'})]),
    'partition': ('rows of a partition', [('µs CPU', {'point_read_cpu_us': 'point read', 'slice_cpu_us': 'slice of up to 100 rows',
                                                      'write_row_cpu_us': 'write, folded', 'bulk_row_cpu_us': 'bulk load, a row',
                                                      'filtered_scan_row_cpu_us': 'filtered scan, a row'}),
                                          ('bytes', {'file_bytes_row': 'file, a row', 'written_bytes_row': 'written to disk, a row overwritten'})]),
}


def python_with_matplotlib():
    for python in (sys.executable, '/usr/bin/python3'):
        try:
            if subprocess.run([python, '-c', 'import matplotlib'], capture_output=True, check=False).returncode == 0:
                return python
        except OSError:
            continue
    return None


def draw(kind, path, directory):
    """Draws the figures of the file `path`. Returns None, or the reason why nothing was drawn."""
    python = python_with_matplotlib()
    if python is None:
        return MISSING
    done = subprocess.run([python, __file__, kind, str(path), str(directory)], capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else f'plots are left out: {done.stderr.strip()[-600:]}'


def save(plt, figure, path):
    figure.tight_layout()
    figure.savefig(path, metadata={'Date': None})
    plt.close(figure)
    # Remove what differs from run to run, so that the same figures give the same file. Also remove blanks at the ends of lines.
    path.write_text('\n'.join(line.rstrip() for line in path.read_text(encoding='utf-8').splitlines()) + '\n', encoding='utf-8')


def growth(plt, content, directory):
    for curve, points in content['curves'].items():
        what, panels = GROWTH[curve]
        figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), width_ratios=[3, 2])
        for axis, (title, series) in zip(axes, panels):
            for name, label in series.items():
                drawn = [(point['size'], point[name]) for point in points if point.get(name, 0) > 0]
                axis.plot(*zip(*drawn), marker='o', markersize=3, label=label) if drawn else None
            axis.set(xscale='log', yscale='log', xlabel=what, ylabel=title)
            axis.grid(True, which='major', linewidth=0.3)
            axis.legend(fontsize=7)
        save(plt, figure, directory / f'growth-{curve.replace("_", "-")}.svg')


def bars(plt, path, groups, title):
    """Draws bars side by side on a logarithmic axis. `groups` is label -> {series: value}."""
    series = list(dict.fromkeys(name for values in groups.values() for name in values))
    figure, axis = plt.subplots(figsize=(9, 3.6))
    width = 0.8 / max(1, len(series))
    for index, name in enumerate(series):
        drawn = [(at, values[name]) for at, values in enumerate(groups.values()) if values.get(name)]
        bar = axis.bar([at + (index - (len(series) - 1) / 2) * width for at, _ in drawn], [value for _, value in drawn], width, label=name)
        axis.bar_label(bar, fmt='{:.3g}', fontsize=6)
    axis.set_xticks(range(len(groups)), list(groups), fontsize=7)
    axis.set(yscale='log', ylabel=title)
    axis.legend(fontsize=7)
    save(plt, figure, path)


def report(plt, content, directory):
    embedded = content.get('embedded') or []
    groups = {}
    for line in embedded:
        if line['what'] in ('point read', 'slice of 100 rows', 'durable write of a row'):
            groups.setdefault(f'{line["what"]}\n{line["state"]}'.strip(), {})[line['subject']] = line['cpu_us']
    if groups:
        bars(plt, directory / 'embedded.svg', groups, 'µs CPU')
    medians = (content.get('protocol') or {}).get('medians', {})
    for name, figure, title in (('cpu', 'server_cpu', 'µs CPU of the server, an operation'), ('p99', 'p99', 'p99, ms'), ('rate', 'rate', 'operations/s')):
        groups = {phase: {server: values[figure] for server, values in servers.items()} for phase, servers in medians.items()}
        if groups:
            bars(plt, directory / f'protocol-{name}.svg', groups, title)


def amplification(plt, content, directory):
    sizes = [int(row['memtable'][:-1]) for row in content]
    figure, axis = plt.subplots(figsize=(6, 3.6))
    written, = axis.plot(sizes, [row['amplification'] for row in content], 'o-', label='bytes written for each byte of data')
    axis.set(xscale='log', xlabel='memtable, MiB', ylabel=written.get_label(), ylim=(0, None))
    axis.set_xticks(sizes, [str(size) for size in sizes])
    axis.minorticks_off()
    memory = axis.twinx()
    private, = memory.plot(sizes, [row['private_mib'] for row in content], 's--', color='tab:red', label='private memory at most, MiB')
    memory.set(ylabel=private.get_label(), ylim=(0, None))
    axis.legend(handles=[written, private], fontsize=7)
    save(plt, figure, directory / 'write-amplification.svg')


KINDS = {'growth': growth, 'report': report, 'amplification': amplification}


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in KINDS:
        sys.exit(__doc__)
    import matplotlib
    matplotlib.use('svg')
    matplotlib.rcParams.update({'svg.fonttype': 'none', 'svg.hashsalt': 'widerow', 'font.size': 8})
    import matplotlib.pyplot as plt
    directory = pathlib.Path(sys.argv[3])
    directory.mkdir(parents=True, exist_ok=True)
    with open(sys.argv[2], encoding='utf-8') as file:
        KINDS[sys.argv[1]](plt, json.load(file), directory)


if __name__ == '__main__':
    main()
