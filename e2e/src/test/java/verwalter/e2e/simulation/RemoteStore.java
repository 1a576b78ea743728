package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import verwalter.client.transport.Call;
import verwalter.client.transport.Receiver;
import verwalter.client.transport.Request;
import verwalter.client.transport.Transport;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.stores.api.Capability;
import verwalter.stores.api.Change;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Page;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/**
 * The cluster objects of a follower: a cache that is fed by watches over a transport, and writes
 * that are sent to the leader. While the leader is unreachable, the cache does not change and
 * writes fail. It has no capabilities, and supports neither watches after a revision nor pages.
 * Confined to its loop.
 */
final class RemoteStore implements ObjectStore {
  /** The timeout after which a silent watch is reopened. */
  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(15);

  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Loop loop;
  private final Transport leader;
  private final String node;
  private final Map<String, Feed<?, ?>> feeds = new HashMap<>();

  RemoteStore(Loop loop, Transport leader, String node) {
    this.loop = loop;
    this.leader = leader;
    this.node = node;
    ObjectServer.kinds().forEach(this::open);
  }

  private <S, T> void open(Kind<S, T> kind) {
    var feed = new Feed<>(kind);
    feeds.put(kind.name(), feed);
    loop.execute(feed::connect);
  }

  @SuppressWarnings("unchecked") // each kind is mapped to its own feed
  private <S, T> Feed<S, T> feed(Kind<S, T> kind) {
    return (Feed<S, T>) feeds.get(kind.name());
  }

  /** The cached objects of one kind and their watchers. */
  private final class Feed<S, T> {
    private final Kind<S, T> kind;
    private final Map<String, Resource<S, T>> objects = new TreeMap<>();
    private final List<Listening<S, T>> listeners = new ArrayList<>();
    private long revision;
    private boolean known;
    private int connection;

    private Feed(Kind<S, T> kind) {
      this.kind = kind;
    }

    private void connect() {
      int mine = ++connection;
      var lines = new Lines();
      var listed = new HashSet<String>();
      var received = new int[1];
      var call = new Call[1];
      Runnable again =
          () -> {
            if (connection == mine) {
              connection++;
              loop.after(PAUSE, this::connect);
            }
          };
      call[0] =
          leader.send(
              Request.of("GET", "/watch/" + kind.name(), Map.of()),
              new Receiver() {
                private boolean listing = true;

                @Override
                public void head(int status, Map<String, String> headers) {
                  assertThat(status).isEqualTo(200);
                }

                @Override
                public void data(byte[] bytes, Runnable next) {
                  if (connection != mine) {
                    return;
                  }
                  received[0]++;
                  for (var line : lines.take(bytes)) {
                    listing = take(line, listing, listed);
                  }
                  next.run();
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
      watchOver(mine, received, -1, call[0], again);
    }

    /** Closes a silent connection, such as one behind a cut. */
    private void watchOver(int mine, int[] received, int before, Call call, Runnable again) {
      if (connection == mine) {
        if (received[0] == before) {
          call.cancel();
          again.run();
        } else {
          int now = received[0];
          loop.after(IDLE_TIMEOUT, () -> watchOver(mine, received, now, call, again));
        }
      }
    }

    /** Returns whether objects are still being listed. */
    private boolean take(Lines.Line line, boolean listing, Set<String> listed) {
      switch (line.word()) {
        case "PUT" -> {
          var object = object(line);
          listed.add(object.name());
          put(object);
        }
        case "REMOVED" -> removed(object(line));
        default -> {
          revision = Math.max(revision, Long.parseLong(line.argument()));
          if (listing && line.word().equals("BOOKMARK")) {
            for (var name : List.copyOf(objects.keySet())) {
              if (!listed.contains(name)) {
                removed(objects.get(name));
              }
            }
            known = true;
            listeners.forEach(each -> each.begin(this));
            return false;
          }
        }
      }
      return listing;
    }

    @SuppressWarnings("unchecked") // the kind is checked
    private Resource<S, T> object(Lines.Line line) {
      var object = line.object();
      assertThat((Object) object.type()).isEqualTo(kind);
      return (Resource<S, T>) object;
    }

    private void put(Resource<S, T> object) {
      var before = objects.put(object.name(), object);
      if (before != null && before.meta().uid().equals(object.meta().uid())) {
        assertThat(object.meta().version())
            .as("versions only grow: %s", object.key())
            .isGreaterThanOrEqualTo(before.meta().version());
      }
      revision = Math.max(revision, object.meta().version());
      if (!object.equals(before)) {
        listeners.forEach(each -> each.put(before, object));
      }
    }

    private void removed(Resource<S, T> object) {
      revision = Math.max(revision, object.meta().version());
      var before = objects.remove(object.name());
      if (before != null) {
        listeners.forEach(each -> each.removed(before));
      }
    }
  }

  /** A watch. */
  private static final class Listening<S, T> {
    private final Selection selection;
    private final Loop loop;
    private final Consumer<Change<S, T>> watcher;
    private boolean begun;
    private boolean closed;

    private Listening(Selection selection, Loop loop, Consumer<Change<S, T>> watcher) {
      this.selection = selection;
      this.loop = loop;
      this.watcher = watcher;
    }

    private void begin(Feed<S, T> feed) {
      if (!begun) {
        begun = true;
        feed.objects.values().forEach(each -> put(null, each));
        tell(new Change.Bookmark<>(feed.revision));
      }
    }

    private void put(Resource<S, T> before, Resource<S, T> object) {
      if (begun) {
        boolean selected = before != null && selection.selects(before);
        if (selection.selects(object)) {
          tell(new Change.Put<>(object, !selected));
        } else if (selected) {
          tell(new Change.Removed<>(before));
        }
      }
    }

    private void removed(Resource<S, T> object) {
      if (begun && selection.selects(object)) {
        tell(new Change.Removed<>(object));
      }
    }

    private void tell(Change<S, T> change) {
      loop.execute(
          () -> {
            if (!closed) {
              watcher.accept(change);
            }
          });
    }
  }

  @Override
  public <S, T> Optional<Resource<S, T>> get(Kind<S, T> kind, String name) {
    return Optional.ofNullable(feed(kind).objects.get(name));
  }

  @Override
  public <S, T> Page<S, T> list(Kind<S, T> kind, Query query) {
    if (query.limit() != 0 || query.continuing().isPresent()) {
      throw new UnsupportedOperationException("pages");
    }
    var feed = feed(kind);
    var items =
        feed.objects.values().stream()
            .filter(query.selection()::selects)
            .filter(query.filter())
            .toList();
    return new Page<>(items, feed.revision, Optional.empty(), 0);
  }

  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    assertThat(fence).isEqualTo(Fence.NONE);
    var body = writes.stream().map(RemoteStore::line).collect(Collectors.joining());
    return ask("/commit/" + node, body)
        .map(lines -> lines.stream().<Resource<?, ?>>map(Lines.Line::object).toList());
  }

  private static String line(Write write) {
    var word =
        write instanceof Write.Put ? "PUT" : write instanceof Write.PutStatus ? "STATUS" : "REMOVE";
    return Lines.line(word, write.resource());
  }

  /**
   * Sends a request to the leader. Fails without an answer in time, even if the request took
   * effect.
   */
  Future<List<Lines.Line>> ask(String target, String body) {
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
                        promise.tryFail(failure(lines.get(0)));
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

  private static Exception failure(Lines.Line line) {
    var key = verwalter.model.Node.KIND.key("remote");
    return switch (line.word()) {
      case "Conflict" -> new StoreException.Conflict(key, 0, 0);
      case "Exists" -> new StoreException.Exists(key);
      case "Missing" -> new StoreException.Missing(key);
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
    var feed = feed(kind);
    if (after.isPresent()) {
      long asked = after.getAsLong();
      var reason = new StoreException.TooOld(asked, feed.revision);
      on.execute(() -> watcher.accept(new Change.Ended<>(feed.revision, reason)));
      return () -> {};
    }
    var listening = new Listening<>(selection, on, watcher);
    feed.listeners.add(listening);
    if (feed.known) {
      listening.begin(feed);
    }
    return () -> {
      listening.closed = true;
      feed.listeners.remove(listening);
    };
  }

  @Override
  public long revision() {
    return feeds.values().stream().mapToLong(feed -> feed.revision).max().orElse(0);
  }

  @Override
  public long epoch() {
    return verwalter.model.Version.epoch(revision());
  }

  @Override
  public Future<Long> beginEpoch(long atLeast) {
    return Future.failedFuture(new IllegalStateException("a follower begins no epoch"));
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of();
  }
}
