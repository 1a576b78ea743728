package verwalter.bench;

import static java.util.Objects.requireNonNull;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import verwalter.cluster.following.FollowedLeadership;
import verwalter.cluster.following.FollowedLog;
import verwalter.cluster.mirror.MirrorClient;
import verwalter.cluster.mirror.MirrorLink;
import verwalter.cluster.mirror.WriteMessages;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.stores.api.Write;
import verwalter.stores.cluster.ClusterOptions;
import verwalter.stores.cluster.ClusterStore;
import verwalter.stores.cluster.LeaderCommits;
import verwalter.stores.cluster.StoreEnvironment;
import verwalter.stores.local.Options;

/**
 * The followers of {@link ThousandAlone}, in a process of their own: agents with all controllers.
 * They share one store of the cluster, which follows the log of the leader as an observer; the
 * other observers of the leader only confirm what they receive.
 */
final class ThousandFollowers {
  /** The first bytes of messages of the feed. */
  private static final byte HELLO = 1;

  private static final byte ACK = 2;
  private static final byte ENTRIES = 3;
  private static final int PROTOCOL = 1;

  private final VirtualWorld world = new VirtualWorld(2);
  private final Wire wire;
  private final int observers;
  private final Loop logLoop = world.loop("log");
  private final FollowedLeadership leadership = new FollowedLeadership(logLoop);
  private final ClusterStore cluster;
  private final List<SimulatedFollower> followers = new ArrayList<>();
  private final Map<Integer, Opening> openings = new HashMap<>();
  private final Map<Integer, WireLink> mirrors = new HashMap<>();
  private final Map<Integer, WireLink> feeds = new HashMap<>();
  private final Map<Integer, Promise<Buffer>> writes = new HashMap<>();
  private int requests;
  private int connections;
  private int span = ThousandAlone.SPAN;

  /** A connection that is being opened. */
  private record Opening(
      Loop loop, Function<MirrorLink, MirrorLink.Receiver> opened, Consumer<String> failed) {}

  private ThousandFollowers(Wire wire, int nodes, int observers, Path directory)
      throws IOException {
    this.wire = wire;
    this.observers = observers;
    var parts =
        new FollowedLog.Parts(
            (elector, opened, failed) -> openFeed(opened),
            () -> List.of("leader"),
            leadership,
            Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(1)),
            0.5,
            elector -> {});
    cluster =
        ClusterStore.following(
            directory,
            () -> new FollowedLog(logLoop, parts),
            this::commit,
            () -> Future.failedFuture("no elector has a snapshot"),
            new StoreEnvironment(
                ClusterOptions.DEFAULT.with(Options.DEFAULT.withBytes(1L << 30)),
                logLoop,
                world.loop("store threads"),
                () -> 0.5,
                world.clock(),
                world.uids()));
    for (int i = 0; i < nodes; i++) {
      followers.add(new SimulatedFollower(world, i, nodes));
    }
  }

  /** Arguments: nodes, observers of the leader, an empty directory. */
  public static void main(String[] args) throws IOException {
    var out = System.out;
    System.setOut(System.err);
    var wire = new Wire(System.in, out);
    var followers =
        new ThousandFollowers(
            wire, Integer.parseInt(args[0]), Integer.parseInt(args[1]), Path.of(args[2]));
    followers.start();
    try {
      followers.run();
    } catch (EOFException ended) {
      System.exit(0); // the leader has ended
    }
  }

  private void start() throws IOException {
    for (int i = 1; i < observers; i++) {
      wire.send(Wire.Type.OPEN_FEED, ++connections, Buffer.buffer().appendInt(1 + i));
    }
    for (int i = 1; i < followers.size(); i++) {
      start(i);
    }
  }

  private void start(int number) throws IOException {
    followers.get(number).start(cluster, leadership, loop -> connector(number, loop));
  }

  private void run() throws IOException {
    while (true) {
      world.runFor(Duration.ofMillis(span));
      var received = wire.receive();
      wire.flush();
      for (var frame : received) {
        handle(frame);
      }
    }
  }

  private MirrorClient.Connector connector(int number, Loop loop) {
    return (leader, opened, failed) -> {
      int channel = ++connections;
      openings.put(channel, new Opening(loop, opened, failed));
      wire.send(Wire.Type.OPEN_MIRROR, channel, Buffer.buffer().appendInt(number));
    };
  }

  private void openFeed(Function<MirrorLink, MirrorLink.Receiver> opened) {
    int channel = ++connections;
    openings.put(channel, new Opening(logLoop, opened, why -> {}));
    wire.send(Wire.Type.OPEN_FEED, channel, Buffer.buffer().appendInt(1));
  }

  private void handle(Wire.Frame frame) throws IOException {
    int channel = frame.channel();
    switch (frame.type()) {
      case OPEN_MIRROR -> opened(mirrors, Wire.Type.MIRROR, Wire.Type.CLOSE_MIRROR, channel);
      case MIRROR -> arrived(mirrors.get(channel), frame.bytes());
      case CLOSE_MIRROR -> mirrorClosed(channel);
      case OPEN_FEED -> feedOpened(channel);
      case FEED -> fed(channel, frame.bytes());
      case CLOSE_FEED -> ended(feeds.remove(channel));
      case WRITES -> requireNonNull(writes.remove(channel)).complete(frame.bytes());
      case ORDER -> order(frame.bytes().toString().split(" "));
      default -> throw new IllegalStateException(frame.toString());
    }
  }

  private void mirrorClosed(int channel) {
    var opening = openings.remove(channel);
    var link = mirrors.remove(channel);
    if (opening != null) {
      opening.loop().execute(() -> opening.failed().accept("the node does not lead"));
    } else {
      ended(link);
    }
  }

  private static void arrived(@Nullable WireLink link, Buffer message) {
    if (link != null) { // it is not closed by this end
      link.arrived(message);
    }
  }

  private static void ended(@Nullable WireLink link) {
    if (link != null) {
      link.ended();
    }
  }

  private void opened(
      Map<Integer, WireLink> links, Wire.Type type, Wire.Type closing, int channel) {
    var opening = requireNonNull(openings.remove(channel));
    var link = new WireLink(wire, type, closing, channel, opening.loop());
    links.put(channel, link);
    opening.loop().execute(() -> link.use(opening.opened().apply(link)));
  }

  private void feedOpened(int channel) {
    if (openings.containsKey(channel)) {
      opened(feeds, Wire.Type.FEED, Wire.Type.CLOSE_FEED, channel);
    } else {
      var hello = Buffer.buffer().appendByte(HELLO).appendInt(PROTOCOL).appendLong(1);
      wire.send(Wire.Type.FEED, channel, hello);
    }
  }

  private void fed(int channel, Buffer message) {
    var link = feeds.get(channel);
    if (link != null) {
      link.arrived(message);
    } else if (message.getByte(0) == ENTRIES) {
      wire.send(Wire.Type.FEED, channel, Buffer.buffer().appendByte(ACK));
    }
  }

  /** Sends the writes of a follower to the leader, as its {@link LeaderCommits}. */
  private Future<LeaderCommits.Decided> commit(List<Write> all) {
    var first = all.get(0).resource();
    int request = ++requests;
    var answer = Promise.<Buffer>promise();
    writes.put(request, answer);
    wire.send(
        Wire.Type.WRITES,
        request,
        Buffer.buffer()
            .appendInt(SimulatedMachine.number(node(first)))
            .appendBuffer(WriteMessages.request(all)));
    var decided = Promise.<LeaderCommits.Decided>promise();
    answer
        .future()
        .onSuccess(bytes -> logLoop.execute(() -> decided.complete(decided(bytes, first))));
    return decided.future();
  }

  private static LeaderCommits.Decided decided(Buffer bytes, Resource<?, ?> first) {
    try {
      var answer = WriteMessages.answer(bytes, "leader", first.meta().version());
      return new LeaderCommits.Decided(answer.revision(), answer.refusal(), answer.results());
    } catch (IOException malformed) {
      throw new IllegalStateException(malformed);
    }
  }

  private static <S, T> String node(Resource<S, T> object) {
    Kind<S, T> kind = object.type();
    return kind.node(object).orElseThrow();
  }

  private void order(String[] words) throws IOException {
    int number = Integer.parseInt(words[1]);
    switch (words[0]) {
      case "kill" -> followers.get(number).kill();
      case "start" -> start(number);
      case "span" -> span = number;
      default -> throw new IllegalStateException(words[0]);
    }
  }
}
