package verwalter.model.service;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import verwalter.model.Names;
import verwalter.model.json.FieldPath;
import verwalter.model.json.FieldRefusal;

/** Checks the order in which the processes of a service are stopped. Pure. */
final class ServiceStopOrder {
  private static final FieldPath PROCESSES = FieldPath.ROOT.field("processes");

  private final Map<String, ServiceProcess> processes;
  private final Set<String> checked = new HashSet<>();
  private final List<String> way = new ArrayList<>();

  private ServiceStopOrder(Map<String, ServiceProcess> processes) {
    this.processes = processes;
  }

  /**
   * Refuses names of no process, and processes that would wait for each other.
   *
   * @throws FieldRefusal with the place of the name
   */
  static void check(Map<String, ServiceProcess> processes) {
    var order = new ServiceStopOrder(processes);
    processes.forEach(order::checkNames);
    processes.keySet().forEach(order::follow);
  }

  private void checkNames(String process, ServiceProcess its) {
    for (int at = 0; at < its.after().size(); at++) {
      var name = its.after().get(at);
      if (!processes.containsKey(name)) {
        var near =
            name.length() > 100
                ? Optional.<String>empty()
                : Names.nearest(name, processes.keySet());
        throw new FieldRefusal(
            place(process, at),
            "there is no process %s; the processes are %s"
                .formatted(shown(name), String.join(", ", processes.keySet())),
            near);
      }
    }
  }

  private static String shown(String name) {
    return name.length() <= 100 ? name : name.substring(0, 100) + "...";
  }

  /** Follows the names from a process. The way is never longer than the number of processes. */
  private void follow(String process) {
    if (checked.contains(process)) {
      return;
    }
    way.add(process);
    var after = Objects.requireNonNull(processes.get(process)).after(); // the names are checked
    for (int at = 0; at < after.size(); at++) {
      int start = way.indexOf(after.get(at));
      if (start >= 0) {
        var cycle = new ArrayList<>(way.subList(start, way.size()));
        cycle.add(after.get(at));
        throw new FieldRefusal(
            place(process, at),
            "these processes would wait for each other: " + String.join(" after ", cycle),
            Optional.empty());
      }
      follow(after.get(at));
    }
    way.remove(way.size() - 1);
    checked.add(process);
  }

  private static FieldPath place(String process, int index) {
    return PROCESSES.field(process).field("after").item(index);
  }
}
