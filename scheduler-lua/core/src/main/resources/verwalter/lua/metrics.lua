-- Reads metrics and sums them over nodes. Without metrics all functions return nil, which a
-- scheduler must handle.
--
--   local busy = metrics.sum(input, "web.requests", "rate")   -- per second, on all nodes together
--   local read = metrics.reader(input, "web")
--   read.rate "requests"                                      -- the same

local tables = require "verwalter/tables"
local metrics = {}

-- The series or tips of a dataset: one, several, or none.
local function parts(dataset)
  if type(dataset) ~= "table" or dataset.type == "error" then return {} end
  return dataset.items or {dataset}
end

-- The points of a series, newest first; there may be gaps.
local function points(series)
  local list = {}
  for _, at in ipairs(tables.keys(series.values)) do
    local value, time = series.values[at], (series.timestamps or {})[at]
    if type(value) == "number" and type(time) == "number" then
      list[#list + 1] = {value = value, time = time}
    end
  end
  return list
end

local function number(value)
  if type(value) == "number" and value == value then return value end
end

local function last_of(part)
  if part.values then
    for _, at in ipairs(tables.keys(part.values)) do
      if number(part.values[at]) then return part.values[at] end
    end
    return nil
  end
  return number(part.value)
end

local function rate_of(part)
  if number(part.rate) then return part.rate end
  local list = part.values and points(part) or {}
  local new, old = list[1], list[#list]
  if not new or new.time <= old.time then return nil end
  return (new.value - old.value) * 1000 / (new.time - old.time)
end

local function time_of(part)
  local times = part.timestamps
  if times then return times[tables.keys(times)[1]] end
  if part.timestamp then return part.timestamp end
  -- Upstream has the two in the wrong order.
  if part.new_timestamp then return math.max(part.new_timestamp, part.old_timestamp or 0) end
end

local function total(dataset, read)
  local sum
  for _, part in ipairs(parts(dataset)) do
    local value = read(part)
    if value then sum = (sum or 0) + value end
  end
  return sum
end

-- The newest value of a dataset; the sum if it has several series.
function metrics.last(dataset)
  return total(dataset, last_of)
end

-- The growth of a dataset per second: its own rate, otherwise that of its first and last point.
function metrics.rate(dataset)
  return total(dataset, rate_of)
end

-- "growing", "declining" or "steady": the trend of the dataset itself, otherwise whether the newer
-- half of its points is more than a tenth above or below the older half.
function metrics.trend(dataset)
  local newer, older, said = 0, 0, nil
  for _, part in ipairs(parts(dataset)) do
    if part.trend then
      said = said == nil and part.trend or said == part.trend and said or "steady"
    end
    local list = part.values and points(part) or {}
    local half = #list // 2
    for at = 1, half do
      newer, older = newer + list[at].value / half, older + list[#list + 1 - at].value / half
    end
  end
  if said then return said end
  if newer == 0 and older == 0 then return nil end
  local tenth = math.max(math.abs(newer), math.abs(older)) / 10
  return newer > older + tenth and "growing" or newer < older - tenth and "declining" or "steady"
end

-- The age of the newest point of a dataset, in milliseconds.
function metrics.age(dataset, now)
  local newest
  for _, part in ipairs(parts(dataset)) do
    local time = time_of(part)
    if time and (not newest or time > newest) then newest = time end
  end
  return newest and math.max(0, now - newest)
end

-- The datasets of a rule by hostname, without unknown nodes.
function metrics.by_host(input, rule)
  local names, found = {}, {}
  if input.current_id then names[input.current_id] = input.current_host end
  for id, peer in pairs(input.peers or {}) do names[id] = peer.hostname end
  for hostname, node in pairs(input.nodes or {}) do
    if node.id then names[node.id] = hostname end
  end
  for id, rules in pairs(input.metrics or {}) do
    if names[id] and type(rules) == "table" then found[names[id]] = rules[rule] end
  end
  return found
end

-- Reads a rule on every node with `what`, "last" (the default) or "rate": {hostname = number}.
function metrics.on_hosts(input, rule, what)
  local values = {}
  for hostname, dataset in pairs(metrics.by_host(input, rule)) do
    values[hostname] = (what == "rate" and metrics.rate or metrics.last)(dataset)
  end
  return values
end

-- The sum over all nodes with the rule, and the number of these nodes; nil if there are none.
function metrics.sum(input, rule, what)
  local sum, count = nil, 0
  for _, value in tables.sorted(metrics.on_hosts(input, rule, what)) do
    sum, count = (sum or 0) + value, count + 1
  end
  return sum, count
end

-- The mean over all nodes with the rule; nil if there are none.
function metrics.mean(input, rule, what)
  local sum, count = metrics.sum(input, rule, what)
  return sum and sum / count
end

-- The maximum over all nodes with the rule, and its node; nil if there are none.
function metrics.largest(input, rule, what)
  local largest, host
  for hostname, value in tables.sorted(metrics.on_hosts(input, rule, what)) do
    if not largest or value > largest then largest, host = value, hostname end
  end
  return largest, host
end

-- The functions last(name), rate(name), mean(name) and trend(name) for the rules of a role. A name
-- refers to the rule ROLE.NAME, or to NAME if there is no such rule.
function metrics.reader(input, role)
  local function rule(name)
    local own = role .. "." .. name
    return next(metrics.by_host(input, own)) and own or name
  end
  return {
    last = function(name) return (metrics.sum(input, rule(name), "last")) end,
    rate = function(name) return (metrics.sum(input, rule(name), "rate")) end,
    mean = function(name) return metrics.mean(input, rule(name), "last") end,
    trend = function(name)
      local said
      for _, dataset in tables.sorted(metrics.by_host(input, rule(name))) do
        local trend = metrics.trend(dataset)
        if trend then said = said == nil and trend or said == trend and said or "steady" end
      end
      return said
    end,
  }
end

return metrics
