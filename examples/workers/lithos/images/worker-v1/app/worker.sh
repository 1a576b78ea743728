#!/bin/sh
# worker.sh VERSION: does nothing but print a line once a minute.
trap 'echo "$LITHOS_NAME: asked to stop"; exit 0' TERM INT
echo "$LITHOS_NAME: version $1, pid $$"
while :; do
  sleep 60 &
  wait $!
  echo "$LITHOS_NAME: still here"
done
