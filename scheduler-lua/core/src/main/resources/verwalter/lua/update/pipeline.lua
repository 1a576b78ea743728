-- The strategy "pipeline": derives the stages from the `update` settings of each daemon.
--
--   processes   restart (quick or smooth), test_mode_percent, warmup_sec (5), smooth_substeps (10),
--               stage (another name), before, after (lists of stages)
--   commands    mode (run-with-ack, run-with-ack-ignoring-errors or skip), downgrade_mode (the same),
--               duration, stage, before, after
--
-- Stages of the same name are one. The stages test_mode, quick_restart, smooth_restart come in this
-- order unless before and after define another. Raises an error for invalid settings.

local tables = require "verwalter/tables"
local settings_of = require "verwalter/update/settings"

local PROCESS = {
  restart = "string", test_mode_percent = "number", warmup_sec = "number", smooth_substeps = "number",
  smooth_mode = "string", stage = "string", before = "table", after = "table",
}
local COMMAND = {
  mode = "string", downgrade_mode = "string", duration = "number", stage = "string", before = "table", after = "table",
}
local MODES = {
  ["run-with-ack"] = "ack", ["run-with-ack-ignoring-errors"] = "ack_ignore_errors", skip = "skip",
}

local function check(name, settings)
  local known = settings.mode and COMMAND or PROCESS
  for key, value in tables.sorted(settings) do
    if type(value) ~= known[key] then
      error("daemon " .. name .. ": update." .. tostring(key) .. " "
        .. (known[key] and "must be a " .. known[key] or "is not known"), 0)
    end
  end
  for _, key in ipairs {"mode", "downgrade_mode"} do
    if settings[key] and not MODES[settings[key]] then
      error("daemon " .. name .. ": update." .. key .. " is one of " .. table.concat(tables.keys(MODES), ", "), 0)
    end
  end
  if settings.restart and settings.restart ~= "quick" and settings.restart ~= "smooth" then
    error("daemon " .. name .. ": update.restart is quick or smooth", 0)
  end
end

local function join(stages, stage)
  local same = stages[stage.name]
  if not same then
    stages[stage.name] = stage
  elseif same.kind ~= stage.kind then
    error("the stage " .. stage.name .. " is of two kinds: " .. same.kind .. " and " .. stage.kind, 0)
  else
    for _, each in ipairs(stage.processes) do table.insert(same.processes, each) end
    table.sort(same.processes)
    for _, key in ipairs {"substeps", "forward_time", "backward_time"} do
      if stage[key] then same[key] = math.max(same[key], stage[key]) end
    end
    for daemon, percent in pairs(stage.test_mode_percent or {}) do same.test_mode_percent[daemon] = percent end
  end
end

local function add_process(stages, name, settings)
  local warmup, substeps = settings.warmup_sec or 5, settings.smooth_substeps or 10
  local smooth = settings.restart == "smooth"
  local main = {
    name = settings.stage or (smooth and "smooth_restart" or "quick_restart"),
    kind = smooth and "smooth" or "restart", processes = {name},
    forward_mode = smooth and "smooth" or "time", backward_mode = smooth and "smooth" or "time",
    forward_time = smooth and warmup * substeps or warmup, backward_time = smooth and warmup * substeps or warmup,
    substeps = smooth and substeps or nil,
  }
  join(stages, main)
  if (settings.test_mode_percent or 0) > 0 then
    join(stages, {
      name = "test_mode", kind = "test_mode", processes = {name},
      test_mode_percent = {[name] = settings.test_mode_percent},
      forward_mode = "manual", forward_time = warmup, backward_mode = "time", backward_time = warmup,
    })
  end
  return main.name
end

local function add_command(stages, name, settings)
  local stage = settings.stage or "cmd_" .. name
  join(stages, {
    name = stage, kind = "run_once", processes = {name},
    forward_mode = MODES[settings.mode],
    forward_downgrade_mode = settings.downgrade_mode and MODES[settings.downgrade_mode],
    forward_time = settings.duration or 0, backward_mode = "skip", backward_time = settings.duration or 0,
  })
  return stage
end

-- before_of[a][b]: stage a comes before stage b. Unknown stages are ignored.
local function constraints(stages, daemons)
  local before_of = {}
  local function order(a, b)
    if stages[a] and stages[b] then
      before_of[a] = before_of[a] or {}
      before_of[a][b] = true
    end
  end
  order("test_mode", "quick_restart")
  order("test_mode", "smooth_restart")
  order("quick_restart", "smooth_restart")
  for _, daemon in pairs(daemons) do
    for _, other in ipairs(daemon.before) do
      order(daemon.stage, other)
      if other == "test_mode" then
        order(daemon.stage, "quick_restart")
        order(daemon.stage, "smooth_restart")
      end
    end
    for _, other in ipairs(daemon.after) do order(other, daemon.stage) end
  end
  return before_of
end

local function sorted(stages, before_of)
  local list, done = {}, {}
  while #list < #tables.keys(stages) do
    local chosen
    for name in tables.sorted(stages) do
      local free = not done[name]
      for other, after in pairs(before_of) do
        if after[name] and not done[other] then free = false end
      end
      if free then chosen = name break end
    end
    if not chosen then error("the stages of the update come each before the other: see before and after", 0) end
    done[chosen] = true
    list[#list + 1] = stages[chosen]
  end
  return list
end

return function(settings, daemons)
  settings_of.check(settings, {})
  local stages, wishes = {}, {}
  for name, daemon in tables.sorted(daemons) do
    local own = type(daemon.update) == "table" and daemon.update or {}
    check(name, own)
    local stage = (own.mode and add_command or add_process)(stages, name, own)
    wishes[name] = {stage = stage, before = own.before or {}, after = own.after or {}}
  end
  return sorted(stages, constraints(stages, wishes))
end
