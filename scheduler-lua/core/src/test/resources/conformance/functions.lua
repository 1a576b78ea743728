--- missing arguments are nil
local function f(a, b) return a, b end
print(f(1), f())
print((f(1, 2, 3)))
--- results are adjusted in the middle of a list
local function two() return 1, 2 end
print(two(), two())
print((two()))
print(#{two(), two()})
--- a call without results in an expression is nil
local function none() end
print((none()), select("#", none()), select("#", (none())))
print(none() == nil)
--- varargs
local function f(...) return select("#", ...), ... end
print(f())
print(f(nil))
print(f(1, nil, nil))
--- varargs with parameters
local function f(a, ...) local b, c = ... return a, b, c, select("#", ...) end
print(f(1, 2, 3, 4), f())
--- dots in the middle give one value
local function f(...) return ..., "end" end
print(f(1, 2))
print(f())
--- parentheses around dots give one value
local function f(...) return (...) end
print(f(1, 2), select("#", f()))
--- dots in a call and a table
local function f(...) return math.max(...), #{...}, (select(2, ...)) end
print(f(3, 9, 4))
--- dots are not for functions inside
print(load("local function f(...) return function() return ... end end", "=s"))
--- a chunk has dots
print(load("return select('#', ...), ...")(7, 8))
--- select with negative positions
print(select(-1, 1, 2, 3), select(-2, 1, 2, 3))
print(pcall(select, -4, 1, 2, 3))
print(pcall(select, 0, 1))
print(select(4, 1, 2, 3), select("#"), select("2", "a", "b"))
--- select wants a number
print(pcall(select, "x", 1))
print(pcall(select))
--- tail calls do not use the stack
local function loop(n) if n == 0 then return "done" end return loop(n - 1) end
print(loop(100000))
--- tail calls of methods
local t = {}
function t:loop(n) if n == 0 then return self == t end return self:loop(n - 1) end
print(t:loop(50000))
--- deep recursion that is no tail call
local function sum(n) if n == 0 then return 0 end return n + sum(n - 1) end
print(sum(10000))
--- calls without parentheses
local function f(x) return type(x), type(x) == "table" and #x or x end
print(f"str", f{1, 2}, f[[long]])
--- chains of calls
local function adder(a) return function(b) return function(c) return a + b + c end end end
print(adder(1)(2)(3))
--- method chains
local o = {n = 0}
function o:add(k) self.n = self.n + k return self end
print(o:add(1):add(2):add(3).n)
--- methods on strings
print(("%d-%s"):format(1, "x"), ("abc"):upper():lower():len(), #("x"):rep(3))
--- arguments are evaluated before the call
local log = {}
local function l(x) log[#log + 1] = x return x end
local t = {f = function() end}
;(l(t)).f(l(1), l(2), l(3))
print(#log, log[2], log[4])
--- a function is called with itself by its name
local t = setmetatable({}, {__call = function(self, a, b) return self == t, a, b end})
print((t(1, 2)), select(2, t(1, 2)))
--- calling other values fails
print(pcall(function() local x = 5 x() end))
print(pcall(function() undefined() end))
print(pcall(function() local t = {} t.x() end))
print(pcall(function() local t = {} t:method() end))
print(pcall(function() local t = {a = {}} t.a.b.c() end))
print(pcall(function() ("x")() end))
print(pcall(function() ({})() end))
--- returning many values
local function many() return 1, 2, 3, 4, 5 end
local a, b, c, d, e, f = many()
print(a, b, c, d, e, f)
--- unpack as arguments
print(string.char(table.unpack({72, 105})))
print(math.max(table.unpack({4, 8, 2})))
--- functions are values
local ops = {["+"] = function(a, b) return a + b end, ["*"] = function(a, b) return a * b end}
print(ops["+"](2, 3), ops["*"](2, 3))
--- immediately called functions
print((function(...) return select("#", ...) end)(1, 2, 3))
--- a fixed point of functions
local function Y(f) return (function(x) return x(x) end)(function(x) return f(function(...) return x(x)(...) end) end) end
print(Y(function(self) return function(n) return n == 0 and 1 or n * self(n - 1) end end)(6))
--- a hundred arguments
local t = {}
for i = 1, 100 do t[i] = i end
print(select("#", table.unpack(t)), (select(100, table.unpack(t))))
--- memo with upvalues
local memo = {}
local function fib(n) if n < 2 then return n end if not memo[n] then memo[n] = fib(n - 1) + fib(n - 2) end return memo[n] end
print(fib(80))
--- a function with no body
print((function() end)())
--- parameters may be reassigned
local function f(a, b) a, b = b, a return a, b end
print(f(1, 2))
--- nil arguments count
print(select("#", nil, nil), pcall(select, 1, nil))
--- an ambiguous call continues the line before
print(load("local f = print\n(f)('x')", "=s") ~= nil)
