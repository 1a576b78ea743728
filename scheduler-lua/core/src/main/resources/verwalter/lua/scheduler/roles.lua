-- Schedules one role: version, update, counts and placement.

local actions = require "verwalter/actions"
local endpoints = require "verwalter/endpoints"
local entries = require "verwalter/scheduler/entries"
local frontend = require "verwalter/scheduler/frontend"
local gone = require "verwalter/scheduler/gone"
local health = require "verwalter/update/health"
local json = require "verwalter/json"
local metrics = require "verwalter/metrics"
local parents = require "verwalter/parents"
local placement = require "verwalter/placement"
local rates = require "verwalter/rates"
local reasons = require "verwalter/reasons"
local released = require "verwalter/scheduler/released"
local shift = require "verwalter/scheduler/shift"
local tables = require "verwalter/tables"
local update = require "verwalter/update"
local versions = require "verwalter/versions"
local roles = {}

local LOST_SECONDS = 300
-- As in verwalter/update, in seconds.
local WARMUP, PATIENCE = 5, 300
-- How long a process of an update may wait for a port.
local PORTS_SECONDS = 30

local UPDATE_BUTTON = {
  original_version = "string?", target_version = "string?", data = "any?", step = "string?",
  error_message = "string?", host = "string?", daemon = "string?",
}

-- The ports of existing processes, {host = {port = role}}, so that roles do not share ports.
function roles.reserved(lasts)
  local reserved = {}
  for role, states in tables.sorted(lasts) do
    for host, of_host in tables.sorted((states[1] or {}).hosts) do
      reserved[host] = reserved[host] or {}
      for _, entry in tables.sorted(of_host) do
        for _, port in tables.sorted(entry.ports) do reserved[host][port] = role end
      end
    end
    for host, list in tables.sorted((states[1] or {}).released) do
      reserved[host] = reserved[host] or {}
      released.reserve(list, reserved[host], role)
    end
  end
  return reserved
end

-- One role in one run: its previous state, the wanted state and the result.
local Role = {}
Role.__index = Role

function Role:say(text)
  self.run.journal:debug(self.name, text)
end

function Role:change(text)
  self:say(text)
  local changes = self.run.data.changes
  changes[#changes + 1] = self.name .. ": " .. text
end

function Role:why(text)
  self:say(text)
  reasons.give(self.name, text)
end

function Role:now()
  return self.run.input.now
end

-- Actions

-- Reports an action that is not done. An update that the scheduler itself reverts has no id.
function Role:refuse(action, text)
  self:why("action " .. tostring(action.id) .. " was refused: " .. text)
  if action.id then actions.refuse(action.id, "Refused", text) end
end

-- The valid actions for this role; the others are reported.
function Role:requested(known)
  local buttons = {quick_switch = {version = known, data = "any?"}, follow = {data = "any?"}}
  for _, name in ipairs(update.ACTIONS) do buttons[name] = UPDATE_BUTTON end
  buttons.update_action = {update_action = update.ACTIONS, step = "string?", error_message = "string?", group = "string?"}
  local requested, wrong = actions.read(self.run.input.actions, self.name, buttons)
  for _, each in ipairs(wrong) do
    self.run.journal:error(self.name, "action ", each.id, " was ignored: ", each.text)
    reasons.give(self.name, "action " .. each.id .. " was ignored: " .. each.text)
  end
  return requested
end

function Role:read_buttons(known)
  self.update_actions = {}
  for _, request in ipairs(self:requested(known)) do
    if request.action == "quick_switch" then
      self.switch_to = request.button.version
    elseif request.action == "follow" then
      self.switch_to, self.follow = known[1], true
    else
      local button = request.button
      self.update_actions[#self.update_actions + 1] = {
        update_action = button.update_action or request.action, step = button.step,
        error_message = button.error_message, id = request.id,
      }
    end
  end
end

-- Version

function Role:choose(known)
  local wish = setmetatable({
    mode = self.run.settings.versions, runtime = self.metadata, parents = self.states, role = self.name,
    actions = self.switch_to and {{button = {role = self.name, version = self.switch_to}}} or {},
  }, {__index = function(_, key) if key == "now" then return self:now() end end})
  local chosen = versions.select(wish)
  self.version, self.timestamp, self.pinned = chosen.version, chosen.timestamp, chosen.pinned
  self.undone = versions.undo(self.metadata, known) ~= nil
  if self.last.version ~= self.version then
    self:why("version " .. self.version .. " is wanted" .. ((self.switch_to or self.undone) and ", as an operator chose it"
      or chosen.pinned and ", as the file pin.txt says" or ", the newest"))
  end
  self.failed = tables.copy(self.last.failed or {})
  for version, failure in tables.sorted(self.failed) do
    local chosen_now = self.undone and version == self.version and self.last.version ~= version
    if version == self.switch_to or chosen_now or versions.uploaded(self.metadata, version) > failure.at or not self.metadata[version] then
      self.failed[version] = nil
    end
  end
end

local function runs(metadata, version)
  return type(metadata[version]) == "table" and type(metadata[version].daemons) == "table"
end

-- Adds what is known of versions that are gone to the metadata, while their processes run.
function Role:remember_gone()
  self.gone = gone.versions(self.run.input, self.name, self.metadata, self.old)
  if not next(self.gone) then return end
  local all = {}
  for _, versions_of in ipairs {self.metadata, self.gone} do
    for version, its in pairs(versions_of) do all[version] = its end
  end
  self.metadata = all
end

-- An update cannot go back to a version that is gone. It waits for an operator instead.
function Role:go_only_forward()
  local current = self.update
  local source = current and current.source_ver
  if not current or current.no_return or runs(self.metadata, source) and not self.gone[source] then return end
  current = tables.copy(current)
  self.update = current
  current.no_return, current.auto_revert, current.give_up_sec = true, false, nil
  if current.direction == "backward" or current.before_pause == "backward" then
    self:change("the update is paused, as " .. source .. " is gone")
    current.direction, current.before_pause, current.pause_ts = "pause", "forward", self:now()
  end
end

function Role:begin_update(target)
  local settings = self.run.settings.update
  local good, pipeline = pcall(update.plan, settings, self.metadata[target].daemons, self.last.counts or {})
  if not good then
    self:why("cannot update to " .. target .. ": " .. pipeline)
    return
  end
  self:change("update from " .. self.running .. " to " .. target)
  reasons.give(self.name, "update from " .. self.running .. " to " .. target)
  self.update = update.start {
    source = self.running, target = target, pipeline = pipeline, now = self:now(), auto = settings.auto,
    auto_revert = settings.auto_revert, deadline_sec = settings.deadline_sec, give_up_sec = settings.give_up_sec,
  }
  self:go_only_forward()
end

-- Begins an update if the wanted version is neither the running one nor the target of an update.
function Role:aim()
  local last = self.last
  self.update = last.update
  self:go_only_forward()
  local current = self.update
  self.running = runs(self.metadata, last.running) and last.running
    or current and runs(self.metadata, current.target_ver) and current.target_ver or self.version
  if current and (self.gone[current.target_ver] or not runs(self.metadata, current.target_ver)) then
    self:change("the update ends, as a version of it is gone")
    current, self.update = nil, nil
  end
  local target = self.version
  if self.failed[target] then
    self:why(target .. " failed before (" .. self.failed[target].why .. "); " .. self.running .. " stays until an operator chooses "
      .. target .. " or it is uploaded again")
    target = nil
  end
  if self:is_paused() then
    if target and target ~= (current and current.target_ver or self.running) then
      self:why(target .. " is wanted; the role is paused until vw rollout resume " .. self.name)
    end
    return
  end
  if current and target and target ~= current.target_ver then
    if target == current.source_ver then
      if current.direction ~= "backward" then
        self.update = tables.copy(current)
        self.update.called_off = true
        table.insert(self.update_actions, {update_action = "revert"})
      end
    else
      self:begin_update(target)
    end
  elseif not current and target and target ~= self.running then
    self:begin_update(target)
  end
end

-- Whether an operator has paused the role by vw rollout pause.
function Role:is_paused()
  return (self.metadata["verwalter.io/intent"] or {}).paused == true
end

-- Pauses and resumes the update as vw rollout pause and resume say.
function Role:obey_pause()
  local idle = self.update.direction == "pause" or self.update.direction == "error"
  if self:is_paused() then
    if not idle then table.insert(self.update_actions, 1, {update_action = "pause"}) end
    return true
  end
  if self.update.held and self.update.direction == "pause" then
    table.insert(self.update_actions, 1, {update_action = "resume"})
  end
end

-- A text if a metric exceeds the limit in the update's settings.
function Role:alarm()
  local limit = self.run.settings.update.revert_if
  if not limit then return nil end
  local read = metrics.reader(self.run.input, self.name)
  local value = (limit.rate and read.rate or read.last)(limit.rate or limit.metric)
  if not value then return nil end
  local name = limit.rate and "the rate of " .. limit.rate or tostring(limit.metric)
  if limit.above and value > limit.above then return name .. " is " .. value .. ", above " .. limit.above end
  if limit.below and value < limit.below then return name .. " is " .. value .. ", below " .. limit.below end
end

-- Refuses actions that would go back to a version that is gone.
function Role:refuse_return()
  if not self.update.no_return then return end
  local rest = {}
  for _, action in ipairs(self.update_actions) do
    if action.update_action == "revert" then
      self:refuse(action, self.update.source_ver .. " is gone")
    else
      rest[#rest + 1] = action
    end
  end
  self.update_actions = rest
end

function Role:go_on()
  if not self.update then
    for _, action in ipairs(self.update_actions) do
      self:refuse(action, "there is no update to " .. action.update_action)
    end
    return
  end
  self:refuse_return()
  local held = self:obey_pause()
  if self.update.held ~= held then
    self.update = tables.copy(self.update)
    self.update.held = held
  end
  self.update = update.tick(self.update, {
    now = self:now(), role = self.name, actions = self.update_actions, alarm = self:alarm(),
    health = self:health(),
    say = function(text) self:change(text) end,
    refuse = function(action, text) self:refuse(action, text) end,
  })
  local version = update.finished(self.update)
  if version then
    if version ~= self.update.target_ver and not (self.update.called_off and not self.update.trouble) then
      self.failed[self.update.target_ver] = {at = self:now(), why = self.update.trouble or "an operator reverted it"}
    end
    if version == self.update.source_ver then self.reverted = self.update end
    self.running, self.update = version, nil
  end
end

-- Counts

function Role:daemons()
  local names = {}
  for _, version in ipairs {self.running, self.update and self.update.target_ver or self.running} do
    for name, daemon in pairs(self.metadata[version].daemons) do
      local command = type(daemon) ~= "table" or type(daemon.update) == "table" and daemon.update.mode
        or name == self.run.settings.update.migrate
      if not command then names[name] = true end
    end
  end
  return tables.keys(names)
end

function Role:count(wanted)
  local last, settings = self.last, self.run.settings.daemons
  self.counts, self.wanted, self.moving = {}, {}, {}
  for _, daemon in ipairs(self:daemons()) do
    local was = (last.counts or {})[daemon] or 0
    local want = (wanted or {})[daemon] or (last.wanted or {})[daemon] or 0
    local memory, own = (last.moving or {})[daemon], settings[daemon] or {}
    self.wanted[daemon], self.counts[daemon] = want, want
    if (memory or was ~= want) and (own.grow_rate or own.decline_rate) then
      self.counts[daemon], self.moving[daemon] =
        rates.move(self:now(), was, want, memory, {grow = own.grow_rate, decline = own.decline_rate})
    end
    if was ~= self.counts[daemon] then
      local limit = self.counts[daemon] ~= want and ", on the way to " .. want .. " as fast as its rate allows" or ""
      self:change(daemon .. ": " .. was .. " -> " .. self.counts[daemon] .. " processes" .. limit)
      reasons.give(self.name, daemon .. ": " .. was .. " -> " .. self.counts[daemon] .. " processes" .. limit)
    end
  end
end

-- Placement

-- The nodes for this role. One that does not answer keeps its processes until it is lost for the role, and one that is
-- not ready for another reason, or removed, for a while. The nodes that are lost are not among them, but in `leaving`.
function Role:places()
  local nodes, present, lost = {}, {}, {}
  local before, grace = self.last.lost or {}, (self.run.settings.replace_lost_after or LOST_SECONDS) * 1000
  local function keep(host, node, why)
    nodes[#nodes + 1] = {hostname = host, labels = node.labels, capacity = node.capacity, ready = false, pinned = true}
    if not before[host] then self:why(host .. " does not answer; it keeps its processes " .. why) end
  end
  local function miss(host, node)
    lost[host] = before[host] or self:now()
    if self:now() - lost[host] < grace then
      keep(host, node, "for " .. grace // 1000 .. " s")
    elseif next(self.old[host]) then
      self:change(host .. " has not answered for " .. grace // 1000 .. " s; its processes move")
    end
  end
  self.leaving = {}
  for _, node in ipairs(self.run.nodes) do
    local host = node.hostname
    present[host] = true
    if node.ready then
      nodes[#nodes + 1] = node
    elseif next(self.old[host] or {}) then
      if (node.lost or {})[self.name] then
        lost[host] = before[host] or self:now()
        self.leaving[host] = true
        if not (self.last.leaving or {})[host] then
          self:change(host .. " is silent; its processes are started elsewhere")
        end
      elseif node.unknown then
        lost[host] = before[host] or self:now()
        keep(host, node, "until its node_loss_policy says otherwise")
      else
        miss(host, node)
      end
    end
  end
  for host in tables.sorted(self.old) do
    if not present[host] and next(self.old[host]) then miss(host, {}) end
  end
  self.lost = lost
  return nodes
end

-- The number of processes of each daemon on a host; where two versions run side by side, they are
-- counted once.
function Role:had()
  local by_version = {}
  for host, of_host in pairs(self.old) do
    by_version[host] = {}
    for _, entry in pairs(of_host) do
      local of_daemon = by_version[host][entry.daemon] or {}
      of_daemon[entry.version] = (of_daemon[entry.version] or 0) + entry.instances
      by_version[host][entry.daemon] = of_daemon
    end
  end
  local current = self.last.update or {}
  local counts = {}
  for host, daemons in pairs(by_version) do
    counts[host] = {}
    for daemon, of_daemon in pairs(daemons) do
      local sum, new = 0, of_daemon[current.target_ver] or 0
      for _, count in pairs(of_daemon) do sum = sum + count end
      counts[host][daemon] = current.beside and math.max(new, sum - new) or sum
    end
  end
  return counts
end

-- Which processes of the last schedule are not settled, by host: also those of lost nodes, since a step that was not over
-- when they became silent is not over because of that. Processes that do not serve when a node answers again, as after it
-- was restarted, are started now.
function Role:watch(nodes)
  local settings, silent = self.run.settings.update, self.last.lost or {}
  self.unsettled = {}
  local function look(host)
    if self.old[host] then
      self.unsettled[host] = health.unsettled(self.run.input, self.name, host, self.old[host],
        (settings.warmup_sec or WARMUP) * 1000, (settings.deadline_sec or PATIENCE) * 1000)
    end
  end
  for _, node in ipairs(nodes) do
    local host = node.hostname
    look(host)
    if silent[host] and not node.pinned then
      self.old[host] = tables.copy(self.old[host])
      for name, seen in pairs(self.unsettled[host] or {}) do
        if seen.idle > 0 then seen.recent, self.old[host][name].since = true, self:now() end
      end
    end
  end
  for host in pairs(self.leaving) do look(host) end
end

-- The number of a daemon's processes that may not serve yet because of earlier schedules; without a name, of all. Those of
-- the new version have to serve for a while.
function Role:starting(daemon)
  local sum, new = 0, self.update and self.update.target_ver
  for host, of_host in pairs(self.unsettled) do
    for name, seen in pairs(of_host) do
      local entry = self.old[host][name]
      if seen.recent and (not daemon or entry.daemon == daemon) then
        sum = sum + (entry.version == new and seen.fresh or seen.idle)
      end
    end
  end
  return sum
end

-- The number of a daemon's processes on a host that serve for certain, at most `most`.
function Role:serving(host, daemon, most)
  local sum = 0
  for name, entry in pairs(self.old[host] or {}) do
    local seen = (self.unsettled[host] or {})[name]
    if entry.daemon == daemon then sum = sum + entry.instances - (seen and seen.idle or 0) end
  end
  return math.min(sum, most)
end

-- Keeps processes on nodes that are to have fewer, until as many serve elsewhere. It is not known whether those of a silent
-- node serve. Processes that do not serve are kept only if others move, or a node is silent. `left` find no place; while a
-- node is silent, they stay where they run.
function Role:overlap(stay, placed, had, left)
  local silent = false
  for _, node in ipairs(self.run.nodes) do silent = silent or node.unknown == true end
  for daemon, count in tables.sorted(self.counts) do
    local moved, idle, kept, serving = silent and left[daemon] or 0, 0, 0, {}
    for _, node in ipairs(stay) do
      local host = node.hostname
      local here, there = placed[host][daemon] or 0, (had[host] or {})[daemon] or 0
      if node.pinned then
        moved = moved + there
      else
        serving[host] = self:serving(host, daemon, there)
        moved, kept = moved + math.max(0, here - there), kept + math.min(serving[host], here)
        idle = idle + math.max(0, math.min(here, there) - serving[host])
      end
    end
    local keep = math.min(moved + idle, count - kept)
    for host, its in tables.sorted(serving) do
      local here = placed[host][daemon] or 0
      local more = math.min(keep, math.max(0, (moved > 0 and (had[host] or {})[daemon] or its) - here))
      if more > 0 then placed[host][daemon], keep = here + more, keep - more end
    end
  end
end

-- Whether all processes that are placed on these nodes were started by an earlier run and run now.
function Role:replaced(nodes, placed, before)
  for _, node in ipairs(nodes) do
    local host = node.hostname
    local silence = node.pinned and self:now() - (self.lost[host] or self:now())
    if silence and silence < LOST_SECONDS * 1000 and next(placed[host]) then return false end
    for daemon, count in pairs(placed[host]) do
      if ((before[host] or {})[daemon] or 0) < count then return false end
    end
    for _, seen in pairs(not node.pinned and self.unsettled[host] or {}) do
      if seen.idle > 0 then return false end
    end
  end
  return true
end

-- The processes of draining nodes that may be started elsewhere now: {daemon = n}, as many as the
-- daemon's grow_rate allows. `held` has all processes of these nodes, `had` those of each node.
function Role:replacing(held, had, draining)
  local allowed = {}
  for daemon, count in tables.sorted(held) do
    local elsewhere = 0
    for host, daemons in pairs(had) do
      if not draining[host] then elsewhere = elsewhere + (daemons[daemon] or 0) end
    end
    local begun = math.max(0, math.min(count, elsewhere + count - self.counts[daemon]))
    local own, memory = self.run.settings.daemons[daemon] or {}, (self.last.draining or {})[daemon]
    allowed[daemon] = count
    if own.grow_rate then
      allowed[daemon], self.draining[daemon] = rates.move(self:now(), begun, count, memory, {grow = own.grow_rate})
    end
  end
  return allowed
end

-- Places processes on the nodes that are not draining and not lost. A draining node keeps its processes until
-- those that replace them run, and those for which there is no place elsewhere. A lost node does so too, since it may
-- return before that.
function Role:place()
  local nodes, stay, leave, draining = self:places(), {}, {}, {}
  local had, held = self:had(), {}
  self:watch(nodes)
  for _, node in ipairs(nodes) do
    if node.draining and not node.pinned then
      leave[#leave + 1], draining[node.hostname] = node, true
      for daemon, count in pairs(had[node.hostname] or {}) do
        if self.counts[daemon] then held[daemon] = (held[daemon] or 0) + count end
      end
    else
      stay[#stay + 1] = node
    end
  end
  self.draining = {}
  local allowed, counts = self:replacing(held, had, draining), {}
  for daemon, count in pairs(self.counts) do
    counts[daemon] = math.max(0, count - (held[daemon] or 0) + (allowed[daemon] or 0))
  end
  local placed, left = placement.distribute_fairly(stay, counts, {
    previous = had, weigh_by = self.run.settings.weigh_by, daemons = self.run.settings.daemons,
  })
  for daemon, count in tables.sorted(left) do
    self:why(count .. " of " .. self.counts[daemon] .. " " .. daemon .. " find no place")
  end
  self:overlap(stay, placed, had, left)
  local ready = (next(held) or next(self.leaving)) and self:replaced(stay, placed, had)
  if ready and not next(left) then self.leaving = {} end
  for daemon, count in tables.sorted(held) do
    local keep = count
    if ready then
      keep = math.min(count, count - allowed[daemon] + (left[daemon] or 0), self.counts[daemon])
    end
    held[daemon] = math.max(0, keep)
  end
  for _, node in ipairs(leave) do
    local host = node.hostname
    placed[host] = {}
    for daemon, count in tables.sorted(had[host]) do
      local keep = math.min(count, held[daemon] or 0)
      if keep > 0 then
        placed[host][daemon], held[daemon] = keep, held[daemon] - keep
      end
      if keep < count then
        self:why(host .. (node.excluded or " is being drained") .. "; " .. count - keep .. " " .. daemon
          .. " stop there, as others run elsewhere")
      end
    end
  end
  return placed, nodes
end

-- The hosts of a daemon for `shift`, and the versions of its processes.
function Role:hosts_of(daemon, placed, pinned)
  local hosts, found = {}, {}
  for host, daemons in tables.sorted(placed) do
    if daemons[daemon] then
      local had, down = {}, {}
      for name, entry in pairs(self.old[host] or {}) do
        if entry.daemon == daemon then
          local seen = (self.unsettled[host] or {})[name]
          had[entry.version] = (had[entry.version] or 0) + entry.instances
          down[entry.version] = (down[entry.version] or 0) + (seen and seen.down or 0)
          found[entry.version] = true
        end
      end
      hosts[#hosts + 1] = {hostname = host, total = daemons[daemon], had = had, down = down, pinned = pinned[host]}
    end
  end
  return hosts, tables.keys(found)
end

-- Whether processes of a daemon can be of a version.
function Role:has(version, daemon)
  return runs(self.metadata, version) and self.metadata[version].daemons[daemon] ~= nil
end

-- The versions of a daemon besides the two of an update, as they stay from an earlier one. These give way one at a time.
local function strays_of(found, source, target)
  local strays = {}
  for _, version in ipairs(found) do
    if version ~= source and version ~= target then strays[#strays + 1] = version end
  end
  return strays
end

local function give_way(its, strays, version, budget)
  for _, stray in ipairs(strays) do its:convert(stray, version, math.huge, budget) end
end

local function forward(its, strays, source, target, n, budget)
  its:keep {target, source, table.unpack(strays)}
  n = n - its:count(target)
  n = n - its:fill(target, n)
  local behind = false
  local function take(version)
    local changed, more = its:convert(version, target, n, budget)
    n, behind = n - changed, more or behind
  end
  for _, stray in ipairs(strays) do take(stray) end
  take(source)
  its:fill(source, math.huge)
  return behind
end

-- The strays stay until the update has ended.
local function backward(its, strays, source, target, n, budget)
  its:keep {source, target, table.unpack(strays)}
  its:fill(source, math.huge)
  local _, behind = its:convert(target, source, its:count(target) - n, budget)
  return behind
end

-- All of both versions.
local function beside(its, strays, source, target)
  its:keep {source, table.unpack(strays)}
  its:fill(source, math.huge)
  for _, host in ipairs(its.hosts) do
    if not host.pinned then host.has[target] = host.total end
  end
end

-- The versions of a daemon's processes on each host: {host = {daemon = {version = n}}}.
function Role:split(placed, pinned)
  local result, sums, behind, doubled = {}, {}, false, false
  for host, daemons in tables.sorted(placed) do
    result[host] = {}
    for daemon, count in pairs(daemons) do sums[daemon] = (sums[daemon] or 0) + count end
  end
  local current = self.update or self.reverted
  local counts, slowly = current and update.counts(current, sums) or {}, {left = 1 - self:starting()}
  for daemon, sum in tables.sorted(sums) do
    local hosts, found = self:hosts_of(daemon, placed, pinned)
    local its = shift.new(hosts, function(version) return self:has(version, daemon) end)
    if not current then
      local strays = strays_of(found, self.running)
      its:keep {self.running, table.unpack(strays)}
      its:fill(self.running, math.huge)
      give_way(its, strays, self.running, slowly)
    else
      local source, target, count = current.source_ver, current.target_ver, counts[daemon]
      local strays, heading = strays_of(found, source, target), update.heading(current)
      local pace, together = update.pace(current, daemon, self.counts[daemon])
      local budget = together and slowly or {left = pace - self:starting(daemon)}
      if count[target] + count[source] > sum then
        doubled = true
        beside(its, strays, source, target)
      elseif heading == "forward" then
        behind = forward(its, strays, source, target, count[target], budget) or behind
      elseif heading == "backward" then
        behind = backward(its, strays, source, target, count[target], budget) or behind
      else
        its:keep {target, source, table.unpack(strays)}
        its:fill(source, math.huge)
      end
    end
    for _, host in ipairs(its.hosts) do result[host.hostname][daemon] = host.has end
  end
  if self.update then
    self.update = tables.copy(self.update)
    self.update.beside, self.update.behind = doubled or nil, behind or nil
  end
  return result
end

-- The node of a command: the one on which it runs, or the first that takes new processes.
function Role:add_commands(found, nodes)
  for _, name in ipairs(self.update and update.commands(self.update) or {}) do
    local entry, host = "cmd_" .. name, nil
    for _, node in ipairs(nodes) do
      local had = (self.old[node.hostname] or {})[entry]
      local free = not host and node.ready ~= false and not node.cordoned
      if free or had and not node.pinned then host = node.hostname end
      if had then break end
    end
    if host then
      found[host][entry] = {daemon = name, version = self.update.target_ver, instances = 1}
      self.command_host = host
    end
  end
end

-- The processes of this role on a host that are not wanted any more and may run still.
function Role:released_on(host, of_host)
  return released.of(self.run.input, self.name, host, (self.last.released or {})[host], self.old[host], of_host)
end

-- Takes the ports of such processes, unless one that stays or starts in its place has them.
function Role:reserve_released(host, of_host, taken)
  local list, stopping = self:released_on(host, of_host), {}
  released.restore(list, of_host)
  released.reserve(list, stopping, self.name)
  for _, entry in pairs(of_host) do
    for _, port in pairs(entry.ports or {}) do stopping[port] = nil end
  end
  for port, owner in pairs(stopping) do taken[port] = taken[port] or owner end
end

-- Remembers the released ports of all hosts, also of those that do not answer and run nothing in this schedule.
function Role:remember_released(found, pinned)
  local before = self.last.released or {}
  self.released = {}
  for _, hosts in ipairs {self.old, before, found} do
    for host in pairs(hosts) do
      local list = pinned[host] and before[host] or self:released_on(host, found[host] or {})
      self.released[host] = list and next(list) and list or nil
    end
  end
end

-- Notes a process that has no port. An update that would end another one for it, or that runs both versions side by side,
-- has to wait for the port.
function Role:lack(process, stays)
  self:why(process .. " cannot run: its allowed ports are all taken" .. (stays and "; " .. stays .. " stays" or ""))
  if self.update and (stays or self.update.beside) and not self.update.lacks then
    local last = self.last.update or {}
    self.update.lacks = {text = process .. " cannot run: its allowed ports are all taken", since = self:now()}
    if last.lacks and last.start_ts == self.update.start_ts then self.update.lacks.since = last.lacks.since end
  end
end

-- The health of the new processes. Ports that are taken for a moment, as by processes that are being stopped, only make
-- the update wait.
function Role:health()
  local seen = health.of(self.run.input, self.name, self.update.target_ver, self.old)
  local lacks = self.update.lacks
  if lacks then
    seen = seen or {}
    local which = self:now() - lacks.since >= PORTS_SECONDS * 1000 and "failing" or "waiting"
    seen[which] = seen[which] or lacks.text
  end
  return seen
end

function Role:entries(placed, nodes)
  local found, pinned = {}, {}
  for _, node in ipairs(nodes) do pinned[node.hostname] = node.pinned end
  local split = self:split(placed, pinned)
  if self.update then self.update.lacks = nil end
  for host, of_host in tables.sorted(split) do
    -- The entries of a node that does not answer stay unchanged.
    found[host] = pinned[host] and tables.copy(self.old[host]) or entries.of(self.old[host] or {}, of_host, self.metadata, self.unsettled[host])
  end
  for host in pairs(self.leaving) do
    found[host], pinned[host] = tables.copy(self.old[host]), true
  end
  self:add_commands(found, nodes)
  for host, of_host in tables.sorted(found) do
    if not pinned[host] then
      local taken = {}
      for port, owner in pairs(self.run.reserved[host] or {}) do
        if owner ~= self.name then taken[port] = owner end
      end
      self:reserve_released(host, of_host, taken)
      for name, stays in tables.sorted(entries.assign_ports(of_host, self.metadata, taken, self.old[host])) do
        self:lack(name .. " on " .. host, stays)
      end
      released.reserve(self:released_on(host, of_host), taken, self.name)
      health.remember(self.run.input, self.name, host, self.old[host], of_host, self.metadata)
      if self.run.listed[self.name] then
        endpoints.remember(self.run.input, self.name, host, self.old[host], of_host, self.metadata)
      end
      self.run.reserved[host] = taken
      for port in pairs(taken) do
        if type(taken[port]) == "string" and taken[port]:find("%z") then taken[port] = self.name end
      end
    end
  end
  self:remember_released(found, pinned)
  return found
end

local function text_of(entry)
  return entry and (entry.instances > 1 and entry.instances .. " of " or "") .. entry.version or "none"
end

function Role:tell()
  for host, of_host in tables.sorted(self.hosts) do
    local old = self.old[host] or {}
    for name, entry in tables.sorted(of_host) do
      if text_of(old[name]) ~= text_of(entry) then
        self:change(name .. " on " .. host .. ": " .. text_of(old[name]) .. " -> " .. text_of(entry))
      end
    end
    for name in tables.sorted(old) do
      if not of_host[name] then self:change(name .. " on " .. host .. ": stop") end
    end
  end
end

-- Result

local function marked(map)
  local object = json.object {}
  for key, value in pairs(map) do object[key] = type(value) == "table" and marked(value) or value end
  return object
end

function Role:state()
  local hosts = {}
  for host, of_host in pairs(self.hosts) do
    if next(of_host) then hosts[host] = marked(of_host) end
  end
  local state = {
    version = self.version, timestamp = self.timestamp, pinned = self.pinned, running = self.running,
    update = self.update, counts = json.object(self.counts), wanted = json.object(self.wanted),
    moving = next(self.moving) and self.moving or nil, failed = next(self.failed) and self.failed or nil,
    lost = next(self.lost) and self.lost or nil, leaving = next(self.leaving) and self.leaving or nil,
    draining = next(self.draining) and self.draining or nil, released = next(self.released) and self.released or nil, hosts = json.object(hosts), memory = self.memory,
  }
  local before = {}
  for key, value in pairs(self.last) do before[key] = value end
  before.changed = nil
  state.changed = tables.same(before, state) and self.last.changed or self:now()
  return state
end

-- The first host with processes, by name. One that takes no new processes is chosen only if there is no other one.
function Role:first()
  local cordoned, best = {}, nil
  for _, node in ipairs(self.nodes) do cordoned[node.hostname] = node.cordoned end
  for host, of_host in tables.sorted(self.hosts) do
    if next(of_host) and (not best or cordoned[best] and not cordoned[host]) then best = host end
  end
  return best
end

-- The commands that run by time on a host: those of each host with processes, and on the first one those of one host.
function Role:timed(host, version)
  local names, metadata = {}, self.metadata[version]
  for name, where in tables.sorted(type(metadata) == "table" and type(metadata.cron) == "table" and metadata.cron or {}) do
    self.first_host = self.first_host or self:first()
    if where == "each" or host == self.first_host then names[#names + 1] = name end
  end
  return names[1] and json.array(names) or nil
end

function Role:variables(host, of_host)
  local daemons, shown = json.object {}, self.running
  for name, entry in pairs(of_host) do
    daemons[name] = entries.variables(entry, self.metadata)
    if self.update and entry.version == self.update.target_ver then shown = entry.version end
  end
  local own = self.metadata[shown]
  local variables = {}
  for key, value in pairs(type(own.vars) == "table" and own.vars or {}) do variables[key] = value end
  variables.template = type(own.template) == "string" and own.template or self.name .. "/" .. shown
  variables.version = shown
  variables.active_version = self.update and update.active(self.update) or self.running
  variables.daemons = daemons
  variables.cron = self:timed(host, variables.active_version) or variables.cron
  return variables
end

function Role:write()
  local data = self.run.data
  data.state[self.name] = self:state()
  data.roles[self.name] = frontend.of(self)
  for host, of_host in tables.sorted(self.hosts) do
    if next(of_host) then
      data.nodes[host] = data.nodes[host] or {roles = json.object {}}
      data.nodes[host].roles[self.name] = self:variables(host, of_host)
    end
  end
end

-- Keeps a role unchanged that cannot be scheduled.
function Role:keep()
  local data = self.run.data
  data.state[self.name] = self.last
  data.roles[self.name] = {frontend = {kind = "version"}}
  for _, parent in ipairs(self.run.input.parents or {}) do
    for host, node in tables.sorted(parent.nodes) do
      local variables = (node.roles or {})[self.name]
      if variables then
        data.nodes[host] = data.nodes[host] or {roles = json.object {}}
        data.nodes[host].roles[self.name] = data.nodes[host].roles[self.name] or variables
      end
    end
  end
end

-- Schedules a role. `given` has its `metadata`, its earlier `states`, the counts `wanted`, and the
-- `memory` that the user's function returned.
function roles.schedule(run, name, given)
  local role = setmetatable({
    run = run, name = name, metadata = given.metadata, states = given.states, last = given.states[1] or {},
    memory = given.memory or nil,
  }, Role)
  role.old = parents.merged(given.states, "hosts", function(state, host) return not (state.lost or {})[host] end)
  local known, wrong = versions.known(given.metadata)
  for version, problem in tables.sorted(wrong) do role:why(version .. " is left out: " .. problem) end
  if #known == 0 then
    role:why("there is no version to run; running processes are kept")
    if next(role.last) then
      for _, request in ipairs(role:requested(known)) do role:refuse(request, "there is no version to run") end
      role:keep()
    end
    return
  end
  role:read_buttons(known)
  role:choose(known)
  role:remember_gone()
  role:aim()
  role:go_on()
  role:count(given.wanted)
  local placed, nodes = role:place()
  role.nodes = nodes
  role.hosts = role:entries(placed, nodes)
  role:tell()
  role.known = known
  role:write()
end

return roles
