-- The versions of a role.
local sorted = require "sorted"
local versions = {}

-- Whether version a is newer than b: v10 is newer than v9.
function versions.newer(a, b)
    local next_a, next_b = a:gmatch("%d+"), b:gmatch("%d+")
    while true do
        local x, y = next_a(), next_b()
        if not x and not y then
            return a > b
        elseif not x or not y then
            return y == nil
        elseif tonumber(x) ~= tonumber(y) then
            return tonumber(x) > tonumber(y)
        end
    end
end

-- The names of the valid versions, newest first.
function versions.usable(metadata, log)
    local found = {}
    for _, name in ipairs(sorted.keys(metadata)) do
        local version = metadata[name]
        if name:find("^v%d") then
            if type(version) == "table" and type(version.daemons) == "table" then
                found[name] = true
            else
                log(name .. " is left out: it says nothing of `daemons`")
            end
        end
    end
    return sorted.keys(found, versions.newer)
end

return versions
