package verwalter.cluster.forks;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.sides.MinorityPolicy;
import verwalter.cluster.sides.MinorityPolicy.Mode;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.RoleConfig;
import verwalter.stores.api.Change;
import verwalter.stores.api.ObjectStore;

/** The minority policies of roles, as the log says. Confined to its loop. */
final class RolePolicies {
  private static final Logger LOG = LoggerFactory.getLogger(RolePolicies.class);

  private final ObjectStore log;
  private final Loop loop;
  private final Runnable changed;
  private Map<String, MinorityPolicy> policies = Map.of();
  private Watch roles = () -> {};
  private boolean pending;
  private String said = "";

  /**
   * Reads the policies.
   *
   * @param changed called on the loop after a change, and after an epoch of the log has begun
   */
  RolePolicies(ObjectStore log, Loop loop, Runnable changed) {
    this.log = log;
    this.loop = loop;
    this.changed = changed;
    read();
  }

  /** The policies by role, of roles that have one. */
  Map<String, MinorityPolicy> all() {
    return policies;
  }

  /**
   * When processes are stopped.
   *
   * @param since since when there is no leader, for a policy
   */
  Stream<Duration> stops(Function<MinorityPolicy, Duration> since) {
    return policies.values().stream()
        .filter(policy -> policy.mode() == Mode.STOP_AFTER)
        .map(policy -> since.apply(policy).plus(policy.after()));
  }

  /** Follows the policies, and the epoch of the log: each epoch is reported by a bookmark. */
  void watch() {
    roles =
        log.watch(
            RoleConfig.KIND,
            loop,
            change -> {
              if (change instanceof Change.Ended) {
                watch();
              } else if (!pending) {
                pending = true;
                loop.execute(this::update);
              }
            });
  }

  private void update() {
    pending = false;
    read();
    changed.run();
  }

  private void read() {
    var next = new TreeMap<String, MinorityPolicy>();
    for (var role : log.list(RoleConfig.KIND)) {
      try {
        MinorityPolicy.of(role.spec()).ifPresent(policy -> next.put(role.name(), policy));
      } catch (MinorityPolicy.Invalid mistake) {
        next.put(role.name(), MinorityPolicy.FREEZE);
        say("role=%s %s".formatted(role.name(), mistake.getMessage()));
      }
    }
    policies = Map.copyOf(next);
  }

  private void say(String message) {
    if (!message.equals(said)) {
      said = message;
      LOG.info(message);
    }
  }

  void close() {
    roles.close();
  }
}
