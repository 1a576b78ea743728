package verwalter.agent;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Turns what a demo sees of its nodes into lines for its user. It tells each change once. */
final class DemoView {
  /** The state of an agent. */
  enum State {
    STARTING,
    ANSWERS,
    SILENT,
    STOPPED,
    ENDED
  }

  /**
   * The observed state of a node.
   *
   * @param pid the process id of its agent
   * @param leads whether it says that it leads
   * @param knows whether it knows a leader
   */
  record Observed(String node, long pid, State state, boolean leads, boolean knows) {}

  private final Map<String, State> states = new HashMap<>();
  private Optional<String> leader = Optional.empty();
  private boolean alone;

  /** The node that leads, as far as was seen. */
  Optional<String> leader() {
    return leader;
  }

  /** The lines for the changes since the last time. */
  List<String> lines(List<Observed> sights) {
    var lines = new ArrayList<String>();
    for (var sight : sights) {
      var before = states.put(sight.node(), sight.state());
      if (before != sight.state()) {
        line(sight, Optional.ofNullable(before)).ifPresent(lines::add);
      }
    }
    var answering = sights.stream().filter(each -> each.state() == State.ANSWERS).toList();
    // A node that was stopped for a while may believe for a moment that it still leads.
    var leading = answering.stream().filter(Observed::leads).toList();
    if (leading.size() == 1) {
      var now = leading.get(0);
      if (!leader.equals(Optional.of(now.node()))) {
        lines.add("* %s leads (pid %d)".formatted(now.node(), now.pid()));
      }
      leader = Optional.of(now.node());
      alone = false;
    } else if (!answering.isEmpty() && answering.stream().noneMatch(Observed::knows) && !alone) {
      lines.add("! no node leads; asked " + names(answering));
      leader = Optional.empty();
      alone = true;
    }
    return lines;
  }

  private static String names(List<Observed> sights) {
    return sights.stream().map(Observed::node).collect(Collectors.joining(", "));
  }

  private static Optional<String> line(Observed sight, Optional<State> before) {
    return switch (sight.state()) {
      case STARTING -> Optional.empty();
      case ANSWERS ->
          before.filter(state -> state != State.STARTING).isPresent()
              ? Optional.of("* %s answers again".formatted(sight.node()))
              : Optional.of("* %s answers".formatted(sight.node()));
      case SILENT -> Optional.of("! %s does not answer".formatted(sight.node()));
      case STOPPED ->
          Optional.of(
              "! %s is stopped; continue it: kill -CONT %d".formatted(sight.node(), sight.pid()));
      case ENDED -> Optional.of("! %s has ended; its processes run on".formatted(sight.node()));
    };
  }
}
