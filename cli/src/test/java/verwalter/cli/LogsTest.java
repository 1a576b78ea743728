package verwalter.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.ui.port.ProcessLogs;

/** {@code vw logs} with a real server and lines in memory. */
class LogsTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private final ConcurrentLinkedQueue<ProcessLogs.Line> later = new ConcurrentLinkedQueue<>();
  private final List<ProcessLogs.Query> queries = new ArrayList<>();
  private final Shell shell = new Shell();
  private RealServer server;

  /** Two lines of two instances, and those that are added later. */
  private ProcessLogs.Reading open(ProcessLogs.Query query) {
    queries.add(query);
    var batches =
        new ArrayDeque<>(
            List.of(
                List.of(
                    new ProcessLogs.Line(NOON, "shop/web.0", "first"),
                    new ProcessLogs.Line(NOON.plusMillis(1), "shop/web.1", "second\u001b[2J"))));
    return new ProcessLogs.Reading() {
      @Override
      public boolean refresh() {
        return query.process().filter(it -> !it.equals("web")).isEmpty();
      }

      @Override
      public List<ProcessLogs.Line> next() {
        var line = batches.isEmpty() ? later.poll() : null;
        return !batches.isEmpty() ? batches.remove() : line == null ? List.of() : List.of(line);
      }

      @Override
      public List<ProcessLogs.Line> rest() {
        return List.of();
      }
    };
  }

  @BeforeEach
  void start() {
    server = new RealServer(this::open);
    shell.environment.put("VERWALTER_SERVER", server.url());
    server.put(
        Resource.of(
            ProcessGroup.KIND,
            "shop@n1.example",
            new ProcessGroup.Spec("store", "n1.example", "shop", Map.of())));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private String said(String... words) {
    assertThat(shell.vw(words)).as(shell.err()).isZero();
    return shell.out();
  }

  @Test
  void printsTheInstanceBeforeEachLine() {
    assertThat(said("logs", "shop").lines())
        .satisfiesExactly(
            first -> assertThat(first).isEqualTo("shop/web.0@n1.example | first"),
            second ->
                assertThat(second)
                    .startsWith("shop/web.1@n1.example | second")
                    .doesNotContain("\u001b"));
    assertThat(said("logs", "store", "--timestamps"))
        .startsWith("2026-11-21T12:00:00Z shop/web.0@n1.example | first\n");
    assertThat(said("logs", "shop", "--color", "always")).contains("\u001b[");
  }

  @Test
  void asksForTheLinesThatTheFlagsSelect() {
    said("logs", "shop");
    said("logs", "shop/web.1", "--tail", "3");
    said("logs", "shop/web", "--previous");
    said("logs", "shop", "--since", "10m");
    said("logs", "shop", "--all");
    assertThat(queries)
        .extracting(
            it -> it.process().orElse("-"),
            it -> it.index().orElse(-1),
            ProcessLogs.Query::tail,
            it -> it.since().map(Instant::toString).orElse("-"),
            ProcessLogs.Query::previous,
            ProcessLogs.Query::removed)
        .containsExactly(
            tuple("-", -1, 100, "-", false, false),
            tuple("web", 1, 3, "-", false, false),
            tuple("web", -1, -1, "-", true, false),
            tuple("-", -1, -1, "2026-11-21T10:21:50Z", false, false),
            tuple("-", -1, -1, "-", false, true));
  }

  @Test
  void followsLinesThatAreAdded() {
    later.add(new ProcessLogs.Line(NOON.plusSeconds(1), "shop/web.0", "third"));
    assertThat(shell.untilLines(3).vw("logs", "shop", "-f")).isZero();
    assertThat(shell.out()).endsWith("shop/web.0@n1.example | third\n");
  }

  @Test
  void saysWhatIsWrong() {
    assertThat(shell.vw("logs", "shap")).isEqualTo(1);
    assertThat(shell.err()).contains("there are no processes of \"shap\"");
    assertThat(shell.vw("logs", "shop", "--node", "n9")).isEqualTo(1);
    assertThat(shell.err()).contains("on node n9");
    assertThat(shell.vw("logs", "shop/worker")).isEqualTo(1);
    assertThat(shell.err()).contains("there are no processes shop/worker on node n1.example");
    assertThat(shell.vw("logs", "shop/worker", "-f")).isEqualTo(1);
    assertThat(shell.vw("logs")).isEqualTo(2);
    assertThat(shell.vw("logs", "shop/web.x")).isEqualTo(2);
    assertThat(shell.vw("logs", "shop", "--tail", "few")).isEqualTo(2);
    assertThat(shell.vw("logs", "shop", "-f", "-p")).isEqualTo(2);
  }
}
