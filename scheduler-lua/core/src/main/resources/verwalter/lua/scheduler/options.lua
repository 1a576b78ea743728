-- Parses the options of make_scheduler.

local rates = require "verwalter/rates"
local tables = require "verwalter/tables"
local options_of = {}

local function integer(name, value)
  if math.type(value) ~= "integer" or value < 0 then
    error("the option " .. name .. " must be a whole number, but is " .. tostring(value), 0)
  end
  return value
end

local function one_of(...)
  local known = {...}
  return function(name, value)
    if not tables.contains(known, value) then
      error("the option " .. name .. " is one of " .. table.concat(known, ", ") .. ", not " .. tostring(value), 0)
    end
    return value
  end
end

local function of_type(...)
  local kinds = {...}
  return function(name, value)
    if not tables.contains(kinds, type(value)) then
      error("the option " .. name .. " must be a " .. table.concat(kinds, " or a ") .. ", but is " .. tostring(value), 0)
    end
    return value
  end
end

local function rate(name, value)
  local good, read = pcall(rates.parse, value)
  if not good then error("the option " .. name .. ": " .. read, 0) end
  return read
end

local GENERAL = {
  weigh_by = one_of("cpus", "memory_bytes", "nothing"),
  versions = one_of("auto", "manual", "newest"),
  update = of_type("string", "table"),
  replace_lost_after = integer,
  query_metrics = of_type("table"),
}

-- The suffixes of options for one daemon.
local OF_DAEMON = {
  grow_rate = rate,
  decline_rate = rate,
  spread_by = of_type("string"),
  max_per_node = integer,
}

local function daemon_option(name)
  for ending, read in tables.sorted(OF_DAEMON) do
    local daemon = name:match("^(.+)_" .. ending .. "$")
    if daemon then return daemon, ending, read end
  end
  local known = tables.keys(GENERAL)
  for ending in tables.sorted(OF_DAEMON) do known[#known + 1] = "DAEMON_" .. ending end
  error("there is no option " .. name .. "; there are " .. table.concat(known, ", "), 0)
end

-- Returns {general = value, ..., daemons = {daemon = {suffix = value}}}.
function options_of.read(options)
  local read = {daemons = {}}
  for name, value in tables.sorted(options) do
    if type(name) ~= "string" then
      error("options have names, such as worker_grow_rate; " .. tostring(name) .. " is none", 0)
    elseif GENERAL[name] then
      read[name] = GENERAL[name](name, value)
    else
      local daemon, ending, check = daemon_option(name)
      read.daemons[daemon] = read.daemons[daemon] or {}
      read.daemons[daemon][ending] = check(name, value)
    end
  end
  if type(read.update) == "string" then read.update = {strategy = read.update} end
  read.update = read.update or {}
  -- Report an invalid update when the scheduler is loaded, not at the first new version.
  local trial = {[read.update.migrate or "trial"] = {}}
  require("verwalter/update").plan(read.update, trial, {})
  return read
end

return options_of
