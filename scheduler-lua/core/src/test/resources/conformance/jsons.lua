--- jsons
local json = require "verwalter/json"
print(json.encode({b = 1, a = {1, 2, "x"}, c = {}, d = json.object(), e = json.array()}))
print(json.encode("a\"\\\n\1\127é/"), json.encode(1), json.encode(-1.5), json.encode(true), json.encode(nil))
print(json.encode({[3] = "c", [1] = "a"}), json.encode({["1"] = "x"}), json.encode({{{}}}), json.encode(0.1), json.encode(1e300))
print(pcall(json.encode, print))
print(pcall(json.encode, {a = {b = function() end}}))
print(pcall(json.encode, {[1.5] = 1, x = 0/0}))
print(pcall(json.encode, {[true] = 1}))
local loop = {} loop.x = loop
print(pcall(json.encode, loop) == false)
local v = json.decode(' {"a": [1, 2.5, -3e2, "x\\u00e9\\ud83d\\ude00\\n"], "b": null, "c": {}, "d": [], "e": true, "f": false} ')
print(v.a[1], v.a[2], v.a[3] == -300, v.a[4], v.b, v.e, v.f)
print(json.encode(v))
print(json.encode(json.decode(json.encode({x = {y = {z = {1, {2}}}}}))))
for _, bad in ipairs {"", "{", "[1", "[1,]", '{"a"}', '{"a":}', "01", "1.", "tru", '"abc', '"\\x"', '"\\ud800"', "1 2", "nul", "{1:2}", '"a\nb"', "[1}"} do
  print(pcall(json.decode, bad))
end
