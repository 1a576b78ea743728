--- concat
print(table.concat({}), table.concat({1, 2, 3}), table.concat({"a", "b"}, ", "), table.concat({1, 2.5, "x"}, "-"))
--- concat of a range
print(table.concat({1, 2, 3, 4}, ",", 2), table.concat({1, 2, 3, 4}, ",", 2, 3), table.concat({1, 2}, ",", 3), table.concat({1, 2}, ",", 2, 1))
--- concat of other values
print(pcall(table.concat, {1, {}, 3}))
print(pcall(table.concat, {1, nil, 3}, ",", 1, 3))
print(pcall(table.concat, {true}))
print(pcall(table.concat, 5))
--- insert
local t = {}
table.insert(t, "a") table.insert(t, 1, "b") table.insert(t, 2, "c") table.insert(t, #t + 1, "d")
print(table.concat(t, " "))
--- insert at a bad place
print(pcall(table.insert, {1, 2}, 5, "x"))
print(pcall(table.insert, {1, 2}, 0, "x"))
print(pcall(table.insert, {1}))
print(pcall(table.insert, {1}, 1, 2, 3))
print(pcall(table.insert, nil, 1))
print(pcall(table.insert, {}, "x", 1))
--- remove
local t = {"a", "b", "c", "d"}
print(table.remove(t), table.remove(t, 1), table.remove(t, 1), table.concat(t, " "))
print(table.remove(t), table.remove(t), #t)
--- remove at a bad place
print(pcall(table.remove, {1, 2}, 5))
print(pcall(table.remove, {1, 2}, -1))
print(table.remove({}, 0), table.remove({1, 2}, 3), table.remove({[0] = "zero"}, 0), #table.pack(table.remove({})))
--- sort numbers
local t = {5, 2, 8, 1, 9.5, -3}
table.sort(t)
print(table.concat(t, " "))
--- sort strings
local t = {"pear", "Apple", "fig", "apple", ""}
table.sort(t)
print(table.concat(t, " "))
--- sort with an order
local t = {5, 2, 8, 1}
table.sort(t, function(a, b) return a > b end)
print(table.concat(t, " "))
--- sort records
local t = {{n = "b", v = 2}, {n = "a", v = 3}, {n = "c", v = 1}}
table.sort(t, function(a, b) return a.v < b.v end)
print(t[1].n, t[2].n, t[3].n)
--- sort of mixed values fails
print(pcall(table.sort, {1, "x"}))
print(pcall(table.sort, {{}, {}}))
print(pcall(table.sort, {3, 2, 1}, 5))
print(pcall(table.sort))
--- sort of large lists
local t, x = {}, 7
for i = 1, 1000 do x = (x * 1103515245 + 12345) % 2147483648 t[i] = x end
table.sort(t)
local ok = true
for i = 2, 1000 do ok = ok and t[i - 1] <= t[i] end
print(ok, #t)
--- sort with events
local mt = {__lt = function(a, b) return a.v < b.v end}
local t = {}
for i, v in ipairs {3, 1, 2} do t[i] = setmetatable({v = v}, mt) end
table.sort(t)
print(t[1].v, t[2].v, t[3].v)
--- errors in an order function pass through
print(pcall(table.sort, {2, 1}, function() error("cmp", 0) end))
--- pack
local t = table.pack(1, nil, 3, nil)
print(t.n, t[1], t[2], t[3], table.pack().n)
--- unpack
print(table.unpack({1, 2, 3}))
print(table.unpack({1, 2, 3}, 2), table.unpack({1, 2, 3}, 2, 2))
print(table.unpack({1, nil, 3}, 1, 3))
print(select("#", table.unpack({}, 1, 3)), select("#", table.unpack({})), table.unpack({}, 5, 4))
--- unpack of too much
print(pcall(table.unpack, {}, 1, 1e8))
print(pcall(table.unpack, {}, 1, math.maxinteger))
print(pcall(table.unpack, {}, math.mininteger, math.maxinteger))
--- unpack with odd ranges
print(table.unpack({[-1] = "a", [0] = "b", "c"}, -1, 1))
print(table.unpack({}, math.maxinteger, math.maxinteger - 1))
print(pcall(table.unpack, {}, math.maxinteger, math.maxinteger))
--- move
print(table.concat(table.move({1, 2, 3}, 1, 3, 2), ","))
print(table.concat(table.move({1, 2, 3}, 2, 3, 1), ","))
print(table.concat(table.move({1, 2, 3}, 1, 3, 1, {}), ","))
print(table.concat(table.move({1, 2, 3}, 2, 1, 5), ","))
print(pcall(table.move, {}, 1, math.maxinteger, 2))
print(pcall(table.move, {}, -1, math.maxinteger, 2))
print(pcall(table.move, {}, 1, 2))
--- move to another table
local a, b = {1, 2, 3}, {10, 20, 30, 40}
print(table.concat(table.move(a, 2, 3, 3, b), ","), table.concat(a, ","))
--- stack and queue
local s = {}
for i = 1, 5 do s[#s + 1] = i end
local out = {}
while #s > 0 do out[#out + 1] = table.remove(s) end
for i = 1, 5 do table.insert(s, i) end
while #s > 0 do out[#out + 1] = table.remove(s, 1) end
print(table.concat(out, ""))
--- the library wants tables
print(pcall(table.concat))
print(pcall(table.insert, "x", 1))
print(pcall(table.remove, nil))
print(pcall(table.unpack))
--- separators may be numbers
print(table.concat({"a", "b"}, 0))
--- insert shifts the tail
local t = {1, 2, 3}
table.insert(t, 2, "x")
print(#t, t[1], t[2], t[3], t[4])
--- insert of nil
local t = {1}
table.insert(t, nil)
print(#t)
