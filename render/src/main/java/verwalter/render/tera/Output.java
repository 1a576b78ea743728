package verwalter.render.tera;

/** Collects text up to a limit. */
final class Output {
  private final StringBuilder text = new StringBuilder();
  private final int limit;

  Output(int limit) {
    this.limit = limit;
  }

  void append(String more) {
    if (text.length() + (long) more.length() > limit) {
      throw new Budget.Exhausted("produces more than " + limit + " characters");
    }
    text.append(more);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
