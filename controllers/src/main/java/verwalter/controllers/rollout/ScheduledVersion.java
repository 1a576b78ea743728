package verwalter.controllers.rollout;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import verwalter.model.json.Json;

/**
 * The version that a schedule wants for a role, and the update that leads to it. Of a scheduler
 * that is not made by the library, only the versions of each node are known. Pure.
 *
 * @param target the version that shall run
 * @param source the version that ran before, if an update is under way
 * @param update the update that is under way
 * @param failed why versions have failed, by version
 * @param desired the number of processes on all nodes; empty if only the nodes know it
 * @param nodes the number of processes on each node; absent if only the node knows it
 */
record ScheduledVersion(
    String target,
    Optional<String> source,
    Optional<Update> update,
    Map<String, String> failed,
    Optional<Integer> desired,
    Map<String, Optional<Integer>> nodes) {
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss 'UTC'").withZone(ZoneOffset.UTC);

  /**
   * An update that is under way.
   *
   * @param steps the names of its steps in their order
   * @param step the present one
   * @param paused whether an operator has to decide before it goes on
   * @param trouble why it goes back, or was paused
   * @param back whether it goes back
   * @param waitsFor what it waits for, in words
   * @param deadline when it fails if it still waits for the same
   * @param began when it began
   */
  record Update(
      List<String> steps,
      String step,
      boolean paused,
      Optional<String> trouble,
      boolean back,
      String waitsFor,
      Optional<Instant> deadline,
      Instant began) {}

  /**
   * Reads the data of a schedule.
   *
   * @param known the version of the newest rollout
   * @param open whether that rollout is under way; then its version is wanted while any node has it
   */
  static Optional<ScheduledVersion> of(
      Map<String, Object> data, String role, String known, boolean open) {
    var nodes = new TreeMap<String, Optional<Integer>>();
    var versions = new TreeSet<String>();
    Json.object(data.get("nodes"))
        .forEach(
            (node, layer) -> {
              var its = Json.object(Json.object(Json.object(layer).get("roles")).get(role));
              if (!its.isEmpty()) {
                nodes.put(node, instances(its));
                versions(its, versions);
              }
            });
    var state = Json.object(Json.object(data.get("state")).get(role));
    if (state.get("running") instanceof String running) {
      return Optional.of(made(role, running, state, nodes));
    }
    if (open && versions.contains(known)) {
      versions.retainAll(List.of(known));
    } else if (versions.size() > 1) {
      versions.remove(known);
    }
    return versions.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new ScheduledVersion(
                versions.last(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                nodes));
  }

  /** Reads the state that the library's schedulers keep. */
  private static ScheduledVersion made(
      String role,
      String running,
      Map<String, Object> state,
      Map<String, Optional<Integer>> nodes) {
    var failed = new TreeMap<String, String>();
    Json.object(state.get("failed"))
        .forEach((version, why) -> failed.put(version, text(Json.object(why), "why")));
    int desired =
        Json.object(state.get("counts")).values().stream()
            .mapToInt(count -> count instanceof Number number ? number.intValue() : 0)
            .sum();
    var update = Json.object(state.get("update"));
    if (update.isEmpty()) {
      return new ScheduledVersion(
          running, Optional.empty(), Optional.empty(), failed, Optional.of(desired), nodes);
    }
    var its = update(role, update);
    var source = text(update, "source_ver");
    var target = text(update, "target_ver");
    boolean reverted = its.back() && its.trouble().isEmpty();
    return new ScheduledVersion(
        reverted ? source : target,
        Optional.of(reverted ? target : source),
        Optional.of(its),
        failed,
        Optional.of(desired),
        nodes);
  }

  private static Update update(String role, Map<String, Object> update) {
    var direction = text(update, "direction");
    boolean paused = direction.equals("pause") || direction.equals("error");
    boolean back = (paused ? text(update, "before_pause") : direction).equals("backward");
    var steps = new ArrayList<String>();
    Optional<Long> substeps = Optional.empty();
    if (update.get("pipeline") instanceof List<?> pipeline) {
      for (var stage : pipeline) {
        var name = text(Json.object(stage), "name");
        steps.add(name);
        if (name.equals(text(update, "step"))) {
          substeps = number(Json.object(stage), "substeps");
        }
      }
    }
    var of = substeps;
    var step =
        text(update, "step")
            + number(update, "smooth_step")
                .flatMap(at -> of.map(all -> " %d of %d".formatted(at, all)))
                .orElse("");
    var since = number(update, "smooth_ts").or(() -> number(update, "step_ts"));
    var waiting = text(update, "waiting_for");
    boolean processes =
        !paused && !back && !waiting.isEmpty() && number(update, "next_ts").isPresent();
    return new Update(
        steps,
        step,
        paused,
        Optional.of(text(update, "trouble")).filter(it -> !it.isEmpty()),
        back,
        waits(role, paused, waiting, number(update, "next_ts")),
        processes && !waiting.equals("time")
            ? since.flatMap(
                at ->
                    number(update, "deadline_sec")
                        .map(seconds -> Instant.ofEpochMilli(at).plusSeconds(seconds)))
            : Optional.empty(),
        Instant.ofEpochMilli(number(update, "start_ts").orElse(0L)));
  }

  private static String waits(String role, boolean paused, String waiting, Optional<Long> next) {
    if (paused || waiting.startsWith("an operator: ")) {
      return "an operator has to go on: vw rollout resume " + role;
    }
    return waiting.equals("time")
        ? next.map(
                at ->
                    "its processes have to stay up until " + CLOCK.format(Instant.ofEpochMilli(at)))
            .orElse("time")
        : waiting;
  }

  private static void versions(Map<String, Object> variables, TreeSet<String> versions) {
    var daemons = Json.object(variables.get("daemons"));
    daemons
        .values()
        .forEach(
            daemon -> {
              if (Json.object(daemon).get("version") instanceof String version) {
                versions.add(version);
              }
            });
    if (variables.get("version") instanceof String version && versions.isEmpty()) {
      versions.add(version);
    }
  }

  /** The number of processes that the daemons of a role have; empty if one has no number. */
  private static Optional<Integer> instances(Map<String, Object> variables) {
    int sum = 0;
    var daemons = Json.object(variables.get("daemons"));
    for (var daemon : daemons.values()) {
      if (!(Json.object(daemon).get("instances") instanceof Number number)) {
        return Optional.empty();
      }
      sum += number.intValue();
    }
    return daemons.isEmpty() ? Optional.empty() : Optional.of(sum);
  }

  private static String text(Map<String, Object> map, String field) {
    return map.get(field) instanceof String text ? text : "";
  }

  private static Optional<Long> number(Map<String, Object> map, String field) {
    return map.get(field) instanceof Number number
        ? Optional.of(number.longValue())
        : Optional.empty();
  }
}
