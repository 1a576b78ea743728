-- Decides which version each process of a daemon has during an update, so that as few processes as possible change, and no
-- more at once than allowed. A process stays as it is unless it has to change.
--
--   local all = shift.new(hosts, runs)     -- hosts: a list of {hostname=, total=, had = {version = n}, down = {version = n}}
--   all:keep({"v2", "v1"}, {"v0"})         -- of a host with too many processes, those of v0 end first, then those of v1
--   all:fill("v2", 3)                      -- at most three of the processes that start anyway get v2
--   all:convert({"v0"}, "v2", 5, budget)   -- up to five others, of which budget.left serve now
--   all.hosts[1].has                       -- {v2 = 4, v1 = 1}

local placement = require "verwalter/placement"
local tables = require "verwalter/tables"
local shift = {}
shift.__index = shift

-- `runs(version)` says whether a version has the daemon. Pinned hosts stay as they are.
function shift.new(hosts, runs)
  for _, host in ipairs(hosts) do
    host.has, host.free, host.down = {}, 0, tables.copy(host.down or {})
  end
  return setmetatable({hosts = hosts, runs = runs}, shift)
end

-- Keeps processes of earlier schedules, those that serve and the first versions first; what is left of the totals is free.
function shift:keep(order)
  local function some(host, version, count)
    if host.pinned or not self.runs(version) then return end
    count = math.min(count, host.free)
    host.has[version], host.free = (host.has[version] or 0) + count, host.free - count
  end
  for _, host in ipairs(self.hosts) do
    if host.pinned then
      host.has = tables.copy(host.had)
    else
      host.free = host.total
      for _, version in ipairs(order) do some(host, version, (host.had[version] or 0) - (host.down[version] or 0)) end
      for _, version in ipairs(order) do
        local before = host.has[version] or 0
        some(host, version, (host.had[version] or 0) - before)
        host.down[version] = math.max(0, (host.has[version] or 0) - before)
      end
    end
  end
end

-- The number of processes of a version.
function shift:count(version)
  local sum = 0
  for _, host in ipairs(self.hosts) do sum = sum + (host.has[version] or 0) end
  return sum
end

-- Gives n more processes a version, where `available(host)` says how many may get it: evenly, as seen from the totals.
local function spread(self, version, n, available, take)
  local nodes, could = {}, 0
  for _, host in ipairs(self.hosts) do
    local most = host.pinned and 0 or available(host)
    if most > 0 then
      local has = host.has[version] or 0
      could = could + most
      nodes[#nodes + 1] = {hostname = host.hostname, least = has, most = has + most, capacity = {share = host.total}}
    end
  end
  n = math.min(n, could)
  if n <= 0 then return 0 end
  local sum = n
  for _, node in ipairs(nodes) do sum = sum + node.least end
  local counts = placement.keep(nodes, sum, {weigh_by = "share"})
  for _, host in ipairs(self.hosts) do
    local more = (counts[host.hostname] or 0) - (host.has[version] or 0)
    if counts[host.hostname] and more > 0 then
      take(host, more)
      host.has[version] = (host.has[version] or 0) + more
    end
  end
  return n
end

-- Gives up to n processes that start anyway a version; returns their number.
function shift:fill(version, n)
  if not self.runs(version) then return 0 end
  return spread(self, version, n, function(host) return host.free end, function(host, count)
    host.free = host.free - count
  end)
end

local function end_of(host, version, count)
  host.has[version] = host.has[version] - count
  host.down[version] = math.max(0, (host.down[version] or 0) - count)
end

-- Gives up to n processes of a version another one. Those that do not serve cost nothing; the others use up budget.left.
-- Returns the number that changed, and whether more would have if the budget were larger.
function shift:convert(from, to, n, budget)
  local goal = self.runs(to) and to or false
  local function some(most, available)
    return spread(self, goal, most, available, function(host, count) end_of(host, from, count) end)
  end
  local idle = some(n, function(host) return math.min(host.has[from] or 0, host.down[from] or 0) end)
  local others = n - idle
  local serving = some(math.min(others, math.max(0, budget.left)), function(host)
    return math.max(0, (host.has[from] or 0) - (host.down[from] or 0))
  end)
  budget.left = budget.left - serving
  local more = others - serving > 0 and self:count(from) > 0
  for _, host in ipairs(self.hosts) do host.has[false] = nil end
  return idle + serving, more
end

return shift
