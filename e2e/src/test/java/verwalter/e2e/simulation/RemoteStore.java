package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import verwalter.client.transport.Call;
import verwalter.client.transport.Receiver;
import verwalter.client.transport.Request;
import verwalter.client.transport.Transport;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.Version;
import verwalter.stores.api.Capability;
import verwalter.stores.api.Change;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.Fence;
import verwalter.stores.api.Page;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;
import verwalter.stores.engine.Engine;
import verwalter.stores.engine.Entry;

/**
 * The cluster objects of a follower: a replica that applies the entries of the leader's log, and
 * writes that are sent to the leader. A write completes when the replica shows it. While the leader
 * is unreachable, the replica does not change and writes fail. Before the first contact it is
 * empty, and watches wait. Confined to its loop.
 */
final class RemoteStore implements EpochStore {
  /** The timeout after which a silent connection is reopened. */
  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(15);

  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Loop loop;
  private final Transport leader;
  private final String node;
  private final ReceivedLog log;
  private final Engine replica;

  /** Entries that were received before the first contact was complete. */
  private final List<Entry> early = new ArrayList<>();

  private final List<Runnable> onReady = new ArrayList<>();
  private final List<Invisible> invisible = new ArrayList<>();
  private boolean ready;
  private int connection;

  /** A write that the replica does not show yet. */
  private record Invisible(long revision, Runnable shown) {}

  /**
   * A store without objects.
   *
   * @param replica the engine of {@code log}
   */
  RemoteStore(Loop loop, Transport leader, String node, ReceivedLog log, Engine replica) {
    this.loop = loop;
    this.leader = leader;
    this.node = node;
    this.log = log;
    this.replica = replica;
    loop.execute(this::connect);
  }

  /** Whether the replica has reached the end that the log had at the first contact. */
  boolean isReady() {
    return ready;
  }

  private void connect() {
    int mine = ++connection;
    var lines = new Lines();
    var pieces = new int[1];
    Runnable again =
        () -> {
          if (connection == mine) {
            connection++;
            loop.after(PAUSE, this::connect);
          }
        };
    var call =
        leader.send(
            Request.of("GET", "/log/" + (log.last() + early.size()), Map.of()),
            new Receiver() {
              private long end;

              @Override
              public void head(int status, Map<String, String> headers) {
                assertThat(status).isEqualTo(200);
              }

              @Override
              public void data(byte[] bytes, Runnable next) {
                if (connection == mine) {
                  pieces[0]++;
                  for (var line : lines.take(bytes)) {
                    switch (line.word()) {
                      case "ENTRY" -> early.add(entry(line));
                      case "END" -> end = Long.parseLong(line.argument());
                      default -> assertThat(line.word()).isEqualTo("ALIVE");
                    }
                  }
                  advance(end);
                  next.run();
                }
              }

              @Override
              public void end() {
                again.run();
              }

              @Override
              public void failed(IOException why) {
                again.run();
              }
            });
    watchOver(mine, pieces, -1, call, again);
  }

  private static Entry entry(Lines.Line line) {
    try {
      return Entry.read(ByteBuffer.wrap(Base64.getDecoder().decode(line.argument())));
    } catch (IOException unknown) {
      throw new UncheckedIOException(unknown);
    }
  }

  /** Closes a silent connection, such as one behind a cut. */
  private void watchOver(int mine, int[] pieces, int before, Call call, Runnable again) {
    if (connection == mine) {
      if (pieces[0] == before) {
        call.cancel();
        again.run();
      } else {
        int now = pieces[0];
        loop.after(IDLE_TIMEOUT, () -> watchOver(mine, pieces, now, call, again));
      }
    }
  }

  /** Applies what was received. The first time it waits until the log was read to its end. */
  private void advance(long end) {
    if (!ready && log.last() + early.size() < end) {
      return;
    }
    log.add(List.copyOf(early));
    early.clear();
    ready = true;
    onReady.forEach(Runnable::run);
    onReady.clear();
    for (var each : List.copyOf(invisible)) {
      if (each.revision() <= revision()) {
        invisible.remove(each);
        each.shown().run();
      }
    }
  }

  @Override
  public <S, T> Optional<Resource<S, T>> get(Kind<S, T> kind, String name) {
    return replica.get(kind, name);
  }

  @Override
  public <S, T> Page<S, T> list(Kind<S, T> kind, Query query) {
    return replica.list(kind, query);
  }

  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    var target = "/commit/" + node;
    if (fence.epoch().isPresent()) {
      target += "/" + fence.epoch().getAsLong();
    }
    var body = writes.stream().map(RemoteStore::line).collect(Collectors.joining());
    var first = writes.isEmpty() ? Node.KIND.key("none") : writes.get(0).resource().key();
    return ask(target, body, first)
        .map(lines -> lines.stream().<Resource<?, ?>>map(Lines.Line::object).toList())
        .compose(done -> shown(done, newest(done)));
  }

  private static long newest(List<Resource<?, ?>> written) {
    return written.stream().mapToLong(each -> each.meta().version()).max().orElse(0);
  }

  private static String line(Write write) {
    var word =
        write instanceof Write.Put ? "PUT" : write instanceof Write.PutStatus ? "STATUS" : "REMOVE";
    return Lines.line(word, write.resource());
  }

  /** Completes with {@code result} when the replica shows the revision. */
  private <V> Future<V> shown(V result, long revision) {
    if (revision <= revision()) {
      return Future.succeededFuture(result);
    }
    var promise = Promise.<V>promise();
    var waiting = new Invisible(revision, () -> promise.tryComplete(result));
    invisible.add(waiting);
    loop.after(
        DEADLINE,
        () -> {
          if (invisible.remove(waiting)) {
            promise.tryFail(new IOException("the leader did not send the entry of the write"));
          }
        });
    return promise.future();
  }

  /**
   * Sends a request to the leader. Fails without an answer in time, even if the request took
   * effect.
   */
  Future<List<Lines.Line>> ask(String target, String body) {
    return ask(target, body, Node.KIND.key(node));
  }

  private Future<List<Lines.Line>> ask(String target, String body, ResourceKey about) {
    var promise = Promise.<List<Lines.Line>>promise();
    loop.execute(
        () -> {
          var answer = new ByteArrayOutputStream();
          var request =
              new Request("POST", target, Map.of(), body.getBytes(StandardCharsets.UTF_8));
          var call =
              leader.send(
                  request,
                  new Receiver() {
                    private int status;

                    @Override
                    public void head(int code, Map<String, String> headers) {
                      status = code;
                    }

                    @Override
                    public void data(byte[] bytes, Runnable next) {
                      answer.writeBytes(bytes);
                      next.run();
                    }

                    @Override
                    public void end() {
                      var lines = Lines.all(answer.toByteArray());
                      if (status == 200) {
                        promise.tryComplete(lines);
                      } else {
                        promise.tryFail(failure(lines.get(0), about));
                      }
                    }

                    @Override
                    public void failed(IOException why) {
                      promise.tryFail(why);
                    }
                  });
          loop.after(
              DEADLINE,
              () -> {
                if (promise.tryFail(new IOException("no answer from the leader"))) {
                  call.cancel();
                }
              });
        });
    return promise.future();
  }

  private static Exception failure(Lines.Line line, ResourceKey about) {
    return switch (line.word()) {
      case "Conflict" -> new StoreException.Conflict(about, 0, 0);
      case "Exists" -> new StoreException.Exists(about);
      case "Missing" -> new StoreException.Missing(about);
      case "Invalid" -> new StoreException.Invalid(about, line.argument());
      case "Fenced" -> new StoreException.Fenced(0, 0);
      case "Unavailable" -> new StoreException.Unavailable(line.argument());
      default -> new IOException(line.argument());
    };
  }

  @Override
  public <S, T> Watch watch(
      Kind<S, T> kind,
      Selection selection,
      OptionalLong after,
      Loop on,
      Consumer<Change<S, T>> watcher) {
    if (ready) {
      return replica.watch(kind, selection, after, on, watcher);
    }
    var late = new LateWatch();
    onReady.add(() -> late.begin(() -> replica.watch(kind, selection, after, on, watcher)));
    return late;
  }

  /** A watch that begins with the first contact. */
  private static final class LateWatch implements Watch {
    private @Nullable Watch real;
    private boolean closed;

    private void begin(Supplier<Watch> watch) {
      if (!closed) {
        real = watch.get();
      }
    }

    @Override
    public void close() {
      closed = true;
      if (real != null) {
        real.close();
      }
    }
  }

  @Override
  public long revision() {
    return replica.revision();
  }

  @Override
  public long epoch() {
    return replica.epoch();
  }

  @Override
  public Future<Long> beginEpoch(long atLeast) {
    return ask("/epoch/" + node + "/" + atLeast, "")
        .map(lines -> Long.parseLong(lines.get(0).argument()))
        .compose(epoch -> shown(epoch, Version.of(epoch, 0)));
  }

  /** The leader's, since the replica applies whole transactions in the order of the leader. */
  @Override
  public Set<Capability> capabilities() {
    return EnumSet.allOf(Capability.class);
  }
}
