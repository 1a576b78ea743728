-- The strategy "substeps": replaces `step_percent` of the processes (default 10) at a time, with
-- `warmup_sec` between steps.

local settings_of = require "verwalter/update/settings"

return function(settings, daemons)
  settings_of.check(settings, {step_percent = "number"})
  local substeps = math.ceil(100 / settings_of.percent(settings, "step_percent", 10))
  local time = settings_of.warmup(settings) * substeps
  return {
    {
      name = "smooth_restart", kind = "smooth", processes = settings_of.processes(daemons), substeps = substeps,
      forward_mode = "smooth", forward_time = time,
      backward_mode = "smooth", backward_time = time,
    },
  }
end
