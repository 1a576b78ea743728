package verwalter.supervisor.embedded;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How a run is confined.
 *
 * @param groups the directories of its cgroups; empty if none could be made
 * @param memory the limit of memory in bytes that its cgroup enforces
 * @param unenforced why limits are not enforced; empty if all are
 */
record Confinement(List<Path> groups, Optional<Long> memory, String unenforced) {
  static final Confinement NONE = new Confinement(List.of(), Optional.empty(), "");

  Confinement {
    groups = List.copyOf(groups);
  }
}
