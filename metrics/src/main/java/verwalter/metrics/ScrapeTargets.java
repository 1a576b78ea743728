package verwalter.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessGroup.State;
import verwalter.model.ProcessSpec;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.json.Json;

/**
 * Finds the running processes of a node and their metrics endpoints in the metadata of their
 * versions. A daemon is identified by image and configuration. Pure.
 */
final class ScrapeTargets {
  private static final Pattern SLOT = Pattern.compile("[^/]*/(.*)\\.\\d+");
  private static final Pattern PATH = Pattern.compile("/[!-~]{0,1000}");

  static List<ScrapeTarget> of(
      String node,
      List<Resource<ProcessGroup.Spec, ProcessGroup.Status>> groups,
      List<Resource<RoleConfig.Spec, RoleConfig.Status>> roles) {
    var metadata = new HashMap<String, Map<String, Object>>();
    roles.forEach(role -> metadata.put(role.name(), role.spec().versions()));
    var targets = new ArrayList<ScrapeTarget>();
    for (var group : groups) {
      if (group.spec().node().equals(node) && group.status().isPresent()) {
        var versions = metadata.getOrDefault(group.spec().role(), Map.of());
        var known = new HashMap<String, Found>();
        for (var slot : group.status().get().processes()) {
          if (slot.state() == State.RUNNING && slot.pid().isPresent()) {
            targets.add(target(group, slot, versions, known));
          }
        }
      }
    }
    return targets;
  }

  /** The metadata of an entry of a process file. */
  private record Found(
      Map<String, String> labels, Optional<ScrapeTarget.Endpoint> at, String problem) {}

  private static ScrapeTarget target(
      Resource<ProcessGroup.Spec, ProcessGroup.Status> group,
      ProcessGroup.Slot slot,
      Map<String, Object> versions,
      Map<String, Found> known) {
    var matcher = SLOT.matcher(slot.name());
    var process = matcher.matches() ? matcher.group(1) : slot.name();
    var entry = group.spec().processes().get(process);
    // During an update a slot may still run the previous entry, which has another image.
    var found =
        entry == null || !entry.program().equals(slot.image())
            ? new Found(Map.of(), Optional.empty(), "")
            : known.computeIfAbsent(process, name -> find(name, entry, versions));
    long pid = slot.pid().orElseThrow();
    var labels = new TreeMap<>(found.labels());
    labels.put("pid", Long.toString(pid));
    labels.put("cgroup", "lithos." + slot.name().replaceFirst("/", ":"));
    labels.put("role", group.spec().role());
    labels.put("process", process);
    return new ScrapeTarget(
        group.key(),
        slot.name(),
        group.spec().role(),
        pid,
        slot.restarts(),
        labels,
        found.at(),
        found.problem());
  }

  /**
   * The daemon with this image and configuration; among several, the one with the most similar
   * name.
   */
  private static Found find(String process, ProcessSpec entry, Map<String, Object> versions) {
    var best = new Found(Map.of(), Optional.empty(), "");
    int alike = -1;
    for (var version : new TreeMap<>(versions).entrySet()) {
      var daemons = Json.object(Json.object(version.getValue()).get("daemons"));
      for (var daemon : daemons.entrySet()) {
        var said = Json.object(daemon.getValue());
        int begins = process.startsWith(daemon.getKey()) ? daemon.getKey().length() : 0;
        if (begins > alike
            && entry.image().filter(it -> it.equals(said.get("image"))).isPresent()
            && entry.config().filter(it -> it.equals(said.get("config"))).isPresent()) {
          alike = begins;
          best = found(version.getKey(), daemon.getKey(), said.get("metrics"), entry);
        }
      }
    }
    return best;
  }

  private static Found found(
      String version, String daemon, @Nullable Object metrics, ProcessSpec entry) {
    var labels = Map.of("daemon", daemon, "version", version);
    if (metrics == null) {
      return new Found(labels, Optional.empty(), "");
    }
    var where = "%s: daemons.%s.metrics".formatted(version, daemon);
    try {
      return new Found(labels, Optional.of(endpoint(where, metrics, entry)), "");
    } catch (BadRule bad) {
      return new Found(labels, Optional.empty(), String.valueOf(bad.getMessage()));
    }
  }

  private static ScrapeTarget.Endpoint endpoint(String where, Object metrics, ProcessSpec entry)
      throws BadRule {
    if (!(metrics instanceof Map<?, ?> said) || !(said.get("port") instanceof String variable)) {
      throw new BadRule(where + " must name a variable, such as {port: port, path: /metrics}");
    }
    for (var key : said.keySet()) {
      if (!List.of("port", "path").contains(String.valueOf(key))) {
        throw new BadRule("%s has the unknown key %s".formatted(where, key));
      }
    }
    var path = said.containsKey("path") ? said.get("path") : "/metrics";
    if (!(path instanceof String text) || !PATH.matcher(text).matches()) {
      throw new BadRule(where + ".path must begin with / and have no blanks");
    }
    var port = entry.variables().getOrDefault(variable, "");
    if (!port.matches("\\d{1,5}") || Integer.parseInt(port) < 1 || Integer.parseInt(port) > 65535) {
      throw new BadRule(
          "%s.port names the variable %s, which holds no port here: \"%.20s\""
              .formatted(where, variable, port));
    }
    return new ScrapeTarget.Endpoint(Integer.parseInt(port), text);
  }

  private ScrapeTargets() {}
}
