--- a traceback without a message
local function trace() return debug.traceback() end
print((trace():match("^(stack traceback:\n\t[^\n]*\n)")))
--- a traceback lists calls
local function cut(s) return (s:gsub("(in main chunk).*", "%1")) end
local function c() return cut(debug.traceback("msg")) end
local function b() local r = c() return r end
local function a() local r = b() return r end
local r = a()
print(r)
--- a traceback of globals, fields and methods
local function cut(s) return (s:gsub("(in main chunk).*", "%1")) end
function glob() local r = cut(debug.traceback()) return r end
local t = {}
function t.field() local r = glob() return r end
function t:method() local r = t.field() return r end
local r = t:method()
print(r)
--- a traceback of upvalues
local function cut(s) return (s:gsub("(in main chunk).*", "%1")) end
local function up() local r = cut(debug.traceback()) return r end
local function f() local r = up() return r end
local r = f()
print(r)
--- tail calls are noted
local function cut(s) return (s:gsub("(in main chunk).*", "%1")) end
local function last() local r = cut(debug.traceback()) return r end
local function tail() return last() end
local r = tail()
print(r)
--- functions of libraries are C
local function cut(s) return (s:gsub("(in main chunk).*", "%1")) end
local out
table.sort({2, 1}, function(a, b) out = cut(debug.traceback()) return a < b end)
print((out:gsub("\t%[C%]: in function 'table.sort'.*", "")))
--- pcall and error in a traceback
local out
pcall(xpcall, function() error("x") end, function(m) out = debug.traceback(m) end)
print((out:gsub("\n\t%[C%]: in function 'xpcall'.*", "")))
--- levels
local function cut(s) return (s:gsub("(in main chunk).*", "%1")) end
local function f() local r = cut(debug.traceback("m", 2)) return r end
local r = f()
print(r)
local function g() local r = cut(debug.traceback("m", 0)) return r end
r = g()
print(r)
--- messages that are no strings come back
local t = {}
print(debug.traceback(t) == t, debug.traceback(nil) ~= nil, debug.traceback(true), (debug.traceback(5):match("^5\nstack")))
--- an iterator in a traceback
local out
for _ in function() if not out then out = debug.traceback() return 1 end end do end
print((out:match("\n([^\n]*in for iterator[^\n]*)")))
--- metamethods in a traceback
local out
local t = setmetatable({}, {__add = function() out = debug.traceback() end, __index = function() out = debug.traceback() end})
local _ = t + 1
print((out:match("\n([^\n]*in metamethod[^\n]*)")))
_ = t.x
print((out:match("\n([^\n]*in metamethod[^\n]*)")))
--- long tracebacks are cut in the middle
local function deep(n) if n == 0 then return debug.traceback() end local r = deep(n - 1) return r end
local r = deep(50)
local n = 0
for _ in r:gmatch("\n") do n = n + 1 end
print(n, r:find("\n\t...\n", 1, true) ~= nil)
--- anonymous functions are named by their place
local function cut(s) return (s:gsub("(in main chunk).*", "%1")) end
local r = (function() local r = cut(debug.traceback()) return r end)()
print(r)
--- library functions found in loaded tables
local out = {}
pcall(string.gsub, "x", "x", function() out[1] = debug.traceback() end)
print((out[1]:match("\n([^\n]*gsub[^\n]*)")))
