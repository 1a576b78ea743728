package verwalter.client.objects;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import verwalter.client.ApiException;
import verwalter.client.QueryParameters;
import verwalter.client.transport.Call;
import verwalter.client.transport.Endpoint;
import verwalter.client.transport.Receiver;
import verwalter.client.transport.Request;
import verwalter.client.transport.SocketTransport;
import verwalter.client.transport.Tls;
import verwalter.client.transport.Transport;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.model.Metadata;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.local.MemoryStore;

/** Typed calls and the cache against the real server, over TCP, with connections that break. */
class CutWatchTest {
  private final ServedStore served = new ServedStore();
  private final Loop loop = served.loop();
  private final SocketTransport tcp =
      new SocketTransport(Endpoint.of(served.url()), Tls.SYSTEM, CutWatchTest::inThread);

  @AfterEach
  void close() {
    tcp.close();
    served.close();
  }

  private static void inThread(Runnable task) {
    var thread = new Thread(task, "request");
    thread.setDaemon(true);
    thread.start();
  }

  private ObjectClient client(Transport transport) {
    return new ObjectClient(transport, loop, ObjectClient.Limits.of("test"));
  }

  private <V> V on(Supplier<Future<V>> work) {
    return served.on(work);
  }

  private static Resource<Node.Spec, Node.Status> node(String name) {
    return new Resource<>(
        Node.KIND, Metadata.named(name), new Node.Spec(false), Optional.empty());
  }

  /** A transport whose first watch breaks after so many bytes of its body. */
  private final class Cutting implements Transport {
    private final int offset;
    private boolean cut;

    Cutting(int offset) {
      this.offset = offset;
    }

    @Override
    public Call send(Request request, Receiver receiver) {
      if (cut || !request.target().contains("watch=true")) {
        return tcp.send(request, receiver);
      }
      cut = true;
      var call = new Call[1];
      call[0] =
          tcp.send(
              request,
              new Receiver() {
                private int seen;
                private boolean over;

                @Override
                public void head(int status, Map<String, String> headers) {
                  receiver.head(status, headers);
                }

                @Override
                public void data(byte[] bytes, Runnable next) {
                  if (over) {
                    return;
                  }
                  int left = Math.min(bytes.length, offset - seen);
                  seen += bytes.length;
                  over = seen >= offset;
                  Runnable then = over ? () -> receiver.failed(new IOException("cut")) : next;
                  if (left > 0) {
                    receiver.data(Arrays.copyOf(bytes, left), then);
                  } else {
                    then.run();
                  }
                }

                @Override
                public void end() {
                  receiver.end();
                }

                @Override
                public void failed(IOException why) {
                  receiver.failed(why);
                }
              });
      return () -> call[0].cancel();
    }
  }

  /** What a handler is called with. */
  private static final class Log implements Informer.Handler<Node.Spec, Node.Status> {
    private final List<String> lines = new ArrayList<>();

    @Override
    public void added(Resource<Node.Spec, Node.Status> object) {
      lines.add("+" + object.name());
    }

    @Override
    public void updated(
        Resource<Node.Spec, Node.Status> before, Resource<Node.Spec, Node.Status> now) {
      lines.add("~" + now.name() + " " + now.spec().cordoned());
    }

    @Override
    public void deleted(Resource<Node.Spec, Node.Status> last) {
      lines.add("-" + last.name());
    }
  }

  @Test
  void wherever​AWatchIsCutNothingIsLostAndNothingDoubled() {
    int offset = 0;
    boolean reached = true;
    while (reached) {
      reached = isCompleteAfterCut(offset, "ü" + 0);
      offset++;
    }
    assertThat(offset).as("the length of the watch").isGreaterThan(500);
  }

  /** Whether the stream was long enough to be cut there. */
  private boolean isCompleteAfterCut(int offset, String unused) {
    var transport = new Cutting(offset);
    var log = new Log();
    var informer =
        new Informer<>(
            client(transport),
            Node.KIND,
            QueryParameters.NONE,
            Duration.ofMinutes(5),
            Backoff.exponential(Duration.ofMillis(1), Duration.ofMillis(1)));
    on(
        () -> {
          informer.watch(log);
          return informer.start();
        });
    var a = on(() -> served.store().put(node("a")));
    var changed = on(() -> served.store().put(a.withSpec(new Node.Spec(true))));
    on(() -> served.store().remove(changed));
    var b = on(() -> served.store().put(node("b")));
    served.until(() -> log.lines.contains("+b"));
    assertThat(log.lines).as("cut after " + offset).containsExactly("+a", "~a true", "-a", "+b");
    assertThat(on(() -> Future.succeededFuture(informer.all()))).containsExactly(b);
    on(
        () -> {
          informer.close();
          return served.store().remove(b);
        });
    return transport.cut;
  }
}
