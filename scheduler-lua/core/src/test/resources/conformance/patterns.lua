--- classes
for _, c in ipairs {"a", "c", "d", "g", "l", "p", "s", "u", "w", "x"} do
  local out = {}
  for b = 0, 255 do if string.char(b):find("%" .. c) then out[#out + 1] = b end end
  print(c, #out, out[1], out[#out])
end
--- complements of classes
for _, c in ipairs {"A", "C", "D", "G", "L", "P", "S", "U", "W", "X"} do
  local n = 0
  for b = 0, 255 do if string.char(b):find("%" .. c) then n = n + 1 end end
  print(c, n)
end
--- the dot matches everything
print(("\0\n\255"):match("^...$") ~= nil, (""):match("."))
--- sets
print(("hello"):gsub("[aeiou]", "*"), ("a-b]c"):gsub("[]-]", "_"), ("x^y"):gsub("[%^x]", "_"))
--- ranges
print(("aZ09"):gsub("[a-z0-5]", "_"), ("a-z"):gsub("[a%-z]", "_"), ("b-"):gsub("[a-]", "_"))
--- complements of sets
print(("abc123"):gsub("[^%d]", "_"), ("a]b"):gsub("[^]]", "_"))
--- repetitions
print(("aaa"):match("a*"), ("aaa"):match("a+"), ("aaa"):match("a-"), ("aaa"):match("a?"), (""):match("a*"), (""):match("a+"))
--- the shortest and the longest
print(("<a><b>"):match("<.->"), ("<a><b>"):match("<.*>"), ("[[x]]"):match("%[(.-)%]"))
--- optional parts
print(("color colour"):gsub("colou?r", "X"), ("-5 5"):gsub("-?%d", "N"))
--- anchors
print(("abc"):match("^abc$"), ("abcd"):match("^abc$"), ("abc"):match("^b"), ("a$b"):match("a$b"), ("a^b"):match("a^b"))
--- captures
print(("k=v"):match("(%w)=(%w)"), ("abc"):match("((a)(b))"), ("abc"):match("(a)(.)(c)"))
--- position captures
print(("hello"):match("()ll()"), ("hello"):find("()ll()"))
--- empty captures
print(("abc"):match("()"), ("abc"):find("()", 4))
--- back references
print(("abab"):match("(ab)%1"), ([["quoted" 'x']]):match([[(["'])(.-)%1]]), ("hello"):match("(.)%1"))
--- balanced brackets
print(("f(a(b)c)d"):match("%b()"), ("((("):match("%b()"), ("{{}}"):match("%b{}"), ("xaxbx"):match("%bxx"))
--- frontiers
print(("THE (quick) fox"):find("%f[%a]%a+%f[%A]"), ("hello world"):gsub("%f[%w]%w+", string.upper))
print(("abc"):find("%f[%z]"), ("x"):match("%f[x]x"))
--- escaped punctuation
print(("a.b"):match("a%.b"), ("a%b"):match("a%%b"), ("(x)"):match("%((.-)%)"), ("a[b"):find("%["))
--- trimming
print("[" .. ("  x y  "):match("^%s*(.-)%s*$") .. "]", "[" .. ("   "):match("^%s*(.-)%s*$") .. "]")
--- splitting
local out = {}
for field in ("a,b,,d"):gmatch("([^,]*),?") do out[#out + 1] = "<" .. field .. ">" end
print(table.concat(out))
--- paths
print(("/usr/lib/x.so"):match("^(.*)/(.-)$"), ("x.tar.gz"):match("^(.-)%.(.*)$"))
--- versions
print(("v1.20.3"):match("^v(%d+)%.(%d+)%.(%d+)$"))
--- malformed patterns
for _, p in ipairs {"(", ")", "(()", "[", "[a", "[^", "%", "[%", "%b", "%bx", "%f", "%fa", "(x", "%1", "(%1)", "[]", "[^]", "x)"} do
  print(p, pcall(string.match, "xyz", p))
end
--- too many captures
print(pcall(string.match, ("x"):rep(40), ("(x)"):rep(33)))
print(select("#", string.match(("x"):rep(40), ("(x)"):rep(32))))
--- a pattern that is too complex
print(pcall(string.match, ("x"):rep(300000), ("x?"):rep(300000)))
--- patterns with zeros
print(("a\0b"):match("a%zb") ~= nil, ("a\0b"):match("a\0b") ~= nil, ("a\0b"):find("\0"), ("a\0b"):match("[\0]") == "\0")
--- letters after a percent sign
print(pcall(string.match, "q", "%q"), ("!"):match("%!"))
--- high bytes
print(("\u{e4}"):match("%a"), ("\u{e4}"):match("[\x80-\xff]+") == "\u{e4}", #("\u{e4}x"):match("%W+"))
--- find with captures
print(("key=val"):find("(%w+)=(%w+)"), ("abc"):find("b", 1), ("abc"):find("(b)(c)"))
--- init beyond the end
print(("abc"):find("a*", 4), ("abc"):match("a*", 5), ("abc"):find("$", 4))
--- a hyphen at the end of a set
print(("a-b"):gsub("[%w-]", "x"), ("%d"):gsub("[%%]", "x"))
--- a set with a class and a range
print(("f00g"):match("[%da-f]+"), ("_x1"):match("^[%a_][%w_]*$"))
--- nested repetitions backtrack
print(("aaab"):match("a*ab"), ("aXbXc"):match("(.*)X(.*)"), ("aXbXc"):match("(.-)X(.*)"))
--- an unfinished capture in a replacement
print(pcall(string.gsub, "abc", "(b", "x"))
print(pcall(string.find, "abc", "b)"))
--- invalid back references
print(pcall(string.match, "aa", "(a)%2"))
print(pcall(string.match, "aa", "%0"))
