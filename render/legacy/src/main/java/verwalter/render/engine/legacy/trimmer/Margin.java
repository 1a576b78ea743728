package verwalter.render.engine.legacy.trimmer;

/**
 * The handling of white space beside an output. Where two meet, the later constant here has
 * precedence.
 */
enum Margin {
  KEPT,
  SPACE,
  STRIPPED;

  static Margin of(char sign) {
    return sign == '-' ? STRIPPED : sign == '+' ? SPACE : KEPT;
  }

  Margin or(Margin other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
