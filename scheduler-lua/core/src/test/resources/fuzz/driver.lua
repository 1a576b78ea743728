-- runs the programs of batch.lua one after the other; each may use P, S, C and T
local programs = require "batch"
local print, type, select, rawget, pairs, error = print, type, select, rawget, pairs, error
local concat, format, mathtype = table.concat, string.format, math.type
local fields = {1, 2, 3, 4, "a", "b", "c", "n", "x"}

local function show(value, depth)
  local kind = type(value)
  if kind == "string" then return format("%q", value) end
  if kind == "number" then return (mathtype(value) == "float" and "f" or "") .. format("%.14g", value) end
  if kind ~= "table" then return kind == "function" and "function" or tostring(value) end
  if depth > 1 then return "{...}" end
  local shown = {}
  for i = 1, #fields do
    local each = rawget(value, fields[i])
    if each ~= nil then shown[#shown + 1] = fields[i] .. "=" .. show(each, depth + 1) end
  end
  return "{" .. concat(shown, " ") .. "}"
end

for number = 1, #programs do
  local turns = 0
  local env = {
    P = function(...)
      local shown = {}
      for i = 1, select("#", ...) do shown[i] = show((select(i, ...)), 0) end
      print(concat(shown, "\t"))
    end,
    S = function(value) return show(value, 0) end,
    C = function(text)
      if type(text) == "string" and #text > 300 then error("too long", 0) end
      return text
    end,
    T = function()
      turns = turns + 1
      if turns > 80 then error("too many turns", 0) end
    end,
    string = string, table = table, math = math, utf8 = utf8,
  }
  for _, name in ipairs {"assert", "error", "getmetatable", "ipairs", "next", "pcall", "rawequal",
      "rawget", "rawlen", "select", "setmetatable", "tonumber", "type", "xpcall"} do
    env[name] = _G[name]
  end
  print("@" .. number)
  local chunk, problem = load(programs[number], "=p", "t", env)
  if chunk then
    env.P(pcall(chunk, 1, "two"))
  else
    print("syntax: " .. problem)
  end
end
