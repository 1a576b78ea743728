local make_scheduler = require("verwalter/scheduler").make_scheduler
local world = require "spec/world"

local WORKER = {worker = {image = "web-v1", config = "/config/worker.yaml"}}

local function wanting(count)
  return function() return {web = {worker = count}} end
end

describe("make_scheduler", function()
  local cluster

  before_each(function()
    cluster = world.new("alpha", "beta", "gamma"):version("web", "v1", WORKER)
  end)

  it("places the wanted processes", function()
    local data = cluster:run(make_scheduler(wanting(12)))
    assert.same({alpha = {worker = 4}, beta = {worker = 4}, gamma = {worker = 4}}, cluster:processes("web"))
    local variables = data.nodes.alpha.roles.web
    assert.equal("web/v1", variables.template)
    assert.equal("v1", variables.version)
    assert.equal("web-v1", variables.daemons.worker.image)
    assert.equal("/config/worker.yaml", variables.daemons.worker.config)
    assert.same({"v1"}, data.roles.web.versions)
    assert.equal("version", data.roles.web.frontend.kind)
    assert.equal("alpha", data.owner_hostname)
  end)

  it("is limited by the rates", function()
    local count = 12
    local scheduler = make_scheduler(function() return {web = {worker = count}} end,
      {worker_grow_rate = "5 processes per second", worker_decline_rate = "1 process per second"})
    local seen = {}
    for second = 0, 6 do
      if second == 4 then count = 10 end
      seen[#seen + 1] = cluster:run(scheduler).state.web.counts.worker
      cluster:after(1)
    end
    assert.same({5, 10, 12, 12, 11, 10, 10}, seen)
  end)

  it("returns the same schedule without changes", function()
    local scheduler = make_scheduler(wanting(7), {worker_grow_rate = "100 processes per second"})
    cluster:run(scheduler)
    cluster:after(60):run(scheduler)
    local text = cluster.text
    cluster:after(60):run(scheduler)
    assert.equal(text:gsub('"changes":%b[]', ""), (cluster.text:gsub('"changes":%b[]', "")))
    assert.same({}, cluster.data.changes)
  end)

  it("logs changes", function()
    local data = cluster:run(make_scheduler(wanting(3)))
    assert.same("web: worker: 0 -> 3 processes", data.changes[1])
    assert.same("web: worker on alpha: none -> v1", data.changes[2])
    assert.matches("%[web%]:DEBUG: version v1 is wanted, the newest", cluster.log)
  end)

  it("records reasons", function()
    local given = {}
    reason = function(...) given[#given + 1] = table.concat({...}, "|") end
    cluster:run(make_scheduler(wanting(3)))
    reason = nil
    assert.equal("web|version v1 is wanted, the newest", given[1])
    assert.equal("web|worker: 0 -> 3 processes", given[2])
  end)

  it("works without nodes and metrics in the input", function()
    cluster.input.nodes, cluster.input.metrics = nil, nil
    cluster.input.peers = {["id-beta"] = {hostname = "beta"}}
    cluster:run(make_scheduler(wanting(4)))
    assert.same({alpha = {worker = 2}, beta = {worker = 2}}, cluster:processes("web"))
  end)

  it("keeps roles and daemons that are omitted", function()
    cluster:run(make_scheduler(wanting(3)))
    cluster:run(make_scheduler(function() return {} end))
    assert.equal(3, cluster.data.state.web.counts.worker)
    cluster:run(make_scheduler(wanting(0)))
    assert.same({}, cluster:processes("web"))
  end)

  it("keeps the function's memory", function()
    local scheduler = make_scheduler(function(state)
      local runs = (state.roles.web.memory or 0) + 1
      return {web = {worker = runs}}, {web = runs}
    end)
    cluster:run(scheduler)
    cluster:run(scheduler)
    assert.equal(2, cluster:run(scheduler).state.web.memory + 0 - 1)
    assert.equal(3, cluster.data.state.web.counts.worker)
  end)

  it("passes roles, nodes, metrics and the time", function()
    local seen
    cluster.input.metrics["id-beta"] = {["web.requests"] = {type = "single_tip", value = 7, rate = 3, key = {}}}
    cluster.input.runtime.web.v1.daemons.worker.instances = 2
    cluster:run(make_scheduler(function(state)
      seen = state
      return {web = {worker = state.roles.web.instances.worker}}
    end))
    assert.equal(cluster.input.now, seen.now)
    assert.equal(3, #seen.nodes)
    assert.same({"v1"}, seen.roles.web.versions)
    assert.equal(3, seen.roles.web.metrics.rate "requests")
    assert.equal(2, cluster.data.state.web.counts.worker)
  end)

  it("assigns ports and keeps them", function()
    cluster = world.new("alpha", "beta"):version("web", "v1",
      {front = {image = "i", config = "c", variables = {port = {type = "TcpPort"}}}}, {ports = {"9000-9010"}})
    local count = 4
    local scheduler = make_scheduler(function() return {web = {front = count}} end)
    cluster:run(scheduler)
    assert.same({alpha = {["front-0"] = 1, ["front-1"] = 1}, beta = {["front-0"] = 1, ["front-1"] = 1}}, cluster:processes("web"))
    assert.same({port = "9001"}, cluster.data.nodes.alpha.roles.web.daemons["front-1"].variables)
    local hosts = cluster.data.state.web.hosts
    count = 6
    cluster:run(scheduler)
    assert.same({port = "9002"}, cluster.data.nodes.alpha.roles.web.daemons["front-2"].variables)
    assert.same(hosts.alpha["front-1"], cluster.data.state.web.hosts.alpha["front-1"])
  end)

  it("gives no port to two roles on a host", function()
    cluster = world.new("alpha")
    for _, role in ipairs {"a", "b"} do
      cluster:version(role, "v1", {front = {image = "i", config = "c", variables = {port = {type = "TcpPort"}}}}, {ports = {"9000-9002"}})
    end
    local counts = {a = {front = 1}, b = {front = 1}}
    local scheduler = make_scheduler(function() return counts end)
    cluster:run(scheduler)
    local roles = cluster.data.nodes.alpha.roles
    assert.equal("9000", roles.a.daemons["front-0"].variables.port)
    assert.equal("9001", roles.b.daemons["front-0"].variables.port)
    counts.a.front = 3
    cluster:run(scheduler)
    assert.matches("front%-2 on alpha cannot run: its allowed ports are all taken", cluster.log)
    assert.equal("9001", cluster.data.nodes.alpha.roles.b.daemons["front-0"].variables.port)
  end)

  it("moves nothing to a cordoned node, and nothing from one that is briefly lost", function()
    local scheduler = make_scheduler(wanting(6), {replace_lost_after = 60})
    cluster:run(scheduler)
    cluster.input.nodes.beta.ready = false
    cluster:after(5):run(scheduler)
    assert.same({worker = 2}, cluster:processes("web").beta)
    cluster.input.nodes.beta = nil
    cluster:after(5):run(scheduler)
    assert.same({alpha = {worker = 2}, beta = {worker = 2}, gamma = {worker = 2}}, cluster:processes("web"))
    cluster:after(61):run(scheduler)
    assert.same({alpha = {worker = 3}, gamma = {worker = 3}}, cluster:processes("web"))
  end)

  describe("with a silent node", function()
    local function silence(scheduler, ...)
      cluster:run(scheduler)
      cluster:observe()
      local beta = cluster.input.nodes.beta
      beta.ready, beta.unknown, beta.lost = false, true, {...}
      if not beta.lost[1] then beta.lost = nil end
    end

    it("moves nothing before it is lost for the role", function()
      local scheduler = make_scheduler(wanting(6), {replace_lost_after = 1})
      silence(scheduler)
      cluster:after(1000):run(scheduler)
      assert.same({alpha = {worker = 2}, beta = {worker = 2}, gamma = {worker = 2}}, cluster:processes("web"))
      cluster.input.nodes.beta.lost = {"db", "queue"}
      cluster:after(1000):run(scheduler)
      assert.same({alpha = {worker = 2}, beta = {worker = 2}, gamma = {worker = 2}}, cluster:processes("web"))
    end)

    it("starts processes elsewhere, and forgets those there when the others run", function()
      local scheduler = make_scheduler(wanting(6))
      silence(scheduler, "web")
      cluster:after(5):run(scheduler)
      assert.same({alpha = {worker = 3}, beta = {worker = 2}, gamma = {worker = 3}}, cluster:processes("web"))
      assert.matches("beta is silent", cluster.log)
      cluster:after(5):run(scheduler)
      assert.same({worker = 2}, cluster:processes("web").beta)
      assert.same({}, cluster.data.changes)
      cluster:observe():after(5):run(scheduler)
      assert.same({alpha = {worker = 3}, gamma = {worker = 3}}, cluster:processes("web"))
      cluster:observe():after(5):run(scheduler)
      assert.same({}, cluster.data.changes)
    end)

    it("keeps processes there that find no other place", function()
      local scheduler = make_scheduler(wanting(6), {worker_max_per_node = 2})
      silence(scheduler, "web")
      cluster:after(5):run(scheduler)
      cluster:observe():after(5):run(scheduler)
      assert.same({alpha = {worker = 2}, beta = {worker = 2}, gamma = {worker = 2}}, cluster:processes("web"))
    end)

    it("keeps the processes of a node that returns before others run", function()
      local scheduler = make_scheduler(wanting(6))
      silence(scheduler, "web")
      cluster:after(5):run(scheduler)
      local beta = cluster.input.nodes.beta
      beta.ready, beta.unknown, beta.lost = true, false, nil
      cluster:after(5):run(scheduler)
      assert.same({alpha = {worker = 2}, beta = {worker = 2}, gamma = {worker = 2}}, cluster:processes("web"))
      assert.equal(nil, cluster.data.state.web.lost)
      assert.equal(nil, cluster.data.state.web.leaving)
    end)

    it("keeps the ports and versions of its processes", function()
      cluster = world.new("alpha", "beta", "gamma")
      cluster:version("web", "v1", {front = {image = "i", config = "c", variables = {port = {type = "TcpPort"}}}}, {ports = {"9000-9002"}})
      local scheduler = make_scheduler(function() return {web = {front = 3}} end)
      silence(scheduler, "web")
      local before = cluster.data.state.web.hosts.beta
      cluster:version("web", "v2", {front = {image = "j", config = "c", variables = {port = {type = "TcpPort"}}}}, {ports = {"9000-9002"}})
      cluster:after(5):run(scheduler)
      assert.same(before, cluster.data.state.web.hosts.beta)
    end)
  end)

  describe("with a draining node", function()
    local function drain(scheduler)
      cluster:run(scheduler)
      cluster:observe()
      cluster.input.nodes.beta.draining = true
    end

    it("stops processes there after those elsewhere run", function()
      local scheduler = make_scheduler(wanting(6))
      drain(scheduler)
      cluster:after(5):run(scheduler)
      assert.same({alpha = {worker = 3}, beta = {worker = 2}, gamma = {worker = 3}}, cluster:processes("web"))
      cluster:after(5):run(scheduler)
      assert.same({worker = 2}, cluster:processes("web").beta)
      cluster:observe():after(5):run(scheduler)
      assert.same({alpha = {worker = 3}, gamma = {worker = 3}}, cluster:processes("web"))
      cluster:observe():after(5):run(scheduler)
      assert.same({}, cluster.data.changes)
      assert.same({alpha = {worker = 3}, gamma = {worker = 3}}, cluster:processes("web"))
    end)

    it("keeps processes there while one elsewhere is broken", function()
      local scheduler = make_scheduler(wanting(6))
      drain(scheduler)
      cluster:after(5):run(scheduler)
      cluster:observe("gamma/worker"):after(5):run(scheduler)
      assert.same({worker = 2}, cluster:processes("web").beta)
    end)

    it("keeps processes there that find no other place", function()
      local scheduler = make_scheduler(wanting(6), {worker_max_per_node = 2})
      drain(scheduler)
      cluster:after(5):run(scheduler)
      cluster:observe():after(5):run(scheduler)
      assert.same({alpha = {worker = 2}, beta = {worker = 2}, gamma = {worker = 2}}, cluster:processes("web"))
      assert.matches("2 of 6 worker find no place", cluster.log)
    end)

    it("starts others as fast as their rate allows", function()
      local scheduler = make_scheduler(wanting(6), {worker_grow_rate = "1 process per second"})
      cluster:run(scheduler)
      for _ = 1, 6 do cluster:after(1):run(scheduler) end
      drain(scheduler)
      cluster:after(1):run(scheduler)
      local total = 0
      for _, host in pairs(cluster:processes("web")) do total = total + host.worker end
      assert.equal(7, total)
      for _ = 1, 6 do cluster:observe():after(1):run(scheduler) end
      assert.same({alpha = {worker = 3}, gamma = {worker = 3}}, cluster:processes("web"))
    end)

    it("gives the node processes again after an undo", function()
      local scheduler = make_scheduler(wanting(6))
      drain(scheduler)
      cluster:after(5):run(scheduler)
      cluster.input.nodes.beta.draining = false
      cluster:observe():after(5):run(scheduler)
      assert.same({alpha = {worker = 2}, beta = {worker = 2}, gamma = {worker = 2}}, cluster:processes("web"))
    end)
  end)

  it("merges the decisions of both sides of a partition", function()
    local scheduler = make_scheduler(wanting(6))
    cluster:run(scheduler)
    local one = cluster.data
    local other = require("verwalter/json").decode(cluster.text)
    other.state.web.changed = other.state.web.changed + 5000
    other.state.web.lost = {gamma = 1}
    other.state.web.hosts.gamma = {worker = {daemon = "worker", version = "v0", instances = 9}}
    cluster.input.parents = {one, other}
    cluster:run(scheduler)
    assert.same({alpha = {worker = 2}, beta = {worker = 2}, gamma = {worker = 2}}, cluster:processes("web"))
    assert.same({v1 = 6}, cluster:versions("web"))
    local text = cluster.text
    cluster.input.parents = {other, one}
    cluster:run(scheduler)
    assert.equal(text, cluster.text)
  end)

  it("keeps a role without a valid version unchanged", function()
    local scheduler = make_scheduler(wanting(3))
    cluster:run(scheduler)
    cluster.input.runtime.web = {v1 = "broken"}
    cluster:run(make_scheduler(function() return {} end))
    assert.same({alpha = {worker = 1}, beta = {worker = 1}, gamma = {worker = 1}}, cluster:processes("web"))
    assert.matches("running processes are kept", cluster.log)
  end)

  it("reports an invalid result of the function", function()
    local function failing(answer, text)
      assert.error_matches(function() cluster:run(make_scheduler(function() return answer end)) end, text)
    end
    failing(nil, "must return a table such as {web = {worker = 12}}, but returned a nil")
    failing({shop = {worker = 1}}, "wants processes of shop, but there is no such role")
    failing({web = {wroker = 1}}, "wants 1 wroker of web, but no version has such a daemon")
    failing({web = {worker = 1.5}}, "wants 1.5 worker of web, which is not a whole number")
    failing({web = {worker = -1}}, "not a whole number")
    failing({web = 3}, "must give a table of counts for web")
  end)

  it("reports an invalid option", function()
    local function failing(options, text)
      assert.error_matches(function() make_scheduler(wanting(1), options) end, text)
    end
    failing({worker_grow_rate = "5 per second"}, "the option worker_grow_rate: 5 per second is not a rate")
    failing({worker_grow = "x"}, "there is no option worker_grow; there are")
    failing({weigh_by = "cpu"}, "the option weigh_by is one of cpus")
    failing({worker_max_per_node = "2"}, "must be a whole number")
    failing({update = "rolling"}, "there is no update strategy rolling")
    failing({update = {strategy = "canary", percent = 3}}, "an update by canary has no setting percent")
    failing({"x"}, "options have names")
    assert.error_matches(function() make_scheduler(3) end, "needs a function")
  end)

  it("reports invalid actions and continues", function()
    cluster:press {role = "web", action = "explode"}:press {role = "nobody", action = "scale"}
    cluster:press {role = "web", action = "quick_switch", version = "v9"}
    cluster.input.actions[9] = "text"
    cluster:run(make_scheduler(wanting(3)))
    assert.matches("action 1 was ignored: explode: there is no button explode", cluster.log)
    assert.matches("action 2: scale: there is no role nobody", cluster.log)
    assert.matches("action 3 was ignored: quick_switch: version is one of v1, not v9", cluster.log)
    assert.matches("action 9: it is not a button", cluster.log)
    assert.equal(3, cluster.data.state.web.counts.worker)
  end)

  it("answers actions that it refuses", function()
    local scheduler = make_scheduler(wanting(3))
    cluster:press {role = "web", action = "explode"}:press {role = "web", action = "pause"}:run(scheduler)
    assert.same({"there is no button explode", "there is no update to pause"}, cluster.refused)
    cluster.input.runtime.web = {}
    cluster:press {role = "web", action = "follow"}:run(scheduler)
    assert.same({[3] = "there is no version to run"}, cluster.refused)
  end)
end)

describe("a new version", function()
  local cluster

  local function start(options)
    cluster = world.new("alpha", "beta"):version("web", "v1", WORKER)
    local scheduler = make_scheduler(wanting(4), options)
    cluster:run(scheduler)
    cluster:version("web", "v2", {worker = {image = "web-v2", config = "c"}, migrate = {image = "m", config = "c"}},
      {timestamp = 1600000001})
    return scheduler
  end

  it("replaces one process at a time", function()
    local scheduler = start()
    local seen = {}
    for at = 1, 5 do
      cluster:after(5):run(scheduler)
      seen[at] = cluster:versions("web").v2 or 0
    end
    assert.same({1, 2, 3, 4, 4}, seen)
    assert.is_nil(cluster.data.state.web.update)
    assert.equal("v2", cluster.data.state.web.running)
  end)

  it("restarts no process twice", function()
    local scheduler = start()
    cluster:after(5):run(scheduler)
    assert.same({alpha = {["worker-v2"] = 1, worker = 1}, beta = {worker = 2}}, cluster:processes("web"))
    cluster:after(5):run(scheduler)
    cluster:after(5):run(scheduler)
    assert.same({["worker-v2"] = 2}, cluster:processes("web").alpha)
    cluster:after(5):run(scheduler)
    cluster:after(5):run(scheduler)
    assert.same({alpha = {["worker-v2"] = 2}, beta = {["worker-v2"] = 2}}, cluster:processes("web"))
  end)

  it("waits until the new processes run", function()
    local scheduler = start()
    cluster:observe():after(5):run(scheduler)
    cluster:after(50):run(scheduler)
    assert.same({v1 = 3, v2 = 1}, cluster:versions("web"))
    assert.matches("does not run yet", cluster.data.state.web.update.waiting_for)
    cluster:observe():after(1):run(scheduler)
    assert.same({v1 = 2, v2 = 2}, cluster:versions("web"))
  end)

  it("is rolled back when a new process is broken, and not tried again", function()
    local scheduler = start {update = {strategy = "substeps", step_percent = 50, warmup_sec = 1}}
    cluster:observe():after(5):run(scheduler)
    assert.same({v1 = 2, v2 = 2}, cluster:versions("web"))
    cluster:observe "alpha/worker-v2":after(1):run(scheduler)
    assert.equal("backward", cluster.data.state.web.update.direction)
    for _ = 1, 5 do cluster:observe():after(5):run(scheduler) end
    assert.same({v1 = 4}, cluster:versions("web"))
    assert.equal("worker-v2 on alpha is broken", cluster.data.state.web.failed.v2.why)
    assert.is_nil(cluster.data.state.web.update)
    cluster:press {role = "web", action = "quick_switch", version = "v2"}:run(scheduler)
    assert.same({v1 = 2, v2 = 2}, cluster:versions("web"))
    assert.is_nil(cluster.data.state.web.failed)
  end)

  it("is rolled back when a metric is too high", function()
    local scheduler = start {update = {warmup_sec = 1, revert_if = {rate = "errors", above = 10}}}
    cluster:after(5):run(scheduler)
    cluster.input.metrics["id-beta"] = {["web.errors"] = {type = "single_tip", value = 7, rate = 30, key = {}}}
    cluster:after(1):run(scheduler)
    assert.equal("the rate of errors is 30, above 10", cluster.data.state.web.update.trouble)
    cluster:after(1):run(scheduler)
    cluster:after(1):run(scheduler)
    assert.same({v1 = 4}, cluster:versions("web"))
  end)

  it("runs a command first, which must be acknowledged", function()
    local scheduler = start {update = {strategy = "canary", canary_percent = 25, migrate = "migrate"}}
    cluster:after(5):run(scheduler)
    assert.same({alpha = {worker = 2, cmd_migrate = 1}, beta = {worker = 2}}, cluster:processes("web"))
    assert.same({v1 = 4, v2 = 1}, cluster:versions("web"))
    cluster:after(500):run(scheduler)
    assert.equal("cmd_migrate", cluster.data.state.web.update.step)
    cluster:press {role = "web", action = "update_action", update_action = "ack", step = "cmd_migrate"}:run(scheduler)
    assert.is_nil(cluster:processes("web").alpha.cmd_migrate)
    assert.same({v1 = 3, v2 = 1}, cluster:versions("web"))
    cluster:after(500):run(scheduler)
    assert.equal("test_mode", cluster.data.state.web.update.step)
    assert.equal("migration", cluster.data.roles.web.frontend.kind)
    cluster:press {role = "web", action = "ack"}:run(scheduler)
    assert.same({[2] = "ack: nothing waits for it"}, cluster.refused)
    cluster:press {role = "web", migration_action = "proceed", original_version = "v1", target_version = "v2"}:run(scheduler)
    assert.same({v2 = 4}, cluster:versions("web"))
  end)

  it("runs beside the old one with blue_green", function()
    local scheduler = start {update = {strategy = "blue_green", warmup_sec = 5, drain_sec = 10}}
    cluster:after(5):run(scheduler)
    assert.same({v1 = 4, v2 = 4}, cluster:versions("web"))
    assert.equal("v1", cluster.data.nodes.alpha.roles.web.active_version)
    cluster:after(5):run(scheduler)
    assert.equal("v2", cluster.data.nodes.alpha.roles.web.active_version)
    assert.same({alpha = {worker = 2, ["worker-v2"] = 2}, beta = {worker = 2, ["worker-v2"] = 2}}, cluster:processes("web"))
    cluster:after(10):run(scheduler)
    assert.same({v2 = 4}, cluster:versions("web"))
  end)

  it("is replaced by a newer one", function()
    local scheduler = start()
    cluster:after(5):run(scheduler)
    cluster:version("web", "v3", WORKER, {timestamp = 1600000002}):after(1):run(scheduler)
    assert.equal("v3", cluster.data.state.web.update.target_ver)
    for _ = 1, 6 do cluster:after(5):run(scheduler) end
    assert.same({v3 = 4}, cluster:versions("web"))
  end)

  it("is abandoned when an operator selects the old one", function()
    local scheduler = start()
    cluster:after(5):run(scheduler)
    cluster:press {role = "web", action = "quick_switch", version = "v1"}:run(scheduler)
    assert.equal("backward", cluster.data.state.web.update.direction)
    for _ = 1, 3 do cluster:after(5):run(scheduler) end
    assert.same({v1 = 4}, cluster:versions("web"))
  end)

  it("is not deployed while a file pins the old one", function()
    local scheduler = start()
    cluster.input.runtime.web.pin = "v1\n"
    cluster:after(5):run(scheduler)
    assert.same({v1 = 4}, cluster:versions("web"))
    assert.is_nil(cluster.data.state.web.update)
  end)

  it("keeps ports during the update", function()
    local front = function(image) return {front = {image = image, config = "c", variables = {port = {type = "TcpPort"}}}} end
    cluster = world.new("alpha"):version("web", "v1", front "a", {ports = {"9000-9010"}})
    local scheduler = make_scheduler(function() return {web = {front = 3}} end)
    cluster:run(scheduler)
    cluster:version("web", "v2", front "b", {ports = {"9000-9010"}, timestamp = 1600000001})
    cluster:after(5):run(scheduler)
    local daemons = cluster.data.nodes.alpha.roles.web.daemons
    local images, ports = {}, {}
    for name, daemon in pairs(daemons) do images[name], ports[name] = daemon.image, daemon.variables.port end
    assert.same({["front-0"] = "a", ["front-1"] = "a", ["front-2"] = "b"}, images)
    assert.same({["front-0"] = "9000", ["front-1"] = "9001", ["front-2"] = "9002"}, ports)
  end)
end)
