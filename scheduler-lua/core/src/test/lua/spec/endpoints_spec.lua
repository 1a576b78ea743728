local json = require "verwalter/json"
local make_scheduler = require("verwalter/scheduler").make_scheduler
local standard = require "verwalter/standard"
local world = require "spec/world"

local PORT = {type = "TcpPort", ports = {"10200-10299"}}

local function service(cluster, version, instances)
  return cluster:version("shop", version, {web = {variables = {http = PORT}}}, {
    template = "", scale = {web = {instances = instances}}, ["verwalter.io/processes"] = {web = {command = {"./server", version}}},
    rollout = {strategy = "one_by_one", warmup_sec = 1, auto = true, auto_revert = true},
  })
end

local own = make_scheduler(function(state)
  return {proxy = {nginx = #state.nodes}}
end, {nginx_max_per_node = 1})

describe("the endpoints of a role", function()
  local cluster

  before_each(function()
    cluster = world.new("alpha", "beta")
    cluster.input.nodes.beta.address = "10.0.0.2"
    cluster:version("proxy", "v1", {nginx = {}}, {endpoints = {"shop"}})
    service(cluster, "v1", 2)
  end)

  -- Runs both roles, and returns the list that the proxy of a node gets.
  local function list(host)
    return cluster:run(standard.beside(own)).nodes[host or "alpha"].roles.proxy.endpoints.shop
  end

  local function ready()
    local found = {}
    for _, each in ipairs(list()) do found[#found + 1] = each.ready end
    return found
  end

  -- Reports a process of the shop.
  local function report(host, process)
    cluster.input.instances[host].shop.processes["shop/web-0.0"] = process
  end

  local function running(since, more)
    local process = {state = "running", since = since, restarts = 0}
    for key, value in pairs(more or {}) do process[key] = value end
    return process
  end

  it("are those of all nodes, with their addresses and ports, on each node", function()
    list()
    cluster:observe()
    local found = list("beta")
    assert.same(found, cluster.data.nodes.alpha.roles.proxy.endpoints.shop)
    assert.same({
      {name = "web-0", node = "alpha", address = "127.0.0.1", ports = {http = 10200}, version = "v1", ready = true},
      {name = "web-0", node = "beta", address = "10.0.0.2", ports = {http = 10200}, version = "v1", ready = true},
    }, found)
  end)

  it("are only in the variables of a role that names them", function()
    list()
    assert.is_nil(cluster.data.nodes.alpha.roles.shop.endpoints)
    cluster:version("proxy", "v1", {nginx = {}}, {})
    cluster:run(standard.beside(own))
    assert.is_nil(cluster.data.nodes.alpha.roles.proxy.endpoints)
  end)

  it("are ready while they run, their probe succeeds and they are not being stopped", function()
    assert.same({false, false}, ready())
    cluster:observe()
    report("alpha", running(1, {ready = "false"}))
    assert.same({false, true}, ready())
    report("alpha", running(1, {ready = "true"}))
    assert.same({true, true}, ready())
    report("alpha", {state = "stopping", since = 1, restarts = 0, ready = "false"})
    assert.same({false, true}, ready())
  end)

  it("stay as they were while that is not known", function()
    list()
    cluster:observe()
    report("alpha", running(1, {ready = "unknown"}))
    assert.same({false, true}, ready())
    report("alpha", running(1, {ready = "true"}))
    list()
    report("alpha", running(1, {ready = "unknown"}))
    cluster.input.instances.beta = nil
    assert.same({true, true}, ready())
    cluster.input.instances.alpha.shop = {state = "unknown", processes = {}}
    assert.same({true, true}, ready())
  end)

  it("do not count a process of another version than the one that the schedule wants", function()
    list()
    cluster:observe()
    report("alpha", running(1))
    report("beta", running(1))
    list()
    service(cluster, "v2", 2)
    list()
    local replaced = cluster.data.nodes.alpha.roles.shop.daemons["web-0"].version == "v2" and "alpha" or "beta"
    local function of_replaced()
      for _, each in ipairs(list()) do
        if each.node == replaced then return each.version, each.ready end
      end
    end
    assert.same({"v2", false}, {of_replaced()})
    report(replaced, {state = "stopping", since = 1, restarts = 0})
    assert.same({"v2", false}, {of_replaced()})
    report(replaced, {state = "waiting", restarts = 0})
    assert.same({"v2", false}, {of_replaced()})
    report(replaced, running(2))
    assert.same({"v2", true}, {of_replaced()})
  end)

  it("count a process whose command is the same in the version that the schedule wants", function()
    list()
    for _, version in ipairs {"v1", "v2"} do
      service(cluster, version, 2)
      cluster.input.runtime.shop[version]["verwalter.io/processes"] = {web = {command = {"./server"}}}
      list()
      cluster:observe()
      report("alpha", running(1))
      report("beta", running(1))
    end
    assert.same({true, true}, ready())
  end)

  it("count a process again whose version is wanted again before it was stopped", function()
    list()
    cluster:observe()
    report("alpha", running(1))
    report("beta", running(1))
    list()
    service(cluster, "v2", 2)
    local changed = ready()
    assert.is_true(changed[1] ~= changed[2])
    cluster.input.runtime.shop.v2 = nil
    assert.same({true, true}, ready())
  end)

  it("lose a process in the schedule that stops it", function()
    list()
    cluster:observe()
    assert.equal(2, #list())
    service(cluster, "v1", 1)
    assert.equal(1, #list())
  end)

  it("do not change a schedule while nothing changes", function()
    list()
    cluster:observe()
    list()
    local before = cluster.data
    cluster:after(5)
    list()
    assert.same(json.decode(json.encode(before)), json.decode(json.encode(cluster.data)))
  end)
end)
