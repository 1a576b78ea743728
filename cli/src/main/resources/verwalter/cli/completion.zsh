#compdef vw
# Completion of vw for zsh: vw completion zsh > "${fpath[1]}/_vw"
_vw() {
  local -a found described
  local line
  found=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ "${found[1]}" == ":files" ]]; then
    _files
    return
  fi
  for line in "${found[@]}"; do
    [[ -n "$line" ]] && described+=("${${line//:/\\:}/$'\t'/:}")
  done
  _describe vw described
}
if [[ "${funcstack[1]}" == "_vw" ]]; then
  _vw "$@"
else
  compdef _vw vw
fi
