local json = require "verwalter/json"
local scheduler = require("main").scheduler

describe("the shop", function()
  it("runs what operators ask for", function()
    local text = scheduler {
      now = 1700000000000, current_host = "alpha", parents = {},
      runtime = {shop = {v1 = {ports = {"11100-11119"}, daemons = {
        web = {image = "shop-v1", config = "/config/web.yaml", variables = {port = {type = "TcpPort"}}},
      }}}},
      actions = {
        {button = {role = "shop", action = "create_group", group_name = "main", version = "v1"}},
        {button = {role = "shop", action = "add_daemon", group = "main", new_name = "web", service = "web",
          servers = {"alpha"}, number_per_server = 2}},
      },
    }
    local daemons = json.decode(text).nodes.alpha.roles.shop.daemons
    assert.equal("11100", daemons["main-web-0"].variables.port)
    assert.equal("11101", daemons["main-web-1"].variables.port)
  end)
end)
