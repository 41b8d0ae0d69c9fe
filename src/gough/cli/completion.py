"""`gough completion`: a script that lets a shell complete commands, options, robots, motions and coordinates."""

from __future__ import annotations

from typing import Annotated

import typer

from gough.cli.options import choice

SCRIPTS = {
    "bash": """\
_gough() {
    local words=("${COMP_WORDS[@]:1:COMP_CWORD}") line
    # Bash splits at "=": what belongs together is put together again.
    local joined=() word
    for word in "${words[@]}"; do
        if [[ ${#joined[@]} -gt 0 && ( $word == = || ${joined[-1]} == *= ) ]]; then joined[-1]+=$word
        else joined+=("$word"); fi
    done
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ $line == :files ]]; then compopt -o filenames
            while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
        else [[ $line == *= ]] && compopt -o nospace; COMPREPLY+=("$line"); fi
    done < <(gough __complete "${joined[@]}" 2>/dev/null)
}
complete -F _gough gough
""",
    "zsh": """\
#compdef gough
_gough() {
    local -a found
    found=("${(@f)$(gough __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if (( ${found[(I):files]} )); then found=("${(@)found:#:files}"); _files; fi
    compadd -S '' -- ${found:#}
}
compdef _gough gough
""",
    "fish": """\
function __gough_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (gough __complete $words[2..-1] 2>/dev/null)
        if test "$line" = ":files"
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c gough -f -a '(__gough_complete)'
""",
}


def run(shell: Annotated[str, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")]) -> None:
    """Print a script that lets your shell complete gough's commands, options, robots, motions and coordinates.

    \b
    Examples:
      gough completion bash >> ~/.bashrc
      gough completion zsh > ~/.zfunc/_gough
      gough completion fish > ~/.config/fish/completions/gough.fish
    """
    print(SCRIPTS[choice("SHELL", shell, tuple(SCRIPTS))], end="")
