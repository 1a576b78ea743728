package verwalter.scheduler.lua.syntax;

/** The binary operators, except {@code and} and {@code or}, with their precedence. */
public enum Operator {
  ADD("add", 10, 10),
  SUB("sub", 10, 10),
  MUL("mul", 11, 11),
  MOD("mod", 11, 11),
  POW("pow", 14, 13),
  DIV("div", 11, 11),
  IDIV("idiv", 11, 11),
  BAND("band", 6, 6),
  BOR("bor", 4, 4),
  BXOR("bxor", 5, 5),
  SHL("shl", 7, 7),
  SHR("shr", 7, 7),
  CONCAT("concat", 9, 8),
  EQ("eq", 3, 3),
  NE("eq", 3, 3),
  LT("lt", 3, 3),
  LE("le", 3, 3),
  GT("lt", 3, 3),
  GE("le", 3, 3),
  AND("and", 2, 2),
  OR("or", 1, 1);

  static final int UNARY = 12;

  private final String event;
  final int left;
  final int right;

  Operator(String event, int left, int right) {
    this.event = event;
    this.left = left;
    this.right = right;
  }

  /** The name of its metamethod without the two underscores. */
  public String event() {
    return event;
  }
}
