"""Completion for bash 3.2 and later, without the bash-completion package."""

from __future__ import annotations

from kgraph.cli.completions.grammar import ANYTHING, NAMES_A_NODE, Grammar, Option, Value

SCRIPT = r"""# bash completion for kgraph; printed by: kgraph completions bash

_kgraph_lines() {
    local line
    while IFS= read -r line; do COMPREPLY+=("$line"); done
}

_kgraph_value() {
    case $1 in
        words) _kgraph_lines < <(compgen -W "$2" -- "$cur") ;;
        files) compopt -o filenames 2>/dev/null; _kgraph_lines < <(compgen -f -- "$cur") ;;
        folders) compopt -o filenames 2>/dev/null; _kgraph_lines < <(compgen -d -- "$cur") ;;
        payloads)  # '@' is a word of its own here, but it is replaced together with what follows it
            [[ $prev == @ || $cur == @* ]] && _kgraph_lines < <(compgen -P @ -f -- "${cur#@}") ;;
        graphs)
            local log
            for log in "${KGRAPH_ROOT:-.karpathy-graphs}"/*/log.jsonl; do
                [[ -e $log ]] || continue
                log=${log%/log.jsonl}
                _kgraph_lines < <(compgen -W "${log##*/}" -- "$cur")
            done ;;
    esac
}

_kgraph() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command='' options='' argument='' words='' at word
    COMPREPLY=()
    # '=' is a word of its own here: --name=demo is three
    if [[ $cur == '=' ]]; then
        cur=''
    elif [[ $prev == '=' ]]; then
        prev=${COMP_WORDS[COMP_CWORD-2]}
    fi
    for (( at = 1; at < COMP_CWORD; at++ )); do
        word=${COMP_WORDS[at]}
        case $word in
            @VALUED@) (( at++ )); [[ ${COMP_WORDS[at]} == '=' ]] && (( at++ )) ;;
            -*) ;;
            *) command=$word; break ;;
        esac
    done
    case $command in
@COMMANDS@
    esac
    case $command:$prev in
@VALUES@
    esac
    case $prev in
@SHARED@
    esac
    if [[ $cur == -* ]]; then
        _kgraph_value words "$options @OPTIONS@"
    elif [[ -z $command ]]; then
        _kgraph_value words "@NAMES@"
    else
        _kgraph_value "$argument" "$words"
    fi
}

complete -F _kgraph kgraph
"""


def script(grammar: Grammar) -> str:
    """The script, whole."""
    commands, values = [], []
    for command in grammar.commands:
        names = " ".join(name for option in command.options for name in option.names)
        kind, words = _kind(command.argument)
        commands.append(
            f"        {command.name}) options='{names}' argument={kind} words='{words}' ;;"
        )
        values += [
            f"        {_cases(option, command.name + ':')}) {_call(option.value)} ;;"
            for option in command.options
            if option.value
        ]
    values.append(f"        {NAMES_A_NODE}:--name) return ;;")
    shared = [
        f"        {_cases(option, '')}) {_call(option.value)} ;;"
        for option in grammar.shared
        if option.value
    ]
    filled = {
        "VALUED": "|".join(grammar.valued), "COMMANDS": "\n".join(commands), "VALUES": "\n".join(values), "SHARED": "\n".join(shared),
        "OPTIONS": " ".join(name for option in grammar.shared for name in option.names),
        "NAMES": " ".join(command.name for command in grammar.commands),
    }  # fmt: skip
    text = SCRIPT
    for mark, part in filled.items():
        text = text.replace(f"@{mark}@", part)
    return text


def _cases(option: Option, before: str) -> str:
    return "|".join(before + name for name in option.names)


def _call(value: Value | None) -> str:
    kind, words = _kind(value)
    return "return" if kind in (ANYTHING, "nothing") else f"_kgraph_value {kind} '{words}'; return"


def _kind(value: Value | None) -> tuple[str, str]:
    if value is None:
        return "nothing", ""
    return ("words", " ".join(value.words)) if value.words else (value.kind, "")
