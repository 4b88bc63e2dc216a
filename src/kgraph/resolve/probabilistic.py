"""Rows of a table that are one thing: Fellegi and Sunter's model, its weights learned from the rows themselves.

Every attribute is compared on levels of likeness; a missing value says nothing. How often chance alone makes a level is counted in pairs
taken without looking (u); how often one thing shows it is learned by expectation and maximisation over the pairs that share something
rare (m). That two rows agree in a rare value tells more than that they agree in a common one. As in Splink, whose documentation explains
the model; here in plain Python, for tables that fit in memory.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from kgraph.language.folding import fold_accents
from kgraph.resolve.likeness import Measures, swapped
from kgraph.resolve.records import Record
from kgraph.tuples import NamedTuple

NAME = "name"
LEVELS = (1.0, 0.9, 0.7, 0.45)  # likeness, at least; the fifth level is anything less
_LEAST = len(LEVELS)
_PRIOR = (0.72, 0.14, 0.06, 0.03, 0.05)  # of one thing's two rows, before any were seen
_PRIOR_COUNT = 20.0  # rows that the prior is worth
_BY_CHANCE = 60_000  # pairs taken without looking
_ROUNDS = 25
_BLOCK = 60  # rows that share a key, at most
_EACH = 20  # partners of a row, at most
_LONG_NUMBER = 6  # digits
_MOST = 9.0  # log-odds that one field can give
_AMOUNT = re.compile(r"-?\d+\.\d+")
_MERGED = math.log(0.9 / 0.1)


class Row(NamedTuple):
    """``fields``: folded text by column, the name under ``name``; what is missing isn't there."""

    record: Record
    fields: Mapping[str, str]


class Model(NamedTuple):
    """``m`` and ``u``: shares of the levels by column; ``frequency``: of values by column; ``prior``: log-odds of any two rows."""

    m: Mapping[str, tuple[float, ...]]
    u: Mapping[str, tuple[float, ...]]
    frequency: Mapping[str, Mapping[str, float]]
    prior: float


class Link(NamedTuple):
    """Two positions, the log-odds of their being one, and the columns by how they compare."""

    left: int
    right: int
    odds: float
    agree: tuple[str, ...]
    near: tuple[str, ...]
    differ: tuple[str, ...]


class Table:
    """Rows with a model learned from them. Deterministic: chance has a fixed seed."""

    def __init__(self, records: Sequence[Record], measures: Measures) -> None:
        self.rows = [row_of(record) for record in records]
        self._measures = measures
        self._seen: dict[tuple[str, str], float] = {}
        self._columns = _columns(self.rows)
        self._weights = _word_weights(self.rows, self._columns)
        self.candidates = block(self.rows, self._columns)
        self._patterns = [self._levels(one, two) for one, two in self.candidates]
        self.model = self._learned()

    def links(self) -> list[Link]:
        """The candidate pairs that are more likely one than not, best first."""
        found = [
            link
            for (one, two), levels in zip(self.candidates, self._patterns, strict=True)
            if (link := self._link(one, two, levels)).odds > 0
        ]
        return sorted(found, key=lambda link: (-link.odds, link.left, link.right))

    def link(self, one: int, two: int) -> Link:
        return self._link(one, two, self._levels(one, two))

    def _link(self, one: int, two: int, levels: Mapping[str, int]) -> Link:
        total = self.model.prior + sum(
            self._weight(column, level, self.rows[one].fields[column])
            for column, level in levels.items()
        )
        by_level = [
            tuple(column for column, level in levels.items() if level in wanted)
            for wanted in ((0,), (1, 2), (3, 4))
        ]
        return Link(one, two, total, by_level[0], by_level[1], by_level[2])

    def _weight(self, column: str, level: int, value: str) -> float:
        model = self.model
        chance = model.u[column][level]
        if level == 0:
            chance = max(model.frequency[column].get(value, chance), 1e-5)
        return max(-_MOST, min(_MOST, math.log(model.m[column][level] / chance)))

    def _levels(self, one: int, two: int) -> dict[str, int]:
        left, right = self.rows[one].fields, self.rows[two].fields
        return {
            column: self._level(column, left[column], right[column])
            for column in self._columns
            if column in left and column in right
        }

    def _level(self, column: str, left: str, right: str) -> int:
        if left == right:
            return 0
        alike = self._alike(column, left, right)
        return next((at for at, least in enumerate(LEVELS) if at and alike >= least), _LEAST)

    def _alike(self, column: str, left: str, right: str) -> float:
        if _AMOUNT.fullmatch(left) and _AMOUNT.fullmatch(right):
            return 1 - abs(float(left) - float(right)) / max(
                abs(float(left)), abs(float(right)), 1e-9
            )
        ones, twos = left.split(), right.split()
        if len(ones) == len(twos) == 1:
            return self._words(left, right)
        return self._texts(self._weights[column], ones, twos)

    def _words(self, left: str, right: str) -> float:
        key = (left, right) if left <= right else (right, left)
        found = self._seen.get(key)
        if found is None:
            found = self._seen[key] = self._measured(*key)
        return found

    def _measured(self, left: str, right: str) -> float:
        longer = max(len(left), len(right))
        if any(char.isdigit() for char in left + right):
            if swapped(left, right):
                return 0.9
            slips = self._measures.distance(left, right)
            return 0.9 if slips == 1 and longer > 2 else 0.7 if slips == 2 and longer > 4 else 0.0
        if min(len(left), len(right)) == 1 and left[0] == right[0]:
            return 0.9  # an initial
        return self._measures.jaro_winkler(left, right)

    def _texts(self, weigh: Mapping[str, float], ones: Sequence[str], twos: Sequence[str]) -> float:
        """The weighted share of words that both texts have, spellings included."""
        rest = list(twos)
        common = 0.0
        left_over = []
        for word in ones:
            if word in rest:
                rest.remove(word)
                common += 2 * weigh[word]
            else:
                left_over.append(word)
        for word in left_over:
            twin = next((other for other in rest if self._words(word, other) >= 0.88), "")
            if twin:
                rest.remove(twin)
                common += 0.9 * (weigh[word] + weigh[twin])
        whole = sum(weigh[word] for word in ones) + sum(weigh[word] for word in twos)
        if "".join(ones) == "".join(twos):
            return 0.95
        return common / whole if whole else 0.0

    # -- learning --------------------------------------------------------------------------------------------------------------------

    def _learned(self) -> Model:
        by_chance = self._by_chance()
        frequency = {
            column: _frequencies([row.fields[column] for row in self.rows if column in row.fields])
            for column in self._columns
        }
        m = dict.fromkeys(self._columns, _PRIOR)
        pairs = len(self.rows) * (len(self.rows) - 1) / 2
        matches = max(1.0, 0.1 * len(self.candidates))
        self.model = Model(m, by_chance, frequency, _log_odds(matches / max(pairs, 2.0)))
        for _ in range(_ROUNDS):
            counts = {
                column: [_PRIOR_COUNT * share for share in _PRIOR] for column in self._columns
            }
            expected = 0.0
            for (one, two), levels in zip(self.candidates, self._patterns, strict=True):
                odds = self._link(one, two, levels).odds
                if odds < -8:
                    continue
                same = 1 / (1 + math.exp(-min(odds, 50.0)))
                expected += same
                for column, level in levels.items():
                    counts[column][level] += same
            learned = {
                column: tuple(n / sum(some) for n in some) for column, some in counts.items()
            }
            moved = max(
                (abs(a - b) for column in learned for a, b in zip(learned[column], self.model.m[column], strict=True)),
                default=0.0,
            )  # fmt: skip
            prior = _log_odds(max(expected, 0.5) / max(pairs, 2.0))
            self.model = Model(learned, by_chance, frequency, prior)
            if moved < 0.001:
                break
        return self.model

    def _by_chance(self) -> dict[str, tuple[float, ...]]:
        chance = random.Random(1969)
        size = len(self.rows)
        counts = {column: [1.0, 0.5, 1.0, 2.0, 20.0] for column in self._columns}
        for _ in range(min(_BY_CHANCE, size * (size - 1) // 2) if size > 1 else 0):
            one, two = chance.randrange(size), chance.randrange(size)
            if one != two:
                for column, level in self._levels(one, two).items():
                    counts[column][level] += 1
        return {column: tuple(n / sum(some) for n in some) for column, some in counts.items()}


def row_of(record: Record) -> Row:
    fields = {NAME: _folded(record.name)}
    for column, value in record.attrs.items():
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            text = _folded(str(value))
            if text:
                fields[f"attrs.{column}" if column == NAME else column] = text
    return Row(record, {column: text for column, text in fields.items() if text})


def _folded(text: str) -> str:
    text = fold_accents(text)
    if _AMOUNT.fullmatch(text.strip()):
        return text.strip()
    return " ".join(re.findall(r"\w+", text))


def _columns(rows: Sequence[Row]) -> tuple[str, ...]:
    """The columns that tell rows apart: filled in more than one row, and not the same throughout."""
    filled: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        for column, value in row.fields.items():
            filled[column][value] += 1
    return tuple(
        column
        for column, values in sorted(filled.items())
        if values.total() > 1 and len(values) > 1
    )


def _word_weights(rows: Sequence[Row], columns: Sequence[str]) -> dict[str, Mapping[str, float]]:
    found: dict[str, Mapping[str, float]] = {}
    for column in columns:
        counts: Counter[str] = Counter()
        for row in rows:
            counts.update(set(row.fields.get(column, "").split()))
        found[column] = {
            word: math.log((len(rows) + 1) / count) + 0.1 for word, count in counts.items()
        }
    return found


def _frequencies(values: Sequence[str]) -> dict[str, float]:
    """The chance that a row taken at random has a value; one that a single row has counts as one that two have."""
    return {value: max(count, 2) / len(values) for value, count in Counter(values).items()}


def _log_odds(share: float) -> float:
    share = min(max(share, 1e-9), 0.5)
    return math.log(share / (1 - share))


# -- which rows to compare -----------------------------------------------------------------------------------------------------------


def block(rows: Sequence[Row], columns: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of positions that share something rare, ascending; for each row the few with which it shares most."""
    keys: dict[str, list[int]] = defaultdict(list)
    for at, row in enumerate(rows):
        for key in set(_keys(row, columns)):
            keys[key].append(at)
    of_row: list[list[str]] = [[] for _ in rows]
    for key, members in keys.items():
        if 1 < len(members) <= _BLOCK:
            for at in members:
                of_row[at].append(key)
    pairs: set[tuple[int, int]] = set()
    for at, found in enumerate(of_row):
        worth: dict[int, float] = defaultdict(float)
        for key in found:
            gain = math.log(len(rows) / len(keys[key])) if len(rows) > len(keys[key]) else 0.1
            for other in keys[key]:
                worth[other] += gain
        worth.pop(at, None)
        best = sorted(worth.items(), key=lambda item: (-item[1], item[0]))[:_EACH]
        pairs.update((min(at, other), max(at, other)) for other, _ in best)
    return sorted(pairs)


def _keys(row: Row, columns: Sequence[str]) -> Iterator[str]:
    """Whole values, single words, the beginnings of two values together, and the words of the name less a letter each."""
    starts = []
    for column in columns:
        value = row.fields.get(column)
        if not value:
            continue
        yield f"{column}={value}"
        starts.append(f"{column}:{value[:4]}")
        words = value.split()
        if len(words) > 1:
            yield from (f"{column}~{word}" for word in words if len(word) > 2)
        if column == NAME:
            for word in words:
                if 4 <= len(word) <= 12:
                    yield from (f"-{word[:at]}{word[at + 1 :]}" for at in range(len(word)))
                    yield f"-{word}"
    for at, one in enumerate(starts):
        for two in starts[at + 1 :]:
            yield f"{one} {two}"


def strangers(table: Table, link: Link) -> bool:
    """Whether a link is of two who share an address: a part of the name differs outright, and so does a long number, as a date of birth
    is. That columns of one household agree together is what the model, which takes each for itself, can't know."""
    one, two = table.rows[link.left].fields, table.rows[link.right].fields
    parts = [
        one[column] in one.get(NAME, "").split() and two[column] in two.get(NAME, "").split()
        for column in link.differ
    ]
    numbers = [
        min(len(one[column]), len(two[column])) >= _LONG_NUMBER
        and (one[column] + two[column]).isdigit()
        for column in link.differ
    ]
    return any(parts) and any(numbers)


# -- clusters ------------------------------------------------------------------------------------------------------------------------


def groups(
    table: Table, may_be_one: Sequence[Link], allowed: Callable[[Link], bool] = lambda _: True
) -> list[tuple[list[int], list[Link]]]:
    """Positions that are one thing, with the links that joined them. Two groups are joined if each pair across them may be one."""
    group = list(range(len(table.rows)))
    members = {at: [at] for at in group}
    reasons: dict[int, list[Link]] = defaultdict(list)
    for link in may_be_one:
        one, two = group[link.left], group[link.right]
        if link.odds < _MERGED or one == two or strangers(table, link):
            continue
        across = [table.link(min(a, b), max(a, b)) for a in members[one] for b in members[two]]
        if any(found.odds < 0 or not allowed(found) for found in across):
            continue
        kept, moved = (one, two) if len(members[one]) >= len(members[two]) else (two, one)
        for at in members[moved]:
            group[at] = kept
        members[kept] += members.pop(moved)
        reasons[kept] += [*reasons.pop(moved, []), link]
    return [(sorted(some), reasons[key]) for key, some in sorted(members.items()) if len(some) > 1]
