package verwalter.ui.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what the kernel reports of clients of a real unix socket. */
class PeerUserTest {
  private final Vertx vertx = Vertx.vertx();
  private final CompletableFuture<HttpConnection> connection = new CompletableFuture<>();
  @TempDir private Path directory;

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private SocketChannel connect() throws Exception {
    var file = directory.resolve("socket");
    vertx
        .createHttpServer()
        .requestHandler(request -> connection.complete(request.connection()))
        .listen(SocketAddress.domainSocketAddress(file.toString()))
        .toCompletionStage()
        .toCompletableFuture()
        .get(10, TimeUnit.SECONDS);
    var client = SocketChannel.open(StandardProtocolFamily.UNIX);
    client.connect(UnixDomainSocketAddress.of(file));
    var request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    client.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
    return client;
  }

  @Test
  void namesUserOfClient() throws Exception {
    try (var client = connect()) {
      assertThat(client.isConnected()).isTrue();
      assertThat(PeerUser.of(connection.get(10, TimeUnit.SECONDS)))
          .contains(System.getProperty("user.name"));
      assertThat(client.isOpen()).isTrue();
    }
  }

  @Test
  void closedConnectionHasNoUser() throws Exception {
    try (var client = connect()) {
      assertThat(client.isConnected()).isTrue();
      var open = connection.get(10, TimeUnit.SECONDS);
      open.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);

      assertThat(PeerUser.of(open)).isEmpty();
      assertThat(client.isOpen()).isTrue();
    }
  }
}
