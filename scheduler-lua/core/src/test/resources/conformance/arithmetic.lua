--- integers stay integers
print(1 + 2, 5 - 7, 3 * 4, 7 // 2, 7 % 3)
--- division and powers are floats
print(4 / 2, 1 / 2, 2 ^ 2, 2 ^ 0.5, 2 ^ -1)
--- one float makes a float
print(1 + 2.0, 5.0 - 7, 3 * 4.0, 7 // 2.0, 7.0 % 3)
--- integers wrap around
print(math.maxinteger + 1 == math.mininteger, math.mininteger - 1 == math.maxinteger, math.maxinteger * 2)
--- floor division rounds down
print(7 // 2, -7 // 2, 7 // -2, -7 // -2, 7.5 // 2, -7.5 // 2)
--- modulo has the sign of the divisor
print(7 % 3, -7 % 3, 7 % -3, -7 % -3)
--- modulo of floats
print(7.5 % 2, -7.5 % 2, 7.5 % -2, -7.5 % -2, 5.3 % 1)
--- modulo by infinity
print(5 % math.huge, -5 % math.huge, 5 % -math.huge, -5 % -math.huge, 0.0 % math.huge)
--- modulo of infinity is no number
print(math.huge % 2 ~= math.huge % 2, 1 % 0.0 ~= 1 % 0.0)
--- modulo keeps the sign of zero
print(0.0 % 3, -0.0 % 3, 6.0 % -3, -6.0 % 3)
--- integer division by zero fails
print(pcall(function() return 1 // 0 end))
--- integer modulo by zero fails
print(pcall(function() return 1 % 0 end))
--- float division by zero is infinite
print(1 // 0.0, -1 // 0.0, 1 / 0, -1 / 0, 0.0 // 1)
--- the smallest integer divided by minus one
print(math.mininteger // -1, math.mininteger % -1)
--- minus binds weaker than a power and stronger than a product
print(-2 ^ 2, -3 * 2, 2 ^ -1, - - 3)
--- powers associate to the right
print(2 ^ 3 ^ 2, (2 ^ 3) ^ 2)
--- precedence of arithmetic
print(1 + 2 * 3 - 4 / 2, (1 + 2) * 3, 7 - 2 - 1, 2 * 3 % 4, 100 // 7 * 7)
--- unary minus of the smallest integer wraps
print(-math.mininteger == math.mininteger, - -9223372036854775807)
--- unary minus of zero
print(-0, -0.0, -(0.0), 0 * -1, 0.0 * -1)
--- powers of special values
print(0 ^ 0, 1 ^ math.huge, (-8) ^ (1/3) ~= (-8) ^ (1/3), 2 ^ 1024, 0 ^ -1, (-2) ^ 3)
--- strings take part in arithmetic
print("10" + 5, "3" * "4", "2" ^ 2, "7" // 2, -"3", "10" % 3, 10 - "1")
--- strings convert to the number they look like
print("10" + 0, "10.0" + 0, "0x10" + 0, "1e1" + 0, " 5 " + 0, "0x.8" + 0)
--- a string that is no number fails
print(pcall(function() return "abc" + 1 end))
print(pcall(function() return {} + 1 end))
print(pcall(function() return 1 + nil end))
print(pcall(function() return -{} end))
--- a numeral that would overflow as a string is a float
print("9223372036854775807" + 0, "9223372036854775808" + 0)
--- comparisons of integers and floats are exact
print(2^53 == 2^53 + 1, (1 << 53) + 1 == 2^53, math.maxinteger + 0.0 == math.maxinteger, math.maxinteger < 2^63)
--- sums of floats round
print(0.1 + 0.2, 1e16 + 1, 1 - 0.9, 3 * 0.1)
--- a float that would lose digits keeps its type
print(2^53 + 1, (2^53 + 1) % 2, 1e15 % 7)
--- integer for float keys and results
print(3 // 1.0, 3 % 1.0, 1e2 // 1, 2^31 // 1)
--- large products wrap
print(3037000500 * 3037000500, 4294967296 * 4294967296, -3037000500 * 3037000500)
--- evaluation goes from left to right
local log = {}
local function n(v) log[#log + 1] = v return v end
print(n(1) + n(2) * n(3), table.concat(log))
--- floor division of infinities
print(math.huge // 1, -math.huge // 1, 1 // math.huge, -1 // math.huge)
--- floats close to integers
print(0.9999999999999999 // 1, 1.0000000000000002 // 1, -0.5 // 1)
