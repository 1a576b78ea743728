--- tables
print(table.concat({1, 2, 3}, ","), table.concat({}, ","), table.concat({"a", "b", "c"}, "-", 2), table.concat({"a", "b", "c"}, "-", 2, 3), table.concat({1, 2}))
print(pcall(table.concat, {1, {}, 3}))
print(pcall(table.concat, 5))
do local t = {1, 2, 3} table.insert(t, 4) table.insert(t, 1, 0) print(table.concat(t, ",")) end
print(pcall(table.insert, {1, 2, 3}, 6, "x"))
print(pcall(table.insert, {1, 2, 3}, 0, "x"))
print(pcall(table.insert, {}, 1, 2, 3))
print(pcall(table.insert, {}))
print(pcall(table.insert, nil, 1))
do local t = {1, 2, 3} print(table.remove(t), table.remove(t, 1), #t, table.remove({}), table.remove({}, 0)) end
do local t = {1, 2, 3} print(table.remove(t, 4), #t, pcall(table.remove, t, 6)) end
do local t = {5, 2, 8, 1} table.sort(t) print(table.concat(t, " ")) table.sort(t, function(a, b) return a > b end) print(table.concat(t, " ")) end
do local t = {"b", "a", "C", "10", "9"} table.sort(t) print(table.concat(t, " ")) end
print(pcall(table.sort, {1, 2, nil, 3}) ~= nil)
print(pcall(table.sort, {3, 2, 1}, 5))
print(table.unpack({1, 2, 3})) print(table.unpack({1, 2, 3}, 2)) print(table.unpack({}, 1, 2)) print(table.unpack({1, 2}, -1, 1))
print(pcall(table.unpack, {}, 1, 1e8))
do local t = table.pack(1, nil, 3) print(t.n, t[1], t[2], t[3]) end
do local t = table.move({1, 2, 3}, 1, 3, 2) print(table.concat(t, ",")) end
do local t = table.move({1, 2, 3}, 2, 3, 1) print(table.concat(t, ",")) end
do local t = table.move({1, 2, 3}, 1, 3, 3, {9, 9}) print(table.concat(t, ",")) end
do local t = {} for i = 1, 10 do t[i] = i end for i = 1, 5 do t[i] = nil end local c = 0 for _ in pairs(t) do c = c + 1 end print(c) end
do local t = {a = 1, b = 2, c = 3} for k in pairs(t) do t[k] = nil end print(next(t)) end
do local t = {10, 20, 30} for i, v in ipairs(t) do acc = (acc or "") .. i .. "=" .. v .. " " end print(acc) end
do local t = {[1] = "a", [2] = "b", [4] = "d"} local n = 0 for i in ipairs(t) do n = n + 1 end print(n) end
do local t = {n = 1, [2.0] = "two", [2^53] = "big"} print(t[2], t[2^53], t.n) end
print(#{1, 2, nil, 4} == 4, #{nil} == 0, #{n = 3} == 0)
do local p = setmetatable({}, {__index = {1, 2, 3}, __len = function() return 3 end}) print(table.concat(p, ","), table.unpack(p)) end
do local t = {3, 1, 2} table.sort(t, function(a, b) return a < b end) print(t[1], t[2], t[3]) end
do local words = {} for w in ("the quick brown fox jumps over the lazy dog"):gmatch("%a+") do words[#words + 1] = w end table.sort(words) print(table.concat(words, " ")) end
print(math.floor(3.7), math.floor(-3.7), math.ceil(3.2), math.ceil(-3.2), math.abs(-5), math.max(1, 5, 3), math.min(2, 0, 1))
print(math.fmod(7, 3) == 1, math.fmod(-7, 3) == -1, math.sqrt(2), math.pi, math.exp(0) == 1, math.log(8, 2) == 3, math.log(100, 10) == 2)
print(pcall(math.floor, "x"))
print(pcall(math.max))
print(pcall(math.fmod, 1, 0))
print(math.ult(1, 2), math.ult(-1, 2))
print(pcall(math.random, 0))
print(pcall(math.random, 2, 1))
do local r = math.random(10) print(r >= 1 and r <= 10, math.random() < 1) end
print(math.modf(3.5) == 3, select(2, math.modf(-3.5)), math.huge > 1, -math.huge < 1)
print(math.floor(2^31 + 0.5), math.ceil(1e10), 7 // 1, 1e15 // 1 == 1e15)
print(string.format("%.6f %.6f %.6f", math.sin(1), math.cos(1), math.atan(1, 2)))
