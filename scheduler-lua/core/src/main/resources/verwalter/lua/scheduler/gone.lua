-- Versions that processes still run and whose metadata is gone, such as those of removed files. What the last schedule says
-- of them is enough to leave these processes as they are until an update replaces them.

local tables = require "verwalter/tables"
local gone = {}

-- What is not from the metadata in the variables of an entry, and of a role.
local OF_ENTRY = {instances = true, version = true, daemon = true, variables = true}
local OF_ROLE = {template = true, version = true, active_version = true, daemons = true, cron = true}

local function without(map, names)
  local rest = {}
  for key, value in pairs(map) do
    if not names[key] then rest[key] = value end
  end
  return rest
end

-- The variables of a role on a host in the last schedule that has some.
local function variables_of(parents, role, host)
  for _, parent in ipairs(parents or {}) do
    local its = (((parent.nodes or {})[host] or {}).roles or {})[role]
    if type(its) == "table" then return its end
  end
  return {}
end

-- Adds what the variables of a host say of a version. A command by time that is on several hosts is one of each.
local function add_variables(its, variables, version)
  if variables.template == "" then its.template = "" end
  if variables.version ~= version then return end
  its.vars, its.template = its.vars or without(variables, OF_ROLE), variables.template
  for _, name in ipairs(type(variables.cron) == "table" and variables.cron or {}) do
    its.cron[name] = its.cron[name] and "each" or "one"
  end
end

-- Adds a daemon as its entry shows it. It may have only the ports that its processes have.
local function add_daemon(its, entry, shown)
  local daemon = its.daemons[entry.daemon] or without(type(shown) == "table" and shown or {}, OF_ENTRY)
  its.daemons[entry.daemon] = daemon
  daemon.variables = daemon.variables or {}
  for variable, port in tables.sorted(entry.ports) do
    daemon.variables[variable] = daemon.variables[variable] or {type = "TcpPort", ports = {}}
    table.insert(daemon.variables[variable].ports, port)
  end
end

-- Replaces the metadata of the versions that are gone: {version = {daemons=, vars=, template=, cron=}} of the entries of the
-- last schedule, {host = {entry = {version=, daemon=}}}. Commands that an update runs once are left out.
function gone.versions(input, role, metadata, old)
  local found = {}
  for host, of_host in tables.sorted(old) do
    local variables, seen = nil, {}
    for name, entry in tables.sorted(of_host) do
      local version = entry.version
      if not metadata[version] and name ~= "cmd_" .. entry.daemon then
        variables = variables or variables_of(input.parents, role, host)
        found[version] = found[version] or {daemons = {}, cron = {}}
        if not seen[version] then add_variables(found[version], variables, version) end
        seen[version] = true
        add_daemon(found[version], entry, type(variables.daemons) == "table" and variables.daemons[name])
      end
    end
  end
  return found
end

return gone
