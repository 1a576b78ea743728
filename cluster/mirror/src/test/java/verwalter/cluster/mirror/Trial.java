package verwalter.cluster.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import verwalter.cluster.Leases;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Event;
import verwalter.model.Kind;
import verwalter.model.Node;
import verwalter.model.OwnerReference;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.TemplateOutput;
import verwalter.model.codec.Codec;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.engine.MemoryStore;

/** A leader and nodes in a virtual world, with connections that a test can break. */
final class Trial {
  static final Duration HEARTBEAT = Leases.RENEWAL;

  final VirtualWorld world;
  private final boolean beating;
  final Map<String, Site> sites = new TreeMap<>();
  Mirrors mirrors;
  Loop leaderLoop;
  private long epoch;

  /** Whether connections can be opened. */
  boolean reachable = true;

  /** The longest delay of a message, in milliseconds. */
  int delay = 5;

  /** The number of nodes that feeds are given. */
  int nodes = 1;

  /** Changes messages on their way to the leader. */
  Function<Message, Message> tampering = message -> message;

  /** The bytes that the leader has received. */
  long bytes;

  private final Set<Wire> wires = new HashSet<>();

  Trial(long seed, String... nodes) {
    this(new VirtualWorld(seed), true, nodes);
  }

  /** Creates a trial. Its nodes may send heartbeats by themselves. */
  Trial(VirtualWorld world, boolean beating, String... nodes) {
    this.world = world;
    this.beating = beating;
    lead();
    for (var node : nodes) {
      sites.put(node, new Site(node));
    }
  }

  /** Begins a term: a leader with empty mirrors, which all nodes follow. */
  void lead() {
    if (mirrors != null) {
      mirrors.close();
    }
    epoch++;
    leaderLoop = world.loop("leader" + epoch);
    mirrors = new Mirrors(leaderLoop, epoch, new HistoryLimit(10_000, 64 << 20));
    sites.values().forEach(Site::follow);
  }

  Site site(String node) {
    return sites.get(node);
  }

  /** Breaks all connections. */
  void cut() {
    List.copyOf(wires).forEach(Wire::cut);
  }

  void settle() {
    world.runFor(Duration.ofSeconds(150));
  }

  /** The objects of the leader without their versions. */
  List<Resource<?, ?>> mirrored() {
    return objects(mirrors.objects());
  }

  /** The objects of all nodes without their versions. */
  List<Resource<?, ?>> originals() {
    var all = new ArrayList<Resource<?, ?>>();
    sites.values().forEach(site -> all.addAll(objects(site.store)));
    return all;
  }

  void assertEqual() {
    var expected = originals().stream().map(Trial::text).collect(Collectors.toSet());
    var actual = mirrored().stream().map(Trial::text).collect(Collectors.toSet());
    var missing = new TreeSet<>(expected);
    missing.removeAll(actual);
    actual.removeAll(expected);
    assertThat(missing).as("missing in the mirrors, which are %s", mirrors.states()).isEmpty();
    assertThat(actual).as("only in the mirrors").isEmpty();
  }

  private static String text(Resource<?, ?> object) {
    return new String(Codec.json(object), StandardCharsets.UTF_8);
  }

  static List<Resource<?, ?>> objects(ObjectStore store) {
    var all = new ArrayList<Resource<?, ?>>();
    for (var kind : NodeFeed.KINDS) {
      all.addAll(plain(kind, store));
    }
    return all;
  }

  private static <S, T> List<Resource<S, T>> plain(Kind<S, T> kind, ObjectStore store) {
    return store.list(kind).stream()
        .map(each -> each.withMeta(each.meta().withVersion(0)))
        .toList();
  }

  /** A node with its store, which survives restarts of its process. */
  final class Site {
    final String node;
    MemoryStore store;
    NodeFeed feed;
    MirrorClient client;
    Loop loop;
    private long process;

    Site(String node) {
      this.node = node;
      this.store = new MemoryStore(world.clock(), world.uids());
      start();
    }

    /** Starts the process anew. */
    void start() {
      if (loop != null) {
        world.kill(loop);
        List.copyOf(wires).stream().filter(wire -> wire.near == loop).forEach(Wire::cut);
      }
      loop = world.loop(node + "-" + ++process);
      feed = new NodeFeed(node, process, store, store, loop, () -> nodes);
      var backoff =
          Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(10))
              .jittered(0.5, world.random()::nextDouble);
      var mine = loop;
      client =
          new MirrorClient(
              mine, feed, (leader, opened, failed) -> connect(mine, opened, failed), backoff);
      follow();
      if (beating) {
        beats(mine, feed);
      }
    }

    private void beats(Loop mine, NodeFeed its) {
      mine.after(
          HEARTBEAT,
          () -> {
            its.beat();
            beats(mine, its);
          });
    }

    /** Loses the disk: the store is made anew. */
    void lose() {
      store = new MemoryStore(world.clock(), world.uids());
      start();
    }

    void follow() {
      var name = Long.toString(epoch);
      var its = client;
      loop.execute(() -> its.follow(Optional.of(name)));
    }

    private void connect(
        Loop mine, Function<MirrorLink, MirrorLink.Receiver> opened, Consumer<String> failed) {
      if (!reachable) {
        mine.after(Duration.ofMillis(20), () -> failed.accept("unreachable"));
        return;
      }
      var wire = new Wire(mine, leaderLoop, mirrors, new MirrorPeer(node, "machine-" + node));
      wires.add(wire);
      mine.after(wire.next(true), () -> wire.open(opened, failed));
    }

    <S, T> Resource<S, T> put(Resource<S, T> object) {
      return world.await(store.put(object));
    }
  }

  /** A connection with delays. Both ends notice a cut at different times. */
  final class Wire {
    private final Loop near;
    private final Loop far;
    private final Mirrors leader;
    private final MirrorPeer peer;
    private MirrorLink.@Nullable Receiver atNode;
    private MirrorLink.@Nullable Receiver atLeader;
    private Instant lastUp = Instant.EPOCH;
    private Instant lastDown = Instant.EPOCH;
    private boolean cut;

    Wire(Loop near, Loop far, Mirrors leader, MirrorPeer peer) {
      this.near = near;
      this.far = far;
      this.leader = leader;
      this.peer = peer;
    }

    void open(Function<MirrorLink, MirrorLink.Receiver> opened, Consumer<String> failed) {
      if (cut) {
        failed.accept("cut");
        return;
      }
      far.after(next(true), () -> atLeader = leader.accept(peer, end(false)));
      atNode = opened.apply(end(true));
    }

    /** Messages keep their order. */
    private Duration next(boolean up) {
      var at = world.now().plusMillis(world.random().nextInt(delay + 1));
      var last = up ? lastUp : lastDown;
      var next = at.isBefore(last) ? last : at;
      if (up) {
        lastUp = next;
      } else {
        lastDown = next;
      }
      return Duration.between(world.now(), next);
    }

    private MirrorLink end(boolean ofNode) {
      return new MirrorLink() {
        @Override
        public void send(Buffer message) {
          if (!cut) {
            (ofNode ? far : near).after(next(ofNode), () -> arrive(ofNode, message));
          }
        }

        @Override
        public boolean isFull() {
          return false;
        }

        @Override
        public void close() {
          cut();
        }
      };
    }

    private void arrive(boolean up, Buffer message) {
      var receiver = up ? atLeader : atNode;
      if (cut || receiver == null) {
        return;
      }
      try {
        var changed =
            up ? MessageCodec.write(tampering.apply(MessageCodec.read(message))) : message;
        bytes += up ? changed.length() : 0;
        receiver.received(changed);
      } catch (IOException wrong) {
        throw new AssertionError(wrong);
      }
    }

    void cut() {
      if (!cut) {
        cut = true;
        wires.remove(this);
        near.after(next(false), () -> closed(atNode));
        far.after(next(true), () -> closed(atLeader));
      }
    }

    private void closed(MirrorLink.@Nullable Receiver receiver) {
      if (receiver != null) {
        receiver.closed();
      }
    }
  }

  // Objects

  static Resource<RoleInstance.Spec, RoleInstance.Status> instance(String role, String node) {
    return instance(role, node, "v1");
  }

  static Resource<RoleInstance.Spec, RoleInstance.Status> instance(
      String role, String node, String version) {
    return Resource.of(
        RoleInstance.KIND,
        RoleInstance.name(role, node),
        new RoleInstance.Spec(
            role, node, "template", Optional.of(version), Map.of("port", 80L, "role", role)));
  }

  static Resource<RoleInstance.Spec, RoleInstance.Status> running(
      Resource<RoleInstance.Spec, RoleInstance.Status> object, String reason) {
    return object.withStatus(
        new RoleInstance.Status(
            1, RoleInstance.State.RUNNING, 1, 1, 0, Instant.EPOCH, reason, List.of()));
  }

  static Resource<ProcessGroup.Spec, ProcessGroup.Status> group(
      String role, String node, Resource<?, ?> owner) {
    var group =
        Resource.of(
            ProcessGroup.KIND,
            ProcessGroup.name(role, node),
            new ProcessGroup.Spec(role, node, role, new HashMap<>()));
    return group.withMeta(group.meta().ownedBy(OwnerReference.to(owner)));
  }

  static Resource<TemplateOutput.Spec, TemplateOutput.Status> output(String role, String node) {
    return Resource.of(
        TemplateOutput.KIND,
        RoleInstance.name(role, node),
        new TemplateOutput.Spec(role, node, "template", Map.of()));
  }

  static Resource<Event.Spec, Kind.None> event(long number, String node) {
    return Resource.of(
        Event.KIND,
        "%016x.%s".formatted(number, node),
        new Event.Spec(
            Node.KIND.key(node),
            Event.Type.NORMAL,
            "Started",
            "number " + number,
            1,
            Instant.EPOCH,
            Instant.EPOCH,
            "test"));
  }
}
