"""Completion for zsh, with what each word does beside it."""

from __future__ import annotations

from kgraph.cli.completions.grammar import ANYTHING, NAMES_A_NODE, Grammar, Option, Value

SCRIPT = r"""#compdef kgraph
# zsh completion for kgraph; printed by: kgraph completions zsh

_kgraph_value() {
    local kind=$1
    shift
    case $kind in
        words) compadd -- "$@" ;;
        files) _files ;;
        folders) _files -/ ;;
        payloads) compset -P @ && _files ;;
        graphs) compadd -- ${KGRAPH_ROOT:-.karpathy-graphs}/*/log.jsonl(N:h:t) ;;
    esac
}

_kgraph() {
    local command='' prev=$words[CURRENT-1] word
    local -a named options argument
    integer at
    for (( at = 2; at < CURRENT; at++ )); do
        word=$words[at]
        case $word in
            (@VALUED@) (( at++ )) ;;
            (-*) ;;
            (*) command=$word; break ;;
        esac
    done
    if [[ $PREFIX == --*=* ]]; then
        prev=${PREFIX%%=*}
        compset -P 1 '*='
    fi
    named=(
@NAMES@
    )
    options=(
@OPTIONS@
    )
    case $command in
@COMMANDS@
    esac
    case $command:$prev in
@VALUES@
    esac
    case $prev in
@SHARED@
    esac
    if [[ $PREFIX == -* ]]; then
        _describe -o option options
    elif [[ -z $command ]]; then
        _describe command named
    else
        _kgraph_value $argument
    fi
}

if [[ $funcstack[1] == _kgraph ]]; then
    _kgraph "$@"
else
    compdef _kgraph kgraph
fi
"""


def script(grammar: Grammar) -> str:
    """The script, whole."""
    commands, values = [], []
    for command in grammar.commands:
        own = " ".join(_described(option) for option in command.options)
        commands.append(
            f"        ({command.name}) options+=({own}); argument=({_kind(command.argument)}) ;;"
        )
        values += [
            f"        ({_cases(option, command.name + ':')}) {_call(option.value)} ;;"
            for option in command.options
            if option.value
        ]
    values.append(f"        ({NAMES_A_NODE}:--name) return ;;")
    filled = {
        "VALUED": "|".join(grammar.valued), "COMMANDS": "\n".join(commands), "VALUES": "\n".join(values),
        "NAMES": "\n".join(f"        {_quoted(_entry(command.name, command.does))}" for command in grammar.commands),
        "OPTIONS": "\n".join(f"        {_described(option)}" for option in grammar.shared),
        "SHARED": "\n".join(f"        ({_cases(option, '')}) {_call(option.value)} ;;" for option in grammar.shared if option.value),
    }  # fmt: skip
    text = SCRIPT
    for mark, part in filled.items():
        text = text.replace(f"@{mark}@", part)
    return text


def _described(option: Option) -> str:
    return " ".join(_quoted(_entry(name, option.does)) for name in option.names)


def _entry(name: str, does: str) -> str:
    return f"{name}:{does}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _cases(option: Option, before: str) -> str:
    return "|".join(before + name for name in option.names)


def _call(value: Value | None) -> str:
    kind = _kind(value)
    return "return" if kind in (ANYTHING, "nothing") else f"_kgraph_value {kind}; return"


def _kind(value: Value | None) -> str:
    if value is None:
        return "nothing"
    return " ".join(["words", *map(_quoted, value.words)]) if value.words else value.kind
