--- a chunk is a function with dots
print(load("return ...")(1, 2))
print(load("local a, b = ... return b, a")(1, 2))
--- chunks do not see locals
local x = 1
print(load("return x")())
--- chunks see globals
y = 2
print(load("return y")())
--- syntax errors give nil and a message
print(load("return +"))
print(load("x ="))
print(load("if x then"))
print(load("for i = 1 do end"))
print(load("local function end"))
print(load("return return"))
print(load("a.b:c = 1"))
print(load("x = }"))
print(load("x = 'a' 'b'"))
--- names of chunks
print(load("x =", "=name"))
print(load("x =", "@file.lua"))
print(load("x =", "code"))
print(load("x =\n\ny = =", "two\nlines"))
print(load("x =", ("l"):rep(100)))
print(load("x =", "=" .. ("l"):rep(100)))
print(load("x =", "@" .. ("l"):rep(100)))
--- the text is the name
print(load("x = = 1"))
print(load("\n\nx = = 1"))
--- the text in pieces
local parts, i = {"return ", "1 + ", "2"}, 0
print(load(function() i = i + 1 return parts[i] end)())
print(type(load(function() return nil end)))
local once
print(load(function() if not once then once = true return 5 end end))
print(pcall(load, function() return {} end))
--- a reader that fails
print(pcall(load, function() error("reader", 0) end))
--- an environment
local env = {a = 5}
print(load("b = a * 2 return b", "=s", "t", env)(), env.b, b)
--- an environment of nil
print(pcall(load("return x", "=s", "t", nil)))
--- the mode
print(load("return 1", "=s", "b"))
print(load("return 1", "=s", "t")())
print(load("return 1", "=s", "bt")())
--- binary chunks are refused in text mode
print(load("\27Lua", "=s", "t"))
--- load wants text
print(pcall(load))
print(pcall(load, 5))
print(pcall(load, {}))
--- upvalues of a loaded function
local f = load("local n = 0 return function() n = n + 1 return n end")()
print(f(), f())
--- assert with load
print(pcall(assert, load("syntax error here", "=s")))
--- unexpected ends
print(load("while true do", "=s"))
print(load("function f(", "=s"))
print(load("f(", "=s"))
print(load("t = {1, 2", "=s"))
print(load("if x then\nelse\n", "=s"))
print(load("repeat\nx = 1\n", "=s"))
print(load("(", "=s"))
print(load("local t = {\n1,\n2\n", "=s"))
--- unexpected symbols
print(load("x = = 2", "=s"))
print(load("x + 1", "=s"))
print(load("5", "=s"))
print(load("local 5", "=s"))
print(load("goto 5", "=s"))
print(load("::5::", "=s"))
print(load("x.5", "=s"))
print(load("x:y", "=s"))
print(load("function 5() end", "=s"))
print(load("for 5 = 1, 2 do end", "=s"))
print(load("for x do end", "=s"))
print(load("end", "=s"))
print(load("local x = function end", "=s"))
print(load("return 1,", "=s"))
print(load("f(1,)", "=s"))
print(load("x = {a = }", "=s"))
print(load("x = {[1] 2}", "=s"))
print(load("function f(a,) end", "=s"))
print(load("function f(..., a) end", "=s"))
print(load("x = ...", "=s") ~= nil)
print(load("function f() return ... end", "=s"))
--- keywords are no names
print(load("local end = 1", "=s"))
print(load("x.end = 1", "=s"))
print(load("goto = 1", "=s"))
--- too many locals
local names = {}
for i = 1, 201 do names[i] = "v" .. i end
print(load("local " .. table.concat(names, ","), "=s"))
--- nesting that is too deep
print((select(2, load(("("):rep(300), "=s")):match("^s:1: .*")))
--- an error message shows the token
print(load("x = 12 34", "=s"))
print(load("x = 'abc' 5", "=s"))
print(load("x = [[a\nb]] 5", "=s"))
print(load("x = a b", "=s"))
