package verwalter.model.codec;

/**
 * Limits the expanded size of a text, since aliases may expand a small text to a huge one. Each
 * value costs one, and each character of a scalar one more.
 */
final class ValueBudget {
  private long left;

  ValueBudget(long size) {
    left = size;
  }

  /** Whether the budget allows another value. */
  boolean allows(int characters) {
    left -= 1L + characters;
    return left >= 0;
  }
}
