-- Runs specs in the style of busted, for `vw scheduler test`.
--
--   local placement = require "placement"
--   describe("placement", function()
--     before_each(function() ... end)
--     it("puts one on each node", function()
--       assert.same({alpha = 1, beta = 1}, placement.place({"alpha", "beta"}, 2))
--     end)
--   end)
--
-- Assertions: equal, same, is_true, is_false, is_nil, truthy, falsy, near, matches, has_error,
-- is_string and so on for every type. The words is, are, has, was, does, a, an are ignored, so
-- assert.are.same is valid; is_not, no, not negate. assert(value, text) is Lua's own. A spec file
-- may require "busted" and "luassert".

local tables = require "verwalter/tables"
local spec = {}

local DEEPEST = 8

-- A value as text on one line, with sorted keys.
function spec.text(value, depth)
  if type(value) == "string" then return string.format("%q", value):gsub("\\\n", "\\n") .. "" end
  if type(value) ~= "table" then return tostring(value) end
  depth = depth or 1
  if depth > DEEPEST then return "{...}" end
  local parts, list = {}, #value
  for at = 1, list do parts[#parts + 1] = spec.text(value[at], depth + 1) end
  local keys = {}
  for key in pairs(value) do
    if not (math.type(key) == "integer" and key >= 1 and key <= list) then keys[#keys + 1] = key end
  end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for _, key in ipairs(keys) do
    local name = type(key) == "string" and key:find("^[%a_][%w_]*$") and key or "[" .. spec.text(key, depth + 1) .. "]"
    parts[#parts + 1] = name .. " = " .. spec.text(value[key], depth + 1)
  end
  return "{" .. table.concat(parts, ", ") .. "}"
end

local function collect(expected, actual, path, found, depth)
  if type(expected) ~= "table" or type(actual) ~= "table" or depth > DEEPEST then
    if not tables.same(expected, actual) then
      found[#found + 1] = {path = path, expected = spec.text(expected), actual = spec.text(actual)}
    end
    return
  end
  local keys = {}
  for key in pairs(expected) do keys[key] = true end
  for key in pairs(actual) do keys[key] = true end
  local sorted = {}
  for key in pairs(keys) do sorted[#sorted + 1] = key end
  table.sort(sorted, function(a, b) return tostring(a) < tostring(b) end)
  for _, key in ipairs(sorted) do
    local name = type(key) == "string" and "." .. key or "[" .. tostring(key) .. "]"
    collect(expected[key], actual[key], path .. name, found, depth + 1)
  end
end

-- The differences of two values, as a list of {path=, expected=, actual=}.
function spec.differences(expected, actual)
  local found = {}
  collect(expected, actual, "", found, 1)
  return found
end

-- Failures

local FAILURE = {__tostring = function(failure) return failure.message end}

-- The innermost position outside this file, as file:line.
local function place(trace)
  for line in trace:gmatch("[^\n]+") do
    local file, number = line:match("^%s+([^%s:]+):(%d+):")
    if file and not file:find("verwalter/spec.lua", 1, true) and not file:find("verwalter/lua/spec.lua", 1, true) then
      return file .. ":" .. number
    end
  end
end

local function fail(message, expected, actual, differences)
  error(setmetatable({
    message = message, expected = expected, actual = actual, differences = differences,
    place = place(debug.traceback("", 2)),
  }, FAILURE), 0)
end

-- Assertions: each returns whether it holds, a message for the failure, and optionally the expected
-- and the actual value. %s in the message stands for an optional "not ".

local checks = {}

function checks.equal(expected, actual)
  local text = "expected values to %sbe equal"
  if tables.same(expected, actual) and expected ~= actual then text = text .. " (these are the same, but two tables)" end
  return expected == actual, text, expected, actual
end

function checks.same(expected, actual)
  return tables.same(expected, actual), "expected values to %sbe the same", expected, actual
end

function checks.near(expected, actual, tolerance)
  local good = type(actual) == "number" and math.abs(actual - expected) <= tolerance
  return good, "expected a number %snear " .. tostring(expected), expected, actual
end

function checks.matches(pattern, text)
  local good = type(text) == "string" and text:find(pattern) ~= nil
  return good, "expected a text that does %smatch", pattern, text
end

function checks.truthy(value)
  return value and true or false, "expected %ssomething true", nil, value
end

function checks.falsy(value)
  return not value, "expected %sfalse or nil", nil, value
end

checks["true"] = function(value) return value == true, "expected %strue", nil, value end
checks["false"] = function(value) return value == false, "expected %sfalse", nil, value end
checks["nil"] = function(value) return value == nil, "expected %snil", nil, value end

for _, kind in ipairs {"string", "number", "boolean", "table", "function"} do
  checks[kind] = function(value) return type(value) == kind, "expected %sa " .. kind, nil, value end
end

function checks.error(body, expected)
  local good, raised = pcall(body)
  if good then return false, "expected %san error", expected, nil end
  if expected == nil then return true, "expected %san error, but there was: " .. tostring(raised) end
  if type(expected) == "string" and type(raised) == "string" then
    local bare = raised:gsub("^[^%s:]+:%d+: ", "")
    return raised == expected or bare == expected, "expected %sthis error", expected, raised
  end
  return tables.same(expected, raised), "expected %sthis error", expected, raised
end

function checks.error_matches(body, pattern)
  local good, raised = pcall(body)
  if good then return false, "expected %san error", pattern, nil end
  return tostring(raised):find(pattern) ~= nil, "expected %san error that matches", pattern, tostring(raised)
end

checks.equals, checks.eq, checks.errors, checks.match = checks.equal, checks.equal, checks.error, checks.matches

local FILLERS = {is = true, are = true, has = true, have = true, was = true, does = true, a = true, an = true,
  be = true, to = true, values = true}
local NEGATIONS = {["not"] = true, no = true}

local function checker(words)
  return setmetatable({}, {
    __index = function(_, more)
      return checker(words .. "_" .. more)
    end,
    __call = function(_, ...)
      local rest, negated = words, false
      -- Names such as error_matches contain words, so words are removed only from the front.
      while not checks[rest] do
        local word, after = rest:match("^_?([^_]+)_?(.*)$")
        if not word then break end
        if not FILLERS[word] and not NEGATIONS[word] then break end
        negated = negated ~= (NEGATIONS[word] or false)
        rest = after
      end
      local check = checks[rest]
      if not check then error("there is no assertion " .. words:gsub("^_", ""), 2) end
      local good, text, expected, actual = check(...)
      if good == negated then
        local message = text:format(negated and "not " or "")
        local shown = spec.text(actual)
        local wide = type(expected) == "table" and type(actual) == "table"
        fail(message, (rest == "same" or rest == "equal" or expected ~= nil) and spec.text(expected) or nil, shown,
          wide and not negated and spec.differences(expected, actual) or nil)
      end
      return ...
    end,
  })
end

local busted_assert = setmetatable({}, {
  __index = function(_, word) return checker(word) end,
  __call = function(_, ...)
    local value, message = ...
    if not value then fail(message == nil and "assertion failed!" or tostring(message), nil, nil) end
    return ...
  end,
})

-- Loading a spec file: the tree of its blocks

local function block(name, parent)
  return {name = name, parent = parent, specs = {}, before = {}, after = {}, setup = {}, teardown = {}}
end

local function full_name(of)
  if not of.parent then return of.name or "" end
  local above = full_name(of.parent)
  return above == "" and of.name or above .. " " .. of.name
end

local function environment(list)
  local current = block(nil, nil)
  local functions = {}
  function functions.describe(name, body)
    current = block(tostring(name), current)
    body()
    current = current.parent
  end
  function functions.it(name, body)
    list[#list + 1] = {
      name = tostring(name), body = body, block = current,
      full = full_name({name = tostring(name), parent = current}),
      place = place(debug.traceback("", 2)),
    }
  end
  function functions.pending(name)
    list[#list + 1] = {name = tostring(name), block = current, pending = true,
      full = full_name({name = tostring(name), parent = current}), place = place(debug.traceback("", 2))}
  end
  local function hook(kind)
    return function(body) table.insert(current[kind], body) end
  end
  functions.before_each, functions.after_each = hook "before", hook "after"
  functions.setup, functions.teardown = hook "setup", hook "teardown"
  functions.context, functions.test, functions.spec = functions.describe, functions.it, functions.it
  functions.lazy_setup, functions.lazy_teardown = functions.setup, functions.teardown
  return functions
end

local function provide(list)
  local functions = environment(list)
  for name, each in pairs(functions) do _G[name] = each end
  functions.assert = busted_assert
  _G.assert = busted_assert
  local find = require
  local provided = {busted = functions, luassert = busted_assert}
  function _G.require(name)
    if provided[name] then return provided[name] end
    return find(name)
  end
end

-- Loads a spec file; returns the list of its specs.
function spec.read(module)
  local list = {}
  provide(list)
  require(module)
  return list
end

local function run_hooks(of, kind, outermost_first, once)
  if not of then return end
  if outermost_first then run_hooks(of.parent, kind, true, once) end
  if not (once and of["did_" .. kind]) then
    for _, body in ipairs(of[kind]) do body() end
    if once then of["did_" .. kind] = true end
  end
  if not outermost_first then run_hooks(of.parent, kind, false, once) end
end

-- A traceback without the frames of the runner.
local function user_part(trace)
  local lines = {}
  for line in trace:gmatch("[^\n]+") do
    local ours = line:find("^%s*verwalter/spec")
    if ours and #lines > 1 and not lines[#lines]:find("^%s*%[C%]") then break end
    if not ours then lines[#lines + 1] = line end
  end
  return table.concat(lines, "\n")
end

local function describe_error(raised)
  if getmetatable(raised) == FAILURE then return raised end
  local text = tostring(raised)
  local trace = debug.traceback("", 2)
  return {
    message = text,
    place = text:match("^([^%s:]+:%d+):") or place(trace),
    trace = user_part(trace),
  }
end

-- Runs one spec of a list; returns nil if it passes, otherwise a table with `message` and
-- optionally `place`, `expected`, `actual`, `differences`, `trace`.
function spec.run(one)
  local good, raised = xpcall(function()
    run_hooks(one.block, "setup", true, true)
    run_hooks(one.block, "before", true)
    one.body()
  end, describe_error)
  local after, raised_after = xpcall(run_hooks, describe_error, one.block, "after", false)
  if not good then return raised end
  if not after then return raised_after end
end

return spec
