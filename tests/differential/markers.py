"""Makes the bind markers of a statement. Until the statement is complete, they have names like `:m7_`, so that its parts can be put
together, changed and left out in any order."""
import re

from protocol import UNSET

_PLACE = re.compile(r':m(\d+)_')


class Markers:
    def __init__(self, random):
        self.random, self.values = random, []

    def begin(self):
        self.values = []

    def add(self, value):
        self.values.append(value)
        return f':m{len(self.values) - 1}_'

    def finish(self, text):
        """Returns the text with question marks or names, and the values in their order."""
        places = [int(place) for place in _PLACE.findall(text)]
        if not places:
            return text, ()
        named = self.random.random() < 0.2
        numbers = iter(range(len(places)))
        made = _PLACE.sub(lambda _: f':x{next(numbers)}' if named else '?', text)
        return made, tuple(self.values[place] for place in places)


def unset_or_null(random):
    return UNSET if random.random() < 0.5 else None
