"""References between documents: what a link or a numbered series (PEP 8, RFC 2616, ADR-0005) points at."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote

from kgraph.model import Document
from kgraph.tuples import NamedTuple
from kgraph.units.extraction import KnownSource, KnownSources

# Series whose numbers mean one document the world over. ADRs are numbered anew by each project: they are known by their files alone.
WORLDWIDE = frozenset("PEP RFC KEP BIP EIP ERC JEP XEP BCP STD JSR GEP".split())
_HYPHENED = frozenset(("KEP", "EIP", "ERC"))
_SERIES = re.compile(
    r"(?<![\w/-])(PEP|RFC|KEP|BIP|EIP|ERC|JEP|XEP|BCP|STD|JSR|GEP|ADR|MADR|AD|DR)s?[\s\x01-]{0,3}#?0*(\d{1,6})(?![\w.]*\d)",
    re.IGNORECASE,
)
_ROLE = re.compile(r":(pep|rfc):`[^`<]{0,100}?<?0*(\d{1,6})(?:[#>][^`]{0,100})?`", re.IGNORECASE)
_LINK = re.compile(
    r"\[([^\[\]]{0,200})\]\(\s?<?([^()\s<>]{1,500})>?[^()]{0,200}\)|`[^`<>]{1,200}<([^<>`\s]{1,500})>`_"
)
_FILE = re.compile(
    r"(?<![\w/.-])((?:\.{0,2}/)?[\w./-]{1,200}\.(?:md|rst|txt|markdown|adoc|html|tex|ipynb|pdf|docx))(?![\w/])"
)
_PATH_NUMBER = re.compile(r"/(?:keps|proposals|enhancements)/(?:[\w-]+/)*0*(\d{1,6})-[\w-]+")
_NUMBER = re.compile(r"(?<![\w.#/-])0*(\d{1,6})(?![\w.]*\w)")
_NAME_NUMBER = re.compile(r"(?:[a-z]{2,8}[-_ ]?)?0*(\d{1,6})(?=[-_. ]|$)", re.IGNORECASE)


class Reference(NamedTuple):
    """Where a reference ends: at a Source of this run, at a numbered document (``name``: 'PEP 314'), or at both."""

    source: KnownSource | None
    name: str


class Numbered(NamedTuple):
    """A document's place in its series."""

    series: str
    number: int

    @property
    def name(self) -> str:
        return f"{self.series}{'-' if self.series in _HYPHENED else ' '}{self.number}"


class Resolver:
    """Reads references as the document that makes them would."""

    def __init__(self, document: Document, known: KnownSources, own: Numbered | None) -> None:
        self._folder = posixpath.dirname(document.uri)
        self._uri = document.uri
        self._known = known
        self._own = own
        self._numbers: dict[int, list[KnownSource]] = {}
        for source in known.sources:
            found = _NAME_NUMBER.match(source.name)
            if found:
                self._numbers.setdefault(int(found.group(1)), []).append(source)

    def all(self, text: str, bare_numbers: bool = False) -> list[Reference]:
        """Every reference in a piece of raw text, each once; with ``bare_numbers`` '256, 257' are documents of the own series."""
        found: dict[tuple[str, str], Reference] = {}
        for reference in self._read(text, bare_numbers):
            if reference.source is None and not reference.name:
                continue
            if reference.source is not None and reference.source.uri == self._uri:
                continue
            if self._own is not None and reference.name == self._own.name:
                continue
            found.setdefault(
                (reference.source.uri if reference.source else "", reference.name), reference
            )
        sources = {
            reference.name for reference in found.values() if reference.source and reference.name
        }
        linked = {
            reference.source.uri
            for reference in found.values()
            if reference.source and reference.name
        }
        return [
            reference
            for reference in found.values()
            if (reference.source or reference.name not in sources)
            and (reference.name or reference.source is None or reference.source.uri not in linked)
        ]

    def target(self, target: str) -> KnownSource | None:
        """The Source that a link's target names: a path from this document's folder or from the root."""
        path = unquote(target.split("#")[0].split("?")[0])
        if not path or "://" in path or path.startswith(("mailto:", "//")):
            return None
        if path.startswith("/"):
            return self._known.at(posixpath.normpath(path.lstrip("/")))
        local = posixpath.normpath(posixpath.join(self._folder, path))
        return self._known.at(local) or next(
            (
                found
                for suffix in (".md", ".rst", "/README.md", "/index.md")
                if (found := self._known.at(local + suffix))
            ),
            None,
        )

    def numbered(self, series: str, number: int) -> Reference:
        series = series.upper()
        name = Numbered(series, number).name if series in WORLDWIDE else ""
        return Reference(self._file_of(series, number), name)

    def _read(self, text: str, bare_numbers: bool) -> Iterator[Reference]:
        rest = text
        for link in _LINK.finditer(text):
            target = link.group(2) or link.group(3)
            source = self.target(target)
            inside = _SERIES.search(link.group(1) or "")
            reference = (
                self.numbered(inside.group(1), int(inside.group(2)))
                if inside
                else Reference(None, "")
            )
            yield reference._replace(source=source or reference.source)
            rest = rest.replace(link.group(0), " ", 1)
        for role in _ROLE.finditer(rest):
            yield self.numbered(role.group(1), int(role.group(2)))
        rest = _ROLE.sub(" ", rest)
        for series in _SERIES.finditer(rest):
            yield self.numbered(series.group(1), int(series.group(2)))
        rest = _SERIES.sub(" ", rest)
        for path in _PATH_NUMBER.finditer(rest):
            yield self.numbered("KEP", int(path.group(1)))
        for file in _FILE.finditer(rest):
            named = self._known.named(posixpath.basename(file.group(1)))
            yield Reference(
                self.target(file.group(1)) or (named[0] if len(named) == 1 else None), ""
            )
        if bare_numbers:
            for number in _NUMBER.finditer(_FILE.sub(" ", _PATH_NUMBER.sub(" ", rest))):
                yield self.numbered(self._own.series if self._own else "ADR", int(number.group(1)))

    def _file_of(self, series: str, number: int) -> KnownSource | None:
        """The one file of this run whose name bears the series and the number; of project-wide series the one in the same folder."""
        candidates = self._numbers.get(number, [])
        if series in WORLDWIDE:
            fitting = [
                source for source in candidates if source.name.lower().startswith(series.lower())
            ]
        else:
            fitting = [
                source
                for source in candidates
                if posixpath.dirname(source.uri) == self._folder
                and (source.name[0].isdigit() or source.name.lower().startswith(("adr", "madr")))
            ]
        return fitting[0] if len(fitting) == 1 else None


def number_of(document: Document, fields: dict[str, str], title: str) -> Numbered | None:
    """The document's own place in a series, where its header, its title or its file's name states it."""
    for key, value in fields.items():
        series = {"request for comments": "RFC", "kep number": "KEP"}.get(key, key.upper())
        if series in WORLDWIDE and (found := re.match(r"[\"'#]*0*(\d{1,6})\b", value)):
            return Numbered(series, int(found.group(1)))
    titled = _SERIES.match(title.strip())
    if titled and titled.group(1).upper() in WORLDWIDE:
        return Numbered(titled.group(1).upper(), int(titled.group(2)))
    named = re.match(
        r"(pep|bip|eip|jep|kep|xep)[-_ ]?0*(\d{1,6})(?=[-_. ]|$)", document.name, re.IGNORECASE
    )
    return Numbered(named.group(1).upper(), int(named.group(2))) if named else None


def series_in(text: str) -> list[tuple[int, int, Numbered]]:
    """The numbered documents named in a text, with where: 'PEP 8', ':pep:`241`'."""
    if (
        not any(series in text for series in WORLDWIDE)
        and ":pep:" not in text
        and ":rfc:" not in text
    ):
        return []
    found = [
        (match.start(), match.end(), Numbered(match.group(1).upper(), int(match.group(2))))
        for match in _ROLE.finditer(text)
    ]
    found += [
        (match.start(), match.end(), Numbered(match.group(1).upper(), int(match.group(2))))
        for match in _SERIES.finditer(text)
    ]
    return sorted(item for item in found if item[2].series in WORLDWIDE)
