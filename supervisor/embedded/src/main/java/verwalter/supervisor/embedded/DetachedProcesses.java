package verwalter.supervisor.embedded;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;

/**
 * Processes that left the session of their program, by run. A process is reported once two
 * successive audits found it, since many programs start short ones. Belongs to the loop.
 */
final class DetachedProcesses {
  /** The number of processes of one run that are reported: those with the lowest ids. */
  static final int MOST = 10;

  private Map<String, SortedSet<Long>> last = Map.of();
  private Map<String, List<Long>> reported = Map.of();

  /**
   * Takes the result of an audit.
   *
   * @param found process ids by run
   * @return the runs whose reported processes changed
   */
  Set<String> update(Map<String, SortedSet<Long>> found) {
    var next = new HashMap<String, List<Long>>();
    found.forEach(
        (run, pids) -> {
          Set<Long> before = last.getOrDefault(run, Collections.emptySortedSet());
          var both = pids.stream().filter(before::contains).limit(MOST).toList();
          if (!both.isEmpty()) {
            next.put(run, both);
          }
        });
    var changed = new HashSet<>(reported.keySet());
    changed.addAll(next.keySet());
    changed.removeIf(run -> Objects.equals(reported.get(run), next.get(run)));
    last = Map.copyOf(found);
    reported = next;
    return changed;
  }

  /** The reported processes of a run, in order. */
  List<Long> of(String run) {
    return reported.getOrDefault(run, List.of());
  }
}
