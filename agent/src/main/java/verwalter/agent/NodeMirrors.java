package verwalter.agent;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.mirror.Gathering;
import verwalter.cluster.mirror.MirrorClient;
import verwalter.cluster.mirror.MirrorLeases;
import verwalter.cluster.mirror.MirrorPeer;
import verwalter.cluster.mirror.MirrorState;
import verwalter.cluster.mirror.Mirrors;
import verwalter.cluster.mirror.NodeFeed;
import verwalter.cluster.mirror.RoutedStore;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.Writer;
import verwalter.stores.api.Author;
import verwalter.stores.api.AuthoredStore;
import verwalter.stores.api.Change;
import verwalter.stores.api.LastingWatch;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.engine.HistoryLimit;

/**
 * Sends the objects of this node to the leader, and receives those of all nodes while this node
 * leads. Knows no sockets: see {@link MirrorPort}. Confined to its loop.
 */
public final class NodeMirrors implements Leading {
  private static final Logger LOG = LoggerFactory.getLogger(NodeMirrors.class);

  private static final Backoff RETRY =
      Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(5));

  private static final double JITTER = 0.3;

  /** Less than the default, since the mirrors of many nodes leave little room. */
  private static final HistoryLimit HISTORY =
      new HistoryLimit(HistoryLimit.DEFAULT.changes(), Runtime.getRuntime().maxMemory() / 64);

  /** Mirrors that become complete within this time are counted together. */
  private static final Duration GATHERING = Duration.ofMillis(10);

  private final Loop loop;
  private final MirrorPeer self;
  private final ObjectStore node;
  private final RoutedStore everything;
  private final NodeFeed feed;
  private final MirrorClient client;
  private final MirrorLeases leases;
  private volatile @Nullable Mirrors mirrors; // written on the loop

  /** The cluster address of the last leader elsewhere; empty if there was none. */
  private String followed = "";

  /** The cluster address of the leader elsewhere, as reported last. */
  private Optional<String> elsewhere = Optional.empty();

  private Watch beats = () -> {};
  private Watch nodes = () -> {};

  /** Whether the other nodes reach a node at an address. */
  private final BiPredicate<Resource<Node.Spec, Node.Status>, String> at;

  /**
   * How the nodes of a cluster reach the leader.
   *
   * @param connector opens connections to an address
   * @param at whether the other nodes reach a node at an address
   */
  public record Network(
      MirrorClient.Connector connector, BiPredicate<Resource<Node.Spec, Node.Status>, String> at) {}

  /**
   * Creates mirrors without a connection.
   *
   * @param self this node
   * @param node the node's own store
   * @param everything shows the mirrors while this node leads, and the node's own objects otherwise
   * @param process larger than for earlier processes of this node
   * @param clock gives the times at which leases are renewed
   * @param chance random numbers from 0 (inclusive) to 1 (exclusive)
   */
  public NodeMirrors(
      Loop loop,
      Network network,
      MirrorPeer self,
      ObjectStore node,
      RoutedStore everything,
      long process,
      InstantSource clock,
      DoubleSupplier chance) {
    this.loop = loop;
    this.self = self;
    this.node = node;
    this.everything = everything;
    this.at = network.at();
    var operator = new Author(Writer.OPERATOR, Optional.empty(), OptionalLong.empty());
    this.feed =
        new NodeFeed(
            self.node(),
            process,
            node,
            AuthoredStore.of(node, operator),
            loop,
            () -> everything.list(Node.KIND).size());
    this.leases = new MirrorLeases(self.machine(), clock, () -> loop.execute(feed::beat));
    this.client = new MirrorClient(loop, feed, network.connector(), RETRY.jittered(JITTER, chance));
  }

  /** The leases, which are renewed by messages to the leader. */
  public MirrorLeases leases() {
    return leases;
  }

  /**
   * When the mirror was confirmed that was confirmed first; empty while this node does not lead.
   * Thread-safe.
   */
  public Optional<Instant> oldest() {
    var leading = mirrors;
    return leading == null
        ? Optional.empty()
        : leading.states().values().stream()
            .flatMap(state -> state.confirmed().stream())
            .min(Comparator.naturalOrder());
  }

  /**
   * Sends this node's objects to the leader at this address; empty if there is none elsewhere.
   * While this node leads it sends them to itself, since a report of a former leader may arrive
   * late. The last report then takes effect at the end of the term.
   */
  public void follow(Optional<String> leader) {
    loop.execute(
        () -> {
          leader.ifPresent(address -> followed = address);
          elsewhere = leader;
          if (mirrors == null) {
            client.follow(leader);
          }
        });
  }

  /** The mirrors of the present term; empty while this node does not lead. Thread-safe. */
  public Optional<Mirrors> leading() {
    return Optional.ofNullable(mirrors);
  }

  /** The loop on which connections are accepted. */
  public Loop loop() {
    return loop;
  }

  @Override
  public Future<Void> begin(long epoch) {
    var gathered = Promise.<Void>promise();
    loop.execute(() -> lead(epoch, gathered));
    return gathered.future();
  }

  private void lead(long epoch, Promise<Void> gathered) {
    var begun = new Mirrors(loop, epoch, HISTORY);
    mirrors = begun;
    elsewhere = Optional.empty();
    beats = begun.onBeat(leases::received);
    nodes = LastingWatch.of(everything, Node.KIND, loop, change -> removed(begun, change));
    client.follow(Optional.empty());
    begun.connect(self, loop, feed::opened);
    var gathering = new Gathered(begun, gathered);
    begun.onComplete(gathering::checkSoon);
    loop.after(Gathering.CONNECT_LIMIT, () -> gathering.enter(Gathering.Phase.RECEIVING));
    loop.after(Gathering.LIMIT, () -> gathering.enter(Gathering.Phase.OVER));
    gathering.check();
  }

  /**
   * Drops the objects of nodes that were removed, or have another name now. After the end of the
   * watch these are all that the store does not have.
   */
  private void removed(Mirrors leading, Change<Node.Spec, Node.Status> change) {
    if (change instanceof Change.Removed<Node.Spec, Node.Status> gone) {
      removeUnlessKnown(leading, gone.resource().name());
    } else if (change instanceof Change.Ended) {
      leading.states().keySet().forEach(node -> removeUnlessKnown(leading, node));
    }
  }

  private void removeUnlessKnown(Mirrors leading, String node) {
    if (everything.get(Node.KIND, node).isEmpty()) {
      leading.remove(node);
    }
  }

  /** Ends when the mirrors of a term have enough objects for the first decision. */
  private final class Gathered {
    private final Mirrors begun;
    private final Promise<Void> done;
    private Gathering.Phase phase = Gathering.Phase.CONNECTING;
    private boolean checking;
    private boolean over;

    Gathered(Mirrors begun, Promise<Void> done) {
      this.begun = begun;
      this.done = done;
    }

    void enter(Gathering.Phase next) {
      phase = next;
      check();
    }

    /** Checks once for all mirrors that become complete within a short time. */
    void checkSoon() {
      if (!over && !checking) {
        checking = true;
        loop.after(
            GATHERING,
            () -> {
              checking = false;
              check();
            });
      }
    }

    void check() {
      if (over || mirrors != begun) {
        return;
      }
      var states = begun.states();
      var progress =
          Gathering.of(
              phase,
              awaited(),
              named(states, MirrorState::connected),
              named(states, MirrorState::complete));
      if (progress.ready()) {
        over = true;
        LOG.info(
            "gathered={} of={} missing={}", progress.present(), known().size(), progress.missing());
        everything.become(begun.objects());
        done.tryComplete();
      }
    }
  }

  /** The nodes that are known, without that of the former leader, whose session has ended. */
  private Set<String> awaited() {
    var awaited = known();
    everything.list(Node.KIND).stream()
        .filter(node -> at.test(node, followed))
        .forEach(node -> awaited.remove(node.name()));
    return awaited;
  }

  private Set<String> known() {
    var known =
        everything.list(Node.KIND).stream()
            .filter(each -> Node.machineId(each).isPresent())
            .map(each -> each.name())
            .collect(Collectors.toSet());
    known.add(self.node());
    return known;
  }

  private static Set<String> named(Map<String, MirrorState> states, Predicate<MirrorState> which) {
    return states.entrySet().stream()
        .filter(each -> which.test(each.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  @Override
  public void end() {
    loop.execute(
        () -> {
          var ended = mirrors;
          if (ended != null) {
            mirrors = null;
            beats.close();
            nodes.close();
            everything.become(node);
            ended.close();
            client.follow(elsewhere);
          }
        });
  }

  /** Ends all connections. */
  public void close() {
    end();
    loop.execute(
        () -> {
          elsewhere = Optional.empty();
          client.follow(Optional.empty());
          feed.close();
        });
  }
}
