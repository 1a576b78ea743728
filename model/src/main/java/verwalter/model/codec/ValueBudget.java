package verwalter.model.codec;

/**
 * How much a text may unfold to: with aliases a small one can mean a huge one. Every value costs
 * one, every character of a scalar one more.
 */
final class ValueBudget {
  private long left;

  ValueBudget(long size) {
    left = size;
  }

  /** Whether the value may still be there. */
  boolean allows(int characters) {
    left -= 1L + characters;
    return left >= 0;
  }
}
