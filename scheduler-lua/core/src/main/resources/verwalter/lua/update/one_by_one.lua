-- The strategy "one_by_one": replaces one process at a time, each after the one before has run for
-- `warmup_sec` (default 5).

local tables = require "verwalter/tables"
local settings_of = require "verwalter/update/settings"

return function(settings, daemons, counts)
  settings_of.check(settings, {})
  local processes = settings_of.processes(daemons)
  local all = 0
  for _, name in ipairs(processes) do all = all + (counts[name] or 0) end
  local time = settings_of.warmup(settings) * math.max(1, all)
  return {
    {
      name = "one_by_one", kind = "one_by_one", processes = processes,
      substeps = math.max(1, math.tointeger(all) or tables.sum(counts)),
      forward_mode = "smooth", forward_time = time,
      backward_mode = "smooth", backward_time = time,
    },
  }
end
