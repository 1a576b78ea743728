-- Replaces main.lua when specs are run: a scheduler that loads a spec file and runs one spec per
-- call, so that each has the budget of a decision.

local json = require "verwalter/json"
local spec = require "verwalter/spec"

local list

local function failure_of(wrong)
  local differences = json.array {}
  for at, each in ipairs(wrong.differences or {}) do differences[at] = each end
  return {
    message = tostring(wrong.message), place = wrong.place, expected = wrong.expected, actual = wrong.actual,
    differences = differences, trace = wrong.trace,
  }
end

return {
  scheduler = function(input)
    if not list then list = spec.read(input.file) end
    if input.index then
      local wrong = spec.run(list[input.index])
      return json.encode(json.object {failure = wrong and failure_of(wrong)}), ""
    end
    local specs = json.array {}
    for at, each in ipairs(list) do
      specs[at] = {name = each.full, place = each.place, pending = each.pending == true}
    end
    return json.encode {specs = specs}, ""
  end,
}
