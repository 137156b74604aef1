"""A strict parser of Prometheus' text format 0.0.4, with the rules for names that `promtool check metrics` has."""
import math
import re

NAME = r'[a-zA-Z_:][a-zA-Z0-9_:]*'
SAMPLE = re.compile(rf'({NAME})(?:\{{(.*)\}})? (\S+)')
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)')
TYPES = ('counter', 'gauge', 'histogram')
# Units that Prometheus advises against, each with the unit to use instead.
UNITS = {'milliseconds': 'seconds', 'microseconds': 'seconds', 'ms': 'seconds', 'kilobytes': 'bytes', 'kb': 'bytes', 'mb': 'bytes',
         'percent': 'ratio', 'minutes': 'seconds', 'hours': 'seconds', 'days': 'seconds'}


class Metric:
    def __init__(self, name, help_text):
        self.name, self.help, self.type = name, help_text, None
        self.samples = {}  # (suffix, sorted labels) -> value


def parse_labels(text):
    labels, at = {}, 0
    while at < len(text):
        match = LABEL.match(text, at)
        assert match, f'bad labels: {text[at:]}'
        assert match[1] not in labels, f'label {match[1]} twice'
        labels[match[1]] = match[2]
        at = match.end()
    return labels


def parse(text):
    """Returns name -> Metric. Raises AssertionError at the first line that is wrong."""
    assert text.endswith('\n'), 'the last line has no end'
    metrics, current = {}, None
    for line in text.splitlines():
        if line.startswith('# HELP '):
            _, _, name, help_text = line.split(' ', 3)
            assert re.fullmatch(NAME, name) and name not in metrics, f'{name}: bad, or twice'
            assert help_text.endswith('.'), f'{name}: HELP is no sentence'
            current = metrics[name] = Metric(name, help_text)
        elif line.startswith('# TYPE '):
            _, _, name, kind = line.split(' ')
            assert current and name == current.name and current.type is None and kind in TYPES and not current.samples, line
            current.type = kind
        else:
            match = SAMPLE.fullmatch(line)
            assert match, f'no sample: {line!r}'
            suffix = match[1].removeprefix(current.name)
            allowed = ('_bucket', '_sum', '_count') if current.type == 'histogram' else ('',)
            assert match[1].startswith(current.name) and suffix in allowed, f'{match[1]} does not belong to {current.name}'
            key = (suffix, tuple(sorted(parse_labels(match[2] or '').items())))
            assert key not in current.samples, f'twice: {line}'
            current.samples[key] = float(match[3])
    for metric in metrics.values():
        check_name(metric)
        if metric.type == 'histogram':
            check_histogram(metric)
    return metrics


def check_name(metric):
    name = metric.name
    assert metric.type, f'{name} has no TYPE'
    assert name.endswith('_total') == (metric.type == 'counter'), f'{name}: counters end with _total, and nothing else does'
    assert not re.search(r'[A-Z:]', name), f'{name}: lower case, without colons'
    assert not re.search(r'(_bucket|_count|_sum|_counter|_gauge|_histogram)$', name), f'{name}: the suffix has a meaning'
    for word in name.split('_'):
        assert word not in UNITS, f'{name}: {UNITS.get(word)} instead of {word}'
    for _, labels in metric.samples:
        assert not any(label in name.split('_') for label, _ in labels if label not in ('table',)), f'{name}: a label repeats the name'
    if metric.type == 'counter':
        assert all(value >= 0 for value in metric.samples.values()), name


def check_histogram(metric):
    series = {}
    for (suffix, labels), value in metric.samples.items():
        rest = tuple(label for label in labels if label[0] != 'le')
        series.setdefault(rest, {}).setdefault(suffix, []).append((dict(labels).get('le'), value))
    for labels, parts in series.items():
        bounds = [float(le.replace('+Inf', 'inf')) for le, _ in parts['_bucket']]
        counts = [value for _, value in parts['_bucket']]
        assert bounds == sorted(bounds) and bounds[-1] == math.inf, f'{metric.name}{labels}: bounds {bounds}'
        assert counts == sorted(counts), f'{metric.name}{labels}: counts fall'
        assert len(parts['_sum']) == len(parts['_count']) == 1 and parts['_count'][0][1] == counts[-1], f'{metric.name}{labels}'
