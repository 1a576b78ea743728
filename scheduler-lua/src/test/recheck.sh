#!/usr/bin/env bash
# Derives the expected output of the conformance programs and of the fleet's scheduler with the
# real lua5.3.
set -eu
cd "$(dirname "$0")/resources"
libraries=$(cd ../../main/resources/verwalter/lua && pwd)
preload='for _, name in ipairs {"json", "log"} do
  local load = function() return dofile("'"$libraries"'/" .. name .. ".lua") end
  package.preload["verwalter." .. name], package.preload["verwalter/" .. name] = load, load
end'
for program in conformance/*.lua; do
  name=$(basename "$program" .lua)
  (cd conformance && lua5.3 -e "$preload" "$name.lua" > "$name.out" 2>&1) ||
    { cat "conformance/$name.out"; exit 1; }
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
