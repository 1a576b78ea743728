#!/usr/bin/env bash
# Derives the expected output of the conformance programs with the real lua5.3.
set -eu
cd "$(dirname "$0")/resources/conformance"
libraries=$(cd ../../../main/resources && pwd)
for program in *.lua; do
  LUA_PATH="$libraries/?.lua" lua5.3 -e 'package.preload["verwalter.json"] = function()
    return dofile("'"$libraries"'/verwalter/lua/json.lua") end' "$program" > "${program%.lua}.out" 2>&1 ||
    { cat "${program%.lua}.out"; exit 1; }
done
