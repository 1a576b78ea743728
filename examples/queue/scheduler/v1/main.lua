-- As many workers as the jobs need.
local make_scheduler = require("verwalter/scheduler").make_scheduler

local JOBS_PER_WORKER = 10 -- a second
local LEAST, MOST = 2, 20

local function schedule_simple(state)
  local queue = state.roles.queue
  local jobs = queue.metrics.rate "jobs" -- the rule queue.jobs, over all nodes
  if not jobs then return {queue = {worker = queue.wanted.worker or queue.instances.worker or LEAST}} end
  return {queue = {worker = math.max(LEAST, math.min(MOST, math.ceil(jobs / JOBS_PER_WORKER)))}}
end

return {
  scheduler = make_scheduler(schedule_simple, {
    worker_grow_rate = "2 processes per second",
    worker_decline_rate = "1 process per minute",
    query_metrics = {
      rules = {
        ["queue.jobs"] = {metric = "jobs_total", role = "queue", sum = true, window = 30},
      },
    },
  }),
}
