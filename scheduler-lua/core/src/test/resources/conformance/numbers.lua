--- numbers
-- integers and floats as only an engine with both can have them
print(1, 1.0, -0.0, 0.0, 3 / 1, 2^2, 10 // 2, 10.0 // 2, 7 % 2.0, 1e15, 1e14, 123456789012345.0, 1e16, 2^53, 2^63)
print(math.maxinteger, math.mininteger, math.maxinteger + 1 == math.mininteger, math.mininteger - 1, math.maxinteger * 2)
print(9007199254740993, 9007199254740993.0, 2^53 + 1, 123456789 * 987654321, 0x7fffffffffffffff, 0xffffffffffffffff)
print(9223372036854775807, 9223372036854775808, -9223372036854775808, 1e308 * 10, -1e308 * 10)
print(math.type(1), math.type(1.0), math.type(2^31), math.type(1 // 1), math.type(1 / 1), math.type("1"))
print(math.tointeger(3.0), math.tointeger(3.5), math.tointeger("8"), math.tointeger(2^63), math.tointeger(-2^63))
print(1 == 1.0, math.maxinteger == math.maxinteger + 0.0, math.maxinteger < math.maxinteger + 0.0, 2^53 == 2^53 + 1, -0.0 == 0.0)
print(math.maxinteger < 2^63, math.maxinteger <= 2^63, math.mininteger <= -2^63, math.mininteger < -2^63, 1 < 1.5, 2 > 1.5, 1 <= 0/0, 0/0 >= 1)
print(5 // 0.0, -5 // 0.0, 0/0 ~= 0/0, 5 % math.huge, -5 % math.huge, 5 % -math.huge, 5.5 % -2, -5.5 % 2, 5 // -2, -5 // 2, 5 % -3, -5 % 3)
print(math.mininteger // -1, math.mininteger % -1, 7 // 2.0, -7 // 2.0, 7 % -2.5)
print(pcall(function() return 1 // 0 end), pcall(function() return 1 % 0 end), 1 // 0.0, 1 % 0.0 ~= 1 % 0.0)
print(1 << 63, 1 << 64, 1 << -1, -1 >> 1, -1 >> 63, -1 << 1, 1 >> -2, 3.0 & 1, "7" & 3, ~5, ~0 == -1)
print(pcall(function() return 1.5 & 1 end))
print(pcall(function() return "a" | 1 end))
print(pcall(function() return 2^63 | 0 end))
print("10" + 5, "0x10" + 0, "1e1" * 1, "3" // 1, -"2", "10" % 3, 10 .. "", 1.0 .. "", -0.0 .. "", 2^63 .. "")
print(tostring(1e100), tostring(-1e-100), tostring(1/3), 100000000000000, 1e15 + 0.5, 0.1 + 0.2, 5e-324, 1.7976931348623157e308)
print(string.format("%d %s %s %g %.3f %5.1f", 3.0, 3.0, 3, 3, 3, 3), pcall(string.format, "%d", 2^63))
print(tonumber("0x"), tonumber("0x1p4"), tonumber("0x.8"), tonumber("1e"), tonumber("1e+"), tonumber(".5"), tonumber("5."), tonumber("."), tonumber("0x1P-2"), tonumber("inf"), tonumber("nan"))
print(tonumber("9223372036854775807"), tonumber("9223372036854775808"), tonumber("-9223372036854775808"), tonumber("0x10000000000000000"), tonumber("1_000"), tonumber("１"))
print(tonumber("  0x1F  "), tonumber("1 "), tonumber("\t1\n"), tonumber("1\0"), tonumber("- 1"), tonumber("--1"), tonumber("+1"), tonumber("+-1"))
print(math.floor(3.7), math.floor(-3.7), math.floor(2^70), math.ceil(-0.5), math.floor(5), math.abs(math.mininteger), math.abs(-0.0))
print(math.max(1, 2.5), math.max(2, 1.0), math.min(1, 1.0), math.min(1.0, 1), math.fmod(-7, 3), math.fmod(7, -3), math.fmod(-7.5, 2), math.fmod(math.mininteger, -1))
print(math.modf(3.7), math.modf(-3.7), math.modf(5), math.modf(math.huge), math.modf(-math.huge))
print(math.sqrt(16), math.exp(0), math.log(1), math.log(8, 2), math.log(1000, 10), math.log(2, 4), math.pi)
print(math.sin(0), math.cos(0), math.atan(1) * 4 == math.pi, math.atan(1, -1), math.ult(1, -1), math.ult(-1, 1))
for i = 1, 3 do print(i, i / 1) end
for i = 1.0, 3 do print(i) end
for i = 1, 2, 0.5 do print(i) end
for i = 10, 1, -4 do print(i) end
for i = 1, 3.7 do print(i) end
for i = 3, 1.5, -1 do print(i) end
for i = 1, math.huge do if i > 3 then break end print(i) end
for i = 1, -math.huge do print("no") end
for i = -1, -math.huge, -1 do if i < -3 then break end print(i) end
local t = {} t[1.0] = "a" t[2^53] = "b" t[1.5] = "c" t[-0.0] = "d" print(t[1], t[2^53 | 0], t[1.5], t[0], next({[3.0] = 1}))
print(#{1, 2, nil, 4}, #{1, nil, 3}, #{nil, nil, 3}, #{n = 1}, #{nil}, #"\0\0", #{1, nil})
print(select("#", table.unpack({1, nil, 3}, 1, 4)), table.unpack({1, 2, 3}, -1, 1))
print(string.rep("ab", 3, "-"), ("x"):rep(0), ("%5d|%-5d|%05d|%+d"):format(42, 42, 42, 42), ("%x %X %o"):format(255, 255, 8), ("%x"):format(-1))
print(("%e %E %g %G %a"):format(12345.678, 0.00012, 1e20, 1e-10, 1), ("%.0f %.1f %.20f"):format(0.5, 0.25, 0.1), ("%10.4s|"):format("abcdefgh"))
print(("%5s %-5s| %c%c"):format("ab", "cd", 72, 105), ("%i"):format(3), ("%%"):format(), ("%q"):format(1), ("%q"):format(math.mininteger))
print(7 // 1 | 0, 2^31 | 0, 1e3 | 0, "0xff" | 0, 5 // 0.3)
print(1e15 == 10^15, 10^15 // 1, 1e15 // 1 | 0, 3 | 0.0, 0x7fffffffffffffff + 1 == math.mininteger)
print(8 % 3.5, 2^0.5, 2^-1, (-8)^(1/3) ~= (-8)^(1/3), 0^0, 1^(0/0))
print(100 // 1e-300, 1e300 * 1e10 == math.huge, -1e300 * 1e10, 2^1024, 2^-1080)
print(string.format("%.14g", 3.14159265358979), string.format("%.3g|%10.2e|%-12g|", 1234567, 1234567, 0.5), string.format("%#x %#o %#.0f", 255, 8, 1))
print(tostring(3) == "3", tostring(3.0) == "3.0", 3 .. "" == "3", 3.0 .. "" == "3.0", 1e15 .. "", -1e15 .. "", 123456.0 .. "")
print(0x1p-2, 0xA.8p0, 0xap1, 1E2, .5, 3., 0x.1, 1//1, 0xffffffffff)
