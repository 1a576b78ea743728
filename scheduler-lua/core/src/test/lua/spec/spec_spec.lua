-- The runner's own specs: assertions must be able to fail.

local spec = require "verwalter/spec"
local busted = require "busted"
local luassert = require "luassert"

local function failure(body)
  local good, raised = pcall(body)
  if good then error("it did not fail", 2) end
  return raised
end

describe("assertions", function()
  it("pass or fail", function()
    assert.equal(1, 1)
    assert.are.equal(1, 1)
    assert.are_not.equal(1, 2)
    assert.is_not.equal({}, {})
    assert.same({1, {2}}, {1, {2}})
    assert.are_not.same({1}, {2})
    assert.is_true(true)
    assert.is_false(false)
    assert.truthy(1)
    assert.falsy(nil)
    assert.is_falsy(false)
    assert.is_nil(nil)
    assert.is_not_nil(1)
    assert.is_string("x")
    assert.is.table({})
    assert.near(1, 1.05, 0.1)
    assert.matches("^a", "abc")
    assert.has_error(function() error("x", 0) end)
    assert.has_error(function() error("x", 0) end, "x")
    assert.has_error(function() error({1}) end, {1})
    assert.has_no.errors(function() end)
    for _, body in ipairs {
      function() assert.equal(1, 2) end, function() assert.same({1}, {2}) end, function() assert.is_true(1) end,
      function() assert.falsy(1) end, function() assert.is_nil(false) end, function() assert.is_not_nil(nil) end,
      function() assert.has_error(function() end) end, function() assert.has_error(function() error("y", 0) end, "x") end,
      function() assert.has_no.errors(function() error("x") end) end, function() assert.are_not.same({1}, {1}) end,
      function() assert(false) end, function() assert(nil, "text") end, function() assert.near(1, 2, 0.1) end,
    } do
      failure(body)
    end
  end)

  it("report position and difference", function()
    local raised = failure(function() assert.same({a = {1, 2}, b = 1}, {a = {1, 3}, c = 1}) end)
    assert.matches("spec/spec_spec.lua:%d+$", raised.place)
    assert.same({
      {path = ".a[2]", expected = "2", actual = "3"}, {path = ".b", expected = "1", actual = "nil"},
      {path = ".c", expected = "nil", actual = "1"},
    }, raised.differences)
    assert.equal("{a = {1, 2}, b = 1}", raised.expected)
    assert.equal("text", tostring(failure(function() assert(nil, "text") end)))
  end)

  it("return their arguments, as Lua's own", function()
    assert.equal(2, select("#", assert(1, 2)))
    assert.equal(5, luassert(5))
  end)

  it("have busted's names too", function()
    assert.is_function(busted.describe)
    assert.equal(busted.it, busted.test)
    luassert.is.same({}, {})
  end)

  it("with unknown names are errors", function()
    assert.error_matches(function() assert.is_eqaul(1, 1) end, "there is no assertion is_eqaul")
  end)
end)

describe("hooks", function()
  local order = {}
  setup(function() order[#order + 1] = "setup" end)
  before_each(function() order[#order + 1] = "outer" end)
  after_each(function() order[#order + 1] = "after" end)
  describe("within", function()
    before_each(function() order[#order + 1] = "inner" end)
    it("run first", function() assert.same({"setup", "outer", "inner"}, order) end)
    it("run each time", function() assert.same({"setup", "outer", "inner", "after", "outer", "inner"}, order) end)
  end)
end)

describe("values as text", function()
  it("are in Lua's notation", function()
    assert.equal('{1, "a\\n", [5] = true, ["x y"] = {}, z = 1.5}', spec.text {1, "a\n", [5] = true, ["x y"] = {}, z = 1.5})
  end)
end)
