package verwalter.cluster.mirror;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.WebSocketBase;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.concurrent.Loop;

/**
 * Connections of mirrors as WebSockets, one binary message for each message. TLS and the identity
 * of the other end are those of the client and the server that the caller provides.
 */
public final class MirrorSockets {
  private static final Logger LOG = LoggerFactory.getLogger(MirrorSockets.class);

  /** The path of the WebSocket at the leader. */
  public static final String PATH = "/cluster/v1/mirror";

  /** The limit of a compressed message, in bytes; more than the largest object. */
  private static final int MOST_BYTES = 4 << 20;

  private static final Pattern ADDRESS = Pattern.compile("(.+):(\\d{1,5})");

  /** Sets the limits of messages at a server. */
  public static HttpServerOptions limits(HttpServerOptions options) {
    return options
        .setMaxWebSocketMessageSize(MOST_BYTES)
        .setPerMessageWebSocketCompressionSupported(false)
        .setPerFrameWebSocketCompressionSupported(false);
  }

  /** Sets the limits of messages at a client. */
  public static WebSocketClientOptions limits(WebSocketClientOptions options) {
    return options.setMaxMessageSize(MOST_BYTES);
  }

  /**
   * Uses an accepted WebSocket as a connection. Call when it was accepted, on its event loop.
   *
   * @param loop the loop of the mirrors
   * @param accept accepts the connection on that loop, such as {@link Mirrors#accept}
   */
  public static void accept(
      WebSocketBase socket, Loop loop, Function<MirrorLink, MirrorLink.Receiver> accept) {
    new SocketLink(socket, loop).begin(accept);
  }

  /**
   * Opens WebSockets to leaders, which are given as {@code host:port}.
   *
   * @param loop the loop of the feed
   */
  public static MirrorClient.Connector connector(WebSocketClient client, Loop loop) {
    return connector(client, loop, PATH);
  }

  /** Opens WebSockets with another path to nodes, which are given as {@code host:port}. */
  public static MirrorClient.Connector connector(WebSocketClient client, Loop loop, String path) {
    return (node, opened, failed) -> connect(client, loop, path, node, opened, failed);
  }

  private static void connect(
      WebSocketClient client,
      Loop loop,
      String path,
      String leader,
      Function<MirrorLink, MirrorLink.Receiver> opened,
      Consumer<String> failed) {
    var parts = ADDRESS.matcher(leader);
    if (!parts.matches()) {
      loop.execute(() -> failed.accept("the address of the node is malformed: " + leader));
      return;
    }
    var options =
        new WebSocketConnectOptions()
            .setHost(parts.group(1).replaceAll("[\\[\\]]", ""))
            .setPort(Integer.parseInt(parts.group(2)))
            .setURI(path)
            .setTimeout(MirrorClient.OPEN_LIMIT.toMillis());
    client
        .connect(options)
        .onSuccess(socket -> new SocketLink(socket, loop).begin(opened))
        .onFailure(
            failure ->
                loop.execute(
                    () -> failed.accept("%s: %s".formatted(leader, failure.getMessage()))));
  }

  /** One end. Its receiver belongs to the loop. */
  private static final class SocketLink implements MirrorLink {
    private final WebSocketBase socket;
    private final Loop loop;
    private @Nullable Receiver receiver;

    SocketLink(WebSocketBase socket, Loop loop) {
      this.socket = socket;
      this.loop = loop;
    }

    void begin(Function<MirrorLink, Receiver> accept) {
      onLoop(() -> receiver = accept.apply(this));
      socket.binaryMessageHandler(message -> tell(it -> it.received(message)));
      socket.drainHandler(drained -> tell(Receiver::drained));
      socket.exceptionHandler(failure -> LOG.debug("a connection of a mirror failed", failure));
      socket.closeHandler(closed -> tell(Receiver::closed));
    }

    private void tell(Consumer<Receiver> what) {
      onLoop(
          () -> {
            if (receiver != null) {
              what.accept(receiver);
            }
          });
    }

    private void onLoop(Runnable task) {
      try {
        loop.execute(task);
      } catch (RejectedExecutionException closing) {
        close();
      }
    }

    @Override
    public void send(Buffer message) {
      socket
          .writeBinaryMessage(message)
          .onFailure(gone -> LOG.debug("a message of a mirror was not sent", gone));
    }

    @Override
    public boolean isFull() {
      try {
        return socket.writeQueueFull();
      } catch (IllegalStateException closed) {
        return true;
      }
    }

    @Override
    public void close() {
      socket
          .close()
          .onFailure(gone -> LOG.debug("a connection of a mirror was closed already", gone));
    }
  }

  private MirrorSockets() {}
}
