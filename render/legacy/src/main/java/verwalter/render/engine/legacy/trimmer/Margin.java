package verwalter.render.engine.legacy.trimmer;

/** What becomes of the white space beside an output; of two that meet, the later one here wins. */
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
