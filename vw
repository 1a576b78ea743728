#!/bin/sh
# The command line of Verwalter; see `./vw --help`.
# Builds if out of date, then becomes the Java process.
set -eu

self=$0
if [ -h "$self" ]; then self=$(readlink -f -- "$self"); fi
case $self in */*) ;; *) self=./$self ;; esac
root=$(CDPATH='' cd -- "${self%/*}" && pwd -P)
. "$root/bin/launch.sh"

# A short run: only the C1 compiler, and no shared memory for monitoring tools. The heap is large
# enough to replay the decisions of a large cluster; all other commands use less.
launch vw verwalter.cli.Vw \
  '-XX:+UseG1GC -XX:ParallelGCThreads=1 -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xmx1g -XX:+UnlockDiagnosticVMOptions
   -XX:ArchiveRelocationMode=0 -Dpicocli.disable.closures=true' "$@"
