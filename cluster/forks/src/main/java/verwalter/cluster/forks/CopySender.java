package verwalter.cluster.forks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.Term;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.stores.api.Change;
import verwalter.stores.api.ObjectStore;

/**
 * Sends the fork that this node leads to the other members of its side: all of it first, which is
 * the offer of the term, and then each change. One message to a member is in progress at a time.
 * Confined to its loop.
 */
final class CopySender {
  private static final Logger LOG = LoggerFactory.getLogger(CopySender.class);

  /** Changes within this time are sent together. */
  private static final Duration GATHER = Duration.ofMillis(50);

  private static final Backoff RETRY =
      Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(15));

  private final Term term;
  private final long base;
  private final ObjectStore store;
  private final SidePeers peers;
  private final Loop loop;
  private final Runnable acknowledged;
  private final Map<String, Target> targets = new TreeMap<>();
  private final Map<String, Watch> watches = new HashMap<>();

  /** The number of the last copy to any member: a late copy never follows one of these. */
  private long numbers;

  private boolean gathering;
  private boolean closed;

  /**
   * Begins to follow the fork.
   *
   * @param base the version of the log's state below the fork
   * @param store the fork of the term
   * @param acknowledged called on the loop when {@link #acknowledged()} has changed
   */
  CopySender(
      Term term, long base, ObjectStore store, SidePeers peers, Loop loop, Runnable acknowledged) {
    this.term = term;
    this.base = base;
    this.store = store;
    this.peers = peers;
    this.loop = loop;
    this.acknowledged = acknowledged;
    CopiedObjects.KINDS.forEach(this::watch);
  }

  Term term() {
    return term;
  }

  ObjectStore store() {
    return store;
  }

  private <S, T> void watch(Kind<S, T> kind) {
    watches.put(
        kind.name(),
        store.watch(
            kind,
            loop,
            change -> {
              if (closed) {
                return;
              }
              if (change instanceof Change.Ended) {
                watch(kind);
              } else if (!(change instanceof Change.Bookmark)) {
                changed();
              }
            }));
  }

  private void changed() {
    if (!gathering) {
      gathering = true;
      loop.after(
          GATHER,
          () -> {
            gathering = false;
            List.copyOf(targets.values()).forEach(Target::update);
          });
    }
  }

  /** Sends the fork to these members, and to no others. */
  void to(Set<String> members) {
    targets.keySet().removeIf(member -> !members.contains(member));
    for (var member : members) {
      if (!targets.containsKey(member)) {
        var target = new Target(member);
        targets.put(member, target);
        target.update();
      }
    }
  }

  /** The members that have accepted the term. */
  Set<String> acknowledged() {
    return targets.values().stream()
        .filter(target -> target.acknowledged)
        .map(target -> target.member)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Stops sending. What is under way is not waited for. */
  void close() {
    closed = true;
    watches.values().forEach(Watch::close);
    watches.clear();
  }

  /** What one member has. */
  private final class Target {
    private final String member;
    private Map<ResourceKey, Long> has = Map.of();
    private long number;
    private boolean whole = true;
    private boolean sending;
    private boolean acknowledged;
    private boolean refused;
    private int failures;
    private TimedExecutor.Timer retry = () -> {};
    private boolean waiting;

    Target(String member) {
      this.member = member;
    }

    private boolean isOver() {
      return closed || targets.get(member) != this;
    }

    /** Sends what the member does not have. */
    void update() {
      if (isOver() || sending || waiting || refused) {
        return;
      }
      var present = CopiedObjects.of(store);
      var changed = new ArrayList<Resource<?, ?>>();
      for (var object : present.values()) {
        var known = has.get(object.key());
        if (whole || known == null || known != object.meta().version()) {
          changed.add(object);
        }
      }
      var removed = has.keySet().stream().filter(key -> !present.containsKey(key)).toList();
      if (!whole && changed.isEmpty() && removed.isEmpty()) {
        return;
      }
      sending = true;
      long next = ++numbers;
      var copy =
          new SideMessage.Copy(
              term, base, next, whole ? 0 : number, changed, whole ? List.of() : removed);
      var versions =
          present.values().stream()
              .collect(Collectors.toUnmodifiableMap(Resource::key, it -> it.meta().version()));
      peers
          .send(member, copy)
          .onComplete(
              done ->
                  loop.execute(
                      () -> {
                        sending = false;
                        if (isOver()) {
                          return;
                        }
                        if (done.failed()) {
                          LOG.info("side: {} has no copy: {}", member, done.cause().getMessage());
                          again();
                        } else {
                          answered(done.result(), next, versions);
                        }
                      }));
    }

    private void answered(SideAnswer answer, long sent, Map<ResourceKey, Long> versions) {
      switch (answer) {
        case DONE -> {
          has = versions;
          number = sent;
          whole = false;
          failures = 0;
          become(true);
          update();
        }
        case WHOLE, LATER -> {
          whole = whole || answer == SideAnswer.WHOLE;
          again();
        }
        case REFUSED -> {
          LOG.info("side: {} refuses epoch {}", member, term.epoch());
          refused = true;
          become(false);
        }
      }
    }

    private void become(boolean next) {
      if (acknowledged != next) {
        acknowledged = next;
        CopySender.this.acknowledged.run();
      }
    }

    private void again() {
      waiting = true;
      retry.cancel();
      retry =
          loop.after(
              RETRY.delay(++failures),
              () -> {
                waiting = false;
                update();
              });
    }
  }
}
