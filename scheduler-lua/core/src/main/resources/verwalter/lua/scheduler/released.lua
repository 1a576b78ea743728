-- The ports of processes that are not wanted any more and are still being stopped, so that nobody else gets these ports.
--
-- A list of {name=, since=, ports=}: the entry, the start of its process as the node reported it, and the ports.

local tables = require "verwalter/tables"
local released = {}

-- The start of the last process that a node reports for each entry of a role, {entry = since}.
local function starts(input, role, host)
  local found = {}
  local reported = ((type(input.instances) == "table" and input.instances[host] or {})[role] or {}).processes
  for slot, process in tables.sorted(reported) do
    local name = slot:gsub("^.*/", ""):gsub("%.%d+$", "")
    found[name] = process.since or found[name]
  end
  return found
end

-- The list of a host, given the one before, and the entries of the last schedule and of the next one. A process of an entry
-- that was not wanted is the old one, also if it has been started again.
function released.of(input, role, host, before, old, found)
  local running, list = starts(input, role, host), {}
  for _, each in ipairs(before or {}) do
    local since, is = running[each.name], found[each.name]
    if is and tables.same(is.ports, each.ports) then since = nil end
    if since and (since == each.since or not (old or {})[each.name]) then
      list[#list + 1] = {name = each.name, since = since, ports = each.ports}
    end
  end
  for name, was in tables.sorted(old) do
    local is = found[name]
    if was.ports and running[name] and not (is and tables.same(is.ports, was.ports)) then
      list[#list + 1] = {name = name, since = running[name], ports = was.ports}
    end
  end
  return list
end

-- Gives new entries of the names in a list the ports that these had.
function released.restore(list, found)
  for _, each in ipairs(list or {}) do
    local entry = found[each.name]
    if entry and not entry.ports then entry.ports = tables.copy(each.ports) end
  end
end

-- Adds the ports of a list to {port = owner}.
function released.reserve(list, taken, owner)
  for _, each in ipairs(list or {}) do
    for _, port in pairs(each.ports) do taken[port] = taken[port] or owner end
  end
end

return released
