package verwalter.scheduler.lua.syntax;

/** A place where Lua 5.3 has syntax that 5.2 lacks, as found in the source text. */
public sealed interface Rewrite {
  /** An operator of 5.3 with two operands. */
  record Infix(Operator operator, int start, int operatorAt, int end) implements Rewrite {}

  /** The operator {@code ~} before one operand. */
  record Prefix(int start, int end) implements Rewrite {}

  /** A quoted string, with its value; long strings are not mentioned. */
  record Quoted(int start, int end, String value) implements Rewrite {}
}
