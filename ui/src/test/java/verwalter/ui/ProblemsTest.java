package verwalter.ui;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import verwalter.cluster.ClusterView;
import verwalter.model.TemplateOutput;

/** The page, {@code /v1/status} and {@code /readyz?verbose} show the same problems. */
final class ProblemsTest {
  private final Server server = new Server();

  @BeforeEach
  void fill() {
    Samples.fill(server.store, Instant.now());
    Awaitility.await().untilAsserted(() -> assertThat(problems()).hasSize(7));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private JsonNode problems() {
    return Server.json(server.get("/v1/status")).path("problems");
  }

  @Test
  void statusListsProblemsWithCauseAndCommand() {
    var first = problems().get(0);
    var names = new ArrayList<String>();
    first.fieldNames().forEachRemaining(names::add);
    assertThat(names)
        .containsExactly("severity", "kind", "name", "node", "what", "since", "why", "next");
    assertThat(first.path("severity").asText()).isEqualTo("critical");
    assertThat(first.path("name").asText()).isEqualTo("gamma");
    assertThat(first.path("why").asText()).isEqualTo("not heard of for 40 s");
    assertThat(first.path("next").asText()).isEqualTo("vw describe node/gamma");
    var errors = Server.json(server.get("/v1/status")).path("errors");
    assertThat(errors.path("Node/gamma").asText()).isEqualTo("is not ready: not heard of for 40 s");
    assertThat(errors.has("Node/beta")).as("a warning is no error").isFalse();
  }

  @Test
  void statusCountsNodesByState() {
    assertThat(Server.json(server.get("/v1/status")).path("nodes").toString())
        .isEqualTo("{\"NotReady\":1,\"Ready\":1,\"Ready,Cordoned\":1}");
  }

  @Test
  void pageAndReadinessShowSameProblems() {
    var page = server.get("/").body();
    var ready = server.get("/readyz?verbose");
    assertThat(ready.statusCode()).as("problems of objects do not make it unready").isEqualTo(200);
    for (var problem : problems()) {
      var object = problem.path("kind").asText() + "/" + problem.path("name").asText();
      assertThat(page)
          .contains(">" + object + "</a>", "<b>" + problem.path("what").asText() + "</b>");
      assertThat(page).contains("<code>" + problem.path("next").asText() + "</code>");
      assertThat(ready.body())
          .contains(
              "[!]%s %s %s: "
                  .formatted(
                      problem.path("severity").asText(), object, problem.path("what").asText()));
    }
  }

  @Test
  void openPageHearsOfProblemThatNoTableShows() {
    var page = server.get("/").body();
    var id = page.replaceAll("(?s).*data-event=\"([^\"]+)\".*", "$1");
    try (var events = server.lines("/ui/events?after=" + id)) {
      var output =
          server.store.list(TemplateOutput.KIND).stream()
              .filter(each -> each.name().equals("shop-worker@gamma"))
              .findFirst()
              .orElseThrow();
      var status = output.status().orElseThrow();
      server.putStatus(
          output.withStatus(
              TemplateOutput.Status.of(
                  1, Optional.empty(), "", status.files(), status.processes(), List.of())));
      String attention;
      do {
        attention = Server.json(events.after("data: ")).at("/parts/attention").asText();
      } while (attention.isEmpty() || attention.contains("shop-worker@gamma"));
      assertThat(attention).contains("Node/gamma");
    }
  }

  @Test
  void missingLeaderIsProblem() {
    var alone = UiDemo.alone();
    var leaderless =
        new ClusterView() {
          @Override
          public Self self() {
            return alone.self();
          }

          @Override
          public Optional<Member> leader() {
            return Optional.empty();
          }

          @Override
          public long epoch() {
            return 1;
          }
        };
    try (var other = new Server(leaderless)) {
      assertThat(other.get("/").body()).contains("<b>knows no leader</b>");
      assertThat(Server.json(other.get("/v1/status")).at("/problems/0/severity").asText())
          .isEqualTo("critical");
    }
  }
}
