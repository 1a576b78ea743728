package verwalter.scheduler.lua.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Generates random Lua programs that terminate, are deterministic, and print much. They use the
 * functions of {@code driver.lua}: P prints, S converts any value to text, C limits the length of
 * strings, and T ends a program with too many iterations.
 */
final class Generator {
  private static final List<String> NUMBERS =
      List.of(
          "0",
          "1",
          "2",
          "3",
          "7",
          "-1",
          "-3",
          "10",
          "255",
          "0.5",
          "1.5",
          "-2.5",
          "3.0",
          "1e15",
          "1e100",
          "2^53",
          "2^63",
          "0x10",
          "0.1",
          "math.maxinteger",
          "math.mininteger",
          "math.huge",
          "-math.huge",
          "(0/0)",
          "-0.0",
          "1e-7",
          "100000000000000",
          "123456.789");
  private static final List<String> STRINGS =
      List.of(
          "''",
          "'a'",
          "'abc'",
          "'10'",
          "'0x1p4'",
          "' 7 '",
          "'1e1'",
          "'x=1, y=2'",
          "'hello world'",
          "'-5'",
          "'3.0'",
          "'a,b,,c'",
          "'\\0z'",
          "'\\u{e4}\\u{20ac}'",
          "'[1](2)'",
          "'AbC'");
  private static final List<String> PATTERNS =
      List.of(
          "'%a+'",
          "'(%w)(%w)'",
          "'%d*'",
          "'^%s*(.-)%s*$'",
          "'[^,]*'",
          "'.'",
          "'()b()'",
          "'l+'",
          "'%b()'",
          "'%f[%a]%a+'",
          "'(%w+)=(%w+)'",
          "'x?'",
          "'[a-c]-b'",
          "'%'",
          "'(a'",
          "'%1'",
          "'$'",
          "''",
          "'[%]]'",
          "'.-,'");
  private static final List<String> FORMATS =
      List.of(
          "'%d'",
          "'%5d|'",
          "'%-5d|'",
          "'%05d'",
          "'%x'",
          "'%X'",
          "'%o'",
          "'%5.2f'",
          "'%g'",
          "'%e'",
          "'%.3f'",
          "'%10.4g|'",
          "'%a'",
          "'%s'",
          "'%5s|'",
          "'%.2s'",
          "'%q'",
          "'%c'",
          "'%i%%'",
          "'%+d'",
          "'%#x'",
          "'% d'",
          "'%.14g'",
          "'%.0f'",
          "'%y'");
  private static final List<String> ARITHMETIC =
      List.of("+", "-", "*", "/", "//", "%", "^", "&", "|", "~", "<<", ">>");
  private static final List<String> COMPARISON = List.of("==", "~=", "<", "<=", ">", ">=");
  private static final List<String> FIELDS = List.of("a", "b", "c", "n", "x");
  private static final List<String> EVENTS =
      List.of(
          "__add",
          "__sub",
          "__mul",
          "__div",
          "__mod",
          "__pow",
          "__idiv",
          "__band",
          "__bor",
          "__bxor",
          "__shl",
          "__shr",
          "__unm",
          "__bnot",
          "__concat",
          "__len",
          "__eq",
          "__lt",
          "__le",
          "__index",
          "__newindex",
          "__call");

  private final Random random;
  private final List<String> names = new ArrayList<>();
  private int fresh;
  private boolean dots = true;

  Generator(long seed) {
    random = new Random(seed);
  }

  /** The statements of a program; each may be removed. */
  List<String> program() {
    var statements = new ArrayList<String>();
    for (int i = 0; i < 12; i++) {
      statements.add(statement(3));
    }
    statements.add("P(" + String.join(", ", names.isEmpty() ? List.of("1") : names) + ")");
    return statements;
  }

  private String pick(List<String> list) {
    return list.get(random.nextInt(list.size()));
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  // Statements

  private String block(int depth) {
    int visible = names.size();
    var text = new StringBuilder();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      text.append(statement(depth)).append('\n');
    }
    names.subList(visible, names.size()).clear();
    return text.toString();
  }

  private String statement(int depth) {
    if (depth == 0) {
      return simple();
    }
    int inner = depth - 1;
    return switch (random.nextInt(22)) {
      case 0 -> "if " + any(2) + " then\n" + block(inner) + "else\n" + block(inner) + "end";
      case 1 -> "for " + loop(numericBounds(), inner);
      case 2 -> "for " + pairLoop(inner);
      case 3 -> "do\n" + block(inner) + "end";
      case 4 -> whileLoop(inner);
      case 5 -> repeatLoop(inner);
      case 6, 7, 8 -> function(inner);
      case 9, 10 -> "P(pcall(function()\n" + inFunction(false, inner) + "end))";
      case 11 -> metatable();
      case 12 -> "P(xpcall(function()\n" + inFunction(false, inner) + "end, S))";
      default -> simple();
    };
  }

  private String simple() {
    return switch (random.nextInt(9)) {
      case 0, 1, 2 -> declaration();
      case 3 -> place() + " = " + any(3);
      case 4 -> place() + ", " + place() + " = " + any(2) + ", " + any(2);
      case 5 -> place() + ", " + place() + " = " + call(2);
      case 6 -> "table.insert(" + variable() + ", " + any(2) + ")";
      default -> "P(" + any(3) + ", " + any(2) + ")";
    };
  }

  private String declaration() {
    var value = any(3);
    if (chance(20)) {
      var second = any(2);
      return "local " + declare() + ", " + declare() + " = " + value + ", " + second;
    }
    if (chance(15)) {
      var many = call(2);
      return "local " + declare() + ", " + declare() + " = " + many;
    }
    return "local " + declare() + " = " + value;
  }

  private String declare() {
    var name = "v" + fresh++;
    names.add(name);
    return name;
  }

  private String numericBounds() {
    return chance(70)
        ? random.nextInt(3) + ", " + random.nextInt(5)
        : pick(List.of("3, 1, -1", "1, 2, 0.5", "1.0, 3", "5, 1", "'1', 2", "1, 2.9", "1, 'x'"));
  }

  private String loop(String bounds, int depth) {
    int visible = names.size();
    var text = declare() + " = " + bounds + " do T()\n" + loopBody(depth) + "end";
    names.subList(visible, names.size()).clear();
    return text;
  }

  private String loopBody(int depth) {
    if (chance(25)) {
      var label = "l" + fresh++;
      var first = "if " + any(2) + " then goto " + label + " end\n";
      return first + "do\n" + block(depth) + "end\n::" + label + "::\n";
    }
    return block(depth) + (chance(15) ? "do break end\n" : "");
  }

  private String pairLoop(int depth) {
    var list = chance(50) ? table(2) : variable();
    int visible = names.size();
    var text = declare() + ", " + declare() + " in ipairs(" + list + ") do T()\n";
    text += loopBody(depth) + "end";
    names.subList(visible, names.size()).clear();
    return text;
  }

  private String whileLoop(int depth) {
    var counter = "w" + fresh++;
    return "local %1$s = 0 while %1$s < %2$d do T() %1$s = %1$s + 1\n%3$send"
        .formatted(counter, 1 + random.nextInt(4), loopBody(depth));
  }

  private String repeatLoop(int depth) {
    var counter = "w" + fresh++;
    return "local %1$s = 0 repeat T() %1$s = %1$s + 1\n%3$suntil %1$s > %2$d"
        .formatted(counter, random.nextInt(4), block(depth));
  }

  private String function(int depth) {
    var name = "v" + fresh++;
    int visible = names.size();
    boolean variadic = chance(40);
    var parameters = declare() + ", " + declare() + (variadic ? ", ..." : "");
    var text =
        "local function " + name + "(" + parameters + ") T()\n" + inFunction(variadic, depth);
    names.subList(visible, names.size()).clear();
    names.add(name);
    return text + "end";
  }

  private String inFunction(boolean variadic, int depth) {
    boolean before = dots;
    dots = variadic;
    int visible = names.size();
    var text = block(depth) + statement(0) + "\n";
    text +=
        switch (random.nextInt(5)) {
          case 0 -> "return " + any(2) + ", " + any(2) + "\n";
          case 1 -> "return " + call(2) + "\n";
          case 2 -> variadic ? "return ...\n" : "error(" + any(1) + ")\n";
          default -> "return " + any(3) + "\n";
        };
    names.subList(visible, names.size()).clear();
    dots = before;
    return text;
  }

  private String metatable() {
    var events = new StringBuilder();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      events.append(pick(EVENTS)).append(" = function(p, q, r) T() return ");
      events
          .append(
              chance(50) ? pick(List.of("p", "q", "1", "nil", "true", "'m'", "rawlen(p)")) : "S(q)")
          .append(" end, ");
    }
    var base = table(1);
    return "local " + declare() + " = setmetatable(" + base + ", {" + events + "})";
  }

  private String place() {
    return chance(50) ? variable() : chance(50) ? field() : variable() + "[" + any(1) + "]";
  }

  // Expressions

  private String variable() {
    if (names.isEmpty() || chance(8)) {
      return pick(List.of("g1", "g2"));
    }
    int at = Math.max(0, names.size() - 1 - (int) Math.abs(random.nextGaussian() * 3));
    return names.get(at);
  }

  private String field() {
    return variable() + "." + pick(FIELDS);
  }

  private String any(int depth) {
    if (depth == 0) {
      return leaf();
    }
    int inner = depth - 1;
    return switch (random.nextInt(20)) {
      case 0, 1, 2 -> "(" + any(inner) + " " + pick(ARITHMETIC) + " " + any(inner) + ")";
      case 3 ->
          any(inner)
              + " "
              + pick(ARITHMETIC)
              + " "
              + any(inner)
              + " "
              + pick(ARITHMETIC)
              + " "
              + leaf();
      case 4, 5 -> "C(" + any(inner) + " .. " + any(inner) + ")";
      case 6 -> "(" + any(inner) + " " + pick(COMPARISON) + " " + any(inner) + ")";
      case 7 -> "(" + any(inner) + pick(List.of(" and ", " or ")) + any(inner) + ")";
      case 8 -> pick(List.of("-", "not ", "~", "- -")) + leaf();
      case 9, 10 -> table(inner);
      case 11 -> "#" + pick(List.of(text(), "{1, 2, nil, 4}", "'x'", number()));
      case 12, 13, 14, 15 -> library(inner);
      case 16 -> "(" + call(inner) + ")";
      case 17 -> closure();
      default -> leaf();
    };
  }

  private String leaf() {
    return switch (random.nextInt(12)) {
      case 0, 1 -> number();
      case 2 -> text();
      case 3 -> pick(List.of("nil", "true", "false"));
      case 4 -> field();
      case 5 -> variable() + "[" + pick(List.of("1", "2", "1.0", "'a'", "-1", "nil")) + "]";
      case 6 -> dots ? "(...)" : number();
      default -> variable();
    };
  }

  private String number() {
    return pick(NUMBERS);
  }

  private String text() {
    return pick(STRINGS);
  }

  private String closure() {
    var result = variable();
    return "function(p) T() "
        + (chance(30) ? result + " = p " : "")
        + "return "
        + result
        + ", p end";
  }

  private String table(int depth) {
    var text = new StringBuilder("{");
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append(any(depth)).append(", ");
    }
    if (chance(40)) {
      text.append(pick(FIELDS)).append(" = ").append(any(depth)).append(", ");
    }
    if (chance(15)) {
      text.append("[").append(any(depth)).append("] = ").append(any(depth)).append(", ");
    }
    return text.append(dots && chance(10) ? "..." : "").append("}").toString();
  }

  private String call(int depth) {
    return switch (random.nextInt(6)) {
      case 0 -> library(depth);
      case 1 -> variable() + ":" + pick(List.of("a", "upper", "n")) + "(" + any(depth) + ")";
      case 2 -> "pcall(" + variable() + ", " + any(depth) + ")";
      case 3 ->
          "select("
              + pick(List.of("'#'", "1", "2", "-1"))
              + ", "
              + any(depth)
              + ", "
              + any(depth)
              + ")";
      default -> variable() + "(" + any(depth) + ", " + any(depth) + ")";
    };
  }

  private String library(int depth) {
    var a = chance(60) ? leaf() : any(depth);
    var b = leaf();
    var t = chance(70) ? text() : a;
    return switch (random.nextInt(36)) {
      case 0 -> "string.sub(" + t + ", " + b + ", " + number() + ")";
      case 1 -> "string.byte(" + t + ", " + b + ")";
      case 2 ->
          "C(string.rep(" + t + ", " + pick(List.of("0", "2", "3", "-1", "'2'", "2.0")) + "))";
      case 3 -> "string.format(" + pick(FORMATS) + ", " + scalar(a) + ")";
      case 4 -> "string.find(" + t + ", " + pick(PATTERNS) + ")";
      case 5 -> "string.match(" + t + ", " + pick(PATTERNS) + ")";
      case 6 ->
          "string.gsub("
              + t
              + ", "
              + pick(PATTERNS)
              + ", "
              + pick(List.of("'<%0>'", "'%1'", "{a = 1, b = 'B'}", "string.upper", "''", "'%%'"))
              + ")";
      case 7 -> t + " == string.reverse(" + t + ")";
      case 8 -> "(" + t + "):upper()";
      case 9 -> "math.floor(" + a + ")";
      case 10 -> "math.max(" + a + ", " + b + ")";
      case 11 -> "math.fmod(" + a + ", " + b + ")";
      case 12 -> "math.tointeger(" + a + ")";
      case 13 -> "math.type(" + a + ")";
      case 14 -> "math.abs(" + a + ")";
      case 15 -> "math.ult(" + a + ", " + b + ")";
      case 16 -> "tonumber(" + a + ")";
      case 17 -> "tonumber(" + t + ", " + pick(List.of("2", "10", "16", "36")) + ")";
      case 18 -> "type(" + a + ")";
      case 19 -> "S(" + a + ")";
      case 20 -> "table.concat(" + (chance(60) ? table(0) : a) + ", " + text() + ")";
      case 21 -> "table.unpack(" + (chance(70) ? table(0) : a) + ")";
      case 22 -> "rawget(" + a + ", " + b + ")";
      case 23 -> "rawequal(" + a + ", " + b + ")";
      case 24 -> "getmetatable(" + a + ")";
      case 25 -> "assert(" + a + ", " + b + ")";
      case 26 -> "pcall(error, " + a + ")";
      case 27 -> "utf8.char(" + pick(List.of("65", "228", "8364", "-1", "0x110000")) + ", 66)";
      case 28 -> "utf8.len(" + t + ")";
      case 29 -> "utf8.codepoint(" + t + ", 1, -1)";
      case 30 -> "math.ceil(" + a + ")";
      case 31 -> "math.modf(" + a + ")";
      case 32 -> "string.unpack('<i4', string.pack('<i4', " + a + "))";
      case 33 -> "table.remove(" + table(0) + ", " + pick(List.of("1", "2", "9")) + ")";
      case 34 -> "next(" + (chance(50) ? "{" + b + "}" : a) + ")";
      default -> "string.len(" + t + ")";
    };
  }

  private String scalar(String value) {
    return chance(80) ? number() : chance(50) ? text() : "S(" + value + ")";
  }
}
