--- byte
print(("abc"):byte(), ("abc"):byte(2), ("abc"):byte(-1), ("abc"):byte(1, -1))
print(("abc"):byte(10), ("abc"):byte(0), (""):byte())
--- char
print(string.char(), string.char(72, 105), #string.char(0, 255))
print(pcall(string.char, 256))
print(pcall(string.char, -1))
print(pcall(string.char, "x"))
--- len
print(("abc"):len(), string.len(123), string.len("\0"))
--- lower and upper change ASCII only
print(("aBc\u{c4}"):lower(), ("aBc\u{e4}"):upper())
--- rep
print(("ab"):rep(3), ("ab"):rep(0), ("ab"):rep(-1), ("ab"):rep(3, ","), (""):rep(100), ("x"):rep(1, "sep"))
--- rep of too much
print(pcall(string.rep, "x", -5), #string.rep("x", 1000))
--- reverse
print(("abc"):reverse(), (""):reverse(), ("a"):reverse())
--- sub
print(("hello"):sub(2), ("hello"):sub(2, 3), ("hello"):sub(-3), ("hello"):sub(-3, -2), ("hello"):sub(0), ("hello"):sub(10), ("hello"):sub(3, 2))
--- sub at the limits
print(("hello"):sub(math.mininteger, math.maxinteger), ("hello"):sub(-100, 2), ("hello"):sub(2, 100))
--- sub wants integers
print(("hello"):sub("2"), ("hello"):sub(2.0), pcall(string.sub, "hello", 1.5))
print(pcall(string.sub, "hello"))
print(pcall(string.sub))
--- numbers are strings to the library
print(string.rep(12, 2), string.len(1.5), string.upper(1e100))
--- find plain
print(("hello"):find("l"), ("hello"):find("xyz"), ("hello"):find(""), ("hello"):find("", 6), ("hello"):find("", 7))
--- find from a position
print(("hello"):find("l", 4), ("hello"):find("l", -1), ("hello"):find("h", 2), ("hello"):find("h", -10))
--- find without magic
print(("a.b"):find(".", 1, true), ("a.b"):find("%.", 1, true), ("a+b"):find("+", 1, true))
--- match
print(("key = value"):match("^(%w+)%s*=%s*(%w+)$"), ("abc"):match("b"), ("abc"):match("x"))
print(("2024-01-02"):match("(%d+)-(%d+)-(%d+)"))
print(("abc"):match("()b()"), ("abc"):match(".", 2), ("abc"):match("^b", 2))
--- gmatch
for w in ("one two"):gmatch("%a+") do print(w) end
for k, v in ("a=1, b=2"):gmatch("(%w+)=(%w+)") do print(k, v) end
--- gmatch with empty matches
local n = 0
for s in ("abc"):gmatch("") do n = n + 1 end
print(n)
for a in ("a,b,,c"):gmatch("([^,]*)") do print("[" .. a .. "]") end
--- gmatch knows no anchor
for w in ("^a^b"):gmatch("^%a") do print(w) end
--- gsub with a string
print(("hello world"):gsub("o", "0"), ("hello"):gsub("l", "L", 1), ("abc"):gsub("", "-"))
print(("hello"):gsub("(l)(.)", "%2%1"), ("abc"):gsub("%w", "%0%0"), ("abc"):gsub("b", "%%"))
--- gsub with a table
print(("$name is $age"):gsub("%$(%w+)", {name = "Ann", age = 5}), ("$x"):gsub("%$(%w+)", {}))
--- gsub with a function
print(("abc"):gsub("%w", function(c) if c == "b" then return nil end return c:upper() end))
print(("abc"):gsub("(a)(b)", function(x, y) return y .. x end))
print(("abc"):gsub("b", function() return false end))
--- gsub with an anchor
print(("aaa"):gsub("^a", "b"), ("aaa"):gsub("a$", "b"))
--- gsub with a limit
print(("aaaa"):gsub("a", "b", 2), ("aaaa"):gsub("a", "b", 0), ("aaaa"):gsub("a", "b", -1))
--- gsub of invalid replacements
print(pcall(string.gsub, "abc", "b", "%2"))
print(pcall(string.gsub, "abc", "b", "%x"))
print(pcall(string.gsub, "abc", "b", true))
print(pcall(string.gsub, "abc", "b"))
print(pcall(string.gsub, "abc", "b", function() return {} end))
print(pcall(string.gsub, "abc", "b", {b = true}))
--- gsub with numbers
print(("a1b2"):gsub("%d", {["1"] = 10, ["2"] = 2.5}), ("x"):gsub("x", 5))
--- gsub with empty matches between
print(("hello world"):gsub("o*", "x"), ("abc"):gsub("b*", "-"))
--- gsub with a table and a metamethod
print(("abc"):gsub("%w", setmetatable({}, {__index = function(_, k) return k .. k end})))
--- a position capture in gsub
print(("abc"):gsub("()", "%1"))
--- strings are compared with their methods
print(("x"):rep(3) == "xxx", ("abc"):sub(1, 1) == "a")
--- string indices of methods are fields
print(("abc").len == string.len, ("abc")["upper"] == string.upper, #"abc")
--- dump wants a function
print(pcall(string.dump))
--- len of a non string
print(pcall(string.len))
print(pcall(string.len, {}))
print(pcall(string.upper, nil))
--- rep wants a count
print(pcall(string.rep, "x"))
print(pcall(string.rep, "x", 1.5))
print(pcall(string.rep, "x", "y"))
