-- Computes the health of one version's processes from `input.instances`.

local tables = require "verwalter/tables"
local health = {}

local GOOD = {running = true}
local BAD = {broken = true, failed = true, refused = true, crashed = true}
local RESTARTS = 3
-- A short failure, such as that of a process being restarted, does not count.
local MOMENT = 3000

-- The entry of the process file for a slot such as "shop/web-0.0".
local function entry_of(slot)
  return (slot:gsub("^.*/", ""):gsub("%.%d+$", ""))
end

local function lasting(part, now)
  return not (part.since and now) or now - part.since >= MOMENT
end

-- A process that is not ready makes the update wait, and fails it after its deadline. One of which
-- that is not known only makes it wait.
local function readiness(host, name, process, seen)
  local ready = process.ready and tostring(process.ready):lower()
  local reason = process.ready_reason and process.ready_reason ~= "" and ": " .. tostring(process.ready_reason) or ""
  if ready == "false" then
    seen.waiting = seen.waiting or name .. " on " .. host .. " is not ready" .. reason
  elseif ready == "unknown" then
    seen.unknown = seen.unknown or name .. " on " .. host .. " is not known to be ready" .. reason
  elseif ready == "true" then
    seen.ready_since = math.max(seen.ready_since or 0, tonumber(process.ready_since) or 0)
  end
end

local function look(host, role, entries, version, seen, now)
  local state = tostring(role.state):lower()
  if state == "preparing" then
    -- Processes that run are of the version before.
    seen.waiting = seen.waiting or host .. " prepares the release"
    return
  end
  local processes = role.processes or {}
  local running = {}
  for slot, process in tables.sorted(processes) do
    local name = entry_of(slot)
    local its = tostring(process.state):lower()
    if entries[name] and entries[name].version == version then
      if BAD[its] and lasting(process, now) then
        seen.failing = seen.failing or name .. " on " .. host .. " is " .. its
      elseif (tonumber(process.restarts) or 0) - (entries[name].restarts or 0) >= RESTARTS then
        local times = process.restarts - (entries[name].restarts or 0)
        seen.failing = seen.failing or name .. " on " .. host .. " restarted " .. times .. " times"
      elseif GOOD[its] then
        running[name] = (running[name] or 0) + 1
        readiness(host, name, process, seen)
      end
    end
  end
  for name, entry in tables.sorted(entries) do
    if entry.version == version and (running[name] or 0) < entry.instances then
      seen.waiting = seen.waiting or name .. " on " .. host .. " does not run yet"
    end
  end
  if BAD[state] and lasting(role, now) and (role.version == version or next(running) == nil and seen.waiting) then
    seen.failing = seen.failing or host .. " is " .. state .. (role.reason and ": " .. tostring(role.reason) or "")
  end
end

-- Records the restarts of an entry's processes before it gets another version, {entry =
-- {version=}}, so that they do not count against the new version.
function health.remember(input, role, host, old, found)
  local reported = ((type(input.instances) == "table" and input.instances[host] or {})[role] or {}).processes
  local restarts = {}
  for slot, process in pairs(reported or {}) do
    local name = entry_of(slot)
    restarts[name] = math.max(restarts[name] or 0, tonumber(process.restarts) or 0)
  end
  for name, entry in pairs(found) do
    local was = old and old[name]
    if was and was.version == entry.version then
      entry.restarts = was.restarts
    elseif was and (restarts[name] or 0) > 0 then
      entry.restarts = restarts[name]
    end
  end
end

-- The health of a version of a role on its hosts, {host = {entry = {version=, instances=}}}:
-- {failing = text} if a process has been broken for three seconds or restarted three times,
-- {waiting = text} if not all run and are ready yet, {unknown = text} if that is not known of all,
-- {ready_since = ms} if probes have found the last one ready then, {} if all are healthy; nil if the input has no instances.
function health.of(input, role, version, hosts)
  if type(input.instances) ~= "table" then return nil end
  local seen = {}
  for host, entries in tables.sorted(hosts) do
    local any = false
    for _, entry in pairs(entries) do any = any or entry.version == version end
    local reported = (input.instances[host] or {})[role]
    if any and reported and reported.state ~= "unknown" then
      look(host, reported, entries, version, seen, input.now)
    elseif any then
      seen.waiting = seen.waiting or host .. " has not reported its state"
    end
  end
  return seen
end

return health
