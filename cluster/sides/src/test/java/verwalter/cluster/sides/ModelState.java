package verwalter.cluster.sides;

import java.util.Arrays;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import verwalter.cluster.Term;

/** One state of the model: nodes, network, and what was acknowledged so far. */
final class ModelState {
  /** One node. Its promise, its fork and its log are durable. */
  static final class Member implements Cloneable {
    int view;
    boolean stale;
    boolean paused;
    boolean down;
    int acknowledged;
    long leads;
    Optional<Term> offer = Optional.empty();
    SidePromise promise = SidePromise.NONE;
    Fork fork = Fork.EMPTY;
    ModelLog log = ModelLog.empty();

    boolean runs() {
      return !paused && !down;
    }

    @Override
    public Member clone() {
      try {
        return (Member) super.clone();
      } catch (CloneNotSupportedException impossible) {
        throw new AssertionError(impossible);
      }
    }
  }

  final Member[] members;

  /** The nodes that each node can exchange messages with, as bits. */
  final int[] connected;

  int cuts;
  int pauses;
  int writes;
  int requests;
  int elections;

  /** Writes on a fork that are not acknowledged yet: content, and its stamp. */
  final TreeMap<String, Stamp> unacknowledged;

  final TreeSet<String> acknowledged;

  /** Contents that a later write replaced, knowing them. */
  final TreeSet<String> replaced;

  /** How often each action was applied. */
  final TreeMap<String, Integer> applied;

  ModelState(int nodes) {
    members = new Member[nodes];
    connected = new int[nodes];
    for (int i = 0; i < nodes; i++) {
      members[i] = new Member();
      members[i].view = (1 << nodes) - 1;
      connected[i] = (1 << nodes) - 1;
    }
    unacknowledged = new TreeMap<>();
    acknowledged = new TreeSet<>();
    replaced = new TreeSet<>();
    applied = new TreeMap<>();
  }

  private ModelState(ModelState other) {
    members = new Member[other.members.length];
    for (int i = 0; i < members.length; i++) {
      members[i] = other.members[i].clone();
    }
    connected = other.connected.clone();
    cuts = other.cuts;
    pauses = other.pauses;
    writes = other.writes;
    requests = other.requests;
    elections = other.elections;
    unacknowledged = new TreeMap<>(other.unacknowledged);
    acknowledged = new TreeSet<>(other.acknowledged);
    replaced = new TreeSet<>(other.replaced);
    applied = new TreeMap<>(other.applied);
  }

  ModelState copy() {
    return new ModelState(this);
  }

  boolean reaches(int from, int to) {
    return members[from].runs() && members[to].runs() && (connected[from] & 1 << to) != 0;
  }

  /** A number that differs between different states, except by rare chance. */
  long fingerprint() {
    long hash = mix(cuts * 31L + pauses, writes * 961L + requests * 31L + elections);
    for (var each : members) {
      hash =
          mix(
              hash,
              each.view * 64L + (each.stale ? 1 : 0) + (each.paused ? 2 : 0) + (each.down ? 4 : 0));
      hash = mix(hash, each.acknowledged * 1024L + each.leads);
      hash = mix(hash, each.offer.map(ModelState::hash).orElse(3L));
      hash = mix(hash, each.promise.term().map(ModelState::hash).orElse(5L));
      hash = mix(hash, hash(each.fork));
      hash = mix(hash, each.log.entries().hashCode());
    }
    hash = mix(hash, Arrays.hashCode(connected));
    hash = mix(hash, unacknowledged.keySet().hashCode());
    hash = mix(hash, acknowledged.hashCode());
    return mix(hash, applied.hashCode());
  }

  private static long hash(Term term) {
    return term.epoch() * 31 + term.leader().hashCode();
  }

  private static long hash(Fork fork) {
    long hash = fork.known().hashCode() * 31L + fork.closed().hashCode();
    for (var entries : fork.entries().values()) {
      for (var entry : entries) {
        hash = mix(hash, entry.stamp().hashCode());
      }
    }
    for (var action : fork.actions().values()) {
      hash = mix(hash, action.key().hashCode() * 2L + (action.status().isPresent() ? 1 : 0));
    }
    return hash;
  }

  static long mix(long hash, long more) {
    long mixed = (hash ^ more * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
    return mixed ^ mixed >>> 29;
  }

  @Override
  public String toString() {
    var text = new StringBuilder();
    for (int i = 0; i < members.length; i++) {
      var it = members[i];
      text.append(
          "%s: view %s, connected %s%s%s%s, promise %s, acknowledged %s, leads %d, log %s, fork %s%n"
              .formatted(
                  ModelCheck.NAMES[i],
                  ModelCheck.names(it.view),
                  ModelCheck.names(connected[i]),
                  it.stale ? ", stale" : "",
                  it.paused ? ", paused" : "",
                  it.down ? ", down" : "",
                  it.promise.term(),
                  ModelCheck.names(it.acknowledged),
                  it.leads,
                  it.log.entries(),
                  it.fork.known()));
    }
    return text + "acknowledged " + acknowledged + ", applied " + applied;
  }
}
