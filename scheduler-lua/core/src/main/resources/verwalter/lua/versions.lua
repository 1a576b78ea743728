-- Which versions of a role there are, and which one is wanted.
--
--   local known = versions.known(input.runtime.web)     -- {"v10", "v9"}: the newest first
--   local chosen = versions.select{mode = "auto", runtime = input.runtime.web, now = input.now,
--     parents = states, actions = input.actions, role = "web"}
--   --> {version = "v10", timestamp = 1767225600000}

local tables = require "verwalter/tables"
local versions = {}

local function items(version)
  local list = {}
  for item in version:gsub("^v", ""):gmatch("%w+") do list[#list + 1] = item end
  return list
end

local function item_less(a, b)
  local x, y = tonumber(a), tonumber(b)
  if x and y then return x < y end
  if x or y then return y ~= nil end -- of a number and a word the word is the smaller
  return a < b
end

local function item_same(a, b)
  return a == b or tonumber(a) ~= nil and tonumber(a) == tonumber(b)
end

-- Whether version a is older than b: v9 is older than v10, v1.2-rc older than v1.2-1, v1.2 older
-- than v1.2.1. Nothing is older than anything.
function versions.compare(a, b)
  if a == nil or b == nil then return a == nil and b ~= nil end
  local x, y = items(a), items(b)
  for at = 1, math.max(#x, #y) do
    if x[at] == nil then return true end
    if y[at] == nil then return false end
    if not item_same(x[at], y[at]) then return item_less(x[at], y[at]) end
  end
  return a < b and #x == #y -- v1 and 1: any order will do, if it is always the same
end

-- The versions in a role's metadata, the newest first: keys such as v1.0 whose value has `daemons`.
-- Also gives those without, as {version = problem}.
function versions.known(metadata)
  local found, wrong = {}, {}
  for name, version in pairs(metadata or {}) do
    if type(name) == "string" and name:find("^v%d") then
      if type(version) == "table" and type(version.daemons) == "table" then
        found[#found + 1] = name
      else
        wrong[name] = "it says nothing of `daemons`"
      end
    end
  end
  table.sort(found, function(a, b) return versions.compare(b, a) end)
  return found, wrong
end

-- The newest of a list of versions.
function versions.newest(list)
  local newest
  for _, each in ipairs(list) do
    if versions.compare(newest, each) then newest = each end
  end
  return newest
end

-- The version that the button pressed last names: one with `version` and an action of its own or
-- quick_switch, for this role if it names one.
function versions.button(actions, valid, role)
  local version
  for _, action in tables.sorted(actions) do
    local button = type(action) == "table" and action.button
    if type(button) == "table" and tables.contains(valid, button.version)
      and (role == nil or button.role == nil or button.role == role) then
      version = button.version
    end
  end
  return version
end

-- The choice {version, timestamp} of the parents' states that was made last and still is possible.
function versions.parent(parents, valid)
  local latest
  for _, state in ipairs(parents or {}) do
    local time = tonumber(state.timestamp) or 0
    if tables.contains(valid, state.version) and (not latest or time > latest.timestamp) then
      latest = {version = state.version, timestamp = time}
    end
  end
  return latest
end

-- The version that a file runtime/ROLE/pin.txt names: its first word, if it is one of the valid.
function versions.pin(metadata, valid)
  local word = type(metadata.pin) == "string" and metadata.pin:match("%S+")
  if tables.contains(valid, word) then return word end
end

-- Upload time of a version in milliseconds; its metadata has seconds.
function versions.uploaded(metadata, version)
  local seconds = tonumber((metadata[version] or {}).timestamp)
  return seconds and math.floor(seconds * 1000) or 0
end

local choose = {}

-- A button wins; then what was chosen before; at first the newest.
function choose.manual(pressed, parent, known, wish)
  if pressed then return {version = pressed, timestamp = wish.now} end
  return parent or {version = known[1], timestamp = 0}
end

-- A button wins until a version is uploaded later than it was pressed.
function choose.auto(pressed, parent, known, wish)
  if pressed then return {version = pressed, timestamp = wish.now} end
  local uploaded = versions.uploaded(wish.runtime, known[1])
  if parent and uploaded <= parent.timestamp then return parent end
  if parent and parent.version == known[1] then return parent end
  return {version = known[1], timestamp = uploaded}
end

-- Always the newest, whatever is pressed.
function choose.newest(_, parent, known, wish)
  if parent and parent.version == known[1] then return parent end
  return {version = known[1], timestamp = versions.uploaded(wish.runtime, known[1])}
end

-- Chooses a version. The wish has `runtime` (the role's metadata), `actions`, `parents` (the role's
-- earlier states, each with `version` and `timestamp`), `now`, `role`, and `mode`: "auto" (a button
-- wins until a version is uploaded later), "manual" (only buttons change it) or "newest". A pin file
-- wins over all. Gives {version=, timestamp=, pinned=}, or nil if there is no version.
function versions.select(wish)
  local known = versions.known(wish.runtime)
  if #known == 0 then return nil end
  local act = choose[wish.mode or "auto"]
    or error("versions are chosen by auto, manual or newest, not by " .. tostring(wish.mode), 0)
  local parent = versions.parent(wish.parents, known)
  local pinned = versions.pin(wish.runtime, known)
  if pinned then
    local same = parent and parent.version == pinned
    return {version = pinned, timestamp = same and parent.timestamp or wish.now, pinned = true}
  end
  return act(versions.button(wish.actions, known, wish.role), parent, known, wish)
end

return versions
