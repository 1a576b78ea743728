-- Tables in an order that does not change from run to run.
local sorted = {}

-- The keys of a table, smallest first.
function sorted.keys(map, less)
    local keys = {}
    for key in pairs(map) do
        keys[#keys + 1] = key
    end
    table.sort(keys, less)
    return keys
end

return sorted
