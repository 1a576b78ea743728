-- Replaces one version by another in steps: a pure state machine.
--
--   local pipeline = update.plan({strategy = "canary", canary_percent = 10}, daemons, counts)
--   local state = update.start{source = "v1", target = "v2", pipeline = pipeline, now = input.now}
--   state = update.tick(state, {now = input.now, role = "web", actions = requested, health = health})
--   local split = update.counts(state, counts)      -- {web = {v1 = 9, v2 = 1}}
--
-- The pipeline is a list of stages. A stage has a `name`, a `kind`, its `processes`, and for both
-- directions a mode and a time in seconds (forward_mode, forward_time, ...):
--
--   kind          the processes that have the new version
--   one_by_one    one more with each substep
--   smooth        an equal part more with each substep
--   restart       all
--   test_mode     `test_mode_percent` of them, at least one
--   beside        all, next to all of the old version
--   switch        as beside; `update.active` now is the new version
--   run_once      none; the processes are commands that run only during this stage
--
--   mode                 when the next stage begins
--   time                 after the time
--   smooth               after the substeps, which together take the time
--   manual               when an operator proceeds; if the update is automatic, after the time
--   ack                  after the action ack; `error` stops the update
--   ack_ignore_errors    after the action ack or error
--   skip                 at once
--
-- The update does not go forward while the new processes are not healthy. If they fail, or the
-- alarm is set, it goes backward. A state can be inspected: `step`, `direction` (forward, backward,
-- pause, error), `waiting_for`, `next_ts` if it waits for a time, and `history`.

local tables = require "verwalter/tables"
local reasons = require "verwalter/reasons"
local versions = require "verwalter/versions"
local update = {}

local HISTORY = 20
local STRATEGIES = {one_by_one = true, substeps = true, canary = true, blue_green = true, pipeline = true}

-- The names of operators' actions, for tick.
update.ACTIONS = {"pause", "proceed", "resume", "revert", "skip", "ack", "error"}

-- Makes the pipeline for a strategy: "one_by_one", "substeps", "canary", "blue_green", or
-- "pipeline", which uses the daemons' own `update` settings. `daemons` is the metadata of the
-- target's daemons, `counts` the number of processes of each. Each strategy describes its settings;
-- all take `warmup_sec` and `migrate`, the name of a command that runs first. Raises an error for
-- an invalid setting.
function update.plan(settings, daemons, counts)
  local strategy = settings.strategy or "one_by_one"
  if not STRATEGIES[strategy] then
    error("there is no update strategy " .. tostring(strategy) .. "; there are "
      .. table.concat(tables.keys(STRATEGIES), ", "), 0)
  end
  local pipeline = require("verwalter/update/" .. strategy)(settings, daemons, counts)
  if settings.migrate then
    table.insert(pipeline, 1, require "verwalter/update/migration"(settings, daemons))
  end
  return pipeline
end

-- Starts an update. The argument has `source`, `target`, `pipeline`, `now`, and optionally `auto`
-- (no operator needs to proceed), `auto_revert` (false: pause instead of going backward after a
-- failure), `deadline_sec` (time for new processes to run, default 300), `give_up_sec` (how long to
-- wait for an operator before going backward; unlimited by default).
function update.start(given)
  return {
    source_ver = given.source,
    target_ver = given.target,
    pipeline = given.pipeline,
    downgrade = not versions.compare(given.source, given.target),
    auto = given.auto == true,
    auto_revert = given.auto_revert ~= false,
    deadline_sec = given.deadline_sec or 300,
    give_up_sec = given.give_up_sec,
    step = "start",
    direction = "forward",
    start_ts = given.now,
    step_ts = given.now,
    change_ts = given.now,
    history = {},
  }
end

-- The index of the current stage: 0 before the first, the number of stages plus one at the end.
local function place(state)
  for at, stage in ipairs(state.pipeline) do
    if stage.name == state.step then return at end
  end
  return state.step == "done" and #state.pipeline + 1 or 0
end

local function stage_of(state)
  return state.pipeline[place(state)]
end

-- Whether the update is over; the version to run from then on.
function update.finished(state)
  if state.step == "done" then return state.target_ver end
  if state.step == "revert_done" then return state.source_ver end
end

local function note(state, with, text)
  state.history[#state.history + 1] = {at = with.now, text = text}
  while #state.history > HISTORY do table.remove(state.history, 1) end
  state.change_ts = with.now
  if with.say then with.say("update " .. state.source_ver .. " -> " .. state.target_ver .. ": " .. text) end
  reasons.give(with.role or "", "update " .. state.source_ver .. " -> " .. state.target_ver .. ": " .. text)
end

-- The direction in which a state moves; paused states keep it in `before_pause`.
local function heading(state)
  return state.direction == "backward" and "backward" or "forward"
end

local function mode_of(state, stage)
  if heading(state) == "backward" then return stage.backward_mode, stage.backward_time end
  if state.downgrade and stage.forward_downgrade_mode then
    return stage.forward_downgrade_mode, stage.forward_time
  end
  return stage.forward_mode, stage.forward_time
end

local function enter(state, at, with, why)
  local stage = state.pipeline[at]
  if stage then
    state.step = stage.name
  else
    state.step = at < 1 and "revert_done" or "done"
  end
  state.step_ts = with.now
  state.smooth_step, state.smooth_ts = nil, nil
  if stage and mode_of(state, stage) == "smooth" then
    state.smooth_step = heading(state) == "forward" and 1 or stage.substeps - 1
    state.smooth_ts = with.now
  elseif stage and stage.substeps then
    state.smooth_step = heading(state) == "forward" and stage.substeps or 0
  end
  note(state, with, why .. ": " .. state.step)
end

local function move(state, with, why)
  enter(state, place(state) + (heading(state) == "forward" and 1 or -1), with, why)
end

local function turn(state, direction, with, why)
  if direction == "pause" or direction == "error" then
    state.before_pause = heading(state)
    state.pause_ts = with.now
  else
    state.before_pause, state.pause_ts = nil, nil
  end
  state.direction = direction
  state.step_ts = with.now
  if state.smooth_ts then state.smooth_ts = with.now end
  note(state, with, why .. ": " .. direction)
end

local act = {}

function act.pause(state, with)
  if state.direction == "pause" then return "it is paused already" end
  turn(state, "pause", with, "an operator paused it")
end

function act.resume(state, with)
  if state.direction ~= "pause" and state.direction ~= "error" then return "it is not paused" end
  turn(state, state.before_pause or "forward", with, "an operator resumed it")
end

function act.revert(state, with)
  if state.direction == "backward" then return "it goes backward already" end
  turn(state, "backward", with, "an operator reverted it")
  if not stage_of(state) then enter(state, 0, with, "there was nothing to revert") end
end

function act.skip(state, with)
  state.direction, state.before_pause, state.pause_ts = "forward", nil, nil
  move(state, with, "an operator skipped " .. state.step)
end

function act.proceed(state, with)
  if state.direction == "pause" or state.direction == "error" then return act.resume(state, with) end
  local stage = stage_of(state)
  if not stage or mode_of(state, stage) ~= "manual" then return "nothing waits for it" end
  move(state, with, "an operator let it proceed")
end

local function acknowledged(state)
  local stage = stage_of(state)
  local mode = stage and mode_of(state, stage)
  return (mode == "ack" or mode == "ack_ignore_errors") and state.direction ~= "pause" and mode
end

function act.ack(state, with)
  if not acknowledged(state) then return "nothing waits for it" end
  if state.direction == "error" then state.direction, state.before_pause, state.pause_ts = "forward", nil, nil end
  move(state, with, state.step .. " was acknowledged")
end

act["error"] = function(state, with, action)
  local mode = acknowledged(state)
  if not mode then return "nothing waits for it" end
  local text = action.error_message and ": " .. tostring(action.error_message):sub(1, 200) or ""
  if mode == "ack" then
    turn(state, "error", with, state.step .. " failed" .. text)
    state.error_message = action.error_message and tostring(action.error_message):sub(1, 200)
  else
    move(state, with, state.step .. " failed, which does not matter" .. text)
  end
end

local function obey(state, with)
  for _, action in ipairs(with.actions or {}) do
    local name = action.update_action
    local refusal
    if update.finished(state) then
      refusal = "the update is over"
    elseif not act[name] then
      refusal = "there is no such action"
    elseif action.step ~= nil and action.step ~= state.step then
      refusal = "it is meant for " .. tostring(action.step) .. ", but this is " .. state.step
    else
      refusal = act[name](state, with, action)
    end
    if refusal and with.refuse then with.refuse(action, tostring(name) .. ": " .. refusal) end
  end
end

-- The time since which the update waits for new processes.
local function awaited_since(state)
  return state.smooth_ts or state.step_ts
end

local function trouble(state, with)
  if heading(state) == "backward" or state.direction ~= "forward" then return nil end
  local health = with.health
  if with.alarm then return with.alarm end
  if health and health.failing then return health.failing end
  if health and health.waiting and with.now - awaited_since(state) >= state.deadline_sec * 1000 then
    return health.waiting .. " for " .. state.deadline_sec .. " s"
  end
end

local function guard(state, with)
  local text = trouble(state, with)
  if text then
    state.trouble = text
    turn(state, state.auto_revert and "backward" or "pause", with, text)
    return
  end
  local since = state.pause_ts or state.step_ts
  local stage = stage_of(state)
  local idle = state.direction == "pause" or state.direction == "error"
    or stage and state.direction == "forward" and (acknowledged(state) or mode_of(state, stage) == "manual")
  if idle and state.give_up_sec and with.now - since >= state.give_up_sec * 1000 then
    state.trouble = "no operator answered for " .. state.give_up_sec .. " s"
    turn(state, "backward", with, state.trouble)
  end
end

-- A step is not over while some of its processes could not be replaced yet, since others did not serve.
local function healthy(state, with)
  if state.behind then return false end
  return heading(state) == "backward" or not (with.health and (with.health.waiting or with.health.unknown))
end

-- The time since which the processes of this step have run and have been ready.
local function good_since(since, state, with)
  if heading(state) == "backward" then return since end
  return math.max(since, with.health and with.health.ready_since or 0)
end

-- Each returns whether the state entered another stage, which is then processed too.
local wait = {}

function wait.skip(state, with)
  move(state, with, "nothing to wait for")
  return true
end

-- Whether a stage has begun just now: nothing is known of its processes yet.
local function just_begun(state, with, since, stage)
  return heading(state) == "forward" and stage.kind ~= "run_once" and with.now <= since
end

function wait.time(state, with, seconds, stage)
  if just_begun(state, with, state.step_ts, stage) then return false end
  if with.now - good_since(state.step_ts, state, with) < seconds * 1000 or not healthy(state, with) then return false end
  move(state, with, "after " .. seconds .. " s")
  return true
end

function wait.manual(state, with, seconds, stage)
  return state.auto and wait.time(state, with, seconds, stage)
end

function wait.ack() return false end
wait.ack_ignore_errors = wait.ack

function wait.smooth(state, with, seconds, stage)
  if just_begun(state, with, state.smooth_ts, stage) then return false end
  local since = good_since(state.smooth_ts, state, with)
  if with.now - since < seconds * 1000 / stage.substeps or not healthy(state, with) then return false end
  local forward = heading(state) == "forward"
  local step = state.smooth_step + (forward and 1 or -1)
  if step < 0 or step > stage.substeps then
    move(state, with, "all substeps done")
    return true
  end
  state.smooth_step, state.smooth_ts = step, with.now
  note(state, with, stage.name .. " " .. step .. " of " .. stage.substeps)
  return false
end

-- A smooth stage that is entered by a change of direction during another wait has no substep yet.
local function prepare(state, stage, mode, with)
  if mode == "smooth" and not state.smooth_ts then
    state.smooth_step = state.smooth_step or (heading(state) == "forward" and 0 or stage.substeps)
    state.smooth_ts = with.now
  end
end

local function expectation(state, with)
  state.waiting_for, state.next_ts = nil, nil
  local stage = stage_of(state)
  if state.direction == "pause" or state.direction == "error" then
    state.waiting_for = "an operator: resume, revert or skip"
  elseif stage then
    local mode, seconds = mode_of(state, stage)
    local health = heading(state) == "forward" and with.health and (with.health.waiting or with.health.unknown)
      or state.behind and "processes that were replaced do not serve yet"
    if mode == "manual" and not state.auto then
      state.waiting_for = "an operator: proceed, revert or skip"
    elseif mode == "ack" or mode == "ack_ignore_errors" then
      state.waiting_for = table.concat(stage.processes or {}, ", ") .. ": ack or error"
    elseif mode == "smooth" then
      state.next_ts = good_since(state.smooth_ts, state, with) + math.floor(seconds * 1000 / stage.substeps)
      state.waiting_for = health or "time"
    else
      state.next_ts = good_since(state.step_ts, state, with) + math.floor(seconds * 1000)
      state.waiting_for = health or "time"
    end
  end
end

-- The next state. `with` has `now`, and optionally `role`; `actions`, a list of {update_action=,
-- step=, error_message=}; `health` (see update/health); `alarm`, the text of another problem;
-- say(text), called for each transition; refuse(action, text), called for each invalid action.
function update.tick(before, with)
  local state = tables.copy(before)
  if state.step == "start" then enter(state, 1, with, "it begins") end
  obey(state, with)
  if not update.finished(state) then guard(state, with) end
  for _ = 1, 2 * #state.pipeline + 2 do
    local stage = stage_of(state)
    if not stage or state.direction == "pause" or state.direction == "error" then break end
    local mode, seconds = mode_of(state, stage)
    prepare(state, stage, mode, with)
    if not wait[mode](state, with, seconds or 0, stage) then break end
  end
  expectation(state, with)
  return tables.same(before, state) and before or state
end

local function part(total, count, of)
  return of == 0 and total or total * count // of
end

-- The number of a daemon's new processes in a stage. `reached` is the progress of the stage: 0 not
-- begun, 1 active, 2 done.
local function changed(new, stage, reached, state, daemon, counts)
  local total = counts[daemon]
  if reached == 0 or stage.kind == "run_once" then return new end
  if stage.kind == "test_mode" then
    local percent = type(stage.test_mode_percent) == "table" and stage.test_mode_percent[daemon]
      or tonumber(stage.test_mode_percent) or 0
    local test = percent == 0 and 0 or math.min(total, math.max(1, math.ceil(total * percent / 100)))
    return math.max(new, test)
  end
  if reached == 2 or not stage.substeps then return total end
  if stage.kind == "smooth" then return math.max(new, part(total, state.smooth_step or 0, stage.substeps)) end
  local all, before = 0, 0
  for _, each in ipairs(stage.processes) do
    if each == daemon then before = all end
    all = all + (counts[each] or 0)
  end
  local through = math.ceil(all * (state.smooth_step or 0) / math.max(1, stage.substeps))
  return math.max(new, math.min(total, math.max(0, through - before)))
end

-- Whether both versions run all their processes.
local function doubled(state, at)
  local stage = state.pipeline[at]
  return stage ~= nil and (stage.kind == "beside" or stage.kind == "switch")
end

-- The number of processes of each version: {daemon = {version = count}} for the given {daemon =
-- count}.
function update.counts(state, counts)
  local at, split = place(state), {}
  for daemon, total in tables.sorted(counts) do
    local new = 0
    for index, stage in ipairs(state.pipeline) do
      if tables.contains(stage.processes, daemon) then
        new = changed(new, stage, index < at and 2 or index == at and 1 or 0, state, daemon, counts)
      end
    end
    if state.step == "done" then new = total end
    split[daemon] = {[state.target_ver] = new}
    split[daemon][state.source_ver] = doubled(state, at) and total or total - new
  end
  return split
end

-- How many processes of a daemon a step may replace at once, and whether that is the number for all daemons together.
function update.pace(state, daemon, total)
  local stage = stage_of(state) or state.pipeline[state.step == "done" and #state.pipeline or 1] or {}
  if stage.kind == "one_by_one" then return 1, true end
  if stage.kind == "smooth" then return math.ceil(total / math.max(1, stage.substeps)), false end
  if stage.kind == "test_mode" then return math.max(1, changed(0, stage, 1, state, daemon, {[daemon] = total})), false end
  return total, false
end

-- Whether an update goes "forward", "backward", or waits for an operator: nil.
function update.heading(state)
  if state.direction == "pause" or state.direction == "error" then return nil end
  return heading(state)
end

-- The commands that run now.
function update.commands(state)
  local stage = stage_of(state)
  return stage and stage.kind == "run_once" and state.direction ~= "backward" and stage.processes or {}
end

-- The version that serves users: the new one from the stage `switch` on; without such a stage, when
-- the update is done.
function update.active(state)
  local at = place(state)
  for index, stage in ipairs(state.pipeline) do
    if stage.kind == "switch" and index <= at and state.direction ~= "backward" then return state.target_ver end
  end
  return state.step == "done" and state.target_ver or state.source_ver
end

-- The progress from 0 to 1.
function update.progress(state)
  local stage, at = stage_of(state), place(state)
  local within = stage and state.smooth_step and stage.substeps > 0 and state.smooth_step / stage.substeps or 0
  return math.min(1, math.max(0, at - 1 + within) / math.max(1, #state.pipeline))
end

-- Distributes a number of processes on each item by percentages: update.spread({"a", "b"}, 3, {v1 =
-- 50, v2 = 50}, 0) returns each item's {version = count}. Remainders go to the items in turn,
-- beginning with the one at `seed`.
function update.spread(items, number, percentages, seed)
  local result, keys, sum = {}, tables.keys(percentages), tables.sum(percentages)
  for _, item in ipairs(items) do
    result[item] = {}
    for _, key in ipairs(keys) do
      result[item][key] = sum == 0 and 0 or math.floor(number * percentages[key] / sum)
    end
  end
  if sum == 0 or #items == 0 then return result end
  local owed = {}
  for index, key in ipairs(keys) do
    local exact = #items * number * percentages[key] / sum
    owed[index] = math.floor(exact + 0.5) - #items * math.floor(number * percentages[key] / sum)
  end
  local at = (seed or 0) % #items
  for index, key in ipairs(keys) do
    local tries = 0
    while owed[index] > 0 and tries <= #items do
      local item = items[at % #items + 1]
      if tables.sum(result[item]) < number then
        result[item][key] = result[item][key] + 1
        owed[index], tries = owed[index] - 1, 0
      else
        tries = tries + 1
      end
      at = at + 1
    end
  end
  return result
end

return update
