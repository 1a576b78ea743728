-- Computes the health of one version's processes from `input.instances`.

local tables = require "verwalter/tables"
local versions = require "verwalter/versions"
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

-- Whether a process is still the one that an entry is to replace.
local function is_former(process, entry)
  return entry.replaces ~= nil and process.since == entry.replaces.since
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
    if entries[name] and entries[name].version == version and not is_former(process, entries[name]) then
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

-- The time at which a process of an entry was started, by entry.
local function starts(reported)
  local found = {}
  for slot, process in pairs(reported or {}) do
    found[entry_of(slot)] = math.max(found[entry_of(slot)] or 0, tonumber(process.since) or 0)
  end
  return found
end

-- The process that an entry is to replace: its start and its version; nil if another one runs already.
local function former(was, entry, started, metadata)
  if not (was and started and metadata) then return nil end
  local replaces = was.replaces or {}
  if replaces.since ~= started then replaces = {since = started, version = was.version} end
  return versions.replaces(metadata, entry.daemon, replaces.version, entry.version) and replaces or nil
end

-- Records what is needed to judge the processes of entries, {entry = {version=, instances=, ports=}}, given those of the
-- last schedule: their `restarts` before they got another version, which do not count against the new version; `since`, when
-- a schedule started or replaced processes of the entry; `replaces`, the process that is to be replaced, while it runs, if
-- the role's `metadata` says that the versions have different commands.
function health.remember(input, role, host, old, found, metadata)
  local reported = ((type(input.instances) == "table" and input.instances[host] or {})[role] or {}).processes
  local restarts, started = {}, starts(reported)
  for slot, process in pairs(reported or {}) do
    local name = entry_of(slot)
    restarts[name] = math.max(restarts[name] or 0, tonumber(process.restarts) or 0)
  end
  for name, entry in pairs(found) do
    local was = old and old[name]
    local same = was and was.version == entry.version
    if same then
      entry.restarts = was.restarts
    elseif was and (restarts[name] or 0) > 0 then
      entry.restarts = restarts[name]
    end
    local unchanged = same and entry.instances <= was.instances and tables.same(was.ports, entry.ports)
    if unchanged then entry.since = was.since else entry.since = input.now end
    entry.replaces = former(was, entry, started[name], metadata)
  end
end

-- How many of an entry's processes serve; how many do so for certain, and since when the last of them does.
local function serving(entry, processes)
  local count, certain, since = 0, 0, entry.since or 0
  for _, process in ipairs(processes) do
    local ready = process.ready and tostring(process.ready):lower()
    if GOOD[tostring(process.state):lower()] and ready ~= "false" and not is_former(process, entry) then
      count = count + 1
      if ready ~= "unknown" then certain = certain + 1 end
      if ready == "true" then since = math.max(since, tonumber(process.ready_since) or 0) end
    end
  end
  return count, certain, since
end

local function by_entry(processes)
  local found = {}
  for slot, process in pairs(processes or {}) do
    local name = entry_of(slot)
    found[name] = found[name] or {}
    table.insert(found[name], process)
  end
  return found
end

-- Which processes of the entries of a host are not settled, {entry = {down=, idle=, fresh=, recent=}}: `down` of them do
-- not serve; `idle` of them may not; `fresh` of them may not, or have not for `warmup` ms; `recent` if a schedule started
-- or replaced some in the last `patience` ms. Everything is settled if the input has no instances.
function health.unsettled(input, role, host, entries, warmup, patience)
  local found = {}
  if type(input.instances) ~= "table" then return found end
  local reported = (input.instances[host] or {})[role] or {}
  local processes = by_entry(reported.processes)
  for name, entry in pairs(entries) do
    local count, certain, since = serving(entry, processes[name] or {})
    if reported.state == "unknown" then count = entry.instances end
    local idle = math.max(0, entry.instances - certain)
    found[name] = {
      down = math.max(0, entry.instances - count), idle = idle, fresh = idle,
      recent = entry.since ~= nil and input.now - entry.since < patience,
    }
    if entry.since and input.now - since < warmup then found[name].fresh = math.max(idle, math.min(1, entry.instances)) end
  end
  return found
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
