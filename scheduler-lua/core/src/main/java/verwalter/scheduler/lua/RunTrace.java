package verwalter.scheduler.lua;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import verwalter.model.Scheduler.Reason;

/**
 * Records side information of a run: its reasons, and whether it read the time. Belongs to the
 * thread that runs the program.
 */
public final class RunTrace {
  private static final int MOST = 1_000;
  private static final int LONGEST = 1_000;

  private final List<Reason> reasons = new ArrayList<>();
  private boolean timeSeen;

  /** Starts a run with an empty record. */
  public void begin() {
    reasons.clear();
    timeSeen = false;
  }

  /**
   * Records a reason, from {@code reason(role, text)} or {@code reason(role, node, text)}. Keeps
   * the first 1,000 reasons, and the first 1,000 characters of each. Texts are UTF-8 bytes as
   * Latin-1.
   */
  public void reason(String role, Optional<String> node, String text) {
    if (reasons.size() < MOST) {
      reasons.add(new Reason(shortened(role), node.map(RunTrace::shortened), shortened(text)));
    }
  }

  /** Converts bytes as Latin-1, the strings of engines, to text. */
  private static String shortened(String latin1) {
    var bytes = latin1.getBytes(StandardCharsets.ISO_8859_1);
    var text = new String(bytes, StandardCharsets.UTF_8);
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
  }

  /** Records that the program read {@code input.now}. */
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
