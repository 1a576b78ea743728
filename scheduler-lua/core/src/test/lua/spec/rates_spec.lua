local rates = require "verwalter/rates"

describe("a rate", function()
  it("is a number of processes per second, minute or hour", function()
    assert.same({count = 5, per = 1000}, rates.parse "5 processes per second")
    assert.same({count = 1, per = 60000}, rates.parse "1 process per minute")
    assert.same({count = 90, per = 3600000}, rates.parse "90 processes per hour")
    assert.same({count = 0, per = 3600000}, rates.parse "0 processes per hour")
  end)

  it("is parsed strictly", function()
    for _, wrong in ipairs {"5 per second", "5 process per second", "1.5 processes per second", "-1 processes per hour",
      "5 processes per day", " 5 processes per second", "5 processes per second ", "5 Processes per second", "", 5} do
      assert.error_matches(function() rates.parse(wrong) end, "is not a rate; write one such as")
    end
    assert.has_error(function() rates.parse(nil) end)
  end)
end)

describe("moving a count", function()
  local limits = {grow = rates.parse "5 processes per second", decline = rates.parse "1 process per second"}

  local function run(count, wanted, seconds, with)
    local seen, memory = {}, nil
    for at, second in ipairs(seconds) do
      count, memory = rates.move(1000000 + second * 1000, count, wanted, memory, with or limits)
      seen[at] = count
    end
    return seen, memory
  end

  it("grows by the amount of a second", function()
    assert.same({5, 10, 12, 12}, (run(0, 12, {0, 1, 2, 3})))
  end)

  it("declines by its own rate", function()
    assert.same({11, 10, 9, 8, 7}, (run(12, 3, {0, 1, 2, 3, 4})))
  end)

  it("moves whole processes", function()
    assert.same({5, 5, 5, 6, 6, 7}, (run(0, 12, {0, 0.1, 0.19, 0.2, 0.3, 0.4})))
  end)

  it("is not faster with more frequent runs", function()
    local often = {}
    for at = 0, 100 do often[#often + 1] = at / 100 end
    local seen = run(0, 100, often)
    assert.equal(10, seen[#seen])
  end)

  it("begins at once even if one process takes an hour", function()
    local slow = {grow = rates.parse "1 process per hour"}
    assert.same({1, 1, 2, 3}, (run(0, 9, {0, 3599, 3600, 7200}, slow)))
  end)

  it("does not catch up after a long pause", function()
    assert.same({5, 55}, (run(0, 1000, {0, 3600})))
  end)

  it("never moves at rate zero", function()
    local never = {decline = rates.parse "0 processes per hour"}
    assert.same({5, 5}, (run(5, 0, {0, 36000}, never)))
  end)

  it("has no limit without a rate", function()
    local count, memory = rates.move(1, 0, 100, nil, {})
    assert.equal(100, count)
    assert.is_nil(memory)
  end)

  it("drops its memory at the end", function()
    local count, memory = rates.move(1000, 0, 5, nil, limits)
    assert.equal(5, count)
    assert.is_table(memory)
    local again
    count, again = rates.move(1500, count, 5, memory, limits)
    assert.equal(memory.grow, again.grow)
    count, memory = rates.move(2000, count, 5, again, limits)
    assert.equal(5, count)
    assert.is_nil(memory)
  end)

  it("tolerates a clock that goes backwards", function()
    local count, memory = rates.move(10000, 0, 50, nil, limits)
    count = rates.move(5000, count, 50, memory, limits)
    assert.equal(5, count)
  end)
end)
