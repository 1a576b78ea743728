-- Iterates over tables in a deterministic order.
local sorted = {}

-- The keys of a table in ascending order.
function sorted.keys(map, less)
    local keys = {}
    for key in pairs(map) do
        keys[#keys + 1] = key
    end
    table.sort(keys, less)
    return keys
end

return sorted
