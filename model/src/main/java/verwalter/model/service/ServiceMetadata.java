package verwalter.model.service;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.VersionSettings;
import verwalter.model.json.Json;

/**
 * A revision of a service as metadata of a version of a role, so that any scheduler can schedule
 * it: {@code daemons} as {@code make_scheduler} reads them, {@code scale}, {@code place} and {@code
 * rollout} for the standard scheduler, and the commands for the nodes. Pure.
 */
public final class ServiceMetadata {
  /** The entry with the digest of the file's content, by which revisions are compared. */
  public static final String DIGEST = "digest";

  /** The entry with the number of each process, as the file gives it. */
  static final String SCALE = "scale";

  /** The entry with the commands that run by time: on {@code one} node, or on {@code each}. */
  static final String CRON = "cron";

  private static final String TIMESTAMP = "timestamp";

  /**
   * The metadata of a revision.
   *
   * @param at when the file was read first with this content
   */
  public static Map<String, Object> of(ServiceSource source, Instant at) {
    var metadata = new LinkedHashMap<String, Object>(content(source));
    metadata.put(DIGEST, digest(source));
    metadata.put(TIMESTAMP, at.getEpochSecond());
    return metadata;
  }

  /** The metadata of a revision of a service without templates. */
  public static Map<String, Object> of(ServiceFile file, Instant at) {
    return of(new ServiceSource(file), at);
  }

  /**
   * The digest of the content of a file and its templates; comments and the order of fields do not
   * count.
   */
  public static String digest(ServiceSource source) {
    return Json.hash(content(source));
  }

  /** The digest of the content of a file without templates. */
  public static String digest(ServiceFile file) {
    return digest(new ServiceSource(file));
  }

  /** The digest of a revision. */
  public static Optional<String> digestOf(Object metadata) {
    return Optional.ofNullable(Json.object(metadata).get(DIGEST)).map(String::valueOf);
  }

  private static Map<String, Object> content(ServiceSource source) {
    var file = source.file();
    var daemons = new LinkedHashMap<String, Object>();
    var scale = new LinkedHashMap<String, Object>();
    var commands = new LinkedHashMap<String, Object>();
    file.processes()
        .forEach(
            (name, process) -> {
              daemons.put(name, Map.of("variables", ports(process)));
              scale.put(name, scale(process));
              commands.put(name, ServiceCommand.of(process).json());
            });
    var cron = new LinkedHashMap<String, Object>();
    file.commands()
        .forEach(
            (name, task) -> {
              commands.put(name, ServiceCommand.of(task).json());
              task.times().ifPresent(times -> cron.put(name, task.everywhere() ? "each" : "one"));
            });
    var content = new LinkedHashMap<String, Object>();
    content.put("template", "");
    if (!cron.isEmpty()) {
      content.put(CRON, cron);
    }
    content.put("daemons", daemons);
    content.put(SCALE, scale);
    file.place().ifPresent(place -> content.put("place", place(place)));
    content.put("rollout", rollout(file.update().orElse(ServiceUpdate.STANDARD)));
    content.put(VersionSettings.PROCESSES, commands);
    file.image().ifPresent(image -> content.put("image", image.json()));
    var files = source.files();
    if (!files.isEmpty()) {
      content.put(VersionSettings.FILES, files);
    }
    return content;
  }

  private static Map<String, Object> ports(ServiceProcess process) {
    var variables = new LinkedHashMap<String, Object>();
    process
        .portRanges()
        .forEach(
            (name, range) ->
                variables.put(name, Map.of("type", "TcpPort", "ports", List.of(range.toString()))));
    return variables;
  }

  private static Map<String, Object> scale(ServiceProcess process) {
    if (process.perNode().isPresent()) {
      return Map.of("per_node", (long) process.perNode().get());
    }
    if (process.percent().isPresent()) {
      return Map.of("percent", (long) process.percent().get());
    }
    return Map.of("instances", (long) process.instances().orElse(1));
  }

  private static Map<String, Object> place(ServicePlacement place) {
    var json = new LinkedHashMap<String, Object>();
    if (!place.labels().isEmpty()) {
      json.put("labels", place.labels());
    }
    place.spread().filter(name -> !name.equals("host")).ifPresent(it -> json.put("spread", it));
    return json;
  }

  /** The settings of an update in the words of the Lua library. */
  private static Map<String, Object> rollout(ServiceUpdate update) {
    var json = new LinkedHashMap<String, Object>();
    if (update.substeps().isPresent()) {
      json.put("strategy", "substeps");
      json.put("step_percent", percentOf(update.substeps().get()));
    } else if (update.canaryPercent().isPresent()) {
      json.put("strategy", "canary");
      json.put("canary_percent", (long) update.canaryPercent().get());
    } else {
      json.put("strategy", update.blueGreen() ? "blue_green" : "one_by_one");
    }
    json.put("warmup_sec", update.readySeconds());
    update.deadlineSeconds().ifPresent(seconds -> json.put("deadline_sec", seconds));
    json.put("auto", update.canary().isEmpty());
    json.put("auto_revert", update.onFailure() == ServiceUpdate.OnFailure.REVERT);
    return json;
  }

  /** The percentage of one of {@code n} steps, rounded up. */
  private static long percentOf(int n) {
    return (100L + n - 1) / n;
  }

  private ServiceMetadata() {}
}
