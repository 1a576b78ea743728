-- The actions of groups, as {"button": {"action": NAME, "role": ROLE, ...}}:
--
--   create_group            group_name, version
--   delete_group            group
--   add_daemon              group, new_name, service, servers, number_per_server, variables (optional)
--   delete_daemon           group, name
--   set_servers             group, service, servers
--   set_number_per_server   group, service, number_per_server
--   enable_auto_update      group
--   disable_auto_update     group
--   force_version           group, to_version
--   start_update            group, to_version
--   update_action           group, update_action (see update.ACTIONS), step, error_message (optional)

local tables = require "verwalter/tables"
local update = require "verwalter/update"
local buttons = {}

local MOST = 1000

local function servers(value)
  if type(value) ~= "table" then return "servers must be a list of host names" end
  local seen = {}
  for key, host in pairs(value) do
    if math.type(key) ~= "integer" or type(host) ~= "string" or host == "" then return "servers must be a list of host names" end
    if seen[host] then return "servers has " .. host .. " twice" end
    seen[host] = true
  end
end

local function number(value)
  if math.type(value) ~= "integer" or value < 0 or value > MOST then
    return "number_per_server must be a whole number up to " .. MOST .. ", but is " .. tostring(value)
  end
end

local function name(value)
  if type(value) ~= "string" or not value:find("^[%w_][%w_%-]*$") or #value > 64 then
    return tostring(value) .. " is not a name of letters, digits, - and _"
  end
end

local function variables(value)
  if value == nil then return nil end
  if type(value) ~= "table" then return "variables must be a table" end
  for key, each in pairs(value) do
    if type(key) ~= "string" or type(each) ~= "string" and type(each) ~= "number" then
      return "variables must be texts and numbers by name"
    end
  end
end

-- The fields of each action, for actions.read; versions are the existing ones.
function buttons.fields(known)
  return {
    create_group = {group_name = name, version = known},
    delete_group = {group = "string"},
    add_daemon = {
      group = "string", new_name = name, service = "string", servers = servers, number_per_server = number,
      variables = variables,
    },
    delete_daemon = {group = "string", name = "string"},
    set_servers = {group = "string", service = "string", servers = servers},
    set_number_per_server = {group = "string", service = "string", number_per_server = number},
    enable_auto_update = {group = "string"},
    disable_auto_update = {group = "string"},
    force_version = {group = "string", to_version = known},
    start_update = {group = "string", to_version = known},
    update_action = {group = "string", update_action = update.ACTIONS, step = "string?", error_message = "string?"},
  }
end

local press = {}

function press.create_group(all, button)
  if all[button.group_name] then return "there is a group " .. button.group_name .. " already" end
  all[button.group_name] = {version = button.version, auto_update = false, last_deployed = {}, services = {}}
end

function press.delete_group(all, button)
  all[button.group] = nil
end

function press.add_daemon(all, button, context)
  local group = all[button.group]
  if group.services[button.new_name] then return "there is a daemon " .. button.new_name .. " already" end
  local daemons = (context.metadata[group.version] or {}).daemons or {}
  if not daemons[button.service] then return "version " .. group.version .. " has no daemon " .. button.service end
  group.services[button.new_name] = {
    service = button.service, servers = button.servers, number_per_server = button.number_per_server,
    variables = button.variables,
  }
end

function press.delete_daemon(all, button)
  if not all[button.group].services[button.name] then return "there is no daemon " .. button.name end
  all[button.group].services[button.name] = nil
end

local function change_service(key)
  return function(all, button)
    local service = all[button.group].services[button.service]
    if not service then return "there is no daemon " .. button.service end
    service[key] = button[key]
  end
end

press.set_servers = change_service "servers"
press.set_number_per_server = change_service "number_per_server"

function press.enable_auto_update(all, button)
  all[button.group].auto_update = true
end

function press.disable_auto_update(all, button)
  all[button.group].auto_update = false
end

function press.force_version(all, button, context)
  local group = all[button.group]
  group.last_deployed[group.version] = context.now()
  group.version, group.update = button.to_version, nil
  group.last_deployed[button.to_version] = nil
end

function press.start_update(all, button, context)
  local group = all[button.group]
  if group.update then return "an update is under way" end
  if button.to_version == group.version then return "it has this version" end
  return context.start(button.group, group, button.to_version, false)
end

function press.update_action(_, button, context, id)
  -- update.tick does or refuses it.
  local list = context.update_actions[button.group] or {}
  context.update_actions[button.group] = list
  list[#list + 1] = {
    update_action = button.update_action, step = button.step, error_message = button.error_message, id = id,
  }
end

-- Performs one of the actions of actions.read; returns the problem if it cannot. The context has
-- `metadata`, now(), start(name, group, version, auto) and `update_actions`.
function buttons.press(all, request, context)
  local button = request.button
  if button.group ~= nil and not all[button.group] then return "there is no group " .. button.group end
  return press[request.action](all, button, context, request.id)
end

-- The names of all actions.
function buttons.names()
  return tables.keys(press)
end

return buttons
