--- swapping
local a, b = 1, 2
a, b = b, a
print(a, b)
--- all values are evaluated before any assignment
local i, t = 1, {}
i, t[i] = i + 1, 20
print(i, t[1], t[2])
--- values are adjusted
local a, b, c = 1, 2
print(a, b, c)
a, b = 1, 2, 3
print(a, b)
--- calls at the end are spread
local function f() return 1, 2, 3 end
local a, b, c, d = 0, f()
print(a, b, c, d)
a, b, c = f(), 10
print(a, b, c)
--- fields of fields
local t = {a = {b = {}}}
t.a.b.c, t.a.x = 1, 2
print(t.a.b.c, t.a.x)
--- swapping list items
local t = {1, 2, 3}
t[1], t[3] = t[3], t[1]
print(t[1], t[2], t[3])
--- a target's table is fixed before the assignment
local t = {1}
local u = t
t, t[1] = {}, "old"
print(t[1], u[1])
--- rotating three
local a, b, c = 1, 2, 3
a, b, c = b, c, a
print(a, b, c)
--- assignment to a field of nil
print(pcall(function() local t t.x = 1 end))
print(pcall(function() undefined.x = 1 end))
print(pcall(function() local t = {} t.x.y = 1 end))
print(pcall(function() local s = "str" s.x = 1 end))
--- assignment to no place
print(load("1 = 2", "=s"))
print(load("f() = 2", "=s"))
print(load("(a) = 2", "=s"))
print(load("a + b = 2", "=s"))
--- metamethods see assignments in order from the right
local log = {}
local t = setmetatable({}, {__newindex = function(_, k, v) log[#log + 1] = k .. v end})
t.a, t.b, t.c = 1, 2, 3
print(table.concat(log, " "))
--- the same variable twice
local a
a, a = 1, 2
print(a)
--- computed keys
local t, k = {}, "key"
t[k .. 1], t[#k] = "x", "y"
print(t.key1, t[3])
--- upvalues in multiple assignment
local a, b = 1, 2
local function swap() a, b = b, a end
swap()
print(a, b)
--- globals in multiple assignment
g1, g2 = 1
print(g1, g2)
