package verwalter.ui.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Failures of real requests, whose clients disconnect or do not. */
@Timeout(60)
class LostConnectionTest {
  private final Vertx vertx = Vertx.vertx();
  private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
  private final CompletableFuture<Boolean> begun = new CompletableFuture<>();
  private final CompletableFuture<Boolean> complete = new CompletableFuture<>();

  @AfterEach
  void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private void fails(HttpServerRequest request, Throwable why) {
    complete.complete(request.isEnded());
    begun.complete(request.response().headWritten());
    failure.complete(why);
  }

  /** Sends a request to a server, reads some bytes of the answer and resets the connection. */
  private void request(
      String text, int bytes, BiConsumer<HttpServerRequest, CompletableFuture<Void>> handler)
      throws IOException {
    var reached = new CompletableFuture<Void>();
    var server =
        vertx
            .createHttpServer()
            .requestHandler(request -> handler.accept(request, reached))
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .join();
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.actualPort())) {
      socket.setSoLinger(true, 0);
      socket.getOutputStream().write(text.getBytes(UTF_8));
      reached.join();
      assertThat(socket.getInputStream().readNBytes(bytes)).hasSize(bytes);
    }
  }

  @Test
  void aBodyThatEndsEarlyIsNoError() throws IOException {
    request(
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
        0,
        (request, reached) -> {
          request.body().onFailure(why -> fails(request, why));
          reached.complete(null);
        });
    assertThat(LostConnection.duringRequest(failure.join(), complete.join())).isTrue();
  }

  @Test
  void aFileWhoseReaderDisconnectsIsNoError(@TempDir Path directory) throws IOException {
    var file = directory.resolve("large");
    try (var large = new RandomAccessFile(file.toFile(), "rw")) {
      large.setLength(1L << 30);
    }
    request(
        "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        10,
        (request, reached) -> {
          request.response().sendFile(file.toString()).onFailure(why -> fails(request, why));
          reached.complete(null);
        });
    assertThat(LostConnection.duringAnswer(failure.join(), begun.join())).isTrue();
  }

  @Test
  void aFileThatIsMissingIsAnError(@TempDir Path directory) throws IOException {
    request(
        "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        0,
        (request, reached) ->
            request
                .response()
                .sendFile(directory.resolve("missing").toString())
                .onFailure(
                    why -> {
                      fails(request, why);
                      reached.complete(null);
                    }));
    assertThat(LostConnection.duringRequest(failure.join(), complete.join())).isFalse();
    assertThat(LostConnection.duringAnswer(failure.join(), begun.join())).isFalse();
  }
}
