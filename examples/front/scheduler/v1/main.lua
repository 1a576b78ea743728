-- One proxy on every node, beside the services of roles/.
local make_scheduler = require("verwalter/scheduler").make_scheduler
local standard = require "verwalter/standard"

local function schedule_simple(state)
  return {proxy = {nginx = #state.nodes}}
end

return {scheduler = standard.beside(make_scheduler(schedule_simple, {nginx_max_per_node = 1}))}
