package verwalter.model;

/**
 * The version of an object or of a store: an epoch in the upper bits and a revision in the lower
 * bits of one number. A version of a later epoch is always larger, so the versions of a store and
 * of the store that replaced it can be compared.
 *
 * <p>The revision has 32 bits. An overflow carries into the epoch, so that versions still grow by
 * one.
 */
public final class Version {
  private static final int REVISION_BITS = 32;
  private static final long REVISION_MASK = (1L << REVISION_BITS) - 1;

  /** The largest epoch a version can hold. */
  public static final long LARGEST_EPOCH = Long.MAX_VALUE >> REVISION_BITS;

  /**
   * Combines an epoch and a revision.
   *
   * @throws IllegalArgumentException if the epoch is negative or larger than {@link
   *     #LARGEST_EPOCH}, or the revision has more than 32 bits
   */
  public static long of(long epoch, long revision) {
    if (epoch < 0 || epoch > LARGEST_EPOCH || (revision & ~REVISION_MASK) != 0) {
      throw new IllegalArgumentException(
          "there is no version of epoch %d and revision %d".formatted(epoch, revision));
    }
    return epoch << REVISION_BITS | revision;
  }

  /** The epoch in a version. */
  public static long epoch(long version) {
    return version >>> REVISION_BITS;
  }

  /** The revision in a version. */
  public static long revision(long version) {
    return version & REVISION_MASK;
  }

  private Version() {}
}
