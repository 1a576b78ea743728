-- The entries of process files for the processes of a role on one host.
--
-- An entry is {daemon=, version=, instances=, ports=}. All processes of an entry are equal, so a
-- process that needs its own ports has its own entry, web-0, web-1 and so on, which keeps its name
-- and ports across versions. Other daemons have one entry for each version: `worker`, and while
-- another version uses that name, `worker-v2`. An entry is never renamed, since that would restart
-- its processes.

local ports = require "verwalter/ports"
local tables = require "verwalter/tables"
local versions = require "verwalter/versions"
local entries = {}

-- The names of a daemon's variables of type port.
local function port_variables(daemon)
  local names = {}
  for name, variable in tables.sorted(type(daemon.variables) == "table" and daemon.variables or {}) do
    if type(variable) == "table" and variable.type == "TcpPort" then names[#names + 1] = name end
  end
  return names
end

local function metadata_of(metadata, version, daemon)
  return ((metadata[version] or {}).daemons or {})[daemon] or ((metadata[version] or {}).commands or {})[daemon] or {}
end

local function index_of(name)
  return tonumber(name:match("%-(%d+)$"))
end

-- Versions in the order in which they get entries: the longest running first.
local function by_age(counts)
  local list = tables.keys(counts)
  table.sort(list, versions.compare)
  return list
end

-- Names of entries by number; those whose processes do not serve are last, so that they end first.
local function by_index(old, unsettled)
  local names = tables.keys(old)
  local function down(name) return unsettled[name] and unsettled[name].down > 0 or false end
  table.sort(names, function(a, b)
    if down(a) ~= down(b) then return down(b) end
    return (index_of(a) or 0) < (index_of(b) or 0)
  end)
  return names
end

-- `others` are the versions without ports, whose entries keep their names.
local function single(old, daemon, counts, others, unsettled)
  local slots, wanted, free, taken = {}, {}, {}, {}
  for version, count in pairs(counts) do wanted[version] = count end
  local names = by_index(old, unsettled)
  for _, name in ipairs(names) do
    local was = old[name]
    if was.daemon == daemon and (others[was.version] or 0) > 0 then
      taken[name] = true
    elseif was.daemon == daemon and index_of(name) then
      if (wanted[was.version] or 0) > 0 then
        wanted[was.version] = wanted[was.version] - 1
        slots[name] = {daemon = daemon, version = was.version, instances = 1, ports = was.ports}
      else
        free[#free + 1] = name
      end
    end
  end
  local function next_name()
    if free[1] then return table.remove(free, 1) end
    local index = 0
    while slots[daemon .. "-" .. index] or taken[daemon .. "-" .. index] do index = index + 1 end
    return daemon .. "-" .. index
  end
  for _, version in ipairs(by_age(wanted)) do
    for _ = 1, wanted[version] do
      local name = next_name()
      slots[name] = {daemon = daemon, version = version, instances = 1, ports = (old[name] or {}).ports}
    end
  end
  return slots
end

local function grouped(old, daemon, counts)
  local found, names = {}, {}
  for name, was in tables.sorted(old) do
    if was.daemon == daemon and (counts[was.version] or 0) > 0 and not names[was.version] then names[was.version] = name end
  end
  local taken = {}
  for _, name in pairs(names) do taken[name] = true end
  for _, version in ipairs(by_age(counts)) do
    if counts[version] > 0 then
      local name = names[version] or not taken[daemon] and daemon or daemon .. "-" .. version
      taken[name] = true
      found[name] = {daemon = daemon, version = version, instances = counts[version]}
    end
  end
  return found
end

-- The entries for the processes of a host, {daemon = {version = count}}, given the previous ones, and which of these are
-- not settled, as health.unsettled returns them.
function entries.of(old, split, metadata, unsettled)
  local found = {}
  unsettled = unsettled or {}
  for daemon, counts in tables.sorted(split) do
    local with_ports, without = {}, {}
    for version, count in pairs(counts) do
      local listens = #port_variables(metadata_of(metadata, version, daemon)) > 0
      if count > 0 then (listens and with_ports or without)[version] = count end
    end
    if next(with_ports) then
      for name, entry in pairs(single(old, daemon, with_ports, without, unsettled)) do found[name] = entry end
    end
    for name, entry in pairs(grouped(old, daemon, without)) do found[name] = entry end
  end
  return found
end

-- Gives ports to the entries that need them, and returns those that get none, as {name = true}.
local function assign(found, metadata, taken)
  local without = {}
  local jobs = {}
  for name, entry in tables.sorted(found) do
    local daemon = metadata_of(metadata, entry.version, entry.daemon)
    for _, variable in ipairs(port_variables(daemon)) do
      local allowed = daemon.variables[variable].ports or metadata[entry.version].ports
      local which = table.concat(allowed or {}, ",")
      jobs[which] = jobs[which] or {names = {}, previous = {}, ports = allowed}
      local job, key = jobs[which], name .. "\0" .. variable
      job.names[#job.names + 1] = key
      job.previous[key] = (entry.ports or {})[variable]
    end
    entry.ports = nil
  end
  -- Kept ports are reserved before new ones are assigned, also to other versions.
  local held = {}
  for _, job in tables.sorted(jobs) do
    for key, port in tables.sorted(job.previous) do held[port] = held[port] or key end
  end
  for _, job in tables.sorted(jobs) do
    local own = setmetatable({}, {
      __index = function(_, port)
        local holder = held[port]
        return taken[port] or holder and job.previous[holder] ~= port and holder or nil
      end,
      __newindex = function(_, port, owner) taken[port] = owner end,
    })
    local given, left = ports.assign(job.names, job.ports, job.previous, own)
    for key, port in pairs(given) do
      local name, variable = key:match("^(.*)%z(.*)$")
      found[name].ports = found[name].ports or {}
      found[name].ports[variable] = port
    end
    for _, key in ipairs(left) do without[key:match("^(.*)%z")] = true end
  end
  return without
end

local function former(was)
  return {daemon = was.daemon, version = was.version, instances = was.instances, ports = was.ports}
end

-- Removes an entry that has no port. The process of another version that it was to replace stays: an entry of its name,
-- which goes to `kept`, or one process of a former entry without ports. Returns the version that stays, if one does.
local function take_back(name, found, kept, old)
  local entry, was = found[name], old[name]
  found[name] = nil
  if was and was.daemon == entry.daemon and was.version ~= entry.version then
    kept[name] = former(was)
    return was.version
  end
  for other, before in tables.sorted(old) do
    local is = found[other]
    if before.daemon == entry.daemon and before.version ~= entry.version and not before.ports
      and (not is or is.version == before.version and is.instances < before.instances) then
      found[other] = former(before)
      found[other].instances = (is and is.instances or 0) + 1
      return before.version
    end
  end
end

-- Assigns ports to the entries that need them: of the `ports` of the variable, or of the version. Removes entries without a
-- port, and keeps what ran before instead of them, given the entries of the last schedule. Returns {name = version} of the
-- removed ones, with the version that stays, or false. `taken` is {port = owner} of other roles' ports on this host.
function entries.assign_ports(found, metadata, taken, old)
  local removed, kept, before = {}, {}, {}
  for name, entry in pairs(found) do before[name] = entry.ports end
  while true do
    local given = {}
    for name, entry in pairs(kept) do
      for variable, port in pairs(entry.ports or {}) do given[port] = name .. "\0" .. variable end
    end
    local without = assign(found, metadata, setmetatable(given, {__index = taken}))
    if not next(without) then
      for port, owner in pairs(given) do taken[port] = owner end
      break
    end
    for name in tables.sorted(without) do removed[name] = take_back(name, found, kept, old or {}) or false end
    for name, entry in pairs(found) do entry.ports = before[name] end
  end
  for name, entry in pairs(kept) do found[name] = entry end
  return removed
end

local HIDDEN = {update = true, variables = true, instances = true, ports = true}

-- The variables of an entry for templates.
function entries.variables(entry, metadata)
  local shown = {}
  for key, value in pairs(metadata_of(metadata, entry.version, entry.daemon)) do
    if not HIDDEN[key] then shown[key] = value end
  end
  shown.instances, shown.version, shown.daemon = entry.instances, entry.version, entry.daemon
  if entry.ports then
    shown.variables = {}
    for name, port in pairs(entry.ports) do shown.variables[name] = tostring(port) end
  end
  return shown
end

return entries
