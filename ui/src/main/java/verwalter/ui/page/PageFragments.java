package verwalter.ui.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import verwalter.cluster.ClusterView;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Resource;
import verwalter.model.Schedule;
import verwalter.model.json.Json;
import verwalter.ui.http.StrictJson;
import verwalter.ui.table.Column;
import verwalter.ui.table.Column.Form;
import verwalter.ui.table.Columns;
import verwalter.ui.table.Health;
import verwalter.ui.table.Health.Tone;
import verwalter.ui.table.Tables;

/** The markup of the page outside the tables. It is rendered each time and compared as text. */
final class PageFragments {
  private static final int MOST_PROBLEMS = 12;
  private static final int MOST_JSON = 100_000;

  private final ClusterView cluster;
  private final PageContent content;

  PageFragments(ClusterView cluster, PageContent content) {
    this.cluster = cluster;
    this.content = content;
  }

  /** The strip on top: this node, the leader, and the schedule in force. */
  String strip(Instant now) {
    var self = cluster.self();
    var leader =
        cluster
            .leader()
            .map(
                it ->
                    Html.escape(it.name())
                        + (cluster.leads() ? " <span class=\"quiet\">(this node)</span>" : ""))
            .orElse("<span class=\"tone bad\"><span aria-hidden=\"true\">✖</span> none</span>");
    var schedule =
        content
            .schedule()
            .map(Resource::spec)
            .filter(Schedule.Spec::decided)
            .map(
                it ->
                    "<code>%s</code> <span class=\"quiet\">made %s ago</span>"
                        .formatted(
                            Html.escape(it.hash().substring(0, Math.min(8, it.hash().length()))),
                            ago(it.timestamp(), now)))
            .orElse("<span class=\"quiet\">none yet</span>");
    return item("Node", "<strong>%s</strong>".formatted(Html.escape(self.name())))
        + item("Leader", leader)
        + item("Schedule", schedule)
        + item("Version", Html.escape(self.version()));
  }

  private static String item(String name, String content) {
    return "<div><dt>%s</dt><dd>%s</dd></div>".formatted(name, content);
  }

  private static String ago(Instant at, Instant now) {
    return Row.time(at, Tables.text(at, Form.AGE, now));
  }

  /** Counts, one for each table. */
  String summary() {
    return tile(Section.NODES, "nodes ready")
        + tile(Section.ROLES, "roles")
        + tile(Section.INSTANCES, "instances running")
        + tile(Section.PROCESSES, "processes running");
  }

  private String tile(Section section, String what) {
    var rows =
        content
            .rows(section)
            .filter(row -> tone(row) != Tone.QUIET || section == Section.NODES)
            .toList();
    long good = rows.stream().filter(row -> tone(row) == Tone.GOOD).count();
    long bad = rows.stream().filter(row -> tone(row) == Tone.BAD).count();
    var tone = bad > 0 ? Tone.BAD : good < rows.size() ? Tone.WARN : Tone.GOOD;
    return """
        <a class="tile %s" href="#%s"><span class="symbol" aria-hidden="true">%s</span>\
        <span class="sum"><b>%d</b><span class="of">/%d</span></span> <span class="what">%s</span></a>"""
        .formatted(
            rows.isEmpty() ? "quiet" : tone.style(),
            section.id(),
            rows.isEmpty() ? Tone.QUIET.symbol() : tone.symbol(),
            good,
            rows.size(),
            what);
  }

  private static Tone tone(Row row) {
    return row.health().map(Health::tone).orElse(Tone.QUIET);
  }

  /** The problems that an operator should look at, worst first. */
  String attention() {
    var problems = new ArrayList<Row>();
    for (var section : List.of(Section.NODES, Section.ROLES, Section.INSTANCES)) {
      content.rows(section).filter(row -> tone(row) == Tone.BAD).forEach(problems::add);
    }
    for (var section : List.of(Section.NODES, Section.INSTANCES)) {
      content.rows(section).filter(row -> tone(row) == Tone.WARN).forEach(problems::add);
    }
    var html = new StringBuilder();
    scheduleProblem().ifPresent(html::append);
    problems.stream().limit(MOST_PROBLEMS).forEach(row -> html.append(problem(row)));
    if (problems.size() > MOST_PROBLEMS) {
      html.append("<li class=\"quiet\">and ")
          .append(problems.size() - MOST_PROBLEMS)
          .append(" more</li>");
    }
    return html.isEmpty()
        ? "<p class=\"calm\"><span class=\"tone good\"><span aria-hidden=\"true\">●</span>"
            + " Nothing needs attention.</span></p>"
        : "<ul>" + html + "</ul>";
  }

  private Optional<String> scheduleProblem() {
    return content
        .schedule()
        .flatMap(Resource::status)
        .flatMap(it -> Condition.find(it.conditions(), ConditionType.DECIDED))
        .filter(Condition::isFalse)
        .map(
            it ->
                line(
                    "#schedule",
                    "schedule",
                    Row.tone(new Health(Tone.BAD, it.reason())),
                    it.message()));
  }

  private static String problem(Row row) {
    var name = row.text(Form.NAME).orElse(row.id());
    return line(
        "#" + row.id(),
        name,
        row.health().map(Row::tone).orElse(""),
        row.text(Form.PROSE).orElse(""));
  }

  private static String line(String link, String name, String tone, String why) {
    return "<li>%s <a href=\"%s\">%s</a> <span class=\"why\">%s</span></li>"
        .formatted(tone, Html.escape(link), Html.escape(name), Html.escape(why));
  }

  /** The schedule in force: facts, changes, and the whole text. */
  String schedule(Instant now) {
    var object = content.schedule();
    if (object.isEmpty() || !object.get().spec().decided()) {
      return "<p class=\"empty\">No schedule has been decided yet.</p>";
    }
    var html = new StringBuilder("<dl class=\"facts\">");
    for (var column : Columns.of(Schedule.KIND)) {
      if (column.form() != Form.NAME) {
        fact(html, column, object.get(), now);
      }
    }
    return html.append("</dl>")
        .append(changes(object.get().spec()))
        .append("<details><summary>Whole schedule</summary><pre tabindex=\"0\">")
        .append(Html.escape(json(object.get().spec())))
        .append("</pre></details>")
        .toString();
  }

  private static <R> void fact(StringBuilder html, Column<R> column, R row, Instant now) {
    var value = column.value().apply(row);
    if (value != null) {
      html.append(
          item(
              Html.escape(column.name()),
              value instanceof Health health
                  ? Row.tone(health)
                  : value instanceof Instant at
                      ? ago(at, now) + " ago"
                      : Html.escape(value.toString())));
    }
  }

  private String changes(Schedule.Spec schedule) {
    if (content.previous().isEmpty()) {
      return "<p class=\"quiet\">No change since this agent started.</p>";
    }
    var lines = Changes.between(content.previous().get().data(), schedule.data());
    var html = new StringBuilder("<details open><summary>Changes: ");
    html.append(lines.size()).append(" lines</summary><pre class=\"diff\" tabindex=\"0\">");
    for (var line : lines) {
      html.append(line.added() ? "<ins>+ " : "<del>− ")
          .append(Html.escape(line.text()))
          .append(line.added() ? "</ins>\n" : "</del>\n");
    }
    return html.append("</pre></details>").toString();
  }

  private static String json(Schedule.Spec schedule) {
    JsonNode tree = StrictJson.tree(Json.sorted(schedule.data()));
    var text = StrictJson.pretty(tree).toString();
    return text.length() <= MOST_JSON
        ? text
        : text.substring(0, MOST_JSON) + "\n… the rest is at /v1/schedule.pretty\n";
  }
}
