-- Merges the states in earlier schedules. Usually there is one parent, none at first, and several
-- after a network partition.
--
--   local states = parents.states(input.parents, "web")   -- the most recently changed one first

local tables = require "verwalter/tables"
local json = require "verwalter/json"
local parents = {}

-- The states of a role in earlier schedules, the most recently changed first, by `changed`.
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
    return (a.text or "") < (b.text or "") -- any order, if it is deterministic
  end)
  local states = {}
  for at, each in ipairs(found) do states[at] = each.state end
  return states
end

-- Merges the maps that several states have under one name, such as `hosts`. The value of each key
-- is that of the first state for which better(state, key) is true, otherwise of the first that has
-- it.
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
