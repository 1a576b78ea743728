-- The strategy "blue_green": starts all processes of the new version next to the old ones. After
-- `warmup_sec`, or when an operator proceeds if `manual` is true, `update.active` becomes the new
-- version, so that templates route users to it. After `drain_sec` (default 30) the old processes
-- end.

local settings_of = require "verwalter/update/settings"

return function(settings, daemons)
  settings_of.check(settings, {manual = "boolean", drain_sec = "number"})
  local processes, warmup = settings_of.processes(daemons), settings_of.warmup(settings)
  local drain = settings.drain_sec or 30
  return {
    {
      name = "start_new", kind = "beside", processes = processes,
      forward_mode = settings.manual and "manual" or "time", forward_time = warmup,
      backward_mode = "time", backward_time = 0,
    },
    {
      name = "switch", kind = "switch", processes = processes,
      forward_mode = "time", forward_time = drain,
      backward_mode = "time", backward_time = drain,
    },
  }
end
