--- and, or, xor, not
print(5 & 3, 5 | 3, 5 ~ 3, ~5, ~0)
--- shifts
print(1 << 4, 256 >> 4, 1 << 0, -1 >> 60)
--- shifts by the width or more give zero
print(1 << 64, 1 >> 64, -1 << 64, -1 >> 64, 1 << 100)
--- negative shifts go the other way
print(1 << -1, 16 << -2, 1 >> -3, 1 << -64, 1 >> math.mininteger)
--- right shifts are logical
print(-1 >> 1, -1 >> 63, math.mininteger >> 63)
--- floats with integral values take part
print(3.0 & 1, 2^31 | 0, 5.0 ~ 1.0, ~3.0, 1 << 2.0)
--- floats with a fraction fail
print(pcall(function() return 1.5 & 1 end))
print(pcall(function() return 1 << 0.5 end))
print(pcall(function() return ~1.5 end))
--- floats out of range fail
print(pcall(function() return 2^63 | 0 end))
print(pcall(function() return 1 | (0/0) end))
print(pcall(function() return math.huge & 1 end))
--- strings that read as integers take part
print("7" & 3, "0xff" | 0, "3.0" ~ 1, ~"0", "1" << "2")
--- strings that do not read as integers fail
print(pcall(function() return "1.5" & 1 end))
print(pcall(function() return "abc" | 1 end))
--- other values fail
print(pcall(function() return {} & 1 end))
print(pcall(function() return 1 | nil end))
print(pcall(function() return ~{} end))
print(pcall(function() local t = {x = true} return 1 & t.x end))
--- precedence: shifts above and, and above xor, xor above or
print(1 << 2 & 7, 6 ~ 3 & 1, 1 | 6 ~ 3, 1 + 1 << 2, 8 >> 1 + 1)
--- precedence: concatenation above shifts, comparison below or
print("1" .. 2 << 1, 1 | 2 == 3)
--- masks of 32 bits
print(0xffffffff & -1, (1 << 31) * 2 & 0xffffffff, 0x7fffffff + 1)
--- bitwise operators associate to the left
print(1 << 2 << 3, 256 >> 2 >> 2, 7 & 6 & 5, 1 ~ 1 ~ 1)
