local groups = require "verwalter/groups"
local buttons = require "verwalter/groups/buttons"
local world = require "spec/world"

local PORT = {port = {type = "TcpPort"}}

local function metadata(image)
  return {
    web = {image = image, config = "/config/web.yaml", variables = PORT, update = {restart = "smooth", warmup_sec = 2, smooth_substeps = 2}},
    cron = {image = image, config = "/config/cron.yaml", update = {warmup_sec = 2}},
    migrate = {image = image, config = "/config/migrate.yaml", update = {mode = "run-with-ack", before = {"quick_restart", "smooth_restart"}}},
  }
end

describe("groups", function()
  local cluster, scheduler

  local function press(action, fields)
    local button = {role = "shop", action = action}
    for key, value in pairs(fields) do button[key] = value end
    cluster:press(button)
  end

  before_each(function()
    cluster = world.new("alpha", "beta"):version("shop", "v1", metadata "shop-v1", {ports = {"9000-9099"}})
    scheduler = groups.make_scheduler()
    press("create_group", {group_name = "main", version = "v1"})
    press("add_daemon", {group = "main", new_name = "web", service = "web", servers = {"alpha", "beta"}, number_per_server = 2})
    press("add_daemon", {group = "main", new_name = "cron", service = "cron", servers = {"alpha"}, number_per_server = 1})
    press("add_daemon", {group = "main", new_name = "migrate", service = "migrate", servers = {"beta"}, number_per_server = 1})
    cluster:run(scheduler)
  end)

  it("run services on the servers that operators chose", function()
    assert.same({
      alpha = {["main-cron"] = 1, ["main-web-0"] = 1, ["main-web-1"] = 1}, beta = {["main-web-0"] = 1, ["main-web-1"] = 1},
    }, cluster:processes("shop"))
    local variables = cluster.data.nodes.alpha.roles.shop
    assert.equal("shop/v1", variables.template)
    assert.same({port = "9001"}, variables.daemons["main-web-1"].variables)
    assert.equal("web", variables.daemons["main-web-1"].service)
    assert.equal("api", cluster.data.roles.shop.frontend.kind)
    assert.same({service = "cron", servers = {"alpha"}, number_per_server = 1}, cluster.data.state.shop.groups.main.services.cron)
  end)

  it("stay unchanged without actions", function()
    cluster:after(10):run(scheduler)
    local text = cluster.text
    cluster:after(10):run(scheduler)
    assert.equal(text, cluster.text)
  end)

  it("are changed by actions", function()
    press("set_servers", {group = "main", service = "cron", servers = {"beta"}})
    press("set_number_per_server", {group = "main", service = "web", number_per_server = 1})
    cluster:run(scheduler)
    assert.same({alpha = {["main-web-0"] = 1}, beta = {["main-cron"] = 1, ["main-web-0"] = 1}}, cluster:processes("shop"))
    press("delete_daemon", {group = "main", name = "web"})
    cluster:run(scheduler)
    assert.same({beta = {["main-cron"] = 1}}, cluster:processes("shop"))
    press("delete_group", {group = "main"})
    cluster:run(scheduler)
    assert.same({}, cluster:processes("shop"))
  end)

  it("use the ports that operators set", function()
    press("add_daemon", {group = "main", new_name = "extra", service = "web", servers = {"alpha"}, number_per_server = 1, variables = {port = 9000}})
    cluster:run(scheduler)
    local daemons = cluster.data.nodes.alpha.roles.shop.daemons
    assert.same({port = "9000"}, daemons["main-extra"].variables)
    assert.equal("9001", daemons["main-web-1"].variables.port)
    assert.equal("9002", daemons["main-web-0"].variables.port)
  end)

  it("report invalid actions and continue", function()
    press("create_group", {group_name = "main", version = "v1"})
    press("create_group", {group_name = "a b", version = "v1"})
    press("create_group", {group_name = "other", version = "v9"})
    press("add_daemon", {group = "main", new_name = "x", service = "nothing", servers = {}, number_per_server = 1})
    press("set_servers", {group = "main", service = "web", servers = {"alpha", "alpha"}})
    press("set_number_per_server", {group = "main", service = "web", number_per_server = -1})
    press("set_number_per_server", {group = "gone", service = "web", number_per_server = 1})
    press("start_update", {group = "main", to_version = "v1"})
    press("update_action", {group = "main", update_action = "pause"})
    press("explode", {group = "main"})
    cluster:run(scheduler)
    for _, text in ipairs {"there is a group main already", "a b is not a name", "version is one of v1, not v9", "has no daemon nothing",
      "servers has alpha twice", "number_per_server must be a whole number", "there is no group gone", "it has this version",
      "there is no update to pause", "there is no button explode"} do
      assert.matches(text, cluster.log)
    end
    assert.same({
      [5] = "create_group: there is a group main already", [6] = "a b is not a name of letters, digits, - and _",
      [7] = "version is one of v1, not v9", [8] = "add_daemon: version v1 has no daemon nothing",
      [9] = "servers has alpha twice", [10] = "number_per_server must be a whole number up to 1000, but is -1",
      [11] = "set_number_per_server: there is no group gone", [12] = "start_update: it has this version",
      [13] = "main: there is no update to pause", [14] = "there is no button explode",
    }, cluster.refused)
    assert.equal(2, cluster.data.state.shop.groups.main.services.web.number_per_server)
  end)

  it("are updated through the pipeline", function()
    cluster:version("shop", "v2", metadata "shop-v2", {ports = {"9000-9099"}}):run(scheduler)
    assert.equal(3, #cluster.data.roles.shop.version_info.v2.group_pipelines.main)
    press("start_update", {group = "main", to_version = "v2"})
    cluster:run(scheduler)
    assert.equal("cmd_migrate", cluster.data.state.shop.groups.main.update.step)
    assert.equal(1, cluster:processes("shop").beta["main-migrate"])
    press("update_action", {group = "main", update_action = "proceed"})
    cluster:run(scheduler)
    assert.same({[6] = "main: proceed: nothing waits for it"}, cluster.refused)
    press("update_action", {group = "main", update_action = "ack", step = "cmd_migrate"})
    cluster:run(scheduler)
    assert.is_nil(cluster:processes("shop").beta["main-migrate"])
    assert.same({v1 = 4, v2 = 1}, cluster:versions("shop"))
    local ports = {}
    for at = 1, 6 do
      cluster:after(2):run(scheduler)
      ports[at] = cluster.data.nodes.alpha.roles.shop.daemons["main-web-1"].variables.port
    end
    assert.same({v2 = 5}, cluster:versions("shop"))
    assert.same({"9001", "9001", "9001", "9001", "9001", "9001"}, ports)
    assert.equal("v2", cluster.data.state.shop.groups.main.version)
    assert.is_nil(cluster.data.state.shop.groups.main.update)
  end)

  it("are reverted", function()
    cluster:version("shop", "v2", metadata "shop-v2", {ports = {"9000-9099"}})
    press("start_update", {group = "main", to_version = "v2"})
    cluster:run(scheduler)
    press("update_action", {group = "main", update_action = "revert"})
    cluster:run(scheduler)
    assert.equal("v1", cluster.data.state.shop.groups.main.version)
    assert.same({v1 = 5}, cluster:versions("shop"))
  end)

  it("are moved to a version by force_version", function()
    cluster:version("shop", "v2", metadata "shop-v2", {ports = {"9000-9099"}})
    press("force_version", {group = "main", to_version = "v2"})
    cluster:run(scheduler)
    assert.same({v2 = 5}, cluster:versions("shop"))
  end)

  it("follow the newest version with auto update", function()
    press("enable_auto_update", {group = "main"})
    cluster:run(scheduler)
    cluster:version("shop", "v2", metadata "shop-v2", {ports = {"9000-9099"}}):run(scheduler)
    assert.equal("v2", cluster.data.state.shop.groups.main.update.target_ver)
    assert.is_true(cluster.data.state.shop.groups.main.update.auto)
  end)

  it("are merged after a partition: first group, latest deployment", function()
    local merged = groups.merge {
      {groups = {a = {version = "v2", last_deployed = {v1 = 5}, services = {}}}},
      {groups = {a = {version = "v1", last_deployed = {v1 = 9}, services = {}}, b = {version = "v1", services = {}}}},
    }
    assert.equal("v2", merged.a.version)
    assert.equal(9, merged.a.last_deployed.v1)
    assert.equal("v1", merged.b.version)
  end)

  it("have a field description for each action", function()
    local fields = buttons.fields {"v1"}
    for _, name in ipairs(buttons.names()) do assert.is_table(fields[name]) end
  end)
end)
