-- Assigns ports to processes, always the same ones.
--
--   ports.assign({"web-0", "web-1"}, {"9000-9100"}, {["web-0"] = 9003})
--     --> {["web-0"] = 9003, ["web-1"] = 9000}, {}

local ports = {}

local function range(text)
  local low, high = tostring(text):match("^(%d+)%-(%d+)$")
  low, high = tonumber(low or text), tonumber(high or text)
  if math.type(low) ~= "integer" or math.type(high) ~= "integer" or low < 1 or high > 65535 or low > high then
    error(tostring(text) .. " is not a range of ports; write one such as 9000-9100, or one port", 0)
  end
  return {low = low, high = high}
end

-- Parses a list of ranges such as {"9000-9100", 9200}; raises an error that names an invalid one.
function ports.ranges(list)
  local found = {}
  for _, each in ipairs(list or {}) do found[#found + 1] = range(each) end
  return found
end

local function allowed(ranges, port)
  for _, each in ipairs(ranges) do
    if port >= each.low and port <= each.high then return true end
  end
  return false
end

local function lowest(ranges, taken)
  for _, each in ipairs(ranges) do
    for port = each.low, each.high do
      if not taken[port] then return port end
    end
  end
end

-- Assigns each name a port of the ranges: {name = port}, and a list of the names without a port. A
-- name keeps its port in `previous` if that is allowed; new ones get the lowest. `taken` is {port =
-- owner}; assigned ports are added to it, so that several calls for one host never assign the same
-- port twice.
function ports.assign(names, list, previous, taken)
  local ranges = ports.ranges(list)
  taken, previous = taken or {}, previous or {}
  local given, left, without = {}, {}, {}
  for _, name in ipairs(names) do
    local port = previous[name]
    if port and allowed(ranges, port) and not taken[port] then
      given[name], taken[port] = port, name
    else
      left[#left + 1] = name
    end
  end
  for _, name in ipairs(left) do
    local port = lowest(ranges, taken)
    if port then
      given[name], taken[port] = port, name
    else
      without[#without + 1] = name
    end
  end
  return given, without
end

return ports
