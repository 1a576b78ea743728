local json = require "verwalter/json"
local scheduler = require("main").scheduler

local RUNTIME = {queue = {v1 = {ports = {"11200-11239"}, daemons = {worker = {image = "queue-v1", config = "/config/worker.yaml", instances = 2, variables = {port = {type = "TcpPort"}}}}}}}

describe("the workers of the queue", function()
  local input

  before_each(function()
    input = {now = 1700000000000, current_host = "alpha", current_id = "a1", parents = {}, actions = {}, metrics = {}, runtime = RUNTIME}
  end)

  -- The final number of workers for a number of jobs.
  local function settled(jobs)
    input.metrics = {a1 = {["queue.jobs"] = jobs and {type = "single_tip", value = 12345, rate = jobs} or nil}}
    local schedule
    for _ = 1, 30 do
      schedule = json.decode((scheduler(input)))
      input.parents, input.now = {schedule}, input.now + 60000
    end
    return schedule.state.queue.counts.worker
  end

  it("are two without measurements", function() assert.equal(2, settled(nil)) end)
  it("follow the jobs", function() assert.equal(7, settled(65)) end)
  it("are at least two", function() assert.equal(2, settled(0)) end)
  it("are at most twenty", function() assert.equal(20, settled(1e9)) end)

  it("stay when the metrics are gone", function()
    settled(65)
    assert.equal(7, settled(nil))
  end)

  it("go slowly", function()
    settled(65)
    input.metrics.a1["queue.jobs"].rate = 0
    assert.equal(6, json.decode((scheduler(input))).state.queue.counts.worker)
  end)

  it("ask for the metric", function()
    assert.is_table(json.decode((scheduler(input))).query_metrics.rules["queue.jobs"])
  end)
end)
