--- char
print(utf8.char(), utf8.char(72, 228, 8364, 128512), #utf8.char(0x10FFFF), #utf8.char(0))
print(pcall(utf8.char, -1))
print(pcall(utf8.char, 0x110000))
--- charpattern
print(#utf8.charpattern, ("h\u{e4}\u{20ac}"):gsub(utf8.charpattern, "."))
--- codepoint
print(utf8.codepoint("h\u{e4}\u{20ac}", 1, -1))
print(utf8.codepoint("abc"), utf8.codepoint("abc", 2), utf8.codepoint("abc", -1))
print(pcall(utf8.codepoint, "abc", 4))
print(pcall(utf8.codepoint, "abc", 1, 4))
print(pcall(utf8.codepoint, "\xff"))
print(utf8.codepoint("abc", 3, 2))
--- codes
for p, c in utf8.codes("a\u{e4}\u{20ac}") do print(p, c) end
--- codes of invalid text
print(pcall(function() for p, c in utf8.codes("a\xff") do print(p, c) end end))
print(pcall(function() for p, c in utf8.codes("\xe2\x82") do print(p, c) end end))
--- len
print(utf8.len(""), utf8.len("abc"), utf8.len("\u{e4}\u{20ac}\u{1f600}"))
print(utf8.len("ab\xffcd"), utf8.len("\xe2\x82"), utf8.len("\u{e4}x", 3), utf8.len("\u{e4}", 2))
--- len of a range
print(utf8.len("abc", 2), utf8.len("abc", 4), utf8.len("abc", 1, 1), utf8.len("abc", -1), utf8.len("abc", 3, 2))
print(pcall(utf8.len, "abc", 5))
print(pcall(utf8.len, "abc", 1, 4))
--- offset
print(utf8.offset("a\u{e4}b", 1), utf8.offset("a\u{e4}b", 2), utf8.offset("a\u{e4}b", 3), utf8.offset("a\u{e4}b", 4), utf8.offset("a\u{e4}b", 5))
--- offset from the end
print(utf8.offset("a\u{e4}b", -1), utf8.offset("a\u{e4}b", -2), utf8.offset("a\u{e4}b", -3), utf8.offset("a\u{e4}b", -4))
--- offset of the character around
print(utf8.offset("a\u{e4}b", 0, 3), utf8.offset("a\u{e4}b", 0, 2), utf8.offset("abc", 0))
print(pcall(utf8.offset, "\u{e4}", 1, 2))
print(pcall(utf8.offset, "abc", 1, 5))
--- overlong forms are invalid
print(utf8.len("\xc0\x80"), utf8.len("\xe0\x80\x80"), utf8.len("\xf4\x90\x80\x80"))
--- surrogates are accepted
print(utf8.len("\u{d800}"), utf8.codepoint("\u{dfff}"))
--- lengths of encodings
print(#"\u{7f}", #"\u{80}", #"\u{7ff}", #"\u{800}", #"\u{ffff}", #"\u{10000}")
--- reversing by characters
local out = {}
for _, c in utf8.codes("h\u{e4}!") do table.insert(out, 1, utf8.char(c)) end
print(table.concat(out))
--- arguments
print(pcall(utf8.len))
print(pcall(utf8.char, "x"))
print(pcall(utf8.codepoint, "abc", {}))
