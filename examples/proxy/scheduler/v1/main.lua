-- The web servers of the version's metadata, and one proxy on every node.
local make_scheduler = require("verwalter/scheduler").make_scheduler

local function schedule_simple(state)
  return {
    web = {front = state.roles.web.instances.front},
    proxy = {nginx = #state.nodes},
  }
end

return {
  scheduler = make_scheduler(schedule_simple, {
    nginx_max_per_node = 1,
    update = {strategy = "one_by_one", warmup_sec = 1},
  }),
}
