--- a local hides the one outside
local x = 1
do local x = x + 1 print(x) end
print(x)
--- a local is not visible in its own expression
local x = 5
local x = x * 2
print(x)
--- a local function sees itself, a local with a function does not
local function f(n) return n == 0 and "end" or f(n - 1) end
print(f(3))
local g = function() return g end
print(g())
--- locals without a value are nil
local a, b = 1
print(a, b)
--- surplus values are dropped
local a = 1, 2, 3
print(a)
--- loop variables are local
local i = "outer"
for i = 1, 2 do end
for i in ipairs({1}) do end
print(i)
--- each turn has its own variables
local fs = {}
for i = 1, 3 do fs[i] = function() i = i + 10 return i end end
print(fs[1](), fs[1](), fs[2](), fs[3]())
--- closures in a generic loop
local fs = {}
for _, v in ipairs({"a", "b"}) do fs[#fs + 1] = function() return v end end
print(fs[1](), fs[2]())
--- closures in while and repeat
local fs, i = {}, 1
while i <= 2 do local j = i fs[i] = function() return j end i = i + 1 end
repeat local k = i fs[i] = function() return k end i = i + 1 until k >= 4
print(fs[1](), fs[2](), fs[3](), fs[4]())
--- the condition of repeat sees the body
local n = 0
repeat local done = n >= 2 n = n + 1 until done
print(n)
--- closures share a variable
local function pair() local v = 0 return function() v = v + 1 end, function() return v end end
local inc, get = pair()
inc() inc()
print(get())
local inc2, get2 = pair()
inc2()
print(get(), get2())
--- parameters are locals that closures may change
local function f(a) local function g() a = a .. "!" end g() return a end
print(f("x"))
--- upvalues of upvalues
local function a() local x = 1 return function() return function() x = x * 2 return x end end end
local f = a()()
print(f(), f(), f())
--- a global is a field of the environment
x = 5
print(_G.x, _ENV.x, _G == _ENV)
_G.y = 6
print(y)
--- undefined globals are nil
print(undefined_name, type(undefined_name))
--- a local environment
local print = print
local _ENV = {v = 3}
w = 4
print(v, w, _ENV.w, _G)
--- an environment as a parameter
local function f(_ENV) return a, b end
print(f({a = 1, b = 2}))
--- an environment of nil
local ok, e = pcall(function() local _ENV = nil return x end)
print(ok, e)
--- an environment with a metatable
local print = print
do local _ENV = setmetatable({}, {__index = function(_, k) return "auto " .. k end}) print(foo) end
--- blocks end the life of their locals
do local z = 1 end
print(z)
--- shadowed parameters
local function f(a, a) return a end
print(f(1, 2))
--- a hundred and ninety locals
local names, values = {}, {}
for i = 1, 190 do names[i], values[i] = "v" .. i, i end
print(load("local " .. table.concat(names, ",") .. " = " .. table.concat(values, ",") .. " return v1 + v190")())
--- recursion through a table field
local t = {}
function t.fact(n) return n <= 1 and 1 or n * t.fact(n - 1) end
print(t.fact(10))
--- mutual recursion
local odd
local function even(n) if n == 0 then return true end return odd(n - 1) end
function odd(n) if n == 0 then return false end return even(n - 1) end
print(even(100), odd(7))
--- a closure keeps its variable after the block
local f
do local v = "kept" f = function() return v end end
print(f())
--- a loop left by break keeps captured variables
local f
for i = 1, 10 do if i == 3 then f = function() return i end break end end
print(f())
