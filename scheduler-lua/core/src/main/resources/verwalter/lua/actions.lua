-- Reads the actions that operators requested.
--
--   local requested, ignored = actions.read(input.actions, "web", {
--     scale = {daemon = "string", by = "integer"},
--     follow = {},
--     switch = {version = {"v1", "v2"}, comment = "string?"},
--   })
--   for _, each in ipairs(requested) do ... each.action, each.button.by ... end
--
-- An action is described by its fields: "string", "number", "integer", "boolean", "table", "any", a
-- list of the allowed values, or a function that returns an error or nil. A field with a ? at its
-- end is optional. Other fields are errors, and so are unknown actions.

local tables = require "verwalter/tables"
local json = require "verwalter/json"
local actions = {}

-- Answers an action that is not done. `vw action --wait` prints the text, and its exit code tells
-- the reasons apart: UnknownRole, UnknownAction, or Refused for an invalid action. Without a
-- recorder it does nothing.
function actions.refuse(id, reason, text)
  local listener = rawget(_G, "answer")
  if listener then listener(id, json.encode {refused = reason, error = text}) end
end

-- The fields that the web page adds to every button.
local ALWAYS = {action = true, migration_action = true, role = true}

local function is(kind, value)
  if kind == "any" then return true end
  if kind == "integer" then return math.type(value) == "integer" end
  return type(value) == kind
end

local function field_problem(name, kind, value)
  if type(kind) == "function" then return kind(value) end
  if type(kind) == "table" then
    if tables.contains(kind, value) then return nil end
    local known = {}
    for at, each in ipairs(kind) do known[at] = tostring(each) end
    return name .. " is one of " .. table.concat(known, ", ") .. ", not " .. tostring(value)
  end
  local bare = kind:gsub("%?$", "")
  if value == nil then
    return bare == kind and name .. " is missing" or nil
  end
  if not is(bare, value) then
    return name .. " must be a " .. bare .. ", but is " .. (type(value) == "table" and "a table" or tostring(value))
  end
end

local function problem(button, fields)
  for name, kind in tables.sorted(fields) do
    local wrong = field_problem(name, kind, button[name])
    if wrong then return wrong end
  end
  for name in tables.sorted(button) do
    if fields[name] == nil and not ALWAYS[name] then
      return "it has no field " .. tostring(name)
    end
  end
end

-- The name and the button of an action; nil if it has none.
local function button_of(action)
  local button = type(action) == "table" and action.button
  if type(button) ~= "table" then return nil end
  local name = button.action
  if name == nil then name = button.migration_action end
  if type(name) == "string" then return name, button end
end

-- The valid actions for a role, in the order of their numbers, as a list of {id=, action=,
-- button=}; and the invalid ones for this role as a list of {id=, text=}.
function actions.read(pending, role, buttons)
  local valid, wrong = {}, {}
  for id, action in tables.sorted(pending) do
    local name, button = button_of(action)
    if button and button.role == role then
      local text, reason = nil, "Refused"
      if not buttons[name] then
        text, reason = "there is no button " .. name, "UnknownAction"
      else
        text = problem(button, buttons[name])
      end
      if text then
        wrong[#wrong + 1] = {id = id, text = name .. ": " .. text}
        actions.refuse(id, reason, text)
      else
        valid[#valid + 1] = {id = id, action = name, button = button}
      end
    end
  end
  return valid, wrong
end

-- The actions for roles that are not in {role = anything}, as a list of {id=, text=}.
function actions.stray(pending, roles)
  local stray = {}
  for id, action in tables.sorted(pending) do
    local name, button = button_of(action)
    local text, reason = nil, "Refused"
    if not button then
      text = "it is not a button"
    elseif button.role == nil then
      text = name .. ": it names no role"
    elseif roles[button.role] == nil then
      text, reason = name .. ": there is no role " .. tostring(button.role), "UnknownRole"
    end
    if text then
      stray[#stray + 1] = {id = id, text = text}
      actions.refuse(id, reason, text)
    end
  end
  return stray
end

return actions
