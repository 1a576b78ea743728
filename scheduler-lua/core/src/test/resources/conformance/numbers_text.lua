--- floats are written with 14 digits
print(0.1, 1/3, 2/3, 100/3, 3.14159265358979, 123456.789)
--- floats with an integral value end with point zero
print(1.0, -2.0, 1e3, 10/2, 2^10, 1e14)
--- large floats have an exponent
print(1e15, 1e16, 1e100, -1e300, 2^53, 2^63)
--- small floats have an exponent
print(1e-4, 1e-5, 123e-7, 5e-324, 2^-1074)
--- infinities and negative zero
print(1/0, -1/0, -0.0, 0.0, math.huge, -math.huge)
--- a nan has the sign that the machine gave it
print(0/0, -(0/0), 0.0/0.0, math.huge - math.huge, 0 * math.huge)
--- fourteen digits round half to even on the exact value
print(0.5000000000000005, 1.00000000000005, 2.00000000000015, 99999999999999.5)
--- extremes of floats
print(1.7976931348623157e308, 2.2250738585072014e-308, 4.9406564584124654e-324)
--- integers are written in full
print(math.maxinteger, math.mininteger, 1 << 62, -1)
--- tonumber reads what the lexer reads
print(tonumber("10"), tonumber("0x1F"), tonumber("1e2"), tonumber(".5"), tonumber("5."), tonumber("0x.8p1"))
--- tonumber takes blanks around
print(tonumber(" 10 "), tonumber("\t\n3.5\r\n"), tonumber("\v1\f"))
--- tonumber refuses anything else
print(tonumber(""), tonumber(" "), tonumber("1 2"), tonumber("0x"), tonumber("1e"), tonumber("."), tonumber("e1"), tonumber("1_000"))
--- tonumber knows no infinities and nans
print(tonumber("inf"), tonumber("nan"), tonumber("Infinity"), tonumber("0x1p99999"), tonumber("1e999"))
--- tonumber takes signs
print(tonumber("-7"), tonumber("+7"), tonumber("- 7"), tonumber("--7"), tonumber("-0x10"), tonumber("-0"), tonumber("-0.0"))
--- tonumber of other values is nil
print(tonumber(true), tonumber({}), tonumber(print), tonumber(nil))
--- tonumber without a value fails
print(pcall(tonumber))
--- tonumber with a base
print(tonumber("ff", 16), tonumber("FF", 16), tonumber("777", 8), tonumber("zz", 36), tonumber("1010", 2))
--- tonumber with a base takes blanks and a minus
print(tonumber("  -11  ", 2), tonumber("- 1", 2), tonumber("12", 2), tonumber("", 10), tonumber("1.5", 10))
--- tonumber with a base wraps around
print(tonumber("ffffffffffffffff", 16), tonumber("10000000000000000", 16), tonumber("9223372036854775808", 10))
--- tonumber with a base wants a string
print(pcall(tonumber, 10, 10))
print(pcall(tonumber, "10", 1))
print(pcall(tonumber, "10", 37))
print(pcall(tonumber, "10", "x"))
--- a string with an embedded zero is no number
print(tonumber("1\0"), tonumber("1\0002"))
--- large decimal strings become floats
print(tonumber("9223372036854775807"), tonumber("9223372036854775808"), tonumber("-9223372036854775808"), tonumber("-9223372036854775809"))
--- long decimals are read exactly
print(0.1 + 0.2 == 0.30000000000000004, 1e23, 8.5e22, 123456789012345678901234567890)
--- tostring of a converted string is normal
print(tostring(tonumber("0x10")), tostring("1e1" + 0), tostring("10" + 0))
