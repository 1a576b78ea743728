package verwalter.cluster.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import verwalter.cluster.Term;

/**
 * The content of the node that exists while there is a leader: {@code EPOCH MACHINE CLAIM}.
 *
 * @param claim differs for each attempt to lead, so that an attempt whose result was lost is found
 */
record LeaderNode(Term term, String claim) {
  private static final Pattern FORM = Pattern.compile("(\\d{1,18}) (\\S+) (\\S+)");

  byte[] bytes() {
    return "%d %s %s"
        .formatted(term.epoch(), term.leader(), claim)
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Reads the output of {@link #bytes}; empty if it is something else. */
  static Optional<LeaderNode> read(byte[] bytes) {
    var parts = FORM.matcher(new String(bytes, StandardCharsets.UTF_8));
    return parts.matches()
        ? Optional.of(
            new LeaderNode(
                new Term(parts.group(2), Long.parseLong(parts.group(1))), parts.group(3)))
        : Optional.empty();
  }
}
