package verwalter.scheduler.lua.syntax;

/** A position in the source with syntax of Lua 5.3 that 5.2 lacks. */
public sealed interface Rewrite {
  /** A binary operator of 5.3. */
  record Infix(Operator operator, int start, int operatorAt, int end) implements Rewrite {}

  /** The unary operator {@code ~}. */
  record Prefix(int start, int end) implements Rewrite {}

  /** A quoted string with its value; long strings are not included. */
  record Quoted(int start, int end, String value) implements Rewrite {}
}
