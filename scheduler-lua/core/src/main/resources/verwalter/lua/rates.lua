-- Limits how fast numbers change: "5 processes per second".
--
--   local count, memory = rates.move(now, count, wanted, memory, {grow = rates.parse "5 processes per second"})
--
-- A change may begin with the amount of one second, at least one process. It continues as time
-- passes between the runs of a scheduler, with at most the amount of ten seconds at once, even if
-- the scheduler did not run for longer. The memory holds the used amount; it is nil when nothing
-- changes.

local rates = {}

local UNITS = {second = 1000, minute = 60 * 1000, hour = 60 * 60 * 1000}
local AT_ONCE = 1000
local AT_MOST = 10 * 1000

-- Parses a rate such as "5 processes per second", "1 process per minute", "90 processes per hour";
-- raises an error if it is not valid. Zero means never.
function rates.parse(text)
  local count, noun, unit = tostring(text):match("^(%d+) (%l+) per (%l+)$")
  local right = count and UNITS[unit] and #count < 10
    and (noun == "processes" or noun == "process" and tonumber(count) == 1)
  if type(text) ~= "string" or not right then
    error(tostring(text) .. ' is not a rate; write one such as "5 processes per second", '
      .. '"1 process per minute" or "90 processes per hour"', 0)
  end
  return {count = math.tointeger(tonumber(count)), per = UNITS[unit]}
end

-- The amount of a rate in a number of milliseconds.
local function allows(rate, time)
  return rate.count * time / rate.per
end

local function least(rate, time)
  return rate.count == 0 and 0 or math.max(1, allows(rate, time))
end

-- The remaining amount of a rate: the initial one, or what accumulated since the last change.
local function credit(rate, used, now)
  if not used then return least(rate, AT_ONCE) end
  local since = math.max(0, now - used.at)
  return math.min(least(rate, AT_MOST), used.credit + allows(rate, since))
end

local function take(rate, used, wanted, now)
  if not rate then return wanted, nil end
  local left = credit(rate, used, now)
  local taken = math.min(wanted, math.floor(left))
  if taken == 0 then return 0, used end
  return taken, {credit = math.floor((left - taken) * 1000) / 1000, at = now}
end

-- Drops the used amount when it no longer matters, so that the memory becomes nil.
local function settle(rate, used, now)
  if rate and used and credit(rate, used, now) < least(rate, AT_ONCE) then return used end
end

-- Changes a count towards the wanted one as far as the rates `limits.grow` and `limits.decline`
-- allow; without a rate there is no limit. Returns the new count and the memory for the next call.
function rates.move(now, count, wanted, memory, limits)
  limits = limits or {}
  memory = memory or {}
  local grow, decline = memory.grow, memory.decline
  if wanted > count then
    local taken
    taken, grow = take(limits.grow, grow, wanted - count, now)
    count, decline = count + taken, settle(limits.decline, decline, now)
  elseif wanted < count then
    local taken
    taken, decline = take(limits.decline, decline, count - wanted, now)
    count, grow = count - taken, settle(limits.grow, grow, now)
  else
    grow, decline = settle(limits.grow, grow, now), settle(limits.decline, decline, now)
  end
  if grow or decline then return count, {grow = grow, decline = decline} end
  return count, nil
end

return rates
