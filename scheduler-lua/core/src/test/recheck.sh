#!/usr/bin/env bash
# Derives the expected output of the conformance programs and of the fleet's scheduler with the
# real lua5.3. A file of programs has a line "--- name" before each; so has its output.
set -eu
cd "$(dirname "$0")/resources"
libraries=$(cd ../../main/resources/verwalter/lua && pwd)
preload='for _, name in ipairs {"json", "log"} do
  package.preload["verwalter/" .. name] = function() return dofile("'"$libraries"'/" .. name .. ".lua") end
end'
run='local ok, problem = pcall(assert(loadfile("program.lua")), "program", nil)
if not ok then print("error: " .. tostring(problem)) end'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for file in conformance/*.lua; do
  rm -f "$work"/*
  awk -v work="$work" '/^--- / { at = sprintf("%s/%04d", work, ++n); print > (at ".name"); next }
    { print > (at ".lua") }' "$file"
  for name in "$work"/*.name; do
    cat "$name"
    mv "${name%.name}.lua" "$work/program.lua"
    (cd "$work" && timeout 10 lua5.3 -e "$preload" -e "$run") 2>&1 || echo "$file: $(tail -n 1 "$name") does not run" >&2
  done > "${file%.lua}.out"
done
cd fleet
LUA_PATH="?.lua" lua5.3 -e "$preload" -e '
  local json = require "verwalter/json"
  local input = json.decode(io.open("input.json"):read("a"))
  local actions = {}
  for id, action in pairs(input.actions) do actions[math.tointeger(id) or tonumber(id)] = action end
  input.actions = actions
  local data, log = dofile("main.lua").scheduler(input)
  io.open("expected.json", "w"):write(data, "\n")
  io.open("expected.log", "w"):write(log)'
