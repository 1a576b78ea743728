-- JSON for schedulers.
--
--   json.encode(value)   text; keys sorted by their bytes, integers without a point
--   json.decode(text)    value; null becomes nil, so a field that is null is absent
--   json.object(table)   marks a table, empty or not, to be written as an object
--   json.array(table)    marks a table to be written as an array
--
-- A table without a mark is an array if it is empty or its keys are 1 to n; any other table is an
-- object, whose keys may be strings and numbers.
--
-- Verwalter's Lua engine has this module built in (JsonLibrary.java), with the same behaviour.

local json = {}

local OBJECT = {__json = "object"}
local ARRAY = {__json = "array"}
local DEEPEST = 200

local function expect(kind, value, name)
  if type(value) ~= kind then
    error("json." .. name .. ": " .. kind .. " expected, got " .. type(value), 0)
  end
end

function json.object(table)
  expect("table", table or {}, "object")
  return setmetatable(table or {}, OBJECT)
end

function json.array(table)
  expect("table", table or {}, "array")
  return setmetatable(table or {}, ARRAY)
end

-- Encoding

local ESCAPES = {
  ['"'] = '\\"', ["\\"] = "\\\\", ["\b"] = "\\b", ["\f"] = "\\f",
  ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t",
}

local function escape(char)
  return ESCAPES[char] or string.format("\\u%04x", char:byte())
end

local function quote(text)
  return '"' .. text:gsub('[%c"\\]', function(char)
    if char == "\127" then return char end
    return escape(char)
  end) .. '"'
end

local function number(value, path)
  if value ~= value or value == math.huge or value == -math.huge then
    error("json.encode: " .. path .. " is " .. tostring(value) .. ", which JSON cannot say", 0)
  end
  if math.type(value) == "integer" then
    return string.format("%d", value)
  end
  local text = string.format("%.14g", value)
  if tonumber(text) ~= value then
    text = string.format("%.17g", value)
  end
  if not text:find("[%.eE]") then
    text = text .. ".0"
  end
  return text
end

local function is_array(value)
  local meta = getmetatable(value)
  local mark = type(meta) == "table" and meta.__json
  if mark then return mark == "array" end
  local count = 0
  for _ in pairs(value) do count = count + 1 end
  for i = 1, count do
    if value[i] == nil then return false end
  end
  return true
end

local encode

local function encode_array(value, out, path, depth)
  out[#out + 1] = "["
  for i = 1, #value do
    if i > 1 then out[#out + 1] = "," end
    encode(value[i], out, path .. "[" .. i .. "]", depth + 1)
  end
  out[#out + 1] = "]"
end

local function encode_object(value, out, path, depth)
  local keys, texts = {}, {}
  for key in pairs(value) do
    if type(key) ~= "string" and type(key) ~= "number" then
      error("json.encode: " .. path .. " has a key that is a " .. type(key), 0)
    end
    local text = type(key) == "string" and key or number(key, path)
    if texts[text] ~= nil then
      error("json.encode: " .. path .. " has the key '" .. text .. "' twice", 0)
    end
    texts[text] = key
    keys[#keys + 1] = text
  end
  table.sort(keys)
  out[#out + 1] = "{"
  for i = 1, #keys do
    local text = keys[i]
    out[#out + 1] = (i > 1 and "," or "") .. quote(text) .. ":"
    encode(value[texts[text]], out, path .. "." .. text, depth + 1)
  end
  out[#out + 1] = "}"
end

function encode(value, out, path, depth)
  local kind = type(value)
  if kind == "string" then
    out[#out + 1] = quote(value)
  elseif kind == "number" then
    out[#out + 1] = number(value, path)
  elseif kind == "boolean" or kind == "nil" then
    out[#out + 1] = value == nil and "null" or tostring(value)
  elseif kind == "table" then
    if depth > DEEPEST then
      error("json.encode: " .. path:sub(1, 60) .. "... is nested too deeply", 0)
    end
    if is_array(value) then
      encode_array(value, out, path, depth)
    else
      encode_object(value, out, path, depth)
    end
  else
    error("json.encode: " .. path .. " is a " .. kind, 0)
  end
end

function json.encode(value)
  local out = {}
  encode(value, out, "value", 1)
  return table.concat(out)
end

-- Decoding

local function fail(text, at, problem)
  local line = 1
  for _ in text:sub(1, at - 1):gmatch("\n") do line = line + 1 end
  error("json.decode: " .. problem .. " at line " .. line .. ", byte " .. at, 0)
end

local UNESCAPES = {b = "\b", f = "\f", n = "\n", r = "\r", t = "\t", ['"'] = '"', ["\\"] = "\\", ["/"] = "/"}

local function skip(text, at)
  return text:find("[^ \t\r\n]", at) or #text + 1
end

local function unicode(text, at)
  local code = tonumber(text:match("^%x%x%x%x", at) or fail(text, at, "four hex digits expected"), 16)
  if code >= 0xd800 and code < 0xdc00 then
    local low = tonumber(text:match("^\\u(%x%x%x%x)", at + 4) or "0", 16)
    if low < 0xdc00 or low > 0xdfff then fail(text, at, "half of a surrogate pair") end
    return utf8.char(0x10000 + (code - 0xd800) * 0x400 + low - 0xdc00), at + 10
  end
  return utf8.char(code), at + 4
end

local function decode_string(text, at)
  local parts = {}
  local from = at + 1
  while true do
    local stop = text:find('[%c"\\]', from)
    if not stop then fail(text, at, "unfinished string") end
    parts[#parts + 1] = text:sub(from, stop - 1)
    local char = text:sub(stop, stop)
    if char == '"' then
      return table.concat(parts), stop + 1
    elseif char == "\127" then
      parts[#parts + 1] = char
      from = stop + 1
    elseif char ~= "\\" then
      fail(text, stop, "control character in a string")
    elseif text:sub(stop + 1, stop + 1) == "u" then
      parts[#parts + 1], from = unicode(text, stop + 2)
    else
      local char = UNESCAPES[text:sub(stop + 1, stop + 1)]
      if not char then fail(text, stop, "unknown escape") end
      parts[#parts + 1] = char
      from = stop + 2
    end
  end
end

local function decode_number(text, at)
  local digits = text:match("^-?%d+%.?%d*[eE]?[+-]?%d*", at)
  local plain = digits and digits:match("^-?(%d+)")
  local value = digits and tonumber(digits)
  if not value or (#plain > 1 and plain:sub(1, 1) == "0") or digits:find("%.[eE]") or digits:find("%.$") then
    fail(text, at, "value expected")
  end
  return value, at + #digits
end

local decode

local function decode_array(text, at, depth)
  local array = json.array()
  local count = 0
  at = skip(text, at + 1)
  if text:sub(at, at) == "]" then return array, at + 1 end
  while true do
    count = count + 1
    array[count], at = decode(text, at, depth + 1)
    at = skip(text, at)
    local char = text:sub(at, at)
    if char == "]" then return array, at + 1 end
    if char ~= "," then fail(text, at, "',' or ']' expected") end
    at = skip(text, at + 1)
  end
end

local function decode_object(text, at, depth)
  local object = json.object()
  at = skip(text, at + 1)
  if text:sub(at, at) == "}" then return object, at + 1 end
  while true do
    if text:sub(at, at) ~= '"' then fail(text, at, "'\"' expected") end
    local key
    key, at = decode_string(text, at)
    at = skip(text, at)
    if text:sub(at, at) ~= ":" then fail(text, at, "':' expected") end
    object[key], at = decode(text, skip(text, at + 1), depth + 1)
    at = skip(text, at)
    local char = text:sub(at, at)
    if char == "}" then return object, at + 1 end
    if char ~= "," then fail(text, at, "',' or '}' expected") end
    at = skip(text, at + 1)
  end
end

function decode(text, at, depth)
  if depth > DEEPEST then fail(text, at, "nested too deeply") end
  local char = text:sub(at, at)
  if char == "{" then return decode_object(text, at, depth) end
  if char == "[" then return decode_array(text, at, depth) end
  if char == '"' then return decode_string(text, at) end
  if text:sub(at, at + 3) == "true" then return true, at + 4 end
  if text:sub(at, at + 4) == "false" then return false, at + 5 end
  if text:sub(at, at + 3) == "null" then return nil, at + 4 end
  return decode_number(text, at)
end

function json.decode(text)
  expect("string", text, "decode")
  local value, at = decode(text, skip(text, 1), 1)
  at = skip(text, at)
  if at <= #text then fail(text, at, "end of text expected") end
  return value
end

return json
