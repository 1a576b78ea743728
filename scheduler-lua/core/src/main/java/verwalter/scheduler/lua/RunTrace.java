package verwalter.scheduler.lua;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.Scheduler.Reason;

/**
 * Records side information of a run: its reasons, and whether it read the time. Belongs to the
 * thread that runs the program.
 */
public final class RunTrace {
  private static final int MOST = 1_000;
  private static final int LONGEST = 1_000;

  private static final int LONGEST_ANSWER = 100_000;

  /** The largest size of all answers and their ids, in bytes. */
  private static final int MOST_ANSWERED = 1 << 20;

  private final List<Reason> reasons = new ArrayList<>();
  private final Map<String, String> answers = new LinkedHashMap<>();
  private int answered;
  private boolean timeSeen;

  /** Starts a run with an empty record. */
  public void begin() {
    reasons.clear();
    answers.clear();
    answered = 0;
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

  /**
   * Records the answer to an action, from {@code answer(id, json)}. Keeps the first 1,000 answers;
   * a second answer to the same action replaces the first. All answers and ids have 1 MiB at most.
   *
   * @param json the bytes of a JSON text, as characters 0 to 255
   * @return why the answer is refused; empty if it was recorded
   */
  public Optional<String> answer(String id, String json) {
    if (json.length() > LONGEST_ANSWER) {
      return Optional.of("an answer has " + LONGEST_ANSWER + " bytes at most");
    }
    var before = answers.get(id);
    if (before == null && answers.size() >= MOST) {
      return Optional.empty();
    }
    int size = answered + json.length() + (before == null ? id.length() : -before.length());
    if (size > MOST_ANSWERED) {
      return Optional.of("the answers of a run have " + MOST_ANSWERED + " bytes at most");
    }
    answers.put(id, json);
    answered = size;
    return Optional.empty();
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

  /** The answers by action id, each as the bytes of a JSON text. */
  Map<String, String> answers() {
    return Map.copyOf(answers);
  }

  List<Reason> reasons() {
    return List.copyOf(reasons);
  }

  boolean timeless() {
    return !timeSeen;
  }
}
