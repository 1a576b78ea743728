package verwalter.model;

/**
 * The version of an object and of a store: an epoch above a revision, in one number. A later epoch
 * is always larger, whatever its revision, so versions of one store and of the store that replaced
 * it can be compared.
 *
 * <p>The revision has 32 bits. One that overflows carries into the epoch: versions still grow by
 * one.
 */
public final class Version {
  private static final int REVISION_BITS = 32;
  private static final long REVISION_MASK = (1L << REVISION_BITS) - 1;

  /** The largest epoch a version can hold. */
  public static final long LARGEST_EPOCH = Long.MAX_VALUE >> REVISION_BITS;

  /**
   * The version of a revision in an epoch.
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
