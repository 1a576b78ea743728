-- Functions on tables with a deterministic order.
--
--   for role, metadata in tables.sorted(input.runtime) do ... end

local tables = {}

local function before(a, b)
  local x, y = type(a), type(b)
  if x ~= y then return x < y end
  return a < b
end

-- The keys of a table in ascending order; numbers come before strings.
function tables.keys(map)
  local keys = {}
  for key in pairs(map or {}) do keys[#keys + 1] = key end
  table.sort(keys, before)
  return keys
end

-- Iterates over a table in the order of its keys. A nil table is empty.
function tables.sorted(map)
  local keys, at = tables.keys(map), 0
  return function()
    at = at + 1
    if keys[at] ~= nil then return keys[at], map[keys[at]] end
  end
end

-- Whether a list contains a value.
function tables.contains(list, value)
  for _, each in ipairs(list or {}) do
    if each == value then return true end
  end
  return false
end

-- A deep copy of a value, with its metatables.
function tables.copy(value)
  if type(value) ~= "table" then return value end
  local copied = {}
  for key, each in pairs(value) do copied[key] = tables.copy(each) end
  return setmetatable(copied, getmetatable(value))
end

-- Whether two values are deeply equal.
function tables.same(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  for key, each in pairs(a) do
    if not tables.same(each, b[key]) then return false end
  end
  for key in pairs(b) do
    if a[key] == nil then return false end
  end
  return true
end

-- A set of the values of a list: {a = true, b = true}.
function tables.list_to_set(list)
  local set = {}
  for _, value in ipairs(list) do set[value] = true end
  return set
end

-- The sum of a table's values.
function tables.sum(map)
  local sum = 0
  for _, each in pairs(map or {}) do sum = sum + each end
  return sum
end

return tables
