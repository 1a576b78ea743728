-- One proxy on every node that is not drained, beside the services of roles/.
local make_scheduler = require("verwalter/scheduler").make_scheduler
local standard = require "verwalter/standard"

local function schedule_simple(state)
  local wanted = 0
  for _, node in ipairs(state.nodes) do
    if not node.draining then wanted = wanted + 1 end
  end
  return {proxy = {nginx = wanted}}
end

return {scheduler = standard.beside(make_scheduler(schedule_simple, {nginx_max_per_node = 1}))}
