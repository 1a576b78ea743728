package verwalter.ui.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import verwalter.cluster.ClusterView;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.RoleInstance;
import verwalter.model.Schedule;
import verwalter.model.json.Json;
import verwalter.problems.ObjectProblem;
import verwalter.problems.Severity;
import verwalter.ui.http.Html;
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
  private final Supplier<List<ObjectProblem>> problems;
  private Optional<Details> details = Optional.empty();

  /** The details of the schedule with a hash that follows another one. */
  private record Details(String schedule, Optional<String> previous, String html) {}

  PageFragments(ClusterView cluster, PageContent content, Supplier<List<ObjectProblem>> problems) {
    this.cluster = cluster;
    this.content = content;
    this.problems = problems;
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
    boolean several = content.unordered(Section.NODES).limit(2).count() > 1;
    return item(
            several ? "Answered by" : "Node",
            "<strong>%s</strong>".formatted(Html.escape(self.name())))
        + item("Leader", leader)
        + (several ? item("Epoch", Long.toString(cluster.epoch())) : "")
        + item("Schedule", schedule)
        + item("Version", Html.escape(self.version()));
  }

  /** The node at whose address the page is; the leader may answer in its place. */
  String asked(String node) {
    return "<dl class=\"strip asked\" aria-label=\"Node that was asked\">%s</dl>"
        .formatted(item("Asked", Html.escape(node)));
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
            .unordered(section)
            .filter(row -> tone(row) != Tone.QUIET || section == Section.NODES)
            .toList();
    long good = rows.stream().filter(row -> tone(row) == Tone.GOOD).count();
    long bad = rows.stream().filter(row -> tone(row) == Tone.BAD).count();
    int all = rows.size() + (section == Section.INSTANCES ? content.unreported() : 0);
    var tone = bad > 0 ? Tone.BAD : good < all ? Tone.WARN : Tone.GOOD;
    return """
    <a class="tile %s" href="#%s"><span class="symbol" aria-hidden="true">%s</span>\
    <span class="sum"><b>%d</b><span class="of">/%d</span></span> <span class="what">%s</span></a>\
    """
        .formatted(
            all == 0 ? "quiet" : tone.style(),
            section.id(),
            all == 0 ? Tone.QUIET.symbol() : tone.symbol(),
            good,
            all,
            what);
  }

  private static Tone tone(Row row) {
    return row.health().map(Health::tone).orElse(Tone.QUIET);
  }

  /** The problems that an operator should look at, worst first. */
  String attention() {
    var all = problems.get();
    if (all.isEmpty()) {
      return "<p class=\"calm\"><span class=\"tone good\"><span aria-hidden=\"true\">●</span>"
          + " Nothing needs attention.</span></p>";
    }
    var html = new StringBuilder("<ul>");
    all.stream().limit(MOST_PROBLEMS).forEach(problem -> html.append(line(problem)));
    if (all.size() > MOST_PROBLEMS) {
      html.append("<li class=\"quiet\">and ")
          .append(all.size() - MOST_PROBLEMS)
          .append(" more: <code>vw status --all</code></li>");
    }
    return html.append("</ul>").toString();
  }

  private static String line(ObjectProblem problem) {
    return """
    <li>%s <a href="%s">%s</a> <span class="why"><b>%s</b>%s <span class="cause">%s</span> \
    <code>%s</code></span></li>\
    """
        .formatted(
            Row.tone(new Health(tone(problem.severity()), problem.severity().word())),
            Html.escape(link(problem)),
            Html.escape(problem.object().toString()),
            Html.escape(problem.what()),
            problem.since().map(PageFragments::since).orElse(""),
            Html.escape(problem.why()),
            Html.escape(problem.next()));
  }

  /** The time itself, which does not change until the problem does. */
  private static String since(Instant since) {
    return " since " + Row.time(since, since.truncatedTo(ChronoUnit.SECONDS).toString());
  }

  private static Tone tone(Severity severity) {
    return severity == Severity.WARNING ? Tone.WARN : Tone.BAD;
  }

  /** The part of the page that shows the object, or the instance that it belongs to. */
  private static String link(ObjectProblem problem) {
    var object = problem.object();
    if (object.kind().equals(Schedule.KIND.name())) {
      return "#schedule";
    }
    if (object.kind().equals(RoleConfig.KIND.name())) {
      return "#" + Section.ROLES.id() + "/" + object.name();
    }
    if (problem.role().isPresent() && problem.node().isPresent()) {
      var instance = RoleInstance.name(problem.role().get(), problem.node().get());
      return "#" + Section.INSTANCES.id() + "/" + instance;
    }
    return "#" + Section.NODES.id() + "/" + problem.node().orElse(object.name());
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
    return html.append("</dl>").append(details(object.get().spec())).toString();
  }

  /** The changes and the whole text, which are made once for each schedule. */
  private String details(Schedule.Spec schedule) {
    var previous = content.previous().map(Schedule.Spec::hash);
    var hash = schedule.hash();
    if (details
        .filter(it -> it.schedule().equals(hash) && it.previous().equals(previous))
        .isEmpty()) {
      var html =
          changes(schedule)
              + "<details><summary>Whole schedule</summary><pre tabindex=\"0\">"
              + Html.escape(json(schedule))
              + "</pre></details>";
      details = Optional.of(new Details(hash, previous, html));
    }
    return details.map(Details::html).orElse("");
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
