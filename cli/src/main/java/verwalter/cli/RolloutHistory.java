package verwalter.cli;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import verwalter.cli.print.Age;
import verwalter.cli.print.TextTable;
import verwalter.cli.yaml.Yaml;
import verwalter.client.json.PlainJson;
import verwalter.model.Names;
import verwalter.model.service.ServiceMetadata;
import verwalter.scheduler.compare.Difference;

/**
 * {@code vw rollout history}: the versions of a role, who rolled them out, and what they contain.
 */
final class RolloutHistory {
  private final Session session;
  private final RoleIntents intents;

  RolloutHistory(Session session, RoleIntents intents) {
    this.session = session;
    this.intents = intents;
  }

  /** Prints all versions, the newest first. */
  Exit list() throws IOException {
    var last = new TreeMap<String, Map<String, Object>>();
    intents.rollouts().forEach(it -> last.put(PlainJson.text(it, "spec", "to"), it));
    var newest = intents.rollout();
    var rows = new ArrayList<List<String>>();
    var versions = intents.versions();
    for (int i = versions.size() - 1; i >= 0; i--) {
      var version = versions.get(i);
      var rollout = last.getOrDefault(version, Map.of());
      rows.add(
          List.of(
              version,
              age(version, rollout),
              PlainJson.text(rollout, "spec", "by"),
              state(rollout, newest)));
    }
    var headings = List.of("REVISION", "AGE", "BY", "STATE");
    session.print(new TextTable(headings, session.paint()).lines(rows, true));
    return Exit.OK;
  }

  /** The age of the files, or of the rollout if the files do not tell it. */
  private String age(String version, Map<String, Object> rollout) {
    var since =
        intents.metadata(version).get("timestamp") instanceof Number seconds
            ? Instant.ofEpochSecond(seconds.longValue()).toString()
            : PlainJson.text(rollout, "spec", "began");
    return since.isEmpty() ? "" : Age.since(since, session.now());
  }

  private static String state(Map<String, Object> rollout, Map<String, Object> newest) {
    if (rollout.isEmpty()) {
      return "";
    }
    var outcome = PlainJson.text(rollout, "status", "outcome");
    var reason = PlainJson.text(rollout, "status", "reason");
    boolean failedBack =
        PlainJson.text(newest, "status", "outcome").equals("Failed")
            && PlainJson.text(newest, "spec", "from").equals(PlainJson.text(rollout, "spec", "to"));
    if (outcome.isEmpty()) {
      return "in progress";
    }
    if (outcome.equals("Complete")) {
      boolean runs =
          failedBack
              || PlainJson.text(rollout, "spec", "number")
                  .equals(PlainJson.text(newest, "spec", "number"));
      return runs ? "runs" : "complete";
    }
    return TextTable.clean(outcome.toLowerCase(java.util.Locale.ROOT) + ": " + reason);
  }

  /** Prints what a version contains. */
  Exit show(String version) {
    session.print(Yaml.text(content(version)));
    return Exit.OK;
  }

  /** Prints what a version changes, compared with the one before it. */
  Exit difference(String version) {
    var after = content(version);
    int at = intents.versions().indexOf(version);
    var before = at > 0 ? content(intents.versions().get(at - 1)) : Map.<String, Object>of();
    for (Difference each : Difference.between(before, after)) {
      session.println(TextTable.clean(DecisionDiff.text(each)));
    }
    return Exit.OK;
  }

  private Map<String, Object> content(String version) {
    if (!intents.versions().contains(version)) {
      throw Failure.error(
          "role %s has no version %s".formatted(intents.role(), version),
          Names.nearest(version, intents.versions())
              .map(near -> "did you mean " + near + "?")
              .orElse("list them: vw rollout history " + intents.role()));
    }
    var content = new LinkedHashMap<>(intents.metadata(version));
    content.remove(ServiceMetadata.DIGEST);
    content.remove("timestamp");
    return content;
  }
}
