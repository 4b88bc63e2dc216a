"""Calls as kgraph maps them against calls that happen: ``python benchmarks/calls.py [package …]``

Each package's own functions are run while being traced; a call is observed when a function of the package enters another of its functions,
with frames of other packages between them left out; what a function of this file enters in between is no call of the package's own, and a
class body is not called. Comprehensions and lambdas count as the function in which they are written. Precision asks only of edges whose expression was carried out (the instruction of exactly that range of the source ran), recall of all observed pairs.

Counted are pairs of functions: ``observed`` those that the run showed, ``given`` those that kgraph says, ``asked`` those of them whose
expression was carried out, ``not run`` the others, of which nothing is known here. A generator is entered by whoever iterates it, so a call
that made one counts as observed when the generator was entered at all.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import os
import pkgutil
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

from kgraph.code import CodeOptions, SourceFile, extract, plan

Pair = tuple[str, str]
Range = tuple[str, int, int, int, int]  # file, lines, byte columns


class Observer:
    """Records which function of a folder calls which, and which lines ran."""

    def __init__(self, folder: str) -> None:
        self._folder = folder + os.sep
        self._root = os.path.dirname(folder)
        self._names: dict[tuple[str, CodeType], str] = {}  # equal code may stand in two files
        self.pairs: set[Pair] = set()
        self.generators: set[str] = set()
        self._ran: set[tuple[str, CodeType, int]] = set()

    def run(self, work: Callable[[], object]) -> None:
        sys.settrace(self._trace)
        try:
            work()
        finally:
            sys.settrace(None)

    def _trace(self, frame: FrameType, event: str, argument: Any) -> Any:
        name = self.name(frame.f_code)
        if event == "call" and name:
            above = frame.f_back
            while (
                above is not None
                and not self.name(above.f_code)
                and above.f_code.co_filename != __file__
            ):
                above = above.f_back
            entered = (
                frame.f_code.co_flags & inspect.CO_OPTIMIZED
                and not frame.f_code.co_name.startswith("<")
            )
            if above is not None and entered and self.name(above.f_code):
                self.pairs.add((self.name(above.f_code), name))
            if frame.f_code.co_flags & (inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR):
                self.generators.add(name)
        if name and event == "call":
            frame.f_trace_opcodes = True
        if name and event == "opcode":
            self._ran.add((frame.f_code.co_filename, frame.f_code, frame.f_lasti))
        return self._trace if name else None

    def ranges(self) -> set[Range]:
        """The ranges of the source whose instructions ran."""
        found = set()
        for path, code, at in self._ran:
            line, end_line, column, end_column = list(code.co_positions())[at // 2]
            found.add((path, line or 0, end_line or 0, column or 0, end_column or 0))
        return found

    def name(self, code: CodeType) -> str:
        key = code.co_filename, code
        if key not in self._names:
            found = ""
            if code.co_filename.startswith(self._folder):
                module = (
                    os.path.relpath(code.co_filename, self._root)[:-3]
                    .replace(os.sep, ".")
                    .removesuffix(".__init__")
                )
                inner = (
                    code.co_qualname.replace(".<locals>", "")
                    if hasattr(code, "co_qualname")
                    else code.co_name
                )
                parts = [part for part in inner.split(".") if not part.startswith("<")]
                found = ".".join([module, *parts])
            self._names[key] = found
        return self._names[key]


def edges(folder: str) -> dict[Pair, list[Range]]:
    """(caller, callee) → the ranges that say so."""
    root = os.path.dirname(folder)
    files = []
    for here, _, listed in os.walk(folder):
        for name in listed:
            if name.endswith(".py"):
                path = os.path.join(here, name)
                files.append(SourceFile(os.path.relpath(path, root), path))
    planned = plan(files, root, CodeOptions(level="symbol"))
    found: dict[Pair, list[Range]] = {}
    for unit in planned.units:
        payload = extract(unit, planned.known).payload
        names = {
            node.get("id", node["name"]): node["name"]
            for node in payload["nodes"]
            if node["type"] == "Entity"
        }
        for edge in payload["edges"]:
            if edge.get("kind") == "call":
                place = _range(
                    os.path.join(root, unit.files[0].uri), edge["source_doc"], edge["quote"]
                )
                found.setdefault((names[edge["source"]], names[edge["target"]]), []).append(place)
    return found


def _range(path: str, source_doc: str, quote: str) -> Range:
    """Where a quote stands, as the compiler counts: lines from 1, columns in bytes."""
    first, _, last = source_doc.partition("#L")[2].partition("-L")
    with open(path, encoding="utf-8", newline="") as file:
        rows = file.read().split("\n")
    column = rows[int(first) - 1].find(quote.split("\n")[0])
    end = (column if "\n" not in quote else 0) + len(quote.rpartition("\n")[2])
    if last and "\n" not in quote:
        raise ValueError(f"{source_doc} is more than a line, its quote is not")
    before, after = rows[int(first) - 1][:column], rows[int(last or first) - 1][:end]
    return path, int(first), int(last or first), len(before.encode()), len(after.encode())


def folder_of(package: str) -> str:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"{package} is not installed")
    return spec.submodule_search_locations[0]


def import_all(package: str) -> None:
    for found in pkgutil.walk_packages([folder_of(package)], f"{package}."):
        if "test" not in found.name and "__main__" not in found.name:
            with contextlib.suppress(ImportError, SystemExit, AssertionError):
                importlib.import_module(found.name)


def run_httpx() -> None:
    import httpx

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/moved":
            return httpx.Response(302, headers={"location": "/"})
        return httpx.Response(200, json={"path": request.url.path}, headers={"set-cookie": "a=b"})

    with httpx.Client(
        transport=httpx.MockTransport(answer), base_url="https://example.org", follow_redirects=True
    ) as client:
        client.get("/moved", params={"a": "1"}, headers={"x": "y"}, auth=("user", "secret"))
        client.post("/", json={"a": 1}).json()
        client.post("/", data={"a": "1"}, files={"f": b"x"}).read()
        with client.stream("GET", "/") as response:
            list(response.iter_lines())
    url = httpx.URL("https://user@example.org:8080/a/b?c=d#e").join("../f").copy_with(query=b"g=h")
    (
        str(url),
        repr(url),
        url == httpx.URL(str(url)),
        httpx.QueryParams("a=1&a=2").multi_items(),
        httpx.Headers({"a": "b"}).raw,
    )


def run_rich() -> None:
    import io

    from rich.console import Console
    from rich.markdown import Markdown
    from rich.panel import Panel
    from rich.progress import track
    from rich.syntax import Syntax
    from rich.table import Table
    from rich.tree import Tree

    console = Console(file=io.StringIO(), force_terminal=True, width=80)
    table = Table("a", "b", title="t")
    table.add_row("[bold]1[/]", "2")
    tree = Tree("root")
    tree.add("leaf").add("deeper")
    console.print(
        table,
        Panel("hello [red]world[/]"),
        tree,
        Markdown("# T\n\n* a\n* b\n\n```python\nx=1\n```\n"),
        Syntax("x = 1", "python"),
    )
    for _ in track(range(3), console=console):
        pass
    console.print({"a": [1, 2, {"b": None}]}, justify="center")
    console.log("done", log_locals=True)
    console.rule("end")


def run_networkx() -> None:
    import networkx as nx  # type: ignore[import-untyped]

    graph = nx.karate_club_graph()
    (
        nx.pagerank(graph),
        nx.betweenness_centrality(graph),
        nx.shortest_path(graph, 0, 33),
        list(nx.connected_components(graph)),
    )
    (
        nx.minimum_spanning_tree(graph),
        nx.greedy_color(graph),
        nx.diameter(graph),
        nx.clustering(graph),
        nx.is_planar(graph),
    )
    (
        nx.community.louvain_communities(graph, seed=1),
        nx.community.greedy_modularity_communities(graph),
    )
    flow = nx.DiGraph()
    flow.add_edge("a", "b", capacity=3)
    flow.add_edge("b", "c", capacity=2)
    (
        nx.maximum_flow(flow, "a", "c"),
        list(nx.topological_sort(flow)),
        nx.dag_longest_path(flow),
        nx.transitive_closure(flow),
    )
    (
        nx.readwrite.json_graph.node_link_graph(nx.node_link_data(graph)),
        "\n".join(nx.generate_gml(graph)),
        nx.to_dict_of_lists(graph),
    )


def run_markdown_it() -> None:
    from markdown_it import MarkdownIt

    head = '# T\n\n* a **b** `c`\n* [l](http://x.y "t")\n\n> q\n\n```py\nx\n```\n\n|a|b|\n|-|-|\n|1|2|\n\n![i](j)\n\n'
    text = f"{head}<b>x</b> ~~s~~\n\n[r]: /u\n\n1. z\n"
    MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text)
    MarkdownIt("js-default").parse(text)


def run_click() -> None:
    import click
    from click.testing import CliRunner

    @click.group()
    @click.option("--size", type=click.IntRange(1, 9), default=3, show_default=True)
    @click.pass_context
    def top(context: click.Context, size: int) -> None:
        context.obj = size

    @top.command()
    @click.argument("names", nargs=-1)
    @click.option("--kind", type=click.Choice(["a", "b"]), prompt=True)
    @click.pass_obj
    def sub(size: int, names: tuple[str, ...], kind: str) -> None:
        click.secho(f"{size} {names} {kind}", fg="green")
        with click.progressbar([1, 2]) as bar:
            list(bar)

    runner = CliRunner()
    for arguments in (
        ["--help"],
        ["sub", "--help"],
        ["--size", "4", "sub", "x", "y", "--kind", "a"],
        ["sub"],
        ["--size", "77", "sub"],
        ["none"],
    ):
        runner.invoke(top, arguments, input="b\n")


def run_packaging() -> None:
    from packaging.markers import Marker
    from packaging.requirements import Requirement
    from packaging.specifiers import SpecifierSet
    from packaging.tags import sys_tags
    from packaging.utils import canonicalize_name, parse_wheel_filename
    from packaging.version import Version

    versions = [
        Version(text) for text in ("1.0", "1.0.post1", "2.0rc1", "1!3.0+local.1", "2.0.dev3")
    ]
    (
        sorted(versions),
        [str(version) for version in versions],
        versions[2].is_prerelease,
        hash(versions[0]),
        versions[0] == versions[1],
    )
    wanted = SpecifierSet(">=1.0,!=1.5,<3") & SpecifierSet("~=1.0")
    (
        list(wanted.filter(["1.0", "1.5", "2.9", "3.1a1"])),
        "1.2" in wanted,
        str(wanted),
        wanted == SpecifierSet("==1.*"),
    )
    needed = Requirement(
        'name[extra]>=1.0; python_version >= "3.8" and (os_name == "posix" or extra == "x")'
    )
    (
        str(needed),
        needed.marker and needed.marker.evaluate({"extra": "x"}),
        str(Marker("sys_platform != 'win32'")),
    )
    (
        next(iter(sys_tags())),
        canonicalize_name("A_b.C"),
        parse_wheel_filename("a-1.0-1-py3-none-any.whl"),
    )


def run_attrs() -> None:
    import attr
    import attrs

    @attrs.define(order=True)
    class Part:
        name: str = attrs.field(
            validator=[attrs.validators.instance_of(str), attrs.validators.max_len(20)]
        )
        size: int = attrs.field(default=1, converter=int)
        tags: list[str] = attrs.field(factory=list, metadata={"a": 1})

    @attrs.frozen
    class Whole:
        part: Part
        rest: attrs.Attribute | None = attrs.field(
            default=None, converter=attrs.converters.optional(str)
        )

    part = Part("a", "2")  # type: ignore[arg-type]
    (
        attrs.asdict(Whole(part)),
        attrs.astuple(part),
        attrs.evolve(part, size=3),
        part < Part("b"),
        repr(part),
        attrs.fields(Whole),
        hash(Whole),
    )
    (
        attr.make_class("Made", {"x": attr.ib(default=attr.Factory(list))}, frozen=True)(),
        attrs.validate(part),
    )
    attrs.filters.include(int)(attrs.fields(Part).size, 1), attr.assoc(part, size=4)
    with contextlib.suppress(TypeError):
        Part(3)  # type: ignore[arg-type]


def run_jinja2() -> None:
    import jinja2

    pages = {
        "base": "<h1>{% block title %}T{% endblock %}</h1>{% macro show(x, y=1) %}[{{ x }}{{ y }}]{% endmacro %}{{ show(2) }}",
        "page": "{% extends 'base' %}{% block title %}{{ super() }}{% for a in items if a %}{{ loop.index }}{{ a|upper|e }}{% else %}-"
        "{% endfor %}{% endblock %}",
        "more": "{% from 'base' import show %}{% set z = [1]|map('string')|join(',') %}{% if z is defined and not (1 > 2) %}{{ show(z) }}"
        "{% endif %}{% include 'page' %}{{ {'a': 1}.a + 2 * 3 }}{# c #}{% with q = 1 %}{{ q ~ 'x' }}{% endwith %}",
    }
    space = jinja2.Environment(loader=jinja2.DictLoader(pages), autoescape=True, trim_blocks=True)
    for name in pages:
        space.get_template(name).render(items=["a", "", "b"], name=name)
    space.from_string(
        "{{ x|default('y')|replace('y', 'z')|sort|first }}{% filter upper %}a{% endfilter %}"
    ).render()
    for wrong in ("{% if %}", "{{ a.b.c }}"):
        with contextlib.suppress(jinja2.TemplateError):
            space.from_string(wrong).render()


def run_werkzeug() -> None:
    from werkzeug.datastructures import Headers, MultiDict
    from werkzeug.exceptions import HTTPException
    from werkzeug.http import parse_accept_header, parse_options_header
    from werkzeug.routing import Map, Rule
    from werkzeug.security import check_password_hash, generate_password_hash
    from werkzeug.test import Client
    from werkzeug.wrappers import Request, Response

    routes = Map(
        [
            Rule("/", endpoint="top"),
            Rule("/a/<int:n>/<path:rest>", endpoint="deep"),
            Rule("/b/", endpoint="b"),
        ]
    )

    @Request.application
    def answer(request: Request) -> Response:
        paths = routes.bind_to_environ(request.environ)
        try:
            endpoint, values = paths.match()
        except HTTPException as error:
            return error.get_response()  # type: ignore[return-value]
        text = f"{endpoint} {values} {request.args.get('q')} {request.form.to_dict()} {sorted(request.files)} {request.cookies}"
        response = Response(
            text + paths.build("deep", {"n": 1, "rest": "x"}), mimetype="text/plain"
        )
        response.set_cookie("c", "d", max_age=3)
        response.add_etag()
        return response.make_conditional(request)

    client = Client(answer)
    (
        client.get("/?q=1", headers={"Accept": "text/html"}),
        client.get("/a/3/x/y"),
        client.get("/b"),
        client.get("/none").get_data(as_text=True),
    )
    (
        client.post("/", data={"k": "v", "f": (__import__("io").BytesIO(b"x"), "f.txt")}),
        client.get("/a/q/z", follow_redirects=True),
    )
    (
        parse_accept_header("a;q=0.3, b"),
        parse_options_header('a; b="c"'),
        check_password_hash(generate_password_hash("x", "pbkdf2:sha256:2"), "x"),
    )
    Headers([("a", "b")]).add("c", "d"), MultiDict([("a", "1"), ("a", "2")]).getlist("a")


def run_sortedcontainers() -> None:
    from sortedcontainers import SortedDict, SortedKeyList, SortedList, SortedSet

    row = SortedList(range(3000))
    (
        row.add(5),
        row.discard(7),
        row.remove(9),
        row.pop(3),
        row.bisect_left(4),
        list(row.irange(5, 9)),
        row[10:20],
        row[3],
        4 in row,
    )
    (
        row.update([1, 2]),
        row.count(2),
        row.index(5),
        list(reversed(row))[:3],
        row + row,
        row * 2,
        repr(row)[:9],
        row == row.copy(),
    )
    del row[2]
    by_key = SortedKeyList([3, 1, 2], key=lambda value: -value)
    by_key.add(7), by_key.bisect_key(-3), list(by_key.irange_key(-3, -1)), by_key.pop(), 3 in by_key
    table = SortedDict({"b": 1, "a": 2})
    (
        table.setdefault("c", 3),
        table.peekitem(0),
        table.popitem(),
        list(table.items()),
        table.keys()[0],
        table.update(d=4),
        table.copy(),
    )
    some = SortedSet([3, 1]) | {2}
    (
        some.add(9),
        some & {1, 2},
        some - {1},
        some.isdisjoint([7]),
        some[0],
        repr(some),
        some < {1, 2, 3, 9},
    )


def run_tomlkit() -> None:
    import tomlkit

    text = '# head\n[a]\nb = 1 # one\nc = [1, 2,\n 3]\nd = 2020-01-02\n[a.e]\nf = "x\\u0041"\n[[g]]\nh = {i = 1.5, j = true}\n[[g]]\n'
    page = tomlkit.parse(text)
    page["a"]["b"] = 5  # type: ignore[index]
    page.add("new", tomlkit.table().append("k", tomlkit.inline_table()))
    page["a"]["c"].append(4)  # type: ignore[index, union-attr]
    page.remove("g")
    (
        tomlkit.dumps(page),
        page.unwrap(),
        tomlkit.dumps({"a": {"b": [1, "two", None is None]}}),
        "a" in page,
        len(page),
        list(page.items()),
    )
    with contextlib.suppress(tomlkit.exceptions.ParseError):
        tomlkit.parse("a = ]")


def run_pyparsing() -> None:
    import pyparsing as pp

    number = pp.Word(pp.nums).set_parse_action(lambda found: int(found[0]))
    total = pp.infix_notation(
        number, [(pp.one_of("* /"), 2, pp.OpAssoc.LEFT), (pp.one_of("+ -"), 2, pp.OpAssoc.LEFT)]
    )
    total.parse_string("1 + 2 * (3 - 4)", parse_all=True).as_list()
    row = pp.Group(
        pp.Word(pp.alphas)("key") + pp.Suppress("=") + (number | pp.QuotedString('"'))("value")
    )
    rows = pp.OneOrMore(row) + pp.Optional(pp.Literal(";")) + ~pp.Keyword("end")
    found = rows.parse_string('a = 1 b = "x" ;')
    (
        found.dump(),
        found[0].key,
        list(row.scan_string("a=1 b=2")),
        rows.ignore(pp.python_style_comment).search_string("a = 1 # c"),
        str(rows),
    )
    (
        pp.DelimitedList(number).parse_string("1,2"),
        row.transform_string("a = 1"),
        pp.Combine(number + "." + number).matches("1.2"),
    )
    with contextlib.suppress(pp.ParseException):
        rows.parse_string("= 1")


WORK = {
    "httpx": run_httpx, "rich": run_rich, "click": run_click, "markdown_it": run_markdown_it, "networkx": run_networkx,
    "packaging": run_packaging, "attr": run_attrs, "jinja2": run_jinja2, "werkzeug": run_werkzeug,
    "sortedcontainers": run_sortedcontainers, "tomlkit": run_tomlkit, "pyparsing": run_pyparsing,
}  # fmt: skip


def main(packages: list[str]) -> int:
    shown = "-v" in packages
    print(
        f"{'package':18}{'observed':>9}{'given':>7}{'asked':>7}{'not run':>9}{'precision':>11}{'recall':>8}"
    )
    for package in [name for name in packages if name != "-v"] or list(WORK):
        folder = folder_of(package)
        observer = Observer(folder)
        import_all(package)  # so that what is observed is the package at work, with its caches cold
        observer.run(WORK[package])
        ours, ranges = edges(folder), observer.ranges()
        ran = {pair for pair, places in ours.items() if any(place in ranges for place in places)}
        known = {pair for pair in observer.pairs if pair[0] != pair[1]}
        right = {pair for pair in ran if pair in observer.pairs or pair[1] in observer.generators}
        shares = len(right) / max(len(ran), 1), len(known & set(ours)) / max(len(known), 1)
        given = f"{len(ours):7}{len(ran):7}{len(ours) - len(ran):9}"
        print(f"{package:18}{len(known):9}{given}{shares[0]:11.4f}{shares[1]:8.4f}", flush=True)
        if shown:
            for pair in sorted(ran - right):
                print("    +", *pair, ours[pair][0][1])
            for pair in sorted(known - set(ours)):
                print("    -", *pair)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
