"""Where the parts are put together: the only file that names a log, an index, the clock and chance."""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING, Any

from kgraph.errors import Exists, KgraphError, NoGraph
from kgraph.graph import Graph, folder
from kgraph.graph.engine import Engine
from kgraph.graph.folder import Manifest
from kgraph.index.lines import headers
from kgraph.index.port import Index
from kgraph.index.sqlite import SqliteIndex
from kgraph.log import Log
from kgraph.log.jsonl import JsonlLog, sync_folder
from kgraph.log.memory import MemoryLog
from kgraph.trust import SOURCE_ROOT, Trust, within
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    from kgraph.extract.agent import HandedIn
    from kgraph.extract.interrupt import Interrupt
    from kgraph.extract.progress import Reporter
    from kgraph.extract.run import Tools
    from kgraph.graph.answers import Ingestion
    from kgraph.models.embedding import Embedder
    from kgraph.models.port import Model


class Place:
    """Which graph is meant, by name or path, seen from a working folder."""

    def __init__(
        self,
        name: str = "",
        path: str = "",
        working: str = "",
        wait_seconds: float = 30.0,
        roots: tuple[str, ...] = (),
    ) -> None:
        self.working = working or os.getcwd()
        self.by_path = bool(path)
        self.root = folder.root_folder(os.environ, self.working)
        self.folder, self.name = folder.graph_folder(self.root, name, path)
        self.wait_seconds = wait_seconds
        self.roots = roots

    def open(self) -> Graph:
        """The graph that is there. Raises NoGraph, Exists where another name makes the same folder, LogDamaged where the log is gone."""
        if not folder.is_graph(self.folder):
            raise folder.no_graph(
                self.folder,
                "" if self.by_path else self.name,
                "" if self.by_path else self.root,
            )
        folder.refuse_lost_log(self.folder)
        manifest = folder.read_manifest(self.folder)
        if manifest is None and folder.is_unbegun(self.folder):
            return self._graph(self._manifest("", {}, ""))
        if manifest is None:
            manifest = _from_log(
                self._graph(Manifest(os.path.basename(os.path.abspath(self.folder))))
            )
            if os.access(self.folder, os.W_OK) and folder.read_manifest(self.folder) is None:
                folder.set_aside(os.path.join(self.folder, "manifest.json"))
                folder.furnish(self.folder, manifest)
        if not self.by_path:
            folder.same_name(self.folder, self.name, manifest)
        return self._graph(manifest)

    def create(
        self, objective: str = "", budget: dict[str, object] | None = None, source_root: str = ""
    ) -> Graph:
        """A new graph. Raises Exists where a graph or someone's files are."""
        manifest = self._manifest(objective, budget or {}, source_root)
        if not self.by_path:
            folder.same_name(self.folder, self.name, folder.read_manifest(self.folder))
        folder.refuse_existing(self.folder)
        os.makedirs(self.folder, exist_ok=True)
        wanted = folder.source_root(self.folder, manifest, self.root)
        if not within(wanted, (self.folder, folder.beside_graphs(self.folder) or self.folder)):
            Trust(self.folder).confirm(SOURCE_ROOT, wanted)
        graph = self._graph(manifest, wanted)
        graph.begin()
        for above in (self.folder, os.path.dirname(os.path.abspath(self.folder))):
            with contextlib.suppress(OSError):  # a folder of somebody else's
                sync_folder(os.path.dirname(os.path.abspath(above)))
        return graph

    def is_there(self) -> bool:
        return folder.is_graph(self.folder)

    def in_memory(self, source_root: str = "") -> Graph:
        """The graph as it would begin, kept nowhere: what a dry run is judged against."""
        log = MemoryLog()
        manifest = self._manifest("", {}, source_root)
        wanted = folder.source_root(self.folder, manifest, self.root)
        return self._assembled(manifest, log, SqliteIndex(log, ":memory:"), wanted)

    @property
    def home(self) -> str:
        """The folder that sources are in unless something else is said: where the call stands, or what holds the folder of graphs."""
        return self.working if self.by_path else os.path.dirname(os.path.abspath(self.root))

    def _manifest(self, objective: str, budget: dict[str, object], source_root: str) -> Manifest:
        wanted = os.path.join(self.working, source_root) if source_root else self.home
        name = self.name or os.path.basename(os.path.abspath(self.folder))
        return Manifest(
            name, objective, budget, folder.relative_root(self.folder, wanted), "offline", now()
        )

    def _graph(self, manifest: Manifest, home: str = "") -> Graph:
        log = JsonlLog(self.folder)
        index = SqliteIndex(log, os.path.join(self.folder, "index.sqlite"))
        return self._assembled(manifest, log, index, home or self.home)

    def _assembled(self, manifest: Manifest, log: Log, index: Index, home: str) -> Graph:
        return Graph(
            self.folder,
            manifest,
            Engine(log, index, now, token, self.wait_seconds),
            self.roots,
            embedder,
            home,
        )

    def open_or_create(self, source_root: str = "") -> Graph:
        """The graph, made if it isn't there: ``graph.created`` tells."""
        try:
            if not folder.is_unbegun(self.folder):
                return self.open()
        except NoGraph:
            pass
        try:
            return self.create(source_root=source_root)
        except Exists:
            if folder.is_graph(self.folder):
                return self.open()
            raise


def _from_log(graph: Graph) -> Manifest:
    """A lost manifest, made again from what the log says of the graph. An imported log brings another graph's words along: ours come first
    in the file, or bear the folder's name."""
    with graph:
        reader = graph.engine.reader()
        place = {header.id: header.position for header in headers(reader)}
        said = sorted(
            ((place[tx], event) for tx, event in reader.notes("graph")), key=lambda one: one[0]
        )
    default = graph.manifest
    found = []
    for _, event in said:
        known = {
            key: event[key]
            for key in Manifest._fields
            if isinstance(event.get(key), type(getattr(default, key)))
        }
        found.append(default._replace(**known))
    ours = [
        one
        for one in found
        if folder.slug_or_nothing(one.name) == os.path.basename(os.path.abspath(graph.path))
    ]
    return (ours or found or [default])[0]


def open(path: str = "", name: str = "") -> Graph:
    """The graph in a folder (``path``) or of a name under ``.karpathy-graphs``. Raises NoGraph."""
    return Place(name, os.fspath(path)).open()


def create(path: str = "", name: str = "", objective: str = "", source_root: str = "") -> Graph:
    """A new, empty graph. Raises Exists where something is already."""
    return Place(name, os.fspath(path)).create(objective, None, source_root)


def graphs(root: str) -> list[dict[str, Any]]:
    """Each graph: name, path, nodes, edges, time of the last line. One that can't be read is listed with its problem."""
    found = []
    for path in folder.graphs_under(root):
        row: dict[str, Any] = {
            "name": os.path.basename(path),
            "path": path,
            "nodes": 0,
            "edges": 0,
            "updated_at": "",
        }
        try:
            with Place(path=path).open() as graph:
                reader = graph.engine.reader()
                counts = reader.counters()
                row |= {
                    "name": graph.name,
                    "nodes": sum(counts["type"].values()),
                    "edges": sum(counts["predicate"].values()),
                }
                row["updated_at"] = graph.engine.index.last_ts
                problems = graph.damage()
                if problems:
                    row["problem"] = problems[0].message
        except KgraphError as error:
            row["problem"] = error.message
        found.append(row)
    return found


class ModelChoice(NamedTuple):
    """Who extracts: a model (``provider/name``), a program (``command``), or neither: then it is done offline. ``price``: ``IN,OUT``."""

    model: str = ""
    command: str = ""
    base_url: str = ""
    price: str = ""
    timeout_seconds: float = 600.0
    batch: bool = False


def extraction_tools(
    choice: ModelChoice, reporter: Reporter, stop: Interrupt, dry_run: bool = False
) -> Tools:
    """What a run needs from outside; a dry run needs of a model only the name. Raises UsageError for a model that can't be used, before
    anything is sent."""
    from kgraph.extract.run import Batches, Tools
    from kgraph.models.secrets import mask_of, with_stored_key

    if not choice.model and not choice.command:
        return Tools(reporter, stop.wished, mask_of(os.environ))
    import random

    from kgraph.models.patience import Patience, Persistent
    from kgraph.models.prices import BATCH_FACTOR, price_of

    if dry_run and choice.model:
        from kgraph.models.providers import check_name
        from kgraph.models.scripted import Scripted

        check_name(choice.model)
        price = price_of(choice.model, choice.price)
        discount = BATCH_FACTOR if choice.batch else 1.0
        named = Scripted((), choice.model)
        return Tools(
            reporter, stop.wished, mask_of(os.environ), named, price and price.times(discount)
        )
    batches = None
    if choice.command:
        from kgraph.models.command import Command

        mask = mask_of(os.environ)
        model: Model = Command(choice.command, choice.timeout_seconds, mask)
    else:
        from kgraph.models import providers

        environ = with_stored_key(os.environ, providers.key_variables(choice.model))
        mask = mask_of(environ)
        place = providers.Place(choice.base_url, environ, choice.timeout_seconds, time.monotonic)
        model = providers.open_model(choice.model, place)
        if choice.batch:
            batches = Batches(providers.open_batches(choice.model, place), stop.sleep)
    lasting = Persistent(model, Patience(), time.monotonic, stop.sleep, random.random, stop.wished)
    price = price_of(model.name, choice.price)
    if batches is not None and price is not None:
        price = price.times(BATCH_FACTOR)
    return Tools(reporter, stop.wished, mask, lasting, price, batches)


def model_providers() -> list[dict[str, Any]]:
    """The providers that can be named, with the variables that hold their keys and whether one is set."""
    from kgraph.models.litellm import NAMES
    from kgraph.models.providers import PROVIDERS
    from kgraph.models.secrets import with_stored_key

    found = []
    for name, provider in PROVIDERS.items():
        environ = with_stored_key(os.environ, provider.key_variables)
        row = {
            "provider": name,
            "key_variables": list(provider.key_variables),
            "key_set": any(environ.get(key, "").strip() for key in provider.key_variables),
            "base_url": provider.base_url,
        }
        found.append(row)
    through = {"key_variables": [], "key_set": False, "base_url": "", "extra": "litellm"}
    return [*found, *({"provider": name, **through} for name in NAMES)]


def offered_models(provider: str, base_url: str) -> list[dict[str, Any]]:
    """What a provider offers, with prices where they are known. Raises UsageError, CallFailed."""
    from kgraph.models import providers
    from kgraph.models.prices import price_of
    from kgraph.models.secrets import with_stored_key

    environ = with_stored_key(os.environ, providers.key_variables(f"{provider}/"))
    place = providers.Place(base_url, environ, 60.0, time.monotonic)
    listed = [(name, price_of(name)) for name in providers.models_of(provider, place)]
    return [{"model": name, "price": price._asdict() if price else None} for name, price in listed]


def hand_in(graph: Graph, unit: str, text: str, how: Ingestion) -> HandedIn:
    """An agent's reply for one unit, judged like a model's; of ``how``, ``run_id``, ``dry_run`` and ``strict`` count.

    Raises UnknownReference for a unit that isn't there.
    """
    from kgraph.extract.agent import Handing
    from kgraph.extract.agent import hand_in as judged
    from kgraph.extract.replies import ReplyFolder
    from kgraph.models.secrets import mask_of

    handing = Handing(unit, text, how.run_id, dry_run=how.dry_run, strict=how.strict)
    return judged(graph.store(), handing, ReplyFolder(graph.path, mask_of(os.environ)))


def judging_model(name: str, base_url: str) -> Model:
    """A language model that is asked about one thing at a time, patient with a busy provider. Raises UsageError when it can't be used."""
    import random

    from kgraph.models import providers
    from kgraph.models.patience import Patience, Persistent
    from kgraph.models.secrets import with_stored_key

    environ = with_stored_key(os.environ, providers.key_variables(name))
    model = providers.open_model(name, providers.Place(base_url, environ, 600.0, time.monotonic))
    return Persistent(model, Patience(), time.monotonic, time.sleep, random.random)


def embedder(name: str, base_url: str) -> Embedder:
    """An embedding model by name, patient with a busy provider. Raises UsageError, MissingExtra when it can't be used."""
    import random

    from kgraph.models import providers
    from kgraph.models.embedding import PersistentEmbedder
    from kgraph.models.patience import Patience
    from kgraph.models.secrets import with_stored_key

    environ = with_stored_key(os.environ, providers.key_variables(name))
    opened = providers.open_embedder(
        name, providers.Place(base_url, environ, 600.0, time.monotonic)
    )
    return PersistentEmbedder(opened, Patience(), time.sleep, random.random)


def now() -> str:
    """The clock, as the log writes it."""
    microseconds = time.time_ns() // 1000
    seconds, rest = divmod(microseconds, 1_000_000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{rest:06d}Z"


def token() -> str:
    """Six random characters."""
    return os.urandom(3).hex()
