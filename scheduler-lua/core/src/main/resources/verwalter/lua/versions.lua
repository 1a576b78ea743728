-- Finds the versions of a role and selects one.
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
  if x or y then return y ~= nil end -- a word is smaller than a number
  return a < b
end

local function item_same(a, b)
  return a == b or tonumber(a) ~= nil and tonumber(a) == tonumber(b)
end

-- Whether version a is older than b: v9 is older than v10, v1.2-rc older than v1.2-1, v1.2 older
-- than v1.2.1. nil is older than any version.
function versions.compare(a, b)
  if a == nil or b == nil then return a == nil and b ~= nil end
  local x, y = items(a), items(b)
  for at = 1, math.max(#x, #y) do
    if x[at] == nil then return true end
    if y[at] == nil then return false end
    if not item_same(x[at], y[at]) then return item_less(x[at], y[at]) end
  end
  return a < b and #x == #y -- v1 and 1: any order, if it is deterministic
end

-- The versions in a role's metadata, newest first: keys such as v1.0 whose value has `daemons`.
-- Also returns those without, as {version = problem}.
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

-- The valid `version` of the last action for this role or for no role that has one.
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

-- The latest selection {version, timestamp} of the parents' states that is still possible.
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

-- The version in a file runtime/ROLE/pin.txt: its first word, if it is a valid version.
function versions.pin(metadata, valid)
  local word = type(metadata.pin) == "string" and metadata.pin:match("%S+")
  if tables.contains(valid, word) then return word end
end

-- The version that operators want by vw rollout undo, if it is a valid one.
function versions.undo(metadata, valid)
  local revision = (metadata["verwalter.io/intent"] or {}).revision
  if tables.contains(valid, revision) then return revision end
end

-- The upload time of a version in milliseconds; its metadata has seconds.
function versions.uploaded(metadata, version)
  local seconds = tonumber((metadata[version] or {}).timestamp)
  return seconds and math.floor(seconds * 1000) or 0
end

local function mentions(value, text)
  if type(value) ~= "table" then return type(value) == "string" and value:find(text, 1, true) ~= nil end
  for _, each in pairs(value) do
    if mentions(each, text) then return true end
  end
  return false
end

-- Probes change while a process runs. Another name of a user or of groups may mean the same ones.
local LIVE, ALIAS = {probes = true}, {probes = true, user = true, groups = true}

local function differ(a, b, except)
  for key, value in pairs(a) do
    if not except[key] and not tables.same(value, b[key]) then return true end
  end
  for key in pairs(b) do
    if not except[key] and a[key] == nil then return true end
  end
  return false
end

-- Whether a process of a daemon is replaced when it gets another version: true, false, or nil if that is not known, since
-- the command of the process is not in the metadata, or only its user has another name.
function versions.replaces(metadata, daemon, a, b)
  if a == b then return false end
  local function command(version)
    local its = metadata[version]
    return type(its) == "table" and type(its["verwalter.io/processes"]) == "table" and its["verwalter.io/processes"][daemon]
  end
  if not (command(a) and command(b)) then return nil end
  local one, other = metadata[a], metadata[b]
  local rendered = not tables.same(one["verwalter.io/files"], other["verwalter.io/files"])
  if differ(command(a), command(b), ALIAS) or not tables.same(one.image, other.image)
    or rendered and mentions(command(b), "${files}") then
    return true
  end
  if differ(command(a), command(b), LIVE) then return nil end
  return false
end

local choose = {}

-- An action has precedence, then the earlier selection; at first the newest version.
function choose.manual(requested, parent, known, given)
  if requested then return {version = requested, timestamp = given.now} end
  return parent or {version = known[1], timestamp = 0}
end

-- An action has precedence until a version is uploaded after it.
function choose.auto(requested, parent, known, given)
  if requested then return {version = requested, timestamp = given.now} end
  local uploaded = versions.uploaded(given.runtime, known[1])
  if parent and uploaded <= parent.timestamp then return parent end
  if parent and parent.version == known[1] then return parent end
  return {version = known[1], timestamp = uploaded}
end

-- Always the newest version; actions are ignored.
function choose.newest(_, parent, known, given)
  if parent and parent.version == known[1] then return parent end
  return {version = known[1], timestamp = versions.uploaded(given.runtime, known[1])}
end

-- Selects a version. The argument has `runtime` (the role's metadata), `actions`, `parents` (the
-- role's earlier states, each with `version` and `timestamp`), `now`, `role`, and `mode`: "auto"
-- (an action has precedence until a version is uploaded later), "manual" (only actions change it)
-- or "newest". A pin file has precedence over all of them, and vw rollout undo over the pin file. Returns
-- {version=, timestamp=, pinned=}, or nil if there is no version.
function versions.select(given)
  local known = versions.known(given.runtime)
  if #known == 0 then return nil end
  local act = choose[given.mode or "auto"]
    or error("versions are chosen by auto, manual or newest, not by " .. tostring(given.mode), 0)
  local parent = versions.parent(given.parents, known)
  local pinned = versions.undo(given.runtime, known) or versions.pin(given.runtime, known)
  if pinned then
    local same = parent and parent.version == pinned
    return {version = pinned, timestamp = same and parent.timestamp or given.now, pinned = true}
  end
  return act(versions.button(given.actions, known, given.role), parent, known, given)
end

return versions
