-- Placement: the processes of each host, with their versions and ports.
--
-- A process has a slot with a name such as web-2, which keeps its port across versions. A slot is
-- {daemon=, version=, port=}.
local ports = require "ports"
local sorted = require "sorted"
local placement = {}

local WARMUP = 5 -- seconds, if the metadata has no update.warmup_sec

-- The previous slots of a host.
local function remembered(states, host)
    for _, state in ipairs(states) do
        local slots = (state.hosts or {})[host]
        if slots then
            return slots
        end
    end
    return {}
end

-- The desired slots, unchanged if they existed. A new slot, and one whose version was removed, gets
-- the desired version at once.
local function slots_of(old, metadata, wanted)
    local slots = {}
    for daemon, count in pairs(wanted.instances) do
        for index = 0, count - 1 do
            local name = daemon .. "-" .. index
            local was = old[name] or {}
            local known = metadata[was.version]
            slots[name] = {
                daemon = daemon,
                version = known and known.daemons[daemon] and was.version or wanted.version,
                port = was.port,
            }
        end
    end
    return slots
end

-- Whether the processes that were replaced last have warmed up.
local function may_replace(states, metadata, wanted, now)
    local seconds = 0
    for _, daemon in pairs(metadata[wanted.version].daemons) do
        seconds = math.max(seconds, (daemon.update or {}).warmup_sec or WARMUP)
    end
    return not states[1] or now - (states[1].changed or 0) >= seconds * 1000
end

-- Moves the first slot with another version to the desired one.
local function replace_one(slots, wanted)
    for _, name in ipairs(sorted.keys(slots)) do
        if slots[name].version ~= wanted.version then
            slots[name].version = wanted.version
            return
        end
    end
end

-- Logs the changes; returns whether there are any.
local function tell(host, old, new, log)
    local different = false
    local function change(name, text)
        different = true
        log(name .. " on " .. host .. ": " .. text, true)
    end
    for _, name in ipairs(sorted.keys(new)) do
        local was, is = old[name], new[name]
        if not was then
            change(name, "start " .. is.version)
        elseif was.version ~= is.version then
            change(name, "replace " .. was.version .. " by " .. is.version)
        elseif was.port ~= is.port then
            change(name, "move to port " .. tostring(is.port))
        end
    end
    for _, name in ipairs(sorted.keys(old)) do
        if not new[name] then
            change(name, "stop")
        end
    end
    return different
end

-- Returns `hosts`, the slots of each host; `changed`, the time of the last change; and the number of
-- slots in `total`, and at the `current` version.
function placement.place(hosts, metadata, wanted, states, now, log)
    local result = {hosts = {}, current = 0, total = 0, changed = states[1] and states[1].changed or now}
    local ready = may_replace(states, metadata, wanted, now)
    for _, host in ipairs(hosts) do
        local old = remembered(states, host)
        local slots = slots_of(old, metadata, wanted)
        if ready then
            replace_one(slots, wanted) -- one at a time on each host, so that the others can serve
        end
        ports.assign(slots, metadata, host, function(name)
            log(name .. " on " .. host .. " cannot run: the allowed ports are all taken")
        end)
        if tell(host, old, slots, log) then
            result.changed = now
        end
        for _, slot in pairs(slots) do
            result.total = result.total + 1
            result.current = result.current + (slot.version == wanted.version and 1 or 0)
        end
        result.hosts[host] = slots
    end
    return result
end

return placement
