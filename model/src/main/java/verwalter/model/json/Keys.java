package verwalter.model.json;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The keys of frozen mappings, in order. Mappings with the same keys share one instance, so that
 * each of them costs little more than its values.
 */
final class Keys {
  /** Up to this number, keys are searched linearly. */
  private static final int FEW = 8;

  /** Mappings with more keys than this do not share them. */
  private static final int SHARED_AT_MOST = 1 << 13;

  /** The most recently used keys, by their hash. An entry may be replaced at any time. */
  private static final AtomicReferenceArray<@Nullable WeakReference<Keys>> RECENT =
      new AtomicReferenceArray<>(1 << 12);

  private static final int[] NO_SLOTS = {};

  private final @Nullable Object[] all;

  /**
   * A hash table with open addressing: the index of a key plus one, or 0; empty if there are few
   * keys.
   */
  private final int[] slots;

  /** The indexes in canonical order, once they were needed; not changed afterwards. */
  private volatile int @Nullable [] order;

  private Keys(@Nullable Object[] all) {
    this.all = all;
    this.slots = all.length <= FEW ? NO_SLOTS : slots(all);
  }

  /**
   * Returns these keys, which must be distinct. Takes ownership of the array: the caller must not
   * use it afterwards.
   */
  static Keys of(@Nullable Object[] all) {
    if (all.length > SHARED_AT_MOST) {
      return new Keys(all);
    }
    int place = spread(Arrays.hashCode(all)) & (RECENT.length() - 1);
    var recent = RECENT.get(place);
    var known = recent == null ? null : recent.get();
    if (known != null && Arrays.equals(known.all, all)) {
      return known;
    }
    var made = new Keys(all);
    RECENT.set(place, new WeakReference<>(made));
    return made;
  }

  int size() {
    return all.length;
  }

  @Nullable Object get(int index) {
    return all[index];
  }

  /** The index of the key; -1 if there is no such key. */
  int find(@Nullable Object key) {
    if (slots.length == 0) {
      for (int i = 0; i < all.length; i++) {
        if (equal(key, all[i])) {
          return i;
        }
      }
      return -1;
    }
    int mask = slots.length - 1;
    for (int at = hash(key) & mask; slots[at] != 0; at = (at + 1) & mask) {
      if (equal(key, all[slots[at] - 1])) {
        return slots[at] - 1;
      }
    }
    return -1;
  }

  /** The indexes of the keys, which are texts, in canonical order. Not to be changed. */
  int[] order() {
    var known = order;
    if (known == null) {
      known =
          IntStream.range(0, all.length)
              .boxed()
              .sorted(Comparator.comparing(index -> (String) all[index], CanonicalJson.BY_UTF8))
              .mapToInt(Integer::intValue)
              .toArray();
      order = known;
    }
    return known;
  }

  /** Creates the hash table. At least half of the slots are free, so that searches are short. */
  private static int[] slots(@Nullable Object[] all) {
    var slots = new int[Integer.highestOneBit(all.length) << 2];
    int mask = slots.length - 1;
    for (int i = 0; i < all.length; i++) {
      int at = hash(all[i]) & mask;
      while (slots[at] != 0) {
        at = (at + 1) & mask;
      }
      slots[at] = i + 1;
    }
    return slots;
  }

  private static boolean equal(@Nullable Object one, @Nullable Object other) {
    return one == other || (one != null && one.equals(other));
  }

  private static int hash(@Nullable Object key) {
    return key == null ? 0 : spread(key.hashCode());
  }

  private static int spread(int hash) {
    return hash ^ (hash >>> 16);
  }
}
