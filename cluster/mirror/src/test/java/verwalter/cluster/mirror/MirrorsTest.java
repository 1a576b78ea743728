package verwalter.cluster.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.cluster.mirror.Trial.event;
import static verwalter.cluster.mirror.Trial.group;
import static verwalter.cluster.mirror.Trial.instance;
import static verwalter.cluster.mirror.Trial.output;
import static verwalter.cluster.mirror.Trial.running;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.testkit.ShiftedLoop;
import verwalter.model.Event;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.Version;
import verwalter.model.codec.Codec;
import verwalter.stores.api.Change;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;
import verwalter.stores.engine.HistoryLimit;

class MirrorsTest {
  private static final Duration SOON = Duration.ofSeconds(5);

  private final Trial trial = new Trial(1, "n1", "n2");

  @Test
  void mirrorsTheObjectsOfAllNodes() {
    var site = trial.site("n1");
    var owner = site.put(running(instance("web", "n1"), "started"));
    site.put(group("web", "n1", owner));
    site.put(output("web", "n1"));
    site.put(event(1, "n1"));
    trial.site("n2").put(instance("web", "n2"));
    trial.world.runFor(SOON);
    assertThat(trial.mirrored()).hasSize(5);
    trial.assertEqual();
    assertThat(trial.mirrors.objects().list(RoleInstance.KIND, new Selection.Node("n2")))
        .extracting(Resource::name)
        .containsExactly("web@n2");
  }

  @Test
  void followsChangesAndRemovals() {
    var site = trial.site("n1");
    var owner = site.put(instance("web", "n1"));
    site.put(group("web", "n1", owner));
    trial.world.runFor(SOON);
    var seen = watched();
    trial.world.await(site.store.putStatus(running(owner, "started")));
    trial.world.runFor(SOON);
    assertThat(seen).containsExactly("put web@n1 started");
    trial.world.await(site.store.remove(owner.withMeta(owner.meta().withVersion(0))));
    trial.world.runFor(SOON);
    assertThat(trial.mirrored()).isEmpty();
    assertThat(seen).hasSize(2).endsWith("gone web@n1 started");
  }

  @Test
  void hasOnlyTheNewestEventsOfEachNodeOfALargeCluster() {
    trial.nodes = 1000;
    int most = NewestEvents.most(1000);
    var site = trial.site("n1");
    for (int i = 0; i < most + 30; i++) {
      site.put(event(i, "n1"));
      trial.world.runFor(Duration.ofMillis(100));
    }
    trial.world.runFor(SOON);
    assertThat(events()).isEqualTo(newest(site, most));

    trial.lead();
    trial.world.runFor(SOON);
    assertThat(events()).as("at a new leader").isEqualTo(newest(site, most));

    trial.nodes = 2;
    trial.settle();
    assertThat(events()).as("after nodes were removed").hasSize(most + 30);
  }

  private List<String> events() {
    return trial.mirrors.objects().list(Event.KIND).stream().map(Resource::name).toList();
  }

  /** The events with the largest names, since all have the same time. */
  private static List<String> newest(Trial.Site site, int number) {
    var all = site.store.list(Event.KIND).stream().map(Resource::name).toList();
    return all.subList(all.size() - number, all.size());
  }

  @Test
  void givesObjectsVersionsOfItsOwn() {
    trial.site("n1").put(instance("web", "n1"));
    trial.world.runFor(SOON);
    var first = trial.mirrors.objects().get(RoleInstance.KIND, "web@n1").orElseThrow();
    assertThat(first.meta().version()).isEqualTo(Version.of(Mirrors.FIRST_EPOCH + 1, 1));
    trial.lead();
    trial.world.runFor(SOON);
    var second = trial.mirrors.objects().get(RoleInstance.KIND, "web@n1").orElseThrow();
    assertThat(second.meta().version()).isEqualTo(Version.of(Mirrors.FIRST_EPOCH + 2, 1));
    assertThat(second.meta().uid()).isEqualTo(first.meta().uid());
  }

  @Test
  void doesNotContinueTheWatchesOfAnEarlierLeader() {
    trial.site("n1").put(instance("web", "n1"));
    trial.world.runFor(SOON);
    long before = trial.mirrors.objects().revision();
    trial.lead();
    trial.world.runFor(SOON);
    var ends = new ArrayList<String>();
    trial
        .mirrors
        .objects()
        .watch(
            RoleInstance.KIND,
            OptionalLong.of(before),
            trial.world.loop("watcher"),
            change -> ends.add(text(change)));
    trial.world.runFor(SOON);
    assertThat(ends).containsExactly("end TooOld");
  }

  @Test
  void isCompleteOnceAllObjectsHaveArrived() {
    var completed = new AtomicInteger();
    trial.mirrors.onComplete(completed::incrementAndGet);
    for (int i = 0; i < 1000; i++) {
      trial.site("n1").put(instance("r" + i, "n1"));
    }
    trial.lead();
    trial.mirrors.onComplete(completed::incrementAndGet);
    trial.world.always(
        () ->
            assertThat(
                    !trial.mirrors.complete("n1")
                        || trial.mirrors.objects().list(RoleInstance.KIND).size() == 1000)
                .isTrue());
    trial.world.runUntil(() -> trial.mirrors.complete("n1") && trial.mirrors.complete("n2"), SOON);
    assertThat(completed).hasValue(2);
    assertThat(trial.mirrors.states().get("n1").objects()).isEqualTo(1000);
    assertThat(trial.mirrors.complete("n3")).isFalse();
  }

  @Test
  void keepsTheMirrorOfADisconnectedNode() {
    trial.site("n1").put(instance("web", "n1"));
    trial.settle();
    trial.reachable = false;
    trial.cut();
    var cut = trial.world.now();
    trial.settle();
    assertThat(trial.mirrored()).hasSize(1);
    var state = trial.mirrors.states().get("n1");
    assertThat(state.connected()).isFalse();
    assertThat(state.complete()).isTrue();
    assertThat(state.confirmed())
        .hasValueSatisfying(at -> assertThat(at).isBetween(cut.minusSeconds(11), cut));
    trial.reachable = true;
    trial.settle();
    assertThat(trial.mirrors.states().get("n1").confirmed())
        .hasValueSatisfying(at -> assertThat(at).isAfter(trial.world.now().minusSeconds(11)));
  }

  @Test
  void forgetsTheMirrorOfARemovedNode() {
    trial.site("n1").put(instance("web", "n1"));
    trial.site("n2").put(instance("web", "n2"));
    trial.world.runFor(SOON);
    trial.reachable = false;
    trial.mirrors.remove("n1");
    trial.world.runFor(SOON);
    assertThat(trial.mirrored()).extracting(Resource::name).containsExactly("web@n2");
    assertThat(trial.mirrors.states()).containsOnlyKeys("n2");
  }

  @Test
  void sendsOnlyDifferencesAfterAnInterruption() {
    var site = trial.site("n1");
    for (int i = 0; i < 1000; i++) {
      site.put(instance("r" + i, "n1"));
    }
    trial.settle();
    long before = trial.mirrors.figures().objects();
    trial.reachable = false;
    trial.cut();
    trial.world.runFor(SOON);
    site.put(instance("more", "n1"));
    trial.world.await(site.store.remove(instance("r7", "n1")));
    var changed = site.store.get(RoleInstance.KIND, "r8@n1").orElseThrow();
    trial.world.await(site.store.putStatus(running(changed, "changed")));
    trial.reachable = true;
    trial.settle();
    trial.assertEqual();
    assertThat(trial.mirrors.figures().objects() - before).isEqualTo(2);
  }

  @Test
  void sendsNothingButHeartbeatsIfNothingChanges() {
    for (int i = 0; i < 100; i++) {
      trial.site("n1").put(instance("r" + i, "n1"));
    }
    trial.settle();
    var before = trial.mirrors.figures();
    trial.world.runFor(Duration.ofMinutes(10));
    var after = trial.mirrors.figures();
    assertThat(after.objects()).isEqualTo(before.objects());
    assertThat(after.messages() - before.messages()).isBetween(2 * 300 - 2L, 2 * 300 + 2L);
    assertThat(after.bytes() - before.bytes()).isLessThan(2 * 300 * 35);
  }

  @Test
  void sendsAnObjectThatChangesOftenSeldomOnASlowConnection() {
    var site = trial.site("n1");
    site.put(instance("web", "n1"));
    trial.settle();
    trial.delay = 2000;
    long before = trial.mirrors.figures().objects();
    for (int i = 0; i < 1000; i++) {
      var present = site.store.get(RoleInstance.KIND, "web@n1").orElseThrow();
      trial.world.await(site.store.putStatus(running(present, "number " + i)));
      trial.world.runFor(Duration.ofMillis(10));
    }
    trial.settle();
    trial.assertEqual();
    assertThat(trial.mirrors.figures().objects() - before).isBetween(5L, 60L);
  }

  @Test
  void findsAndRepairsADifference() {
    var site = trial.site("n1");
    for (int i = 0; i < 100; i++) {
      site.put(instance("r" + i, "n1"));
    }
    trial.settle();
    trial.tampering =
        message ->
            message instanceof Message.Changes changes
                ? new Message.Changes(changes.complete(), List.of(), List.of())
                : message;
    site.put(instance("lost", "n1"));
    trial.world.await(site.store.remove(instance("r7", "n1")));
    trial.world.runFor(SOON);
    trial.tampering = message -> message;
    assertThat(trial.mirrors.objects().get(RoleInstance.KIND, "lost@n1")).isEmpty();
    long before = trial.mirrors.figures().objects();
    trial.world.runFor(Duration.ofSeconds(70));
    trial.assertEqual();
    assertThat(trial.mirrors.figures().differences()).isEqualTo(1);
    assertThat(trial.mirrors.figures().objects() - before).isEqualTo(1);
  }

  @Test
  void startsAnewWithAStoreThatWasLost() {
    var site = trial.site("n1");
    site.put(instance("web", "n1"));
    site.put(instance("old", "n1"));
    trial.settle();
    site.lose();
    site.put(instance("web", "n1")); // at the same version as before
    trial.settle();
    trial.assertEqual();
    assertThat(trial.mirrored()).hasSize(1);
  }

  @Test
  void refusesObjectsOfAnotherNode() {
    trial.site("n2").put(instance("web", "n2"));
    trial.world.runFor(SOON);
    var object = instance("web", "n2");
    for (var forged :
        List.<Resource<?, ?>>of(
            object,
            object.withSpec(instance("web", "n1").spec()),
            instance("web", "n1").withSpec(object.spec()),
            event(7, "n2"),
            event(7, "x.n1"))) {
      var before = trial.mirrors.figures().refused();
      trial.tampering =
          message ->
              message instanceof Message.Changes
                  ? new Message.Changes(
                      false, List.of(ByteBuffer.wrap(Codec.json(forged))), List.of())
                  : message;
      trial.site("n1").put(event(before, "n1"));
      trial.world.runFor(Duration.ofMillis(100));
      trial.tampering = message -> message;
      assertThat(trial.mirrors.figures().refused()).as("%s", forged).isGreaterThan(before);
      trial.settle();
      trial.assertEqual();
    }
    trial.tampering =
        message ->
            message instanceof Message.Changes
                ? new Message.Changes(false, List.of(), List.of(object.key()))
                : message;
    trial.site("n1").put(event(99, "n1"));
    trial.world.runFor(Duration.ofMillis(100));
    trial.tampering = message -> message;
    trial.settle();
    trial.assertEqual();
  }

  @Test
  void refusesANodeWithTheNameOfAnother() {
    trial.settle();
    trial.tampering =
        message ->
            message instanceof Message.Hello hello
                ? new Message.Hello(1, "n2", hello.process(), hello.attempt(), hello.digests())
                : message;
    trial.cut();
    trial.world.runFor(SOON);
    assertThat(trial.mirrors.states().get("n1").connected()).isFalse();
    assertThat(trial.mirrors.states().get("n2").connected()).isTrue();
  }

  @Test
  void forwardsWritesWithTheVersionsOfTheMaster() {
    var site = trial.site("n1");
    site.put(event(1, "n1"));
    site.put(instance("web", "n1"));
    trial.world.runFor(SOON);
    var objects = trial.mirrors.objects();
    var seen = objects.get(RoleInstance.KIND, "web@n1").orElseThrow();
    var wanted = seen.withSpec(instance("web", "n1", "v2").spec());
    var written = trial.world.await(objects.put(wanted));
    assertThat(written.spec().version()).contains("v2");
    assertThat(written.meta().generation()).isEqualTo(2);
    assertThat(objects.get(RoleInstance.KIND, "web@n1")).contains(written);
    assertThat(written.meta().version()).isEqualTo(objects.revision());
    trial.assertEqual();
    assertThat(trial.world.failure(objects.put(wanted)))
        .isInstanceOf(StoreException.Conflict.class)
        .hasMessageContaining("" + written.meta().version());
  }

  @Test
  void forwardsRemovalsAndCreations() {
    trial.world.runFor(SOON);
    var objects = trial.mirrors.objects();
    var made = trial.world.await(objects.put(instance("web", "n1")));
    assertThat(objects.get(RoleInstance.KIND, "web@n1")).contains(made);
    assertThat(trial.world.failure(objects.put(instance("web", "n1"))))
        .isInstanceOf(StoreException.Exists.class);
    var status = trial.world.await(objects.putStatus(running(made, "started")));
    assertThat(status.status().orElseThrow().reason()).isEqualTo("started");
    var removed = trial.world.await(objects.remove(status));
    assertThat(removed.meta().uid()).isEqualTo(made.meta().uid());
    assertThat(objects.list(RoleInstance.KIND)).isEmpty();
    assertThat(trial.world.failure(objects.remove(instance("web", "n1"))))
        .isInstanceOf(StoreException.Missing.class);
  }

  @Test
  void refusesAWriteThatTheMasterRefuses() {
    var site = trial.site("n1");
    site.put(instance("web", "n1"));
    trial.world.runFor(SOON);
    var objects = trial.mirrors.objects();
    var seen = objects.get(RoleInstance.KIND, "web@n1").orElseThrow();
    trial.delay = 1000;
    site.put(
        site.store
            .get(RoleInstance.KIND, "web@n1")
            .orElseThrow()
            .withSpec(instance("web", "n1", "v3").spec()));
    assertThat(trial.world.failure(objects.put(seen.withSpec(instance("web", "n1", "v2").spec()))))
        .isInstanceOf(StoreException.Conflict.class);
    trial.settle();
    trial.assertEqual();
  }

  @Test
  void refusesWritesToDisconnectedNodes() {
    trial.site("n1").put(instance("web", "n1"));
    trial.settle();
    trial.reachable = false;
    trial.cut();
    trial.world.runFor(SOON);
    var objects = trial.mirrors.objects();
    assertThat(trial.world.failure(objects.remove(instance("web", "n1"))))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("n1");
    assertThat(trial.world.failure(objects.remove(instance("web", "n9"))))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("n9");
    assertThat(
            trial.world.failure(
                objects.commit(
                    List.of(
                        new Write.Put(instance("web", "n1")),
                        new Write.Put(instance("web", "n2"))))))
        .isInstanceOf(StoreException.Invalid.class);
    assertThat(
            trial.world.failure(
                objects.put(instance("web", "n1").withSpec(instance("web", "n2").spec()))))
        .isInstanceOf(StoreException.Invalid.class);
  }

  @Test
  void failsWritesWhoseConnectionEnds() {
    trial.settle();
    trial.delay = 60_000;
    var slow = trial.mirrors.objects().put(instance("web", "n1"));
    assertThat(trial.world.failure(slow))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("10 seconds");
    trial.delay = 5;
    trial.cut();
    trial.settle();
    trial.delay = 3000;
    var cut = trial.mirrors.objects().put(instance("other", "n1"));
    trial.world.runFor(Duration.ofMillis(1));
    trial.cut();
    assertThat(trial.world.failure(cut))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("unknown");
  }

  @Test
  void closesTheConnectionOfASilentNode() {
    trial.settle();
    trial.world.kill(trial.site("n1").loop);
    var mute = new Recording(new ArrayList<>());
    trial.leaderLoop.execute(() -> trial.mirrors.accept(new MirrorPeer("n3", "machine-n3"), mute));
    trial.world.runFor(Duration.ofSeconds(60));
    assertThat(trial.mirrors.states().get("n1").connected()).isFalse();
    assertThat(trial.mirrors.states().get("n2").connected()).isTrue();
    assertThat(mute.closed).isTrue();
  }

  @Test
  void closesTheConnectionOfASilentNodeAlthoughTheClockIsSetBack() {
    var loop = new ShiftedLoop(trial.world.loop("leader"));
    var leader = new Mirrors(loop, 2, new HistoryLimit(100, 1 << 20));
    var mute = new Recording(new ArrayList<>());
    loop.execute(() -> leader.accept(new MirrorPeer("n3", "machine-n3"), mute));
    trial.world.runFor(Duration.ofSeconds(1));
    loop.shift(Duration.ofHours(-1));
    trial.world.runFor(Duration.ofSeconds(60));
    assertThat(mute.closed).isTrue();
  }

  @Test
  void leavesASilentLeaderAlthoughTheClockIsSetBack() {
    var store = trial.site("n1").store;
    var loop = new ShiftedLoop(trial.world.loop("node"));
    var feed = new NodeFeed("n1", 1, store, store, loop, () -> 1);
    var mute = new Recording(new ArrayList<>());
    loop.execute(() -> feed.opened(mute));
    trial.world.runFor(Duration.ofSeconds(1));
    loop.shift(Duration.ofHours(-1));
    for (int i = 0; i < 30; i++) {
      loop.execute(feed::beat);
      trial.world.runFor(Trial.HEARTBEAT);
    }
    assertThat(mute.closed).isTrue();
  }

  @Test
  void keepsTheNewerOfTwoConnections() {
    trial.settle();
    var feed = trial.site("n1").feed;
    var hellos = new ArrayList<Buffer>();
    trial.site("n1").loop.execute(() -> feed.opened(new Recording(hellos)));
    trial.world.runFor(Duration.ofMillis(1));
    trial.world.runFor(SOON);
    assertThat(hellos).hasSize(1);
    // The client has connected again after the recorded attempt.
    var late = new Recording(new ArrayList<>());
    trial.leaderLoop.execute(
        () ->
            trial.mirrors.accept(new MirrorPeer("n1", "machine-n1"), late).received(hellos.get(0)));
    trial.world.runFor(Duration.ofMillis(1));
    assertThat(late.closed).isTrue();
    trial.site("n1").put(instance("web", "n1"));
    trial.world.runFor(SOON);
    trial.assertEqual();
  }

  @Test
  void reportsHeartbeatsWithTheMachineOfTheCertificate() {
    var machines = new ArrayList<String>();
    trial.mirrors.onBeat(machines::add);
    trial.world.runFor(Trial.HEARTBEAT.plusMillis(400));
    assertThat(machines).containsExactlyInAnyOrder("machine-n1", "machine-n2");
  }

  @Test
  void listsPagesOfTheWholeCluster() {
    for (int i = 0; i < 5; i++) {
      trial.site("n1").put(instance("a" + i, "n1"));
      trial.site("n2").put(instance("b" + i, "n2"));
    }
    trial.world.runFor(SOON);
    var first = trial.mirrors.objects().list(RoleInstance.KIND, Query.ALL.limit(7));
    trial.site("n1").put(instance("z", "n1"));
    trial.world.runFor(SOON);
    var second =
        trial
            .mirrors
            .objects()
            .list(RoleInstance.KIND, Query.ALL.limit(7).continuing(first.next().orElseThrow()));
    assertThat(first.items()).hasSize(7);
    assertThat(second.items()).hasSize(3);
    assertThat(second.revision()).isEqualTo(first.revision());
  }

  @Test
  void mirrorsTheLeadersOwnNodeWithoutANetwork() {
    var own = new Trial(2, "n1");
    own.reachable = false;
    var site = own.site("n1");
    own.mirrors.connect(new MirrorPeer("n1", "m1"), site.loop, site.feed::opened);
    site.put(event(3, "n1"));
    own.world.runFor(SOON);
    own.assertEqual();
    assertThat(own.mirrors.objects().list(Event.KIND)).hasSize(1);
    var written = own.world.await(own.mirrors.objects().put(instance("web", "n1")));
    assertThat(own.mirrors.objects().get(RoleInstance.KIND, "web@n1")).contains(written);
    own.mirrors.close();
    own.world.runFor(SOON);
    assertThat(site.feed.connected()).isFalse();
  }

  private List<String> watched() {
    var seen = new ArrayList<String>();
    trial
        .mirrors
        .objects()
        .watch(
            RoleInstance.KIND,
            OptionalLong.of(trial.mirrors.objects().revision()),
            trial.world.loop("watcher"),
            change -> seen.add(text(change)));
    return seen;
  }

  private static String text(Change<RoleInstance.Spec, RoleInstance.Status> change) {
    if (change instanceof Change.Put<RoleInstance.Spec, RoleInstance.Status> put) {
      return "put " + text(put.resource());
    }
    if (change instanceof Change.Removed<RoleInstance.Spec, RoleInstance.Status> gone) {
      return "gone " + text(gone.resource());
    }
    return change instanceof Change.Ended<RoleInstance.Spec, RoleInstance.Status> ended
        ? "end " + ended.reason().getClass().getSimpleName()
        : "mark";
  }

  private static String text(Resource<RoleInstance.Spec, RoleInstance.Status> object) {
    return object.name() + object.status().map(status -> " " + status.reason()).orElse("");
  }

  /** A connection that leads nowhere. */
  private static final class Recording implements MirrorLink {
    private final List<Buffer> sent;
    private boolean closed;

    Recording(List<Buffer> sent) {
      this.sent = sent;
    }

    @Override
    public void send(Buffer message) {
      sent.add(message);
    }

    @Override
    public boolean isFull() {
      return false;
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
