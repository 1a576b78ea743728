--- error with a string tells its place
print(pcall(function() error("oops") end))
--- error with levels
local function f() error("one", 1) end
local function g() error("two", 2) end
print(pcall(f))
print(pcall(function() g() end))
print(pcall(function() error("zero", 0) end))
print(pcall(function() error("three", 3) end))
--- error with other values
print(pcall(error, nil))
print(pcall(error, 5))
print(pcall(error, true))
print(select("#", pcall(error)))
local t = {}
print(select(2, pcall(error, t)) == t)
--- error with a number and a level
print(pcall(function() error(42) end))
print(math.type(select(2, pcall(function() error(42, 1) end))))
--- assert
print(assert(1, 2, 3))
print(pcall(assert, false))
print(pcall(assert, nil, "message"))
print(pcall(assert, false, nil))
print(pcall(assert))
print(select(2, pcall(assert, false, {})) ~= nil)
--- pcall gives all results
print(pcall(function(...) return ... end, 1, nil, 3))
print(pcall(function() end))
print(pcall(pcall))
--- pcall of a value that is no function
print(pcall(5))
print(pcall(nil))
print(pcall({}))
--- nested pcalls
print(pcall(pcall, error, "x"))
print(pcall(function() local ok, e = pcall(error, "inner", 0) error("outer " .. e, 0) end))
--- xpcall calls its handler with the error
print(xpcall(function() error("x", 0) end, function(m) return m .. "!", 2 end))
print(xpcall(function(...) return ... end, print, 1, 2))
--- xpcall of a value that is no function
print(xpcall(5, function(m) return "handled: " .. m end))
--- a handler that fails
print(xpcall(error, function(m) error("again") end, "x"))
--- the handler runs before the stack unwinds
print(xpcall(function() local x = nil; x() end, function(m) return m .. " | " .. (debug.traceback("t", 1):match("in function <[^>]*>") or "none") end))
--- errors pass through calls
local function a() error("deep", 0) end
local function b() a() end
print(pcall(function() b() end))
--- an error leaves locals as they were
local x = 1
pcall(function() x = 2 error("e") x = 3 end)
print(x)
--- indexing names the variable
print(pcall(function() local a a.x = 1 end))
print(pcall(function() local a return a.b.c end))
print(pcall(function() return a.b end))
print(pcall(function() local t = {} return t.a.b end))
print(pcall(function() local t = {} return t["a"]["b"] end))
print(pcall(function() local t = {} return t[1][2] end))
print(pcall(function() local t, k = {}, "key" return t[k].x end))
--- indexing names the upvalue
local up
print(pcall(function() return up.x end))
print(pcall(function() up.x = 1 end))
--- indexing names the constant
print(pcall(function() return ("x").y.z end))
--- calling names the function
print(pcall(function() local f f() end))
print(pcall(function() f() end))
print(pcall(function() local t = {} t.f() end))
print(pcall(function() local t = {} t:m() end))
print(pcall(function() local t = {x = {}} t.x.y.z() end))
print(pcall(function() string.nothing() end))
print(pcall(function() ("x"):nothing() end))
print(pcall(function() up() end))
--- arithmetic names the operand
print(pcall(function() local a = {} return a + 1 end))
print(pcall(function() local a = "x" return 1 + a end))
print(pcall(function() local t = {} return t.n + 1 end))
print(pcall(function() return n * 2 end))
print(pcall(function() return -n end))
print(pcall(function() local s = "abc" return s - 1 end))
print(pcall(function() return "abc" + 1 end))
print(pcall(function() return 2 ^ {} end))
--- arithmetic on two bad operands names the second
print(pcall(function() local a, b = {}, {} return a + b end))
print(pcall(function() local a, b = nil, true return a .. b end))
print(pcall(function() local a, b = nil, "x" return a * b end))
--- concatenation names the operand
print(pcall(function() local a return "x" .. a end))
print(pcall(function() local t = {} return t.x .. "y" end))
print(pcall(function() local t = {} return "x" .. "y" .. t.x end))
print(pcall(function() local a return a .. "x" .. "y" end))
--- length names the operand
print(pcall(function() local a return #a end))
print(pcall(function() local t = {} return #t.x end))
--- comparison names the types
print(pcall(function() return {} < 1 end))
print(pcall(function() return nil > 1 end))
print(pcall(function() return "a" < 1 end))
print(pcall(function() return {} <= {} end))
--- lines of multi line expressions
local ok, e = pcall(function()
  local t = {}
  return 1 +
    t.x
end)
print(e)
--- lines of calls over several lines
local ok, e = pcall(function()
  error(
    "x"
  )
end)
print(e)
--- lines of a chain of calls
local t = {a = function() return {} end}
local ok, e = pcall(function()
  t.a()
    .b
    .c = 1
end)
print(e)
--- lines of method calls
local ok, e = pcall(function()
  local s = "x"
  return s
    :upper()
    :nope()
end)
print(e)
--- lines in constructors
local ok, e = pcall(function()
  return {
    a = 1,
    b = nil + 1,
  }
end)
print(e)
--- bad arguments name the function
print(pcall(function() string.rep() end))
print(pcall(function() ("x"):rep() end))
print(pcall(function() ("x"):rep({}) end))
print(pcall(function() string.rep("x", {}) end))
print(pcall(function() local r = string.rep r() end))
print(pcall(function() local t = {f = string.rep} t.f() end))
print(pcall(function() setmetatable(1, {}) end))
print(pcall(function() math.floor({}) end))
print(pcall(function() ipairs() end))
--- bad self
print(pcall(function() local t = {rep = string.rep} t:rep(1) end))
print(pcall(function() local t = setmetatable({}, {__index = string}) t:len() end))
--- bad arguments through pcall have no name of their own
print(pcall(string.rep))
print(pcall(table.concat, {}, {}))
print(pcall(math.floor, nil))
--- stack overflow is an error
local function f() return 1 + f() end
local ok, e = pcall(f)
print(ok, e:match("stack overflow") )
--- an error in tostring
print(pcall(tostring))
print(pcall(print, setmetatable({}, {__tostring = function() error("ts", 0) end})))
--- errors in iterators
print(pcall(function() for x in function() error("iter", 0) end do end end))
--- errors in sort and gsub callbacks
print(pcall(table.sort, {1, 2}, function() error("cmp", 0) end))
print(pcall(string.gsub, "x", "x", function() error("sub", 0) end))
--- error objects with fields
local ok, e = pcall(error, {code = 404, text = "not found"})
print(ok, e.code, e.text)
--- error objects with tostring
local ok, e = pcall(error, setmetatable({}, {__tostring = function() return "pretty" end}))
print(tostring(e))
--- rethrowing keeps the object
local e1 = {}
local ok, e2 = pcall(function() local ok, e = pcall(error, e1) error(e) end)
print(e1 == e2)
--- rethrowing adds a place to strings
print(pcall(function() local ok, e = pcall(error, "x") error(e) end))
--- integer representation
print(pcall(string.rep, "x", 1.5))
print(pcall(string.char, 65.5))
print(pcall(function() return 1 & 1.5 end))
print(pcall(function() local x = 2^70 return x | 1 end))
print(pcall(function() local t = {n = 1.5} return t.n << 1 end))
--- for loop bounds
print(pcall(function() for i = 1, {} do end end))
print(pcall(function() for i = {}, 1 do end end))
print(pcall(function() for i = 1, 2, {} do end end))
--- table keys
print(pcall(function() local t = {} t[nil] = 1 end))
print(pcall(function() return {[0/0] = 1} end))
--- a message handler sees the traceback
local trace
xpcall(function() local function inner() error("x") end inner() end, function(m) trace = debug.traceback(m) end)
print((trace:match("^(.-)\n%s*%[C%]: in function 'xpcall'")))
--- errors across load
print(pcall(load("error('in chunk')", "=chunk")))
print(pcall(load("local x\nlocal y = nil + 1", "@file.lua")))
print(pcall(load("error('x')", "some code")))
--- an upvalue in a message
local up2 = {}
print(pcall(function() return up2.field.sub end))
print(pcall(function() return up2 .. "x" end))
print(pcall(function() return up2 + 1 end))
print(pcall(function() up2.a.b() end))
--- a global table's field in a message
conf = {}
print(pcall(function() return conf.x.y end))
print(pcall(function() conf.run() end))
print(pcall(function() conf.x.y = 1 end))
--- a message for a result of a call has no name
print(pcall(function() return (tostring)(nil).x.y end))
print(pcall(function() return type(nil) + 1 end))
local function nothing() end
print(pcall(function() return nothing().x end))
print(pcall(function() return nothing() + 1 end))
--- assert tells its place like error
print(pcall(function() assert(false, "message") end))
print(pcall(function() assert(nil) end))
print(pcall(function() assert(nil, 5) end))
--- a condition that is constant keeps the name of the other operand
print(pcall(function() return (1.5 and name) + 1 end))
print(pcall(function() return (nil or name) + 1 end))
print(pcall(function() return (name or nil) + 1 end))
--- names of constants end with a zero
print(pcall(function() return -"a\0b" end))
print(pcall(function() return (2^63 and name) + 1 end))
print(pcall(function() return (false or 'x') ^ 2 end))
--- an assignment over several lines fails at its last
local none, some
print(pcall(function()
  none.x =
    1
end))
print(pcall(function()
  some, none.x =
    tostring(
      1
    )
end))
print(pcall(function()
  none[1], some = 1,
    2
end))
