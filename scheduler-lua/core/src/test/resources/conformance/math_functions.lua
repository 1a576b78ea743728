--- abs
print(math.abs(-5), math.abs(5), math.abs(-2.5), math.abs(-0.0), math.abs(math.mininteger))
--- floor and ceil
print(math.floor(3.7), math.floor(-3.7), math.ceil(3.2), math.ceil(-3.2), math.floor(5), math.ceil(5))
print(math.floor(1e300), math.floor(2^53), math.ceil(-0.5), math.floor(-0.0))
--- fmod
print(math.fmod(7, 3), math.fmod(-7, 3), math.fmod(7, -3), math.fmod(5.5, 2), math.fmod(-6, 2), math.fmod(math.mininteger, -1))
print(pcall(math.fmod, 1, 0))
print(math.fmod(1, 0.0) ~= math.fmod(1, 0.0), math.fmod(5, math.huge))
--- modf
print(math.modf(3.7), math.modf(-3.7), math.modf(5), math.modf(math.huge), math.modf(-math.huge))
print(math.modf(2^60), math.modf(-0.5))
--- tointeger
print(math.tointeger(3.0), math.tointeger(3.5), math.tointeger(2^63), math.tointeger("3"), math.tointeger({}), math.tointeger(-0.0))
--- type
print(math.type(1), math.type(1.0), math.type("1"), math.type(nil), math.type(2^31), math.type(3 // 1))
print(pcall(math.type))
--- max and min
print(math.max(1, 5, 3), math.min(4, 2, 8), math.max(1.5, 2), math.min(1, 1.0), math.max(-0.0, 0.0))
print(pcall(math.max))
print(pcall(math.min, 1, "x"))
--- ult
print(math.ult(1, 2), math.ult(-1, 2), math.ult(2, -1), math.ult(0, 0))
print(pcall(math.ult, 1.5, 2))
--- constants
print(math.pi, math.huge, math.maxinteger, math.mininteger)
--- sqrt and exp
print(math.sqrt(16), math.sqrt(2), math.sqrt(-1) ~= math.sqrt(-1), math.exp(0), math.exp(1))
--- logarithms
print(math.log(1), math.log(math.exp(1)), math.log(8, 2), math.log(1000, 10), math.log(0), math.log(27, 3))
print(math.log(1024, 2), math.log(2^-10, 2), math.log(100, 10), math.log(3, 2))
--- trigonometry
print(math.sin(0), math.cos(0), math.tan(0), math.asin(1), math.acos(1), math.atan(1))
print(string.format("%.10f %.10f %.10f", math.sin(1), math.cos(1), math.tan(1)))
--- atan with two arguments
print(math.atan(1, 1), math.atan(0, -1), math.atan(-1, 0), math.atan(0, 0))
--- degrees and radians
print(math.deg(math.pi), math.rad(180), math.deg(1), math.rad(1))
--- functions of 5.2
print(math.pow(2, 10), math.cosh(0), math.sinh(0), math.tanh(0), math.log10(1000), math.atan2(1, 1))
print(math.frexp(8), math.frexp(0), math.frexp(-0.3), math.ldexp(0.5, 4), math.ldexp(1, -1074))
--- frexp of special values
print(math.frexp(math.huge), math.frexp(5e-324))
--- random within bounds
for i = 1, 100 do local r = math.random() assert(r >= 0 and r < 1) end
for i = 1, 100 do local r = math.random(6) assert(r >= 1 and r <= 6 and math.type(r) == "integer") end
for i = 1, 100 do local r = math.random(-3, 3) assert(r >= -3 and r <= 3) end
print("ok")
--- random of empty intervals
print(pcall(math.random, 0))
print(pcall(math.random, 2, 1))
print(pcall(math.random, 1, 2, 3))
print(pcall(math.random, math.mininteger, math.maxinteger))
--- random of one value
print(math.random(1), math.random(5, 5), math.random(math.maxinteger, math.maxinteger))
--- randomseed repeats
math.randomseed(42)
local a, b = math.random(1000), math.random(1000)
math.randomseed(42)
print(a == math.random(1000), b == math.random(1000))
--- arguments are numbers
print(pcall(math.floor, "x"))
print(pcall(math.floor))
print(pcall(math.sin, {}))
print(math.floor("3.7"), math.sqrt("16"))
--- floor of strings
print(math.floor("10"), math.abs("-3"), pcall(math.max, "10", 9))
--- integers from floats
print(pcall(math.random, 1.5))
print(math.abs("-0x10"), math.ceil("0x.8"))
--- modf of integers gives them back
print(math.modf(math.maxinteger), math.modf(-7), math.modf("7"))
--- fmod looks at its second argument first
print(pcall(math.fmod, "x", nil))
