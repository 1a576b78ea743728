local versions = {}

local function parts(version)
  local list = {}
  for item in version:gsub("^v", ""):gmatch("%w+") do
    list[#list + 1] = tonumber(item) or item
  end
  return list
end

-- Whether a is older: items are compared as numbers where both are, words come before numbers.
function versions.older(a, b)
  local left, right = parts(a), parts(b)
  for i = 1, math.max(#left, #right) do
    local x, y = left[i], right[i]
    if x == nil or y == nil then return x == nil and y ~= nil end
    if type(x) ~= type(y) then return type(x) == "string" end
    if x ~= y then return x < y end
  end
  return false
end

-- The keys of a role's metadata that are versions, oldest first.
function versions.sorted(meta)
  local list = {}
  for key in pairs(meta) do
    if key:match("^v%d") then list[#list + 1] = key end
  end
  table.sort(list, versions.older)
  return list
end

function versions.contains(list, version)
  for _, each in ipairs(list) do
    if each == version then return true end
  end
  return false
end

return versions
