--- language
-- scopes, closures, calls, metamethods, control flow
local log = {}
local say = print
local x = 1 do local x = x + 1 say(x) end say(x)
local function counter() local n = 0 return function() n = n + 1 return n end, function() return n end end
local inc, get = counter() inc() inc() say(get())
local fs = {} for i = 1, 3 do local j = i * 10 fs[i] = function() j = j + i return j end end say(fs[1](), fs[1](), fs[2](), fs[3]())
local k = 1 local ws = {} while k <= 3 do local c = k ws[k] = function() c = c + 1 return c end k = k + 1 end say(ws[1](), ws[1](), ws[2](), ws[3]())
local rs = {} local n = 0 repeat local v = n rs[#rs + 1] = function() return v end n = n + 1 until v >= 2 say(rs[1](), rs[2](), rs[3]())
local function va(...) local a, b = ... local t = {...} return select("#", ...), a, b, #t end say(va()) say(va(1)) say(va(1, 2, 3))
say((va(1, 2))) say(va(va(5)), "end")
local function multi() return 1, 2, 3 end
local t = {multi(), multi()} say(#t) t = {multi(), (multi())} say(#t) t = {x = multi(), multi()} say(t.x, #t)
local a, b, c, d = multi() say(a, b, c, tostring(d)) a, b = multi(), 10 say(a, b) a, b = b, a say(a, b)
local i = 1 local arr = {} i, arr[i] = i + 1, 20 say(i, arr[1], tostring(arr[2]))
do local t = {1, 2} local function f() return t end f()[1], f()[2] = f()[2], f()[1] say(t[1], t[2]) end
local function fact(n) if n <= 1 then return 1 end return n * fact(n - 1) end say(fact(20), fact(21))
local function loop(n) if n == 0 then return "done" end return loop(n - 1) end say(loop(100000))
local function even(n) if n == 0 then return true end local function odd(m) if m == 0 then return false end return even(m - 1) end return odd(n - 1) end say(tostring(even(10001)))
for i = 1, 3 do for j = 1, 3 do if j == 2 then goto next_i end say(i, j) end ::next_i:: end
do local i = 1 ::top:: if i <= 3 then say("g" .. i) i = i + 1 goto top end end
do for i = 1, 2 do local f do local y = i f = function() return y end end say(f()) end end
do goto skip ::back:: say("back") goto out ::skip:: goto back ::out:: end
while true do log[#log + 1] = 1 if #log > 5 then break end end
local mt = {} mt.__index = function(t, k) return k .. "!" end mt.__newindex = function(t, k, v) rawset(t, k, v .. "?") end mt.__call = function(self, ...) return select("#", ...), ... end
local o = setmetatable({}, mt) say(o.foo) o.bar = "v" say(o.bar) say(o(1, nil and 2, 3))
local base = {greet = function(self) return "hi " .. self.name end} base.__index = base
local obj = setmetatable({name = "bob"}, base) say(obj:greet(), obj["greet"](obj))
local derived = setmetatable({}, {__index = base}) derived.__index = derived
local o2 = setmetatable({name = "eve"}, derived) say(o2:greet())
local v = setmetatable({}, {__add = function(a, b) return type(a) .. "+" .. type(b) end, __sub = function() return "-" end, __mul = function() return "*" end, __div = function() return "/" end, __mod = function() return "%" end, __pow = function() return "^" end, __unm = function() return "neg" end, __idiv = function() return "//" end, __band = function() return "&" end, __bor = function() return "|" end, __bxor = function() return "~" end, __shl = function() return "<<" end, __shr = function() return ">>" end, __bnot = function() return "not" end, __concat = function(a, b) return "cat" end, __len = function() return 7 end, __lt = function() return true end, __le = function() return false end, __eq = function() return true end, __tostring = function() return "V" end})
say(v + 1, 1 + v, v - 1, v * 2, v / 2, v % 2, v ^ 2, -v, v // 1, v & 1, 1 | v, v ~ 1, v << 1, v >> 1, ~v, v .. "x", "x" .. v, 1 .. v, #v)
say(tostring(v < v), tostring(v <= v), tostring(v > v), tostring(v >= v), tostring(v == setmetatable({}, getmetatable(v))), tostring(v ~= {}), tostring(v))
say(tostring(pcall(function() return {} < 1 end)), tostring(rawequal(v, v)), rawlen({1, 2}), #rawget({{1, 2}}, 1))
local cmp = setmetatable({}, {__lt = function() return 1 end}) say(tostring(cmp < cmp), tostring(1 < cmp), tostring(cmp <= cmp))
local ok, err = pcall(error, {code = 1}) say(tostring(ok), err.code) ok, err = pcall(error, "msg", 0) say(tostring(ok), err) ok, err = pcall(error) say(tostring(ok), tostring(err))
ok, err = pcall(function() local x = nil; x.y = 1 end) say(err) ok, err = pcall(function() undefinedglobal() end) say(err)
ok, err = pcall(function() error("lvl2", 2) end) say(err) local function thrower() error("caller", 2) end ok, err = pcall(function() thrower() end) say(err)
ok, err = xpcall(function() error("e") end, function(m) return "H:" .. m end) say(err) ok, err = xpcall(function() local x = {} .. "a" end, function(m) return "H:" .. m end) say(err)
say(select(2, pcall(function() local a = {} a.b.c.d = 1 end)), select(2, pcall(function() return #nil end)), select(2, pcall(function() return -{} end)))
say(select(2, pcall(function() for i = 1, "x" do end end)), select(2, pcall(function() for i = 1, 2, {} do end end)), select(2, pcall(function() for k in 5 do end end)))
say(select(2, pcall(function() local up = nil; return (function() return up.x end)() end)), select(2, pcall(function() return math.floor({}) end)), select(2, pcall(function() return ("x"):rep(nil) end)))
say(select(2, pcall(function() local s = "x" return s.y.z end)), select(2, pcall(function() return 2 + {} end)), select(2, pcall(function() return a.b + 1 end)), select(2, pcall(function() return ({}).x.y end)))
say(select(2, pcall(setmetatable, 1, 2)), select(2, pcall(ipairs)), select(2, pcall(function() string.rep() end)), select(2, pcall(function() return string.byte({}) end)))
local order = {} local function mark(n) order[#order + 1] = n return n end local _ = {mark(1), [mark(2)] = mark(3), mark(4)} _ = mark(5) + mark(6) * mark(7) say(table.concat(order, " "))
do local t = setmetatable({}, {__index = table}) t:insert("a") t:insert("b") say(t:concat("-"), #t) end
do local p = {} for k, v in pairs({10, 20, 30}) do p[#p + 1] = k .. "=" .. v end say(table.concat(p, " ")) end
do local t = {1, 2, 3, 4, 5} for k in pairs(t) do t[k] = nil end say(tostring(next(t)), #t) end
do local t = {a = 1, b = 2, c = 3, d = 4} local c = 0 for k in pairs(t) do t[k] = nil c = c + 1 end say(c, tostring(next(t))) end
do local t = {} for i = 1, 100 do t[i] = i end for i = 1, 100, 2 do t[i] = nil end local s = 0 for _, v in pairs(t) do s = s + v end say(s) end
do local t = {} for i = 10, 1, -1 do t[i] = i end say(#t, table.concat(t, " ")) t[#t] = nil say(#t) t[#t + 1] = "x" say(#t) end
do local t = {n = 0} t[1] = 1 t[3] = 3 t[2] = 2 say(#t) t[5] = 5 t[4] = 4 say(#t) end
do local t = {} t["1"] = "s" t[1] = "i" say(t["1"], t[1]) t[1.5] = "f" say(t[1.5]) t[true] = "b" say(t[true]) local key = {} t[key] = "t" say(t[key], tostring(t[{}])) end
do local function f(a, b, ...) return a, b, ... end say(f(1)) say(f(1, 2, 3, 4)) say((f(1, 2))) end
do local s = 0 for _, v in ipairs({1, 2, nil, 4}) do s = s + v end say(s) end
do local s = "" for i, v in next, {"a", "b"} do s = s .. i .. v end say(s) end
do local function iter(s, c) if c < s then return c + 1, c * c end end local s = "" for a, b in iter, 3, 0 do s = s .. a .. ":" .. b .. " " end say(s) end
do local a = {} a.b = {} a.b.c = function(self, x) return x end say(a.b:c(5), a.b.c(nil, 6), a["b"]["c"](1, 7)) end
do local s = [[
line1
line2]] say(#s, s) local e = "\x41\65\u{42}\z
   C\
D" say(e, #e) say([==[a]]b]==]) end
say(load("return ...", "=c", "t")(1, 2)) say(pcall(load, nil)) say(tostring(load("syntax error", "=c")))
do local env = {y = 5} local f = load("y = y + 1 return y", "c", "t", env) say(f(), env.y, tostring(y)) end
do local f = load(function() local s = log.piece log.piece = nil return s end) log.piece = "return 'pieces'" f = load((function() local done return function() if not done then done = true return "return 'pieces'" end end end)()) say(f()) end
do local function f(_ENV) g = 5 return g end local e = {} say(f(e), e.g, tostring(g)) end
