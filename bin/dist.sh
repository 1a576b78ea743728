# shellcheck shell=sh disable=SC2154,SC2034
# The current build, and whether it is up to date. Sourced, with `root` set to the clone.
#
#   .dist/lib        link to the current build
#   .dist/lib.*      a build: agent/*.jar, vw/*.jar, luaj/*.jar (loaded by the agent on demand),
#                    class-data archives, and `stamp`, which is as old as the moment the build began.
#                    Never changed later, only replaced.
#   .dist/*.log      the output of Maven and other programs
dist=$root/.dist

say() { printf '%s\n' "$@" >&2; }

# The modules of vw. It looks at their sources only, since that takes a third of the time.
vw_modules='access cli client/core concurrent/api model scheduler-lua/core'

# newer_source [vw]: prints one source that is newer than the build, of vw or of all, if there is
# any. Directories count, since removing or renaming a file changes them.
newer_source() {
  if [ "${1:-}" = vw ]; then
    set -- "$root/pom.xml" "$root/bin"
    for module in $vw_modules; do
      set -- "$@" "$root/$module/pom.xml" "$root/$module/src/main"
    done
    find "$@" -newer "$dist/lib/stamp" -print -quit
  else
    find "$root/pom.xml" "$root/bin" "$root"/*/pom.xml "$root"/*/*/pom.xml \
      "$root"/*/src/main "$root"/*/*/src/main \
      \( -path "$root/e2e/*" -o -path "$root/bench/*" \) -prune -o \
      -newer "$dist/lib/stamp" -print -quit
  fi
}

# stale [vw]: whether a build is needed.
stale() { [ ! -e "$dist/lib/stamp" ] || [ -n "$(newer_source "${1:-}")" ]; }

# Sets `lib` to the directory of the current build: not the link, since a running process must not
# see the next build, and a class-data archive is valid only for the path with which it was made.
current_build() { lib=$(CDPATH='' cd -- "$dist/lib" && pwd -P); }

# use_build LIB NAME: sets `lib`, `class_path` and `archive` for agent or vw; needs `java_version`.
use_build() {
  lib=$1
  class_path=''
  for jar in "$lib/$2"/*.jar; do
    class_path=$class_path:$jar
  done
  class_path=${class_path#:}
  archive=$lib/$2-$java_version.jsa
}
