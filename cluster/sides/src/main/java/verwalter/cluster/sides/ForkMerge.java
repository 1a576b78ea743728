package verwalter.cluster.sides;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import verwalter.model.Action;
import verwalter.model.Metadata;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.Schedule;
import verwalter.stores.api.Write;

/**
 * Merges a fork into the state of the log, as one transaction. Pure.
 *
 * <p>Of each object the write with the larger epoch and revision wins, the log's one included; the
 * others are {@link #overridden}. A change that a side made to an object that the log removed
 * meanwhile creates it again. The schedules that lose become objects named by {@link #parentName},
 * for the scheduler's next input. Merging two forks one after the other, in any order, or their
 * {@link Fork#join} gives the same objects; merging a fork again gives no writes.
 *
 * @param writes the transaction; refused as a conflict if the log changed meanwhile, and computed
 *     again then
 * @param overridden the writes that lost, for the history and for events
 * @param held actions whose term is not closed: the node of the term's leader may have applied them
 *     and has not reported it. They stay in the fork.
 * @param floor the log's epoch must be larger than this, so that versions grow
 */
public record ForkMerge(
    List<Write> writes, List<Overridden> overridden, List<ForkAction> held, long floor) {
  /** The annotation with the write that an object was taken from, and its generation. */
  static final String ORIGIN = "verwalter.io/fork";

  private static final String PARENT = "parent-";

  public ForkMerge {
    writes = List.copyOf(writes);
    overridden = List.copyOf(overridden);
    held = List.copyOf(held);
  }

  /**
   * A write that another one overrides.
   *
   * @param key the object
   * @param stamp the write that lost
   * @param object what it wrote; empty if it removed the object
   * @param by the write in force
   */
  public record Overridden(
      ResourceKey key, Stamp stamp, Optional<Resource<?, ?>> object, Stamp by) {
    /** The message of the event. */
    public String message() {
      return "%s of %s was overridden by that of %s when sides of the cluster met"
          .formatted(object.isEmpty() ? "the removal" : "the change", side(stamp), side(by));
    }

    private static String side(Stamp stamp) {
      return stamp.fork().leader().isEmpty()
          ? "the majority in epoch " + stamp.fork().epoch()
          : "the side that %s led in epoch %d"
              .formatted(stamp.fork().leader(), stamp.fork().epoch());
    }
  }

  /** The name of the object that keeps a schedule as a parent of the next one. */
  public static String parentName(Schedule.Spec schedule) {
    return PARENT + schedule.hash();
  }

  /** Whether an object of this name keeps a schedule as a parent of the next one. */
  public static boolean isParent(String name) {
    return name.startsWith(PARENT);
  }

  /** Which forks a log contains. */
  public static MergedForks merged(Function<ResourceKey, Optional<Resource<?, ?>>> log) {
    return log.apply(Schedule.KIND.key(Schedule.CURRENT))
        .map(schedule -> schedule.meta().annotations().get(MergedForks.ANNOTATION))
        .map(MergedForks::parse)
        .orElse(MergedForks.NONE);
  }

  /**
   * Computes the merge.
   *
   * @param log the present objects of the log
   */
  public static ForkMerge of(Function<ResourceKey, Optional<Resource<?, ?>>> log, Fork fork) {
    var merged = merged(log);
    if (fork.isEmpty() && fork.closed().isEmpty()) {
      return new ForkMerge(List.of(), List.of(), List.of(), 0);
    }
    var run = new Run(log, fork, merged);
    fork.entries().forEach(run::object);
    run.actions();
    run.record();
    return new ForkMerge(run.writes(), run.overridden, run.held, fork.epoch());
  }

  /** One computation. */
  private static final class Run {
    private final Function<ResourceKey, Optional<Resource<?, ?>>> log;
    private final Fork fork;
    private final MergedForks merged;
    private final Map<ResourceKey, Resource<?, ?>> puts = new TreeMap<>();
    private final List<Resource<?, ?>> statuses = new ArrayList<>();
    private final List<Resource<?, ?>> removals = new ArrayList<>();
    private final List<Overridden> overridden = new ArrayList<>();
    private final Map<ResourceKey, Stamp> removed = new TreeMap<>();
    private final List<ForkAction> held = new ArrayList<>();

    Run(Function<ResourceKey, Optional<Resource<?, ?>>> log, Fork fork, MergedForks merged) {
      this.log = log;
      this.fork = fork;
      this.merged = merged;
    }

    void object(ResourceKey key, List<ForkEntry> all) {
      var entries = all.stream().filter(entry -> !merged.covers(entry.stamp())).toList();
      if (entries.isEmpty()) {
        return;
      }
      var present = log.apply(key);
      var candidates = new ArrayList<>(entries);
      var own = own(key, present).filter(each -> !isReplaced(each, all));
      own.ifPresent(candidates::add);
      var winner = Fork.winner(candidates).orElseThrow();
      candidates.stream()
          .filter(each -> !each.equals(winner))
          .forEach(each -> lost(key, each, winner));
      if (own.filter(winner::equals).isEmpty()) {
        take(key, winner, present);
      }
    }

    /** The log's object, or its removal by an earlier merge, as a write. */
    private Optional<ForkEntry> own(ResourceKey key, Optional<Resource<?, ?>> present) {
      return present
          .map(found -> new ForkEntry(stamp(found), 0, present))
          .or(
              () ->
                  Optional.ofNullable(merged.removed().get(key))
                      .map(stamp -> new ForkEntry(stamp, 0, Optional.empty())));
    }

    /** Whether the fork replaced a write of the log. */
    private boolean isReplaced(ForkEntry own, List<ForkEntry> entries) {
      var stamp = own.stamp();
      return stamp.fork().leader().isEmpty()
          ? entries.stream().anyMatch(entry -> entry.base() == stamp.version())
          : fork.covers(stamp) && entries.stream().noneMatch(entry -> entry.stamp().equals(stamp));
    }

    private void lost(ResourceKey key, ForkEntry entry, ForkEntry winner) {
      overridden.add(new Overridden(key, entry.stamp(), entry.object(), winner.stamp()));
      if (key.kind().equals(Schedule.KIND.name())) {
        entry.object().ifPresent(object -> parent((Schedule.Spec) object.spec(), winner));
      }
    }

    private void parent(Schedule.Spec spec, ForkEntry winner) {
      boolean inForce = winner.object().filter(its -> hash(its).equals(spec.hash())).isPresent();
      var object = Resource.of(Schedule.KIND, parentName(spec), spec);
      if (spec.decided() && !inForce && log.apply(object.key()).isEmpty()) {
        puts.put(object.key(), object);
      }
    }

    private static String hash(Resource<?, ?> schedule) {
      return ((Schedule.Spec) schedule.spec()).hash();
    }

    private void take(ResourceKey key, ForkEntry winner, Optional<Resource<?, ?>> present) {
      if (winner.object().isEmpty()) {
        removed.put(key, winner.stamp());
        present.ifPresent(removals::add);
        return;
      }
      var object = winner.object().get();
      boolean sameSpec = present.filter(its -> its.spec().equals(object.spec())).isPresent();
      long generation = present.map(its -> its.meta().generation()).orElse(0L) + (sameSpec ? 0 : 1);
      var annotations = new TreeMap<>(object.meta().annotations());
      annotations.remove(MergedForks.ANNOTATION);
      present
          .map(its -> its.meta().annotations().get(MergedForks.ANNOTATION))
          .ifPresent(text -> annotations.put(MergedForks.ANNOTATION, text));
      annotations.put(ORIGIN, winner.stamp() + "@" + generation);
      var meta =
          present
              .map(Resource::meta)
              .orElseGet(
                  () -> object.meta().committed("", 0, 0, Optional.empty(), Optional.empty()))
              .withLabels(object.meta().labels())
              .withAnnotations(annotations);
      puts.put(object.key(), with(object, meta));
      if (present.isPresent() && object.status().isPresent()) {
        statuses.add(with(object, meta.withVersion(0)));
      }
    }

    private static <S, T> Resource<S, T> with(Resource<S, T> object, Metadata meta) {
      return object.withMeta(meta);
    }

    /** Unites the actions of closed terms, and those that are done. */
    void actions() {
      var taken = new HashSet<String>();
      for (var action : fork.actions().values()) {
        var home = action.key().home();
        if (merged.united().contains(home)) {
          continue;
        }
        if (!fork.closed().contains(home)) {
          held.add(action);
          continue;
        }
        var object =
            new Resource<>(
                Action.KIND, Metadata.named(free(action, taken)), action.spec(), action.status());
        var present = log.apply(object.key());
        if (present.isEmpty()) {
          puts.merge(object.key(), object, (one, two) -> one.status().isPresent() ? one : two);
        } else if (present.get().status().isEmpty() && object.status().isPresent()) {
          statuses.add(object);
        }
        taken.add(object.name());
      }
    }

    /** The id of the action, or the next one if the log has another action of this id. */
    private String free(ForkAction action, Set<String> taken) {
      var id = action.key().id();
      while (true) {
        var key = Action.KIND.key(id);
        var other = log.apply(key).or(() -> Optional.ofNullable(puts.get(key)));
        if (other.isEmpty() ? !taken.contains(id) : other.get().spec().equals(action.spec())) {
          return id;
        }
        id = next(id);
      }
    }

    private static String next(String id) {
      boolean number = id.chars().allMatch(digit -> digit >= '0' && digit <= '9');
      return number ? new BigInteger(id).add(BigInteger.ONE).toString() : id + "1";
    }

    /** Records the merge, unless nothing is new. */
    void record() {
      var left = new TreeMap<>(merged.removed());
      left.keySet().removeIf(key -> puts.containsKey(key) || log.apply(key).isPresent());
      left.putAll(removed);
      var next = merged.with(fork, left);
      if (next.equals(merged)) {
        return;
      }
      var key = Schedule.KIND.key(Schedule.CURRENT);
      var schedule =
          Optional.<Resource<?, ?>>ofNullable(puts.get(key))
              .or(() -> log.apply(key))
              .orElseGet(() -> Resource.of(Schedule.KIND, Schedule.CURRENT, Schedule.Spec.NONE));
      var annotations = new TreeMap<>(schedule.meta().annotations());
      annotations.put(MergedForks.ANNOTATION, next.text());
      if (!puts.containsKey(key)) {
        // This write gives the object a new version, but changes nothing that sides write.
        boolean exists = schedule.meta().version() != 0;
        var origin = exists ? stamp(schedule) : Stamp.ofLog(0);
        annotations.put(ORIGIN, origin + "@" + (exists ? schedule.meta().generation() : 1));
      }
      puts.put(key, with(schedule, schedule.meta().withAnnotations(annotations)));
    }

    List<Write> writes() {
      var writes = new ArrayList<Write>();
      puts.values().forEach(object -> writes.add(new Write.Put(object)));
      statuses.forEach(object -> writes.add(new Write.PutStatus(object)));
      removals.stream()
          .filter(object -> !puts.containsKey(object.key()))
          .forEach(object -> writes.add(new Write.Remove(object)));
      return writes;
    }
  }

  /** The write that the present state of a log's object comes from. */
  private static Stamp stamp(Resource<?, ?> object) {
    var origin = object.meta().annotations().get(ORIGIN);
    if (origin != null) {
      int at = origin.lastIndexOf('@');
      if (origin.substring(at + 1).equals(Long.toString(object.meta().generation()))) {
        return Stamp.parse(origin.substring(0, at));
      }
    }
    return Stamp.ofLog(object.meta().version());
  }
}
