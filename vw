#!/bin/sh
# The command line of Verwalter; see `./vw --help`.
# Builds what is out of date, then becomes the Java process.
set -eu

self=$0
if [ -h "$self" ]; then self=$(readlink -f -- "$self"); fi
case $self in */*) ;; *) self=./$self ;; esac
root=$(CDPATH='' cd -- "${self%/*}" && pwd -P)
. "$root/bin/launch.sh"

# It lives for a moment: the quick compiler only, nothing shared for monitoring tools. The heap is what
# replaying the decisions of a large cluster may take; nothing else ever uses as much.
launch vw verwalter.cli.Vw \
  '-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xmx1g' "$@"
