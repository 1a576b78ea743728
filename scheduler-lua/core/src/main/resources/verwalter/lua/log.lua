-- Collects log messages of a scheduler, as lines "[role]:LEVEL: text".
--
--   local log = require "verwalter/log"
--   local journal = log.new()
--   journal:debug("web", "two nodes of ", 3)
--   journal:error("web", "no version")
--   return text, journal:text()

local log = {}
log.__index = log

function log.new()
  return setmetatable({lines = {}}, log)
end

local function add(self, level, role, ...)
  local parts = table.pack(...)
  for i = 1, parts.n do
    parts[i] = tostring(parts[i])
  end
  self.lines[#self.lines + 1] = "[" .. (role or "no-role") .. "]:" .. level .. ": " .. table.concat(parts)
end

function log:debug(role, ...)
  add(self, "DEBUG", role, ...)
end

function log:error(role, ...)
  add(self, "ERROR", role, ...)
end

function log:text()
  return #self.lines == 0 and "" or table.concat(self.lines, "\n") .. "\n"
end

return log
