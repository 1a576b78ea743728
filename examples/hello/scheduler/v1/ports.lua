-- Assigns ports to slots, always the same ones.
local sorted = require "sorted"
local ports = {}

-- Calls f(port) for each port of a list such as {"10080-10099", "10200"} until f returns true;
-- returns that port.
local function find(ranges, f)
    for _, range in ipairs(ranges or {}) do
        local low, high = tostring(range):match("^(%d+)%-(%d+)$")
        low = tonumber(low or range)
        for port = low, tonumber(high) or low do
            if f(port) then
                return port
            end
        end
    end
end

local function needs_port(daemon)
    local variable = (daemon.variables or {}).port
    return variable ~= nil and variable.type == "TcpPort"
end

-- The ranges of a host: runtime/ROLE/ports.yaml is a list for all hosts, or a map of hosts to lists.
local function ranges_of(metadata, host)
    local ranges = metadata.ports or {}
    return ranges[host] or ranges
end

-- Sets the port of each slot whose daemon has a variable `port`, from the ranges of the role. A slot
-- keeps its port if that is allowed; the others get the lowest free ones, in the order of their
-- names. A slot without a free port is removed, and without(name) is called.
function ports.assign(slots, metadata, host, without)
    local taken, left = {}, {}
    local ranges = ranges_of(metadata, host)
    for _, name in ipairs(sorted.keys(slots)) do
        local slot = slots[name]
        local version = metadata[slot.version]
        if not needs_port(version.daemons[slot.daemon]) then
            slot.port = nil
        elseif slot.port and not taken[slot.port]
            and find(ranges, function(port) return port == slot.port end) then
            taken[slot.port] = true
        else
            left[#left + 1] = name
        end
    end
    for _, name in ipairs(left) do
        local slot = slots[name]
        slot.port = find(ranges, function(port) return not taken[port] end)
        if slot.port then
            taken[slot.port] = true
        else
            slots[name] = nil
            without(name)
        end
    end
end

return ports
