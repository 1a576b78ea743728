package verwalter.cluster.forks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import verwalter.cluster.View;
import verwalter.cluster.sides.ForkMerge.Overridden;
import verwalter.cluster.sides.SideOptions;
import verwalter.cluster.testkit.Election;
import verwalter.cluster.testkit.Views;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Kinds;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.stores.api.EpochStore;
import verwalter.stores.engine.MemoryStore;
import verwalter.stores.engine.Snapshot;
import verwalter.stores.local.Options;

/**
 * A node n1 whose log may have a leader n2, in virtual time. Its files survive {@link #restart}.
 */
final class SplitNode {
  static final String SELF = "n1";
  private static final Set<String> ELECTORS = Set.of("n1", "n2", "n3");

  final VirtualWorld world;
  final MemoryStore log;
  final Election election;
  final List<Overridden> overridden = new ArrayList<>();
  private final Path directory;
  private final Views views = new Views(new TreeSet<>(Set.of(SELF)));
  private Duration paused = Duration.ZERO;
  private int starts;
  private Loop loop;
  private @Nullable MinoritySide side;

  /** The leadership as the node's controllers see it. */
  SideLeadership seat;

  /** The store that the node uses for the objects of the cluster. */
  EpochStore used;

  SplitNode(Path directory) {
    this.directory = directory;
    world = new VirtualWorld(7);
    log = new MemoryStore(world.clock(), world.uids());
    election = new Election(world, 4);
    used = log;
    loop = world.loop("side");
    seat = new SideLeadership(election.leadership(SELF), loop);
    world.await(log.beginEpoch(4));
  }

  /** Writes a role with its settings, and the share of the node, which contains it. */
  SplitNode role(String name, Map<String, Object> settings) {
    world.await(log.put(Resource.of(RoleConfig.KIND, name, RoleConfig.Spec.of(settings))));
    share(log, name, "log");
    return this;
  }

  /** Changes the settings of a role. */
  void settings(String role, Map<String, Object> settings) {
    var present = log.get(RoleConfig.KIND, role).orElseThrow();
    world.await(log.put(present.withSpec(RoleConfig.Spec.of(settings))));
  }

  /** Writes the role into the node's share in a store. */
  void share(EpochStore store, String role, String from) {
    var present = store.get(NodeSchedule.KIND, SELF);
    var roles =
        new TreeMap<>(
            present.map(it -> it.spec().roles()).orElse(Map.<String, Map<String, Object>>of()));
    roles.put(role, Map.of("from", from));
    var spec = new NodeSchedule.Spec("hash", roles);
    world.await(
        store.put(
            present
                .map(it -> it.withSpec(spec))
                .orElseGet(() -> Resource.of(NodeSchedule.KIND, SELF, spec))));
  }

  SplitNode start() {
    loop = world.loop("side " + ++starts);
    used = log;
    var leadership = election.leadership(SELF);
    seat = new SideLeadership(leadership, loop);
    var files =
        new ForkFiles(
            directory, Options.DEFAULT, world.loop("disk " + starts), world.clock(), world.uids());
    try {
      side =
          MinoritySide.start(
              new MinoritySide.Cluster(
                  SELF,
                  () -> Duration.between(Instant.EPOCH, world.now()).plus(paused).toNanos(),
                  leadership,
                  log,
                  this::snapshot,
                  () -> ELECTORS,
                  new Reached()),
              new MinoritySide.Effects(seat, store -> used = store, overridden::addAll),
              files,
              SideOptions.DEFAULT,
              loop);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return this;
  }

  MinoritySide side() {
    var present = side;
    if (present == null) {
      throw new IllegalStateException("the node was not started");
    }
    return present;
  }

  /** Ends the agent of the node and starts it again. */
  SplitNode restart() {
    world.await(side().stop());
    world.kill(loop);
    return start();
  }

  private Snapshot snapshot() {
    var all = new ArrayList<Resource<?, ?>>();
    Kinds.ALL.forEach(kind -> all.addAll(log.list(kind)));
    return Snapshot.of(1, log.revision(), all);
  }

  /** What the node runs, by role. */
  Map<String, Map<String, Object>> roles() {
    var share = log.get(NodeSchedule.KIND, SELF).orElseThrow().spec();
    return side().share(SELF, share).roles();
  }

  /** Makes n2 the leader of the log, or nobody. */
  SplitNode led(boolean led) {
    if (led) {
      election.leadership("n2").stand(world.loop("n2"), new IdleCandidate());
      election.elect("n2");
    } else {
      election.resign();
    }
    return this;
  }

  /** Stops the process for some time, which its timers do not notice. */
  void pause(Duration time) {
    paused = paused.plus(time);
  }

  void run(Duration time) {
    world.runFor(time);
  }

  void until(BooleanSupplier goal) {
    world.runUntil(goal, Duration.ofMinutes(2));
  }

  private final class Reached implements SideMembers {
    @Override
    public void want(boolean wanted) {}

    @Override
    public Watch watch(Runnable listener) {
      return views.membership().watch(loop, view -> listener.run());
    }

    @Override
    public Optional<View> view() {
      return Optional.of(views.membership().view());
    }
  }
}
