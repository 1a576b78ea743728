-- The standard scheduler: runs the services that files in roles/ describe.
--
--   return {scheduler = require("verwalter/standard").scheduler}            -- only services
--   return {scheduler = require("verwalter/standard").beside(my_scheduler)} -- services beside own roles
--
-- It chooses the revision, the nodes, the counts and the ports. Commands, users and limits come from the files.

local endpoints = require "verwalter/endpoints"
local json = require "verwalter/json"
local make_scheduler = require("verwalter/scheduler").make_scheduler
local settings_of = require("verwalter/scheduler").settings
local parents = require "verwalter/parents"
local tables = require "verwalter/tables"
local versions = require "verwalter/versions"
local standard = {}

local PROCESSES = "verwalter.io/processes"

-- Whether a role is a service: its newest version has commands.
function standard.is_service(metadata)
  if type(metadata) ~= "table" then return false end
  local newest = versions.known(metadata)[1]
  return newest ~= nil and metadata[newest][PROCESSES] ~= nil
end

-- The services of an input, and all other roles.
local function split(runtime)
  local services, others = {}, {}
  for role, metadata in tables.sorted(runtime) do
    (standard.is_service(metadata) and services or others)[role] = metadata
  end
  return services, others
end

-- The actions for services, and all others.
local function pressed_for(actions, services)
  local mine, others = {}, {}
  for id, action in tables.sorted(actions) do
    local button = type(action) == "table" and type(action.button) == "table" and action.button or {}
    (services[button.role or ""] and mine or others)[id] = action
  end
  return mine, others
end

local function matches(node, labels)
  for name, value in pairs(labels or {}) do
    if (node.labels or {})[name] ~= value then return false end
  end
  return true
end

local function intent(role)
  return role.metadata["verwalter.io/intent"] or {}
end

-- The revision whose counts and placement apply: the one that an operator wants, or the newest, or, if that has failed,
-- the one that runs.
local function revision(role)
  local wanted = versions.undo(role.metadata, role.versions)
  if wanted then return wanted end
  local newest = role.versions[1]
  if role.failed[newest] and role.metadata[role.version or ""] then return role.version end
  return newest
end

local function failed(input, name)
  return ((parents.states(input.parents, name))[1] or {}).failed or {}
end

-- The nodes of a role. One that has lost the labels is drained, so that its processes move before they stop.
local function places(nodes, place)
  local list = {}
  for _, node in ipairs(nodes) do
    if matches(node, place.labels) then
      list[#list + 1] = node
    else
      local other = tables.copy(node)
      other.cordoned, other.draining, other.excluded = true, true, " is not among the nodes of the role"
      list[#list + 1] = other
    end
  end
  return list
end

-- The number of processes of one kind on all of these nodes.
local function count(scale, nodes)
  if scale.instances then return scale.instances end
  local hosts, cpus = 0, 0
  for _, node in ipairs(nodes) do
    if not node.cordoned and (node.ready or node.unknown) then
      hosts = hosts + 1
      cpus = cpus + (tonumber((node.capacity or {}).cpus) or 1)
    end
  end
  if scale.per_node then return scale.per_node * hosts end
  return math.max(hosts > 0 and 1 or 0, cpus * scale.percent // 100)
end

local function wanted(state)
  local counts = {}
  for name, role in tables.sorted(state.roles) do
    role.failed = failed(state.input, name)
    local its = role.metadata[revision(role)]
    counts[name] = {}
    for daemon in tables.sorted(its.daemons) do
      counts[name][daemon] = (intent(role).scale or {})[daemon]
        or count(its.scale[daemon], places(state.nodes, its.place or {}))
    end
  end
  return counts
end

local function of_role(_, role, nodes)
  local its = role.metadata[revision(role)]
  local options = {versions = "newest", update = its.rollout}
  for daemon, scale in tables.sorted(its.scale) do
    if not (intent(role).scale or {})[daemon] then options[daemon .. "_max_per_node"] = scale.per_node end
    options[daemon .. "_spread_by"] = (its.place or {}).spread
  end
  return {settings = settings_of(options), nodes = places(nodes, its.place or {})}
end

local run = make_scheduler(wanted, {versions = "newest"}, of_role)

-- Schedules the services of an input, and returns the JSON of a schedule and the log. Other roles are left out.
function standard.schedule(input)
  return run(setmetatable({runtime = (split(input.runtime))}, {__index = input}))
end

-- Whether nothing is known of a role, as of a new file that cannot be read.
local function is_unread(metadata)
  return type(metadata) == "table" and next(metadata) == nil
end

-- The scheduler of a configuration that has only services. It fails if there are roles of another kind, so that they
-- stay as they are. A role of which nothing is known runs nothing.
function standard.scheduler(input)
  local _, others = split(input.runtime)
  for name, metadata in tables.sorted(others) do
    if is_unread(metadata) then others[name] = nil end
  end
  local name = next(others) and tables.keys(others)[1]
  if name then
    error("runtime/" .. name .. " needs a scheduler: write scheduler/v1/main.lua, which may run the services of roles/ by "
      .. "require(\"verwalter/standard\").beside", 0)
  end
  return standard.schedule(input)
end

-- A scheduler that gives services to the standard scheduler and all other roles to `own`.
function standard.beside(own)
  return function(input)
    local services, others = split(input.runtime)
    local pressed, rest = pressed_for(input.actions, services)
    local listed = endpoints.used(input.runtime)
    local mine, text = own(setmetatable({runtime = others, actions = rest, listed = listed}, {__index = input}))
    local theirs, log = run(setmetatable({runtime = services, actions = pressed, listed = listed}, {__index = input}))
    local data, more = json.decode(mine), json.decode(theirs)
    for _, part in ipairs {"roles", "state"} do
      data[part] = json.object(data[part] or {})
      for role, value in pairs(more[part] or {}) do data[part][role] = value end
    end
    data.nodes = json.object(data.nodes or {})
    for host, node in pairs(more.nodes) do
      data.nodes[host] = data.nodes[host] or {}
      data.nodes[host].roles = json.object(data.nodes[host].roles or {})
      for role, value in pairs(node.roles) do data.nodes[host].roles[role] = value end
    end
    data.changes = json.array(data.changes or {})
    for _, change in ipairs(more.changes) do data.changes[#data.changes + 1] = change end
    endpoints.attach(input, input.runtime, data)
    return json.encode(data), (text or "") .. (log or "")
  end
end

return standard
