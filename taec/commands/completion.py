"""Shell completion. Hydra finds the words; what it cannot read (`python -m taec`, flags between overrides, sweeps) is put right first."""

import os
from collections.abc import Callable, Sequence

from taec.commands.arguments import VERBS
from taec.commands.arguments import parse as parse_arguments
from taec.experiment.compose import Composer
from taec.experiment.console import say
from taec.experiment.overrides import expand, parse

INSTALL = r"""_taec_completion() {
    local line="${COMP_LINE:0:COMP_POINT}" word command
    case "$line" in
        taec\ *) command="taec" ;;
        *python*\ -m\ taec\ *) command="${COMP_WORDS[0]} -m taec" ;;
        *) return ;;
    esac
    word="${line##* }"
    COMPREPLY=($(compgen -W "$(COMP_LINE="$line" $command --shell-completion query=bash 2>/dev/null)" -- "$word"))
    if [[ "$word" == *=* && "$COMP_WORDBREAKS" == *=* ]]; then COMPREPLY=("${COMPREPLY[@]#"${word%=*}="}"); fi
}
complete -o nospace -o default -F _taec_completion taec python python3
"""
UNINSTALL = "complete -r taec python python3; unset -f _taec_completion\n"

Hydra = Callable[[Sequence[str]], int]


def completion(words: Sequence[str], hydra: Hydra) -> int:
    """Install, uninstall or query completion: `install=bash`, `uninstall=fish`, `query=zsh`; Bash's scripts are ours."""
    if list(words) == ["install=bash"]:
        say(INSTALL.rstrip())
        return 0
    if list(words) == ["uninstall=bash"]:
        say(UNINSTALL.rstrip())
        return 0
    if not words or not words[0].startswith("query="):
        return hydra(["--shell-completion", *words])
    return _query(words[0], os.environ.get("COMP_LINE", ""), hydra)


def _query(query: str, line: str, hydra: Hydra) -> int:
    words = line.split()
    start = words.index("taec") + 1 if "taec" in words else 1
    typed = words[start:]
    last = "" if line.endswith(" ") or not typed else typed.pop()
    if last.startswith("-"):
        return 0
    before = parse_arguments(typed)
    if not typed and any(verb.startswith(last) for verb in VERBS) and "=" not in last:
        say("\n".join(verb for verb in VERBS if verb.startswith(last)))
    composer = Composer([folder for folder in before.folders if folder.is_dir()])
    chosen = expand(parse(before.words)[0], composer.groups)[0]
    os.environ["COMP_LINE"] = " ".join(["taec", *chosen, *composer.search_path, last])
    return hydra(["--shell-completion", query])
