local ports = require "verwalter/ports"

describe("ports", function()
  it("are assigned from the lowest", function()
    assert.same({a = 9000, b = 9001, c = 9100}, (ports.assign({"a", "b", "c"}, {"9000-9001", 9100})))
  end)

  it("are kept", function()
    assert.same({a = 9002, b = 9000}, (ports.assign({"a", "b"}, {"9000-9005"}, {a = 9002})))
  end)

  it("are dropped when they are no longer allowed", function()
    assert.same({a = 9000}, (ports.assign({"a"}, {"9000-9005"}, {a = 8000})))
  end)

  it("are never assigned twice", function()
    local taken = {[9000] = "somebody"}
    assert.same({a = 9001}, (ports.assign({"a"}, {"9000-9001"}, {a = 9000}, taken)))
    local given, without = ports.assign({"b"}, {"9000-9001"}, nil, taken)
    assert.same({}, given)
    assert.same({"b"}, without)
  end)

  it("have strict ranges", function()
    for _, wrong in ipairs {"9000-", "x", "0", "9001-9000", "1-70000", "9000 - 9001", 1.5} do
      assert.error_matches(function() ports.ranges {wrong} end, "is not a range of ports")
    end
  end)
end)
