local actions = require "verwalter/actions"
local parents = require "verwalter/parents"

local BUTTONS = {
  scale = {daemon = "string", by = "integer", why = "string?"},
  switch = {version = {"v1", "v2"}},
  follow = {},
  odd = {n = function(n) if n % 2 == 0 then return "n is even" end end},
}

describe("actions", function()
  local function read(...)
    local pending = {}
    for at, button in ipairs {...} do pending[at] = {button = button} end
    return actions.read(pending, "web", BUTTONS)
  end

  it("are read in order", function()
    local requested = actions.read({
      [10] = {button = {role = "web", action = "follow"}},
      [9] = {button = {role = "web", action = "scale", daemon = "d", by = 1}},
      [11] = {button = {role = "other", action = "whatever"}},
    }, "web", BUTTONS)
    assert.equal(2, #requested)
    assert.equal(9, requested[1].id)
    assert.equal("scale", requested[1].action)
    assert.equal(1, requested[1].button.by)
    assert.equal("follow", requested[2].action)
  end)

  it("are checked strictly", function()
    local _, wrong = read({role = "web", action = "scale", by = 1}, {role = "web", action = "scale", daemon = "d", by = 1.5},
      {role = "web", action = "scale", daemon = "d", by = 1, extra = 1}, {role = "web", action = "explode"},
      {role = "web", action = "switch", version = "v9"}, {role = "web", action = "odd", n = 2}, {role = "web", action = "switch"})
    local texts = {}
    for at, each in ipairs(wrong) do texts[at] = each.text end
    assert.same({
      "scale: daemon is missing", "scale: by must be a integer, but is 1.5", "scale: it has no field extra",
      "explode: there is no button explode", "switch: version is one of v1, v2, not v9", "odd: n is even",
      "switch: version is one of v1, v2, not nil",
    }, texts)
  end)

  it("are answered if they are refused", function()
    local given = {}
    answer = function(id, text) given[#given + 1] = id .. " " .. text end
    read({role = "web", action = "explode"}, {role = "web", action = "follow"}, {role = "web", action = "scale", by = 1})
    actions.stray({[7] = {button = {action = "x", role = "gone"}}}, {})
    answer = nil
    assert.same({
      '1 {"error":"there is no button explode","refused":"UnknownAction"}',
      '3 {"error":"daemon is missing","refused":"Refused"}',
      '7 {"error":"x: there is no role gone","refused":"UnknownRole"}',
    }, given)
  end)

  it("may belong to a running update", function()
    local requested = actions.read({{button = {role = "web", migration_action = "follow"}}}, "web", BUTTONS)
    assert.equal("follow", requested[1].action)
  end)

  it("for unknown roles are reported", function()
    local stray = actions.stray({{button = {action = "x"}}, {button = {action = "x", role = "gone"}}, "text", {button = {action = "x", role = "web"}}, {}},
      {web = {}})
    assert.same({
      {id = 1, text = "x: it names no role"}, {id = 2, text = "x: there is no role gone"}, {id = 3, text = "it is not a button"},
      {id = 5, text = "it is not a button"},
    }, stray)
  end)

  it("are empty without input", function()
    assert.same({{}, {}}, {actions.read(nil, "web", BUTTONS)})
    assert.same({}, actions.stray({}, {}))
  end)
end)

describe("parents", function()
  it("are sorted by their last change", function()
    local one, two = {state = {web = {changed = 1, x = 1}}}, {state = {web = {changed = 2, x = 2}}}
    for _, list in ipairs {{one, two}, {two, one}} do
      local states = parents.states(list, "web")
      assert.equal(2, states[1].x)
      assert.equal(1, states[2].x)
    end
    assert.same({}, parents.states({{}, {state = {}}, {state = {web = 3}}}, "web"))
    assert.same({}, parents.states(nil, "web"))
  end)

  it("are merged key by key", function()
    local states = {{hosts = {a = 1, b = 2}, lost = {b = 5}}, {hosts = {b = 3, c = 4}}}
    assert.same({a = 1, b = 2, c = 4}, parents.merged(states, "hosts"))
    assert.same({a = 1, b = 3, c = 4}, parents.merged(states, "hosts", function(state, key) return not (state.lost or {})[key] end))
  end)
end)
