package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A mounted hierarchy of cgroups.
 *
 * @param own the directory of the cgroup that the agent is in, below which it makes others
 * @param controllers the controllers that the hierarchy has
 * @param unified whether this is version 2
 */
record CgroupHierarchy(Path own, Set<String> controllers, boolean unified) {
  private static final Path PROC = Path.of("/proc/self");

  /** The name of the cgroup of an agent whose parent is delegated to it. */
  private static final String SUBGROUP = "agent";

  CgroupHierarchy {
    controllers = Set.copyOf(controllers);
  }

  /** The hierarchies of this machine, version 2 first; none if they cannot be read. */
  static List<CgroupHierarchy> ofThisMachine() {
    try {
      return parse(
          Files.readString(PROC.resolve("mountinfo")), Files.readString(PROC.resolve("cgroup")));
    } catch (IOException unreadable) {
      return List.of();
    }
  }

  /**
   * Parses the hierarchies.
   *
   * @param mounts the content of {@code /proc/self/mountinfo}
   * @param groups the content of {@code /proc/self/cgroup}
   */
  static List<CgroupHierarchy> parse(String mounts, String groups) {
    var paths = paths(groups);
    var all = new ArrayList<CgroupHierarchy>();
    for (var line : mounts.lines().toList()) {
      int dash = line.indexOf(" - ");
      var fields = line.split(" ", -1);
      var type = dash < 0 ? List.<String>of() : List.of(line.substring(dash + 3).split(" ", -1));
      if (fields.length > 4 && type.size() > 2) {
        hierarchy(fields[3], Path.of(fields[4]), type, paths).ifPresent(all::add);
      }
    }
    all.sort((one, other) -> Boolean.compare(other.unified(), one.unified()));
    return all;
  }

  /** The cgroup of this process, by the controllers of its hierarchy; version 2 has none. */
  private static Map<String, String> paths(String groups) {
    var paths = new HashMap<String, String>();
    for (var line : groups.lines().toList()) {
      var parts = line.split(":", 3);
      if (parts.length == 3) {
        for (var controller : parts[1].split(",", -1)) {
          paths.put(controller, parts[2]);
        }
      }
    }
    return paths;
  }

  private static Optional<CgroupHierarchy> hierarchy(
      String root, Path mounted, List<String> type, Map<String, String> paths) {
    if (type.get(0).equals("cgroup2")) {
      return Optional.ofNullable(paths.get(""))
          .map(path -> below(mounted, root, path))
          .map(own -> own.endsWith(SUBGROUP) ? parent(own) : own)
          .map(own -> new CgroupHierarchy(own, available(own), true));
    }
    if (!type.get(0).equals("cgroup")) {
      return Optional.empty();
    }
    var controllers = Arrays.stream(type.get(2).split(",", -1)).filter(paths::containsKey).toList();
    return controllers.stream()
        .findFirst()
        .map(first -> below(mounted, root, paths.getOrDefault(first, "/")))
        .map(own -> new CgroupHierarchy(own, Set.copyOf(controllers), false));
  }

  private static Path parent(Path path) {
    var parent = path.getParent();
    return parent == null ? path : parent;
  }

  /** A container may see only a part of the hierarchy. */
  private static Path below(Path mounted, String root, String path) {
    var rest = !root.equals("/") && path.startsWith(root) ? path.substring(root.length()) : path;
    return mounted.resolve(rest.replaceFirst("^/+", "")).normalize();
  }

  private static Set<String> available(Path own) {
    try {
      return Set.of(Files.readString(own.resolve("cgroup.controllers")).strip().split(" +"));
    } catch (IOException | IllegalArgumentException unreadable) {
      return Set.of();
    }
  }
}
