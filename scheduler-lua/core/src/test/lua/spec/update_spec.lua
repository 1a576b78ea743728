local update = require "verwalter/update"
local health = require "verwalter/update/health"

local SECOND = 1000
local NOW = 1700000000000

local function begin(settings, counts, more)
  local daemons = {web = {image = "i"}, api = {image = "i"}, migrate = {image = "m", update = {mode = "run-with-ack"}}}
  local wish = {source = "v1", target = "v2", now = NOW, pipeline = update.plan(settings, daemons, counts or {web = 4, api = 2})}
  for key, value in pairs(more or {}) do wish[key] = value end
  return update.start(wish)
end

-- Ticks at these seconds; returns the results of `look` for each state, and the last state.
local function drive(state, seconds, look, with)
  local seen = {}
  for at, second in ipairs(seconds) do
    local now = {now = NOW + second * SECOND, role = "web"}
    for key, value in pairs(with and with(second) or {}) do now[key] = value end
    state = update.tick(state, now)
    seen[at] = look(state)
  end
  return seen, state
end

local function act(name, more)
  local action = {update_action = name}
  for key, value in pairs(more or {}) do action[key] = value end
  return {action}
end

local function press(at, name, more)
  return function(second) return second == at and {actions = act(name, more)} or {} end
end

local function step(state) return state.step end

describe("one by one", function()
  it("replaces every process of every daemon, one at a time", function()
    local state = begin({warmup_sec = 5})
    local seen = drive(state, {0, 5, 10, 15, 20, 25, 30}, function(each)
      local counts = update.counts(each, {web = 4, api = 2})
      return counts.api.v2 .. "+" .. counts.web.v2
    end)
    assert.same({"1+0", "2+0", "2+1", "2+2", "2+3", "2+4", "2+4"}, seen)
  end)

  it("ends when the last one is warm", function()
    local _, state = drive(begin({warmup_sec = 5}, {web = 1}), {0, 4.9}, step)
    assert.is_nil(update.finished(state))
    local seen = drive(state, {5}, step)
    assert.same({"done"}, seen)
    assert.equal("v2", update.finished((select(2, drive(state, {5}, step)))))
  end)

  it("handles changed counts", function()
    local _, state = drive(begin({warmup_sec = 5}, {web = 4}), {0, 5}, step)
    assert.same({v1 = 4, v2 = 4}, update.counts(state, {web = 8}).web)
    assert.same({v1 = 0, v2 = 0}, update.counts(state, {web = 0}).web)
  end)
end)

describe("substeps", function()
  it("replace a percentage at a time", function()
    local seen = drive(begin {strategy = "substeps", step_percent = 25, warmup_sec = 10}, {0, 9, 10, 20, 30, 40},
      function(state) return update.counts(state, {web = 8}).web.v2 end)
    assert.same({2, 2, 4, 6, 8, 8}, seen)
  end)
end)

describe("a canary", function()
  local settings = {strategy = "canary", canary_percent = 10, step_percent = 50, warmup_sec = 10}

  it("waits for an operator", function()
    local seen, state = drive(begin(settings), {0, 100, 10000}, step)
    assert.same({"test_mode", "test_mode", "test_mode"}, seen)
    assert.same({v1 = 18, v2 = 2}, update.counts(state, {web = 20}).web)
    assert.same({v1 = 3, v2 = 1}, update.counts(state, {web = 4}).web)
    assert.equal("an operator: proceed, revert or skip", state.waiting_for)
  end)

  it("continues when an operator proceeds", function()
    local seen, state = drive(begin(settings), {0, 50, 60, 70}, step, press(50, "proceed"))
    assert.same({"test_mode", "smooth_restart", "smooth_restart", "done"}, seen)
    assert.equal("v2", update.finished(state))
  end)

  it("continues after its time, or if the update is automatic", function()
    local timed = begin {strategy = "canary", canary_sec = 30, warmup_sec = 1}
    assert.same({"test_mode", "test_mode", "smooth_restart"}, (drive(timed, {0, 29, 30}, step)))
    assert.same({"test_mode", "smooth_restart"}, (drive(begin(settings, nil, {auto = true}), {0, 10}, step)))
  end)
end)

describe("blue and green", function()
  it("run side by side, then the new one becomes active, then the old one ends", function()
    local seen = drive(begin {strategy = "blue_green", warmup_sec = 10, drain_sec = 20}, {0, 10, 30}, function(state)
      local counts = update.counts(state, {web = 4}).web
      return state.step .. " " .. counts.v1 .. " " .. counts.v2 .. " " .. update.active(state)
    end)
    assert.same({"start_new 4 4 v1", "switch 4 4 v2", "done 0 4 v2"}, seen)
  end)

  it("switch back at once when reverted", function()
    local seen = drive(begin {strategy = "blue_green", warmup_sec = 10, drain_sec = 20}, {0, 10, 15, 35, 36}, function(state)
      return state.step .. " " .. update.active(state)
    end, press(15, "revert"))
    assert.same({"start_new v1", "switch v2", "switch v1", "revert_done v1", "revert_done v1"}, seen)
  end)
end)

describe("a migration", function()
  local settings = {migrate = "migrate", warmup_sec = 1}

  it("runs first and must be acknowledged", function()
    local seen, state = drive(begin(settings), {0, 1000}, step)
    assert.same({"cmd_migrate", "cmd_migrate"}, seen)
    assert.same({"migrate"}, update.commands(state))
    assert.same({v1 = 4, v2 = 0}, update.counts(state, {web = 4}).web)
    assert.equal("migrate: ack or error", state.waiting_for)
    seen, state = drive(state, {1001}, step, press(1001, "ack", {step = "cmd_migrate"}))
    assert.same({"one_by_one"}, seen)
    assert.same({}, update.commands(state))
  end)

  it("stops the update after an error, until an operator acts", function()
    local _, state = drive(begin(settings), {0, 5, 1000}, step, press(5, "error", {error_message = "no space left"}))
    assert.equal("error", state.direction)
    assert.equal("no space left", state.error_message)
    assert.same({"one_by_one"}, (drive(state, {1001}, step, press(1001, "skip"))))
    assert.same({"revert_done"}, (drive(state, {1001}, step, press(1001, "revert"))))
    assert.same({"one_by_one"}, (drive(state, {1001}, step, press(1001, "ack"))))
  end)

  it("may fail with ignore_errors", function()
    local state = begin {migrate = "migrate", ignore_errors = true}
    assert.same({"cmd_migrate", "one_by_one"}, (drive(state, {0, 5}, step, press(5, "error"))))
  end)

  it("is not run for an older version", function()
    local state = begin(settings, nil, {source = "v3"})
    assert.is_true(state.downgrade)
    assert.same({"one_by_one"}, (drive(state, {0}, step)))
  end)

  it("must name a daemon", function()
    assert.error_matches(function() update.plan({migrate = "nothing"}, {}, {}) end, "the command nothing that should run first")
  end)
end)

describe("operators", function()
  local settings = {strategy = "substeps", step_percent = 25, warmup_sec = 10}
  local function reached(state) return state.direction .. " " .. tostring(state.smooth_step) end

  it("pause and resume", function()
    local seen = drive(begin(settings), {0, 10, 15, 100, 105, 110, 115}, reached, function(second)
      return second == 15 and {actions = act "pause"} or second == 105 and {actions = act "resume"} or {}
    end)
    assert.same({"forward 1", "forward 2", "pause 2", "pause 2", "forward 2", "forward 2", "forward 3"}, seen)
  end)

  it("revert", function()
    local seen, state = drive(begin(settings), {0, 10, 15, 25, 35}, reached, press(15, "revert"))
    assert.same({"forward 1", "forward 2", "backward 2", "backward 1", "backward 0"}, seen)
    _, state = drive(state, {45}, reached)
    assert.equal("v1", update.finished(state))
  end)

  it("go forward again during a revert", function()
    local seen = drive(begin(settings), {0, 10, 11, 12, 13, 23}, reached, function(second)
      local names = {[11] = "revert", [12] = "pause", [13] = "resume"}
      return names[second] and {actions = act(names[second])} or {}
    end)
    assert.same({"forward 1", "forward 2", "backward 2", "pause 2", "backward 2", "backward 1"}, seen)
  end)

  it("cannot perform invalid actions", function()
    local refused = {}
    local function with(name, more)
      return {now = NOW, actions = act(name, more), refuse = function(_, text) refused[#refused + 1] = text end}
    end
    local state = begin(settings)
    for _, each in ipairs {{"proceed"}, {"ack"}, {"error"}, {"resume"}, {"explode"}, {"skip", {step = "other"}}} do
      assert.equal("smooth_restart", update.tick(state, with(each[1], each[2])).step)
    end
    assert.same({
      "proceed: nothing waits for it", "ack: nothing waits for it", "error: nothing waits for it", "resume: it is not paused",
      "explode: there is no such action", "skip: it is meant for other, but this is smooth_restart",
    }, refused)
  end)

  it("are waited for only until give_up_sec", function()
    local state = begin({strategy = "canary"}, nil, {give_up_sec = 100})
    local seen = drive(state, {0, 99, 100}, function(each) return each.direction end)
    assert.same({"forward", "forward", "backward"}, seen)
    state = begin(settings, nil, {give_up_sec = 100})
    seen = drive(state, {0, 5, 104, 105}, function(each) return each.direction end, press(5, "pause"))
    assert.same({"forward", "pause", "pause", "backward"}, seen)
  end)
end)

describe("failures", function()
  local settings = {strategy = "substeps", step_percent = 50, warmup_sec = 10}
  local function direction(state) return state.direction end

  it("revert the update", function()
    local seen, state = drive(begin(settings), {0, 5}, direction, function(second)
      return second == 5 and {health = {failing = "web on a is broken"}} or {}
    end)
    assert.same({"forward", "backward"}, seen)
    assert.equal("web on a is broken", state.trouble)
    assert.equal("web on a is broken: backward", state.history[#state.history].text)
  end)

  it("pause it without auto_revert", function()
    local seen = drive(begin(settings, nil, {auto_revert = false}), {0, 5}, direction, function(second)
      return second == 5 and {alarm = "errors are 7, above 5"} or {}
    end)
    assert.same({"forward", "pause"}, seen)
  end)

  it("hold the update while new processes start, until a deadline", function()
    local seen, state = drive(begin(settings, nil, {deadline_sec = 60}), {0, 10, 59, 60}, function(each)
      return each.direction .. " " .. tostring(each.smooth_step)
    end, function() return {health = {waiting = "web on a does not run yet"}} end)
    assert.same({"forward 1", "forward 1", "forward 1", "backward 1"}, seen)
    assert.equal("web on a does not run yet for 60 s", state.trouble)
  end)

  it("do not affect a revert", function()
    local _, state = drive(begin(settings), {0, 5, 15, 25, 35}, direction, function()
      return {health = {failing = "all is broken"}}
    end)
    assert.equal("v1", update.finished(state))
  end)
end)

describe("the state", function()
  it("is immutable", function()
    local state = begin {warmup_sec = 5}
    update.tick(state, {now = NOW})
    assert.equal("start", state.step)
    assert.same({}, state.history)
  end)

  it("does not change without events", function()
    local _, state = drive(begin {warmup_sec = 5}, {0}, step)
    assert.equal(state, update.tick(state, {now = NOW + 2 * SECOND}))
  end)

  it("has a history and the next step", function()
    local _, state = drive(begin {warmup_sec = 5}, {0}, step)
    assert.same({{at = NOW, text = "it begins: one_by_one"}}, state.history)
    assert.equal(NOW + 5 * SECOND, state.next_ts)
    assert.equal("time", state.waiting_for)
  end)

  it("keeps a limited number of transitions", function()
    local state = begin({strategy = "substeps", step_percent = 1, warmup_sec = 1})
    for second = 0, 80 do state = update.tick(state, {now = NOW + second * SECOND}) end
    assert.equal(20, #state.history)
  end)

  it("always terminates without actions", function()
    for _, settings in ipairs {{}, {strategy = "substeps"}, {strategy = "canary", canary_sec = 1}, {strategy = "blue_green"},
      {strategy = "pipeline"}} do
      local state = begin(settings, {web = 3, api = 1})
      for second = 0, 400 do
        local with = {now = NOW + second * SECOND}
        if state.waiting_for and state.waiting_for:find("ack") then with.actions = act "ack" end
        state = update.tick(state, with)
      end
      assert.equal("v2", update.finished(state))
    end
  end)
end)

describe("a pipeline", function()
  local function names(daemons)
    local list = {}
    for at, stage in ipairs(update.plan({strategy = "pipeline"}, daemons, {})) do list[at] = stage.name end
    return list
  end

  it("is derived from the daemons' settings", function()
    local stages = update.plan({strategy = "pipeline"}, {
      web = {update = {restart = "smooth", warmup_sec = 3, test_mode_percent = 20}},
      api = {},
      migrate = {update = {mode = "run-with-ack", before = {"test_mode"}}},
    }, {})
    assert.equal(4, #stages)
    assert.same({name = "cmd_migrate", kind = "run_once", processes = {"migrate"}, forward_mode = "ack", forward_time = 0,
      backward_mode = "skip", backward_time = 0}, stages[1])
    assert.same({name = "test_mode", kind = "test_mode", processes = {"web"}, test_mode_percent = {web = 20},
      forward_mode = "manual", forward_time = 3, backward_mode = "time", backward_time = 3}, stages[2])
    assert.same({name = "quick_restart", kind = "restart", processes = {"api"}, forward_mode = "time", forward_time = 5,
      backward_mode = "time", backward_time = 5}, stages[3])
    assert.same({name = "smooth_restart", kind = "smooth", processes = {"web"}, forward_mode = "smooth", forward_time = 30,
      backward_mode = "smooth", backward_time = 30, substeps = 10}, stages[4])
  end)

  it("joins stages of one name", function()
    local stages = update.plan({strategy = "pipeline"}, {
      b = {update = {warmup_sec = 3}}, a = {update = {warmup_sec = 7}}}, {})
    assert.equal(1, #stages)
    assert.same({"a", "b"}, stages[1].processes)
    assert.equal(7, stages[1].forward_time)
  end)

  it("respects before and after", function()
    assert.same({"quick_restart", "cmd_clean"}, names {web = {}, clean = {update = {mode = "skip", after = {"quick_restart"}}}})
    assert.same({"cmd_clean", "quick_restart"}, names {web = {}, clean = {update = {mode = "skip", before = {"quick_restart"}}}})
  end)

  it("refuses contradictions", function()
    local function failing(daemons, text)
      assert.error_matches(function() names(daemons) end, text)
    end
    failing({web = {update = {restrat = "quick"}}}, "daemon web: update.restrat is not known")
    failing({web = {update = {restart = "slow"}}}, "update.restart is quick or smooth")
    failing({m = {update = {mode = "run"}}}, "update.mode is one of")
    failing({a = {update = {stage = "a", before = {"b"}}}, b = {update = {stage = "b", before = {"a"}}}}, "each before the other")
  end)
end)

describe("readiness", function()
  local unready = {waiting = "web on a is not ready: HTTP 503"}
  local unknown = {unknown = "web on a is not known to be ready: not probed yet"}

  it("is waited for, and the time counts from it", function()
    local seen = drive(begin({warmup_sec = 5}, {web = 1}), {0, 20, 22, 26, 27}, step, function(second)
      return {health = second < 22 and unready or {ready_since = NOW + 22 * SECOND}}
    end)
    assert.same({"one_by_one", "one_by_one", "one_by_one", "one_by_one", "done"}, seen)
  end)

  it("that is missing after the deadline reverts the update", function()
    local _, state = drive(begin({warmup_sec = 1}, {web = 1}, {deadline_sec = 60}), {0, 59, 60, 62, 64, 66}, step,
      function() return {health = unready} end)
    assert.equal("v1", update.finished(state))
    assert.equal("web on a is not ready: HTTP 503 for 60 s", state.trouble)
  end)

  it("that is unknown makes the update wait, and never reverts it", function()
    local _, state = drive(begin({warmup_sec = 1}, {web = 1}, {deadline_sec = 60}), {0, 60, 6000}, step,
      function() return {health = unknown} end)
    assert.is_nil(update.finished(state))
    assert.equal("forward", state.direction)
    assert.equal(unknown.unknown, state.waiting_for)
  end)

  it("is read from the processes", function()
    local hosts = {a = {web = {version = "v2", instances = 1}}}
    local function of(process)
      process.state = "running"
      return health.of({now = NOW, instances = {a = {shop = {state = "running", processes = {["shop/web.0"] = process}}}}},
        "shop", "v2", hosts)
    end
    assert.same({}, of {})
    assert.same(unready, of {ready = "false", ready_reason = "HTTP 503"})
    assert.same(unknown, of {ready = "unknown", ready_reason = "not probed yet"})
    assert.same({ready_since = 7}, of {ready = "true", ready_since = 7, ready_reason = ""})
  end)
end)

describe("health", function()
  local hosts = {a = {web = {version = "v2", instances = 2}, ["web-1"] = {version = "v1", instances = 1}}}

  local function seen(processes, more)
    local role = {state = "running", processes = processes}
    for key, value in pairs(more or {}) do role[key] = value end
    return health.of({now = NOW, instances = {a = {shop = role}}}, "shop", "v2", hosts)
  end

  it("is unknown without instances", function()
    assert.is_nil(health.of({}, "shop", "v2", hosts))
  end)

  it("is good if all run", function()
    assert.same({}, seen {["shop/web.0"] = {state = "RUNNING"}, ["shop/web.1"] = {state = "running"}})
  end)

  it("waits for those that do not run yet", function()
    assert.same({waiting = "web on a does not run yet"}, seen {["shop/web.0"] = {state = "running"}})
    assert.same({waiting = "a has not reported its state"}, health.of({instances = {}}, "shop", "v2", hosts))
    local unknown = {a = {shop = {state = "unknown", processes = {}}}}
    assert.same({waiting = "a has not reported its state"}, health.of({instances = unknown}, "shop", "v2", hosts))
  end)

  it("is bad if a process of the version is broken or restarts repeatedly", function()
    assert.equal("web on a is broken", seen({["web.0"] = {state = "broken"}}).failing)
    assert.equal("web on a restarted 3 times", seen({["web.0"] = {state = "running", restarts = 3}}).failing)
    assert.is_nil(seen({["web.0"] = {state = "broken", since = NOW - 2999}}).failing)
    assert.equal("web on a is broken", seen({["web.0"] = {state = "broken", since = NOW - 3000}}).failing)
    assert.is_nil(seen({["web-1.0"] = {state = "broken"}}).failing)
    assert.equal("a is broken: no image", seen({}, {state = "broken", reason = "no image"}).failing)
  end)
end)

describe("restarts", function()
  it("of the previous version do not count", function()
    local function input(restarts)
      return {now = NOW, instances = {a = {shop = {state = "running", processes = {["shop/web-0.0"] = {state = "running", restarts = restarts}}}}}}
    end
    local old, found = {["web-0"] = {version = "v1"}}, {["web-0"] = {version = "v2", instances = 1}}
    health.remember(input(7), "shop", "a", old, found)
    assert.equal(7, found["web-0"].restarts)
    assert.same({}, health.of(input(9), "shop", "v2", {a = found}))
    assert.equal("web-0 on a restarted 3 times", health.of(input(10), "shop", "v2", {a = found}).failing)
    local again = {["web-0"] = {version = "v2", instances = 1}}
    health.remember(input(10), "shop", "a", found, again)
    assert.equal(7, again["web-0"].restarts)
    health.remember({}, "shop", "a", nil, again)
  end)
end)

describe("spread", function()
  it("divides processes between versions", function()
    assert.same({a = {v1 = 2, v2 = 1}, b = {v1 = 1, v2 = 2}}, update.spread({"a", "b"}, 3, {v1 = 50, v2 = 50}, 0))
    assert.same({a = {v1 = 0, v2 = 0}}, update.spread({"a"}, 3, {v1 = 0, v2 = 0}, 0))
    assert.same({a = {v1 = 0, v2 = 3}}, update.spread({"a"}, 3, {v1 = 0, v2 = 100}, 7))
  end)
end)
