--- arithmetic events
local log = {}
local mt = {}
for _, e in ipairs {"add", "sub", "mul", "div", "mod", "pow", "idiv"} do mt["__" .. e] = function(a, b) return e end end
local t = setmetatable({}, mt)
print(t + 1, 1 - t, t * t, t / 1, t % 1, t ^ 1, t // 1)
--- bitwise events
local mt = {}
for _, e in ipairs {"band", "bor", "bxor", "shl", "shr", "bnot"} do mt["__" .. e] = function(a, b) return e end end
local t = setmetatable({}, mt)
print(t & 1, 1 | t, t ~ t, t << 1, 1 >> t, ~t)
--- bitwise events come for values that are no integers
local t = setmetatable({}, {__band = function(a, b) return type(a) .. type(b) end})
print(t & 1.5, 1.5 & t, "x" & t)
--- unary minus gets the operand twice
local t = setmetatable({}, {__unm = function(a, b) return rawequal(a, b) end})
print(-t)
--- complement gets the operand twice
local t = setmetatable({}, {__bnot = function(a, b) return rawequal(a, b) end})
print(~t)
--- the left operand's event comes first
local a = setmetatable({}, {__add = function() return "left" end})
local b = setmetatable({}, {__add = function() return "right" end})
print(a + b, b + a, 1 + b, a + 1)
--- an event gives one value
local t = setmetatable({}, {__add = function() return 1, 2 end, __sub = function() end})
print((t + 1), t - 1)
--- strings and arithmetic events
local t = setmetatable({}, {__add = function(a, b) return "event" end})
print("10" + t, t + "x")
--- concat
local t = setmetatable({}, {__concat = function(a, b) return (type(a)) .. "+" .. (type(b)) end})
print(t .. "x", 1 .. t, t .. t, "a" .. "b" .. t)
--- len
print(#setmetatable({1, 2}, {__len = function(t) return rawlen(t) * 10 end}))
--- eq is asked for two tables that differ
local n = 0
local mt = {__eq = function(a, b) n = n + 1 return a.v == b.v end}
local a, b, c = setmetatable({v = 1}, mt), setmetatable({v = 1}, mt), setmetatable({v = 2}, mt)
print(a == b, a == c, a ~= c, a == a, a == 1, n)
--- eq gives a boolean
local mt = {__eq = function() return "yes" end}
print(setmetatable({}, mt) == setmetatable({}, mt))
--- eq of the second operand
local a, b = {}, setmetatable({}, {__eq = function() return true end})
print(a == b, b == a)
--- lt and le
local mt = {__lt = function(a, b) return a.v < b.v end, __le = function(a, b) return a.v <= b.v end}
local a, b = setmetatable({v = 1}, mt), setmetatable({v = 2}, mt)
print(a < b, a > b, a <= b, a >= b)
--- le falls back to lt
local mt = {__lt = function(a, b) return a.v < b.v end}
local a, b = setmetatable({v = 1}, mt), setmetatable({v = 2}, mt)
print(a <= b, b <= a, a >= b, a <= a)
--- lt with other types
local t = setmetatable({}, {__lt = function(a, b) return type(a) == "number" end})
print(1 < t, t < 1, t > 1)
--- lt gives a boolean
local t = setmetatable({}, {__lt = function() return 1 end, __le = function() return nil end})
print(t < t, t <= t)
--- index with a function
local t = setmetatable({a = 1}, {__index = function(t, k) return k .. "?" end})
print(t.a, t.b, t[1])
--- index with a table
local base = {x = 1}
local t = setmetatable({}, {__index = base})
print(t.x, t.y)
base.y = 2
print(t.y)
--- index chains
local a = {v = "a"}
local b = setmetatable({w = "b"}, {__index = a})
local c = setmetatable({}, {__index = b})
print(c.v, c.w, c.x)
--- index gives one value
local t = setmetatable({}, {__index = function() return 1, 2 end})
print(t.x, (t.x))
--- newindex with a function
local t = setmetatable({}, {__newindex = function(t, k, v) rawset(t, k, v * 2) end})
t.a = 1
t.a = 5
print(t.a)
--- newindex with a table
local store = {}
local t = setmetatable({}, {__newindex = store})
t.a = 1
print(rawget(t, "a"), store.a)
--- newindex is not asked for fields that exist
local t = setmetatable({a = 1}, {__newindex = function() error("asked") end})
t.a = 2
print(t.a, pcall(function() t.b = 1 end))
--- newindex chains
local c = {}
local b = setmetatable({}, {__newindex = c})
local a = setmetatable({}, {__newindex = b})
a.x = 1
print(rawget(a, "x"), rawget(b, "x"), c.x)
--- call
local t = setmetatable({}, {__call = function(self, ...) return select("#", ...), ... end})
print(t(), t(1, 2))
print(pcall(t, "x"))
--- call through call
local inner = setmetatable({}, {__call = function(self, a) return a end})
print(pcall(function() local t = setmetatable({}, {__call = inner}) return type(t()) end))
--- tostring
print(tostring(setmetatable({}, {__tostring = function() return "me" end})))
print(pcall(tostring, setmetatable({}, {__tostring = function() return {} end})))
--- name is used by tostring
print((tostring(setmetatable({}, {__name = "My type"})):gsub("0x%x+", "PTR")))
--- name is used in messages
local t = setmetatable({}, {__name = "My type"})
print(pcall(string.rep, t))
print(pcall(function() return t + 1 end))
print(pcall(function() return t < 1 end))
print(pcall(function() return #t < t end))
--- metatable hides the metatable
local t = setmetatable({}, {__metatable = "locked"})
print(getmetatable(t), pcall(setmetatable, t, {}))
--- metatable of false
print(getmetatable(setmetatable({}, {__metatable = false})))
--- pairs
local t = setmetatable({}, {__pairs = function(t) return function(_, k) if not k then return 1, "one" end end, t, nil end})
for k, v in pairs(t) do print(k, v) end
--- pairs gives three values
print(select("#", pairs(setmetatable({}, {__pairs = function() return 1, 2, 3, 4 end}))))
print(select("#", pairs(setmetatable({}, {__pairs = function() end}))))
--- ipairs event of 5.2
local t = setmetatable({}, {__ipairs = function(t) return function(_, i) if i < 2 then return i + 1, "v" end end, t, 0 end})
for i, v in ipairs(t) do print(i, v) end
--- gc and mode are accepted
local t = setmetatable({1}, {__gc = function() error("never") end, __mode = "k"})
print(t[1], getmetatable(t).__mode)
--- the metatable of strings
print(getmetatable("").__index == string, ("x").rep == string.rep, ("x").y)
--- strings with fields of one's own
function string.shout(s) return s:upper() .. "!" end
print(("hi"):shout())
--- inheritance
local Animal = {}
Animal.__index = Animal
function Animal.new(n) return setmetatable({name = n}, Animal) end
function Animal:say() return self.name .. " says " .. self:sound() end
local Dog = setmetatable({}, {__index = Animal})
Dog.__index = Dog
function Dog.new(n) return setmetatable(Animal.new(n), Dog) end
function Dog:sound() return "woof" end
print(Dog.new("Rex"):say())
--- setmetatable gives the table
local t = {}
print(setmetatable(t, nil) == t, getmetatable(t))
--- setmetatable wants tables
print(pcall(setmetatable, 1, {}))
print(pcall(setmetatable, {}, 1))
print(pcall(setmetatable, {}))
--- metatables are shared
local mt = {}
local a, b = setmetatable({}, mt), setmetatable({}, mt)
mt.__index = {x = "shared"}
print(a.x, b.x)
--- a metatable that is its own index
local t = {}
t.__index = t
setmetatable(t, t)
print(pcall(function() return t.x end))
--- events are looked up raw
local mt = setmetatable({}, {__index = function() return function() return "found" end end})
print(pcall(function() return setmetatable({}, mt) + 1 end))
--- default values for missing keys
local t = setmetatable({}, {__index = function(t, k) local v = {} rawset(t, k, v) return v end})
t.a.b = 1
print(t.a.b, rawget(t, "a") ~= nil)
--- errors in events carry their own place
local t = setmetatable({}, {__add = function() error("bad add") end})
print(pcall(function() return t + 1 end))
--- a numeric for does not ask events
local t = setmetatable({}, {__lt = function() return true end})
print(pcall(function() for i = t, 2 do end end))
--- div and idiv of mixed operands
local t = setmetatable({}, {__idiv = function(a, b) return "idiv" end, __div = function(a, b) return "div" end})
print(1 // t, t / 2, pcall(function() return t % 2 end))
--- table functions honour events
local log = {}
local t = setmetatable({}, {__len = function() return 3 end, __index = function(_, i) return i * 2 end})
print(table.concat(t, ","), table.unpack(t))
--- insert honours newindex
local store = {}
local t = setmetatable({}, {__newindex = store, __len = function() return #store end, __index = store})
table.insert(t, "a")
table.insert(t, "b")
print(#t, store[1], store[2], table.remove(t), rawlen(t))
