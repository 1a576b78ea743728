# shellcheck shell=sh disable=SC2154,SC2034
# Installs Debian packages. Sourced; needs dist.sh.

# need_packages PACKAGE...: installs them when root and on a Debian-like system; otherwise prints the
# command for it, and ends the script with 1.
need_packages() {
  if ! command -v apt-get >/dev/null; then
    say "verwalter: missing on this machine: what Debian calls $*." \
      "There is no apt-get here, so install the equivalent by hand and start again."
    exit 1
  fi
  if [ "$(id -u)" -ne 0 ]; then
    say "verwalter: missing on this machine: $*. Install with" "" \
      "    sudo apt-get update && sudo apt-get install -y --no-install-recommends $*" "" \
      "and start again."
    exit 1
  fi
  mkdir -p "$dist"
  apt_log=$dist/apt.log
  : >"$apt_log"
  say "verwalter: installing $* (once; log in $apt_log)"
  # A fresh image has no package lists, an old one has outdated lists.
  if has_package_lists && install_packages "$@"; then return; fi
  apt-get update >>"$apt_log" 2>&1 || :
  if install_packages "$@"; then return; fi
  say "verwalter: apt-get could not install $*:"
  grep -E '^(E|W|Err):?' "$apt_log" | tail -n 10 >&2
  say "The whole log is $apt_log. Fix the cause (network? /etc/apt/sources.list?) and start again."
  exit 1
}

has_package_lists() {
  for list in /var/lib/apt/lists/*_Packages*; do
    [ -e "$list" ] && return 0
  done
  return 1
}

install_packages() {
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" \
    </dev/null >>"$apt_log" 2>&1
}
