"""Numbers, units and dates of a statement in one form each, so that '1,000', '1000' and 'a date written two ways' are seen to be equal."""

from __future__ import annotations

import re
from decimal import Decimal

from kgraph.tuples import NamedTuple

_MONTHS = (
    "january february march april may june july august september october november december".split()
)
MONTH = {
    name[:length]: number for number, name in enumerate(_MONTHS, 1) for length in (3, len(name))
} | {"sept": 9}
DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
TIME_WORDS = DAYS | frozenset(
    "today yesterday tomorrow midnight noon morning evening night afternoon quarter q1 q2 q3 q4 century".split()
)
TIME_PREPOSITIONS = frozenset("in on at since until till during before after by from".split())
ZONES = frozenset(
    "utc gmt z cet cest eet bst est edt cst cdt mst mdt pst pdt ist jst am pm".split()
)  # said behind a time of the day
_AT = frozenset(("in", "on", "at", "during"))

# One spelling a unit. Short forms keep their case, since 'MW' and 'mW' are not the same.
_UNITS = (
    "ms millisecond milliseconds msec|µs us microsecond microseconds|s second seconds sec secs|min minute minutes mins|h hour hours hr hrs|d day days|w week weeks|"
    "km kilometre kilometres kilometer kilometers|m metre metres meter meters|cm centimetre centimetres centimeter centimeters|"
    "mm millimetre millimetres millimeter millimeters|kg kilogram kilograms kilogramme kilogrammes|mg milligram milligrams|µg microgram micrograms|t tonne tonnes|ml millilitre millilitres milliliter milliliters|ha hectare hectares|kWh|MWh|GWh|kPa|hPa|mbar|bar|km/h|mph|mA|dB|px|rpm|KiB|MiB|GiB|Mbit|Gbit|g gram grams gramme grammes|"
    "% percent|B byte bytes|kB KB kilobyte kilobytes|MB megabyte megabytes|GB gigabyte gigabytes|TB terabyte terabytes|"
    "$ USD dollar dollars|€ EUR euro euros|£ GBP pound pounds|Hz hertz|kHz kilohertz|MHz megahertz|GHz gigahertz|W watt watts|"
    "kW kilowatt kilowatts|"
    "MW megawatt megawatts|V volt volts|°C celsius|°F fahrenheit|L l litre litres liter liters"
)
UNIT = {form: forms.split()[0] for forms in _UNITS.split("|") for form in forms.split()}
# Of a unit, the one that it is counted in and how many of them it is. Bytes are left alone: a kilobyte is two things.
_BASES = {
    "ms": ("s", "0.001"), "µs": ("s", "0.000001"), "w": ("s", "604800"), "min": ("s", "60"), "h": ("s", "3600"), "d": ("s", "86400"), "km": ("m", "1000"), "cm": ("m", "0.01"),
    "mm": ("m", "0.001"), "kg": ("g", "1000"), "mg": ("g", "0.001"), "µg": ("g", "0.000001"), "t": ("g", "1000000"), "ml": ("L", "0.001"), "ha": ("m²", "10000"),
    "MWh": ("kWh", "1000"), "GWh": ("kWh", "1000000"), "kHz": ("Hz", "1000"), "MHz": ("Hz", "1000000"), "GHz": ("Hz", "1000000000"),
    "kW": ("W", "1000"), "MW": ("W", "1000000"),
}  # fmt: skip
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}$")
_THOUSANDS = re.compile(r"\d{1,3}(,\d{3})+(\.\d+)?$")


class When(NamedTuple):
    """A stretch of time that a statement names: the word before it, and its parts in one form."""

    relation: str
    parts: tuple[str, ...]


def number(token: str) -> str:
    """A number without thousands separators. Zeros behind the point stay: version 1.10 is not version 1.1."""
    return token.replace(",", "") if _THOUSANDS.match(token) else token


def scaled(token: str, factor: int) -> str:
    """'1.5' times a million, as a number is written."""
    return f"{float(token) * factor:.6f}".rstrip("0").rstrip(".")


def in_base_unit(value: Decimal, unit: str) -> tuple[Decimal, str]:
    """An amount in the unit that its kind is counted in: (250, 'ms') is (0.25, 's'). A unit that stands alone stays."""
    base, factor = _BASES.get(unit, (unit, "1"))
    return (value * Decimal(factor)).normalize(), base


def is_number(token: str) -> bool:
    return token.lstrip("-")[:1].isdigit()


def is_date(token: str) -> bool:
    return _DATE.match(token) is not None


def is_stamp(token: str) -> bool:
    """A date or clock time in figures."""
    return is_date(token) or re.fullmatch(r"\d{1,2}:\d{2}(:\d{2})?", token) is not None


def is_temporal(token: str, raw: str) -> bool:
    """Whether a word may be part of a date or time. 'may' and 'march' are months with a capital only."""
    if token in MONTH:
        return raw[:1].isupper()
    if token in TIME_WORDS or is_stamp(token):
        return True
    return bool(re.fullmatch(r"(1[5-9]|20|21)\d{2}", token))


def when(preposition: str, words: list[str]) -> When:
    """The words of a date in any order as one: year, month and day as '2026-03-11', the rest as it is."""
    year = month = day = ""
    rest = []
    for word in words:
        if is_date(word):
            year, month, day = word[:4], word[5:7], word[8:]
        elif word in MONTH and not month:
            month = f"{MONTH[word]:02d}"
        elif re.fullmatch(r"\d{4}", word) and not year:
            year = word
        elif (
            re.fullmatch(
                r"\d{1,2}",
                word.removesuffix("st").removesuffix("nd").removesuffix("rd").removesuffix("th"),
            )
            and not day
        ):
            day = f"{int(re.sub('[a-z]', '', word)):02d}"
        else:
            rest.append(word)
    date = f"{year or '*'}-{month or '*'}-{day or '*'}"
    return When("at" if preposition in _AT else preposition, (date, *sorted(rest)))
