-- Settings that all strategies share.

local tables = require "verwalter/tables"
local settings_of = {}

local COMMON = {
  strategy = "string", warmup_sec = "number", migrate = "string", auto = "boolean", auto_revert = "boolean",
  deadline_sec = "number", give_up_sec = "number", ignore_errors = "boolean", revert_if = "table",
}

-- Raises an error for settings that are unknown, or not of the type in `own`, {name = type}.
function settings_of.check(settings, own)
  for name, value in tables.sorted(settings) do
    local kind = own[name] or COMMON[name]
    if not kind then
      error("an update by " .. (settings.strategy or "one_by_one") .. " has no setting " .. tostring(name), 0)
    elseif type(value) ~= kind then
      error("the update setting " .. name .. " must be a " .. kind .. ", but is " .. tostring(value), 0)
    elseif kind == "number" and value < 0 then
      error("the update setting " .. name .. " is less than 0", 0)
    end
  end
end

-- How long a new process must run to count as running, in seconds.
function settings_of.warmup(settings)
  return settings.warmup_sec or 5
end

-- The names of the daemons that are not commands, sorted.
function settings_of.processes(daemons)
  local names = {}
  for name, daemon in tables.sorted(daemons) do
    if not (type(daemon.update) == "table" and daemon.update.mode) then names[#names + 1] = name end
  end
  return names
end

-- A percentage above 0 and up to 100.
function settings_of.percent(settings, name, default)
  local percent = settings[name] or default
  if percent <= 0 or percent > 100 then error("the update setting " .. name .. " is not a percentage", 0) end
  return percent
end

return settings_of
