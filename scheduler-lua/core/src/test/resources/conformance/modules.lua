--- libraries are loaded modules
print(require("string") == string, require("table") == table, require("math") == math, require("utf8") == utf8, require("debug") == debug, require("_G") == _G)
--- a module gets its name
print(...)
--- a missing module fails
local ok, e = pcall(require, "no/such/module")
print(ok, (e:match("^module 'no/such/module' not found")))
--- require wants a name
print(pcall(require))
--- the globals of the base library
for _, n in ipairs {"assert", "collectgarbage", "error", "getmetatable", "ipairs", "load", "next", "pairs", "pcall", "print", "rawequal", "rawget", "rawlen", "rawset", "require", "select", "setmetatable", "tonumber", "tostring", "type", "xpcall"} do
  assert(type(_G[n]) == "function", n)
end
print(type(_G), _VERSION)
--- the functions of the libraries
for lib, names in pairs {
  string = "byte char dump find format gmatch gsub len lower match pack packsize rep reverse sub unpack upper",
  table = "concat insert move pack remove sort unpack",
  math = "abs acos asin atan ceil cos deg exp floor fmod log max min modf rad random randomseed sin sqrt tan tointeger type ult",
  utf8 = "char codepoint codes len offset",
  debug = "traceback getinfo getmetatable setmetatable",
} do for n in names:gmatch("%w+") do assert(type(_G[lib][n]) == "function", lib .. "." .. n) end end
print("ok")
--- collectgarbage takes its options
print(collectgarbage(), collectgarbage("stop"), collectgarbage("restart"), type(collectgarbage("count")), collectgarbage("isrunning"))
print(pcall(collectgarbage, "nonsense"))
--- print converts with the global tostring
local old = tostring
tostring = function(v) return "<" .. old(v) .. ">" end
print(1, nil)
tostring = function() return 1 end
print(pcall(print, {}))
tostring = nil
local ok = pcall(print, 1)
tostring = old
print(ok)
--- type
print(type(nil), type(1), type("x"), type({}), type(print), type(true))
print(pcall(type))
--- tostring of values
print(tostring(nil), tostring(true), tostring(12), tostring(1.5), tostring("x"))
print((tostring({}):gsub("0x%x+", "PTR")), (tostring(print):gsub("0x%x+", "PTR"):gsub("builtin: ", "")))
--- identities are stable and differ
local a, b = {}, {}
print(tostring(a) == tostring(a), tostring(a) ~= tostring(b))
--- getmetatable of other values
print(getmetatable(1), getmetatable(nil), getmetatable(print), getmetatable("x").__name)
--- debug getmetatable sees through
local mt = {__metatable = "locked"}
local t = setmetatable({}, mt)
print(getmetatable(t), debug.getmetatable(t) == mt, debug.setmetatable(t, nil) == t, getmetatable(t))
--- debug getinfo of the current line
print(debug.getinfo(1, "l").currentline)
print(debug.getinfo(1, "S").short_src, debug.getinfo(1, "S").what)
--- debug getinfo of functions
local function f(a, b, ...)
  return a
end
local i = debug.getinfo(f)
print(i.linedefined, i.lastlinedefined, i.nparams, i.isvararg, i.what, i.short_src, i.source, i.func == f)
print(debug.getinfo(print).what, debug.getinfo(print).short_src, debug.getinfo(print, "S").linedefined)
--- debug getinfo of callers
local function who() return debug.getinfo(2, "n").name, debug.getinfo(1, "n").name end
local function caller() local a, b = who() return a, b end
print(caller())
print(debug.getinfo(100), pcall(debug.getinfo, 1, "?"))
