package verwalter.stores.api;

import java.util.OptionalLong;

/**
 * A condition on the epoch of the store, for writes of the present leader.
 *
 * @param epoch the epoch in which the write may be committed; empty for any
 */
public record Fence(OptionalLong epoch) {
  /** No condition. */
  public static final Fence NONE = new Fence(OptionalLong.empty());

  /**
   * Creates a fence. The write is refused with {@link StoreException.Fenced} unless the store is in
   * {@code epoch}.
   */
  public static Fence epoch(long epoch) {
    return new Fence(OptionalLong.of(epoch));
  }

  /** Whether a write with this fence may be committed in the epoch {@code present}. */
  public boolean admits(long present) {
    return epoch.isEmpty() || epoch.getAsLong() == present;
  }
}
