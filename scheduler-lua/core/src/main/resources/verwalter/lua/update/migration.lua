-- The stage that runs a command once before processes are replaced: `migrate` names it, a daemon of
-- the new version that runs only then. The stage ends with the action `ack`; `error` stops it,
-- unless `ignore_errors` is set. The command does not run backward or for a downgrade.

return function(settings, daemons)
  local name = settings.migrate
  if not daemons[name] then
    error("the command " .. name .. " that should run first is not among the daemons of the new version", 0)
  end
  return {
    name = "cmd_" .. name, kind = "run_once", processes = {name},
    forward_mode = settings.ignore_errors and "ack_ignore_errors" or "ack", forward_time = 0,
    forward_downgrade_mode = "skip",
    backward_mode = "skip", backward_time = 0,
  }
end
