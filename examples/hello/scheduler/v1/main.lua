-- Decides what runs where: for every role below runtime/, all its daemons on every node.
--
-- A scheduler is a pure function without memory. Data for the next run, such as the port of each
-- process, is written into the schedule under `state`, and is in the parents of the next run's
-- input.
local json = require "verwalter/json"
local operator = require "operator"
local placement = require "placement"
local sorted = require "sorted"
local versions = require "versions"

-- The names of all nodes: this one and its peers.
local function hosts(input)
    local names = {[input.current_host] = true}
    for _, peer in pairs(input.peers) do
        if peer.hostname then
            names[peer.hostname] = true
        end
    end
    return sorted.keys(names)
end

-- Earlier schedules with the role, most recently changed first. Usually there is one parent, none at
-- the beginning, several after a network partition.
local function memories(parents, role)
    local found = {}
    for _, parent in ipairs(parents) do
        local state = (parent.state or {})[role]
        if type(state) == "table" then
            found[#found + 1] = {state = state, parent = parent, text = json.encode(state)}
        end
    end
    table.sort(found, function(a, b)
        local x, y = a.state.changed or 0, b.state.changed or 0
        if x ~= y then
            return x > y
        end
        return a.text < b.text -- any order, if it is deterministic
    end)
    return found
end

-- Keeps a role of an earlier schedule unchanged.
local function keep(role, memory, data)
    if memory then
        data.state[role] = memory.state
        data.roles[role] = (memory.parent.roles or {})[role]
        for host, node in pairs(data.nodes) do
            local before = (memory.parent.nodes or {})[host] or {}
            node.roles[role] = (before.roles or {})[role]
        end
    end
end

-- The variables of a role's templates on one node.
local function variables(role, metadata, version, slots)
    local daemons, urls = {}, {}
    for _, name in ipairs(sorted.keys(slots)) do
        local slot = slots[name]
        local daemon = metadata[slot.version].daemons[slot.daemon]
        daemons[name] = {
            image = daemon.image,
            config = daemon.config,
            -- One entry per process: all instances of an entry have the same variables, and each
            -- process needs its own port.
            instances = 1,
            variables = slot.port and {port = tostring(slot.port)},
        }
        if slot.port then
            urls[#urls + 1] = "http://127.0.0.1:" .. slot.port .. "/"
        end
    end
    return {
        template = role .. "/" .. version, -- below templates/
        version = version,
        daemons = json.object(daemons),
        urls = urls,
    }
end

-- The data of a role for the web page, with its buttons.
local function face(known, wanted, placed)
    local scale = {}
    for _, name in ipairs(sorted.keys(wanted.instances)) do
        scale[#scale + 1] = {id = "scale", title = "One more " .. name, data = {daemon = name, by = 1}}
        scale[#scale + 1] = {id = "scale", title = "One less " .. name, data = {daemon = name, by = -1}}
    end
    if wanted.pinned then
        table.insert(scale, 1, {id = "follow", title = "Follow the newest version", kind = "primary"})
    end
    return {
        frontend = {kind = "version"},
        versions = known,
        global_actions = scale,
        shortinfo = {{"gauge", wanted.version, placed.current, placed.total}},
    }
end

local function schedule_role(role, metadata, input, data, log)
    local found = memories(input.parents, role)
    local known = versions.usable(metadata, log)
    if #known == 0 then
        log("there is no version to run; running processes are kept")
        keep(role, found[1], data)
        return
    end
    local states = {}
    for i, memory in ipairs(found) do
        states[i] = memory.state
    end
    local wanted = operator.desired(role, metadata, known, input.actions, states, log)
    local placed = placement.place(hosts(input), metadata, wanted, states, input.now, log)

    data.state[role] = {
        version = wanted.version,
        choice = wanted.choice,
        instances = json.object(wanted.overrides),
        changed = placed.changed,
        hosts = json.object(placed.hosts),
    }
    data.roles[role] = face(known, wanted, placed)
    for host, slots in pairs(placed.hosts) do
        data.nodes[host].roles[role] = variables(role, metadata, wanted.version, slots)
    end
    log(wanted.version .. (wanted.pinned and " (pinned)" or "") .. ": " .. placed.current .. " of "
        .. placed.total .. " processes")
end

local function scheduler(input)
    local lines = {}
    local data = {
        roles = json.object {},
        nodes = json.object {},
        state = json.object {},
        changes = {},
    }
    for _, host in ipairs(hosts(input)) do
        data.nodes[host] = {roles = json.object {}}
    end
    for _, role in ipairs(sorted.keys(input.runtime)) do
        -- log(text) explains a decision, in the log and for `vw why`; log(text, true) also reports a
        -- change.
        local function log(text, change)
            lines[#lines + 1] = role .. ": " .. text
            reason(role, text)
            if change then
                data.changes[#data.changes + 1] = role .. ": " .. text
            end
        end
        if type(input.runtime[role]) == "table" then
            schedule_role(role, input.runtime[role], input, data, log)
        end
    end
    return json.encode(data), table.concat(lines, "\n")
end

return {scheduler = scheduler}
