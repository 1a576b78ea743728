-- Twelve workers, distributed over all nodes.
local make_scheduler = require("verwalter/scheduler").make_scheduler

local function schedule_simple(state)
  return {worker = {worker = 12}}
end

return {
  scheduler = make_scheduler(schedule_simple, {
    worker_grow_rate = "5 processes per second",
    worker_decline_rate = "1 process per second",
    update = {strategy = "substeps", step_percent = 25, warmup_sec = 2},
  }),
}
