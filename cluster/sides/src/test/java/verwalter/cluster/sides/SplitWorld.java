package verwalter.cluster.sides;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import verwalter.model.Action;
import verwalter.model.Metadata;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleConfig;
import verwalter.model.Schedule;
import verwalter.stores.api.Fence;
import verwalter.stores.api.Write;
import verwalter.stores.engine.MemoryStore;

/**
 * A cluster that was split, built from a seed: a log with a majority, and three sides that write
 * forks, take over each other's forks, and begin new terms. The log is a real store.
 */
final class SplitWorld {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final List<ResourceKey> KEYS =
      List.of(Node.KIND.key("n1"), Node.KIND.key("n2"), Schedule.KIND.key(Schedule.CURRENT));

  /** A side without a majority. */
  private static final class Side {
    final String leader;
    final Map<ResourceKey, Resource<?, ?>> under;
    final long base;
    ForkId term;
    Fork fork = Fork.EMPTY;

    Side(String leader, long epoch, Map<ResourceKey, Resource<?, ?>> under, long base) {
      this.leader = leader;
      this.term = new ForkId(epoch, leader);
      this.under = under;
      this.base = base;
    }
  }

  private final Random random;
  private final MemoryStore log;
  private final List<Side> sides = new ArrayList<>();
  private final Set<String> replaced = new HashSet<>();
  private final Set<String> written = new HashSet<>();
  private final Set<String> schedules = new HashSet<>();
  private final Set<String> requests = new HashSet<>();
  private int writes;

  private SplitWorld(long seed, boolean closing) {
    random = new Random(seed);
    var uids = new AtomicInteger();
    log = new MemoryStore(InstantSource.fixed(NOW), () -> "uid-" + uids.incrementAndGet());
    log.beginEpoch(1).result();
    for (int i = 0; i < 6; i++) {
      writeLog();
    }
    for (var leader : List.of("a", "b", "c")) {
      sides.add(new Side(leader, 2, objects(), log.revision()));
      writeLog();
    }
    for (int i = 0; i < 24; i++) {
      step();
    }
    if (closing) {
      sides.forEach(side -> side.fork = side.fork.close(side.term));
    }
  }

  /** A split of which some terms may go on. */
  static SplitWorld open(long seed) {
    return new SplitWorld(seed, false);
  }

  /** A split whose sides have stopped writing. */
  static SplitWorld closed(long seed) {
    return new SplitWorld(seed, true);
  }

  Fork fork(int side) {
    return sides.get(side).fork;
  }

  /** The contents of all writes that were not replaced by a write that knew them. */
  Set<String> alive() {
    var alive = new TreeSet<>(written);
    alive.removeAll(replaced);
    return alive;
  }

  Set<String> requests() {
    return requests;
  }

  private Map<ResourceKey, Resource<?, ?>> objects() {
    var objects = new HashMap<ResourceKey, Resource<?, ?>>();
    KEYS.forEach(key -> find(key).ifPresent(object -> objects.put(key, object)));
    return objects;
  }

  Optional<Resource<?, ?>> find(ResourceKey key) {
    return switch (key.kind()) {
      case "Node" -> log.get(Node.KIND, key.name()).map(found -> found);
      case "Action" -> log.get(Action.KIND, key.name()).map(found -> found);
      case "Schedule" -> log.get(Schedule.KIND, key.name()).map(found -> found);
      default -> log.get(RoleConfig.KIND, key.name()).map(found -> found);
    };
  }

  private ResourceKey key() {
    return KEYS.get(random.nextInt(KEYS.size()));
  }

  private Resource<?, ?> value(ResourceKey key) {
    var content = "w" + ++writes;
    written.add(content);
    if (key.kind().equals("Schedule")) {
      schedules.add(content);
    }
    return key.kind().equals("Node")
        ? Resource.of(Node.KIND, key.name(), new Node.Spec(writes % 2 == 0))
            .withMeta(Metadata.named(key.name()).withLabels(Map.of("w", content)))
        : Resource.of(
            Schedule.KIND, key.name(), Schedule.Spec.of(Map.of("w", content), List.of(), "", NOW));
  }

  static String content(Resource<?, ?> object) {
    return object.spec() instanceof Schedule.Spec schedule
        ? String.valueOf(schedule.data().get("w"))
        : object.meta().labels().getOrDefault("w", "");
  }

  private void writeLog() {
    var key = key();
    var present = find(key);
    present.ifPresent(found -> replaced.add(content(found)));
    if (present.isPresent() && key.kind().equals("Node") && random.nextInt(5) == 0) {
      commit(List.of(new Write.Remove(present.get())));
      return;
    }
    long version = present.map(found -> found.meta().version()).orElse(0L);
    commit(List.of(new Write.Put(withVersion(value(key), version))));
  }

  private static <S, T> Resource<S, T> withVersion(Resource<S, T> object, long version) {
    return object.withMeta(object.meta().withVersion(version));
  }

  private void commit(List<Write> all) {
    var committed = log.commit(all, Fence.NONE);
    assertThat(committed.cause()).isNull();
  }

  private void step() {
    var side = sides.get(random.nextInt(sides.size()));
    var key = key();
    var under = Optional.ofNullable(side.under.get(key));
    switch (random.nextInt(9)) {
      case 0 -> writeLog();
      case 1 -> {
        var node = KEYS.get(random.nextInt(2));
        var known = Optional.ofNullable(side.under.get(node));
        replace(side, node);
        side.fork = side.fork.remove(side.term, side.base, known, node);
      }
      case 2 -> {
        var id = Integer.toString(1 + random.nextInt(3));
        if (!side.fork.actions().containsKey(new ForkAction.Key(id, side.term))) {
          var request = "r" + ++writes;
          requests.add(request);
          side.fork = side.fork.accept(side.term, side.base, id, new Action.Spec(request, NOW));
        }
      }
      case 3 ->
          side.fork.pending(side.term).stream()
              .findFirst()
              .ifPresent(action -> side.fork = side.fork.done(action.key(), side.base, done("s")));
      case 4 -> begin(side, 1);
      case 5 -> {
        var other = sides.get(random.nextInt(sides.size()));
        side.fork = side.fork.join(other.fork);
        begin(side, Math.max(1, side.fork.epoch() - side.term.epoch() + 1));
      }
      default -> {
        replace(side, key);
        side.fork = side.fork.put(side.term, side.base, under, value(key));
      }
    }
  }

  private static void begin(Side side, long more) {
    side.fork = side.fork.close(side.term);
    side.term = new ForkId(side.term.epoch() + more, side.leader);
  }

  static Action.Status done(String schedule) {
    return new Action.Status(1, Action.State.DONE, schedule, Optional.empty(), "", NOW);
  }

  /** Records what the next write of a side replaces: all versions that it knows. */
  private void replace(Side side, ResourceKey key) {
    side.fork
        .entries()
        .getOrDefault(key, List.of())
        .forEach(entry -> entry.object().ifPresent(object -> replaced.add(content(object))));
    Optional.ofNullable(side.under.get(key)).ifPresent(object -> replaced.add(content(object)));
  }

  /** Merges a fork into the log, as one transaction. */
  ForkMerge merge(Fork fork) {
    var merge = ForkMerge.of(this::find, fork);
    if (!merge.writes().isEmpty()) {
      log.beginEpoch(merge.floor() + 1).result();
      commit(merge.writes());
    }
    return merge;
  }

  /** The contents of the log, independent of versions and of ids of actions. */
  Set<String> contents() {
    var contents = new TreeSet<String>();
    log.list(Node.KIND).forEach(node -> contents.add(node.key() + "=" + content(node)));
    find(Schedule.KIND.key(Schedule.CURRENT))
        .ifPresent(schedule -> contents.add("current=" + content(schedule)));
    contents.addAll(actions());
    return contents;
  }

  /** The schedules that the next decision has as parents. */
  Set<String> parents() {
    return log.list(Schedule.KIND).stream()
        .map(SplitWorld::content)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The schedules that were not replaced by a write that knew them. */
  Set<String> aliveSchedules() {
    var alive = alive();
    alive.retainAll(schedules);
    return alive;
  }

  List<String> actions() {
    return log.list(Action.KIND).stream()
        .map(
            action ->
                action.spec().request() + (action.status().isPresent() ? " done" : " pending"))
        .sorted()
        .toList();
  }
}
