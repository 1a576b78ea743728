--- numbers are converted
print(1 .. 2, 1.5 .. "x", "x" .. 1.0, -1 .. "", 2^53 .. "", 1e100 .. "")
--- concatenation associates to the right
local mt = {__concat = function(a, b) return (type(a) == "table" and "T" or a) .. (type(b) == "table" and "T" or b) end}
local t = setmetatable({}, mt)
print(t .. "a" .. "b", "a" .. t .. "b", "a" .. "b" .. t, t .. t)
--- operands are evaluated from left to right
local log = ""
local function s(v) log = log .. v return v end
local r = s("a") .. s("b") .. s("c")
print(r, log)
--- other values fail
print(pcall(function() return "a" .. nil end))
print(pcall(function() return {} .. "a" end))
print(pcall(function() local x = true return "a" .. x .. "b" end))
print(pcall(function() local t = {} return t.name .. "b" end))
print(pcall(function() return "a" .. undefined end))
--- concatenation binds weaker than addition
print("a" .. 1 + 2, 1 + 2 .. "")
--- the empty string changes nothing
print("" .. "" == "", "a" .. "", "" .. 1)
--- strings with zeros
print(#("a\0" .. "\0b"))
--- long chains
local parts = {}
for i = 1, 20 do parts[i] = "v" end
print(load("local v = 'x' return " .. table.concat(parts, " .. "))())
--- length of strings counts bytes
print(#"", #"abc", #"\u{e4}", #"a\0b")
--- length of lists
print(#{}, #{1, 2, 3}, #{nil}, #{n = 1})
--- length of constructors with holes
print(#{1, 2, nil, 4}, #{nil, 2}, #{nil, nil, 3}, #{1, nil, 3}, #{1, nil}, #{nil, nil})
--- length after removing the last item
local t = {1, 2, 3}
t[#t] = nil
print(#t)
t[#t + 1] = "x"
print(#t, t[3])
--- length of a table that grows
local t = {}
for i = 1, 100 do t[i] = i end
print(#t)
for i = 100, 51, -1 do t[i] = nil end
print(#t)
--- length of other values fails
print(pcall(function() return #5 end))
print(pcall(function() local x return #x end))
print(pcall(function() return #print end))
--- length binds like minus
print(-#"abc", #"abc" + 1, not #"")
print(pcall(function() return #"abc" ^ 2 end))
--- a metamethod gives the length
local t = setmetatable({}, {__len = function() return "long" end})
print(#t, rawlen(t))
--- rawlen of tables and strings only
print(rawlen({1, 2}), rawlen("abc"), pcall(rawlen, 5))
--- length of constructors whose last item is nil
print(#{1, nil, 3, nil}, #{nil, 255, nil}, #{1, 2, nil, nil}, #{nil, nil, 3, nil, 5, nil}, #{1, 2, 3, nil, 5, nil})
local function holes() return nil, 2, nil end
print(#{holes()}, #{1, holes()}, #{1, nil, 3, holes()}, #{x = 1, nil, 2, nil, holes()}, #table.pack(1, nil, 3, nil))
