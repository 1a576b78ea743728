# shellcheck shell=sh disable=SC2154,SC2034
# What verwalter and vw have in common. Sourced, with `root` set to the clone.
# Every command of the user runs this, so it must be fast if the build is up to date.
. "$root/bin/dist.sh"
. "$root/bin/java.sh"

# launch NAME MAIN_CLASS FLAGS ARGUMENT...: builds if need be, then becomes Java.
launch() {
  name=$1 main=$2 flags=$3
  shift 3
  if stale "$name"; then sh "$root/bin/build" || exit 1; fi
  if ! find_java java; then
    . "$root/bin/packages.sh"
    need_packages openjdk-17-jdk-headless
    find_java java || exit 1
  fi
  current_build
  use_build "$lib" "$name"
  # The holder of this lock uses these jars. Java inherits it, and later builds respect it.
  exec 8<"$lib/stamp"
  flock -s 8
  if [ ! -e "$archive" ] && [ -w "$lib" ]; then sh "$root/bin/archive" "$lib" || :; fi

  # File names and output are UTF-8 even where no locale is set, as under cron or systemd.
  case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
    *[Uu][Tt][Ff]*8*) ;;
    *) export LC_ALL=C.UTF-8 ;;
  esac
  set -f
  # shellcheck disable=SC2086 # flags are several words
  set -- -Dfile.encoding=UTF-8 "-Dverwalter.home=$root" "-Dverwalter.lib=$lib" $flags -cp "$class_path" "$main" "$@"
  if [ -s "$archive" ]; then
    # An archive of another JDK with the same name is ignored without a warning.
    set -- -Xshare:auto -XX:SharedArchiveFile="$archive" -Xlog:cds=off -Xlog:cds+dynamic=off "$@"
  fi
  if [ "$name" = agent ] && trims_memory; then set -- -XX:TrimNativeHeapInterval=30000 "$@"; fi
  if [ "$java_major" -ge 22 ]; then set -- --enable-native-access=ALL-UNNAMED "$@"; fi
  exec "$java_home/bin/java" "$@"
}
