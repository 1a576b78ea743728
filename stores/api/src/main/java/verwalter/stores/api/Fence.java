package verwalter.stores.api;

import java.util.OptionalLong;

/**
 * A condition on the epoch of the store, for writes that only the present leader may make.
 *
 * @param epoch the epoch in which the write may be committed; empty for any
 */
public record Fence(OptionalLong epoch) {
  /** No condition. */
  public static final Fence NONE = new Fence(OptionalLong.empty());

  /** Refused with {@link StoreException.Fenced} unless {@code epoch} is the store's. */
  public static Fence epoch(long epoch) {
    return new Fence(OptionalLong.of(epoch));
  }

  /** Whether a write with this fence may be committed in {@code present}, the store's epoch. */
  public boolean admits(long present) {
    return epoch.isEmpty() || epoch.getAsLong() == present;
  }
}
