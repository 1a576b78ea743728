package verwalter.ui;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ConnectionsTest {
  private static final Duration LONG = Duration.ofMinutes(10);

  private final List<Socket> sockets = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (var socket : sockets) {
      socket.close();
    }
  }

  private Socket open(Server server, String from, String text) throws IOException {
    var socket = new Socket();
    socket.bind(new InetSocketAddress(from, 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port));
    socket.setSoTimeout(10_000);
    socket.getOutputStream().write(text.getBytes(UTF_8));
    sockets.add(socket);
    return socket;
  }

  private static String all(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), UTF_8);
  }

  private static final String UNFINISHED =
      "POST /apis/verwalter.io/v1/nodes HTTP/1.1\r\nHost: localhost\r\n"
          + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{";

  private static final String HEALTH =
      "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

  @Test
  void idleConnectionsMakeRoomForOthers() throws IOException {
    try (var server = new Server(new ServerLimits(3, 5, LONG, LONG))) {
      var first = open(server, "127.0.0.2", "");
      for (int i = 0; i < 20; i++) {
        open(server, "127.0.0.2", "");
      }
      assertThat(all(first)).isEmpty();
      assertThat(all(open(server, "127.0.0.2", HEALTH))).startsWith("HTTP/1.1 200");
      for (int i = 0; i < 20; i++) {
        open(server, "127.0.0." + (3 + i), "");
      }
      assertThat(all(open(server, "127.0.0.1", HEALTH))).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void unfinishedRequestsOfOneAddressDoNotLockOutOthers() throws IOException {
    try (var server = new Server(new ServerLimits(3, 5, LONG, LONG))) {
      for (int i = 0; i < 20; i++) {
        open(server, "127.0.0.2", UNFINISHED);
      }
      assertThat(all(open(server, "127.0.0.1", HEALTH))).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void bodyThatArrivesTooLateClosesItsConnection() throws IOException {
    try (var server = new Server(new ServerLimits(3, 5, LONG, Duration.ofMillis(100)))) {
      assertThat(all(open(server, "127.0.0.1", UNFINISHED))).startsWith("HTTP/1.1 408");
    }
  }

  @Test
  void connectionWithoutRequestIsClosed() throws IOException {
    try (var server = new Server(new ServerLimits(3, 5, Duration.ofMillis(100), LONG))) {
      assertThat(all(open(server, "127.0.0.1", ""))).isEmpty();
    }
  }

  @Test
  void connectionsWhoseRequestIsRefusedEarlyMakeRoom() throws IOException {
    var refused =
        List.of(
            "GET /healthz HTTP/1.1\r\n\r\n",
            "GET foo HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n");
    try (var server = new Server(new ServerLimits(3, 5, LONG, LONG))) {
      for (var request : refused) {
        var socket = open(server, "127.0.0.2", request);
        assertThat(new String(socket.getInputStream().readNBytes(10), UTF_8))
            .isEqualTo("HTTP/1.1 4");
      }
      assertThat(all(open(server, "127.0.0.2", HEALTH))).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void watchSentTogetherWithAnotherRequestIsNotIdle() throws IOException {
    var request = " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    try (var server = new Server(new ServerLimits(1, 5, LONG, LONG))) {
      var watch =
          open(
              server,
              "127.0.0.2",
              "GET /healthz" + request + "GET /apis/verwalter.io/v1/nodes?watch=true" + request);
      var lines = new BufferedReader(new InputStreamReader(watch.getInputStream(), UTF_8));
      assertThat(lines.lines().filter(line -> line.startsWith("HTTP/1.1 200")).limit(2)).hasSize(2);
      assertThat(all(open(server, "127.0.0.2", ""))).isEmpty();
    }
  }

  @Test
  void closesOldestIdleConnectionOfAddressFirst() {
    var connections = new Connections<String>(2, 3);
    assertThat(connections.opened("a1", "a")).isEmpty();
    assertThat(connections.opened("a2", "a")).isEmpty();
    connections.began("a1");
    connections.ended("a1");
    assertThat(connections.opened("a3", "a")).contains("a2");
    connections.began("a1");
    connections.began("a3");
    assertThat(connections.opened("a4", "a")).contains("a4");
    assertThat(connections.opened("b1", "b")).isEmpty();
    assertThat(connections.opened("c1", "c")).contains("b1");
    connections.began("c1");
    assertThat(connections.opened("d1", "d")).contains("d1");
    connections.closed("a1");
    connections.closed("a1");
    assertThat(connections.opened("d1", "d")).isEmpty();
    assertThat(connections.opened("a5", "a")).contains("d1");
  }
}
