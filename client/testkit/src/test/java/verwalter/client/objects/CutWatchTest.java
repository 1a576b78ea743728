package verwalter.client.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import verwalter.model.RoleConfig;

/** Tests typed calls and the cache with the real server over TCP, with broken connections. */
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
    return new Resource<>(Node.KIND, Metadata.named(name), new Node.Spec(false), Optional.empty());
  }

  private static Resource<RoleConfig.Spec, RoleConfig.Status> role(String name) {
    return Resource.of(RoleConfig.KIND, name, RoleConfig.Spec.of(Map.of()));
  }

  /** A transport whose first watch breaks after a number of bytes. */
  private final class Cutting implements Transport {
    private final int offset;
    private boolean cut;
    private volatile boolean broken;

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
                  broken |= over;
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

  /** Records the calls of a handler. */
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
  void aWatchCutAtAnyByteReportsEachChangeOnce() {
    on(() -> served.store().put(node("z"))); // version 0 would mean any version
    int offset = 0;
    while (isCompleteAfterCut(offset)) {
      offset++;
    }
    assertThat(offset).as("the length of the watch").isGreaterThan(500);
  }

  /** Tests a cut after {@code offset} bytes. Returns whether the watch was that long. */
  private boolean isCompleteAfterCut(int offset) {
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
    on(
        () ->
            served
                .store()
                .put(node("a"))
                .compose(a -> served.store().put(a.withSpec(new Node.Spec(true))))
                .compose(a -> served.store().remove(a)));
    served.until(() -> log.lines.contains("-a"));
    assertThat(log.lines).as("cut after " + offset).containsExactly("+z", "+a", "~a true", "-a");
    assertThat(on(() -> Future.succeededFuture(informer.all()))).hasSize(1);
    on(
        () -> {
          informer.close();
          return Future.succeededFuture();
        });
    return transport.broken;
  }

  @Test
  void objectsAreCreatedReadReplacedPatchedAndDeleted() {
    var client = client(tcp);
    assertThat(on(() -> client.get(Node.KIND, "a"))).isEmpty();
    var created = on(() -> client.create(node("a")));
    assertThat(on(() -> client.get(Node.KIND, "a"))).hasValue(created);
    var replaced = on(() -> client.replace(created.withSpec(new Node.Spec(true))));
    assertThat(replaced.spec().cordoned()).isTrue();
    assertThat(replaced.meta().version()).isGreaterThan(created.meta().version());
    var patched = on(() -> client.patch(Node.KIND, "a", Map.of("spec", Map.of("cordoned", false))));
    assertThat(patched.spec().cordoned()).isFalse();

    var stale = served.failure(() -> client.replace(created).mapEmpty());
    assertThat(stale)
        .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.code()).isEqualTo(409));

    var role = on(() -> client.create(role("a")));
    Map<String, Object> labels = Map.of("metadata", Map.of("labels", Map.of("shop", "yes")));
    var labelled = on(() -> client.patch(RoleConfig.KIND, "a", labels));
    var other =
        served.failure(() -> client.delete(RoleConfig.KIND, "a", Precondition.version(role)));
    assertThat(other)
        .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.code()).isEqualTo(409));
    on(() -> client.delete(RoleConfig.KIND, "a", Precondition.version(labelled)));
    assertThat(on(() -> client.get(RoleConfig.KIND, "a"))).isEmpty();
  }

  @Test
  void listsAreReadPageByPage() {
    for (int i = 0; i < 25; i++) {
      int number = i;
      on(() -> served.store().put(node("n" + number)));
    }
    var limits = new ObjectClient.Limits("test", Duration.ofSeconds(60), 10, 1 << 20, 1 << 20);
    var client = new ObjectClient(tcp, loop, limits);
    var page = on(() -> client.page(Node.KIND, QueryParameters.NONE.with("limit", "10")));
    assertThat(page.items()).hasSize(10);
    assertThat(page.next()).isPresent();
    var all = on(() -> client.list(Node.KIND, QueryParameters.NONE));
    assertThat(all.items()).isEqualTo(served.store().list(Node.KIND));
    assertThat(all.version()).isEqualTo(Long.toString(served.store().revision()));
    assertThat(all.next()).isEmpty();
  }

  @Test
  void anAnswerLargerThanTheLimitFails() {
    on(() -> served.store().put(node("a")));
    var limits = new ObjectClient.Limits("test", Duration.ofSeconds(60), 10, 50, 50);
    var client = new ObjectClient(tcp, loop, limits);
    assertThat(served.failure(() -> client.get(Node.KIND, "a").mapEmpty()))
        .hasMessageContaining("longer than 50 bytes");
  }
}
