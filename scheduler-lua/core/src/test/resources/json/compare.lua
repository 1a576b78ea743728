-- Encodes and decodes random values, and texts that are nearly JSON, with two libraries; fails at
-- the first difference.

local native = require "verwalter/json"
local plain = require "plain/json"

local random = math.random

local function pick(list)
  return list[random(#list)]
end

local NUMBERS = {
  0, 1, -1, 1.0, -0.0, 0.1, 1 / 3, -2.5e-7, 1e15, 1e100, 123456789012345.0, 2^53, 2^63,
  math.maxinteger, math.mininteger, 5e-324, 1.7976931348623157e308, 100000000000000.0,
}
local RARE = {1 / 0, -1 / 0, 0 / 0}
local PIECES = {
  "", "a", "name", "é", "\u{1F600}", '"', "\\", "/", "\0", "\n", "\31", "\127", "\128\255", "1", "1.5", " ",
}

local function number()
  local kind = random(4)
  if kind == 1 then return random(-1000, 1000) end
  if kind == 2 then return random() * 10 ^ random(-20, 20) end
  if random(40) == 1 then return pick(RARE) end
  return pick(NUMBERS)
end

local function text()
  local parts = {}
  for i = 1, random(0, 4) do parts[i] = pick(PIECES) end
  return table.concat(parts)
end

local value

local function key()
  local kind = random(60)
  if kind == 1 then return true end
  if kind < 8 then return number() end
  return text()
end

local function strange(t)
  return setmetatable(t, pick {
    {__index = {"one", x = "two"}, __len = function() return 1.5 end},
    {__len = function() return "no number" end, __json = "array"},
    {__metatable = false, __json = "array"},
    {__metatable = {__json = "object"}},
    {__json = random(2) == 1 and "other" or false},
    {__pairs = function() return next, {"a", "b", c = "d"}, nil end},
    {__index = function(_, k) return "field " .. tostring(k) end},
  })
end

local function container(depth)
  local made = {}
  if random(2) == 1 then
    for i = 1, random(0, 5) do
      if random(15) > 1 then made[i] = value(depth + 1) end
    end
  end
  if random(2) == 1 then
    for _ = 1, random(0, 5) do
      local k = key()
      if k == k then made[k] = value(depth + 1) end
    end
  end
  local kind = random(30)
  if kind == 1 then return strange(made) end
  if kind == 2 then made.again = made end
  if kind < 6 then return pick({native, plain}).object(made) end
  if kind < 9 then return pick({native, plain}).array(made) end
  return made
end

function value(depth)
  local kind = random(12)
  if kind < 4 then return number() end
  if kind < 7 then return text() end
  if kind == 7 then return random(2) == 1 end
  if kind == 8 and random(20) == 1 then return print end
  if depth > 4 then return nil end
  return container(depth)
end

local BYTES = {
  "{", "}", "[", "]", ",", ":", '"', "\\", "\\u", "d800", "dc00", "\\ud83d\\ude00", "\\x", " ", "\n", "\t", "0", "1",
  "-", "+", ".", "e", "E5", "true", "false", "null", "nul", "x", "é", "\0", "\127", "\"a\":", "00", "1e999",
}

local function damaged(s)
  for _ = 1, random(3) do
    local at = random(#s + 1)
    s = s:sub(1, at - 1) .. (random(3) > 1 and pick(BYTES) or "") .. s:sub(at + random(0, 1))
  end
  return s
end

-- Everything that a program could tell a value by, the order of its keys included.
local function shown(v)
  if type(v) ~= "table" then
    return string.format(type(v) == "number" and math.type(v) .. "%.17g" or "%s", v)
  end
  local parts = {getmetatable(v).__json, #v}
  for k, each in pairs(v) do parts[#parts + 1] = shown(k) .. "=" .. shown(each) end
  return "{" .. table.concat(parts, ";") .. "}"
end

-- Errors of other functions begin with a line of json.lua.
local function bare(problem)
  return (tostring(problem):gsub("^[%w/]+%.lua:%d+: ", ""))
end

local counts = {encoded = 0, refused = 0, decoded = 0, malformed = 0}

local function compare(what, ours, theirs)
  if ours ~= theirs then
    error(what .. "\nours: " .. tostring(ours) .. "\njson.lua's: " .. tostring(theirs), 0)
  end
end

local function decode(s)
  local fine, ours = pcall(native.decode, s)
  local fine_too, theirs = pcall(plain.decode, s)
  counts[fine and "decoded" or "malformed"] = counts[fine and "decoded" or "malformed"] + 1
  compare("decoding " .. s, fine, fine_too)
  if fine then
    compare("decoding " .. s, shown(ours), shown(theirs))
  else
    compare("decoding " .. s, ours, theirs)
  end
end

local function encode(v)
  local fine, ours = pcall(native.encode, v)
  local fine_too, theirs = pcall(plain.encode, v)
  counts[fine and "encoded" or "refused"] = counts[fine and "encoded" or "refused"] + 1
  compare("encoding", fine, fine_too)
  compare("encoding", fine and ours or bare(ours), fine and theirs or bare(theirs))
  return fine and ours
end

return {
  scheduler = function(input)
    math.randomseed(input.seed)
    for _ = 1, input.rounds do
      local s = encode(value(1))
      if s then
        decode(s)
        decode(damaged(s))
      end
    end
    for _, wrong in ipairs {1, true, {}, print} do
      compare("decoding no text", select(2, pcall(native.decode, wrong)), select(2, pcall(plain.decode, wrong)))
      compare("marking", type(select(2, pcall(native.array, wrong))), type(select(2, pcall(plain.array, wrong))))
    end
    for depth = 199, 202 do
      decode(("["):rep(depth) .. ("]"):rep(depth))
      decode(('{"a":'):rep(depth) .. "1" .. ("}"):rep(depth))
    end
    print(native.encode(counts))
    return "{}", ""
  end,
}
