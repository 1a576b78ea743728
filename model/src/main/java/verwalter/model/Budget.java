package verwalter.model;

/**
 * How much a text may unfold to: with aliases a small one can mean a huge one. Every value costs
 * one, every character of a scalar one more.
 */
final class Budget {
  private long left;

  Budget(long size) {
    left = size;
  }

  /** Whether the value may still be there. */
  boolean allows(int characters) {
    left -= 1L + characters;
    return left >= 0;
  }
}
