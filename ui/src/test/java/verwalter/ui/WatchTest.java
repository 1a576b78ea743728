package verwalter.ui;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import verwalter.model.Node;

final class WatchTest {
  private static final String NODES = "/apis/verwalter.io/v1/nodes";
  private static final String WATCH = NODES + "?watch=true&timeoutSeconds=20";
  private static final Instant NOW = Instant.parse("2026-08-01T12:00:00Z");

  private final Server server = new Server();

  @AfterEach
  void close() {
    server.close();
  }

  private static String short_(JsonNode event) {
    return event.path("type").asText() + " " + event.at("/object/metadata/name").asText();
  }

  private void relabel(String name, String zone) {
    var node = server.get(Node.KIND, name);
    server.put(node.withMeta(node.meta().withLabels(Map.of("zone", zone))));
  }

  @Test
  void watchSendsExistingObjectsThenChanges() {
    server.put(Samples.node("alpha", NOW, true));
    try (var lines = server.lines(WATCH + "&allowWatchBookmarks=true")) {
      assertThat(short_(lines.json())).isEqualTo("ADDED alpha");
      var bookmark = lines.json();
      assertThat(bookmark.path("type").asText()).isEqualTo("BOOKMARK");
      assertThat(bookmark.at("/object/metadata/resourceVersion").asText())
          .isEqualTo(Long.toString(server.store.revision()));
      server.put(Samples.node("beta", NOW, true));
      assertThat(short_(lines.json())).isEqualTo("ADDED beta");
      server.put(server.get(Node.KIND, "beta").withSpec(new Node.Spec(false)));
      assertThat(short_(lines.json())).isEqualTo("MODIFIED beta");
      Server.await(server.store.remove(server.get(Node.KIND, "beta")));
      assertThat(short_(lines.json())).isEqualTo("DELETED beta");
    }
  }

  @Test
  void watchResumesAfterVersion() {
    server.put(Samples.node("alpha", NOW, true));
    long seen = server.store.revision();
    server.put(Samples.node("beta", NOW, true));
    try (var lines = server.lines(WATCH + "&resourceVersion=" + seen)) {
      assertThat(short_(lines.json())).isEqualTo("ADDED beta");
      server.put(Samples.node("gamma", NOW, true));
      assertThat(short_(lines.json())).isEqualTo("ADDED gamma");
    }
  }

  @Test
  void watchOfExpiredOrForeignVersionIsGone() {
    for (int i = 0; i < 60; i++) {
      server.put(Samples.node("n" + i, NOW, true));
    }
    try (var lines = server.lines(WATCH + "&resourceVersion=1")) {
      var error = lines.json();
      assertThat(error.path("type").asText()).isEqualTo("ERROR");
      assertThat(error.at("/object/code").asInt()).isEqualTo(410);
      assertThat(error.at("/object/reason").asText()).isEqualTo("Expired");
      assertThat(lines.next()).isNull();
    }
    assertThat(server.get(WATCH + "&resourceVersion=999999").statusCode()).isEqualTo(410);
    assertThat(server.get(WATCH + "&resourceVersion=x").statusCode()).isEqualTo(400);
  }

  @Test
  void watchReportsObjectThatNoLongerMatchesAsDeleted() {
    server.put(Samples.node("alpha", NOW, true));
    server.put(Samples.node("beta", NOW, true));
    try (var lines = server.lines(WATCH + "&labelSelector=zone%3Da")) {
      assertThat(short_(lines.json())).isEqualTo("ADDED alpha");
      relabel("alpha", "b");
      assertThat(short_(lines.json())).isEqualTo("DELETED alpha");
      relabel("alpha", "c");
      relabel("beta", "a");
      assertThat(short_(lines.json())).isEqualTo("ADDED beta");
      server.put(server.get(Node.KIND, "beta").withSpec(new Node.Spec(false)));
      assertThat(short_(lines.json())).isEqualTo("MODIFIED beta");
      Server.await(server.store.remove(server.get(Node.KIND, "alpha")));
      Server.await(server.store.remove(server.get(Node.KIND, "beta")));
      assertThat(short_(lines.json())).isEqualTo("DELETED beta");
    }
  }

  @Test
  void resumedWatchReportsObjectsThatNoLongerMatch() {
    server.put(Samples.node("alpha", NOW, true));
    server.put(Samples.node("beta", NOW, true));
    long seen = server.store.revision();
    relabel("alpha", "b");
    var path = WATCH + "&labelSelector=zone%3Da&resourceVersion=" + seen;
    try (var lines = server.lines(path)) {
      assertThat(short_(lines.json())).isEqualTo("DELETED alpha");
      relabel("beta", "a");
      assertThat(short_(lines.json())).isEqualTo("ADDED beta");
    }
  }

  @Test
  void watchOfTableSendsColumnDefinitionsOnce() {
    server.put(Samples.node("alpha", NOW, true));
    server.put(Samples.node("beta", NOW, true));
    try (var lines =
        server.lines(WATCH, "Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")) {
      var first = lines.json();
      assertThat(first.at("/object/kind").asText()).isEqualTo("Table");
      assertThat(first.at("/object/columnDefinitions")).isNotEmpty();
      assertThat(first.at("/object/rows/0/cells/0").asText()).isEqualTo("alpha");
      assertThat(lines.json().at("/object/columnDefinitions")).isEmpty();
    }
  }

  @Test
  void bookmarkMarksEndOfInitialEvents() {
    server.put(Samples.node("alpha", NOW, true));
    try (var lines =
        server.lines(
            WATCH
                + "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                + "&allowWatchBookmarks=true")) {
      assertThat(short_(lines.json())).isEqualTo("ADDED alpha");
      assertThat(lines.json().at("/object/metadata/annotations").toString())
          .contains("k8s.io/initial-events-end");
    }
  }

  @Test
  @Timeout(60) // without a bookmark the reader waits for ever
  void quietWatchGetsBookmarkEachMinute() {
    var timers = new HeldTimers();
    try (var quiet = new Server(timers)) {
      quiet.put(Samples.node("alpha", NOW, true));
      var version = Long.toString(quiet.store.revision());
      try (var lines = quiet.lines(NODES + "?watch=true&allowWatchBookmarks=true")) {
        assertThat(short_(lines.json())).isEqualTo("ADDED alpha");
        for (int i = 0; i < 3; i++) { // the first one ends the initial objects
          var bookmark = lines.json();
          assertThat(bookmark.path("type").asText()).isEqualTo("BOOKMARK");
          assertThat(bookmark.at("/object/kind").asText()).isEqualTo("Node");
          assertThat(bookmark.at("/object/metadata/resourceVersion").asText()).isEqualTo(version);
          timers.pass(Duration.ofMinutes(1));
        }
      }
    }
  }

  @Test
  void watchEndsAfterTimeout() {
    try (var lines = server.lines(NODES + "?watch=1&timeoutSeconds=1")) {
      assertThat(lines.next()).isNull();
    }
  }

  @Test
  void disconnectsWatcherThatDoesNotRead() throws Exception {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port)) {
      socket.setReceiveBufferSize(4096);
      var request = "GET " + NODES + "?watch=1 HTTP/1.1\r\nHost: localhost\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(java.nio.charset.StandardCharsets.UTF_8));
      org.awaitility.Awaitility.await().until(() -> streams() == 1);
      var node = server.put(Samples.node("alpha", NOW, true));
      for (int i = 0; i < 100 && streams() == 1; i++) {
        var big = Map.of("big", i + "x".repeat(500_000));
        node = server.put(node.withMeta(node.meta().withAnnotations(big)));
      }
      org.awaitility.Awaitility.await().until(() -> streams() == 0);
    }
  }

  private int streams() {
    return server
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("verwalter_http_streams "))
        .mapToInt(line -> Integer.parseInt(line.substring(line.indexOf(' ') + 1)))
        .sum();
  }

  @Test
  void refusesWatchesOverLimit() {
    var open = new ArrayList<Server.Lines>();
    for (int i = 0; i < 256; i++) {
      open.add(server.lines(WATCH));
    }
    var refused = server.get(WATCH);
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
    open.forEach(Server.Lines::close);
    org.awaitility.Awaitility.await()
        .untilAsserted(
            () -> {
              try (var again = server.lines(WATCH)) {
                assertThat(again.status()).isEqualTo(200);
              }
            });
  }
}
