local ports = {}

-- Hands out the lowest port of the ranges that is still free on a node.
function ports.take(taken, node, ranges)
  local used = taken[node] or {}
  taken[node] = used
  for _, range in ipairs(ranges) do
    local first, last = range:match("^(%d+)%-(%d+)$")
    if not first then error("bad port range '" .. range .. "'") end
    for port = tonumber(first), tonumber(last) do
      if not used[port] then
        used[port] = true
        return port
      end
    end
  end
  error("no free port on " .. node)
end

return ports
