-- Merges what earlier schedules remember. There is one as a rule, none at first, several after a
-- split of the network.
--
--   local states = parents.states(input.parents, "web")   -- the one changed last comes first

local tables = require "verwalter/tables"
local json = require "verwalter/json"
local parents = {}

-- The states that earlier schedules have of a role, those first that changed last, by `changed`.
function parents.states(list, role)
  local found = {}
  for _, parent in ipairs(list or {}) do
    local state = type(parent.state) == "table" and parent.state[role]
    if type(state) == "table" then
      found[#found + 1] = {state = state, changed = tonumber(state.changed) or 0}
    end
  end
  if #found > 1 then
    for _, each in ipairs(found) do each.text = json.encode(each.state) end
  end
  table.sort(found, function(a, b)
    if a.changed ~= b.changed then return a.changed > b.changed end
    return (a.text or "") < (b.text or "") -- any order will do, if it is always the same
  end)
  local states = {}
  for at, each in ipairs(found) do states[at] = each.state end
  return states
end

-- Merges the maps that several states have under one name, such as `hosts`: each key has the value
-- of the first state for which better(state, key) is true, or else of the first that has it.
function parents.merged(states, name, better)
  local merged, sure = {}, {}
  for _, state in ipairs(states) do
    for key, value in tables.sorted(type(state[name]) == "table" and state[name] or {}) do
      local good = not better or better(state, key)
      if merged[key] == nil or good and not sure[key] then
        merged[key], sure[key] = value, good
      end
    end
  end
  return merged
end

return parents
