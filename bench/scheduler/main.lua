-- A scheduler of one file, as people write them: the versions of a role come from the runtime, its
-- nodes from the peers that have been heard of lately. Instances stay where the parents had them;
-- new ones go to the nodes that have least to do. Buttons choose the version, or pause a role.
local json = require "verwalter/json"
local logs = require "verwalter/log"

local LOST_AFTER = 30000 -- milliseconds without a report
local FIRST_PORT, LAST_PORT = 8000, 9999

-- Input

local function alive_nodes(input)
  local nodes = {input.current_host}
  for _, peer in pairs(input.peers) do
    local seen = peer.last_report_direct
    if seen and input.now - seen < LOST_AFTER then
      nodes[#nodes + 1] = peer.hostname
    end
  end
  table.sort(nodes)
  return nodes
end

local function set_of(list)
  local set = {}
  for _, item in ipairs(list) do set[item] = true end
  return set
end

-- The newest state of each role that any parent knows.
local function merged_state(parents)
  local state = {}
  for _, parent in ipairs(parents) do
    for role, known in pairs(parent.state or {}) do
      local mine = state[role]
      if not mine or known.changed > mine.changed then
        state[role] = known
      end
    end
  end
  return state
end

-- The buttons of each role, in the order in which they were pressed.
local function pressed(actions, log)
  local ids, buttons = {}, {}
  for id in pairs(actions) do ids[#ids + 1] = id end
  table.sort(ids)
  for _, id in ipairs(ids) do
    local button = actions[id].button
    if button and button.role then
      local list = buttons[button.role] or {}
      buttons[button.role] = list
      list[#list + 1] = button
    else
      log:error(nil, "action ", id, " has no role")
    end
  end
  return buttons
end

-- Versions

-- "v1.10" comes after "v1.9": numbers count as numbers.
local function version_key(version)
  return (version:gsub("%d+", function(digits)
    return string.format("%08d", tonumber(digits))
  end))
end

local function sorted_versions(releases)
  local list, keys = {}, {}
  for version in pairs(releases) do
    list[#list + 1] = version
    keys[version] = version_key(version)
  end
  table.sort(list, function(a, b) return keys[a] < keys[b] end)
  return list
end

local function obey(buttons, state, releases, log, role)
  for _, button in ipairs(buttons or {}) do
    if button.action == "set_version" then
      if releases[button.version] then
        state.version = button.version
      else
        log:error(role, "has no version ", tostring(button.version))
      end
    elseif button.action == "pause" or button.action == "resume" then
      state.paused = button.action == "pause"
    else
      log:error(role, "has no button ", tostring(button.action))
    end
  end
end

-- Placement

-- What the parents had on nodes that are still there, and how many that is.
local function kept(counts, alive)
  local here, total = {}, 0
  for node, count in pairs(counts or {}) do
    if alive[node] then
      here[node] = count
      total = total + count
    end
  end
  return here, total
end

-- Lists of nodes by how many instances they have.
local function levels_of(nodes, load)
  local levels, lowest, highest = {}, math.huge, 0
  for _, node in ipairs(nodes) do
    local level = load[node]
    local list = levels[level]
    if not list then
      list = {}
      levels[level] = list
    end
    list[#list + 1] = node
    if level < lowest then lowest = level end
    if level > highest then highest = level end
  end
  return levels, lowest, highest
end

-- Puts more instances on the nodes that have least to do.
local function add(counts, missing, nodes, load)
  local levels, level = levels_of(nodes, load)
  while missing > 0 do
    local above = levels[level + 1] or {}
    for _, node in ipairs(levels[level]) do
      if missing == 0 then break end
      counts[node] = (counts[node] or 0) + 1
      load[node] = level + 1
      above[#above + 1] = node
      missing = missing - 1
    end
    level = level + 1
    levels[level] = above
  end
end

-- Takes instances from the nodes that have most to do.
local function remove(counts, surplus, nodes, load)
  local levels, lowest, highest = levels_of(nodes, load)
  for level = highest, math.max(lowest, 1), -1 do
    local below = levels[level - 1] or {}
    levels[level - 1] = below
    for _, node in ipairs(levels[level] or {}) do
      if surplus == 0 then return end
      local count = counts[node]
      if count then
        counts[node] = count > 1 and count - 1 or nil
        load[node] = level - 1
        below[#below + 1] = node
        surplus = surplus - 1
      end
    end
  end
end

local function place(wanted, known, fleet)
  local counts, total = kept(known, fleet.alive)
  if total < wanted then
    add(counts, wanted - total, fleet.nodes, fleet.load)
  elseif total > wanted then
    remove(counts, total - wanted, fleet.nodes, fleet.load)
  end
  return counts
end

-- The next free ports of a node; nil when it has none left.
local function take_ports(fleet, node, count)
  local first = fleet.next_port[node] or FIRST_PORT
  if first + count - 1 > LAST_PORT then return nil end
  fleet.next_port[node] = first + count
  local ports = {}
  for i = 1, count do ports[i] = first + i - 1 end
  return ports
end

-- The decision

local function schedule_role(role, releases, known, buttons, fleet, input, log)
  local available = sorted_versions(releases)
  if #available == 0 then error("no versions", 0) end
  local state = {version = known.version, paused = known.paused, changed = known.changed, counts = {}}
  obey(buttons, state, releases, log, role)
  if not releases[state.version] then
    state.version = available[#available]
  end
  if state.version ~= known.version or state.paused ~= known.paused then
    log:debug(role, tostring(known.version), " -> ", state.version)
    state.changed = input.now
  end
  for name, daemon in pairs(releases[state.version].daemons) do
    local wanted = state.paused and 0 or daemon.instances
    local counts = place(wanted, known.counts and known.counts[name], fleet)
    state.counts[name] = json.object(counts)
    for _, node in ipairs(fleet.nodes) do
      local count = counts[node]
      if count then
        local roles = fleet.placed[node].roles
        local mine = roles[role] or {version = state.version, daemons = {}}
        roles[role] = mine
        mine.daemons[name] = {
          image = daemon.image, config = daemon.config, instances = count,
          ports = daemon.port and take_ports(fleet, node, count) or nil,
        }
      end
    end
  end
  return state, {
    frontend = {kind = "api"}, versions = available, main_version = state.version,
  }
end

-- The nodes, with the load that stays on them.
local function fleet_of(input, state)
  local nodes = alive_nodes(input)
  local fleet = {nodes = nodes, alive = set_of(nodes), load = {}, placed = {}, next_port = {}}
  for _, node in ipairs(nodes) do
    fleet.load[node] = 0
    fleet.placed[node] = {roles = json.object {}, vars = {host = node}}
  end
  for role, known in pairs(state) do
    for _, counts in pairs(input.runtime[role] and known.counts or {}) do
      for node, count in pairs(counts) do
        if fleet.alive[node] then
          fleet.load[node] = fleet.load[node] + count
        end
      end
    end
  end
  return fleet
end

local function scheduler(input)
  local log = logs.new()
  local state = merged_state(input.parents)
  local buttons = pressed(input.actions, log)
  local fleet = fleet_of(input, state)
  local roles, new_state, names = {}, {}, {}
  for role in pairs(input.runtime) do names[#names + 1] = role end
  table.sort(names)
  for _, role in ipairs(names) do
    local known = state[role] or {changed = 0}
    local ok, result, shown = pcall(schedule_role, role, input.runtime[role], known, buttons[role],
      fleet, input, log)
    if ok then
      new_state[role], roles[role] = result, shown
    else
      log:error(role, "cannot be scheduled: ", result)
      new_state[role] = state[role]
    end
  end
  log:debug(nil, string.format("%d roles on %d nodes", #names, #fleet.nodes))
  return json.encode {
    roles = json.object(roles), nodes = json.object(fleet.placed), state = json.object(new_state),
    vars = {leader = input.current_host},
  }, log:text()
end

return {scheduler = scheduler}
