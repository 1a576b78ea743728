--- keys of every type
local t = {}
t[1], t["1"], t[true], t[1.5], t[print] = "i", "s", "b", "f", "p"
print(t[1], t["1"], t[true], t[1.5], t[print], t[false])
--- a float key with an integral value is the integer
local t = {}
t[1.0] = "a"
t[2^53] = "b"
print(t[1], t[1 << 53], next({[3.0] = 1}), math.type(next({[3.0] = 1})))
--- a string key is not a number key
local t = {["1"] = "s", [1] = "n"}
print(t[1], t["1"], t[1.0], t["1.0"])
--- nil and nan are no keys to set
print(pcall(function() local t = {} t[nil] = 1 end))
print(pcall(function() local t = {} t[0/0] = 1 end))
print(pcall(function() return {[nil] = 1} end))
print(pcall(rawset, {}, nil, 1))
--- nil and nan may be looked up
local t = {1}
print(t[nil], t[0/0])
--- negative zero is zero
local t = {}
t[-0.0] = "z"
print(t[0], t[0.0], next(t))
--- assigning nil removes
local t = {a = 1}
t.a = nil
print(t.a, next(t))
--- fields and methods are strings keys
local t = {}
t.x = 1
t["y z"] = 2
function t.f(a) return a end
function t:g(a) return self.x + a end
print(t["x"], t["y z"], t.f(3), t:g(4), t.g(t, 5))
--- nested functions names
local a = {b = {c = {}}}
function a.b.c.f(x) return x end
function a.b.c:g() return self == a.b.c end
print(a.b.c.f(1), a.b.c:g())
--- constructors mix items and fields
local t = {1, x = 2, 3, [10] = 4, 5; "six", ["y"] = 7}
print(t[1], t[2], t[3], t[4], t.x, t.y, t[10], #t)
--- items win over fields of the same key
local t = {[1] = "field", "item"}
print(t[1])
local t = {"item", [1] = "field"}
print(t[1])
--- the last field of a key wins
local t = {x = 1, x = 2}
print(t.x)
--- a call at the end gives all its values
local function three() return 1, 2, 3 end
print(#{three()}, #{three(), three()}, #{(three())}, #{three(), nil}, #{x = three()})
--- dots in constructors
print(load("return {...}[1]", "=s"))
local function g(...) return #{...}, #{..., 1}, ({...})[2] end
print(g("a", "b", "c"))
--- trailing separators
print(#{1, 2,}, #{1; 2;}, #{})
--- walking a list in order
local out = {}
for i, v in ipairs({"a", "b", nil, "d"}) do out[#out + 1] = i .. v end
print(table.concat(out, " "))
--- walking all entries once
local t, n, sum = {10, 20, 30, x = 40, [true] = 50}, 0, 0
for k, v in pairs(t) do n, sum = n + 1, sum + v end
print(n, sum)
--- clearing while walking
local t = {}
for i = 1, 50 do t[i] = i t["k" .. i] = i end
local n = 0
for k in pairs(t) do t[k] = nil n = n + 1 end
print(n, next(t))
--- changing while walking
local t = {a = 1, b = 2, c = 3}
for k, v in pairs(t) do t[k] = v * 2 end
print(t.a, t.b, t.c)
--- next walks to the end
local k, v = next({5})
print(k, v, next({5}, 1), next({}))
--- next refuses unknown keys
print(pcall(next, {}, "x"))
print(pcall(next, {1, 2}, 7))
--- next wants a table
print(pcall(next))
print(pcall(next, 1))
--- ipairs stops at the first hole
local n = 0
for _ in ipairs({1, nil, 3}) do n = n + 1 end
print(n)
--- ipairs looks at the metamethod index
local t = setmetatable({}, {__index = function(_, i) if i < 4 then return i * i end end})
local out = {}
for i, v in ipairs(t) do out[i] = v end
print(table.concat(out, ","))
--- ipairs takes any value
print(pcall(ipairs))
print(pcall(function() for _ in ipairs(nil) do end end))
print(select("#", ipairs({})), select(3, ipairs({})))
--- the iterator of ipairs may be called
local f, t, i = ipairs({"a", "b"})
print(f(t, i), f(t, 1), f(t, 2))
--- large sparse keys do not allocate lists
local t = {}
t[1 << 40] = 1
t[-5] = 2
print(t[1 << 40], t[-5], #t)
--- a list may be filled backwards
local t = {}
for i = 10, 1, -1 do t[i] = i end
print(#t, t[1], t[10])
--- rawget and rawset
local t = setmetatable({}, {__index = function() return 1 end, __newindex = function() error("no") end})
print(rawget(t, "x"), rawset(t, "x", 2) == t, t.x, t.y)
--- rawget wants a table
print(pcall(rawget, 1, 2))
print(pcall(rawset, {}, 1))
--- tables are references
local a = {}
local b = a
b.x = 1
print(a.x)
--- a table may hold itself
local t = {}
t.t = t
print(t.t.t.t == t)
--- integer keys at the limits
local t = {[math.maxinteger] = "max", [math.mininteger] = "min"}
print(t[math.maxinteger], t[math.mininteger], t[math.maxinteger + 1])
--- float keys that are no integers stay floats
local t = {[1.5] = "a", [2^63] = "b", [math.huge] = "c"}
print(t[1.5], t[2^63], t[math.huge], t[-math.huge])
--- only the last field gives all its values
local function three() return 1, 2, 3 end
print(#{three(), x = 1}, #{x = 1, three()}, #{three(), [10] = 1, three()}, #{three(), three(), n = 0})
