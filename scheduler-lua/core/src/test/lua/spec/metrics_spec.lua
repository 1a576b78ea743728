local metrics = require "verwalter/metrics"

local function series(values, step)
  local timestamps = {}
  for at = 1, 10 do
    if values[at] then timestamps[at] = 100000 - at * (step or 2000) end
  end
  return {key = {metric = "x"}, values = values, timestamps = timestamps}
end

local function input()
  return {
    current_id = "a1", current_host = "alpha", peers = {b2 = {hostname = "beta"}},
    metrics = {
      a1 = {
        ["web.requests"] = {type = "single_tip", key = {}, value = 10, rate = 2.5, trend = "growing", old_timestamp = 9, new_timestamp = 5},
        load = {type = "single_series", values = {4, 3, 2, 1}, timestamps = {8000, 6000, 4000, 2000}},
      },
      b2 = {["web.requests"] = {type = "multi_tip", items = {{key = {}, value = 3, rate = 1}, {key = {}, value = 4, rate = 0.5}}}},
      c3 = {["web.requests"] = {type = "single_tip", value = 1000, rate = 1000}},
      d4 = {["web.requests"] = {type = "error", error = "incompatible"}},
    },
  }
end

describe("a dataset", function()
  it("has a last value", function()
    assert.equal(7, metrics.last(series {7, 6, 5}))
    assert.equal(6, metrics.last(series {nil, 6, 5}))
    assert.equal(9, metrics.last {type = "multi_series", items = {series {7}, series {2}}})
    assert.is_nil(metrics.last {type = "error", error = "incompatible"})
    assert.is_nil(metrics.last(nil))
    assert.is_nil(metrics.last(series {}))
  end)

  it("has a rate, its own or from its points", function()
    assert.equal(2.5, metrics.rate {type = "single_tip", value = 1, rate = 2.5})
    assert.equal(0.5, metrics.rate(series {3, 2, 1}))
    assert.equal(0.5, metrics.rate(series {3, nil, 1}))
    assert.is_nil(metrics.rate(series {3}))
    assert.is_nil(metrics.rate {type = "single_tip", value = 1})
  end)

  it("has a trend, its own or from its points", function()
    assert.equal("growing", metrics.trend {type = "single_tip", value = 1, trend = "growing"})
    assert.equal("growing", metrics.trend(series {9, 8, 2, 1}))
    assert.equal("declining", metrics.trend(series {1, 2, 8, 9}))
    assert.equal("steady", metrics.trend(series {5, 5, 5, 5.1}))
    assert.is_nil(metrics.trend(nil))
  end)

  it("has an age", function()
    assert.equal(2000, metrics.age(series {1, 2}, 100000))
    assert.equal(1, metrics.age({value = 1, old_timestamp = 9, new_timestamp = 5}, 10))
    assert.is_nil(metrics.age({}, 5))
  end)
end)

describe("metrics of nodes", function()
  it("are read by host", function()
    assert.same({alpha = 10, beta = 7}, metrics.on_hosts(input(), "web.requests"))
  end)

  it("are summed", function()
    assert.same({17, 2}, {metrics.sum(input(), "web.requests")})
    assert.same({4.0, 2}, {metrics.sum(input(), "web.requests", "rate")})
    assert.equal(2.0, metrics.mean(input(), "web.requests", "rate"))
    assert.same({10, "alpha"}, {metrics.largest(input(), "web.requests")})
  end)

  it("are nil without metrics", function()
    local none = {current_id = "a", current_host = "a", metrics = {}}
    assert.is_nil((metrics.sum(none, "x")))
    assert.is_nil(metrics.mean(none, "x"))
    assert.is_nil((metrics.largest({}, "x")))
    assert.is_nil(metrics.reader({}, "web").rate "x")
  end)

  it("are read for a role", function()
    local read = metrics.reader(input(), "web")
    assert.equal(17, read.last "requests")
    assert.equal(4.0, read.rate "requests")
    assert.equal(4, read.last "load")
    assert.equal("growing", read.trend "requests")
  end)
end)
