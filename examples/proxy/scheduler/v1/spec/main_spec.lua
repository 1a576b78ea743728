local json = require "verwalter/json"
local scheduler = require("main").scheduler

local RUNTIME = {
  web = {v1 = {ports = {"11120-11129"}, daemons = {front = {image = "web-v1", config = "/config/web.yaml", instances = 3, variables = {port = {type = "TcpPort"}}}}}},
  proxy = {v1 = {daemons = {nginx = {image = "proxy-v1", config = "/config/nginx.yaml"}}}},
}

describe("the proxy", function()
  it("is on every node, once", function()
    local schedule = json.decode((scheduler {
      now = 1700000000000, current_host = "alpha", current_id = "a1", parents = {}, actions = {}, metrics = {}, runtime = RUNTIME,
      peers = {a1 = {hostname = "alpha"}, b2 = {hostname = "beta"}},
    }))
    for _, host in ipairs {"alpha", "beta"} do
      assert.equal(1, schedule.nodes[host].roles.proxy.daemons.nginx.instances)
    end
  end)

  it("is beside as many web servers as their version says", function()
    local schedule = json.decode((scheduler {
      now = 1700000000000, current_host = "alpha", current_id = "a1", parents = {}, actions = {}, metrics = {}, runtime = RUNTIME,
    }))
    assert.equal(3, schedule.state.web.counts.front)
  end)
end)
