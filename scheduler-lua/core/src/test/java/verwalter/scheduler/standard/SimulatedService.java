package verwalter.scheduler.standard;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import verwalter.model.RoleConfig;
import verwalter.model.RoleIntent;
import verwalter.model.json.Json;
import verwalter.model.service.ServiceFile;
import verwalter.model.service.ServiceRevisions;

/** A service whose file changes: its revisions, as the leader reads them. */
final class SimulatedService {
  final String name;
  final Map<String, Object> intent = new TreeMap<>();
  private final RandomFile file;
  private final Map<String, Behaviour> behaviours = new TreeMap<>();
  private final Map<Integer, Behaviour> contents = new TreeMap<>();
  private final Map<String, ServiceFile> files = new TreeMap<>();
  private RoleConfig.Spec spec = new RoleConfig.Spec(Map.of(), Map.of(), Optional.empty());
  private String newest = "";

  SimulatedService(String name, Random random, int firstPort) throws Exception {
    this.name = name;
    this.file = new RandomFile(random, firstPort);
    read(Behaviour.good(random), Instant.EPOCH);
  }

  void change(Behaviour behaviour, long now) throws Exception {
    file.change();
    read(behaviour, Instant.ofEpochMilli(now));
  }

  private void read(Behaviour behaviour, Instant now) throws Exception {
    var content = file.read();
    var before = spec;
    spec = ServiceRevisions.next(spec, content, now);
    var its = contents.computeIfAbsent(file.content(), number -> behaviour);
    if (!spec.equals(before)) {
      newest = "v" + (files.size() + 1);
      files.put(newest, content);
      behaviours.put(newest, its);
    }
  }

  String newest() {
    return newest;
  }

  Behaviour behaviour(String version) {
    return Objects.requireNonNull(behaviours.get(version), version);
  }

  ServiceFile file(String version) {
    return Objects.requireNonNull(files.get(version), version);
  }

  /** Whether a revision has a process of this name, and may still run. */
  boolean has(String version, String process) {
    var commands =
        Json.object(Json.object(spec.versions().get(version)).get("verwalter.io/processes"));
    return commands.containsKey(process);
  }

  Map<String, Object> runtime() {
    var all = new LinkedHashMap<>(Json.object(spec.runtime()));
    if (!intent.isEmpty()) {
      all.put(RoleIntent.KEY, Map.copyOf(intent));
    }
    return all;
  }

  String text() {
    return file.text();
  }
}
