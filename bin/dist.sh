# shellcheck shell=sh disable=SC2154,SC2034
# What was built, and whether it is up to date. Sourced, with `root` set to the clone.
#
#   .dist/lib        link to the current build
#   .dist/lib.*      a build: agent/*.jar, vw/*.jar, luaj/*.jar (loaded by the agent on demand),
#                    class-data archives, and `stamp`, which is as old as the moment the build began.
#                    Never changed later, only replaced.
#   .dist/*.log      what Maven and the others had to say
dist=$root/.dist

say() { printf '%s\n' "$@" >&2; }

# Names one source that is newer than the build, if there is any. Directories count: a file that was
# removed or renamed leaves its trace in them.
newer_source() {
  find "$root/pom.xml" "$root/bin" "$root"/*/pom.xml "$root"/*/*/pom.xml \
    "$root"/*/src/main "$root"/*/*/src/main \
    \( -path "$root/e2e/*" -o -path "$root/bench/*" \) -prune -o \
    -newer "$dist/lib/stamp" -print -quit
}

# Whether a build is needed.
stale() { [ ! -e "$dist/lib/stamp" ] || [ -n "$(newer_source)" ]; }

# Sets `lib` to the directory of the current build: not the link, since a running process must not
# find itself in the middle of the next build, and a class-data archive is only good for the path it
# was made with.
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
