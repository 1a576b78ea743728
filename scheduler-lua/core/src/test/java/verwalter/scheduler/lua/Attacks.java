package verwalter.scheduler.lua;

import java.time.Duration;
import java.util.stream.Stream;

/** Programs that try to exhaust the machine. Each must be stopped and must fail. */
public final class Attacks {
  public static final Budget BUDGET =
      Budget.DEFAULT
          .withInstructions(2_000_000)
          .withMemory(32 << 20)
          .withStringLength(4 << 20)
          .withWallTime(Duration.ofSeconds(20));

  /**
   * An attack.
   *
   * @param expected a part of the error message
   */
  public record Attack(String body, String expected) {
    @Override
    public String toString() {
      return body.replaceAll("\\s+", " ");
    }
  }

  private static Attack attack(String expected, String body) {
    return new Attack(body, expected);
  }

  public static Stream<Attack> all() {
    return Stream.concat(Stream.concat(loops(), bombs()), errors());
  }

  /** Further attacks, for an engine that counts every step and every byte. */
  public static Stream<Attack> metered() {
    var instructions = "instruction budget of 2000000 used up";
    var memory = "memory budget of 33554432 bytes used up";
    var length = "string length budget of 4194304 bytes used up";
    var depth = "call depth budget of 20000 used up";
    return Stream.of(
        attack(instructions, "local s, t = ('x'):rep(4e6), ('x'):rep(4e6) while s <= t do end"),
        attack(instructions, "local s, t = ('x'):rep(4e6), ('x'):rep(4e6) while s == t do end"),
        attack(
            instructions,
            "local t = {} for i = 1, 1e5 do t['k' .. i] = i end for k in pairs(t) do t[k] = nil end"
                + " while true do next(t) end"),
        attack(instructions, "while true do utf8.len(('x'):rep(1e6)) end"),
        attack(instructions, "while true do string.rep('', 1e9) end"),
        attack(instructions, "while true do debug.traceback() end"),
        attack(instructions, "while true do pcall(require, 'nothing') end"),
        attack(
            instructions,
            "local function f(n) if n == 0 then while true do debug.traceback() end end"
                + " return 1 + f(n - 1) end f(15000)"),
        attack(instructions, "while true do xpcall(error, function(m) error(m) end) end"),
        attack(
            instructions,
            "local t = {} for i = 1, 1e4 do t[i] = i end"
                + " while true do table.sort(t, function() return true end) end"),
        attack(
            "survived",
            "local function h(m) return xpcall(error, h, m) end xpcall(error, h) error('survived')"),
        attack(depth, "local t = setmetatable({}, {__call = function(t) return 1 + t() end}) t()"),
        attack(
            depth,
            "local t = setmetatable({}, {__concat = function(a, b) return a .. b end}) return t .. t"),
        attack(
            depth,
            "local mt = {__eq = function(a, b) return a == b end}"
                + " return setmetatable({}, mt) == setmetatable({}, mt)"),
        attack(
            "chain too long",
            "local t = {} for i = 1, 3000 do t = setmetatable({}, {__index = t}) end return t.x"),
        attack(memory, "error(select(2, load('return ' .. ('a.'):rep(1e6) .. 'b')))"),
        attack(memory, "error(select(2, load('return ' .. ('1+'):rep(1e6) .. '1')))"),
        attack(memory, "error(select(2, load('return ' .. ('not '):rep(1e6) .. '1')))"),
        attack(memory, "return load('return {' .. ('1,'):rep(2e6) .. '}')()"),
        attack(memory, "while true do ('x'):rep(1e6):upper() end"),
        attack(memory, "while true do table.concat({}, ('x'):rep(1e6)) end"),
        attack(memory, "while true do load('return 1') end"),
        attack(memory, "while true do tostring({}) end"),
        attack(memory, "return string.pack('!16' .. ('Xi16'):rep(1e6))"),
        attack(length, "return string.pack('c2000000000', '')"),
        attack(
            length, "return string.pack(('c2000000'):rep(100), table.unpack({'', '', ''}, 1, 3))"),
        attack("too many C levels", "error(select(2, load('x = ' .. ('{'):rep(1e5))))"),
        attack("too many C levels", "error(select(2, load(('function f() '):rep(1e5))))"),
        attack(
            "nested too deeply", "local t = {} t.t = t return require('verwalter/json').encode(t)"),
        attack(
            instructions,
            "local t = {} for i = 1, 40 do t = {t, t} end return require('verwalter/json').encode(t)"),
        attack(
            length,
            "local t = setmetatable({}, {__json = 'array', __len = function() return 1e18 end})"
                + " return require('verwalter/json').encode(t)"),
        attack(
            instructions,
            "local t = setmetatable({}, {__pairs = function() return function() return 1 end end})"
                + " return require('verwalter/json').encode(t)"),
        attack(memory, "return require('verwalter/json').decode('[' .. ('[],'):rep(1e6) .. '1]')"),
        attack(
            length,
            "local s = ('x'):rep(1e6) return require('verwalter/json').encode({s, s, s, s, s, s})"),
        attack("nested deeper than 200", "return ('{\"a\":'):rep(1e5) .. '1' .. ('}'):rep(1e5)"),
        attack("out of range", "return '{\"a\": 1e999999999}'"),
        attack(
            "x",
            "table.sort({1, 2}, function() error(setmetatable({},"
                + " {__tostring = function() error('x') end})) end)"));
  }

  private static Stream<Attack> loops() {
    var instructions = "instruction budget of 2000000 used up";
    return Stream.of(
        attack(instructions, "while true do end"),
        attack(instructions, "repeat until false"),
        attack(instructions, "for i = 1, math.huge do end"),
        attack(instructions, "::top:: goto top"),
        attack(instructions, "while true do pcall(function() while true do end end) end"),
        attack(instructions, "while true do pcall(error) end"),
        attack(instructions, "local function f() return f() end f()"),
        attack(
            instructions,
            "while true do xpcall(function() while true do end end, function() while true do end"
                + " end) end"),
        attack(
            instructions,
            "local t = setmetatable({}, {__index = function(t, k) while true do end end}) return t.x"),
        attack(
            instructions,
            "return setmetatable({}, {__tostring = function() while true do end end})"),
        attack(instructions, "('x'):rep(100):gsub('.', function() while true do end end)"),
        attack(instructions, "table.sort({3, 2, 1}, function() while true do end end)"),
        attack(
            instructions,
            "for k in pairs(setmetatable({}, {__pairs = function() return function() return 1 end end})) do end"),
        attack(
            instructions,
            "local t = {} t[1] = 1 for i = 1, 1e9 do table.insert(t, 1, 1) t[2] = nil end"),
        attack(
            instructions,
            "for i in ipairs(setmetatable({}, {__index = function() return 1 end})) do end"),
        attack(
            instructions,
            "table.concat(setmetatable({}, {__len = function() return 1 << 40 end, __index = function() return '' end}))"),
        attack(instructions, "table.move({}, 1, 1 << 40, 2)"),
        attack(
            instructions,
            "local t = setmetatable({}, {__len = function() return 1 << 30 end}) table.insert(t, 1, 1)"));
  }

  private static Stream<Attack> bombs() {
    var instructions = "instruction budget of 2000000 used up";
    var memory = "memory budget of 33554432 bytes used up";
    var length = "string length budget of 4194304 bytes used up";
    return Stream.of(
        attack(length, "local s = 'x' for i = 1, 40 do s = s .. s end"),
        attack(length, "local s = 'x' for i = 1, 40 do s = s .. 'y' .. s end"),
        attack(length, "return ('x'):rep(1e9)"),
        attack(length, "return ('x'):rep(1 << 62)"),
        attack(length, "return ('x'):rep(1e6, ('y'):rep(1e6))"),
        attack(length, "return ('x'):rep(1e4):gsub('x', ('y'):rep(1000))"),
        attack(
            length,
            "local t, s = {}, ('x'):rep(1e6) for i = 1, 100 do t[i] = s end return table.concat(t)"),
        attack(length, "local s = ('x'):rep(3e6) return string.format('%s%s', s, s)"),
        attack(length, "return ('x'):rep(1e6):gsub('', ('y'):rep(1000))"),
        attack(memory, "local t = {} while true do t[#t + 1] = ('x'):rep(1e6) end"),
        attack(memory, "local t = {} for i = 1, 1e9 do t[i] = {i} end"),
        attack(memory, "local s = ('x'):rep(1e6) local t = {} for i = 1, 1e9 do t[i] = s .. i end"),
        attack(
            memory,
            "local t = {} for i = 1, 1e9 do t[i] = table.pack(('x'):rep(1e5):byte(1, -1)) end"),
        attack(
            memory,
            "local t = {table.unpack({}, 1, 9e5)} local u = {} for i = 1, 1e9 do u[i] = {table.unpack(t, 1, 9e5)} end"),
        attack(
            memory,
            "local t = {} local function f(...) t[#t + 1] = {...} return f(1, ...) end f(table.unpack({}, 1, 9e5))"),
        attack(
            "stack overflow (call depth budget of 20000 used up)",
            "local function f() return 1 + f() end f()"),
        attack(
            "stack overflow",
            "local t = {} setmetatable(t, {__index = function(t, k) return t[k] .. 'y' end}) return t.x"),
        attack(
            "stack overflow",
            "local t = setmetatable({}, {}) getmetatable(t).__tostring = tostring return t"),
        attack("stack overflow", "local function f() local ok, m = pcall(f) error(m, 0) end f()"),
        attack(
            "'__index' chain too long", "local t = {} setmetatable(t, {__index = t}) return t.x"),
        attack(instructions, "return ('a'):rep(34):find(('a?'):rep(34) .. ('a'):rep(34) .. 'b')"),
        attack(instructions, "return ('a'):rep(5000):find('.-.-.-.-b')"),
        attack(instructions, "return ('a'):rep(1e5):find(('a*'):rep(20) .. 'b')"),
        attack(
            "pattern too complex",
            "return ('a'):rep(1e3):find(('(a)'):rep(30) .. ('a?'):rep(400))"),
        attack("invalid", "return string.format('%99999d', 1)"),
        attack("too many results to unpack", "return table.unpack({}, 1, 1e8)"),
        attack(
            "output size budget of 16777216 bytes used up",
            "local s = ('x'):rep(1e6) while true do print(s) end"),
        attack(
            "output size budget of 16777216 bytes used up",
            "return '{}', setmetatable({}, {__tostring = function() for i = 1, 9 do print(('x'):rep(2e6)) end return '' end})"));
  }

  private static Stream<Attack> errors() {
    return Stream.of(
        attack("(error object is a nil value)", "error(nil)"),
        attack("(error object is a table value)", "error({})"),
        attack("mine", "error(setmetatable({}, {__tostring = function() return 'mine' end}))"),
        attack("again", "error(setmetatable({}, {__tostring = function() error('again') end}))"),
        attack(
            "'__tostring' must return a string",
            "return setmetatable({}, {__tostring = function() end})"),
        attack(
            "nested too deeply",
            "local s = ('['):rep(1e5) return require('verwalter/json').decode(s)"),
        attack("nested deeper than 200 levels", "return ('['):rep(1e5)"),
        attack("C levels", "error(select(2, load('return ' .. ('('):rep(1e5))))"),
        attack("C levels", "error(select(2, load(('do '):rep(1e5))))"));
  }

  private Attacks() {}
}
