"""Names for columns that are also words of the language, or that need quotes."""

# These words are keywords, but they are not reserved (grammar/CqlParser.g4, unreservedKeyword).
KEYWORDS = (
    'timestamp', 'counter', 'ttl', 'count', 'writetime', 'maxwritetime', 'key', 'cast', 'json', 'distinct', 'keys', 'as', 'cluster',
    'clustering', 'compact', 'storage', 'tables', 'type', 'types', 'values', 'map', 'list', 'filtering', 'permission', 'permissions',
    'keyspaces', 'all', 'user', 'users', 'role', 'roles', 'identity', 'superuser', 'superusers', 'nosuperuser', 'login', 'nologin',
    'options', 'password', 'generated', 'hashed', 'exists', 'custom', 'trigger', 'contains', 'internals', 'only', 'static', 'frozen',
    'tuple', 'function', 'functions', 'aggregate', 'aggregates', 'sfunc', 'stype', 'finalfunc', 'initcond', 'returns', 'language', 'called',
    'input', 'like', 'per', 'partition', 'group', 'datacenters', 'cidrs', 'access', 'default', 'mbean', 'mbeans', 'replace', 'unset',
    'masked', 'unmask', 'select_masked', 'vector', 'ann', 'between', 'explain', 'analyze', 'advise', 'statement', 'sorting', 'partitions',
    'tablegroup', 'always', 'hash', 'range', 'columns', 'less', 'than', 'maxvalue', 'split', 'merge', 'reorganize', 'at', 'unique', 'global',
    'local', 'views')
QUOTED = ('"Value"', '"select"', '"a b"', '"x""y"', '"token"', '"1st"', '"aü"')


class Names:
    """Gives the columns of a table their names: p0, c0, v0, or sometimes words. No word is used twice."""

    def __init__(self, random):
        self.random = random
        self.odd = random.sample(KEYWORDS, 8) + random.sample(QUOTED, 2) if random.random() < 0.35 else []
        random.shuffle(self.odd)

    def of(self, plain):
        return self.odd.pop() if self.odd and self.random.random() < 0.6 else plain


def shown(name):
    """Returns a name as answers have it, without quotes."""
    return name[1:-1].replace('""', '"') if name.startswith('"') else name


def in_json(name):
    """Returns a name as INSERT JSON has it for a member. A name with capitals has quotes inside."""
    inner = shown(name)
    return f'"{inner}"' if name.startswith('"') and inner != inner.lower() else inner
