-- A typical scheduler: reads versions from the runtime and nodes from the peers, assigns ports,
-- executes actions, and keeps earlier decisions through the state of the parents.
local json = require "verwalter/json"
local logs = require "verwalter/log"
local versions = require "lib/versions"
local ports = require "lib/ports"

local runs = 0

-- The newest button of each role and kind; buttons are numbered in the order they were pressed.
local function pressed(actions, log)
  local ids, latest = {}, {}
  for id in pairs(actions) do ids[#ids + 1] = id end
  table.sort(ids)
  for _, id in ipairs(ids) do
    local button = actions[id].button
    if type(button) ~= "table" or type(button.role) ~= "string" then
      log:error(nil, "action ", id, " has no role")
    else
      latest[button.role] = latest[button.role] or {}
      latest[button.role][button.action or "?"] = button
    end
  end
  return latest
end

local function merged_state(parents)
  local state = {}
  for _, parent in ipairs(parents) do
    for role, known in pairs(parent.state or {}) do
      local mine = state[role]
      if mine == nil or known.change_ts > mine.change_ts then
        state[role] = known
      end
    end
  end
  return state
end

local function alive_nodes(input)
  local nodes = {input.current_host}
  for _, peer in pairs(input.peers) do
    if peer.last_report_direct and input.now - peer.last_report_direct < 30000 then
      nodes[#nodes + 1] = peer.hostname
    end
  end
  table.sort(nodes)
  return nodes
end

local function choose_version(role, available, state, buttons, now, log)
  local current = state and state.version
  local wanted = buttons and buttons.set_version and buttons.set_version.version
  if wanted then
    if versions.contains(available, wanted) then
      if wanted ~= current then
        log:debug(role, "version ", tostring(current), " -> ", wanted)
        return wanted, now
      end
    else
      log:error(role, "no version ", wanted)
    end
  end
  if current and versions.contains(available, current) then
    return current, state.change_ts
  end
  return available[#available], now
end

local function spread(count, nodes, seed)
  local result = {}
  local each, rest = count // #nodes, count % #nodes
  for i, node in ipairs(nodes) do
    local extra = (i - 1 - seed) % #nodes < rest and 1 or 0
    result[node] = each + extra
  end
  return result
end

local function schedule_role(role, meta, known, buttons, input, nodes, taken, log)
  local available = versions.sorted(meta)
  if #available == 0 then
    log:error(role, "has no versions")
    return nil
  end
  local version, changed = choose_version(role, available, known, buttons, input.now, log)
  local release = meta[version]
  local instances = {}
  local names = {}
  for name in pairs(release.daemons or {}) do names[#names + 1] = name end
  table.sort(names)
  for seed, name in ipairs(names) do
    local daemon = release.daemons[name]
    local counts = spread(daemon.instances or 1, nodes, seed - 1)
    for _, node in ipairs(nodes) do
      local count = counts[node]
      if count > 0 then
        local handed = {}
        for i = 1, count do
          handed[i] = daemon.port and ports.take(taken, node, release.ports or {"8000-8999"}) or nil
        end
        instances[node] = instances[node] or {}
        instances[node][name] = {
          image = daemon.image, config = daemon.config, instances = count,
          ports = #handed > 0 and handed or nil,
        }
      end
    end
  end
  return {
    version = version, change_ts = changed, available = available, instances = instances,
  }
end

local function scheduler(input)
  runs = runs + 1
  local log = logs.new()
  local buttons = pressed(input.actions, log)
  local state = merged_state(input.parents)
  local nodes = alive_nodes(input)
  local taken, roles, new_state, placed, changes = {}, {}, {}, {}, {}
  for _, node in ipairs(nodes) do
    placed[node] = {roles = json.object {}, vars = {host = node}, shortinfo = "run"}
  end
  local names = {}
  for role in pairs(input.runtime) do names[#names + 1] = role end
  table.sort(names)
  for _, role in ipairs(names) do
    local ok, result = pcall(schedule_role, role, input.runtime[role], state[role], buttons[role],
      input, nodes, taken, log)
    if not ok then
      log:error(role, "cannot be scheduled: ", result)
    elseif result then
      roles[role] = {
        frontend = {kind = "api"}, versions = result.available, main_version = result.version,
      }
      new_state[role] = {version = result.version, change_ts = result.change_ts}
      if result.change_ts == input.now then
        changes[#changes + 1] = role .. ": " .. result.version
      end
      for node, daemons in pairs(result.instances) do
        placed[node].roles[role] = {daemons = daemons, version = result.version}
      end
    end
  end
  log:debug(nil, string.format("%d roles on %d nodes, load %.2f", #names, #nodes, #names / #nodes))
  return json.encode {
    roles = json.object(roles), nodes = placed, state = json.object(new_state),
    vars = {leader = input.current_host, runs = runs}, changes = changes,
  }, log:text()
end

return {scheduler = scheduler}
