--- if, elseif, else
local function sign(n) if n > 0 then return "+" elseif n < 0 then return "-" else return "0" end end
print(sign(5), sign(-5), sign(0))
--- zero and the empty string are true
if 0 then print("zero") end
if "" then print("empty") end
--- while with break
local i = 0
while true do i = i + 1 if i == 5 then break end end
print(i)
--- repeat runs at least once
local n = 0
repeat n = n + 1 until true
print(n)
--- break leaves the innermost loop
for i = 1, 2 do for j = 1, 3 do if j == 2 then break end print(i, j) end end
--- break in the middle of a block
for i = 1, 3 do if i == 2 then break; end print(i) end
--- numeric for with steps
local out = {}
for i = 1, 10, 3 do out[#out + 1] = i end
for i = 3, 1, -1 do out[#out + 1] = i end
for i = 1, 0 do out[#out + 1] = "never" end
print(table.concat(out, " "))
--- numeric for with floats
local out = {}
for i = 1, 2, 0.25 do out[#out + 1] = i end
for i = 1.0, 3 do out[#out + 1] = i end
print(table.concat(out, " "))
--- an integer loop with a float limit
local out = {}
for i = 1, 3.7 do out[#out + 1] = i end
for i = -1, -3.7, -1 do out[#out + 1] = i end
print(table.concat(out, " "))
--- an integer loop with limits out of range
local n = 0
for i = 1, -math.huge do n = n + 1 end
for i = 1, math.huge do n = n + 1 if n > 5 then break end end
for i = 1, 0/0 do n = n + 1 end
print(n)
--- changing the loop variable changes nothing
local out = {}
for i = 1, 3 do out[#out + 1] = i i = 10 end
print(table.concat(out, " "))
--- the bounds are evaluated once
local n = 3
local function limit() n = n - 1 return 3 end
for i = 1, limit() do end
print(n)
--- strings are no bounds
print(pcall(function() for i = "1", 2 do end end))
print(pcall(function() for i = 1, "2" do end end))
print(pcall(function() for i = 1, 2, "1" do end end))
print(pcall(function() for i = nil, 2 do end end))
--- a loop with the step zero never ends
local n = 0
for i = 1, 2, 0.0 do n = n + 1 if n > 5 then break end end
print(n)
--- generic for with an iterator of one's own
local function count(n, i) if i < n then return i + 1, (i + 1) ^ 2 end end
for i, sq in count, 3, 0 do print(i, sq) end
--- generic for with a closure
local function words(s) local pos = 1 return function() local a, b = s:find("%a+", pos) if a then pos = b + 1 return s:sub(a, b) end end end
for w in words("one two three") do io = w print(w) end
--- generic for over no function
print(pcall(function() for x in 5 do end end))
print(pcall(function() for x in nil do end end))
local t = {}
print(pcall(function() for x in t do end end))
--- generic for over a callable table
local t = setmetatable({}, {__call = function(self, s, c) c = (c or 0) + 1 if c <= s then return c end end})
for i in t, 3 do print(i) end
--- more variables than values
for a, b, c in pairs({1}) do print(a, b, c) end
--- goto as continue
for i = 1, 4 do if i % 2 == 0 then goto continue end print(i) ::continue:: end
--- continue in while and repeat
local i = 0
while i < 4 do i = i + 1 if i == 2 then goto continue end print("w", i) ::continue:: end
i = 0
repeat i = i + 1 if i == 2 then goto continue end print("r", i) ::continue:: until i >= 3
--- goto backwards
local i = 1
::top:: if i <= 3 then i = i + 1 goto top end
print(i)
--- goto out of nested loops
for i = 1, 3 do for j = 1, 3 do if i * j == 4 then print(i, j) goto done end end end
::done::
--- goto gives fresh locals
local fs = {}
do local k = 0
::top:: local x = k fs[#fs + 1] = function() return x end
k = k + 1 if k < 3 then goto top end end
print(fs[1](), fs[2](), fs[3]())
--- goto into an enclosing block
do do goto out end print("skipped") ::out:: end print("reached")
--- goto to a label that is not visible
print(load("goto nowhere", "=s"))
print(load("do ::inner:: end goto inner", "=s"))
print(load("local function f() goto outer end ::outer::", "=s"))
--- goto into the scope of a local
print(load("goto l; local a; ::l:: print(a)", "=s"))
--- goto over a local to the end of the block
print((load("do goto l; local a; ::l:: end return 'fine'")()))
print((load("do goto l; local a; ::l:: ; ::m:: end return 'fine'")()))
--- the end of repeat is not the end of the block
print(load("repeat goto l; local x; ::l:: until x", "=s"))
--- duplicate labels
print(load("::a:: ::a::", "=s"))
print(load("::a:: do ::a:: end", "=s") ~= nil)
print((load("do ::a:: end do ::a:: end return 'fine'")()))
--- break outside of a loop
print(load("break", "=s"))
print(load("local function f() break end", "=s"))
print(load("while true do local function f() break end end", "=s"))
--- return ends the block
print(load("return 1 print(2)", "=s"))
print(load("do return end return 3")())
--- return in the middle with do
local function f() do return 1 end return 2 end
print(f())
--- a while loop with a complex condition
local i, j = 0, 10
while i < 5 and j > 6 or i == 0 do i, j = i + 1, j - 1 end
print(i, j)
--- nested functions and loops
local sum = 0
for i = 1, 3 do local function f(n) for j = 1, n do sum = sum + j end end f(i) end
print(sum)
--- goto within a loop over a closure
for i = 1, 3 do
  local n = i
  local f = function() return n end
  if n == 2 then goto skip end
  print(f())
  ::skip::
end
