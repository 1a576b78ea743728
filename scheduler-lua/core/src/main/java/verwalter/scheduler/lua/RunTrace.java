package verwalter.scheduler.lua;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import verwalter.model.Scheduler.Reason;

/**
 * What a run leaves besides its results: the reasons it gave, and whether it looked at the time.
 * Owned by the thread that runs the program.
 */
public final class RunTrace {
  private static final int MOST = 1_000;
  private static final int LONGEST = 1_000;

  private final List<Reason> reasons = new ArrayList<>();
  private boolean timeSeen;

  /** Starts a run with an empty sheet. */
  public void begin() {
    reasons.clear();
    timeSeen = false;
  }

  /**
   * Keeps a reason: what a program says with {@code reason(role, text)} or {@code reason(role,
   * node, text)}. Of those beyond the first 1,000 nothing is kept, and of each the first 1,000
   * characters. Texts are bytes of UTF-8 as Latin-1.
   */
  public void reason(String role, Optional<String> node, String text) {
    if (reasons.size() < MOST) {
      reasons.add(new Reason(shortened(role), node.map(RunTrace::shortened), shortened(text)));
    }
  }

  /** Bytes as Latin-1, as engines hold them, to text. */
  private static String shortened(String latin1) {
    var bytes = latin1.getBytes(StandardCharsets.ISO_8859_1);
    var text = new String(bytes, StandardCharsets.UTF_8);
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
  }

  /** The program has looked at {@code input.now}. */
  public void timeSeen() {
    timeSeen = true;
  }

  List<Reason> reasons() {
    return List.copyOf(reasons);
  }

  boolean timeless() {
    return !timeSeen;
  }
}
