package verwalter.cluster.sides;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import verwalter.model.Action;
import verwalter.model.Metadata;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.Schedule;
import verwalter.model.Version;

/**
 * What the leaders of sides without a majority wrote: an overlay over the last applied state of the
 * cluster store. Immutable.
 *
 * <p>{@link #join} of forks is commutative, associative and idempotent. It keeps each write that no
 * other write replaced, also if several sides wrote the same object; of these, {@link #winner} is
 * the one in force.
 *
 * @param known how far the fork contains the writes of each term: up to this revision, without gaps
 * @param entries the writes that were not replaced, by object, the smallest stamp first
 * @param actions the accepted actions
 * @param closed terms in which nothing more will be written
 */
public record Fork(
    SortedMap<ForkId, Long> known,
    SortedMap<ResourceKey, List<ForkEntry>> entries,
    SortedMap<ForkAction.Key, ForkAction> actions,
    SortedSet<ForkId> closed) {
  /** A fork without writes. */
  public static final Fork EMPTY =
      new Fork(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeSet<>());

  public Fork {
    known = Collections.unmodifiableSortedMap(known);
    entries = Collections.unmodifiableSortedMap(entries);
    actions = Collections.unmodifiableSortedMap(actions);
    closed = Collections.unmodifiableSortedSet(closed);
  }

  /** Whether nothing was written. */
  public boolean isEmpty() {
    return known.isEmpty();
  }

  /** The largest epoch of a write; 0 if there is none. */
  public long epoch() {
    return known.isEmpty() ? 0 : known.lastKey().epoch();
  }

  /** Whether the fork contains the write, or a write that replaced it. */
  public boolean covers(Stamp stamp) {
    return known.getOrDefault(stamp.fork(), 0L) >= stamp.revision();
  }

  /** Whether the fork contains all that {@code other} does. */
  public boolean covers(Fork other) {
    return other.known.entrySet().stream()
            .allMatch(each -> known.getOrDefault(each.getKey(), 0L) >= each.getValue())
        && closed.containsAll(other.closed);
  }

  /**
   * The revision of the next write in a term.
   *
   * @param base the version of the log's state that the fork lies over
   */
  private long next(ForkId term, long base) {
    if (closed.contains(term)) {
      throw new IllegalStateException("the term " + term + " is closed");
    }
    return known.getOrDefault(term, Version.revision(base)) + 1;
  }

  /**
   * Writes an object, which replaces the winner and all others of the same key.
   *
   * @param term the present term of the side
   * @param base the version of the log's state that the fork lies over
   * @param under the log's object below the fork; empty if there is none
   * @throws IllegalStateException if the term is closed
   */
  public Fork put(
      ForkId term, long base, Optional<? extends Resource<?, ?>> under, Resource<?, ?> object) {
    var stamp = new Stamp(term, next(term, base));
    return written(stamp, object.key(), under, Optional.of(withVersion(object, stamp.version())));
  }

  /**
   * Removes an object. The schedule in force is never removed.
   *
   * @throws IllegalStateException if the term is closed
   * @throws IllegalArgumentException if the object is the schedule in force
   */
  public Fork remove(
      ForkId term, long base, Optional<? extends Resource<?, ?>> under, ResourceKey key) {
    if (key.equals(Schedule.KIND.key(Schedule.CURRENT))) {
      throw new IllegalArgumentException("the schedule in force cannot be removed");
    }
    return written(new Stamp(term, next(term, base)), key, under, Optional.empty());
  }

  private Fork written(
      Stamp stamp,
      ResourceKey key,
      Optional<? extends Resource<?, ?>> under,
      Optional<Resource<?, ?>> object) {
    long below = under.map(its -> its.meta().version()).orElse(0L);
    long replaced =
        entries.getOrDefault(key, List.of()).stream().mapToLong(ForkEntry::base).max().orElse(0);
    var next = new TreeMap<>(entries);
    next.put(key, List.of(new ForkEntry(stamp, Math.max(below, replaced), object)));
    return new Fork(knowing(stamp), next, actions, closed);
  }

  private SortedMap<ForkId, Long> knowing(Stamp stamp) {
    var next = new TreeMap<>(known);
    next.put(stamp.fork(), stamp.revision());
    return next;
  }

  private static <S, T> Resource<S, T> withVersion(Resource<S, T> object, long version) {
    Metadata meta = object.meta().withVersion(version);
    return object.withMeta(meta);
  }

  /**
   * Accepts an action. The leader of this term, and no other, may apply it on the fork.
   *
   * @throws IllegalStateException if the term is closed, or has accepted another action of this id
   */
  public Fork accept(ForkId term, long base, String id, Action.Spec spec) {
    var key = new ForkAction.Key(id, term);
    var next = new TreeMap<>(actions);
    if (next.putIfAbsent(key, new ForkAction(key, spec, Optional.empty())) != null) {
      throw new IllegalStateException("there is an action " + key + " already");
    }
    return new Fork(knowing(new Stamp(term, next(term, base))), entries, next, closed);
  }

  /** The pending actions that the leader of {@code term} may apply. */
  public List<ForkAction> pending(ForkId term) {
    return actions.values().stream()
        .filter(action -> action.key().home().equals(term) && action.status().isEmpty())
        .toList();
  }

  /**
   * Records the result of a pending action. The leader writes it together with what the action
   * changed, before either has an effect.
   *
   * @throws IllegalStateException if the action is not pending in its term, or the term is closed
   */
  public Fork done(ForkAction.Key key, long base, Action.Status status) {
    var action = actions.get(key);
    if (action == null || action.status().isPresent()) {
      throw new IllegalStateException("the action " + key + " is not pending");
    }
    var next = new TreeMap<>(actions);
    next.put(key, new ForkAction(key, action.spec(), Optional.of(status)));
    return new Fork(knowing(new Stamp(key.home(), next(key.home(), base))), entries, next, closed);
  }

  /**
   * Records that nothing more will be written in a term. Its leader does so when it stops leading,
   * and operators for a leader that will not return.
   */
  public Fork close(ForkId term) {
    var next = new TreeSet<>(closed);
    next.add(term);
    return new Fork(known, entries, actions, next);
  }

  /** Combines what two forks contain. */
  public Fork join(Fork other) {
    if (equals(other)) {
      return this;
    }
    var all = new TreeMap<>(known);
    other.known.forEach((term, revision) -> all.merge(term, revision, Math::max));
    var keys = new TreeSet<>(entries.keySet());
    keys.addAll(other.entries.keySet());
    var joined = new TreeMap<ResourceKey, List<ForkEntry>>();
    for (var key : keys) {
      var kept = new ArrayList<>(kept(key, other));
      for (var entry : other.kept(key, this)) {
        if (!kept.contains(entry)) {
          kept.add(entry);
        }
      }
      kept.sort(Comparator.comparing(ForkEntry::stamp));
      joined.put(key, List.copyOf(kept));
    }
    var united = new TreeMap<>(actions);
    other.actions.forEach(
        (key, action) ->
            united.merge(key, action, (one, two) -> one.status().isPresent() ? one : two));
    var ended = new TreeSet<>(closed);
    ended.addAll(other.closed);
    return new Fork(all, joined, united, ended);
  }

  /** The entries that {@code other} has too, or has not seen. Those it has seen were replaced. */
  private List<ForkEntry> kept(ResourceKey key, Fork other) {
    var theirs = other.entries.getOrDefault(key, List.of());
    return entries.getOrDefault(key, List.of()).stream()
        .filter(entry -> theirs.contains(entry) || !other.covers(entry.stamp()))
        .toList();
  }

  /**
   * The write of an object that is in force: the one with the largest stamp. Empty if the fork did
   * not write the object.
   */
  public Optional<ForkEntry> winner(ResourceKey key) {
    return winner(entries.getOrDefault(key, List.of()));
  }

  static Optional<ForkEntry> winner(List<ForkEntry> entries) {
    return entries.stream().max(Comparator.comparing(ForkEntry::stamp));
  }

  /**
   * The state of an object on this side.
   *
   * @param under the log's object below the fork
   */
  public Optional<Resource<?, ?>> read(ResourceKey key, Optional<? extends Resource<?, ?>> under) {
    var winner = winner(key);
    return winner.isPresent() ? winner.get().object() : under.map(found -> found);
  }

  /** The fork without the writes that a log contains, and without what they replaced. */
  public Fork without(MergedForks merged) {
    var left = new TreeMap<ResourceKey, List<ForkEntry>>();
    entries.forEach(
        (key, all) -> {
          var rest = all.stream().filter(entry -> !merged.covers(entry.stamp())).toList();
          if (!rest.isEmpty()) {
            left.put(key, rest);
          }
        });
    var held = new TreeMap<>(actions);
    held.keySet().removeIf(key -> merged.united().contains(key.home()));
    var terms = new TreeSet<ForkId>();
    left.values().forEach(all -> all.forEach(entry -> terms.add(entry.stamp().fork())));
    held.keySet().forEach(key -> terms.add(key.home()));
    var rest = new TreeMap<>(known);
    rest.keySet().retainAll(terms);
    var ended = new TreeSet<>(closed);
    ended.retainAll(terms);
    return new Fork(rest, left, held, ended);
  }
}
