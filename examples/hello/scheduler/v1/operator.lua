-- What operators want: a version, and the number of processes of each daemon.
local json = require "verwalter/json"
local sorted = require "sorted"
local operator = {}

local function contains(list, value)
    for _, each in ipairs(list) do
        if each == value then
            return true
        end
    end
    return false
end

-- One function for each action. Its arguments are the role's state, which it may change, and the button.
local buttons = {}

function buttons.quick_switch(state, button, known)
    if not contains(known, button.version) then
        return "there is no version " .. tostring(button.version)
    end
    state.version, state.pinned = button.version, true
end

function buttons.follow(state)
    state.pinned = false
end

function buttons.scale(state, button)
    local data = type(button.data) == "table" and button.data or {}
    if not state.counts[data.daemon] or math.type(data.by) ~= "integer" then
        return "scale needs data with the name of a `daemon`, and `by`, a whole number"
    end
    local count = math.max(0, math.min(100, state.counts[data.daemon] + data.by))
    state.counts[data.daemon], state.overrides[data.daemon] = count, count
end

local function press(role, known, actions, state, log)
    for _, id in ipairs(sorted.keys(actions)) do
        local button = type(actions[id]) == "table" and actions[id].button
        if type(button) == "table" and button.role == role then
            local act = buttons[button.action]
            local problem, refused = nil, "Refused"
            if act then
                problem = act(state, button, known)
            else
                problem, refused = "there is no action " .. tostring(button.action), "UnknownAction"
            end
            if problem then -- `vw action --wait` prints it
                answer(id, json.encode {refused = refused, error = problem})
            end
            log("action " .. id .. ", " .. tostring(button.action) .. ": " .. (problem or "done"))
        end
    end
end

-- The version to run: that of runtime/ROLE/pin.txt or of an action, otherwise the newest.
local function version(metadata, known, state, log)
    local file = type(metadata.pin) == "string" and metadata.pin:match("%S+")
    local pin = file or state.pinned and state.version
    if not pin then
        return known[1], false
    elseif contains(known, pin) then
        return pin, true
    end
    log("pinned to " .. pin .. ", which there is not; taking the newest")
    return known[1], false
end

-- The desired state: `version`, whether it is `pinned`, `instances` of each daemon, and what actions
-- chose: `overrides` of the metadata's instances, and a `choice` of a version. A pin in a file is not
-- a choice: it ends with the file.
function operator.desired(role, metadata, known, actions, states, log)
    local last = states[1] or {}
    local state = {version = last.choice, pinned = last.choice ~= nil, overrides = {}, counts = {}}
    for name, daemon in pairs(metadata[known[1]].daemons) do
        state.overrides[name] = (last.instances or {})[name]
        state.counts[name] = state.overrides[name] or daemon.instances or 1
    end
    press(role, known, actions, state, log)

    local wanted, pinned = version(metadata, known, state, log)
    local instances = {}
    for name, daemon in pairs(metadata[wanted].daemons) do
        instances[name] = state.overrides[name] or daemon.instances or 1
    end
    return {
        version = wanted,
        pinned = pinned,
        choice = state.pinned and state.version or nil,
        instances = instances,
        overrides = state.overrides,
    }
end

return operator
