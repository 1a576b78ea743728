-- Distributes processes over nodes: fair, sticky and deterministic.
--
--   local nodes = placement.nodes(input)
--   local counts = placement.keep(nodes, 12)                       -- {alpha = 4, beta = 4, gamma = 4}
--   local counts = placement.keep(nodes, 12, {previous = counts})  -- moves as few as possible
--
-- Fair means by weight: a node with twice the processors gets twice as many. If shares are equal, a
-- node keeps what it had. A node that is cordoned or not ready gets nothing new.
--
-- Options, all optional:
--   previous       what each node has now: {host = count}
--   weigh_by       "cpus" (default), "memory_bytes", or "nothing": all nodes are equal
--   spread_by      name of a label; each of its values gets the same share
--   max_per_node   maximum of a node

local tables = require "verwalter/tables"
local placement = {}

-- All nodes of a scheduler's input, sorted by name: {hostname=, id=, labels=, capacity=, cordoned=,
-- draining=, ready=, unknown=, lost=}. A draining node is cordoned too. `lost` has a key for each role whose processes
-- may be started elsewhere, since the node is silent; `unknown` and it are nil otherwise. Without `input.nodes`, these are this node and its peers, all ready.
function placement.nodes(input)
  local found = {}
  local function add(hostname, id, node)
    if hostname and not found[hostname] then
      local lost
      for _, role in ipairs(node.lost or {}) do
        lost = lost or {}
        lost[role] = true
      end
      found[hostname] = {
        hostname = hostname,
        id = node.id or id,
        labels = node.labels or {},
        capacity = node.capacity or {},
        cordoned = node.cordoned == true or node.draining == true,
        draining = node.draining == true,
        ready = node.ready ~= false,
        unknown = node.unknown == true or nil,
        lost = lost,
      }
    end
  end
  for hostname, node in tables.sorted(input.nodes) do add(hostname, nil, node) end
  add(input.current_host, input.current_id, {})
  for id, peer in tables.sorted(input.peers) do add(peer.hostname, id, {}) end
  local list = {}
  for _, node in tables.sorted(found) do list[#list + 1] = node end
  return list
end

-- A heap of shares; the one that gets the next process is on top.
local function sooner(a, b)
  if a.rank ~= b.rank then return a.rank < b.rank end
  if a.holds ~= b.holds then return a.holds end
  if a.load ~= b.load then return a.load < b.load end
  return a.key < b.key
end

local function sink(heap, at)
  local item = heap[at]
  while true do
    local child = 2 * at
    if heap[child + 1] and sooner(heap[child + 1], heap[child]) then child = child + 1 end
    if not heap[child] or not sooner(heap[child], item) then break end
    heap[at], at = heap[child], child
  end
  heap[at] = item
end

local function rank(share)
  share.rank = (share.count + 0.5) / share.weight
  share.holds = share.count < share.held
end

-- Distributes n over shares {key, weight, least, most, held, load} by the method of Sainte-Laguë: a larger
-- n never gives a share less. Returns {key = count} and the number that no share may have.
local function apportion(shares, n)
  local heap, counts = {}, {}
  for _, share in ipairs(shares) do
    share.count = share.least or 0
    counts[share.key] = share.count
    n = n - share.count
    if share.most > share.count then
      rank(share)
      heap[#heap + 1] = share
    end
  end
  for at = #heap // 2, 1, -1 do sink(heap, at) end
  while n > 0 and heap[1] do
    local top = heap[1]
    top.count = top.count + 1
    counts[top.key] = top.count
    n = n - 1
    if top.count < top.most then
      rank(top)
    else
      heap[1] = heap[#heap]
      heap[#heap] = nil
    end
    if heap[1] then sink(heap, 1) end
  end
  return counts, n
end

local function weights(nodes, resource)
  resource = resource or "cpus"
  local found = {}
  for _, node in ipairs(nodes) do
    local amount = tonumber((node.capacity or {})[resource])
    if resource == "nothing" or not amount or amount <= 0 then
      return setmetatable({}, {__index = function() return 1 end})
    end
    found[node.hostname] = amount
  end
  return found
end

-- The maximum of a node.
local function most(node, held, options)
  local limit = math.min(options.max_per_node or math.huge, node.most or math.huge)
  if node.cordoned or node.ready == false then limit = math.min(limit, held) end
  return limit
end

local function grouped(shares, n)
  local groups, list = {}, {}
  for _, share in ipairs(shares) do
    local group = groups[share.label]
    if not group then
      group = {key = share.label, weight = 1, most = 0, held = 0, load = 0, shares = {}}
      groups[share.label] = group
      list[#list + 1] = group
    end
    group.most, group.held = group.most + share.most, group.held + share.held
    group.load = group.load + share.load
    group.shares[#group.shares + 1] = share
  end
  local of_group, left = apportion(list, n)
  local counts = {}
  for _, group in ipairs(list) do
    for key, count in pairs((apportion(group.shares, of_group[group.key]))) do counts[key] = count end
  end
  return counts, left
end

-- Places n processes of one kind. Returns {host = count} and the number without a place.
-- `options.load` is the number of other processes of each node; of otherwise equal nodes, the one
-- with the least load is first.
function placement.keep(nodes, n, options)
  options = options or {}
  local previous, weight = options.previous or {}, weights(nodes, options.weigh_by)
  local shares, pinned = {}, {}
  for _, node in ipairs(nodes) do
    local host, held = node.hostname, previous[node.hostname] or 0
    if node.pinned then
      pinned[host] = math.min(n, held)
      n = n - pinned[host]
    else
      shares[#shares + 1] = {
        key = host,
        weight = weight[host],
        held = held,
        least = node.least,
        most = most(node, held, options),
        load = ((options.load or {})[host] or 0) / weight[host],
        label = tostring((node.labels or {})[options.spread_by] or ""),
      }
    end
  end
  local counts, left = (options.spread_by and grouped or apportion)(shares, n)
  for host, count in pairs(pinned) do counts[host] = count end
  return counts, left
end

-- Places n on each node.
function placement.per_node(nodes, n, options)
  options = options or {}
  local counts = {}
  for _, node in ipairs(nodes) do
    local held = (options.previous or {})[node.hostname] or 0
    counts[node.hostname] = node.pinned and held or math.min(n, most(node, held, options))
  end
  return counts, 0
end

-- Gives each node a number in proportion to its capacity: 50 percent of 8 processors is 4 if each
-- process needs one; `options.each` is the amount of `options.resource` that each needs.
function placement.percent(nodes, percent, options)
  options = options or {}
  local resource, each = options.resource or "cpus", options.each or 1
  local counts = {}
  for _, node in ipairs(nodes) do
    local held = (options.previous or {})[node.hostname] or 0
    local amount = tonumber((node.capacity or {})[resource]) or 0
    local fits = math.floor(amount * percent / 100 / each)
    counts[node.hostname] = node.pinned and held or math.min(fits, most(node, held, options))
  end
  return counts, 0
end

-- Places n so that each value of a label gets the same share: placement.spread(nodes, 6, "rack").
function placement.spread(nodes, n, label, options)
  local with = {}
  for key, value in pairs(options or {}) do with[key] = value end
  with.spread_by = label
  return placement.keep(nodes, n, with)
end

-- Places several kinds at once: counts is {daemon = n}. Returns {host = {daemon = n}}, with all
-- hosts and without zeros, and {daemon = n} without a place. Here `previous` is {host = {daemon =
-- n}}, and `options.daemons[daemon]` may have options for one daemon.
function placement.distribute_fairly(nodes, counts, options)
  options = options or {}
  local placed, left, load = {}, {}, {}
  for _, node in ipairs(nodes) do placed[node.hostname] = {} end
  for daemon, n in tables.sorted(counts) do
    local own, previous = {}, {}
    for key, value in pairs(options) do own[key] = value end
    for key, value in pairs((options.daemons or {})[daemon] or {}) do own[key] = value end
    for host, had in pairs(options.previous or {}) do previous[host] = had[daemon] end
    own.previous, own.load = previous, load
    local of_host, without = placement.keep(nodes, n, own)
    for host, count in pairs(of_host) do
      load[host] = (load[host] or 0) + count
      if count > 0 then placed[host][daemon] = count end
    end
    if without > 0 then left[daemon] = without end
  end
  return placed, left
end

return placement
