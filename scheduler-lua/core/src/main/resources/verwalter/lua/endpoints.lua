-- Lists where the processes of a role listen, and which of them are ready, so that a proxy sends requests to no other.
--
-- The metadata of a version names the roles that its templates need, `endpoints: [shop]`. Its templates then have
-- `endpoints.shop`, a list of {name=, node=, address=, ports=, version=, ready=}: one for each process that has a port, on all
-- nodes, sorted by node and name. `ready` is true while the process runs, its readiness probe succeeds if it has one, and it
-- is not being stopped. A process that the schedule does not contain any more is not in the list.
--
-- If it is not known whether a process is ready, as while its node does not answer, it stays as it was.

local json = require "verwalter/json"
local tables = require "verwalter/tables"
local versions = require "verwalter/versions"
local endpoints = {}

local LOCAL = "127.0.0.1"

local function names(metadata)
  return type(metadata) == "table" and type(metadata.endpoints) == "table" and metadata.endpoints or {}
end

-- The roles whose endpoints a version of any role needs, {role = true}.
function endpoints.used(runtime)
  local used = {}
  for _, versions in tables.sorted(runtime) do
    for _, metadata in tables.sorted(type(versions) == "table" and versions or {}) do
      for _, role in ipairs(names(metadata)) do used[role] = true end
    end
  end
  return used
end

local function process_of(input, role, host, name)
  if type(input.instances) ~= "table" then return nil end
  local reported = (input.instances[host] or {})[role]
  if not reported or reported.state == "unknown" then return nil end
  for slot, process in tables.sorted(reported.processes or {}) do
    if slot:gsub("^.*/", ""):gsub("%.%d+$", "") == name then return process end
  end
end

-- The readiness of a process: true, false, or nil if it is not known.
local function readiness(process)
  if tostring(process.state):lower() ~= "running" then return false end
  local ready = process.ready and tostring(process.ready):lower()
  if ready == "unknown" then return nil end
  return ready ~= "false"
end

-- The run of a process that is of another version than its entry, and is to be replaced: {since=, version=}.
local function former(was, entry, process, metadata)
  if not (was and process and process.since) then return nil end
  local run = was.former
  if was.version ~= entry.version and not (run and run.since == process.since) then
    run = {since = process.since, version = was.version}
  end
  return run and versions.replaces(metadata, entry.daemon, run.version, entry.version) ~= false and run or nil
end

-- Records in the entries of a host, {entry = {version=, ports=}}, which of them are ready, given the entries of the last
-- schedule. A process that was started for another version of its entry does not count, unless the role's `metadata` says that
-- the versions have the same command.
function endpoints.remember(input, role, host, old, found, metadata)
  for name, entry in pairs(found) do
    if entry.ports then
      local was, process = old and old[name], process_of(input, role, host, name)
      local ready = process and readiness(process)
      entry.former = former(was, entry, process, metadata or {})
      if ready == nil then
        entry.ready = was ~= nil and was.version == entry.version and was.ready == true
        if not process then entry.former = was and was.former end
      else
        entry.ready = ready and not (entry.former and entry.former.since == process.since)
      end
    end
  end
end

local function address(input, host)
  return ((type(input.nodes) == "table" and input.nodes[host] or {}).address) or LOCAL
end

-- The endpoints of a role in the state of a schedule.
function endpoints.of(input, state, role)
  local list = json.array {}
  for host, entries in tables.sorted((state[role] or {}).hosts or {}) do
    for name, entry in tables.sorted(entries) do
      if entry.ports and entry.ready ~= nil then
        list[#list + 1] = {
          name = name, node = host, address = address(input, host), ports = entry.ports, version = entry.version,
          ready = entry.ready,
        }
      end
    end
  end
  return list
end

-- Adds the endpoints that each role needs to its variables on each node of a schedule.
function endpoints.attach(input, runtime, data)
  local lists = {}
  for _, node in pairs(data.nodes or {}) do
    for role, variables in pairs(node.roles or {}) do
      local metadata = type(runtime[role]) == "table" and runtime[role][variables.version]
      local its = json.object {}
      for _, name in ipairs(names(metadata)) do
        lists[name] = lists[name] or endpoints.of(input, data.state or {}, name)
        its[name] = lists[name]
      end
      if next(its) then variables.endpoints = its end
    end
  end
end

return endpoints
