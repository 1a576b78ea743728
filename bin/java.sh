# shellcheck shell=sh disable=SC2154,SC2034
# Finds a JDK. Sourced.

# Whether there is a JDK 17 or newer in directory $1 that has the program $2. Sets `java_version`,
# all of it ("17.0.15+6-Debian-1deb12u1"), and `java_major`. No process is started for a JDK that
# has the usual `release` file: asking `java -version` takes longer than all the rest.
suits() {
  [ -x "$1/bin/$2" ] || return 1
  java_version=''
  if [ -r "$1/release" ]; then
    while IFS='=' read -r key value; do
      value=${value#\"}
      value=${value%\"}
      case $key in
        JAVA_RUNTIME_VERSION) java_version=$value ;;
        JAVA_VERSION) java_version=${java_version:-$value} ;;
      esac
    done <"$1/release"
  fi
  if [ -z "$java_version" ]; then
    java_version=$("$1/bin/java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p') || :
  fi
  java_major=${java_version%%[!0-9]*}
  [ "${java_major:-0}" -ge 17 ]
}

# Sets `java_home` to the first JDK 17 or newer that has the program $1 (java or javac), in the order
# VERWALTER_JAVA_HOME, JAVA_HOME, the one on PATH, /usr/lib/jvm; fails if there is none.
find_java() {
  if [ -n "${VERWALTER_JAVA_HOME:-}" ]; then
    java_home=$VERWALTER_JAVA_HOME
    suits "$java_home" "$1" && return 0
    say "verwalter: VERWALTER_JAVA_HOME is $java_home, but that is no JDK 17 or newer with bin/$1." \
      "Correct it, or unset it to let the script look for one."
    exit 1
  fi
  if [ -n "${JAVA_HOME:-}" ]; then
    java_home=$JAVA_HOME
    suits "$java_home" "$1" && return 0
  fi
  if java_home=$(command -v "$1"); then
    java_home=$(readlink -f -- "$java_home")
    java_home=${java_home%/bin/*}
    suits "$java_home" "$1" && return 0
  fi
  for java_home in /usr/lib/jvm/*; do
    suits "$java_home" "$1" && return 0
  done
  return 1
}

# Whether the JDK that was found can give freed memory back to the system at intervals.
trims_memory() {
  case $java_version in
    "$java_major".0.*) update=${java_version#"$java_major".0.} update=${update%%[!0-9]*} ;;
    *) update=0 ;;
  esac
  case $java_major in
    17) [ "${update:-0}" -ge 10 ] ;;
    21) [ "${update:-0}" -ge 2 ] ;;
    *) [ "$java_major" -ge 22 ] ;;
  esac
}
