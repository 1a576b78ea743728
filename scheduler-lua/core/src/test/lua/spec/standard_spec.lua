local standard = require "verwalter/standard"
local json = require "verwalter/json"
local world = require "spec/world"

local ROLLOUT = {strategy = "one_by_one", warmup_sec = 10, auto = true, auto_revert = true}

-- The metadata of a service with one process, as the leader makes it of a file.
local function service(cluster, version, scale, more)
  local with = {
    template = "", scale = {web = scale}, rollout = ROLLOUT,
    ["verwalter.io/processes"] = {web = {command = {"./server"}}},
  }
  for key, value in pairs(more or {}) do with[key] = value end
  local http = {type = "TcpPort", ports = {"10200-10299"}}
  return cluster:version("web", version, {web = {variables = {http = http}}}, with)
end

local function count(cluster, host)
  local sum = 0
  for name, of_host in pairs(cluster:processes("web")) do
    if host == nil or host == name then
      for _, instances in pairs(of_host) do sum = sum + instances end
    end
  end
  return sum
end

describe("the standard scheduler", function()
  local cluster

  before_each(function()
    cluster = world.new("alpha", "beta", "gamma")
  end)

  local function run()
    return cluster:run(standard.scheduler)
  end

  it("runs the instances of a service, each with a port of its own", function()
    service(cluster, "v1", {instances = 4})
    local data = run()
    assert.equal(4, count(cluster))
    assert.equal("", data.nodes.alpha.roles.web.template)
    for _, node in pairs(data.nodes) do
      local taken = {}
      for _, daemon in pairs(node.roles.web.daemons) do
        local port = tonumber(daemon.variables.http)
        assert.is_true(port >= 10200 and port <= 10299 and not taken[port])
        taken[port] = true
      end
    end
  end)

  it("runs a number on each node, or a share of the processors", function()
    service(cluster, "v1", {per_node = 2})
    run()
    assert.same({2, 2, 2}, {count(cluster, "alpha"), count(cluster, "beta"), count(cluster, "gamma")})
    service(cluster, "v2", {percent = 50})
    for _ = 1, 30 do
      cluster:observe():after(10)
      run()
    end
    assert.same({v2 = 6}, cluster:versions("web"))
  end)

  it("uses the nodes with the labels, and leaves others when their processes run elsewhere", function()
    for _, name in ipairs {"alpha", "beta"} do cluster.input.nodes[name].labels = {zone = "a"} end
    service(cluster, "v1", {instances = 4}, {place = {labels = {zone = "a"}}})
    run()
    assert.same({2, 2, 0}, {count(cluster, "alpha"), count(cluster, "beta"), count(cluster, "gamma")})
    cluster.input.nodes.alpha.labels = {}
    cluster:observe()
    run()
    assert.equal(2, count(cluster, "alpha"))
    for _ = 1, 3 do
      cluster:observe():after(10)
      run()
    end
    assert.same({0, 4}, {count(cluster, "alpha"), count(cluster, "beta")})
  end)

  it("replaces one process at a time, and keeps their ports", function()
    service(cluster, "v1", {instances = 3})
    local before = run().nodes.alpha.roles.web.daemons
    cluster:observe()
    service(cluster, "v2", {instances = 3})
    local seen = {}
    for _ = 1, 8 do
      run()
      seen[#seen + 1] = cluster:versions("web").v2 or 0
      cluster:observe():after(5)
    end
    for at = 2, #seen do assert.is_true(seen[at] - seen[at - 1] <= 1) end
    assert.same({v2 = 3}, cluster:versions("web"))
    for name, daemon in pairs(before) do
      assert.same(daemon.variables, cluster.data.nodes.alpha.roles.web.daemons[name].variables)
    end
  end)

  it("reverts a revision that fails, and does not try it again", function()
    service(cluster, "v1", {instances = 3})
    run()
    cluster:observe():after(10)
    service(cluster, "v2", {instances = 5})
    run()
    local bad
    for host, node in pairs(cluster.data.nodes) do
      for name, daemon in pairs(node.roles.web.daemons) do
        if daemon.version == "v2" then bad = host .. "/" .. name end
      end
    end
    for _ = 1, 20 do
      cluster:observe(bad):after(5)
      run()
      bad = cluster:versions("web").v2 and bad
    end
    assert.same({v1 = 3}, cluster:versions("web"))
    service(cluster, "v3", {instances = 3})
    for _ = 1, 20 do
      cluster:observe():after(5)
      run()
    end
    assert.same({v3 = 3}, cluster:versions("web"))
  end)

  -- What operators want of the service, beside its file.
  local function intend(intent)
    cluster.input.runtime.web["verwalter.io/intent"] = intent
  end

  local function go_on(runs)
    for _ = 1, runs do
      cluster:observe():after(10)
      run()
    end
  end

  it("brings a whole revision back, until the intent ends", function()
    service(cluster, "v1", {instances = 3})
    run()
    service(cluster, "v2", {instances = 3})
    go_on(20)
    assert.same({v2 = 3}, cluster:versions("web"))
    intend {revision = "v1"}
    go_on(20)
    assert.same({v1 = 3}, cluster:versions("web"))
    intend(nil)
    go_on(20)
    assert.same({v2 = 3}, cluster:versions("web"))
  end)

  it("calls an update off, and takes it up again", function()
    service(cluster, "v1", {instances = 3})
    run()
    go_on(3)
    service(cluster, "v2", {instances = 3})
    run()
    go_on(2)
    assert.is_true((cluster:versions("web").v2 or 0) > 0)
    intend {revision = "v1"}
    go_on(20)
    assert.same({v1 = 3}, cluster:versions("web"))
    assert.is_nil(cluster.data.state.web.failed)
    intend(nil)
    go_on(20)
    assert.same({v2 = 3}, cluster:versions("web"))
  end)

  it("stays as it is while it is paused", function()
    service(cluster, "v1", {instances = 3})
    run()
    go_on(3)
    service(cluster, "v2", {instances = 3})
    run()
    go_on(1)
    local before = cluster:versions("web")
    intend {paused = true}
    go_on(10)
    assert.same(before, cluster:versions("web"))
    service(cluster, "v3", {instances = 3})
    go_on(10)
    assert.same(before, cluster:versions("web"))
    intend(nil)
    go_on(30)
    assert.same({v3 = 3}, cluster:versions("web"))
    intend {paused = true}
    service(cluster, "v4", {instances = 3})
    go_on(5)
    assert.same({v3 = 3}, cluster:versions("web"))
    assert.is_nil(cluster.data.state.web.update)
  end)

  it("runs as many processes as operators want", function()
    service(cluster, "v1", {per_node = 1})
    run()
    intend {scale = {web = 6}}
    go_on(2)
    assert.equal(6, count(cluster))
    intend {scale = {web = 0}}
    go_on(2)
    assert.equal(0, count(cluster))
    intend(nil)
    go_on(2)
    assert.equal(3, count(cluster))
  end)

  it("leaves roles of another kind alone", function()
    cluster:version("db", "v1", {server = {}})
    assert.has_error(function() run() end,
      "runtime/db needs a scheduler: write scheduler/v1/main.lua, which may run the services of roles/ by "
      .. 'require("verwalter/standard").beside')
  end)

  it("runs services beside a new one whose file cannot be read", function()
    service(cluster, "v1", {instances = 3})
    cluster.input.runtime.typo = json.object{}
    run()
    assert.same({v1 = 3}, cluster:versions("web"))
  end)

  it("runs services beside the roles of one's own scheduler", function()
    service(cluster, "v1", {instances = 3}):version("db", "v1", {server = {}})
    local own = require("verwalter/scheduler").make_scheduler(function() return {db = {server = 1}} end)
    local both = standard.beside(own)
    local data = cluster:press({role = "web", action = "no such"}):run(both)
    assert.equal(3, count(cluster))
    local servers = 0
    for _, node in pairs(data.nodes) do if node.roles.db then servers = servers + 1 end end
    assert.equal(1, servers)
    cluster:observe():after(10):run(both)
    local text = json.encode(cluster.data.nodes)
    cluster:observe():after(10):run(both)
    assert.equal(text, json.encode(cluster.data.nodes))
  end)
end)
