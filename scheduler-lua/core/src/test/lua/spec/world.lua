-- A small cluster for specs: runs a scheduler repeatedly on its previous schedule.

local json = require "verwalter/json"
local world = {}
world.__index = world

local START = 1700000000000

-- A cluster with nodes of these names. `input` is the input of the next run.
function world.new(...)
  local nodes = {}
  for _, name in ipairs {...} do
    nodes[name] = {id = "id-" .. name, hostname = name, labels = {}, capacity = {cpus = 4}, cordoned = false, ready = true}
  end
  return setmetatable({
    input = {
      now = START, current_host = (...), current_id = "id-" .. (...), parents = {}, actions = {}, peers = {},
      metrics = {}, runtime = {}, nodes = nodes,
    },
    actions = 0, started = {},
  }, world)
end

-- Metadata of one version of a role.
function world:version(role, version, daemons, more)
  self.input.runtime[role] = self.input.runtime[role] or {}
  local metadata = {daemons = daemons, timestamp = 1600000000}
  for key, value in pairs(more or {}) do metadata[key] = value end
  self.input.runtime[role][version] = metadata
  return self
end

function world:press(button)
  self.actions = self.actions + 1
  self.input.actions[self.actions] = {button = button}
  return self
end

function world:after(seconds)
  self.input.now = self.input.now + math.floor(seconds * 1000)
  return self
end

-- Runs a scheduler; returns the schedule, which is the parent of the next run. `refused` has the
-- errors of its answers to actions, by id.
function world:run(scheduler)
  local engine = answer
  self.refused = {}
  answer = function(id, text) self.refused[id] = json.decode(text).error end
  local text, log = scheduler(self.input)
  answer = engine
  self.text, self.log = text, log
  self.data = json.decode(text)
  self.input.parents = {self.data}
  self.input.actions = {}
  return self.data
end

-- Processes of a role: {host = {entry = instances}}.
function world:processes(role)
  local found = {}
  for host, node in pairs(self.data.nodes) do
    local variables = node.roles[role]
    for name, daemon in pairs(variables and variables.daemons or {}) do
      found[host] = found[host] or {}
      found[host][name] = daemon.instances
    end
  end
  return found
end

-- The number of processes of a role by version: {v1 = 3}.
function world:versions(role)
  local found = {}
  for _, node in pairs(self.data.nodes) do
    for _, daemon in pairs(node.roles[role] and node.roles[role].daemons or {}) do
      found[daemon.version] = (found[daemon.version] or 0) + daemon.instances
    end
  end
  return found
end

-- The time at which a process was started: when it was observed first with this version.
function world:start(slot, version)
  local its = self.started[slot]
  if not its or its.version ~= version then
    its = {version = version, at = math.max(self.input.now, its and its.at + 1 or 0)}
    self.started[slot] = its
  end
  return its.at
end

-- Reports all processes of the last schedule as running, except broken ones, named "host/entry".
function world:observe(broken)
  self.input.instances = {}
  for host, node in pairs(self.data.nodes) do
    for role, variables in pairs(node.roles) do
      local processes = {}
      for name, daemon in pairs(variables.daemons) do
        local bad = broken == host .. "/" .. name
        for index = 0, daemon.instances - 1 do
          local slot = role .. "/" .. name .. "." .. index
          local since = self:start(host .. "/" .. slot, daemon.version)
          processes[slot] = {state = bad and "broken" or "running", since = bad and 0 or since, restarts = 0}
        end
      end
      self.input.instances[host] = self.input.instances[host] or {}
      self.input.instances[host][role] = {state = "running", version = variables.version, processes = processes}
    end
  end
  return self
end

return world
