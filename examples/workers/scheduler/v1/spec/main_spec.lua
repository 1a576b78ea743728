local json = require "verwalter/json"
local scheduler = require("main").scheduler

local VERSION = {daemons = {worker = {image = "worker-v1", config = "/config/worker.yaml"}}}

describe("the workers", function()
  it("come five a second, up to twelve", function()
    local input = {now = 1700000000000, current_host = "alpha", parents = {}, actions = {}, runtime = {worker = {v1 = VERSION}}}
    local seen = {}
    for second = 1, 4 do
      local schedule = json.decode((scheduler(input)))
      seen[second] = schedule.nodes.alpha.roles.worker.daemons.worker.instances
      input.parents, input.now = {schedule}, input.now + 1000
    end
    assert.same({5, 10, 12, 12}, seen)
  end)
end)
