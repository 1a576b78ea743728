package verwalter.scheduler.simulation;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import verwalter.scheduler.compare.Placements;

/** The instances that run if all nodes apply the schedule. Pure. */
final class Running {
  /**
   * The {@code instances} of the next input: all instances that are scheduled on available nodes.
   */
  static Map<String, Object> instances(
      Map<String, Object> schedule, Set<String> nodes, long since) {
    var instances = new TreeMap<String, Object>();
    Placements.of(schedule)
        .roles()
        .forEach(
            (role, places) ->
                places.forEach(
                    (node, place) -> {
                      if (nodes.contains(node)) {
                        @SuppressWarnings("unchecked") // only such maps are put here
                        var its =
                            (Map<String, Object>)
                                instances.computeIfAbsent(
                                    node, name -> new TreeMap<String, Object>());
                        its.put(role, instance(role, place, since));
                      }
                    }));
    return instances;
  }

  private static Map<String, Object> instance(String role, Placements.Place place, long since) {
    var instance = new TreeMap<String, Object>();
    if (!place.version().isEmpty()) {
      instance.put("version", place.version());
    }
    instance.put("state", "running");
    instance.put("since", since);
    instance.put("desired", place.count());
    instance.put("running", place.count());
    instance.put("restarts", 0L);
    instance.put("reason", "");
    var processes = new TreeMap<String, Object>();
    for (long i = 0; i < place.count(); i++) {
      processes.put(role + "." + i, Map.of("state", "running", "since", since, "restarts", 0L));
    }
    instance.put("processes", processes);
    return instance;
  }

  private Running() {}
}
