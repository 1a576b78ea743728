package verwalter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import verwalter.model.Action;
import verwalter.model.Condition;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.Schedule;
import verwalter.model.TemplateOutput;

/** {@code vw files} and {@code vw explain} with a real server. */
class FilesCommandTest {
  private final RealServer server = new RealServer();
  private final Shell shell = new Shell();

  FilesCommandTest() {
    shell.environment.put("VERWALTER_SERVER", server.url());
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static Condition condition(boolean good, String reason, String message) {
    return good
        ? new Condition("Rendered", Condition.Truth.TRUE, reason, message, 1, Instant.EPOCH)
        : new Condition("Rendered", Condition.Truth.FALSE, reason, message, 1, Instant.EPOCH);
  }

  private void output(
      String node, Condition condition, Optional<TemplateOutput.Held> held, String... releases) {
    var all = new ArrayList<TemplateOutput.Release>();
    for (var id : releases) {
      all.add(new TemplateOutput.Release(id, Shell.NOW.minusSeconds(60), "digest " + id));
    }
    var name = RoleInstance.name("web", node);
    var there =
        server.list(TemplateOutput.KIND).stream().filter(it -> it.name().equals(name)).findFirst();
    var output =
        there.orElseGet(
            () ->
                server.put(
                    Resource.of(
                        TemplateOutput.KIND,
                        name,
                        new TemplateOutput.Spec("web", node, "web", Map.of()))));
    server.putStatus(
        output.withStatus(
            new TemplateOutput.Status(
                1,
                Optional.empty(),
                releases.length == 0 ? "" : "digest " + releases[releases.length - 1],
                List.of(),
                List.of(),
                all,
                held,
                Optional.empty(),
                List.of(condition))));
  }

  private void instance(String node, RoleInstance.State state, int running) {
    var name = RoleInstance.name("web", node);
    var there =
        server.list(RoleInstance.KIND).stream().filter(it -> it.name().equals(name)).findFirst();
    var instance =
        there.orElseGet(
            () ->
                server.put(
                    Resource.of(
                        RoleInstance.KIND,
                        name,
                        new RoleInstance.Spec("web", node, "web", Optional.empty(), Map.of()))));
    server.putStatus(
        instance.withStatus(
            new RoleInstance.Status(
                1, state, 2, running, 0, Instant.EPOCH, "web.0 ended with code 1", List.of())));
  }

  private String annotation(String node, String name) {
    return server.list(TemplateOutput.KIND).stream()
        .filter(it -> it.spec().node().equals(node))
        .map(it -> it.meta().annotations().getOrDefault(name, ""))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void historyUndoAndResume() {
    output("n1", condition(true, "InPlace", ""), Optional.empty(), "aaa", "bbb", "bcc");
    assertThat(shell.vw("files", "history", "web")).as(shell.err()).isZero();
    assertThat(shell.out())
        .isEqualTo(
            """
            NODE   DEPLOYMENT   AGE   DIGEST     NOW
            n1     bcc          60s   digest b   current
            n1     bbb          60s   digest b
            n1     aaa          60s   digest a
            """);
    assertThat(shell.vw("files", "history", "web", "-o", "name")).isZero();
    assertThat(shell.out()).isEqualTo("aaa\nbbb\nbcc\n");

    assertThat(shell.vw("files", "undo", "web")).as(shell.err()).isZero();
    assertThat(annotation("n1", TemplateOutput.PIN)).isEqualTo("bbb");
    assertThat(shell.out())
        .startsWith("web@n1: rolled back to release bbb of 60s ago and pinned\n");
    assertThat(shell.vw("files", "undo", "web")).isZero();
    assertThat(annotation("n1", TemplateOutput.PIN)).isEqualTo("aaa");
    assertThat(shell.vw("files", "undo", "web")).isEqualTo(1);
    assertThat(shell.err())
        .contains("web@n1 has no release before the current one")
        .contains("vw files history web --node n1");
    assertThat(shell.vw("files", "undo", "web", "--to", "b")).isEqualTo(1);
    assertThat(shell.err()).contains("more than one release that begins with \"b\"");
    assertThat(shell.vw("files", "undo", "web", "--to", "bc")).isZero();
    assertThat(annotation("n1", TemplateOutput.PIN)).isEqualTo("bcc");

    assertThat(shell.vw("files", "resume", "web")).isZero();
    assertThat(annotation("n1", TemplateOutput.PIN)).isEmpty();
    assertThat(shell.vw("files", "resume", "web")).isZero();
    assertThat(shell.out()).contains("no release is pinned");
  }

  @Test
  void completesNodesAndReleases() {
    output("n1", condition(true, "InPlace", ""), Optional.empty(), "a1", "a2");
    output("n2", condition(true, "InPlace", ""), Optional.empty(), "b1", "b2");
    assertThat(candidates("files undo web --node _")).containsExactly("n1", "n2");
    assertThat(candidates("files undo web --node=n2")).containsExactly("--node=n2");
    assertThat(candidates("files undo web --to _")).containsExactly("a1", "a2", "b1", "b2");
    assertThat(candidates("files undo web --node n2 --to _")).containsExactly("b1", "b2");
    assertThat(candidates("files undo web --to=a")).containsExactly("--to=a1", "--to=a2");
    assertThat(candidates("files undo --to _")).isEmpty();
    assertThat(candidates("files undo other --to _")).isEmpty();
  }

  @Test
  void completesActions() {
    var offered =
        Map.of(
            "frontend",
            Map.of("kind", "version"),
            "global_actions",
            List.of(
                Map.of("id", "scale", "title", "One more"),
                Map.of("id", "scale", "title", "One less"),
                Map.of("id", "follow")));
    var data = Map.<String, Object>of("roles", Map.of("web", offered, "db", Map.of()));
    var schedule = Schedule.Spec.of(data, List.of(), "", Instant.EPOCH);
    server.put(Resource.of(Schedule.KIND, Schedule.CURRENT, schedule));
    var button = Map.<String, Object>of("role", "db", "action", "backup");
    server.put(Resource.of(Action.KIND, "7", new Action.Spec(Map.of("button", button), Shell.NOW)));
    assertThat(candidates("action web _")).containsExactly("scale", "follow", "quick_switch");
    assertThat(candidates("action web f")).containsExactly("follow");
    assertThat(candidates("action db _")).containsExactly("backup");
    assertThat(candidates("action web scale _")).isEmpty();
  }

  /** The candidates for a line, whose last word may be {@code _} for an empty one. */
  private List<String> candidates(String line) {
    var words = new ArrayList<>(List.of(Vw.COMPLETE));
    words.addAll(List.of(line.replaceFirst("_$", "").split(" ", -1)));
    shell.vw(words.toArray(String[]::new));
    return shell.out().lines().map(each -> each.replaceAll("\t.*", "")).toList();
  }

  @Test
  void undoRequiresNodeOrAllNodes() {
    output("n1", condition(true, "InPlace", ""), Optional.empty(), "a1", "a2");
    output("n2", condition(true, "InPlace", ""), Optional.empty(), "b1", "b2");
    assertThat(shell.vw("files", "undo", "web")).isEqualTo(2);
    assertThat(shell.err()).contains("role web is on 2 nodes: n1, n2").contains("--all-nodes");
    assertThat(shell.vw("files", "undo", "web", "--node", "n2")).isZero();
    assertThat(annotation("n1", TemplateOutput.PIN)).isEmpty();
    assertThat(annotation("n2", TemplateOutput.PIN)).isEqualTo("b1");
    assertThat(shell.vw("files", "undo", "web", "--all-nodes")).isEqualTo(1);
    assertThat(annotation("n1", TemplateOutput.PIN)).isEmpty();
    assertThat(shell.vw("files", "resume", "web", "--all-nodes")).isZero();
    assertThat(shell.vw("files", "undo", "web", "--all-nodes")).isZero();
    assertThat(annotation("n1", TemplateOutput.PIN)).isEqualTo("a1");
    assertThat(annotation("n2", TemplateOutput.PIN)).isEqualTo("b1");
  }

  @Test
  void allowReleasesHeldInput() {
    output("n1", condition(true, "InPlace", ""), Optional.empty());
    assertThat(shell.vw("files", "allow", "web")).isEqualTo(1);
    assertThat(shell.err()).contains("no files of role web are held");
    output(
        "n1",
        condition(false, "Held", "list would go from 9 to 1"),
        Optional.of(new TemplateOutput.Held("1234", List.of("list would go from 9 to 1"))));

    assertThat(shell.vw("files", "status", "web")).isEqualTo(6);
    assertThat(shell.err())
        .contains("list would go from 9 to 1")
        .contains("vw files allow web --node n1");
    assertThat(shell.vw("files", "allow", "web")).isZero();
    assertThat(annotation("n1", TemplateOutput.ALLOW)).isEqualTo("1234");
  }

  @Test
  void statusWaitsUntilRolloutIsDone() {
    output("n1", condition(true, "InPlace", ""), Optional.empty());
    instance("n1", RoleInstance.State.BOOTING, 1);
    shell.onLine(() -> instance("n1", RoleInstance.State.RUNNING, 2));
    assertThat(shell.vw("files", "status", "web")).as(shell.err()).isZero();
    assertThat(shell.out())
        .isEqualTo("web@n1: 1/2 processes run\nweb@n1: up to date, 2/2 processes run\n");
  }

  @Test
  void statusReportsFailure() {
    output("n1", condition(false, "RenderFailed", "a.j2:1: wrong"), Optional.empty());
    assertThat(shell.vw("files", "status", "web")).isEqualTo(4);
    assertThat(shell.err()).contains("a.j2:1: wrong").contains("vw describe to/web@n1");
    output("n1", condition(true, "InPlace", ""), Optional.empty());
    instance("n1", RoleInstance.State.BOOTING, 1);
    assertThat(shell.vw("files", "status", "web", "--timeout", "0s")).isEqualTo(5);
    instance("n1", RoleInstance.State.BROKEN, 1);
    assertThat(shell.vw("files", "status", "web", "--timeout", "0s")).isEqualTo(4);
    assertThat(shell.err()).contains("web.0 ended with code 1");
    assertThat(shell.vw("files", "status", "nope")).isEqualTo(1);
    assertThat(shell.vw("files", "stats", "web")).isEqualTo(2);
    assertThat(shell.err()).contains("did you mean vw files status?");
  }

  /** For example the node of a leader that was killed: its states were lost with its agent. */
  @Test
  void statusIsNotDoneWhileANodeWithTheRoleDoesNotReport() {
    output("n1", condition(true, "InPlace", ""), Optional.empty(), "aaa");
    instance("n1", RoleInstance.State.RUNNING, 2);
    for (var node : List.of("n1", "n2")) {
      server.put(
          Resource.of(
              NodeSchedule.KIND, node, new NodeSchedule.Spec("hash", Map.of("web", Map.of()))));
    }

    assertThat(shell.vw("files", "status", "web", "--timeout", "0s")).isEqualTo(5);
    assertThat(shell.out()).contains("web@n2: the node does not report the role\n");
    assertThat(shell.err()).contains("web@n2 is not done after 0 s");
    assertThat(shell.vw("files", "status", "web", "--node", "n1")).as(shell.err()).isZero();

    output("n2", condition(true, "InPlace", ""), Optional.empty(), "aaa");
    instance("n2", RoleInstance.State.RUNNING, 2);
    assertThat(shell.vw("files", "status", "web")).as(shell.err()).isZero();
  }

  @Test
  void explainPrintsLayersOfVariables() {
    var data =
        Map.<String, Object>of(
            "vars",
            Map.of("a", 1L, "b", 1L),
            "nodes",
            Map.of("n1", Map.of("vars", Map.of("b", 2L), "roles", Map.of("web", Map.of("c", 3L)))));
    var schedule = Schedule.Spec.of(data, List.of(), "", Instant.EPOCH);
    server.put(Resource.of(Schedule.KIND, Schedule.CURRENT, schedule));
    var share =
        server.put(
            Resource.of(NodeSchedule.KIND, "n1", new NodeSchedule.Spec(schedule.hash(), Map.of())));
    assertThat(shell.vw("explain", "vars", "web", "-o", "wide")).as(shell.err()).isZero();
    assertThat(shell.err()).contains("has not applied this schedule yet");
    assertThat(shell.out())
        .isEqualTo(
            """
            NAME   LAYER       VALUE   HIDDEN
            a      global      1
            b      node        2       global: 1
            c      node role   3
            node   built in    n1
            role   built in    web
            """);

    server.putStatus(
        share.withStatus(
            new NodeSchedule.Status(1, Optional.of(schedule.hash()), Map.of(), List.of())));
    server.put(
        Resource.of(
            RoleInstance.KIND,
            "web@n1",
            new RoleInstance.Spec(
                "web",
                "n1",
                "web",
                Optional.empty(),
                Map.of("a", 1L, "b", 7L, "c", 3L, "d", 8L, "node", "n1", "role", "web"))));
    assertThat(shell.vw("explain", "vars", "web", "-o", "wide")).isZero();
    assertThat(shell.out())
        .contains("b      query       7       node: 2; global: 1\n")
        .contains("d      query       8\n");
    assertThat(shell.vw("explain", "vars", "web", "-o", "json")).isZero();
    assertThat(shell.out()).contains("\"layer\": \"query\"");
    assertThat(shell.vw("explain", "vars", "db")).isEqualTo(1);
    assertThat(shell.err()).contains("vw why db");
  }
}
