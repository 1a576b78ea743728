-- Makes a scheduler of a function that returns the wanted numbers of processes.
--
--   local make_scheduler = require("verwalter/scheduler").make_scheduler
--   local function schedule_simple(state) return {web = {worker = 12}} end
--   return {scheduler = make_scheduler(schedule_simple, {
--     worker_grow_rate = "5 processes per second",
--     worker_decline_rate = "1 process per second",
--   })}

local actions = require "verwalter/actions"
local endpoints = require "verwalter/endpoints"
local json = require "verwalter/json"
local log = require "verwalter/log"
local metrics = require "verwalter/metrics"
local options_of = require "verwalter/scheduler/options"
local parents = require "verwalter/parents"
local placement = require "verwalter/placement"
local reasons = require "verwalter/reasons"
local roles = require "verwalter/scheduler/roles"
local tables = require "verwalter/tables"
local versions = require "verwalter/versions"
local scheduler = {}

-- The view of a role that the user's function gets.
local function about(input, role, metadata, last)
  local defaults = {}
  local known = versions.known(metadata)
  for name, daemon in pairs(known[1] and metadata[known[1]].daemons or {}) do
    if type(daemon) == "table" and math.type(daemon.instances) == "integer" then defaults[name] = daemon.instances end
  end
  return {
    metadata = metadata,
    versions = known,
    version = last.running,
    counts = last.counts or {},
    wanted = last.wanted or {},
    instances = defaults,
    memory = last.memory,
    metrics = metrics.reader(input, role),
  }
end

-- The argument of the user's function. The time is read only on access, since a decision that
-- depends on it must be repeated every few seconds.
local function situation(input, nodes, lasts)
  local state = {input = input, nodes = nodes, roles = {}}
  for role, metadata in tables.sorted(input.runtime) do
    if type(metadata) == "table" then
      state.roles[role] = about(input, role, metadata, lasts[role][1] or {})
    end
  end
  return setmetatable(state, {
    __index = function(_, key)
      if key == "now" then return input.now end
    end,
  })
end

local function check_counts(wanted, state)
  if type(wanted) ~= "table" then
    error("the scheduling function must return a table such as {web = {worker = 12}}, but returned a " .. type(wanted), 0)
  end
  for role, counts in tables.sorted(wanted) do
    local known = state.roles[role]
    if not known then
      error("the scheduling function wants processes of " .. tostring(role) .. ", but there is no such role in runtime/", 0)
    elseif type(counts) ~= "table" then
      error("the scheduling function must give a table of counts for " .. role .. ", but gave a " .. type(counts), 0)
    end
    for daemon, count in tables.sorted(counts) do
      local what = "the scheduling function wants " .. tostring(count) .. " " .. tostring(daemon) .. " of " .. role
      local whole = type(count) == "number" and math.tointeger(count)
      if not whole or whole < 0 then
        error(what .. ", which is not a whole number of processes", 0)
      end
      counts[daemon] = whole
      local found = #known.versions == 0
      for _, version in ipairs(known.versions) do
        found = found or known.metadata[version].daemons[daemon] ~= nil
      end
      if not found then error(what .. ", but no version has such a daemon", 0) end
    end
  end
end

local function decide(input, schedule_simple, settings, of_role)
  local lasts, nodes = {}, placement.nodes(input)
  for role in tables.sorted(input.runtime) do lasts[role] = parents.states(input.parents, role) end
  local state = situation(input, nodes, lasts)
  local wanted, memories = schedule_simple(state)
  check_counts(wanted, state)
  local run = {
    input = input, nodes = nodes, settings = settings, journal = log.new(),
    reserved = roles.reserved(lasts), listed = input.listed or endpoints.used(input.runtime),
    data = {
      roles = json.object {}, nodes = json.object {}, state = json.object {}, changes = json.array {},
      owner_hostname = input.current_host, query_metrics = settings.query_metrics,
    },
  }
  for _, node in ipairs(nodes) do run.data.nodes[node.hostname] = {roles = json.object {}} end
  for role in tables.sorted(state.roles) do
    local its = of_role and setmetatable(of_role(role, state.roles[role], nodes), {__index = run}) or run
    roles.schedule(its, role, {
      metadata = state.roles[role].metadata, states = lasts[role], wanted = wanted[role],
      memory = type(memories) == "table" and memories[role],
    })
  end
  endpoints.attach(input, input.runtime, run.data)
  for _, stray in ipairs(actions.stray(input.actions, state.roles)) do
    run.journal:error(nil, "action ", stray.id, ": ", stray.text)
    reasons.give("", "action " .. stray.id .. " was ignored: " .. stray.text)
  end
  return run
end

-- Makes a scheduler of a function and options; main.lua returns it in a table.
--
-- The function gets a table with `roles`, `nodes` (see placement.nodes), `now` and the whole
-- `input`. Each role below runtime/ has its `metadata`, `versions` (newest first), `version` (the
-- running one), `counts` (of running processes), `wanted` (the previous result), `instances` (from
-- the metadata of the newest version), `memory` (see below) and `metrics` (see metrics.reader). The
-- function returns the wanted numbers, {role = {daemon = count}}, and optionally data to keep,
-- {role = anything}, which is `roles[role].memory` in the next run. Roles and daemons that it omits
-- stay unchanged. It must be pure: equal input gives equal results.
--
-- The options, for a daemon named worker of any role:
--
--   worker_grow_rate      maximum rate of growth: "5 processes per second" (minute, hour)
--   worker_decline_rate   maximum rate of decline
--   worker_spread_by      name of a label of nodes; each of its values gets the same share
--   worker_max_per_node   maximum of a node
--
-- and for all daemons:
--
--   weigh_by              "cpus" (default), "memory_bytes" or "nothing"
--   versions              "auto" (default), "manual" or "newest"; see versions.select
--   update                a strategy, or a table with its settings: see update.plan
--   replace_lost_after    seconds (default 300) until the processes of a node that was removed, or that is not
--                         ready although it answers, are started elsewhere; node_loss_policy in the
--                         settings of a role is for nodes that do not answer
--   query_metrics         metric queries; copied to the schedule
--
-- An invalid option raises an error that names it.
--
-- `of_role` is for schedulers with settings of their own for each role: it gets the name, the view of the role as above
-- and all nodes, and returns {settings =, nodes =}, with settings as scheduler.settings returns them.
function scheduler.make_scheduler(schedule_simple, options, of_role)
  if type(schedule_simple) ~= "function" then
    error("make_scheduler needs a function that returns the wanted processes, not a " .. type(schedule_simple), 2)
  end
  local settings = options_of.read(options or {})
  return function(input)
    local run = decide(input, schedule_simple, settings, of_role)
    return json.encode(run.data), run.journal:text()
  end
end

-- Checks options as make_scheduler does, and returns them as settings.
function scheduler.settings(options)
  return options_of.read(options)
end

return scheduler
