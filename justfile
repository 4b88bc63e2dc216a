# What a contributor runs. `just` alone lists it.

python := ".venv/bin/python"

default:
    @just --list

# make the environment (uv makes the same one faster: uv venv && uv pip install -e '.[all,dev]')
setup:
    python3 -m venv .venv
    .venv/bin/pip install -e '.[all,dev]'

# everything that CI checks, in the order of how soon it says something
check: lint types layers generated test

lint:
    .venv/bin/ruff check .
    .venv/bin/ruff format --check .

types:
    .venv/bin/mypy
    .venv/bin/mypy plugins/karpathy-graph/scripts/kgraph.py

layers:
    .venv/bin/lint-imports

test *arguments:
    .venv/bin/pytest {{arguments}}

# build the explorer's page again from explorer/src (needs Node.js)
explorer:
    cd explorer && npm ci --no-audit --no-fund && npm run check && npm run build

# write again what is made from the code: references, schemas, manifests, the map
generate:
    {{python}} tools/generate.py

# the documentation site, in ./site
docs:
    {{python}} -m mkdocs build --strict

# tag the commit with the version that stands in src/kgraph/version.py
tag:
    git tag -a "v$({{python}} -c 'from kgraph import __version__; print(__version__)')" -m "kgraph $({{python}} -c 'from kgraph import __version__; print(__version__)')"

# build the plugin's engine, plugins/karpathy-graph/scripts/engine.zip, for a release
archive:
    {{python}} tools/archive.py

# say which generated file is out of date
generated:
    {{python}} tools/generate.py --check

# the README's first command
demo:
    python3 plugins/karpathy-graph/scripts/kgraph.py extract examples --name demo
    python3 plugins/karpathy-graph/scripts/kgraph.py render --name demo
