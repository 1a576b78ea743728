# shellcheck shell=sh disable=SC2154,SC2034
# Runs Maven with an output for people: a line per module. Sourced; needs dist.sh and java.sh.

# need_maven PACKAGE...: finds a JDK with a compiler and Maven; installs missing packages, and these
# packages. Sets and exports JAVA_HOME.
need_maven() {
  command -v mvn >/dev/null || set -- maven "$@"
  find_java javac || set -- openjdk-17-jdk-headless "$@"
  if [ $# -gt 0 ]; then
    . "$root/bin/packages.sh"
    need_packages "$@"
    if ! find_java javac; then
      say 'verwalter: there is still no JDK 17 or newer in /usr/lib/jvm; set VERWALTER_JAVA_HOME to one.'
      exit 1
    fi
  fi
  export JAVA_HOME="$java_home"
}

# maven LOG ARGUMENT...: writes the output of Maven to LOG; prints a line per module, the last line of
# its tests if it has any, and the errors. Fails if Maven does. Builds two modules at once, except with
# another -T.
maven() {
  log=$1
  shift
  case " $* " in *' -T'*) ;; *) set -- -T2 "$@" ;; esac
  # Short runs: the C1 compiler alone is faster, if there is room for the code of Error Prone.
  # Transfers go to the log, to count them. The time and the thread of each line tell the modules apart.
  options=${MAVEN_OPTS--XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:ReservedCodeCacheSize=200m}
  case " $* " in *gates*) share_processors ;; esac
  {
    MAVEN_OPTS=$options mvn -B -f "$root/pom.xml" -Dorg.slf4j.simpleLogger.showDateTime=true \
      -Dorg.slf4j.simpleLogger.showThreadName=true "$@" </dev/null 2>&1 && code=0 || code=$?
    printf '\nmaven ended with %s\n' "$code"
  } | watch_maven "$log" && return 0
  say ''
  errors "$log"
  say '' "Failed. The whole log is $log"
  return 1
}

# Lets all modules share the classes of Error Prone: adds SharedProcessors to `options`. Options are split
# into words, so a path with a space cannot be one.
share_processors() {
  case $dist in *[[:space:]]*) return 0 ;; esac
  if [ ! "$dist/javac/SharedProcessors.class" -nt "$root/bin/SharedProcessors.java" ]; then
    mkdir -p "$dist/javac"
    "$JAVA_HOME/bin/javac" -d "$dist/javac" "$root/bin/SharedProcessors.java"
  fi
  options="$options -Xbootclasspath/a:$dist/javac"
}

# Copies standard input to the file $1, without the time and the thread of each line, and reports on it.
# On a terminal the current line changes as work goes on.
#
# Maven builds N modules at once and does not say when one is finished. When another one begins and N of
# them have written something since, the others are. Of the module with number M, module_M is the name,
# place_M the number as Maven writes it, begun_M and last_M the milliseconds of its first and last line,
# and tests_M the last line of its tests.
watch_maven() {
  at_once=1 owners='' open='' heard='' threads=0 failed='' skipped='' files=0 mutants=0 code=1
  exec 3>"$1"
  while IFS= read -r line; do
    thread='' number=''
    case $line in
      [0-9]*' ['*'] ['[A-Z]*)
        millis=${line%% *}
        rest=${line#*' ['}
        case $millis in
          *[!0-9]*) ;;
          *)
            thread=${rest%%']'*}
            line=${rest#*'] '}
            ;;
        esac
        ;;
    esac
    printf '%s\n' "$line" >&3
    case $owners in *"[$thread:"*) number=${owners#*"[$thread:"} number=${number%%']'*} ;; esac
    case $line in
      '[INFO] ' | '[INFO] ----'* | '[INFO] Reactor Summary'* | '[INFO] BUILD '*) ;;
      '[INFO] Building '*'/'*']')
        [ -n "$thread" ] || continue
        module=${line#'[INFO] Building '}
        place=${module##* }
        module=${module%% *}
        number=${place#'['}
        number=${number%%/*}
        eval "module_$number=\$module place_$number=\$place begun_$number=$millis last_$number=$millis tests_$number=''"
        owners="[$thread:$number]$owners" open="$open $number" heard='' threads=0 mutants=0
        hear "$number"
        step ''
        continue
        ;;
      *)
        if [ -n "$number" ]; then
          eval "last_$number=$millis"
          hear "$number"
        fi
        ;;
    esac
    case $line in
      *'MultiThreadedBuilder implementation with a thread count of '*) at_once=${line##* } ;;
      '[INFO] Downloaded from '*)
        files=$((files + 1))
        case $files in *0) step "$files files fetched" ;; esac
        case $files in *00) [ -t 2 ] || say "  $files files fetched" ;; esac
        ;;
      '[INFO] Running '*) step "${line##*.}" ;;
      *'PIT >> FINE : mutating method '*)
        mutants=$((mutants + 1))
        case $mutants in *0) step "$mutants mutants" ;; esac
        case $mutants in *00) [ -t 2 ] || say "  $module: $mutants mutants tried" ;; esac
        ;;
      *'Tests run: '*'Time elapsed: '*) ;;
      *'] Tests run: '*) [ -z "$number" ] || eval "tests_$number=\$line" ;;
      '[INFO] Reactor Summary'* | '[INFO] BUILD '*)
        heard=''
        modules_done
        ;;
      '[INFO] '*' FAILURE ['*) failed="$failed $(module_name "$line")" ;;
      '[INFO] '*' SKIPPED') skipped="$skipped $(module_name "$line")" ;;
      'maven ended with '*) code=${line##* } ;;
    esac
  done
  [ ! -t 2 ] || printf '\r\033[K' >&2
  [ -z "$failed" ] || say "  failed:$failed"
  [ -z "$skipped" ] || say "  not tried, as they need what failed:$skipped"
  return "$code"
}

# Notes that the module with this number has written something since the newest one began.
hear() {
  case " $heard " in *" $1 "*) return 0 ;; esac
  heard="$heard $1" threads=$((threads + 1))
  [ "$threads" -lt "$at_once" ] || modules_done
}

# The name in a line of Maven's summary.
module_name() {
  name=${1#'[INFO] '}
  printf '%s' "${name%% *}"
}

# Shows the progress of the newest module on a terminal.
step() {
  [ ! -t 2 ] || printf '\r\033[K  %-7s %-16s %s' "${place:-}" "${module:-}" "$1" >&2
}

# Prints the final line of each open module that was not heard, and the last one that Surefire wrote for
# it.
modules_done() {
  left=''
  for each in $open; do
    case " $heard " in *" $each "*)
      left="$left $each"
      continue
      ;;
    esac
    eval "module_name=\$module_$each module_place=\$place_$each module_tests=\$tests_$each"
    eval "seconds=\$(((last_$each - begun_$each + 500) / 1000))"
    [ ! -t 2 ] || printf '\r\033[K' >&2
    say "$(printf '  %-7s %-16s %4d s' "$module_place" "$module_name" "$seconds")"
    [ -z "$module_tests" ] || say "$module_tests"
  done
  open=$left
}

# Prints the errors of a Maven log, and the beginning of each stack trace.
errors() {
  if grep -q 'warnings found and -Werror specified' "$1"; then
    grep '^\[WARNING\] .*\.java:\[' "$1" | awk '!seen[$0]++' >&2
  fi
  sed -e '/^\[ERROR\] Tests run: .*Skipped: [0-9]*$/d' \
    -e '/^\[ERROR\] \(To see the full\|Re-run Maven\|For more info\|After correct\)/d' \
    -e '/^\[ERROR\]\( *$\| *mvn <args>\| \[Help\| -> \[Help\)/d' -e 's/ -> \[Help .*//' "$1" |
    awk '/^\[ERROR\]/ { rest = /<<< (FAILURE|ERROR)!/ ? 12 : 0; if (!/\.java:\[/ || !seen[$0]++) print; next }
         /^\[/ { rest = 0 }
         rest-- > 0' | cut -c 1-1000 | head -n 150 >&2
  if grep -q 'spotless:apply' "$1"; then say '' 'To fix the format: mvn -Pgates spotless:apply'; fi
  if grep -qE 'Could not transfer|UnknownHostException|Network is unreachable' "$1"; then
    say '' 'Maven could not fetch something. Is there a network? Does ~/.m2/settings.xml name the right' \
      'proxy or mirror? If the message has "PKIX": does Java trust the certificate of that proxy?'
  fi
}
