local versions = require "verwalter/versions"

describe("comparing versions", function()
  it("compares numbers and words", function()
    local ascending = {"v1-alpha", "v1-beta", "v1-1", "v1.2", "v1.2-rc", "v1.2.1", "v1.10", "v2", "v10"}
    table.sort(ascending, versions.compare)
    for at = 1, #ascending - 1 do
      assert.is_true(versions.compare(ascending[at], ascending[at + 1]))
      assert.is_false(versions.compare(ascending[at + 1], ascending[at]))
    end
    assert.is_true(versions.compare("v9", "v10"))
    assert.is_true(versions.compare("v1.2", "v1.2.1"))
    assert.is_true(versions.compare("v1.rc", "v1.1"))
    assert.is_true(versions.compare(nil, "v0"))
    assert.is_false(versions.compare("v0", nil))
    assert.is_false(versions.compare("v1", "v1"))
  end)

  it("finds the newest", function()
    assert.equal("v10", versions.newest {"v9", "v10", "v2"})
    assert.is_nil(versions.newest {})
  end)
end)

describe("selecting a version", function()
  local runtime = {
    v1 = {daemons = {}, timestamp = 100}, v2 = {daemons = {}, timestamp = 200}, v3 = "broken", workers = 7,
  }

  local function select(wish)
    wish.runtime, wish.now = wish.runtime or runtime, 500000
    return versions.select(wish)
  end

  it("finds the valid ones", function()
    local known, wrong = versions.known(runtime)
    assert.same({"v2", "v1"}, known)
    assert.same({v3 = "it says nothing of `daemons`"}, wrong)
  end)

  it("selects the newest at first", function()
    assert.same({version = "v2", timestamp = 0}, select {mode = "manual"})
    assert.same({version = "v2", timestamp = 200000}, select {mode = "auto"})
    assert.is_nil(select {runtime = {}})
  end)

  it("follows an action", function()
    local actions = {[7] = {button = {action = "quick_switch", version = "v1"}}, [9] = {button = {version = "v9"}}}
    for _, mode in ipairs {"auto", "manual"} do
      assert.same({version = "v1", timestamp = 500000}, select {mode = mode, actions = actions})
    end
  end)

  it("follows only actions for the role", function()
    local actions = {{button = {version = "v1", role = "other"}}}
    assert.equal("v2", select({actions = actions, role = "web"}).version)
  end)

  it("changes only by an action in manual mode", function()
    assert.same({version = "v1", timestamp = 5}, select {mode = "manual", parents = {{version = "v1", timestamp = 5}}})
  end)

  it("takes the latest selection of several parents", function()
    local parents = {{version = "v1", timestamp = 5}, {version = "v2", timestamp = 9}, {version = "v7", timestamp = 99}}
    assert.same({version = "v2", timestamp = 9}, select {mode = "manual", parents = parents})
  end)

  it("takes a version uploaded after the selection in auto mode", function()
    assert.equal("v2", select({parents = {{version = "v1", timestamp = 199999}}}).version)
    assert.equal("v1", select({parents = {{version = "v1", timestamp = 200000}}}).version)
  end)

  it("gives a pin file precedence", function()
    local pinned = {v1 = runtime.v1, v2 = runtime.v2, pin = "v1\n"}
    assert.same({version = "v1", timestamp = 500000, pinned = true}, select {runtime = pinned})
    assert.same({version = "v1", timestamp = 7, pinned = true}, select {runtime = pinned, parents = {{version = "v1", timestamp = 7}}})
    pinned.pin = "v9"
    assert.equal("v2", select({runtime = pinned}).version)
  end)

  it("refuses unknown modes", function()
    assert.error_matches(function() select {mode = "oldest"} end, "auto, manual or newest, not by oldest")
  end)

  it("know whether a version replaces the process of another", function()
    local function version(command, more)
      local metadata = {daemons = {web = {}}, ["verwalter.io/processes"] = {web = {command = command}}}
      for key, value in pairs(more or {}) do metadata[key] = value end
      return metadata
    end
    local metadata = {
      v1 = version {"./server"}, v2 = version {"./server"}, v3 = version {"./server", "-x"},
      v4 = version({"./server"}, {image = {url = "https://example.org/a.tar"}}),
      v5 = version({"./server"}, {["verwalter.io/files"] = {{to = "a"}}}),
      v6 = version({"./server", "${files}/a"}, {["verwalter.io/files"] = {{to = "a"}}}),
      v7 = version({"./server", "${files}/a"}, {["verwalter.io/files"] = {{to = "b"}}}),
      v8 = {daemons = {web = {}}},
    }
    local function replaces(a, b) return versions.replaces(metadata, "web", a, b) end
    assert.same({false, true, true, false, true}, {
      replaces("v1", "v2"), replaces("v1", "v3"), replaces("v1", "v4"), replaces("v1", "v5"), replaces("v6", "v7"),
    })
    assert.is_nil(replaces("v1", "v8"))
    assert.is_false(replaces("v8", "v8"))
  end)

  it("does not expect another process where only probes differ, or perhaps only the name of the user", function()
    local function version(with)
      with.command = {"./server"}
      return {daemons = {web = {}}, ["verwalter.io/processes"] = {web = with}}
    end
    local metadata = {
      v1 = version {}, v2 = version {probes = {{http = "/"}}}, v3 = version {user = "nobody", probes = {{http = "/ok"}}},
      v4 = version {user = "nobody", umask = "027"},
    }
    local function replaces(a, b) return versions.replaces(metadata, "web", a, b) end
    assert.is_false(replaces("v1", "v2"))
    assert.is_false(replaces("v2", "v1"))
    assert.is_nil(replaces("v2", "v3"))
    assert.is_nil(replaces("v3", "v1"))
    assert.is_true(replaces("v3", "v4"))
  end)
end)
