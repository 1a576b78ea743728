package verwalter.cluster.forks;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.sides.MinorityPolicy;
import verwalter.cluster.sides.MinorityPolicy.Conduct;
import verwalter.cluster.sides.MinorityPolicy.Mode;
import verwalter.concurrent.Loop;

/**
 * The roles that were stopped since there is no leader. This is durable before they are stopped, so
 * that they do not start again with the agent. Confined to its loop.
 */
final class StoppedRoles {
  private static final Logger LOG = LoggerFactory.getLogger(StoppedRoles.class);

  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final ForkFiles files;
  private final Loop loop;
  private final Runnable changed;
  private Set<String> stopped;

  /** The roles that are stopped as the disk has them. */
  private Set<String> stored;

  /** Whether they are being stored, or a failure was a moment ago. */
  private boolean storing;

  /**
   * Reads the roles that are stopped. Blocks.
   *
   * @param changed called on the loop after a change
   */
  StoppedRoles(ForkFiles files, Loop loop, Runnable changed) {
    this.files = files;
    this.loop = loop;
    this.changed = changed;
    this.stopped = read(files);
    this.stored = stopped;
  }

  private static Set<String> read(ForkFiles files) {
    try {
      return files.stopped();
    } catch (IOException damaged) {
      LOG.warn("side: which roles were stopped is not known: {}", damaged.toString());
      return Set.of();
    }
  }

  boolean contains(String role) {
    return stopped.contains(role);
  }

  /**
   * Stops roles whose time is over, until there is a leader.
   *
   * @param lost since when there is no leader, for a policy; empty if there is one
   */
  void update(
      Map<String, MinorityPolicy> policies,
      Function<MinorityPolicy, Optional<Duration>> lost,
      Duration now) {
    var next =
        policies.entrySet().stream()
            .filter(
                each -> isStopped(each.getKey(), each.getValue(), lost.apply(each.getValue()), now))
            .map(Map.Entry::getKey)
            .collect(Collectors.toUnmodifiableSet());
    if (storing || (next.equals(stopped) && next.equals(stored))) {
      return;
    }
    storing = true;
    loop.offload(
            () -> {
              files.writeStopped(next);
              return next;
            })
        .onComplete(
            done -> {
              stopped = next;
              if (done.succeeded()) {
                stored = next;
                ready();
              } else {
                LOG.warn("side: {}; trying again", done.cause().toString());
                changed.run();
                loop.after(AGAIN, this::ready);
              }
            });
  }

  private void ready() {
    storing = false;
    changed.run();
  }

  private boolean isStopped(
      String role, MinorityPolicy policy, Optional<Duration> lost, Duration now) {
    return lost.isPresent()
        && policy.mode() == Mode.STOP_AFTER
        && (contains(role) || policy.conduct(lost, now, false) == Conduct.STOP);
  }
}
