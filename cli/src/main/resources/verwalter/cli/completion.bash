# Completion of vw for bash: source <(vw completion bash)
_vw() {
  local line="${COMP_LINE:0:COMP_POINT}" current kept
  local -a words found
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  current="${words[${#words[@]}-1]}"
  local IFS=$'\n'
  found=($("${words[0]}" __complete "${words[@]:1}" 2>/dev/null | cut -f1))
  if [[ ${found[0]} == :files ]]; then
    compopt -o default 2>/dev/null
    COMPREPLY=()
    return
  fi
  # Readline replaces only what follows the last of its word breaks.
  kept="${current%"${current##*[@=:]}"}"
  COMPREPLY=("${found[@]#"$kept"}")
  [[ ${#found[@]} == 1 && ${found[0]} == *[=/,] ]] && compopt -o nospace 2>/dev/null
}
complete -F _vw vw
