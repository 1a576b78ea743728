package verwalter.cluster.following;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.WebSocketClientOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.cluster.Term;
import verwalter.cluster.mirror.MirrorLink;
import verwalter.cluster.mirror.MirrorSockets;
import verwalter.cluster.mirror.RoutedStore;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.ContextLoop;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;
import verwalter.stores.cluster.ClusterStore;
import verwalter.stores.cluster.LeaderCommits;
import verwalter.stores.cluster.PeerSnapshot;
import verwalter.stores.engine.MemoryStore;

/** Tests the store of an observer over real WebSockets to the stores of electors. */
class FollowedLogTest {
  private static final Node.Spec CORDONED = new Node.Spec(true);
  private static final Term TERM = new Term("a".repeat(32), 7);

  /** More than the entries that an elector keeps for observers. */
  private static final int LARGE = 12;

  @TempDir private Path directory;
  private final Vertx vertx = Vertx.vertx();
  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final TestLeader leader = new TestLeader();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final AtomicInteger snapshots = new AtomicInteger();
  private final List<String> electors = new java.util.concurrent.CopyOnWriteArrayList<>();
  private Loop loop;
  private SharedLog log;
  private TestElector first;
  private FollowedLeadership followed;

  @BeforeEach
  void begin() throws Exception {
    loop = new ContextLoop(vertx);
    log = new SharedLog(loop);
    first = elector("first", log);
    electors.add(first.address());
  }

  @AfterEach
  void end() throws Exception {
    for (var each : open) {
      each.close();
    }
    result(vertx.close());
    executor.shutdown();
  }

  static <T> T result(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private static void await(BooleanSupplier goal) {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!goal.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within 20 s");
      }
      LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
    }
  }

  private TestElector elector(String name, SharedLog of) throws Exception {
    var elector = new TestElector(vertx, directory.resolve(name), of, loop, executor, leader);
    open.add(elector::close);
    return elector;
  }

  private ClusterStore observer() throws Exception {
    followed = new FollowedLeadership(loop);
    var parts =
        new FollowedLog.Parts(
            MirrorSockets.connector(
                vertx.createWebSocketClient(MirrorSockets.limits(new WebSocketClientOptions())),
                loop,
                LogFeed.PATH),
            () -> List.copyOf(electors),
            followed,
            failures -> Duration.ofMillis(50),
            0,
            failed -> {});
    return ClusterStore.following(
        directory.resolve("observer"),
        () -> new FollowedLog(loop, parts),
        this::commit,
        this::snapshot,
        TestElector.environment(loop, executor));
  }

  private ClusterStore opened() throws Exception {
    var store = observer();
    open.add(0, store);
    return store;
  }

  private Future<LeaderCommits.Decided> commit(List<Write> writes) {
    return ObserverWrites.commit(first.store, "n1", writes)
        .map(done -> new LeaderCommits.Decided(done.revision(), Optional.empty(), done.results()))
        .recover(
            why ->
                Future.succeededFuture(
                    new LeaderCommits.Decided(
                        first.store.revision(), Optional.of((StoreException) why), List.of())));
  }

  private Future<PeerSnapshot> snapshot() {
    snapshots.incrementAndGet();
    return Future.succeededFuture(PeerSnapshot.of(first.store.snapshot()));
  }

  private static Resource<Node.Spec, Node.Status> node(String name) {
    return Resource.of(Node.KIND, name, new Node.Spec(false));
  }

  private static Resource<Node.Spec, Node.Status> large(String name) {
    var node = node(name);
    var random = new byte[300_000];
    new java.util.Random(name.hashCode()).nextBytes(random);
    var text = java.util.Base64.getEncoder().encodeToString(random);
    return node.withMeta(node.meta().withAnnotations(Map.of("text", text)));
  }

  private static Resource<Node.Spec, Node.Status> reporting(
      Resource<Node.Spec, Node.Status> node, String fact) {
    return reporting(node, "machine", fact);
  }

  private static Resource<Node.Spec, Node.Status> reporting(
      Resource<Node.Spec, Node.Status> node, String machine, String fact) {
    return node.withStatus(
        new Node.Status(
            0,
            List.of(),
            Map.of(Node.MACHINE_ID, machine, "fact", fact),
            new Node.Capacity(1, 1),
            Optional.empty(),
            new Node.Roles(0, 0, 0),
            List.of()));
  }

  private static Map<String, Long> versions(ObjectStore store) {
    return versions(store.list(Node.KIND));
  }

  private static Map<String, Long> versions(Collection<Resource<Node.Spec, Node.Status>> nodes) {
    var versions = new TreeMap<String, Long>();
    nodes.forEach(each -> versions.put(each.name(), each.meta().version()));
    return versions;
  }

  private void awaitEqual(ClusterStore observer, ClusterStore elector) {
    await(() -> versions(observer).equals(versions(elector)));
    assertThat(observer.revision()).isEqualTo(elector.revision());
  }

  @Test
  void theStoreHasWhatTheElectorHas() throws Exception {
    for (int i = 0; i < 50; i++) {
      result(first.store.put(node("a" + i)));
    }
    var observer = opened();
    awaitEqual(observer, first.store);
    for (int i = 0; i < 50; i++) {
      result(first.store.put(node("b" + i)));
    }
    result(first.store.remove(first.store.get(Node.KIND, "a7").orElseThrow()));
    awaitEqual(observer, first.store);
    assertThat(observer.get(Node.KIND, "a7")).isEmpty();
    assertThat(snapshots).hasValue(0);
  }

  @Test
  void aRestartGoesOnAfterTheCopy() throws Exception {
    result(first.store.put(node("a")));
    try (var before = observer()) {
      awaitEqual(before, first.store);
      await(() -> before.durable() == 1);
    }
    result(first.store.put(node("b")));
    electors.clear();
    try (var alone = observer()) {
      assertThat(versions(alone)).containsOnlyKeys("a");
    }
    electors.add(first.address());
    awaitEqual(opened(), first.store);
    assertThat(snapshots).hasValue(0);
  }

  @Test
  void aSnapshotReplacesEntriesThatAreNotKept() throws Exception {
    result(first.store.put(node("a")));
    try (var before = observer()) {
      awaitEqual(before, first.store);
      await(() -> before.durable() == 1);
    }
    for (int i = 0; i < LARGE; i++) {
      result(first.store.put(large("large" + i)));
    }
    var observer = opened();
    awaitEqual(observer, first.store);
    assertThat(snapshots).hasValue(1);
    result(first.store.put(node("later")));
    awaitEqual(observer, first.store);
    assertThat(snapshots).hasValue(1);
  }

  @Test
  void anotherElectorIsFollowedWhenOneEnds() throws Exception {
    leader.set(Optional.of(TERM));
    var second = elector("second", log);
    electors.add(second.address());
    var observer = opened();
    result(first.store.put(node("a")));
    awaitEqual(observer, first.store);
    await(() -> followed.term().equals(Optional.of(TERM)));
    first.shutDown();
    result(first.store.put(node("b")));
    awaitEqual(observer, second.store);
    assertThat(followed.term()).contains(TERM);
  }

  @Test
  void anotherElectorIsFollowedWhenOneIsSilent() throws Exception {
    var silent =
        result(
            vertx
                .createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(0))
                .webSocketHandler(socket -> {})
                .listen());
    electors.add(0, "127.0.0.1:" + silent.actualPort());
    var observer = opened();
    result(first.store.put(node("a")));
    awaitEqual(observer, first.store);
  }

  @Test
  void anotherElectorIsFollowedWhenOneRefuses() throws Exception {
    var refusing =
        result(
            vertx
                .createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(0))
                .requestHandler(request -> request.response().setStatusCode(503).end("not now"))
                .listen());
    electors.add(0, "127.0.0.1:" + refusing.actualPort());
    var observer = opened();
    result(first.store.put(node("a")));
    awaitEqual(observer, first.store);
  }

  @Test
  void anotherHistoryIsRefused() throws Exception {
    result(first.store.put(node("a")));
    try (var before = observer()) {
      awaitEqual(before, first.store);
      await(() -> before.durable() == 1);
    }
    var other = elector("other", new SharedLog(loop));
    electors.set(0, other.address());
    result(other.store.put(node("x")));
    result(other.store.put(node("y")));
    var observer = opened();
    await(() -> observer.problem().isPresent());
    assertThat(observer.problem().orElseThrow()).contains("does not follow the entry 1");
    assertThat(versions(observer)).containsOnlyKeys("a");
  }

  @Test
  void aReaderThatDoesNotConfirmGetsFewMessages() throws Exception {
    var sent = new AtomicInteger();
    var link =
        new MirrorLink() {
          @Override
          public void send(Buffer message) {
            try {
              if (FeedCodec.read(message) instanceof FeedMessage.Entries) {
                sent.incrementAndGet();
              }
            } catch (java.io.IOException wrong) {
              throw new AssertionError(wrong);
            }
          }

          @Override
          public boolean isFull() {
            return false;
          }

          @Override
          public void close() {}
        };
    loop.execute(
        () ->
            first
                .feed
                .accept("n7", link)
                .received(FeedCodec.write(new FeedMessage.Hello(FeedMessage.PROTOCOL, 1))));
    for (int i = 0; i < LARGE; i++) {
      result(first.store.put(large("large" + i)));
    }
    await(() -> sent.get() == LogFeed.WINDOW);
    result(first.store.put(node("later")));
    assertThat(sent).hasValue(LogFeed.WINDOW);
  }

  /** A connection that only notes its end. */
  private static final class Ending implements MirrorLink {
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    @Override
    public void send(Buffer message) {}

    @Override
    public boolean isFull() {
      return false;
    }

    @Override
    public void close() {
      closed.complete(null);
    }
  }

  @Test
  void theConnectionOfARemovedNodeEnds() throws Exception {
    var removed = new Ending();
    var other = new Ending();
    loop.execute(
        () -> {
          first.feed.accept("n7", removed);
          first.feed.accept("n8", other);
        });

    first.feed.remove("n7");

    removed.closed.get(20, TimeUnit.SECONDS);
    assertThat(other.closed).isNotDone();
  }

  @Test
  void theConnectionOfANodeEndsThatWasRemovedAfterASnapshotHadReplacedTheObjects()
      throws Exception {
    var present = objects("n7", "n8", "n9");
    var store = new RoutedStore(present, present);
    var duringReplacement = new Ending();
    var later = new Ending();
    var other = new Ending();
    loop.execute(
        () -> {
          first.feed.accept("n7", duringReplacement);
          first.feed.accept("n8", later);
          first.feed.accept("n9", other);
        });
    open.add(first.feed.endRemoved(store));

    var snapshot = objects("n8", "n9");
    store.becomeCluster(snapshot);
    duringReplacement.closed.get(20, TimeUnit.SECONDS);
    result(snapshot.remove(node("n8")));
    later.closed.get(20, TimeUnit.SECONDS);

    assertThat(other.closed).isNotDone();
  }

  private static MemoryStore objects(String... nodes) throws Exception {
    var store = new MemoryStore(InstantSource.system(), () -> UUID.randomUUID().toString());
    for (var name : nodes) {
      result(store.put(node(name)));
    }
    return store;
  }

  @Test
  void aWriteIsVisibleWhenItsFutureCompletes() throws Exception {
    result(first.store.put(reporting(node("n1"), "")));
    var observer = opened();
    awaitEqual(observer, first.store);
    var own = observer.get(Node.KIND, "n1").orElseThrow();
    for (int i = 0; i < 20; i++) {
      var fact = "f" + i;
      result(observer.putStatus(reporting(own, fact)));
      own = observer.get(Node.KIND, "n1").orElseThrow();
      assertThat(own.status().orElseThrow().facts()).containsEntry("fact", fact);
    }
  }

  @Test
  void aWriteToAnotherNodeIsRefused() throws Exception {
    result(first.store.put(reporting(node("n1"), "")));
    result(first.store.put(node("n2")));
    var observer = opened();
    awaitEqual(observer, first.store);
    var other = observer.get(Node.KIND, "n2").orElseThrow();
    assertThatThrownBy(() -> result(observer.putStatus(reporting(other, "x"))))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("writes only its own Node and NodeSchedule");
    var own = observer.get(Node.KIND, "n1").orElseThrow();
    assertThatThrownBy(() -> result(observer.put(own.withSpec(new Node.Spec(true)))))
        .hasCauseInstanceOf(StoreException.Forbidden.class);
    var place =
        own.withMeta(own.meta().withAnnotations(Map.of(Node.ELECTOR, "1 127.0.0.1 9 votes")));
    assertThatThrownBy(() -> result(observer.put(place)))
        .hasCauseInstanceOf(StoreException.Forbidden.class);
    assertThatThrownBy(() -> result(observer.putStatus(reporting(own, "of the leader", ""))))
        .hasCauseInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("neither creates its Node nor changes its machine");
    assertThatThrownBy(() -> result(observer.remove(own)))
        .hasCauseInstanceOf(StoreException.Forbidden.class);
  }

  @Test
  void aWriteOnAnOldVersionIsAConflict() throws Exception {
    result(first.store.put(reporting(node("n1"), "")));
    var observer = opened();
    awaitEqual(observer, first.store);
    var own = observer.get(Node.KIND, "n1").orElseThrow();
    result(observer.putStatus(reporting(own, "x")));
    assertThatThrownBy(() -> result(observer.putStatus(reporting(own, "y"))))
        .hasCauseInstanceOf(StoreException.Conflict.class);
    result(first.store.put(first.store.get(Node.KIND, "n1").orElseThrow().withSpec(CORDONED)));
    assertThatThrownBy(() -> result(observer.putStatus(reporting(own, "z"))))
        .hasCauseInstanceOf(StoreException.Conflict.class);
    assertThat(observer.get(Node.KIND, "n1").orElseThrow().spec()).isEqualTo(CORDONED);
  }

  @Test
  void anObserverBeginsNoEpoch() throws Exception {
    var observer = opened();
    assertThatThrownBy(() -> result(observer.beginEpoch(9)))
        .hasCauseInstanceOf(StoreException.Unavailable.class);
  }
}
