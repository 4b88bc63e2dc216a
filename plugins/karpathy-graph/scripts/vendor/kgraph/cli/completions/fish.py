"""Completion for fish 3.1 and later, with what each word does beside it."""

from __future__ import annotations

from kgraph.cli.completions.grammar import (
    ANYTHING,
    FILES,
    FOLDERS,
    GRAPHS,
    NAMES_A_NODE,
    PAYLOADS,
    Command,
    Grammar,
    Option,
    Value,
)

SCRIPT = r"""# fish completion for kgraph; printed by: kgraph completions fish

function __kgraph_command
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case @VALUED@
                set skip 1
            case '-*'
            case '*'
                echo $word
                return
        end
    end
end

function __kgraph_no_command
    set -l command (__kgraph_command)
    test -z "$command"
end

function __kgraph_at
    set -l command (__kgraph_command)
    test "$command" = $argv[1]
end

function __kgraph_graphs
    set -l root .karpathy-graphs
    set -q KGRAPH_ROOT; and set root $KGRAPH_ROOT
    for log in $root/*/log.jsonl
        string replace -r '^.*/([^/]+)/log.jsonl$' '$1' -- $log
    end
end

function __kgraph_payloads
    for file in (__fish_complete_path (string replace -r '^@' '' -- (commandline -ct)))
        echo @$file
    end
end

complete -c kgraph -f
"""

VALUES = {
    FILES: "-r -F", FOLDERS: "-x -a '(__fish_complete_directories)'", PAYLOADS: "-x -a '(__kgraph_payloads)'",
    GRAPHS: "-x -a '(__kgraph_graphs)'", ANYTHING: "-x",
}  # fmt: skip
ARGUMENTS = {
    FILES: "-F",
    FOLDERS: "-a '(__fish_complete_directories)'",
    PAYLOADS: "-a '(__kgraph_payloads)'",
}


def script(grammar: Grammar) -> str:
    """The script, whole."""
    lines = [
        _option(option, f"not __kgraph_at {NAMES_A_NODE}" if "--name" in option.names else "")
        for option in grammar.shared
    ]
    lines.append(
        _option(Option(("--name",), "the node's name", Value()), f"__kgraph_at {NAMES_A_NODE}")
    )
    for command in grammar.commands:
        lines.append(
            f"complete -c kgraph -n __kgraph_no_command -a {command.name} -d {_quoted(command.does)}"
        )
        lines += [_option(option, f"__kgraph_at {command.name}") for option in command.options]
        lines += _argument(command)
    return SCRIPT.replace("@VALUED@", " ".join(grammar.valued)) + "\n".join(lines) + "\n"


def _option(option: Option, where: str) -> str:
    parts = ["complete -c kgraph"]
    if where:
        parts.append(f"-n {_quoted(where)}")
    parts += [
        f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names
    ]
    if option.value is not None:
        parts.append(_value(option.value))
    return " ".join([*parts, f"-d {_quoted(option.does)}"])


def _value(value: Value) -> str:
    return f"-x -a {_quoted(' '.join(value.words))}" if value.words else VALUES[value.kind]


def _argument(command: Command) -> list[str]:
    value = command.argument
    if value is None or (value.kind == ANYTHING and not value.words):
        return []
    what = f"-a {_quoted(' '.join(value.words))}" if value.words else ARGUMENTS[value.kind]
    return [f"complete -c kgraph -n {_quoted(f'__kgraph_at {command.name}')} {what}"]


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
