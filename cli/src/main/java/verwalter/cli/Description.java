package verwalter.cli;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import verwalter.cli.print.Age;
import verwalter.cli.print.Paint;
import verwalter.cli.print.TextTable;
import verwalter.cli.yaml.Yaml;
import verwalter.client.Item;
import verwalter.client.json.PlainJson;

/** A description of one object: metadata, conditions, events, status and spec. */
final class Description {
  private static final int WIDTH = 14;

  private final Paint paint;
  private final Instant now;

  Description(Paint paint, Instant now) {
    this.paint = paint;
    this.now = now;
  }

  /**
   * The description.
   *
   * @param events the events of the object; empty if the server has none
   */
  String text(Map<String, Object> object, Optional<List<Item>> events) {
    var text = new StringBuilder();
    var metadata = PlainJson.map(object, "metadata");
    line(text, "Name", PlainJson.text(metadata, "name"));
    line(
        text,
        "Kind",
        PlainJson.text(object, "kind") + "  (" + PlainJson.text(object, "apiVersion") + ")");
    pairs(text, "Labels", PlainJson.map(metadata, "labels"));
    var annotations = new LinkedHashMap<>(PlainJson.map(metadata, "annotations"));
    annotations.remove(LastApplied.ANNOTATION);
    pairs(text, "Annotations", annotations);
    var created = PlainJson.text(metadata, "creationTimestamp");
    if (!created.isEmpty()) {
      line(text, "Created", created + "  (" + Age.since(created, now) + " ago)");
    }
    var deleted = PlainJson.text(metadata, "deletionTimestamp");
    if (!deleted.isEmpty()) {
      var finalizers = PlainJson.list(metadata, "finalizers");
      line(
          text,
          "Deleting",
          "since %s, waits for %s"
              .formatted(
                  Age.since(deleted, now),
                  finalizers.stream().map(String::valueOf).collect(Collectors.joining(", "))));
    }
    for (var owner : PlainJson.list(metadata, "ownerReferences")) {
      line(
          text,
          "Controlled By",
          PlainJson.text(owner, "kind") + "/" + PlainJson.text(owner, "name"));
    }
    conditions(text, PlainJson.list(object, "status", "conditions"));
    events.ifPresent(items -> events(text, items));
    var status = new LinkedHashMap<>(PlainJson.map(object, "status"));
    status.remove("conditions");
    section(text, "Status", status);
    section(text, "Spec", PlainJson.map(object, "spec"));
    return text.toString();
  }

  private void line(StringBuilder text, String name, String value) {
    var label = name + ":";
    text.append(paint.bold(label)).append(" ".repeat(WIDTH + 1 - label.length()));
    text.append(TextTable.clean(value)).append('\n');
  }

  private void pairs(StringBuilder text, String name, Map<String, Object> pairs) {
    var lines = pairs.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue());
    var label = new String[] {name};
    if (pairs.isEmpty()) {
      line(text, name, "<none>");
    }
    lines
        .sorted()
        .forEach(
            pair -> {
              if (label[0].isEmpty()) {
                text.append(" ".repeat(WIDTH + 1)).append(TextTable.clean(pair)).append('\n');
              } else {
                line(text, label[0], pair);
              }
              label[0] = "";
            });
  }

  private void section(StringBuilder text, String name, Map<String, Object> fields) {
    if (!fields.isEmpty()) {
      text.append(paint.bold(name + ":")).append('\n');
      Yaml.text(fields).lines().forEach(each -> text.append("  ").append(each).append('\n'));
    }
  }

  private void conditions(StringBuilder text, List<Object> conditions) {
    var rows = new ArrayList<List<String>>();
    for (var condition : conditions) {
      rows.add(
          List.of(
              PlainJson.text(condition, "type"),
              PlainJson.text(condition, "status"),
              PlainJson.text(condition, "reason"),
              Age.since(PlainJson.text(condition, "lastTransitionTime"), now),
              PlainJson.text(condition, "message")));
    }
    table(text, "Conditions", List.of("CONDITION", "IS", "REASON", "SINCE", "MESSAGE"), rows);
  }

  private void events(StringBuilder text, List<Item> events) {
    var rows = new ArrayList<List<String>>();
    events.stream()
        .map(event -> PlainJson.map(event.object(), "spec"))
        .sorted(Comparator.comparing(event -> PlainJson.text(event, "last")))
        .forEach(event -> rows.add(row(event)));
    table(text, "Events", List.of("TYPE", "REASON", "AGE", "FROM", "MESSAGE"), rows);
  }

  private List<String> row(Map<String, Object> event) {
    var count = PlainJson.text(event, "count");
    var age = Age.since(PlainJson.text(event, "last"), now);
    var often =
        count.isEmpty() || count.equals("1")
            ? age
            : "%s (x%s over %s)"
                .formatted(age, count, Age.since(PlainJson.text(event, "first"), now));
    return List.of(
        PlainJson.text(event, "type"),
        PlainJson.text(event, "reason"),
        often,
        PlainJson.text(event, "reporter"),
        PlainJson.text(event, "message"));
  }

  private void table(
      StringBuilder text, String name, List<String> headings, List<List<String>> rows) {
    if (rows.isEmpty()) {
      line(text, name, "<none>");
      return;
    }
    text.append(paint.bold(name + ":")).append('\n');
    new TextTable(headings, paint)
        .lines(rows, true)
        .lines()
        .forEach(each -> text.append("  ").append(each).append('\n'));
  }
}
