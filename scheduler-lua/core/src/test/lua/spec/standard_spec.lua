local standard = require "verwalter/standard"
local json = require "verwalter/json"
local tables = require "verwalter/tables"
local world = require "spec/world"

local ROLLOUT = {strategy = "one_by_one", warmup_sec = 10, auto = true, auto_revert = true}

-- The metadata of a service with one process, as the leader makes it of a file.
local function service(cluster, version, scale, more)
  local with = {
    template = "", scale = {web = scale}, rollout = ROLLOUT,
    ["verwalter.io/processes"] = {web = {command = {"./server", version}}},
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

  -- A process of a version, as host/entry.
  local function of_version(version)
    for host, node in tables.sorted(cluster.data.nodes) do
      for name, daemon in tables.sorted(node.roles.web and node.roles.web.daemons) do
        if daemon.version == version then return host .. "/" .. name end
      end
    end
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

  it("chooses one node, or each, for commands that run by time", function()
    service(cluster, "v1", {instances = 2}, {cron = {backup = "one", rotate = "each"}})
    local function timed(data)
      local names = {}
      for host, node in pairs(data.nodes) do names[host] = (node.roles.web or {}).cron end
      return names
    end
    local data = run()
    assert.same({alpha = {"backup", "rotate"}, beta = {"rotate"}}, timed(data))
    cluster.input.nodes.alpha.cordoned = true
    cluster:observe()
    data = run()
    assert.same({alpha = {"rotate"}, beta = {"backup", "rotate"}}, timed(data))
    cluster.input.nodes.beta.cordoned = true
    cluster:observe()
    data = run()
    assert.same({"backup", "rotate"}, timed(data).alpha)
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
    for _ = 1, 20 do
      cluster:observe(of_version "v2"):after(5)
      run()
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

  -- The number of processes that were as they are now before a function.
  local function kept(body)
    local before, same = cluster.data.nodes, 0
    body()
    for host, node in pairs(before) do
      local now = cluster.data.nodes[host] and cluster.data.nodes[host].roles.web
      for name, daemon in pairs(node.roles.web and node.roles.web.daemons or {}) do
        local is = now and now.daemons[name]
        if is and is.version == daemon.version then same = same + math.min(is.instances, daemon.instances) end
      end
    end
    return same
  end

  describe("never takes more processes than a step replaces", function()
    before_each(function()
      service(cluster, "v1", {instances = 6})
      run()
      go_on(2)
    end)

    it("when the file changes during an update", function()
      service(cluster, "v2", {instances = 6})
      run()
      go_on(4)
      assert.is_true(cluster:versions("web").v2 >= 3)
      service(cluster, "v3", {instances = 6})
      for _ = 1, 12 do
        assert.is_true(kept(function() go_on(1) end) >= 5)
        assert.is_true((cluster:versions("web").v2 or 0) + (cluster:versions("web").v1 or 0) + (cluster:versions("web").v3 or 0) == 6)
      end
      assert.same({v3 = 6}, cluster:versions("web"))
    end)

    it("when a revision fails that has replaced an update", function()
      service(cluster, "v2", {instances = 6})
      run()
      go_on(4)
      service(cluster, "v3", {instances = 6})
      for _ = 1, 30 do
        assert.is_true(kept(function()
          cluster:observe(of_version "v3"):after(10)
          run()
        end) >= 5)
      end
      assert.same({v1 = 6}, cluster:versions("web"))
    end)

    it("when the number changes during an update", function()
      service(cluster, "v2", {instances = 6})
      run()
      go_on(3)
      service(cluster, "v2", {instances = 12})
      for _ = 1, 20 do assert.is_true(kept(function() go_on(1) end) >= 5) end
      assert.same({v2 = 12}, cluster:versions("web"))
    end)

    it("when processes move during an update", function()
      service(cluster, "v2", {instances = 6})
      run()
      go_on(3)
      cluster.input.nodes.delta = tables.copy(cluster.input.nodes.alpha)
      cluster.input.nodes.delta.hostname = "delta"
      for _ = 1, 20 do assert.is_true(kept(function() go_on(1) end) >= 4) end
      assert.same({v2 = 6}, cluster:versions("web"))
    end)

    it("when a node is silent and lost before a process that was replaced there has started", function()
      service(cluster, "v2", {per_node = 2})
      run()
      cluster:after(5) -- the node has not carried out the schedule yet
      local node = cluster.input.nodes[of_version("v2"):match "^[^/]*"]
      node.ready, node.unknown, node.lost = false, true, {"web"}
      assert.equal(6, kept(run))
      assert.same({v1 = 5, v2 = 1}, cluster:versions("web"))
    end)

    it("when a node returns after a restart, until its processes serve", function()
      service(cluster, "v2", {per_node = 2})
      run()
      intend {paused = true}
      go_on(1)
      assert.same({v1 = 5, v2 = 1}, cluster:versions("web"))
      local other = of_version("v2"):match "^[^/]*" == "alpha" and "beta" or "alpha"
      local node = cluster.input.nodes[other]
      node.ready, node.unknown, node.lost = false, true, {"web"}
      go_on(50)
      node.ready, node.unknown, node.lost = true, nil, nil
      intend {revision = "v1"}
      for _ = 1, 5 do
        cluster:observe():after(10)
        cluster.input.instances[other] = {}
        assert.equal(6, kept(run))
      end
      go_on(5)
      assert.same({v1 = 6}, cluster:versions("web"))
    end)

    it("when new processes need no time to be ready", function()
      local at_once = tables.copy(ROLLOUT)
      at_once.warmup_sec = 0
      service(cluster, "v2", {instances = 6}, {rollout = at_once})
      assert.is_true(kept(run) >= 5)
      assert.same({v1 = 5, v2 = 1}, cluster:versions("web"))
      cluster:after(1)
      run() -- the node has not carried out the schedule yet
      assert.same({v1 = 5, v2 = 1}, cluster:versions("web"))
      cluster:observe():after(1)
      run()
      assert.same({v1 = 4, v2 = 2}, cluster:versions("web"))
    end)
  end)

  it("does not wait for a process to be replaced whose command stays the same", function()
    service(cluster, "v1", {instances = 3})
    run()
    go_on(2)
    service(cluster, "v2", {instances = 4})
    cluster.input.runtime.web.v2["verwalter.io/processes"] = cluster.input.runtime.web.v1["verwalter.io/processes"]
    for _ = 1, 8 do
      run()
      cluster:observe():after(10)
      for _, of_host in pairs(cluster.input.instances) do
        for _, process in pairs(of_host.web.processes) do process.since = 7 end
      end
    end
    assert.same({v2 = 4}, cluster:versions("web"))
    assert.is_nil(cluster.data.state.web.failed)
  end)

  it("starts a process elsewhere before it stops one for a node that joins", function()
    service(cluster, "v1", {instances = 6})
    run()
    go_on(2)
    cluster.input.nodes.delta = tables.copy(cluster.input.nodes.alpha)
    cluster.input.nodes.delta.hostname = "delta"
    assert.equal(6, kept(run))
    assert.equal(7, count(cluster))
    go_on(2)
    assert.equal(6, count(cluster))
    assert.equal(1, count(cluster, "delta"))
  end)

  it("keeps processes that serve rather than those of a silent node when there are to be fewer", function()
    service(cluster, "v1", {instances = 6})
    run()
    go_on(2)
    cluster.input.nodes.alpha.ready, cluster.input.nodes.alpha.unknown = false, true
    service(cluster, "v1", {instances = 3})
    run()
    assert.equal(3, count(cluster, "beta") + count(cluster, "gamma"))
  end)

  it("keeps processes that find no place elsewhere while a node is silent", function()
    service(cluster, "v1", {instances = 6})
    run()
    go_on(2)
    local alpha = cluster.input.nodes.alpha
    alpha.ready, alpha.unknown, alpha.lost = false, true, {"web"}
    go_on(2)
    assert.same({3, 3}, {count(cluster, "beta"), count(cluster, "gamma")})
    service(cluster, "v2", {per_node = 2})
    run()
    assert.equal(6, count(cluster, "beta") + count(cluster, "gamma"))
    alpha.ready, alpha.unknown, alpha.lost = true, nil, nil
    go_on(30)
    assert.same({2, 2, 2}, {count(cluster, "alpha"), count(cluster, "beta"), count(cluster, "gamma")})
    assert.same({v2 = 6}, cluster:versions("web"))
  end)

  it("never runs a process of a revision that does not have it", function()
    service(cluster, "v1", {instances = 3})
    run()
    go_on(2)
    service(cluster, "v2", {instances = 3})
    local metadata = cluster.input.runtime.web.v2
    metadata.daemons.worker, metadata.scale.worker = {variables = {}}, {instances = 4}
    for _ = 1, 10 do
      go_on(1)
      for _, node in pairs(cluster.data.nodes) do
        for _, daemon in pairs(node.roles.web and node.roles.web.daemons or {}) do
          assert.is_true(daemon.daemon == "web" or daemon.version == "v2")
        end
      end
    end
    assert.same({v2 = 7}, cluster:versions("web"))
  end)

  it("restarts nothing when an update that removes ports ends", function()
    cluster = world.new("alpha")
    service(cluster, "v1", {instances = 6})
    run()
    go_on(2)
    service(cluster, "v2", {instances = 6})
    cluster.input.runtime.web.v2.daemons.web = {variables = {}}
    for _ = 1, 12 do assert.is_true(kept(function() go_on(1) end) >= 5) end
    assert.same({v2 = 6}, cluster:versions("web"))
  end)

  it("gives the port of a process that is being stopped to no other", function()
    cluster = world.new("alpha")
    service(cluster, "v1", {instances = 2})
    run()
    go_on(2)
    local ports = {}
    for _, daemon in pairs(cluster.data.nodes.alpha.roles.web.daemons) do ports[daemon.variables.http] = true end
    cluster.input.runtime.web["verwalter.io/intent"] = {scale = {web = 0}}
    run()
    local function others()
      for _, daemon in pairs(cluster.data.nodes.alpha.roles.zoo.daemons) do return daemon.variables.http end
    end
    local web = cluster.input.runtime.web
    cluster.input.runtime.zoo = {v1 = tables.copy(web.v1)}
    run()
    assert.is_nil(ports[others()])
    cluster.input.instances.alpha.web = nil
    cluster.input.runtime.zoo = nil
    run()
    cluster.input.runtime.zoo = {v1 = tables.copy(web.v1)}
    run()
    assert.is_true(ports[others()])
  end)

  describe("when the revision that runs is gone", function()
    local before

    before_each(function()
      service(cluster, "v1", {instances = 6})
      run()
      go_on(2)
      before = json.encode(cluster.data.nodes)
    end)

    local function replace(version, more)
      cluster.input.runtime.web = {["verwalter.io/intent"] = cluster.input.runtime.web["verwalter.io/intent"]}
      service(cluster, version, {instances = 6}, more)
    end

    it("replaces its processes in steps", function()
      replace("v9")
      for at = 1, 12 do
        assert.is_true(kept(function() go_on(1) end) >= 5)
        assert.equal(6, count(cluster))
        assert.equal(math.min(at, 6), cluster:versions("web").v9)
      end
      assert.same({v9 = 6}, cluster:versions("web"))
      assert.equal("v9", cluster.data.state.web.running)
    end)

    it("keeps them while the role is paused", function()
      intend {paused = true}
      replace("v9")
      go_on(5)
      assert.equal(before, json.encode(cluster.data.nodes))
      intend(nil)
      go_on(12)
      assert.same({v9 = 6}, cluster:versions("web"))
    end)

    it("keeps them if the newest has failed", function()
      service(cluster, "v2", {instances = 6})
      run()
      for _ = 1, 6 do
        cluster:observe(of_version "v2"):after(10)
        run()
      end
      assert.is_true(cluster.data.state.web.failed.v2 ~= nil)
      cluster.input.runtime.web.v1 = nil
      go_on(5)
      assert.same({v1 = 6}, cluster:versions("web"))
    end)

    it("pauses the update if its processes fail", function()
      replace("v9")
      run()
      for _ = 1, 6 do
        cluster:observe(of_version "v9"):after(10)
        run()
      end
      assert.same({v1 = 5, v9 = 1}, cluster:versions("web"))
      assert.equal("pause", cluster.data.state.web.update.direction)
      cluster:press {role = "web", action = "revert"}
      run()
      assert.matches("v1 is gone", json.encode(cluster.refused))
      assert.same({v1 = 5, v9 = 1}, cluster:versions("web"))
      replace("v10")
      go_on(14)
      assert.same({v10 = 6}, cluster:versions("web"))
    end)

    it("goes on with an update that has begun", function()
      service(cluster, "v2", {instances = 6})
      go_on(3)
      cluster.input.runtime.web.v1 = nil
      for _ = 1, 3 do assert.is_true(kept(function() go_on(1) end) >= 5) end
      assert.same({v2 = 6}, cluster:versions("web"))
      service(cluster, "v3", {instances = 6})
      for _ = 1, 10 do assert.is_true(kept(function() go_on(1) end) >= 5) end
      assert.same({v3 = 6}, cluster:versions("web"))
    end)

    it("replaces those of an update whose target is gone in steps", function()
      service(cluster, "v2", {instances = 6})
      go_on(3)
      assert.same({v1 = 3, v2 = 3}, cluster:versions("web"))
      replace("v9")
      for _ = 1, 12 do assert.is_true(kept(function() go_on(1) end) >= 5) end
      assert.same({v9 = 6}, cluster:versions("web"))
    end)
  end)

  describe("when the ports of a revision are taken", function()
    local function with_ports(version, scale, ports, more)
      service(cluster, version, scale, more)
      cluster.input.runtime.web[version].daemons.web = {variables = {http = ports and {type = "TcpPort", ports = ports}}}
    end

    -- The port of each process of web on alpha.
    local function ports_of()
      local found = {}
      for name, daemon in pairs(cluster.data.nodes.alpha.roles.web.daemons) do
        found[name] = tonumber((daemon.variables or {}).http or 0) * daemon.instances
      end
      return found
    end

    local function reverts(ports, more)
      run()
      go_on(2)
      local before, versions = ports_of(), cluster:versions("web")
      with_ports("v2", {instances = versions.v1}, ports, more)
      for _ = 1, 8 do
        go_on(1)
        assert.is_true(cluster:versions("web").v1 == versions.v1)
        for name, port in pairs(before) do assert.equal(port, ports_of()[name]) end
      end
      assert.same(versions, cluster:versions("web"))
      assert.matches("cannot run: its allowed ports are all taken", cluster.data.state.web.failed.v2.why)
      assert.equal("v1", cluster.data.state.web.running)
    end

    before_each(function()
      cluster = world.new("alpha")
      service(cluster, "v1", {instances = 1})
      cluster.input.runtime.other = cluster.input.runtime.web
      cluster.input.runtime.other.v1.daemons.web = {variables = {http = {type = "TcpPort", ports = {8080}}}}
      cluster.input.runtime.web = nil
      run()
    end)

    it("waits for the process of another role whose port has changed just now", function()
      with_ports("v1", {instances = 1}, {8081})
      run()
      go_on(2)
      local other = tables.copy(cluster.input.runtime.other.v1)
      other.daemons.web.variables.http.ports = {8082}
      cluster.input.runtime.other.v2 = other
      with_ports("v2", {instances = 1}, {8080})
      go_on(1)
      assert.same({["web-0"] = 8081}, ports_of())
      assert.same({v2 = 1}, cluster:versions("other"))
      go_on(4)
      assert.same({["web-0"] = 8080}, ports_of())
      assert.is_nil(cluster.data.state.web.failed)
    end)

    it("reverts it, and keeps the only process", function()
      with_ports("v1", {instances = 1}, {8081})
      reverts({8080})
    end)

    it("reverts it, and keeps those that ran without ports", function()
      with_ports("v1", {instances = 3}, nil)
      reverts({8080})
    end)

    it("reverts it, and keeps those for which there are too few", function()
      with_ports("v1", {instances = 3}, {"9000-9002"})
      reverts({9000})
    end)

    it("reverts it before both versions run side by side", function()
      with_ports("v1", {instances = 1}, {9000})
      reverts({9000}, {rollout = {strategy = "blue_green", warmup_sec = 10, auto = true, auto_revert = true}})
    end)

    it("pauses it if it is not to be reverted", function()
      with_ports("v1", {instances = 1}, {8081})
      run()
      with_ports("v2", {instances = 1}, {8080}, {rollout = {warmup_sec = 10, auto = true, auto_revert = false}})
      go_on(8)
      assert.same({v1 = 1}, cluster:versions("web"))
      assert.equal("pause", cluster.data.state.web.update.direction)
    end)

    it("waits for a process that is being stopped", function()
      with_ports("v1", {instances = 1}, {8081})
      run()
      go_on(2)
      with_ports("v2", {instances = 1}, {8080})
      go_on(1)
      assert.same({v1 = 1}, cluster:versions("web"))
      cluster.input.runtime.other["verwalter.io/intent"] = {scale = {web = 0}}
      go_on(6)
      assert.same({v2 = 1}, cluster:versions("web"))
      assert.same({["web-0"] = 8080}, ports_of())
      assert.is_nil(cluster.data.state.web.failed)
      assert.is_nil(cluster.data.state.web.update)
    end)
  end)

  it("has the numbers of the revision that runs after one that failed", function()
    service(cluster, "v1", {instances = 3})
    run()
    go_on(2)
    service(cluster, "v2", {instances = 9})
    run()
    service(cluster, "v3", {instances = 6})
    for _ = 1, 30 do
      cluster:observe(of_version "v3"):after(10)
      run()
    end
    assert.same({v1 = 3}, cluster:versions("web"))
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
