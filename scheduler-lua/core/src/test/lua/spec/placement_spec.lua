local placement = require "verwalter/placement"
local tables = require "verwalter/tables"

local function nodes(...)
  local list = {}
  for _, name in ipairs {...} do
    list[#list + 1] = {hostname = name, labels = {}, capacity = {}, cordoned = false, draining = false, ready = true}
  end
  return list
end

local function moved(before, after)
  local count = 0
  for host, n in pairs(before) do count = count + math.max(0, n - (after[host] or 0)) end
  return count
end

describe("nodes", function()
  it("are those of the input", function()
    local found = placement.nodes {
      current_host = "beta",
      nodes = {
        beta = {id = "b", hostname = "beta", labels = {rack = "1"}, capacity = {cpus = 4}, cordoned = true, draining = false, ready = true},
        alpha = {id = "a", hostname = "alpha", ready = false},
      },
    }
    assert.equal(2, #found)
    assert.same({hostname = "alpha", id = "a", labels = {}, capacity = {}, cordoned = false, draining = false, ready = false}, found[1])
    assert.is_true(found[2].cordoned)
    assert.equal("1", found[2].labels.rack)
  end)

  it("are this one and its peers without input.nodes", function()
    local found = placement.nodes {current_host = "me", current_id = "0", peers = {["1"] = {hostname = "other"}, ["2"] = {}}}
    assert.equal(2, #found)
    assert.equal("me", found[1].hostname)
    assert.equal("0", found[1].id)
    assert.equal("other", found[2].hostname)
    assert.is_true(found[2].ready)
  end)
end)

describe("keeping n", function()
  it("is fair", function()
    assert.same({a = 2, b = 2, c = 1}, (placement.keep(nodes("a", "b", "c"), 5)))
  end)

  it("is proportional to capacity", function()
    local all = nodes("a", "b", "c")
    all[1].capacity.cpus, all[2].capacity.cpus, all[3].capacity.cpus = 4, 4, 8
    assert.same({a = 3, b = 3, c = 6}, (placement.keep(all, 12)))
    assert.same({a = 4, b = 4, c = 4}, (placement.keep(all, 12, {weigh_by = "nothing"})))
  end)

  it("treats all as equal if a capacity is missing", function()
    local all = nodes("a", "b")
    all[1].capacity.cpus = 64
    assert.same({a = 2, b = 2}, (placement.keep(all, 4)))
  end)

  it("moves nothing without need", function()
    assert.same({a = 1, b = 2, c = 2}, (placement.keep(nodes("a", "b", "c"), 5, {previous = {a = 1, b = 2, c = 2}})))
  end)

  it("moves the minimum when a node is added or removed", function()
    local four = nodes("a", "b", "c", "d")
    local before = placement.keep(nodes("a", "b", "c"), 6)
    local with = placement.keep(four, 6, {previous = before})
    assert.equal(1, moved(before, with))
    local without = placement.keep(nodes("a", "c", "d"), 6, {previous = with})
    with.b = nil
    assert.equal(0, moved(with, without))
  end)

  it("never takes from a node when n grows", function()
    local all = nodes("a", "b", "c", "d", "e")
    for at, node in ipairs(all) do node.capacity.cpus = at * at end
    local before = placement.keep(all, 1)
    for n = 2, 60 do
      local now = placement.keep(all, n, {previous = before})
      assert.equal(0, moved(before, now))
      assert.equal(n, tables.sum(now))
      before = now
    end
  end)

  it("gives a cordoned node nothing new, and keeps its processes", function()
    local all = nodes("a", "b")
    all[1].cordoned = true
    assert.same({a = 0, b = 4}, (placement.keep(all, 4)))
    assert.same({a = 2, b = 2}, (placement.keep(all, 4, {previous = {a = 2, b = 2}})))
    assert.same({a = 2, b = 8}, (placement.keep(all, 10, {previous = {a = 2, b = 2}})))
  end)

  it("gives a node that is not ready nothing new", function()
    local all = nodes("a", "b")
    all[1].ready = false
    assert.same({a = 1, b = 5}, (placement.keep(all, 6, {previous = {a = 1}})))
  end)

  it("returns the number without a place", function()
    local counts, left = placement.keep(nodes("a", "b"), 7, {max_per_node = 2})
    assert.same({a = 2, b = 2}, counts)
    assert.equal(3, left)
    assert.equal(7, select(2, placement.keep({}, 7)))
  end)

  it("does not depend on the order of the nodes", function()
    local one, other = nodes("a", "b", "c"), nodes("c", "a", "b")
    assert.same((placement.keep(one, 4)), (placement.keep(other, 4)))
  end)

  it("handles 10 000 on 1000 nodes", function()
    local all = {}
    for at = 1, 1000 do
      all[at] = {hostname = "n" .. at, capacity = {cpus = at % 7 + 1}, labels = {}}
    end
    assert.equal(10000, tables.sum((placement.keep(all, 10000))))
  end)
end)

describe("spreading", function()
  it("gives each value of a label the same share", function()
    local all = nodes("a", "b", "c")
    all[1].labels.rack, all[2].labels.rack, all[3].labels.rack = "1", "1", "2"
    assert.same({a = 2, b = 1, c = 3}, (placement.spread(all, 6, "rack")))
    assert.same({a = 1, b = 2, c = 3}, (placement.spread(all, 6, "rack", {previous = {b = 2}})))
  end)
end)

describe("placing per node", function()
  it("puts n on each node that is not cordoned", function()
    local all = nodes("a", "b")
    all[2].cordoned = true
    assert.same({a = 3, b = 0}, (placement.per_node(all, 3)))
    assert.same({a = 3, b = 1}, (placement.per_node(all, 3, {previous = {b = 1}})))
  end)

  it("fills a share of the capacity", function()
    local all = nodes("a", "b", "c")
    all[1].capacity = {cpus = 8, memory_bytes = 8 << 30}
    all[2].capacity = {cpus = 3, memory_bytes = 1 << 30}
    assert.same({a = 4, b = 1, c = 0}, (placement.percent(all, 50)))
    assert.same({a = 2, b = 0, c = 0}, (placement.percent(all, 50, {each = 2})))
    assert.same({a = 8, b = 1, c = 0}, (placement.percent(all, 100, {resource = "memory_bytes", each = 1 << 30})))
  end)
end)

describe("distributing fairly", function()
  it("does not put all single processes on the first node", function()
    local placed, left = placement.distribute_fairly(nodes("a", "b", "c"), {cron = 1, mail = 1, web = 1})
    assert.same({a = {cron = 1}, b = {mail = 1}, c = {web = 1}}, placed)
    assert.same({}, left)
  end)

  it("keeps previous placements", function()
    local before = {a = {web = 1}, b = {mail = 1}, c = {cron = 1}}
    assert.same(before, (placement.distribute_fairly(nodes("a", "b", "c"), {cron = 1, mail = 1, web = 1}, {previous = before})))
  end)

  it("accepts options for one daemon", function()
    local placed, left = placement.distribute_fairly(nodes("a", "b"), {web = 4, db = 3}, {daemons = {db = {max_per_node = 1}}})
    assert.same({a = {db = 1, web = 2}, b = {db = 1, web = 2}}, placed)
    assert.same({db = 1}, left)
  end)
end)
