package verwalter.ui;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import verwalter.model.Condition;
import verwalter.model.Metadata;
import verwalter.model.Node;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.Schedule;

final class PageTest {
  private static final Pattern ID = Pattern.compile("data-event=\"([^\"]+)\"");
  private final Server server = new Server();

  @BeforeEach
  void fill() {
    Samples.fill(server.store, Instant.now());
    // The page watches each kind separately.
    org.awaitility.Awaitility.await()
        .untilAsserted(
            () ->
                assertThat(server.get("/").body())
                    .contains("id=\"events/", "id=\"nodes/", "id=\"instances/", "v1.5.0"));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private String id() {
    var page = ID.matcher(server.get("/").body());
    assertThat(page.find()).isTrue();
    return page.group(1);
  }

  @Test
  void pageShowsObjectsWithoutScripts() {
    var page = server.get("/");
    assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
    assertThat(page.body())
        .contains("<th scope=\"row\" class=\"name\" data-label=\"Name\">shop-web@alpha</th>")
        .contains("✖</span> Broken</span>")
        .contains("shop-worker/worker.0 exits with code 1")
        .contains("id=\"processes/shop-web/web.1@beta\"")
        .contains("runtime/reports/v1.yaml:7: a mapping was expected")
        .contains("&quot;v1.5.0&quot;")
        .doesNotContain("{{");
  }

  @Test
  void pageConformsToContentSecurityPolicy() {
    var page = server.get("/").body();
    assertThat(page).doesNotContainPattern("<script(?! src=)").doesNotContain("<style");
    assertThat(page).doesNotContainPattern("\\s(style|on\\w+)=\"");
    var size = page.length();
    for (var file : new String[] {"page.css", "page.js", "icon.svg"}) {
      var answer = server.get("/ui/" + file);
      assertThat(answer.statusCode()).isEqualTo(200);
      size += answer.body().length();
      var tag = answer.headers().firstValue("ETag").orElseThrow();
      assertThat(server.get("/ui/" + file, "If-None-Match", tag).statusCode()).isEqualTo(304);
    }
    assertThat(size).isLessThan(100_000);
  }

  @Test
  void pageEscapesTextsOfObjects() {
    var evil = "<img src=x onerror=alert(1)>\"'&";
    server.put(
        new Resource<>(
            RoleConfig.KIND,
            Metadata.named("evil"),
            RoleConfig.Spec.of(Map.of()),
            Optional.of(
                new RoleConfig.Status(
                    1,
                    List.of(evil),
                    List.of(
                        new Condition(
                            "Read", Condition.Truth.FALSE, evil, evil, 1, Instant.now()))))));
    org.awaitility.Awaitility.await()
        .untilAsserted(
            () ->
                assertThat(server.get("/").body())
                    .contains("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;")
                    .doesNotContain("<img"));
  }

  /** ESC, reversed order, zero width, line separator and half of a pair. */
  @Test
  void pageShowsHiddenCharactersByNumber() {
    var evil = "a\u001b[31mb\u202ec\u200bd\u2028e\ud800f \ud83d\ude00";
    server.put(
        new Resource<>(
            RoleConfig.KIND,
            Metadata.named("evil"),
            RoleConfig.Spec.of(Map.of()),
            Optional.of(
                new RoleConfig.Status(
                    1,
                    List.of("v1"),
                    List.of(
                        new Condition(
                            "Read", Condition.Truth.FALSE, "Bad", evil, 1, Instant.now()))))));
    org.awaitility.Awaitility.await()
        .untilAsserted(
            () ->
                assertThat(server.get("/").body())
                    .contains("a\\u001B[31mb\\u202Ec\\u200Bd\\u2028e")
                    .doesNotContain("\u001b", "\u202e", "\u200b", "\u2028"));
    assertThat(server.get("/v1/%E2%80%AEx").body()).doesNotContain("\u202e");
  }

  @Test
  void sendsOnlyChangedRows() {
    try (var events = server.lines("/ui/events?after=" + id())) {
      var beta = server.get(Node.KIND, "beta");
      server.put(beta.withMeta(beta.meta().withAnnotations(Map.of("unseen", "x"))));
      server.put(server.get(Node.KIND, "alpha").withSpec(new Node.Spec(true)));
      var message = rows(events);
      assertThat(message.path("rows")).hasSize(1);
      assertThat(message.at("/rows/0/section").asText()).isEqualTo("nodes");
      assertThat(message.at("/rows/0/html").asText())
          .startsWith("<tr id=\"nodes/alpha\"")
          .contains("Ready,Cordoned");
      assertThat(message.at("/parts/attention").asText()).contains("#nodes/alpha");
      assertThat(message.at("/parts/schedule").isMissingNode()).isTrue();
    }
  }

  @Test
  void joinsBurstInOneMessageWithRemovedRows() {
    try (var events = server.lines("/ui/events?after=" + id())) {
      var name = ProcessGroup.name("shop-web", "alpha");
      for (int i = 0; i < 20; i++) {
        var group = server.get(ProcessGroup.KIND, name);
        var next = Samples.group("shop-web", "alpha", 1, i % 2, i, Instant.now()).status();
        server.putStatus(group.withStatus(next.orElseThrow()));
      }
      var first = rows(events);
      assertThat(first.path("gone").toString()).isEqualTo("[\"processes/shop-web/web.1@alpha\"]");
      server.put(Samples.node("omega", Instant.now(), true));
      assertThat(rows(events).path("rows").toString())
          .contains("nodes/omega")
          .doesNotContain("processes");
    }
  }

  /** The next message with rows: heartbeats and changes of other parts are left out. */
  private static JsonNode rows(Server.Lines events) {
    JsonNode message;
    do {
      events.after("event: rows");
      message = Server.json(events.after("data: "));
    } while (message.path("rows").isEmpty() && message.path("gone").isEmpty());
    return message;
  }

  @Test
  void reconnectedPageGetsMissedMessages() {
    var id = id();
    try (var events = server.lines("/ui/events?after=" + id)) {
      server.put(Samples.node("omega", Instant.now(), true));
      assertThat(rows(events).toString()).contains("nodes/omega");
    }
    try (var events = server.lines("/ui/events", "Last-Event-ID", id)) {
      assertThat(events.after("event: ")).isEqualTo("rows");
      assertThat(events.after("data: ")).contains("nodes/omega");
    }
  }

  @Test
  void pageOfEarlierServerGetsWholePage() {
    for (var id : new String[] {"", "other-3", id().replaceAll("-.*", "-99")}) {
      try (var events = server.lines("/ui/events?after=" + id)) {
        assertThat(events.after("event: ")).isEqualTo("whole");
        var whole = Server.json(events.after("data: "));
        assertThat(whole.at("/sections/nodes").asText()).contains("nodes/alpha", "nodes/beta");
        assertThat(whole.path("parts")).hasSize(4);
      }
    }
  }

  @Test
  void showsChangesOfNewSchedule() {
    try (var events = server.lines("/ui/events?after=" + id())) {
      var current = server.get(Schedule.KIND, Schedule.CURRENT);
      server.put(
          current.withSpec(
              Schedule.Spec.of(
                  Map.of("roles", Map.of("shop-web", Map.of("version", "v1.6.0"))),
                  List.of(),
                  "77",
                  Instant.now())));
      var parts = Server.json(events.after("data: ")).path("parts");
      assertThat(parts.path("schedule").asText())
          .contains("<del>− roles.shop-web.version = &quot;v1.5.0&quot;</del>")
          .contains("<ins>+ roles.shop-web.version = &quot;v1.6.0&quot;</ins>");
      assertThat(parts.has("strip")).isTrue();
    }
  }
}
