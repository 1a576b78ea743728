-- Tells why something was decided; `vw why` shows it. Where nobody listens, nothing happens.
--
--   local reasons = require "verwalter/reasons"
--   reasons.give("web", "12 workers wanted, 5 allowed at a time")

local reasons = {}

-- Gives the reason for what happens to a role, on one node if its name is given too.
function reasons.give(role, ...)
  local listener = rawget(_G, "reason")
  if listener then listener(role, ...) end
end

return reasons
