--- comments end with the line, long comments with their bracket
print(1) -- rest
--[[ two
lines ]] print(2) --[==[ ]] ]==] print(3)
--- names may hold underscores and digits
local _a1, A, a = 1, 2, 3
print(_a1, A, a)
--- keywords are case sensitive
local And, END = 1, 2
print(And + END)
--- escapes of one letter
print(("\a\b\f\n\r\t\v\\\"\'"):byte(1, -1))
--- decimal escapes take at most three digits
print("\65\066\0671", "\0099" == "\t" .. "9")
--- hexadecimal escapes take two digits
print("\x41\x42C\xe2\x82\xac")
--- unicode escapes are written as UTF-8
print("\u{41}\u{e4}\u{20AC}\u{1F600}", #"\u{10FFFF}")
--- the escape z skips blanks and lines
print("a\z
       b\z   c")
--- a backslash before a line end is a line end
print("a\
b")
--- quotes of the other kind need no escape
print("it's", 'say "hi"')
--- a long string drops its first line end
print([[
x]] == "x", [==[
]]]==])
--- long strings know no escapes
print([[a\nb]], #[[\]])
--- long brackets nest by level
print([==[ [[x]] ]=] ]==])
--- line ends in long strings become one character
local f = load("return [[a\r\nb\rc\n\rd]]")
print((f():gsub("\n", "|")))
--- integer numerals
print(0, 7, 007, 123456789012)
--- float numerals
print(1.0, .5, 5., 1e2, 1E-2, 3.25e+1)
--- hexadecimal integers wrap around
print(0xff, 0XA, 0xffffffffffffffff, 0x10000000000000001)
--- hexadecimal floats
print(0x.8, 0x1p4, 0xA.8p0, 0x1P-2, 0xa.)
--- a decimal integer that does not fit is a float
print(9223372036854775807, 9223372036854775808, -9223372036854775808)
--- a number may be followed by an operator without a blank
print(1-1, 2*-3, 1 ..2)
--- malformed numbers are refused
for _, s in ipairs {"3x", "0x", "1e", "1..2", "0xep1p", "1.2.3", "08a", "0x1g"} do
  print(load("return " .. s, "=s"))
end
--- unfinished strings are refused
print(load("x = 'abc", "=s"))
print(load("x = 'abc\ndef'", "=s"))
print(load("x = [[abc", "=s"))
print(load("--[[abc\n\n", "=s"))
--- invalid escapes are refused
print(load([[x = "\q"]], "=s"))
print(load([[x = "\300"]], "=s"))
print(load([[x = "\xZZ"]], "=s"))
print(load([[x = "\x1"]], "=s"))
--- invalid unicode escapes are refused
print(load([[x = "\u41"]], "=s"))
print(load([[x = "\u{41"]], "=s"))
print(load([[x = "\u{}"]], "=s"))
print(load([[x = "\u{110000}"]], "=s"))
--- unknown characters are refused
print(load("x = 1 @ 2", "=s"))
print(load("x = $", "=s"))
print(load("x = 1 ! 2", "=s"))
print(load("\1", "=s"))
print(load("x = \200", "=s"))
--- an invalid long string delimiter is refused
print(load("x = [=abc", "=s"))
print(load("x = [==", "=s"))
--- a semicolon is an empty statement
;;; print("x");;
--- the tilde is not and xor
print(1 ~= 2, 5 ~ 3, ~5)
--- a method call on a string literal needs parentheses
print(("x"):rep(3), #"abc" + 1)
--- strings hold every byte
local s = "\0a\255"
print(#s, s:byte(1, -1))
