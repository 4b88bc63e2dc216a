#!/usr/bin/env bash
# What a newcomer and an agent do first, on the committed tree alone, by a Python that sees no installed package.
# Each line says what it expects; the first that differs ends the run.
set -euo pipefail
root=$(git rev-parse --show-toplevel)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git -C "$root" archive HEAD README.md examples plugins | tar -x -C "$work"
cd "$work"
unset KGRAPH KGRAPH_ROOT CLAUDE_PLUGIN_ROOT

mkdir .bin
printf '#!/bin/sh\nexec "%s" -I -S "$@"\n' "$(command -v python3)" >.bin/python3
chmod +x .bin/python3
export PATH="$work/.bin:$PATH"

kgraph() { python3 plugins/karpathy-graph/scripts/kgraph.py "$@"; }

# expect STATUS TEXT COMMAND…: the command ends with STATUS and its output holds TEXT
expect() {
    local wanted=$1 text=$2 status=0 output
    shift 2
    output=$("$@" 2>&1) || status=$?
    if [ "$status" != "$wanted" ] || [[ $output != *"$text"* ]]; then
        printf 'smoke: "%s" gave %s (wanted %s with %s)\n%s\n' "$*" "$status" "$wanted" "$text" "$output" >&2
        exit 1
    fi
}

bash -c "$(grep -m1 '^python3 plugins/' README.md)" >/dev/null
for file in log.jsonl graph.html REPORT.md graph.json graph.mmd; do
    [ -s ".karpathy-graphs/demo/$file" ] || { echo "smoke: render left no $file" >&2; exit 1; }
done

expect 0 '"ok":' kgraph --name demo validate
expect 0 '"verified"' kgraph --name demo verify
expect 0 'skipped' kgraph --name demo extract examples
expect 0 '[edge:' kgraph --name demo query 'Booking Gateway' --format context
expect 0 '"found": true' kgraph --name demo path 'Booking Gateway' 'Berth Inventory Store'
expect 1 'I1' kgraph --name demo --run-id smoke ingest '{"nodes":[{"type":"Claim","name":"The moon is cheese"}],"edges":[]}'
expect 2 'E103' kgraph --name demo --run-id smoke ingest \
    '{"nodes":[{"type":"Entity","name":"A"},{"type":"Entity","name":"B"}],"edges":[{"predicate":"LIKES","source":"A","target":"B"}]}'
expect 2 'E201' kgraph --name demo stats --no-such-option
expect 2 'E204' kgraph --name demo show 'nothing of that name'
expect 0 '"tx"' kgraph --name demo --run-id smoke add-node --type Entity --name 'Smoke Test'
expect 0 '"withdrawn"' kgraph --name demo retract --run smoke --reason 'only a test'
expect 2 'E204' kgraph --name demo show 'no longer there'
expect 0 '"ok":' kgraph --name demo rebuild
printf 'x' >>.karpathy-graphs/demo/log.jsonl
expect 0 '"ok":' kgraph --name demo stats
echo 'smoke: passed'
