# bash completion for talus
_talus() {
  local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
  local commands="new check prepare run compare measure crowd view report grains solve bench info"
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$current")
    return
  fi
  if [[ $current == -* ]]; then
    # the options are read off the command's own help
    local options
    [ "$command" = grains ] && command="grains ${COMP_WORDS[2]}"
    # shellcheck disable=SC2086
    options=$(talus $command --help 2>/dev/null | grep -oE -- '--[a-z-]+' | sort -u)
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
  elif [ "$command" = new ]; then
    mapfile -t COMPREPLY < <(compgen -W "$(talus new --list 2>/dev/null | cut -d' ' -f1)" -- "$current")
  elif [ "$command" = grains ] && [ "$COMP_CWORD" -eq 2 ]; then
    mapfile -t COMPREPLY < <(compgen -W "make ballast info convert" -- "$current")
  elif [ "$command" = compare ] && [[ ${COMP_WORDS[COMP_CWORD - 1]} == --methods ]]; then
    mapfile -t COMPREPLY < <(compgen -W "nscd,dem dem,nscd" -- "$current")
  elif [ "$command" = crowd ] && [[ ${COMP_WORDS[COMP_CWORD - 1]} == --map ]]; then
    mapfile -t COMPREPLY < <(compgen -W "density speed service paths" -- "$current")
  elif [ "$command" = view ] && [[ ${COMP_WORDS[COMP_CWORD - 1]} == --view ]]; then
    mapfile -t COMPREPLY < <(compgen -W "iso front side top" -- "$current")
  elif [ "$command" = view ] && [[ ${COMP_WORDS[COMP_CWORD - 1]} =~ ^--colou?r$ ]]; then
    mapfile -t COMPREPLY < <(compgen -W "speed load size material rotation coordination part" -- "$current")
  elif [ "$command" = view ] && [[ ${COMP_WORDS[COMP_CWORD - 1]} == --renderer ]]; then
    mapfile -t COMPREPLY < <(compgen -W "own page" -- "$current")
  elif [ "$command" = solve ] && [[ ${COMP_WORDS[COMP_CWORD - 1]} == --start ]]; then
    mapfile -t COMPREPLY < <(compgen -W "zero recorded" -- "$current")
  elif [ "$command" = solve ] && [[ ${COMP_WORDS[COMP_CWORD - 1]} == --to ]]; then
    mapfile -t COMPREPLY < <(compgen -W "fclib talus" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -o filenames -F _talus talus
