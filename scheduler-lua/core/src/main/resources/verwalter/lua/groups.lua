-- Groups: operators decide with actions what runs where, and update group by group.
--
--   return {scheduler = require("verwalter/groups").make_scheduler()}
--
-- A group of a role has a version, services (a daemon, its servers, the number of processes on
-- each, variables) and optionally an update. The web page shows roles of this kind with editors for
-- all of these. Services whose daemon has an `update.mode` are commands: they run only during their
-- stage of an update, and must be acknowledged.

local actions = require "verwalter/actions"
local buttons = require "verwalter/groups/buttons"
local entries = require "verwalter/scheduler/entries"
local health = require "verwalter/update/health"
local json = require "verwalter/json"
local log = require "verwalter/log"
local parents = require "verwalter/parents"
local placement = require "verwalter/placement"
local reasons = require "verwalter/reasons"
local tables = require "verwalter/tables"
local update = require "verwalter/update"
local versions = require "verwalter/versions"
local groups = {}

local DAY = 24 * 60 * 60 * 1000

-- Merges the groups of several states. For each group the first state that has it is used, except
-- that the times of the last deployments of versions are the latest of all.
function groups.merge(states)
  local merged = tables.copy(parents.merged(states, "groups"))
  for _, state in ipairs(states) do
    for name, group in tables.sorted(state.groups) do
      local times = merged[name].last_deployed or {}
      merged[name].last_deployed = times
      for version, time in pairs(group.last_deployed or {}) do times[version] = math.max(times[version] or 0, time) end
    end
  end
  return merged
end

local function daemon_of(metadata, version, service)
  local daemons = type(metadata[version]) == "table" and metadata[version].daemons
  local daemon = type(daemons) == "table" and daemons[service]
  return type(daemon) == "table" and daemon or nil
end

local function is_command(daemon)
  return type(daemon.update) == "table" and daemon.update.mode ~= nil
end

-- The daemons of a group's services, by the names of the services, for the plan of an update.
local function daemons_of(group, metadata, version)
  local found, counts = {}, {}
  for name, service in tables.sorted(group.services) do
    local daemon = daemon_of(metadata, version, service.service)
    if daemon then
      found[name] = daemon
      counts[name] = is_command(daemon) and 0 or #service.servers * service.number_per_server
    end
  end
  return found, counts
end

-- The pipeline for updating a group to a version: by the `update` settings of the daemons, or by
-- the settings of a strategy. Returns nil and the problem if there is none.
function groups.pipeline(group, metadata, version, settings)
  local daemons, counts = daemons_of(group, metadata, version)
  local good, pipeline = pcall(update.plan, settings or {strategy = "pipeline"}, daemons, counts)
  if not good then return nil, pipeline end
  if #pipeline == 0 then return nil, "there is nothing to update" end
  return pipeline
end

local function finish(group, context)
  local version = group.update and update.finished(group.update)
  if not version then return end
  group.last_deployed[group.version] = context.now()
  group.version, group.update = version, nil
end

local function tick(name, group, context)
  if not group.update then
    for _, action in ipairs(context.update_actions[name] or {}) do
      context.refuse(action.id, name .. ": there is no update to " .. tostring(action.update_action))
    end
    return
  end
  local own = {}
  for host, of_host in pairs(context.old) do
    own[host] = {}
    for key, entry in pairs(of_host) do
      if entry.group == name then own[host][key] = entry end
    end
  end
  group.update = update.tick(group.update, {
    now = context.now(), role = context.role, actions = context.update_actions[name],
    health = health.of(context.input, context.role, group.update.target_ver, own),
    say = function(text) context.change(name .. ": " .. text) end,
    refuse = function(action, text) context.refuse(action.id, name .. ": " .. text) end,
  })
  finish(group, context)
end

local function follow(name, group, context)
  local newest = context.known[1]
  if not group.auto_update or group.update or newest == group.version then return end
  -- A version that was deployed before is not tried again.
  if (group.last_deployed or {})[newest] then return end
  context.start(name, group, newest, true)
end

local function forget(group, context)
  local latest = tables.keys(group.last_deployed)
  table.sort(latest, function(a, b) return group.last_deployed[a] > group.last_deployed[b] end)
  for at = 2, #latest do
    if context.now() - group.last_deployed[latest[at]] > DAY then group.last_deployed[latest[at]] = nil end
  end
end

-- Placement

-- A group's services as daemons, with the variables that operators set.
local function named(group_name, service_name)
  return group_name .. "-" .. service_name
end

local function described(all, metadata)
  local described_ = {}
  for version, of_version in pairs(metadata) do
    if type(of_version) == "table" and type(of_version.daemons) == "table" then
      local daemons = {}
      for group_name, group in pairs(all) do
        for name, service in pairs(group.services) do
          local daemon = daemon_of(metadata, version, service.service)
          if daemon then
            local copied = tables.copy(daemon)
            for variable in pairs(service.variables or {}) do
              if type(copied.variables) == "table" then copied.variables[variable] = nil end
            end
            daemons[named(group_name, name)] = copied
          end
        end
      end
      described_[version] = {daemons = daemons, ports = of_version.ports}
    end
  end
  return described_
end

-- The number of processes of each version, for each service on each of its servers.
local function split(all, metadata)
  local result = {}
  for group_name, group in tables.sorted(all) do
    local current = group.update
    local version = current and current.target_ver or group.version
    local _, counts = daemons_of(group, metadata, version)
    local running = current and tables.list_to_set(update.commands(current)) or {}
    local shares = current and update.counts(current, counts)
    for name, service in tables.sorted(group.services) do
      local daemon = daemon_of(metadata, version, service.service)
      local total, key = service.number_per_server, named(group_name, name)
      local parts
      if not daemon then
        parts = nil
      elseif is_command(daemon) then
        parts = running[name] and {[version] = total} or nil
      elseif not current then
        parts = {[group.version] = total}
      end
      local of_item = not parts and daemon and not is_command(daemon)
        and update.spread(service.servers, total, shares[name], 0) or {}
      for _, host in ipairs(service.servers) do
        result[host] = result[host] or {}
        result[host][key] = parts or of_item[host]
      end
      -- Side by side, both versions run all their processes.
      if current and shares[name] and tables.sum(shares[name]) > counts[name] then
        for _, host in ipairs(service.servers) do
          result[host][key] = {[current.source_ver] = total, [current.target_ver] = total}
        end
      end
    end
  end
  return result
end

local function service_of(all, key)
  for group_name, group in pairs(all) do
    for name, service in pairs(group.services) do
      if named(group_name, name) == key then return service, group_name end
    end
  end
end

-- The entries of process files: {host = {entry = {daemon=, version=, instances=, ports=, group=}}}.
function groups.entries(all, metadata, old, why)
  local known, hosts = described(all, metadata), {}
  for host, of_host in tables.sorted(split(all, metadata)) do
    local found = entries.of(old[host] or {}, of_host, known)
    local taken = {}
    for _, entry in pairs(found) do
      for _, value in pairs(service_of(all, entry.daemon).variables or {}) do
        if math.tointeger(tonumber(value)) then taken[math.tointeger(tonumber(value))] = "a variable" end
      end
    end
    for name in tables.sorted(entries.assign_ports(found, known, taken)) do
      why(name .. " on " .. host .. " cannot run: its allowed ports are all taken")
    end
    for _, entry in pairs(found) do
      local _, group_name = service_of(all, entry.daemon)
      entry.group = group_name
    end
    hosts[host] = found
  end
  return hosts, known
end

-- Roles

local function information(all, context)
  local info = json.object {}
  for _, version in ipairs(context.known) do
    local metadata = tables.copy(context.metadata[version])
    metadata.group_pipelines = json.object {}
    for name, group in tables.sorted(all) do
      if version ~= group.version then
        metadata.group_pipelines[name] = groups.pipeline(group, context.metadata, version, context.settings)
      end
    end
    info[version] = metadata
  end
  return info
end

local function variables(all, of_host, known, role, metadata, context)
  local daemons, newest = json.object {}, nil
  for name, entry in pairs(of_host) do
    local shown = entries.variables(entry, known)
    local service = service_of(all, entry.daemon)
    for variable, value in pairs(service.variables or {}) do
      shown.variables = shown.variables or {}
      shown.variables[variable] = tostring(value)
    end
    shown.service, shown.group = service.service, entry.group
    daemons[name] = shown
    if versions.compare(newest, entry.version) then newest = entry.version end
  end
  local template = metadata[newest].template
  return {
    template = type(template) == "string" and template or role .. "/" .. newest, version = newest, daemons = daemons,
  }
end

local function marked(map)
  local object = json.object {}
  for key, value in pairs(map) do
    object[key] = type(value) == "table" and #value == 0 and marked(value) or value
  end
  return object
end

local function marked_groups(all)
  local object = json.object {}
  for name, group in pairs(all) do
    for key, service in pairs(group.services) do
      service.servers = json.array(service.servers)
      group.services[key] = service
    end
    json.object(group.services)
    json.object(group.last_deployed)
    object[name] = group
  end
  return object
end

local function context_of(run, role, metadata, states)
  local input = run.input
  local context = {
    role = role, metadata = metadata, input = input, update_actions = {}, settings = run.settings,
    known = versions.known(metadata),
    old = parents.merged(states, "hosts"),
    now = function() return input.now end,
    why = function(text)
      run.journal:debug(role, text)
      reasons.give(role, text)
    end,
    change = function(text)
      run.journal:debug(role, text)
      run.data.changes[#run.data.changes + 1] = role .. ": " .. text
    end,
  }
  function context.refuse(id, text)
    context.why("action " .. id .. " was refused: " .. text)
    actions.refuse(id, "Refused", text)
  end
  -- Begins an update; returns the problem if it cannot.
  function context.start(name, group, target, auto)
    local pipeline, problem = groups.pipeline(group, metadata, target, run.settings)
    if not pipeline and not auto then return problem end
    context.change(name .. ": update from " .. group.version .. " to " .. target)
    if pipeline then
      group.update = update.start {
        source = group.version, target = target, pipeline = pipeline, now = input.now, auto = auto,
      }
    else
      group.last_deployed[group.version] = input.now
      group.version = target
    end
  end
  return context
end

local function schedule_role(run, role, metadata)
  local states = parents.states(run.input.parents, role)
  local context = context_of(run, role, metadata, states)
  local all = groups.merge(states)
  for _, group in pairs(all) do group.last_deployed = group.last_deployed or {} end
  local requested, wrong = actions.read(run.input.actions, role, buttons.fields(context.known))
  for _, each in ipairs(wrong) do context.why("action " .. each.id .. " was ignored: " .. each.text) end
  for _, request in ipairs(requested) do
    local problem = buttons.press(all, request, context)
    if problem then
      context.refuse(request.id, request.action .. ": " .. problem)
    elseif request.action ~= "update_action" then
      context.why("action " .. request.id .. ", " .. request.action .. ": done")
    end
  end
  for name, group in tables.sorted(all) do
    follow(name, group, context)
    tick(name, group, context)
    forget(group, context)
  end
  local hosts, known = groups.entries(all, metadata, context.old, context.why)
  for host, of_host in pairs(hosts) do health.remember(run.input, role, host, context.old[host], of_host) end
  local data = run.data
  local state = {groups = marked_groups(all), hosts = json.object {}}
  for host, of_host in tables.sorted(hosts) do
    if next(of_host) then
      state.hosts[host] = marked(of_host)
      data.nodes[host] = data.nodes[host] or {roles = json.object {}}
      data.nodes[host].roles[role] = variables(all, of_host, known, role, metadata, context)
    end
  end
  local last = states[1] or {}
  state.changed = tables.same({groups = last.groups, hosts = last.hosts}, {groups = state.groups, hosts = state.hosts})
    and last.changed or context.now()
  data.state[role] = state
  data.roles[role] = {
    frontend = {kind = "api"}, versions = json.array(context.known), version_info = information(all, context),
  }
end

-- Makes a scheduler for roles with groups. `options.update` is a strategy with settings for all
-- updates (see update.plan); without it the `update` settings of each daemon apply (see
-- update/pipeline). groups/buttons lists the actions.
function groups.make_scheduler(options)
  for name in tables.sorted(options) do
    if name ~= "update" then error("groups have no option " .. tostring(name), 2) end
  end
  local settings = options and options.update
  return function(input)
    local run = {input = input, settings = settings, journal = log.new(), data = {
      roles = json.object {}, nodes = json.object {}, state = json.object {}, changes = json.array {},
      owner_hostname = input.current_host,
    }}
    for _, node in ipairs(placement.nodes(input)) do run.data.nodes[node.hostname] = {roles = json.object {}} end
    for role, metadata in tables.sorted(input.runtime) do
      if type(metadata) == "table" then schedule_role(run, role, metadata) end
    end
    for _, stray in ipairs(actions.stray(input.actions, run.data.roles)) do
      run.journal:error(nil, "action ", stray.id, " was ignored: ", stray.text)
    end
    return json.encode(run.data), run.journal:text()
  end
end

return groups
