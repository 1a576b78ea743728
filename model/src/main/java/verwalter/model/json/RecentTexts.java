package verwalter.model.json;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Lets objects that are read from bytes share their short texts. Names of roles, nodes and
 * conditions occur in many objects; each reading would make new texts of them.
 */
public final class RecentTexts {
  /** Longer texts, such as messages, seldom occur twice. */
  private static final int LONGEST = 64;

  /** The texts that were read last, by their hash: at most 1.3 MB. */
  private static final AtomicReferenceArray<@Nullable String> RECENT =
      new AtomicReferenceArray<>(1 << 13);

  /** An equal text that was read before, or {@code text} itself. Any thread may call it. */
  public static String shared(String text) {
    if (text.length() > LONGEST) {
      return text;
    }
    int hash = text.hashCode();
    int place = (hash ^ (hash >>> 16)) & (RECENT.length() - 1);
    var recent = RECENT.get(place);
    if (text.equals(recent)) {
      return recent;
    }
    RECENT.set(place, text);
    return text;
  }

  private RecentTexts() {}
}
