-- The strategy "canary": replaces `canary_percent` of the processes (default 10), at least one, and
-- waits until an operator proceeds, or for `canary_sec` if that is set. Then it replaces the
-- others, `step_percent` at a time (default 100: all at once).

local settings_of = require "verwalter/update/settings"

return function(settings, daemons)
  settings_of.check(settings, {canary_percent = "number", canary_sec = "number", step_percent = "number"})
  local processes, warmup = settings_of.processes(daemons), settings_of.warmup(settings)
  local substeps = math.ceil(100 / settings_of.percent(settings, "step_percent", 100))
  return {
    {
      name = "test_mode", kind = "test_mode", processes = processes,
      test_mode_percent = settings_of.percent(settings, "canary_percent", 10),
      forward_mode = settings.canary_sec and "time" or "manual",
      forward_time = settings.canary_sec or warmup,
      backward_mode = "time", backward_time = warmup,
    },
    {
      name = "smooth_restart", kind = "smooth", processes = processes, substeps = substeps,
      forward_mode = "smooth", forward_time = warmup * substeps,
      backward_mode = "smooth", backward_time = warmup * substeps,
    },
  }
end
