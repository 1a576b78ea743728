--- equality never converts
print(1 == 1.0, "1" == 1, 0 == -0, 0.0 == -0.0, nil == false, "a" == "a")
--- nan is not equal to itself
local nan = 0/0
print(nan == nan, nan ~= nan, nan < nan, nan <= nan, nan > 1, nan >= 1)
--- tables are equal when they are the same
local a, b = {}, {}
print(a == b, a == a, a ~= b)
--- numbers of both kinds are ordered exactly
print(1 < 1.5, 2 > 1.5, 1 <= 1.0, -1 < -0.5, 1 < math.huge, 1 > -math.huge)
print((1 << 53) + 1 > 2^53, (1 << 53) + 1 <= 2^53, math.maxinteger < 2^63, math.mininteger <= -2^63)
--- strings are ordered byte by byte
print("a" < "b", "a" < "ab", "Z" < "a", "" < "a", "a" <= "a", "10" < "9", "a\0b" < "a\0c", "\xff" > "a")
--- numbers and strings are not ordered among each other
print(pcall(function() return 1 < "2" end))
print(pcall(function() return "1" >= 2 end))
--- other values are not ordered
print(pcall(function() return {} < {} end))
print(pcall(function() return nil < 1 end))
print(pcall(function() return true <= false end))
print(pcall(function() return print < print end))
--- comparisons associate to the left
print(pcall(function() return 1 < 2 < 3 end))
print((1 == 1) == true, 1 == 1 == true)
--- and and or give one of their operands
print(nil and 1, false and 1, 0 and 1, nil or "x", false or nil, 1 or error("never"))
--- not gives a boolean
print(not nil, not false, not 0, not "", not not 1)
--- and binds stronger than or
print(true or false and false, (true or false) and false, nil and 1 or 2, 1 and nil or 3)
--- the right operand is evaluated only when needed
local hits = 0
local function hit() hits = hits + 1 return true end
local _ = false and hit(), true or hit(), true and hit()
print(hits)
--- negations of comparisons
print(not (1 > 2), not 1 == 2, not (1 == 2))
--- comparison of integers at the limits
print(math.mininteger < math.maxinteger, math.maxinteger > math.mininteger, -1 < 0, 0 > -1)
--- functions are equal when they are the same closure
local function f() end
local g = f
print(f == g, f == function() end, print == print)
--- rawequal ignores metatables
local mt = {__eq = function() return true end}
local x, y = setmetatable({}, mt), setmetatable({}, mt)
print(x == y, rawequal(x, y), rawequal(x, x))
--- rawequal of numbers
print(rawequal(1, 1.0), rawequal("a", "a"), rawequal(0/0, 0/0))
--- max and min compare both kinds
print(math.max(1, 2.5, -1), math.min(1, 2.5, -1.0), math.max(2, 2.0), math.max(2.0, 2))
