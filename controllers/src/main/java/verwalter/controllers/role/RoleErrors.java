package verwalter.controllers.role;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.InstanceError;
import verwalter.model.Reason;

/**
 * The errors of the instances of one role. Pure.
 *
 * @param errors the errors by node
 * @param unknown the nodes on which it is unknown whether the role has an error; their last errors
 *     are not among {@code errors}
 */
record RoleErrors(SortedMap<String, InstanceError> errors, SortedSet<String> unknown) {
  /** How many nodes a message names. */
  static final int NAMED = 5;

  RoleErrors {
    errors = new TreeMap<>(errors);
    unknown = new TreeSet<>(unknown);
  }

  /**
   * The condition {@code Healthy}: false with an error, otherwise unknown with an unknown node. The
   * message has the error of the first node by name, so it stays the same while the errors do.
   */
  Condition condition(long generation, Instant now) {
    if (!errors.isEmpty()) {
      return Condition.ofFalse(
          ConditionType.HEALTHY, Reason.INSTANCES_FAILED, failed(), generation, now);
    }
    return unknown.isEmpty()
        ? Condition.ofTrue(ConditionType.HEALTHY, Reason.NO_ERRORS, "", generation, now)
        : Condition.ofUnknown(
            ConditionType.HEALTHY,
            Reason.INSTANCES_UNKNOWN,
            "unknown on " + names(unknown),
            generation,
            now);
  }

  private String failed() {
    var entry = errors.entrySet().iterator().next();
    var first = entry.getKey();
    var parts = new ArrayList<String>();
    parts.add("%s: %s".formatted(first, entry.getValue().text()));
    int more = errors.size() - 1;
    if (more > 0) {
      var others = new TreeSet<>(errors.keySet());
      others.remove(first);
      parts.add("and %d more on %s".formatted(more, names(others)));
    }
    if (!unknown.isEmpty()) {
      parts.add("unknown on " + names(unknown));
    }
    return String.join("; ", parts);
  }

  private static String names(Collection<String> nodes) {
    List<String> named = nodes.stream().limit(NAMED).toList();
    int rest = nodes.size() - named.size();
    return String.join(", ", named) + (rest > 0 ? " and %d other nodes".formatted(rest) : "");
  }
}
