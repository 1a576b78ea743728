-- Records the reasons of decisions, which `vw why` shows. Without a recorder it does nothing.
--
--   local reasons = require "verwalter/reasons"
--   reasons.give("web", "12 workers wanted, 5 allowed at a time")

local reasons = {}

-- Records the reason for a decision about a role, on one node if its name is given.
function reasons.give(role, ...)
  local listener = rawget(_G, "reason")
  if listener then listener(role, ...) end
end

return reasons
