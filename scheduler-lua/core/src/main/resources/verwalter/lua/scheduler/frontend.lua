-- The data of a role for the web page, with its buttons.

local tables = require "verwalter/tables"
local update = require "verwalter/update"
local frontend = {}

local TITLES = {
  pause = "Pause", resume = "Resume", proceed = "Proceed", revert = "Revert", skip = "Skip this step", ack = "Acknowledge",
}

local function buttons_for(state)
  if state.direction == "pause" or state.direction == "error" then return {"resume", "revert", "skip"} end
  if state.direction == "backward" then return {"pause", "skip"} end
  local waiting = state.waiting_for or ""
  if waiting:find("proceed", 1, true) then return {"proceed", "pause", "revert"} end
  if waiting:find("ack or error", 1, true) then return {"ack", "pause", "revert", "skip"} end
  return {"pause", "revert", "skip"}
end

local function migration(state)
  local buttons = {}
  for at, name in ipairs(buttons_for(state)) do
    buttons[at] = {id = name, title = TITLES[name], description = TITLES[name] .. ": " .. state.step}
  end
  local paused = state.direction == "pause" or state.direction == "error"
  return {
    status_title = state.step .. (state.waiting_for and ", waiting: " .. state.waiting_for or ""),
    original = state.source_ver, target = state.target_ver, progress = update.progress(state),
    mode = paused and "paused" or state.direction, timestamp = state.change_ts, start_time = state.start_ts,
    buttons = buttons,
  }
end

local function processes(role)
  local all, current = 0, 0
  local version = role.update and role.update.target_ver or role.running
  for _, of_host in tables.sorted(role.hosts) do
    for _, entry in tables.sorted(of_host) do
      all = all + entry.instances
      if entry.version == version then current = current + entry.instances end
    end
  end
  return {"gauge", version, current, all}
end

-- The object roles[role] of the schedule.
function frontend.of(role)
  local shown = {kind = "version"}
  if role.update then
    shown = {kind = "migration", migration = migration(role.update)}
  end
  local global
  if not role.pinned and role.version ~= role.known[1] then
    global = {{id = "follow", title = "Follow the newest version", kind = "primary"}}
  end
  return {frontend = shown, versions = role.known, global_actions = global, shortinfo = {processes(role)}}
end

return frontend
